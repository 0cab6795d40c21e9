// Measures the cost of sealing: creates over 64 connections with and without it, in turns. Everything written is sealed, during the
// measurement or, without sealing, after it.
//   npm run bench:seals
//   npm run bench:seals -- --pairs 40 --seconds 10
import { setTimeout as sleep } from 'node:timers/promises'
import { estimate, shown } from './against/against.statistics.ts'
import { type Cost, circumstances, compare, costOf, cpu_us, inTurns, measured, openCreates, type Pair, sizes, typical } from './pairs.ts'
import { keepResult, machine } from './results.ts'
import { withSetup } from './setup.ts'

/** The maximum cost of sealing, as a share of the throughput and of a create's CPU time. */
const bound = 0.03

/** `sealing`: sealing alone, after the measurement without it. */
type SealedPair = Pair & { sealing: Cost }

await withSetup(async (setup) => {
  const { create, cpuOf } = await openCreates(setup, setup.stopSealing)
  const { pairs, stolen } = await inTurns<SealedPair>({
    without: async () => {
      const creates = await cpuOf(create)
      // Background work of the database for the creates, such as writing pages and vacuuming, is not sealing. It gets time beforehand, and
      // its CPU use during an equal time afterwards is subtracted.
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
  })
  const { throughput, cpu } = compare(pairs)
  const alone = estimate(pairs.map((pair) => cpu_us(pair.sealing) / cpu_us(pair.without)))
  const costs = (part: keyof SealedPair) => typical(pairs.map((pair) => pair[part]))
  console.log(`
${circumstances(stolen)}
throughput with sealing          ${shown(throughput)} of without
CPU time with sealing            ${shown(cpu)} of without
CPU time of sealing alone        ${shown(alone)} of a create
CPU time of the service + database for each create: ${costs('without')} without, ${costs('with')} with, ${costs('sealing')} for sealing alone`)
  await keepResult('seals.json', JSON.stringify({ machine, sizes, stolen, throughput, cpu, alone, pairs }, undefined, 2))
  const isMet = throughput.high >= 1 - bound && alone.median <= bound
  console.log(`at most ${bound * 100} %: ${isMet ? 'met' : 'failed'}`)
  if (!isMet) process.exitCode = 1
})
