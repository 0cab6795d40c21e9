// Creates over many connections, with and without a feature that costs time, in turns.
import pg from 'pg'
import { openBenchAccounts, orderOf } from './accounts.ts'
import { estimate } from './against/against.statistics.ts'
import { median } from './figures.ts'
import { flagsOf } from './flags.ts'
import { type LoadResult, load, requireStatus } from './load/load.ts'
import { machine } from './results.ts'
import type { Setup } from './setup.ts'
import { type CpuTimes, look, machineTime } from './usage.ts'

/** CPU times are per create. They are more precise than the throughput. */
export type Cost = { service_us: number; database_us: number }
export type Measured = Cost & { perSecond: number; p99_ms: number }
export type Pair = { without: Measured; with: Measured }

const values = flagsOf('-- [--pairs N] [--seconds N] [--connections N]', {
  pairs: { type: 'string', default: '20' },
  seconds: { type: 'string', default: '6' },
  connections: { type: 'string', default: '64' },
})

export const sizes = { pairs: Number(values.pairs), seconds: Number(values.seconds), connections: Number(values.connections) }

/** Opens the accounts and fills the tables, to skip the query plans of the first minute. `settle` finishes work left by the filling. */
export async function openCreates(setup: Setup, settle: () => Promise<unknown>) {
  const venture = await setup.registerVenture()
  const bodies = (await openBenchAccounts(setup, venture, 64)).map(orderOf)
  const createFor = async (seconds: number): Promise<LoadResult> => {
    const { port } = setup
    const to = { port, method: 'POST' as const, paths: ['/api/v1/transfers'], keys: [venture.api_key], bodies }
    const result = await load({ ...to, connections: sizes.connections, seconds })
    requireStatus(result, '201')
    return result
  }
  await createFor(10)
  await settle()
  const owner = new pg.Client(setup.postgres.ownerUrl)
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
  /** The CPU time of the service and its database during the run. */
  const cpuOf = async <Result>(act: () => Promise<Result>): Promise<{ result: Result; cpu: CpuTimes }> => {
    const before = await look(setup.watched)
    const result = await act()
    const after = await look(setup.watched)
    return { result, cpu: { service_s: after.service_s - before.service_s, database_s: after.database_s - before.database_s } }
  }
  return { create: () => createFor(sizes.seconds), cpuOf }
}

export function costOf({ service_s, database_s }: CpuTimes, { statuses }: LoadResult): Cost {
  const creates = statuses['201'] ?? 0
  return { service_us: (service_s / creates) * 1e6, database_us: (database_s / creates) * 1e6 }
}

export function measured({ result, cpu }: { result: LoadResult; cpu: CpuTimes }): Measured {
  const { perSecond, p99_ms } = result
  return { perSecond, p99_ms, ...costOf(cpu, result) }
}

type Sides<Both extends Pair> = { without(): Promise<Omit<Both, 'with'>>; with(): Promise<Pick<Both, 'with'>> }

/** ABBA: each side is first in every other pair, because a growing database gets slower. Also returns the share of stolen CPU time. */
export async function inTurns<Both extends Pair>(sides: Sides<Both>): Promise<{ pairs: Both[]; stolen: number }> {
  const pairs: Both[] = []
  const start = await machineTime()
  for (let number = 0; number < sizes.pairs; number++) {
    const turns = number % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)
    const pair = {} as Both
    for (const side of turns) Object.assign(pair, await sides[side]())
    pairs.push(pair)
    console.log(`pair ${number + 1}: ${lineOf(pair.without)} without, ${lineOf(pair.with)} with`)
  }
  const end = await machineTime()
  return { pairs, stolen: (end.stolen - start.stolen) / (end.all - start.all) }
}

/** With ÷ without. */
export function compare(pairs: readonly Pair[]) {
  return {
    throughput: estimate(pairs.map((pair) => pair.with.perSecond / pair.without.perSecond)),
    cpu: estimate(pairs.map((pair) => cpu_us(pair.with) / cpu_us(pair.without))),
  }
}

export function cpu_us({ service_us, database_us }: Cost): number {
  return service_us + database_us
}

/** The medians of the service and of the database. */
export function typical(costs: readonly Cost[]): string {
  const of = (part: keyof Cost) => median(costs.map((cost) => cost[part])).toFixed(0)
  return `${of('service_us')} + ${of('database_us')} µs`
}

/** The common columns of all tables. */
export function circumstances(stolen: number): string {
  return `${machine}
${sizes.pairs} pairs of ${sizes.seconds} s, creates over ${sizes.connections} connections; medians with 95 % intervals; stolen CPU time ${(stolen * 100).toFixed(1)} %`
}

function lineOf(one: Measured): string {
  return `${one.perSecond.toFixed(0)}/s (p99 ${one.p99_ms.toFixed(1)} ms, CPU ${cpu_us(one).toFixed(0)} µs)`
}
