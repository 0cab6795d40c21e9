// SQL statements for the bank's policies.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { Policy } from './policies.schemas.ts'

const columns = columnsOf(Policy)

export const selectPolicy = read<Policy>`select ${columns} from policies order by version desc limit 1`

/** Returns undefined if somebody else has added this version. */
export function insertPolicy(tx: Tx, policy: Policy): Promise<Policy | undefined> {
  return tx.first(write<Policy>`
    insert into policies (${columns}) select ${columns} from json_populate_record(null::policies, ${JSON.stringify(policy)})
    on conflict (version) do nothing returning ${columns}`)
}
