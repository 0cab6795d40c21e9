// Time limits for everything that involves the database. All are derived from one setting, DATABASE_WAIT_MS: every caller gets a response
// within that time, even if the database is unreachable, hangs or is overloaded.

export type Limits = ReturnType<typeof limitsOf>

export function limitsOf(wait_ms: number) {
  return {
    /** Waiting in a queue, for a batch or for a free connection. */
    queue_ms: share(wait_ms, 0.7),
    /** Opening a connection. The caller may have waited in a queue before; both together never exceed the total. */
    connect_ms: share(wait_ms, 0.3),
    /** One statement, including its wait for a lock. PostgreSQL cancels it, and the connection stays usable. */
    statement_ms: share(wait_ms, 0.5),
    lock_ms: share(wait_ms, 0.4),
    /** One statement of a list or search. A statement that takes longer is split into pieces; see platform/http/pieces.ts. */
    list_ms: share(wait_ms, 0.2),
    /** An idle transaction. Ours never pause, so this ends transactions of a service that died without closing its connection. */
    idle_ms: share(wait_ms, 3),
    /** A snapshot that nobody reads for this long because its reader is slow, and also the total duration of a snapshot. */
    snapshotPause_ms: share(wait_ms, 12),
    snapshot_ms: share(wait_ms, 180),
    /** A connection that has not responded for this long is considered dead. */
    silence_ms: share(wait_ms, 0.6),
    /** Every caller should have a response by then. */
    answer_ms: share(wait_ms, 0.95),
    /** After `answer_ms`, an unresponsive connection is closed after this shorter time. A responsive one is kept. */
    lateSilence_ms: share(wait_ms, 0.2),
    /** How long after the first attempt a conflict (PostgreSQL takes a second to detect a deadlock) or a lost connection is retried. */
    conflict_ms: share(wait_ms, 0.5),
    lost_ms: share(wait_ms, 0.1),
    /** The time, counted from when the caller started to wait, after which an undetermined outcome is reported as unknown. */
    outcome_ms: share(wait_ms, 0.95),
  }
}

function share(wait_ms: number, part: number): number {
  return Math.round(wait_ms * part)
}
