// Compares creates on a cluster of Citus (a coordinator and two workers) with creates on one PostgreSQL of the same version, in turns, on the cores of one
// machine: of one venture, of eight ventures on different shards, and of a thousand. Then it says how much CPU time of the coordinator a batch costs, which is
// what limits a cluster.
//   CITUS_PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config npm run bench:citus
//   CITUS_PG_CONFIG=… npm run bench:citus -- --pairs 12 --seconds 5 --many 100
import { join } from 'node:path'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { distribute } from '../server/src/platform/distribute/distribute.ts'
import { chooseAccount } from '../server/src/platform/embedded/embedded.account.ts'
import { freePort } from '../server/src/platform/embedded/embedded.postmaster.ts'
import { Cluster, findCitus } from '../server/src/testing/testing.cluster.ts'
import { makeDataFolder } from '../server/src/testing/testing.folders.ts'
import { servicePorts } from '../server/src/testing/testing.ports.ts'
import { ServiceProcess } from '../server/src/testing/testing.process.ts'
import { PostgresServer } from '../server/src/testing/testing.standby.ts'
import { makeKey } from '../server/src/ventures/ventures.keys.ts'
import { openBenchAccounts, orderOf } from './accounts.ts'
import { estimate, shown } from './against/against.statistics.ts'
import { median } from './figures.ts'
import { flagsOf } from './flags.ts'
import { type LoadResult, load, requireStatus } from './load/load.ts'
import { keepResult, machine } from './results.ts'
import { callsTo } from './setup.ts'
import { look, machineTime } from './usage.ts'

const values = flagsOf('CITUS_PG_CONFIG=/path/of/pg_config npm run bench:citus -- [--pairs N] [--seconds N] [--many N]', {
  pairs: { type: 'string', default: '10' },
  seconds: { type: 'string', default: '5' },
  many: { type: 'string', default: '1000' },
})
const sizes = { pairs: Number(values.pairs), seconds: Number(values.seconds), many: Number(values.many) }
const connections = 64

/** Durable, like real servers: acknowledged data is on disk. Both use the same settings. */
const server = ['fsync = on', 'shared_buffers = 256MB', 'max_wal_size = 1GB', 'log_min_messages = error']

type Side = 'plain' | 'citus'
const sides = ['plain', 'citus'] as const

type Scenario = { name: string; ventures: number }
const scenarios: readonly Scenario[] = [
  { name: 'one venture', ventures: 1 },
  { name: 'eight ventures on different shards', ventures: 8 },
  { name: `${sizes.many.toLocaleString('en')} ventures`, ventures: sizes.many },
]

/** How many orders the batches have whose cost is measured, and for how many cores of a coordinator it is converted. */
const batchSizes = [1, 4, 32]
const coordinatorCores = 16

type Measured = { perSecond: number; p99_ms: number; service_us: number; database_us: number[] }
type Venture = { id: string; api_key: string }
type Running = {
  port: number
  service: number
  /** The processes of its database servers, the coordinator first. */
  postmasters: number[]
  calls: ReturnType<typeof callsTo>
  analyse(): Promise<unknown>
  /** Something that is the same for ventures of one shard. */
  shardOf(venture_id: string): Promise<string>
}
type Load = Pick<Parameters<typeof load>[0], 'port' | 'keys' | 'bodies'>

const found = findCitus()
if ('missing' in found) {
  console.log(`Skipped. ${found.missing}`)
  process.exit(0)
}
const { binaries } = found
const stops = new AsyncDisposableStack()
try {
  const running = { plain: await openPlain(), citus: await openCluster() }
  const report: object[] = []
  for (const scenario of scenarios) {
    console.log(`\n${scenario.name}: opening accounts`)
    const loads = {} as Record<Side, Load>
    for (const side of sides) loads[side] = await prepare(running[side], scenario.ventures)
    for (const side of sides) {
      await create(loads[side], 4)
      // A server with default settings looks only once a minute whether tables have to be analysed, and is slow until then.
      await running[side].analyse()
    }
    const pairs: Record<Side, Measured>[] = []
    const start = await machineTime()
    for (let number = 0; number < sizes.pairs; number++) {
      const pair = {} as Record<Side, Measured>
      // There and back, so that a machine that gets slower or faster favours none.
      for (const side of number % 2 === 0 ? sides : sides.toReversed()) pair[side] = await measure(running[side], loads[side])
      pairs.push(pair)
      console.log(`pair ${number + 1} of ${sizes.pairs}: ${sides.map((side) => `${side} ${pair[side].perSecond.toFixed(0)}/s`).join(', ')}`)
    }
    const end = await machineTime()
    const stolen = (end.stolen - start.stolen) / (end.all - start.all)
    show(scenario, pairs, stolen)
    report.push({ ...scenario, stolen, pairs })
  }
  const costs = await costOfBatches(running.citus)
  await keepResult('citus.json', JSON.stringify({ machine, sizes, report, costs }, undefined, 2))
} finally {
  await stops.disposeAsync()
}

