// Measures what the request log costs: creates over 64 connections, with and without it, in turns. What a measurement has logged is written
// before it ends.
//   npm run bench:requests
//   npm run bench:requests -- --pairs 40 --seconds 10
import pg from 'pg'
import { shown } from './against/against.statistics.ts'
import { circumstances, compare, inTurns, measured, openCreates, type Pair, sizes, typical } from './pairs.ts'
import { keepResult, machine } from './results.ts'
import { withSetup } from './setup.ts'

/** The least of the throughput without the log that must remain with it. */
const bound = 0.95

await withSetup(async (setup) => {
  const { create, cpuOf } = await openCreates(setup, setup.stopRequestLog)
  const owner = new pg.Client(setup.postgres.ownerUrl)
  await owner.connect()
  const logged = async () => Number((await owner.query("select count(*) from requests where route = '/api/v1/transfers'")).rows[0].count)
  const before = await logged()
  const { pairs, stolen } = await inTurns<Pair>({
    without: async () => ({ without: measured(await cpuOf(create)) }),
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
  const costs = (side: keyof Pair) => typical(pairs.map((pair) => pair[side]))
  console.log(`
${circumstances(stolen)}
throughput with the log          ${shown(throughput)} of without
CPU time with the log            ${shown(cpu)} of without
CPU time of the service + database for each create: ${costs('without')} without, ${costs('with')} with
logged requests                  ${rows.toLocaleString('en')}, dropped ${dropped.toLocaleString('en')}`)
  await keepResult('requests.json', JSON.stringify({ machine, sizes, stolen, throughput, cpu, rows, dropped, pairs }, undefined, 2))
  // A log that drops what it should write would cost less.
  const isMet = throughput.high >= bound && rows > 0 && dropped === 0
  console.log(`at least ${bound} ×, and nothing dropped: ${isMet ? 'met' : 'failed'}`)
  if (!isMet) process.exitCode = 1
})
