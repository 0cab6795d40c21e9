// The benchmark: starts its own database and service, fills them, runs each scenario back to back with its baseline, and prints
// a table. Also writes JSON and a chart to bench/results.
//   npm run bench                         everything
//   npm run bench -- --quick              in less than two minutes
//   npm run bench -- --only get --only search     scenarios whose names start with these words
//   npm run bench -- --transfers 1000000 --rounds 5 --seconds 4
import { barOf, redraw } from '../server/src/platform/progress.ts'
import { chartOf } from './chart.ts'
import { median, type Result, type Scenario } from './figures.ts'
import { flagsOf } from './flags.ts'
import { keepResult, machine } from './results.ts'
import { prepare } from './scenarios.ts'
import { type Setup, withSetup } from './setup.ts'
import { watch } from './usage.ts'

const values = flagsOf(
  `npm run bench -- [--quick] [--only NAME]... [--transfers N] [--rounds N] [--seconds N]

  --quick        smaller, in less than two minutes
  --only NAME    only scenarios whose names start with NAME; may be repeated
  --transfers N  existing transfers
  --rounds N     per scenario and baseline
  --seconds N    per measurement`,
  {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    transfers: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
)
const { quick } = values
const transfers = Number(values.transfers ?? (quick ? 10_000 : 1_000_000))
const rounds = Number(values.rounds ?? (quick ? 1 : 5))
const seconds = Number(values.seconds ?? (quick ? 0.75 : 3))
const wanted = (name: string) => values.only.length === 0 || values.only.some((begin) => name.startsWith(begin) || begin.startsWith(name))

await withSetup(async (setup) => {
  const sizes = {
    accounts: quick ? 50 : 200,
    ventures: quick ? 100 : 1_000,
    transfers,
    moves: quick ? 1_000 : 4_000,
    rows: quick ? 10_000 : 100_000,
  }
  const { scenarios, close } = await prepare(setup, sizes, wanted)
  const results: Result[] = []
  for (const [index, scenario] of scenarios.entries()) {
    redraw(`${barOf({ done: index, of: scenarios.length })} ${scenario.name}`)
    results.push(await measure(setup, scenario))
  }
  process.stderr.write('\n')
  close()
  print(results)
  await keep(results)
})

async function measure(setup: Setup, scenario: Scenario): Promise<Result> {
  const { name, run, baselines = {}, compares = 'throughput', settle } = scenario
  const isOnce = name.startsWith('move') || scenario.once === true
  await settle?.()
  // Warm-up.
  if (!isOnce) for (const act of [...Object.values(baselines), run]) await act(Math.min(seconds, 1))
  const measured: Omit<Result, 'name' | 'ratios' | 'compares' | 'note' | 'rounds'>[] = []
  const ratios: Record<string, number[]> = {}
  for (let round = 0; round < (isOnce ? 1 : rounds); round++) {
    const bases: Record<string, { perSecond: number; p50_ms: number }> = {}
    for (const [base, act] of Object.entries(baselines)) bases[base] = await act(seconds)
    const { result, usage } = await watch(setup.watched, () => run(seconds))
    if (!isOnce) await settle?.()
    measured.push({ perSecond: result.perSecond, p50_ms: result.p50_ms, p99_ms: result.p99_ms, ...usage })
    for (const [base, { perSecond, p50_ms }] of Object.entries(bases)) {
      const ratio = compares === 'p50' ? result.p50_ms / p50_ms : result.perSecond / perSecond
      ratios[base] = [...(ratios[base] ?? []), ratio]
    }
  }
  const middle = (field: keyof (typeof measured)[number]) => median(measured.map((figures) => figures[field]))
  return {
    name,
    perSecond: middle('perSecond'),
    p50_ms: middle('p50_ms'),
    p99_ms: middle('p99_ms'),
    service_cpu: middle('service_cpu'),
    service_mb: middle('service_mb'),
    database_cpu: middle('database_cpu'),
    database_mb: middle('database_mb'),
    ratios: Object.fromEntries(Object.entries(ratios).map(([base, all]) => [base, median(all)])),
    compares,
    note: scenario.note?.() ?? '',
    rounds: measured.length,
  }
}

function print(results: readonly Result[]): void {
  console.log(`\n${machine}`)
  console.log(`${transfers.toLocaleString('en')} transfers before; medians of ${rounds} rounds of ${seconds} s; durable commits\n`)
  console.log(
    `${'scenario'.padEnd(30)}${'per s'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}  service    database    compared`,
  )
  for (const result of results) {
    const { name, perSecond, p50_ms, p99_ms, service_cpu, service_mb, database_cpu, database_mb } = result
    const use = `${service_cpu.toFixed(2)} ${`${service_mb.toFixed(0)}M`.padStart(5)}  ${database_cpu.toFixed(2)} ${`${database_mb.toFixed(0)}M`.padStart(6)}`
    const figures = perSecond.toFixed(0).padStart(9) + p50_ms.toFixed(1).padStart(9) + p99_ms.toFixed(1).padStart(9)
    console.log(`${name.padEnd(30)}${figures}  ${use}  ${comparison(result)}`)
  }
}

function comparison({ ratios, compares, note }: Result): string {
  const parts = Object.entries(ratios).map(([base, ratio]) => `${ratio.toFixed(2)} × ${compares === 'p50' ? 'the time of ' : ''}${base}`)
  return [...parts, ...(note === '' ? [] : [note])].join('; ')
}

async function keep(results: readonly Result[]): Promise<void> {
  const made = { at: new Date().toISOString(), machine, transfers, rounds, seconds, results }
  await keepResult('latest.json', `${JSON.stringify(made, null, 2)}\n`)
  await keepResult('latest.svg', chartOf(results, machine))
  console.log('\nkept in bench/results/latest.json and latest.svg')
}
