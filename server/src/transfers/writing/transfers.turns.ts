// How batches that overlap take turns in the database: each holds an advisory lock of its own until its transaction has ended, and waits for that of
// the batch before. With one lock for all, a batch could overtake another one that writes more, and what it was decided over would never exist.
import type { Tx } from '../../platform/database/database.ts'
import { read } from '../../platform/database/sql.ts'

export type Turn = { readonly key: string; readonly after: string | undefined; isReached: boolean }

/**
 * Lets the next batch wait for this one, which is to have this lock before that one begins. The references are claimed by now: if two batches want the same
 * ones, neither may wait for the other in two places.
 */
export async function holdTurn(tx: Tx, { key }: Turn): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/**
 * Waits for the batch before, if that is still being committed. What was sent behind this waits as well, and continues before the service has heard of
 * the commit. No decision depends on it: what the batch before holds would be skipped, and run again.
 */
export async function takeTurn(tx: Tx, turn: Turn): Promise<void> {
  if (turn.after !== undefined) await tx.rows(read`select pg_advisory_xact_lock_shared(hashtextextended(${turn.after}, 0))`)
  turn.isReached = true
}
