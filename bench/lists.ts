// How fast are lists of transfers when there are a million of them: the first page, a page far behind it, each filter and a search?
//   npm run bench:lists -- --rows 1000000 --only search
import { parseArgs } from 'node:util'
import { openBenchAccounts } from './accounts.ts'
import { drawProgress, fillTransfers } from './fill.ts'
import { load, requireStatus } from './load.ts'
import { onStage } from './stage.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
})

await onStage(async (stage) => {
  const venture = await stage.registerVenture()
  const accounts = await openBenchAccounts(stage, venture, 20)
  await fillTransfers(stage.postgres.ownerUrl, accounts, Number(values.rows), drawProgress)
  const list = (query: string) => stage.call(venture.api_key, 'GET', `/api/v1/transfers?${query}`) as unknown as Promise<{ id: string }[]>
  const [deep] = await list('limit=1&date_to=2025-11-20')
  const [first] = accounts
  const queries: Record<string, string> = {
    'page one': '/transfers',
    'after a deep id': `/transfers?after=${deep?.id}`,
    'offset 1,000': '/transfers?offset=1000',
    account: `/transfers?account_id=${first?.account_id}`,
    'account list': `/accounts/${first?.account_id}/transfers`,
    'account list, rare status': `/accounts/${first?.account_id}/transfers?status=TO_RETURN`,
    beneficiary: `/transfers?beneficiary_id=${first?.beneficiary_id}`,
    direction: '/transfers?direction=INBOUND',
    'status, common': '/transfers?status=COMPLETED',
    'status, rare': '/transfers?status=TO_RETURN',
    'type, common': '/transfers?transfer_type=PAYMENT',
    'type, rare': '/transfers?transfer_type=PAYMENT_RETURN',
    'type, none': '/transfers?transfer_type=CARD_AUTH',
    method: '/transfers?method=DOMESTIC',
    'method, none': '/transfers?method=SDD',
    'currency, common': '/transfers?currency=EUR',
    'currency, rare': '/transfers?currency=CHF',
    'currency, none': '/transfers?currency=JPY',
    'dates, recent': '/transfers?date_from=2026-10-01',
    'dates, long ago': '/transfers?date_from=2025-11-10&date_to=2025-11-11',
    'dates and rare status': '/transfers?date_from=2026-01-01&date_to=2026-03-01&status=TO_RETURN',
    'search, one': '/transfers?search=invoice%20777777',
    'search, few': '/transfers?search=c4ca4238a0b9',
    'search, many': '/transfers?search=invoice',
    'search, none': '/transfers?search=nothing-like-it',
    'search, two letters': '/transfers?search=zz',
  }
  console.log(`${'list'.padEnd(28)}      p50        p99`)
  for (const [name, path] of Object.entries(queries).filter(([name]) => name.includes(values.only))) {
    const spec = { port: stage.port, connections: 1, seconds: Number(values.seconds), method: 'GET' as const, keys: [venture.api_key] }
    const result = await load({ ...spec, paths: [`/api/v1${path}`] })
    requireStatus(result, '200')
    console.log(`${name.padEnd(28)}${result.p50_ms.toFixed(1).padStart(7)} ms ${result.p99_ms.toFixed(1).padStart(7)} ms`)
  }
})
