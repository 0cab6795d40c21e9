// Looks up clients by id, by email, and by the beginning of their last name.
import type { Reader } from '../platform/database/database.ts'
import { fixed, read } from '../platform/database/sql.ts'
import { type Found, lastCharacter, mostFound, type Sought } from '../platform/found.ts'
import { emailKey } from '../values/email.ts'

const shown = fixed`'client' as kind, id, venture_id, first_name || ' ' || last_name as title, kyc_status as subtitle`

export async function findClients(reader: Reader, { ventures, id, email, name }: Sought): Promise<Found[]> {
  if (id !== undefined) return reader.rows(byId(ventures, id))
  if (email !== undefined) {
    const claim = await reader.first(read<{ client_id: string }>`
      select client_id from client_emails where email = ${emailKey(email)} and venture_id = any(${ventures})`)
    return claim === undefined ? [] : reader.rows(byId(ventures, claim.client_id))
  }
  return name === undefined ? [] : reader.rows(byName(ventures, name))
}

const byId = (ventures: readonly string[], id: string) =>
  read<Found>`select ${shown} from clients where venture_id = any(${ventures}) and id = ${id}`

const byName = (ventures: readonly string[], name: string) => read<Found>`
  select ${shown} from clients
  where venture_id = any(${ventures}) and lower(last_name) ~>=~ lower(${name}) and lower(last_name) ~<~ (lower(${name}) || ${lastCharacter})
  limit ${mostFound}`
