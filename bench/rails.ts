// Scenarios of the rails: payments that leave the bank as XML and complete when the simulated bank has answered.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { listed } from '../server/src/platform/database/sql.ts'
import { terminalStatuses } from '../server/src/transfers/life/transfers.status.ts'
import { openManagedAccounts } from './accounts.ts'
import { median, type Run, type Scenario } from './figures.ts'
import { load, requireStatus } from './load/load.ts'
import type { Sealed } from './rails.sealing.ts'
import type { Reconciled } from './rails.statements.ts'
import type { Setup } from './setup.ts'
import type { WalkRun } from './walks.ts'

const names = {
  whole: 'rails, SEPA to COMPLETED',
  instant: 'rails, instant, 64 at once',
  walks: 'rails, SEPA in walks',
  sealing: 'rails, sealing',
  statements: 'rails, statements',
} as const

type Venture = { id: string; api_key: string }
type Baseline = { create: Run; accounts: number; rows: number }

/** `baseline`: creates in an OPEN venture, from the same number of accounts. */
export async function rails(setup: Setup, baseline: Baseline, wanted: (name: string) => boolean): Promise<Scenario[]> {
  if (!Object.values(names).some(wanted)) return []
  const venture = await setup.registerVenture('MANAGED')
  const accounts = await openManagedAccounts(setup, venture, baseline.accounts)
  const orders = (method: string) => accounts.map(({ account_id, beneficiary_id }) => orderOf(account_id, beneficiary_id, method))
  const walk =
    (by: WalkRun['by']): Run =>
    (seconds) =>
      setup.measureWalks({ kind: 'walks', venture_id: venture.id, accounts, by, seconds })
  let [note, statementsNote] = ['', '']
  const seal: Run = async () => {
    // One payment must settle first, to be copied.
    await complete(setup, venture, orders('SEPA').slice(0, 1), 1)
    const sealed = await setup.measureSealing({
      kind: 'sealing',
      ownerUrl: setup.postgres.ownerUrl,
      venture_id: venture.id,
      rows: baseline.rows,
    })
    note = sealingNoteOf(sealed, baseline.rows)
    return sealed
  }
  const reconcile: Run = async () => {
    await complete(setup, venture, orders('SEPA').slice(0, 1), 1)
    const reconciled = await setup.measureStatements({
      kind: 'statements',
      ownerUrl: setup.postgres.ownerUrl,
      postmaster: setup.watched.postmaster,
      venture_id: venture.id,
      rows: baseline.rows,
    })
    statementsNote = statementsNoteOf(reconciled)
    return reconciled
  }
  return [
    { name: names.whole, run: untilCompleted(setup, venture, orders('SEPA')), baselines: { 'create alone': baseline.create } },
    { name: names.instant, run: atOnce(setup, venture, orders('INST')) },
    { name: names.walks, run: walk('walks'), baselines: { 'in single moves': walk('single moves') } },
    { name: names.sealing, run: seal, once: true, note: () => note },
    { name: names.statements, run: reconcile, once: true, note: () => statementsNote },
  ]
}

function statementsNoteOf({ service_s, database_s, statements, entries }: Reconciled): string {
  return `${entries.toLocaleString('en')} entries in ${statements} statements: ${service_s.toFixed(1)} s of CPU; the database ${database_s.toFixed(1)} s`
}

function sealingNoteOf({ cpu_s, service_mb, child_mb, messages, bytes }: Sealed, rows: number): string {
  const memory = `service ${service_mb.toFixed(0)} MB, child ${child_mb.toFixed(0)} MB`
  return `${rows.toLocaleString('en')} rows, ${messages} messages, ${(bytes / 2 ** 20).toFixed(0)} MB: ${cpu_s.toFixed(1)} s of CPU; ${memory}`
}

function orderOf(account_id: string, beneficiary_id: string, method: string): string {
  // Settles today, so that it leaves at once.
  const settlement_date = new Date().toISOString().slice(0, 10)
  return JSON.stringify({
    account_id,
    beneficiary_id,
    unique_reference: `rail-${method}-{n}`,
    debit_amount: '1.00',
    method,
    settlement_date,
  })
}

const ended = `status in (${listed(terminalStatuses).text})`

/** Waits until the venture has no open transfers; throws if one did not complete. */
async function allCompleted(owner: pg.Client, { id }: Venture): Promise<void> {
  const limit = performance.now() + 10 * 60_000
  for (;;) {
    const { rowCount } = await owner.query(`select from transfers where venture_id = $1 and managed and not (${ended}) limit 1`, [id])
    if (rowCount === 0) break
    if (performance.now() > limit) throw new Error('some transfers have not completed after ten minutes')
    await sleep(10)
  }
  const { rows } = await owner.query(`select count(*)::int as count from transfers where venture_id = $1 and status <> 'COMPLETED'`, [id])
  if (rows[0]?.count !== 0) throw new Error(`${rows[0]?.count} transfers have not completed`)
}

async function withOwner<T>(setup: Setup, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: setup.postgres.ownerUrl })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

/** Creates transfers over 64 connections, and measures the time until all have completed. */
function untilCompleted(setup: Setup, venture: Venture, bodies: string[]): Run {
  return (seconds) =>
    withOwner(setup, async (owner) => {
      const start = performance.now()
      const created = await load({
        port: setup.port,
        connections: 64,
        method: 'POST',
        paths: ['/api/v1/transfers'],
        keys: [venture.api_key],
        bodies,
        seconds,
      })
      requireStatus(created, '201')
      await allCompleted(owner, venture)
      return { ...created, perSecond: ((created.statuses['201'] ?? 0) * 1000) / (performance.now() - start) }
    })
}

let number = 0

/** Creates transfers at the same moment, waits until all have completed, and returns their ids. */
async function complete(setup: Setup, venture: Venture, bodies: readonly string[], count: number): Promise<string[]> {
  return withOwner(setup, async (owner) => {
    const made = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const body = JSON.parse((bodies[index % bodies.length] ?? '').replace('{n}', `once-${++number}`)) as object
        return setup.call(venture.api_key, 'POST', '/api/v1/transfers', body)
      }),
    )
    await allCompleted(owner, venture)
    return made.map(({ id = '' }) => id)
  })
}

/** 64 concurrent instant payments: the time from creation to COMPLETED, from the stored timestamps. */
function atOnce(setup: Setup, venture: Venture, bodies: string[]): Run {
  return async (seconds) => {
    const start = performance.now()
    const ids: string[] = []
    while (performance.now() - start < seconds * 1000) ids.push(...(await complete(setup, venture, bodies, 64)))
    const took_s = (performance.now() - start) / 1000
    const times = await withOwner(setup, async (owner) => {
      const { rows } = await owner.query(
        `select extract(epoch from move.created_at - transfer.created_at)::float * 1000 as took_ms
         from transfers transfer join transfer_moves move
           on move.venture_id = transfer.venture_id and move.transfer_id = transfer.id and move.to_status = 'COMPLETED'
         where transfer.venture_id = $1 and transfer.id = any($2::uuid[])`,
        [venture.id, ids],
      )
      return rows.map(({ took_ms }) => Number(took_ms)).sort((a, b) => a - b)
    })
    if (times.length !== ids.length) throw new Error(`${times.length} of ${ids.length} payments have completed`)
    return { perSecond: ids.length / took_s, p50_ms: median(times), p99_ms: times[Math.floor(times.length * 0.99)] ?? 0 }
  }
}
