// How fast are transfers created, moved and read, against the same rows written with one transaction each and against the HTTP
// side alone?
//   npm run bench:transfers
import { openBenchAccounts } from './accounts.ts'
import { prepareBare, runBare } from './bare.ts'
import { type LoadSpec, load, requireStatus } from './load.ts'
import { type Figures, report } from './report.ts'
import { onStage, type Stage } from './stage.ts'

const rounds = 3
const seconds = 5
const accountCount = 200

await onStage(async (stage) => {
  const { port, postgres, registerVenture } = stage
  const venture = await registerVenture()
  console.log(`opening ${accountCount} accounts`)
  const accounts = await openBenchAccounts(stage, venture, accountCount)
  await prepareBare(postgres.ownerUrl, accounts)
  const bodies = accounts.map(({ account_id, beneficiary_id }) =>
    JSON.stringify({ account_id, beneficiary_id, unique_reference: 'bench-{n}', debit_amount: '1.00', purpose: 'Invoice' }),
  )
  const shared = { port, keys: [venture.api_key] }
  const creating = (connections: number) => async (seconds: number) =>
    measured({ ...shared, connections, seconds, method: 'POST', paths: ['/api/v1/transfers'], bodies }, '201')

  console.log('\ncreate, 64 connections')
  await report(
    {
      'pgbench, 64 clients': (seconds) => runBare(postgres.ownerUrl, { accounts: accountCount, clients: 64, seconds }),
      'pgbench, 32 clients': (seconds) => runBare(postgres.ownerUrl, { accounts: accountCount, clients: 32, seconds }),
      'POST /transfers': creating(64),
    },
    { measured: 'POST /transfers', rounds, seconds },
  )
  console.log('\ncreate, one client')
  await report(
    {
      'pgbench, 1 client': (seconds) => runBare(postgres.ownerUrl, { accounts: accountCount, clients: 1, seconds }),
      'POST /transfers': creating(1),
    },
    { measured: 'POST /transfers', rounds, seconds },
  )

  const ids = await createSome(stage, venture.api_key, bodies, 4_000)
  console.log('\nget')
  await report(
    {
      'no database': async (seconds) => measured({ ...shared, connections: 64, seconds, method: 'GET', paths: ['/fixed'] }, '200'),
      'no database, same fields': async (seconds) =>
        measured({ ...shared, connections: 64, seconds, method: 'GET', paths: ['/fixed/transfer'] }, '200'),
      'GET /transfers/{id}': async (seconds) =>
        measured({ ...shared, connections: 64, seconds, method: 'GET', paths: ids.map((id) => `/api/v1/transfers/${id}`) }, '200'),
    },
    // Short and many, because the machine's own ups and downs are longer than a round.
    { measured: 'GET /transfers/{id}', rounds: 9, seconds: 2 },
  )
  console.log('\nmoves, each of 4,000 transfers once, 64 connections')
  for (const status of [
    'RESERVED',
    'READY_FOR_SCREENING',
    'AML_SCANNING',
    'AML_APPROVED',
    'READY_TO_CLEAR',
    'SENT_TO_CLEAR',
    'COMPLETED',
  ]) {
    const paths = ids.map((id) => `/api/v1/transfers/${id}`)
    const { perSecond, p50_ms, p99_ms } = await measured(
      { ...shared, connections: 64, seconds: 60, method: 'PUT', paths, once: true, bodies: [JSON.stringify({ status })] },
      '200',
    )
    console.log(
      `  ${status.padEnd(28)}${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50_ms.toFixed(1).padStart(6)} ms  p99 ${p99_ms.toFixed(1).padStart(6)} ms`,
    )
  }
})

async function measured(spec: LoadSpec, status: string): Promise<Figures> {
  const result = await load(spec)
  requireStatus(result, status)
  return result
}

async function createSome({ call }: Stage, key: string, bodies: readonly string[], count: number): Promise<string[]> {
  const ids: string[] = []
  for (let done = 0; done < count; done += 100) {
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const body = JSON.parse(bodies[(done + index) % bodies.length]?.replace('{n}', `some-${done + index}`) ?? '{}')
        return call(key, 'POST', '/api/v1/transfers', body)
      }),
    )
    ids.push(...made.map(({ id }) => id ?? ''))
  }
  return ids
}
