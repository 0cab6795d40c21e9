// Compares rows that decide with the newest, sealed lines about them.
import { hashIn, keyIn, type StatedTable, statedTables } from '../platform/database/database.states.ts'
import { Fragment, read } from '../platform/database/sql.ts'

export const stateInvariants = [
  {
    name: 'rows that decide are as their last lines say',
    meaning:
      'Every change of people, their roles, passkeys and keys, beneficiaries or approvals adds a line with a hash, and lines are ' +
      'sealed. These rows were changed, removed or inserted in another way.',
    broken: read`${new Fragment([statedTables.map(differencesOf).join('\nunion all\n')], [])}`,
    mostExamples: 1_000,
  },
]

/** The last line about a removed row has no hash. */
function differencesOf(table: StatedTable): string {
  const { venture_id, row_id } = keyIn(table)
  return `
    select '${table}' as "table", case when line.hash is null then 'inserted' when stored.row_id is null then 'removed' else 'changed' end as was,
      venture_id, row_id as id
    from (select ${venture_id} as venture_id, ${row_id} as row_id, ${hashIn(table)} as hash from ${table}) as stored
    full join (
      select distinct on (venture_id, row_id) venture_id, row_id, hash from row_states where table_name = '${table}'
      order by venture_id, row_id, version desc) as line using (venture_id, row_id)
    where stored.hash is distinct from line.hash`
}
