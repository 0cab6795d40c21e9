// Fills transfers, and the tables that people search by name, with a history, and shows the progress.
import pg from 'pg'
import { barOf, redraw } from '../server/src/platform/progress.ts'
import { fillTransfers, type Payer } from '../server/src/testing/testing.transfers.ts'

export function fillVisibly(ownerUrl: string, accounts: readonly Payer[], count: number): Promise<void> {
  return fillTransfers(ownerUrl, accounts, count, drawProgress)
}

/** Copies a client and a beneficiary. Each copy has its own name without digits, as real names have none. */
export async function fillNames(ownerUrl: string, venture_id: string, count: number): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    // The rows are valid by construction.
    await owner.query('set session_replication_role = replica')
    for (const [table, column] of [
      ['clients', 'last_name'],
      ['beneficiaries', 'name'],
    ] as const)
      await owner.query(
        `insert into ${table} select copy.* from (select * from ${table} where venture_id = $1 limit 1) one, generate_series(1, $2) number,
           jsonb_populate_record(one::${table}, jsonb_build_object('id', gen_random_uuid(), '${column}', 'Name ' || translate(md5(number::text), '0123456789', 'ghijklmnop'))) copy`,
        [venture_id, count],
      )
    await owner.query('vacuum analyze clients, beneficiaries')
  } finally {
    await owner.end()
  }
}

function drawProgress(done: number, count: number): void {
  redraw(`${barOf({ done, of: count })} ${done.toLocaleString('en')} transfers${done >= count ? '\n' : ''}`)
}