async function openPlain(): Promise<Running> {
  const port = await freePort({ from: 20_000, below: 30_000 })
  const settings = ['max_connections = 300', ...server]
  const postgres = new PostgresServer({
    port,
    binaries,
    account: chooseAccount(),
    folder: join(makeDataFolder('bench-plain'), 'server'),
    settings,
  })
  stops.defer(() => postgres.kill())
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase()
  const urls = { ownerUrl: postgres.url('owner'), serviceUrl: postgres.url('service') }
  await migrate(urls)
  return {
    ...(await startOn(urls)),
    postmasters: [postgres.pid],
    analyse: () => postgres.asOwner((client) => client.query('analyze')),
    shardOf: async (venture_id) => venture_id,
  }
}

async function openCluster(): Promise<Running> {
  const cluster = await Cluster.open({ binaries, shards: 32, more: server })
  stops.defer(() => cluster.close())
  const urls = { ownerUrl: cluster.coordinator.url('owner'), serviceUrl: cluster.coordinator.url('service') }
  await migrate(urls)
  await distribute(urls.ownerUrl)
  return {
    ...(await startOn(urls)),
    postmasters: cluster.servers.map(({ pid }) => pid),
    analyse: () => cluster.coordinator.asOwner((client) => client.query('analyze')),
    shardOf: (venture_id) =>
      cluster.coordinator.asOwner(async (client) => {
        const { rows } = await client.query(`select get_shard_id_for_distribution_column('transfers', $1::uuid)::text as shard`, [
          venture_id,
        ])
        return rows[0].shard
      }),
  }
}

async function startOn({ ownerUrl, serviceUrl }: { ownerUrl: string; serviceUrl: string }) {
  const port = await freePort(servicePorts)
  const adminKey = makeKey('admin')
  const service = new ServiceProcess({
    DATA_DIR: makeDataFolder('bench-service'),
    PORT: String(port),
    ADMIN_API_KEY: adminKey,
    SANDBOX: 'true',
    BUILD_CONSOLE: 'off',
    DATABASE_URL: serviceUrl,
    MIGRATION_DATABASE_URL: ownerUrl,
    REQUEST_LOG: 'off',
    LOG_LEVEL: 'warn',
  })
  stops.defer(async () => void (await service.stop('SIGTERM')))
  await service.ready()
  return { port, service: service.child.pid ?? 0, calls: callsTo(port, adminKey) }
}

/** Accounts of so many ventures, at least one for each connection. Up to eight ventures are all on different shards. */
async function prepare({ port, calls, shardOf }: Running, count: number): Promise<Load> {
  const ventures: Venture[] = []
  const shards = new Set<string>()
  while (ventures.length < count) {
    const venture = await calls.registerVenture()
    const shard = await shardOf(venture.id)
    if (count <= 8 && shards.has(shard)) continue
    shards.add(shard)
    ventures.push(venture)
  }
  const each = Math.ceil(connections / count)
  const orders: { key: string; body: string }[][] = []
  const waiting = [...ventures]
  const open = async () => {
    for (let venture = waiting.shift(); venture !== undefined; venture = waiting.shift()) {
      const { api_key: key } = venture
      orders.push((await openBenchAccounts(calls, venture, each)).map((account) => ({ key, body: orderOf(account) })))
    }
  }
  await Promise.all(Array.from({ length: 16 }, open))
  // One of each venture after the other.
  const inTurn = Array.from({ length: each }, (_, number) => orders.flatMap((of) => of[number] ?? [])).flat()
  return { port, keys: inTurn.map(({ key }) => key), bodies: inTurn.map(({ body }) => body) }
}

