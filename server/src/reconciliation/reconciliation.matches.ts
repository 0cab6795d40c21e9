// What entries of nostros match. Money that has waited for a statement continues once an entry shows it.
import { findAwaiting } from '../cases/cases.ts'
import type { Tx } from '../platform/database/database.ts'
import { sendJobs } from '../platform/jobs.ts'
import { findAwaited } from '../rails/rails.ts'
import { instantShown, moneyShown } from '../transfers/life/transfers.jobs.ts'
import { insertMatches, type NewMatch } from './reconciliation.sql.ts'

/** Returns how many matches were written. A notified entry also shows its money; an entry with another amount does not. */
export async function writeMatches(tx: Tx, matches: readonly NewMatch[]): Promise<number> {
  const written = await insertMatches(tx, matches)
  const arrived = matches.filter(({ amount, exact }) => exact && amount > 0n).map(({ row: { venture_id, id } }) => ({ venture_id, id }))
  const [awaiting, instants] = await Promise.all([findAwaiting(tx, arrived), findAwaited(tx, arrived)])
  sendJobs(tx, [
    ...awaiting.map((payload) => ({ kind: moneyShown, payload })),
    ...instants.map((payload) => ({ kind: instantShown, payload })),
  ])
  return written
}
