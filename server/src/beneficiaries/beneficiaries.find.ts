// Looks up beneficiaries by id, by IBAN, and by the beginning of their name.
import type { Reader } from '../platform/database/database.ts'
import { fixed, read } from '../platform/database/sql.ts'
import { type Found, lastCharacter, mostFound, type Sought } from '../platform/found.ts'

const shown = fixed`'beneficiary' as kind, id, venture_id, name as title, coalesce(iban, account_number) as subtitle`

export async function findBeneficiariesBy(reader: Reader, { ventures, id, iban, name }: Sought): Promise<Found[]> {
  if (id !== undefined)
    return reader.rows(read<Found>`select ${shown} from beneficiaries where venture_id = any(${ventures}) and id = ${id}`)
  if (iban !== undefined)
    return reader.rows(read<Found>`
      select ${shown} from beneficiaries where venture_id = any(${ventures}) and iban = ${iban} limit ${mostFound}`)
  if (name === undefined) return []
  return reader.rows(read<Found>`
    select ${shown} from beneficiaries
    where venture_id = any(${ventures}) and lower(name) ~>=~ lower(${name}) and lower(name) ~<~ (lower(${name}) || ${lastCharacter})
    limit ${mostFound}`)
}
