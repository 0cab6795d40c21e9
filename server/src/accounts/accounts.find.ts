// Looks up accounts by id and by IBAN.
import type { Reader } from '../platform/database/database.ts'
import { fixed, read } from '../platform/database/sql.ts'
import type { Found, Sought } from '../platform/found.ts'

const shown = fixed`'account' as kind, id, venture_id, account_name as title, account_number as subtitle`

export async function findAccountsBy(reader: Reader, { ventures, id, iban }: Sought): Promise<Found[]> {
  if (id !== undefined) return reader.rows(read<Found>`select ${shown} from accounts where venture_id = any(${ventures}) and id = ${id}`)
  if (iban === undefined) return []
  return reader.rows(read<Found>`select ${shown} from accounts where venture_id = any(${ventures}) and account_number = ${iban}`)
}
