// How long anything that concerns the database may take. All of it is divided from one time, the setting DATABASE_WAIT_MS: within
// that time a caller hears something, also when the database is away, hangs, or has more to do than it can.

export type Limits = ReturnType<typeof limitsOf>

export function limitsOf(wait_ms: number) {
  return {
    /** Waiting in line, for a batch or for a free connection. */
    line_ms: share(wait_ms, 0.7),
    /** Opening a connection. A caller may have waited in line before, and both together are no more than the whole. */
    connect_ms: share(wait_ms, 0.3),
    /** One statement, and one lock within it. PostgreSQL ends them, and the connection stays good. */
    statement_ms: share(wait_ms, 0.5),
    lock_ms: share(wait_ms, 0.4),
    /** A transaction that does nothing. Ours never pause, so this is for one whose service is gone and whose connection is not. */
    idle_ms: share(wait_ms, 3),
    /** A connection on which no answer arrives for so long is taken for dead. */
    silence_ms: share(wait_ms, 0.6),
    /** Until then a caller should have its answer. */
    answer_ms: share(wait_ms, 0.95),
    /** After that, a connection on which no answer arrives is given up so much sooner. One on which answers arrive is not. */
    lateSilence_ms: share(wait_ms, 0.2),
    /** For how long another attempt is worth it after a conflict (PostgreSQL takes a second to find a deadlock) or a lost connection. */
    conflict_ms: share(wait_ms, 0.5),
    lost_ms: share(wait_ms, 0.1),
    /** How long the service tries to find out whether a COMMIT arrived before it says that this is unknown. */
    outcome_ms: wait_ms,
  }
}

function share(wait_ms: number, part: number): number {
  return Math.round(wait_ms * part)
}
