// Time limits for everything that involves the database. All are derived from one setting, DATABASE_WAIT_MS: within that time every
// caller gets a response, even if the database is unreachable, hangs, or is overloaded.

export type Limits = ReturnType<typeof limitsOf>

export function limitsOf(wait_ms: number) {
  return {
    /** Waiting in a queue, for a batch or for a free connection. */
    queue_ms: share(wait_ms, 0.7),
    /** Opening a connection. A caller may have waited in a queue before; both together never exceed the whole time. */
    connect_ms: share(wait_ms, 0.3),
    /** One statement, and one lock within it. PostgreSQL cancels them, and the connection stays usable. */
    statement_ms: share(wait_ms, 0.5),
    lock_ms: share(wait_ms, 0.4),
    /** One statement of a list or a search. One that takes longer is cut into pieces; see platform/http/lists.ts. */
    list_ms: share(wait_ms, 0.2),
    /** An idle transaction. Ours never pause, so this ends transactions whose service died without closing the connection. */
    idle_ms: share(wait_ms, 3),
    /** A snapshot of which nothing is read for this long, because whoever takes what was read is slow, and the whole of a snapshot. */
    snapshotPause_ms: share(wait_ms, 12),
    snapshot_ms: share(wait_ms, 180),
    /** A connection that has not responded for this long is considered dead. */
    silence_ms: share(wait_ms, 0.6),
    /** Every caller should have a response by then. */
    answer_ms: share(wait_ms, 0.95),
    /** After `answer_ms`, an unresponsive connection is given up after this shorter time. A responsive one is not. */
    lateSilence_ms: share(wait_ms, 0.2),
    /** How long after the first attempt a conflict (PostgreSQL takes a second to detect a deadlock) or a lost connection is retried. */
    conflict_ms: share(wait_ms, 0.5),
    lost_ms: share(wait_ms, 0.1),
    /** By then, counted from when the caller started to wait, an outcome that could not be found out is reported as unknown. */
    outcome_ms: share(wait_ms, 0.95),
  }
}

function share(wait_ms: number, part: number): number {
  return Math.round(wait_ms * part)
}
