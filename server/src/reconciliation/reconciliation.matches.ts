// What entries of nostros stand for. Money that has waited for a statement goes on once an entry shows it.
import { findAwaiting } from '../cases/cases.ts'
import type { Tx } from '../platform/database/database.ts'
import { sendJobs } from '../platform/jobs.ts'
import { moneyShown } from '../transfers/life/transfers.jobs.ts'
import { insertMatches, type NewMatch } from './reconciliation.sql.ts'

/** Returns how many of the matches were written. An entry that is only notified shows its money as well; one of another amount does not. */
export async function writeMatches(tx: Tx, matches: readonly NewMatch[]): Promise<number> {
  const written = await insertMatches(tx, matches)
  const arrived = matches.filter(({ amount, exact }) => exact && amount > 0n).map(({ row: { venture_id, id } }) => ({ venture_id, id }))
  const awaiting = await findAwaiting(tx, arrived)
  sendJobs(
    tx,
    awaiting.map((payload) => ({ kind: moneyShown, payload })),
  )
  return written
}
