// Invariants of a distributed database only: what unique indexes and foreign keys guarantee on a single PostgreSQL.

import { globalNames } from '../platform/database/database.tables.ts'
import { Fixed, type Read, read } from '../platform/database/sql.ts'

const unionOf = (parts: readonly string[]): Fixed => new Fixed(parts.join(' union all '))

const names = unionOf(
  globalNames.map(
    ({ table, column, kind }) =>
      `select '${kind}' as kind, ${column}::text as name, venture_id, id from ${table} where ${column} is not null`,
  ),
)
const rows = unionOf(globalNames.map(({ table, kind }) => `select '${kind}' as kind, venture_id, id from ${table}`))

export const claimInvariants: readonly { name: string; meaning: string; broken: Read<object> }[] = [
  {
    name: 'names are claimed',
    meaning: 'A name that is unique across ventures is claimed by its row, and the row of every claim exists.',
    broken: read`
      select named.kind, named.name, named.venture_id, named.id from (${names}) as named
      left join claims claim on claim.kind = named.kind and claim.name = named.name
      where claim.id is distinct from named.id or claim.venture_id is distinct from named.venture_id
      union all select claim.kind, claim.name, claim.venture_id, claim.id from claims claim
      left join (${rows}) as claiming on claiming.kind = claim.kind and claiming.venture_id = claim.venture_id and claiming.id = claim.id
      where claiming.id is null`,
  },
]
