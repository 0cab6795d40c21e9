// Waiting in tests without a limit of their own.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Waits until the condition holds; a test that never sees it fails by the runner's time-out. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}

/** Waits until somebody waits for a lock of the owner's transaction. Returns false if `acting` ended without that. */
export async function untilBlocked(owner: pg.Client, acting?: Promise<unknown>): Promise<boolean> {
  let over = false
  const end = () => {
    over = true
  }
  acting?.then(end, end)
  const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
  while ((await owner.query(waiting)).rows.length === 0) {
    if (over) return false
    await sleep(2)
  }
  return true
}
