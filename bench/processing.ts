// Scenarios of automatic processing: transfers of a MANAGED venture, and their walks.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openManagedAccounts } from './accounts.ts'
import type { Run, Scenario } from './figures.ts'
import { load, requireStatus } from './load/load.ts'
import type { Setup } from './setup.ts'
import type { WalkRun } from './walks.ts'

const names = { whole: 'processing, INTERNAL by itself', walks: 'processing, SEPA in walks' } as const

type Baseline = { create: Run; accounts: number }

/** `baseline`: creates in an OPEN venture, from the same number of accounts. */
export async function processing(setup: Setup, baseline: Baseline, wanted: (name: string) => boolean): Promise<Scenario[]> {
  if (!Object.values(names).some(wanted)) return []
  const venture = await setup.registerVenture('MANAGED')
  const accounts = await openManagedAccounts(setup, venture, baseline.accounts)
  const walk =
    (by: WalkRun['by']): Run =>
    (seconds) => {
      const { id: venture_id } = venture
      return setup.measureWalks({ kind: 'walks', venture_id, accounts, by, seconds })
    }
  return [
    {
      name: names.whole,
      run: untilCompleted(
        setup,
        venture,
        accounts.map(({ account_id, neighbour_id }) => order(account_id, neighbour_id)),
      ),
      baselines: { 'create alone': baseline.create },
    },
    { name: names.walks, run: walk('walks'), baselines: { 'in single moves': walk('single moves') } },
  ]
}

const order = (account_id: string, beneficiary_id: string) =>
  JSON.stringify({ account_id, beneficiary_id, unique_reference: 'itself-{n}', debit_amount: '1.00' })

/** Creates transfers over 64 connections, and measures the time until all have completed. */
function untilCompleted(setup: Setup, { id, api_key }: { id: string; api_key: string }, bodies: string[]): Run {
  return async (seconds) => {
    const owner = new pg.Client({ connectionString: setup.postgres.ownerUrl })
    await owner.connect()
    const start = performance.now()
    const created = await load({
      port: setup.port,
      connections: 64,
      method: 'POST',
      paths: ['/api/v1/transfers'],
      keys: [api_key],
      bodies,
      seconds,
    })
    requireStatus(created, '201')
    // A partial index contains the open transfers.
    const isUnderWay = async () =>
      (
        await owner.query(
          `select from transfers where venture_id = $1 and managed and status in ('CREATED', 'RESERVED', 'READY_FOR_SCREENING') limit 1`,
          [id],
        )
      ).rowCount !== 0
    const limit = start + 10 * 60_000
    while (await isUnderWay()) {
      if (performance.now() > limit) throw new Error('some transfers have not completed after ten minutes')
      await sleep(5)
    }
    const took_s = (performance.now() - start) / 1000
    const { rows } = await owner.query(
      `select count(*)::int as completed from transfers
       where venture_id = $1 and direction = 'OUTBOUND' and status <> 'COMPLETED'`,
      [id],
    )
    await owner.end()
    if (rows[0]?.completed !== 0) throw new Error(`${rows[0]?.completed} transfers have not completed`)
    return { ...created, perSecond: (created.statuses['201'] ?? 0) / took_s }
  }
}
