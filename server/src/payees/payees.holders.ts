// The holders of accounts in this bank, and what a name is compared to theirs.
import type { Database } from '../platform/database/database.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import { compareNames } from './payees.names.ts'
import type { PayeeAnswer } from './payees.schemas.ts'
import { selectHolder } from './payees.sql.ts'

export type Holder = { venture_id: string; account_id: string; name: string }

export const notPossible = (reason: NonNullable<PayeeAnswer['reason']>): PayeeAnswer => ({
  result: 'NOT_POSSIBLE',
  matched_name: null,
  reason,
})

/** Undefined if the bank does not know the account. That includes accounts of ventures that keep their own books. */
export async function findHolder(database: Database, iban: string): Promise<Holder | undefined> {
  const found = await selectHolder(database, await listManagedIds(database), iban)
  return found && { venture_id: found.venture_id, account_id: found.account_id, name: `${found.first_name} ${found.last_name}` }
}

/** The holder's name is told only if the given one is close. */
export function compareWith({ name: registered }: Pick<Holder, 'name'>, given: string): PayeeAnswer {
  const result = compareNames(given, registered)
  if (result === 'UNREADABLE') return notPossible('name_unreadable')
  return { result, matched_name: result === 'CLOSE_MATCH' ? registered : null, reason: null }
}
