// Measures what sealing costs: creates over 64 connections, with and without sealing, in turns. Everything that a measurement writes is sealed, in
// the measurement itself or, for one without sealing, after it.
//   npm run bench:seals
//   npm run bench:seals -- --pairs 40 --seconds 10
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openBenchAccounts, orderOf } from './accounts.ts'
import { estimate, shown } from './against/against.statistics.ts'
import { median } from './figures.ts'
import { type LoadResult, load, requireStatus } from './load/load.ts'
import { keepResult, machine } from './results.ts'
import { withSetup } from './setup.ts'
import { type CpuTimes, look, machineTime } from './usage.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '64' },
  },
})
const sizes = { pairs: Number(values.pairs), seconds: Number(values.seconds), connections: Number(values.connections) }

/** The most that sealing may cost: of the throughput without it, and of the CPU time of a create. */
const bound = 0.03

/** CPU times are those of each create. They are known more exactly than the throughput. */
type Measured = { perSecond: number; p99_ms: number; service_us: number; database_us: number }
/** `sealing`: sealing alone, after the measurement without it. */
type Pair = { without: Measured; with: Measured; sealing: Pick<Measured, 'service_us' | 'database_us'> }

await withSetup(async (setup) => {
  const venture = await setup.registerVenture()
  const bodies = (await openBenchAccounts(setup, venture, 64)).map(orderOf)
  const createFor = async (seconds: number): Promise<LoadResult> => {
    const { port } = setup
    const to = { port, method: 'POST' as const, paths: ['/api/v1/transfers'], keys: [venture.api_key], bodies }
    const result = await load({ ...to, connections: sizes.connections, seconds })
    requireStatus(result, '201')
    return result
  }
  const create = () => createFor(sizes.seconds)
  /** The CPU time that the service and its database use meanwhile. */
  const cpuOf = async <Result>(act: () => Promise<Result>): Promise<{ result: Result; cpu: CpuTimes }> => {
    const before = await look(setup.watched)
    const result = await act()
    const after = await look(setup.watched)
    return { result, cpu: { service_s: after.service_s - before.service_s, database_s: after.database_s - before.database_s } }
  }
  const costOf = ({ service_s, database_s }: CpuTimes, { statuses }: LoadResult) => {
    const creates = statuses['201'] ?? 0
    return { service_us: (service_s / creates) * 1e6, database_us: (database_s / creates) * 1e6 }
  }
  const measured = ({ result, cpu }: { result: LoadResult; cpu: CpuTimes }): Measured => {
    const { perSecond, p99_ms } = result
    return { perSecond, p99_ms, ...costOf(cpu, result) }
  }
  const sides = {
    without: async () => {
      const creates = await cpuOf(create)
      // What the database still has to do for the creates, such as writing pages and vacuuming, is not sealing: it gets time before, and what it
      // does in the same time afterwards is subtracted.
      await sleep(2_000)
      const start_ms = performance.now()
      const { cpu } = await cpuOf(setup.stopSealing)
      const { cpu: idle } = await cpuOf(() => sleep(performance.now() - start_ms))
      const own = { service_s: Math.max(0, cpu.service_s - idle.service_s), database_s: Math.max(0, cpu.database_s - idle.database_s) }
      return { without: measured(creates), sealing: costOf(own, creates.result) }
    },
    with: async () => {
      const sealed = async () => {
        await setup.startSealing()
        const result = await create()
        await setup.stopSealing()
        return result
      }
      return { with: measured(await cpuOf(sealed)) }
    },
  }
  // Fills the tables, so that the plans of the first minute do not count.
  await createFor(10)
  await setup.stopSealing()
  const owner = new pg.Client(setup.postgres.ownerUrl)
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
  const pairs: Pair[] = []
  const start = await machineTime()
  for (let number = 0; number < sizes.pairs; number++) {
    // ABBA: each side is first in every other pair, because a growing database is slower.
    const turns = number % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)
    const pair = {} as Pair
    for (const side of turns) Object.assign(pair, await sides[side]())
    pairs.push(pair)
    console.log(`pair ${number + 1}: ${lineOf(pair.without)} without, ${lineOf(pair.with)} with`)
  }
  const end = await machineTime()
  const stolen = (end.stolen - start.stolen) / (end.all - start.all)
  const throughput = estimate(pairs.map((pair) => pair.with.perSecond / pair.without.perSecond))
  const cpu = estimate(pairs.map((pair) => cpu_us(pair.with) / cpu_us(pair.without)))
  const alone = estimate(pairs.map((pair) => cpu_us(pair.sealing) / cpu_us(pair.without)))
  const typical = (part: (pair: Pair) => Pick<Measured, 'service_us' | 'database_us'>) =>
    `${median(pairs.map((pair) => part(pair).service_us)).toFixed(0)} + ${median(pairs.map((pair) => part(pair).database_us)).toFixed(0)} µs`
  console.log(`
${machine}
${sizes.pairs} pairs of ${sizes.seconds} s, creates over ${sizes.connections} connections; medians with 95 % intervals; stolen CPU time ${(stolen * 100).toFixed(1)} %
throughput with sealing          ${shown(throughput)} of without
CPU time with sealing            ${shown(cpu)} of without
CPU time of sealing alone        ${shown(alone)} of a create
CPU time of the service + database for each create: ${typical((pair) => pair.without)} without, ${typical((pair) => pair.with)} with, ${typical((pair) => pair.sealing)} for sealing alone`)
  await keepResult('seals.json', JSON.stringify({ machine, sizes, stolen, throughput, cpu, alone, pairs }, undefined, 2))
  const isMet = throughput.high >= 1 - bound && alone.median <= bound
  console.log(`at most ${bound * 100} %: ${isMet ? 'met' : 'failed'}`)
  if (!isMet) process.exitCode = 1
})

function cpu_us({ service_us, database_us }: Pick<Measured, 'service_us' | 'database_us'>): number {
  return service_us + database_us
}

function lineOf(measured: Measured): string {
  return `${measured.perSecond.toFixed(0)}/s (p99 ${measured.p99_ms.toFixed(1)} ms, CPU ${cpu_us(measured).toFixed(0)} µs)`
}
