// Measures whether searches of one venture hurt another: 40 concurrent worst-case lists over a million transfers of one account,
// during gets and creates of another venture.
//   npm run bench:tenants
//   npm run bench:tenants -- --transfers 100000 --rounds 3
import { parseArgs } from 'node:util'
import { median } from '../figures.ts'
import type { LoadResult } from '../load/load.ts'
import { keepResult, machine } from '../results.ts'
import { withSetup } from '../setup.ts'
import { measureTenants, type Round, statusesOf } from './tenants.measure.ts'

const { values } = parseArgs({
  options: {
    transfers: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '40' },
    connections: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '5' },
  },
})
const sizes = {
  transfers: Number(values.transfers),
  searches: Number(values.searches),
  connections: Number(values.connections),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
}

type Requests = 'gets' | 'creates'

await withSetup(async (setup) => {
  const { alone, beside } = await measureTenants(setup, sizes)
  console.log(`\n${machine}\n${sizes.transfers.toLocaleString('en')} transfers, ${sizes.searches} concurrent searches of another venture\n`)
  console.log(`${''.padEnd(10)}${['alone', 'beside'].map((side) => side.padStart(26)).join('')}   p99        503s`)
  const summary = (['gets', 'creates'] as const).map((requests) => compare(requests, alone, beside))
  const searches = beside.map((round) => round.searches)
  console.log(`\nThe searches: ${lineOf(searches.flatMap((one) => one ?? []))}, ${JSON.stringify(statusesOf(searches))}`)
  await keepResult('tenants.json', JSON.stringify({ machine, sizes, alone, beside }, undefined, 2))
  if (summary.some(({ unavailable, ratio }) => unavailable > 0 || ratio > 3)) process.exitCode = 1
})

/** Prints a line. The ratio is the median of the rounds' ratios, so that a disturbance affects both sides. */
function compare(requests: Requests, alone: readonly Round[], beside: readonly Round[]): { ratio: number; unavailable: number } {
  const [before, after] = [alone, beside].map((rounds) => rounds.map((round) => round[requests])) as [LoadResult[], LoadResult[]]
  const ratio = median(after.map(({ p99_ms }, round) => p99_ms / (before[round]?.p99_ms ?? Number.NaN)))
  const unavailable = statusesOf(after)['503'] ?? 0
  console.log(
    `${requests.padEnd(10)}${lineOf(before).padStart(26)}${lineOf(after).padStart(26)}   ${ratio.toFixed(2).padStart(5)} ×  ${unavailable}`,
  )
  const others = Object.keys(statusesOf([...before, ...after])).filter((status) => !['200', '201', '503'].includes(status))
  if (others.length > 0) throw new Error(`unexpected statuses of ${requests}: ${others.join(', ')}`)
  return { ratio, unavailable }
}

function lineOf(results: readonly LoadResult[]): string {
  const middle = (field: 'perSecond' | 'p50_ms' | 'p99_ms') => median(results.map((result) => result[field]))
  return `${middle('perSecond').toFixed(0)}/s ${middle('p50_ms').toFixed(1)} ms ${middle('p99_ms').toFixed(1)} ms`
}