async function create(to: Load, seconds: number): Promise<LoadResult> {
  const result = await load({ ...to, method: 'POST', paths: ['/api/v1/transfers'], connections, seconds })
  requireStatus(result, '201')
  return result
}

async function measure({ service, postmasters }: Running, to: Load): Promise<Measured> {
  const looks = () => Promise.all(postmasters.map((postmaster) => look({ service, postmaster })))
  const before = await looks()
  const result = await create(to, sizes.seconds)
  const after = await looks()
  const each_us = (from = 0, to = 0) => ((to - from) / (result.statuses['201'] ?? 1)) * 1e6
  return {
    perSecond: result.perSecond,
    p99_ms: result.p99_ms,
    service_us: each_us(before[0]?.service_s, after[0]?.service_s),
    database_us: postmasters.map((_, number) => each_us(before[number]?.database_s, after[number]?.database_s)),
  }
}

function show({ name }: Scenario, pairs: readonly Record<Side, Measured>[], stolen: number): void {
  const ratio = estimate(pairs.map(({ plain, citus }) => citus.perSecond / plain.perSecond))
  console.log(
    `\n${machine}\n${name}: ${sizes.pairs} pairs of ${sizes.seconds} s, creates over ${connections} connections; stolen CPU time ${(stolen * 100).toFixed(1)} %`,
  )
  for (const side of sides) {
    const of = (part: (one: Measured) => number) => median(pairs.map((pair) => part(pair[side]))).toFixed(0)
    const databases = pairs[0]?.[side].database_us.map((_, number) => of(({ database_us }) => database_us[number] ?? 0)) ?? []
    console.log(
      `  ${side.padEnd(6)} ${of((one) => one.perSecond)}/s, p99 ${of((one) => one.p99_ms)} ms, CPU of the service ${of((one) => one.service_us)} µs, of the database ${databases.join(' + ')} µs each`,
    )
  }
  console.log(`  citus ÷ plain ${shown(ratio)}`)
}

type Cost = { orders: number; coordinator_ms: number; worker_ms: number; perSecond: number }

/**
 * The CPU time that a batch costs the coordinator. A bulk request is a batch of its own if there are no others. The servers' idle load
 * is measured before, and subtracted.
 */
async function costOfBatches({ port, service, postmasters, calls }: Running): Promise<Cost[]> {
  const venture = await calls.registerVenture()
  const accounts = await openBenchAccounts(calls, venture, Math.max(...batchSizes))
  const used = async <T>(act: () => Promise<T>) => {
    const looks = () => Promise.all(postmasters.map((postmaster) => look({ service, postmaster })))
    const [start, before] = [performance.now(), await looks()]
    const result = await act()
    const [after, seconds] = [await looks(), (performance.now() - start) / 1000]
    return { result, seconds, each_s: after.map(({ database_s }, number) => database_s - (before[number]?.database_s ?? 0)) }
  }
  const idle = await used(() => new Promise((resolve) => setTimeout(resolve, sizes.seconds * 1000)))
  const costs: Cost[] = []
  for (const orders of batchSizes) {
    const own = accounts.slice(0, orders).map((account, place) => orderOf(account).replace('{n}', `{n}-${place}`))
    const bodies = [`{"transfers":[${own.join()}]}`]
    const send = (seconds: number) =>
      load({ port, keys: [venture.api_key], bodies, method: 'POST', paths: ['/api/v1/transfers/bulk'], connections: 1, seconds })
    requireStatus(await send(2), '200')
    const { result, seconds, each_s } = await used(() => send(sizes.seconds * 2))
    requireStatus(result, '200')
    const spent_ms = each_s.map((spent_s, number) => (spent_s - ((idle.each_s[number] ?? 0) / idle.seconds) * seconds) * 1000)
    const [coordinator_ms = 0, ...workers_ms] = spent_ms.map((all_ms) => all_ms / (result.statuses['200'] ?? 1))
    const worker_ms = workers_ms.reduce((sum, each_ms) => sum + each_ms, 0)
    const perSecond = (coordinatorCores * 1000) / coordinator_ms
    costs.push({ orders, coordinator_ms, worker_ms, perSecond })
    console.log(
      `a batch of ${orders}: ${coordinator_ms.toFixed(2)} ms of the coordinator's CPU, ${worker_ms.toFixed(2)} ms of the workers'; a coordinator of ${coordinatorCores} cores plans ${perSecond.toFixed(0)} of them a second`,
    )
  }
  return costs
}
