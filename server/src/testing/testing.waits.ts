// Waiting in tests, without a time limit of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { wantsCluster } from './testing.server.ts'

/** Waits until the condition holds. If it never does, the runner's time-out fails the test. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}

/**
 * Waits until a transaction is waiting for a lock of the owner's transaction, or with `behind`, for such a waiting transaction. Returns
 * false if `acting` ended without that.
 */
export async function untilBlocked(owner: pg.Client, acting?: Promise<unknown>, { behind = false } = {}): Promise<boolean> {
  let over = false
  const end = () => {
    over = true
  }
  acting?.then(end, end)
  while ((await countBlocked(owner, { behind })) === 0) {
    if (over) return false
    await sleep(2)
  }
  return true
}

/** How many transactions are waiting for a lock of the owner's transaction, or with `behind`, for such a waiting transaction. */
export async function countBlocked(owner: pg.Client, { behind = false } = {}): Promise<number> {
  const { here, anywhere } = behind ? waitingBehind : waitingFirst
  return (await owner.query(wantsCluster() ? `${here} union all ${anywhere}` : here)).rows.length
}

/** `anywhere`: rows of ventures are locked on the workers of a cluster. */
const waitingFirst = {
  here: 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  anywhere: 'select from citus_lock_waits where blocking_gpid = citus_backend_gpid()',
}
const waitingBehind = {
  here: `select from pg_locks where not granted and exists (
    select from unnest(pg_blocking_pids(pid)) as first where pg_backend_pid() = any(pg_blocking_pids(first)))`,
  anywhere: `select from citus_lock_waits where blocking_gpid in (
    select waiting_gpid from citus_lock_waits where blocking_gpid = citus_backend_gpid())`,
}

/** Locks a row of a venture in the owner's transaction. A cluster must be told which server has it. */
export async function lockRow(
  owner: pg.Client,
  table: string,
  id: string,
  strength: 'update' | 'no key update' | 'no key update nowait',
): Promise<void> {
  const name = pg.escapeIdentifier(table)
  const { rows } = await owner.query(`select venture_id from ${name} where id = $1`, [id])
  await owner.query(`select from ${name} where venture_id = $1 and id = $2 for ${strength}`, [rows[0]?.venture_id, id])
}
