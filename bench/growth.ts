// Does it stay as fast when it grows? The same questions with ten thousand, a million and five million transfers of one venture.
//   npm run bench:growth
//   npm run bench:growth -- --sizes 10000,100000
import { parseArgs } from 'node:util'
import { openBenchAccounts } from './accounts.ts'
import { type Figures, median } from './figures.ts'
import { drawProgress, fillTransfers } from './fill.ts'
import { type LoadSpec, load, requireStatus } from './load.ts'
import { onStage } from './stage.ts'

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '10000,1000000,5000000' }, rounds: { type: 'string', default: '5' } },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)

await onStage(async (stage) => {
  const venture = await stage.registerVenture()
  const accounts = await openBenchAccounts(stage, venture, 50)
  const keys = [venture.api_key]
  const bodies = accounts.map(({ account_id, beneficiary_id }) =>
    JSON.stringify({ account_id, beneficiary_id, unique_reference: 'bench-{n}', debit_amount: '1.00', purpose: 'Invoice' }),
  )
  const measured = async (spec: Omit<LoadSpec, 'port' | 'seconds' | 'keys'>, status: string): Promise<Figures> => {
    const runs: Figures[] = []
    for (let round = 0; round < rounds; round++) {
      const result = await load({ ...spec, keys, port: stage.port, seconds: 2 })
      requireStatus(result, status)
      runs.push(result)
    }
    const middle = (field: keyof Figures) => median(runs.map((figures) => figures[field]))
    return { perSecond: middle('perSecond'), p50_ms: middle('p50_ms'), p99_ms: middle('p99_ms') }
  }
  const list = (path: string) => measured({ connections: 1, method: 'GET', paths: [`/api/v1${path}`] }, '200')

  const table: Record<string, Figures[]> = {}
  const of = sizes.at(-1) ?? 0
  for (let index = 0; index < sizes.length; index++) {
    const to = sizes[index] ?? 0
    await fillTransfers(stage.postgres.ownerUrl, accounts, { from: sizes[index - 1] ?? 0, to, of }, drawProgress)
    const page = (await stage.call(venture.api_key, 'GET', '/api/v1/transfers?limit=100')) as unknown as { id: string }[]
    const [deep] = (await stage.call(venture.api_key, 'GET', '/api/v1/transfers?limit=1&date_to=2025-11-01')) as unknown as { id: string }[]
    const questions: Record<string, () => Promise<Figures>> = {
      'create, 64 connections': () => measured({ connections: 64, method: 'POST', paths: ['/api/v1/transfers'], bodies }, '201'),
      'get, 64 connections': () =>
        measured({ connections: 64, method: 'GET', paths: page.map(({ id }) => `/api/v1/transfers/${id}`) }, '200'),
      'list, page one': () => list('/transfers'),
      'list, deep page': () => list(`/transfers?after=${deep?.id}`),
      'list, rare status': () => list('/transfers?status=TO_RETURN'),
      'search, one': () => list('/transfers?search=invoice%207777'),
      'search, few': () => list('/transfers?search=c4ca4238a0b9'),
      'search, many': () => list('/transfers?search=invoice'),
      'search, none': () => list('/transfers?search=nothing-like-it'),
    }
    for (const [name, ask] of Object.entries(questions)) table[name] = [...(table[name] ?? []), await ask()]
  }
  console.log(`\n${''.padEnd(26)}${sizes.map((size) => size.toLocaleString('en').padStart(22)).join('')}   last against first`)
  for (const [name, figures] of Object.entries(table)) {
    const [first, last] = [figures[0] as Figures, figures.at(-1) as Figures]
    const cells = figures.map(({ perSecond, p50_ms }) => `${perSecond.toFixed(0)}/s ${p50_ms.toFixed(1)} ms`.padStart(22)).join('')
    const compared = name.startsWith('create')
      ? `${(last.perSecond / first.perSecond).toFixed(2)} × as fast`
      : `${(last.p50_ms / first.p50_ms).toFixed(2)} × the time`
    console.log(`${name.padEnd(26)}${cells}   ${compared}`)
  }
})
