// Looks up mandates by id and by reference.
import type { Reader } from '../platform/database/database.ts'
import { fixed, read } from '../platform/database/sql.ts'
import { type Found, mostFound, type Sought } from '../platform/found.ts'

const shown = fixed`'mandate' as kind, id, venture_id, reference as title, debtor_name as subtitle`

export async function findMandatesBy(reader: Reader, { ventures, id, text }: Sought): Promise<Found[]> {
  if (id !== undefined) return reader.rows(read<Found>`select ${shown} from mandates where venture_id = any(${ventures}) and id = ${id}`)
  return reader.rows(read<Found>`
    select ${shown} from mandates where venture_id = any(${ventures}) and reference = ${text} limit ${mostFound}`)
}
