// SQL statements for policies.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { Policy } from './policies.schemas.ts'

const columns = columnsOf(Policy)

/** The latest version for each venture that has one. */
export const selectPolicies = (venture_ids: readonly string[]) => read<Policy>`
  select distinct on (venture_id) ${columns} from policies where venture_id = any(${venture_ids}) order by venture_id, version desc`

/** Returns undefined if another transaction has added this version. */
export function insertPolicy(tx: Tx, policy: Policy): Promise<Policy | undefined> {
  return tx.first(write<Policy>`
    insert into policies (era, xid, ${columns})
    select (select era from event_era), pg_current_xact_id(), ${columns} from json_populate_record(null::policies, ${JSON.stringify(policy)})
    on conflict (venture_id, version) do nothing returning ${columns}`)
}
