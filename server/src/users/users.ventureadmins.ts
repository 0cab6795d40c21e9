// Whether a MANAGED venture has an admin of its own. Those who let people into it can order what its clients pay. So its own admin does it, and two
// people of the bank only while there is none; and they end that there is one only together.
import type { Reader, Tx } from '../platform/database/database.ts'
import { bankId, lockVentureAdmins, selectManaged, selectMemberships, selectVentureAdmins } from './users.sql.ts'

/** The active admins of a venture for which the bank processes; nobody of any other, where everything is as it always was. */
export async function findAdminsOf(reader: Reader, venture_id: string): Promise<string[]> {
  if ((await reader.first(selectManaged(venture_id))) === undefined) return []
  return (await reader.rows(selectVentureAdmins(venture_id))).map(({ user_id }) => user_id)
}

/** The same, and until the end of the transaction nobody else ends that one of them is an admin. */
export async function lockAdminsOf(tx: Tx, venture_id: string): Promise<string[]> {
  if ((await tx.first(selectManaged(venture_id))) === undefined) return []
  await lockVentureAdmins(tx)
  return findAdminsOf(tx, venture_id)
}

export async function hasOwnAdmin(reader: Reader, venture_id: string): Promise<boolean> {
  return (await findAdminsOf(reader, venture_id)).length > 0
}

/** Somebody of one venture is reset by its admin; somebody of the bank, or of several ventures, only by the bank. */
export async function isResetByItsVenture(reader: Reader, user_id: string): Promise<boolean> {
  const [only, ...others] = await reader.rows(selectMemberships(user_id))
  return only !== undefined && others.length === 0 && only.venture_id !== bankId && hasOwnAdmin(reader, only.venture_id)
}
