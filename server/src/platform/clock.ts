// The clock of the service. In the sandbox it can be moved forwards (test-clock.ts); everywhere else it is the clock of the machine.
//
// The rule: what is stored, shown, or compared with something that is stored or shown follows this clock. That is every due date, expiry,
// cycle, retry and limit, and the time in an id. The real time (Date.now, performance.now, timers, `now()` in SQL) remains for
// - how long something takes in this process: time-outs, pauses, durations;
// - what another machine compares with its own clock: signatures of requests and webhooks;
// - sessions, so that whoever moves the clock stays signed in;
// - leases in the database, by which instances learn that another one has died;
// - logs, backups and the files of the embedded PostgreSQL.
// SQL about tables of the coordinator says bank_now(), a function of the database that adds the same offset; elsewhere times are parameters.

let ahead_s = 0
const watchers = new Set<() => void>()

export function now(): Date {
  return new Date(now_ms())
}

export function now_ms(): number {
  return Date.now() + ahead_s * 1000
}

/** How far ahead of the real time the clock is. */
export function aheadBy_s(): number {
  return ahead_s
}

/** Moves the clock to so many seconds ahead of the real time, if it is not there yet: it never goes back. */
export function moveAhead(to_s: number): void {
  if (to_s <= ahead_s) return
  ahead_s = to_s
  for (const watch of watchers) watch()
}

/** Calls `watch` after each jump: what was not due before may be due now. Returns a function that ends this. */
export function onJump(watch: () => void): () => void {
  watchers.add(watch)
  return () => watchers.delete(watch)
}
