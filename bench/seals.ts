// Measures what sealing costs: creates over 64 connections, with and without sealing, in turns. Everything that a round writes is sealed, in the
// round itself or, for a round without sealing, after it.
//   npm run bench:seals
//   npm run bench:seals -- --rounds 9 --seconds 20
import { parseArgs } from 'node:util'
import { openBenchAccounts, orderOf } from './accounts.ts'
import { median } from './figures.ts'
import { type LoadResult, load, requireStatus } from './load/load.ts'
import { keepResult, machine } from './results.ts'
import { withSetup } from './setup.ts'
import { look } from './usage.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '64' },
  },
})
const sizes = { rounds: Number(values.rounds), seconds: Number(values.seconds), connections: Number(values.connections) }

/** Of the throughput without sealing. */
const bound = 0.97

/** `cpu_us`: the CPU time of the service and its database for each create. It is known more exactly than the throughput. */
type Measured = LoadResult & { cpu_us: number }
/** `sealing_us`: the CPU time of sealing alone, for each create of the round without it. */
type Round = { without: Measured & { sealing_us: number }; with: Measured }

await withSetup(async (setup) => {
  const venture = await setup.registerVenture()
  const bodies = (await openBenchAccounts(setup, venture, 64)).map(orderOf)
  const measureFor = async (seconds: number): Promise<LoadResult> => {
    const { port } = setup
    const spec = {
      port,
      connections: sizes.connections,
      seconds,
      method: 'POST' as const,
      paths: ['/api/v1/transfers'],
      keys: [venture.api_key],
      bodies,
    }
    const result = await load(spec)
    requireStatus(result, '201')
    return result
  }
  const measure = () => measureFor(sizes.seconds)
  const createsOf = ({ statuses }: LoadResult) => statuses['201'] ?? 0
  /** The CPU time that the service and its database use meanwhile. */
  const cpuOf = async <Result>(act: () => Promise<Result>): Promise<{ result: Result; cpu_s: number }> => {
    const before = await look(setup.watched)
    const result = await act()
    const after = await look(setup.watched)
    return { result, cpu_s: after.service_s - before.service_s + after.database_s - before.database_s }
  }
  const costOf = async (act: () => Promise<LoadResult>): Promise<Measured> => {
    const { result, cpu_s } = await cpuOf(act)
    return { ...result, cpu_us: (cpu_s / createsOf(result)) * 1e6 }
  }
  const measured = {
    without: async () => {
      const result = await costOf(measure)
      const { cpu_s } = await cpuOf(setup.stopSealing)
      return { ...result, sealing_us: (cpu_s / createsOf(result)) * 1e6 }
    },
    with: () =>
      costOf(async () => {
        await setup.startSealing()
        const result = await measure()
        await setup.stopSealing()
        return result
      }),
  }
  await measureFor(3)
  await setup.stopSealing()
  const rounds: Round[] = []
  for (let number = 0; number < sizes.rounds; number++) {
    const round = {} as Round
    // Each side is first in every other round, because a growing database is slower.
    const sides = number % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)
    for (const side of sides) Object.assign(round, { [side]: await measured[side]() })
    rounds.push(round)
    console.log(`round ${number + 1}: ${lineOf(round.without)} without, ${lineOf(round.with)} with, ${ratioOf(round).toFixed(3)} ×`)
  }
  const ratio = median(rounds.map(ratioOf))
  console.log(
    `\n${machine}\ncreates over ${sizes.connections} connections: with sealing ${ratio.toFixed(3)} × of without (bound: ${bound})`,
  )
  const cpu = median(rounds.map((round) => round.with.cpu_us / round.without.cpu_us))
  const alone = median(rounds.map((round) => round.without.sealing_us / round.without.cpu_us))
  console.log(`CPU time for each create: ${cpu.toFixed(3)} × of without; that of sealing alone is ${(alone * 100).toFixed(1)} % of it`)
  await keepResult('seals.json', JSON.stringify({ machine, sizes, ratio, cpu, alone, rounds }, undefined, 2))
  if (ratio < bound) process.exitCode = 1
})

function ratioOf(round: Round): number {
  return round.with.perSecond / round.without.perSecond
}

function lineOf({ perSecond, p99_ms, cpu_us }: Measured): string {
  return `${perSecond.toFixed(0)}/s (p99 ${p99_ms.toFixed(1)} ms, CPU ${cpu_us.toFixed(0)} µs)`
}
