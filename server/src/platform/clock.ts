// The clock of the service. In the sandbox it can be moved forwards (test-clock.ts); elsewhere it is the system clock.
//
// The rule: anything that is stored, shown, or compared with something stored or shown follows this clock. That includes every due date,
// expiry, cycle, retry and limit, and the time in an id. Real time (Date.now, performance.now, timers, `now()` in SQL) is used for
// - how long something takes in this process: time-outs, pauses, durations;
// - what another machine compares with its own clock: signatures of requests and webhooks;
// - sessions, so that moving the clock signs nobody out;
// - leases in the database, by which instances notice that another one has died;
// - logs, backups and the files of the embedded PostgreSQL.
// SQL about tables of the coordinator calls bank_now(), a database function that adds the same offset; elsewhere times are parameters.

let ahead_s = 0
const watchers = new Set<() => void>()

export function now(): Date {
  return new Date(now_ms())
}

export function now_ms(): number {
  return Date.now() + ahead_s * 1000
}

/** How far the clock is ahead of real time. */
export function aheadBy_s(): number {
  return ahead_s
}

/** Moves the clock to this many seconds ahead of real time. It never moves backwards. */
export function moveAhead(to_s: number): void {
  if (to_s <= ahead_s) return
  ahead_s = to_s
  for (const watch of watchers) watch()
}

/** Calls `watch` after each jump, because things may have become due. Returns a function that unsubscribes. */
export function onJump(watch: () => void): () => void {
  watchers.add(watch)
  return () => watchers.delete(watch)
}
