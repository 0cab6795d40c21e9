// Measures the cost of the request log: creates over 64 connections with and without it, in turns, and the log alone. Each measurement
// includes writing what it logged.
//   npm run bench:requests
//   npm run bench:requests -- --pairs 40 --seconds 10
import pg from 'pg'
import { estimate, shown } from './against/against.statistics.ts'
import { type Cost, circumstances, compare, cpu_us, inTurns, measured, openCreates, type Pair, sizes, typical } from './pairs.ts'
import { keepResult, machine } from './results.ts'
import { withSetup } from './setup.ts'

/** The minimum share of the throughput that must remain with the log, and the maximum share of a create's CPU time for the log alone. */
const bound = 0.95

/** Enough requests that the resolution of CPU time does not matter. */
const rowsAlone = 20_000

/** `logging`: the log alone, after the measurement without it. */
type LoggedPair = Pair & { logging: Cost }

await withSetup(async (setup) => {
  const { create, cpuOf } = await openCreates(setup, setup.stopRequestLog)
  const owner = new pg.Client(setup.postgres.ownerUrl)
  await owner.connect()
  const logged = async () => Number((await owner.query("select count(*) from requests where route = '/api/v1/transfers'")).rows[0].count)
  const before = await logged()
  const { pairs, stolen } = await inTurns<LoggedPair>({
    without: async () => {
      const without = measured(await cpuOf(create))
      const { cpu } = await cpuOf(() => setup.logRequests({ kind: 'logging', rows: rowsAlone }))
      return { without, logging: { service_us: (cpu.service_s / rowsAlone) * 1e6, database_us: (cpu.database_s / rowsAlone) * 1e6 } }
    },
    with: async () => {
      await setup.startRequestLog()
      const written = async () => {
        const result = await create()
        await setup.stopRequestLog()
        return result
      }
      return { with: measured(await cpuOf(written)) }
    },
  })
  const dropped = await setup.stopRequestLog()
  const rows = (await logged()) - before
  await owner.end()
  const { throughput, cpu } = compare(pairs)
  const alone = estimate(pairs.map((pair) => cpu_us(pair.logging) / cpu_us(pair.without)))
  const costs = (side: keyof LoggedPair) => typical(pairs.map((pair) => pair[side]))
  console.log(`
${circumstances(stolen)}
throughput with the log          ${shown(throughput)} of without
CPU time with the log            ${shown(cpu)} of without
CPU time of the log alone        ${shown(alone)} of a create
CPU time of the service + database for each create: ${costs('without')} without, ${costs('with')} with, ${costs('logging')} for the log alone
logged requests                  ${rows.toLocaleString('en')}, dropped ${dropped.toLocaleString('en')}`)
  await keepResult('requests.json', JSON.stringify({ machine, sizes, stolen, throughput, cpu, alone, rows, dropped, pairs }, undefined, 2))
  // A log that drops rows would cost less.
  const isMet = throughput.high >= bound && alone.median <= 1 - bound && rows > 0 && dropped === 0
  console.log(`at least ${bound} ×, and nothing dropped: ${isMet ? 'met' : 'failed'}`)
  if (!isMet) process.exitCode = 1
})
