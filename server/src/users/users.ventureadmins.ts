// Whether a MANAGED venture has its own admin. People who let others into it control what its clients pay. So only its own admin may do
// that, and two people of the bank only while there is none. Removing its last admin also takes two people of the bank.
import type { Reader, Tx } from '../platform/database/database.ts'
import { bankId, lockVentureAdmins, selectManaged, selectMemberships, selectVentureAdmins } from './users.sql.ts'

/** The active admins of a venture that the bank processes for; empty for any other venture, where nothing changes. */
export async function findAdminsOf(reader: Reader, venture_id: string): Promise<string[]> {
  if ((await reader.first(selectManaged(venture_id))) === undefined) return []
  return (await reader.rows(selectVentureAdmins(venture_id))).map(({ user_id }) => user_id)
}

/** The same, and until the end of the transaction nobody else can take the role away from one of them. */
export async function lockAdminsOf(tx: Tx, venture_id: string): Promise<string[]> {
  if ((await tx.first(selectManaged(venture_id))) === undefined) return []
  await lockVentureAdmins(tx)
  return findAdminsOf(tx, venture_id)
}

export async function hasOwnAdmin(reader: Reader, venture_id: string): Promise<boolean> {
  return (await findAdminsOf(reader, venture_id)).length > 0
}

/** A person of a single venture is reset by its admin; a person of the bank, or of several ventures, only by the bank. */
export async function isResetByItsVenture(reader: Reader, user_id: string): Promise<boolean> {
  const [only, ...others] = await reader.rows(selectMemberships(user_id))
  return only !== undefined && others.length === 0 && only.venture_id !== bankId && hasOwnAdmin(reader, only.venture_id)
}
