// Compares one, two and four instances on one machine, in turns: creates over 64 connections, each configuration with its own database.
//   npm run bench:instances
//   npm run bench:instances -- --rounds 20 --seconds 6 --accounts 64
import { fileURLToPath } from 'node:url'
import { openBenchAccounts, orderOf } from './accounts.ts'
import { startService } from './against/against.service.ts'
import { estimate, shown } from './against/against.statistics.ts'
import { median } from './figures.ts'
import { flagsOf } from './flags.ts'
import { type LoadResult, load, requireStatus } from './load/load.ts'
import { keepResult, machine } from './results.ts'
import { look, machineTime } from './usage.ts'

const values = flagsOf('npm run bench:instances -- [--rounds N] [--seconds N] [--accounts N]', {
  rounds: { type: 'string', default: '12' },
  seconds: { type: 'string', default: '4' },
  // With only as many accounts as connections, instances would mostly wait for each other's accounts.
  accounts: { type: 'string', default: '640' },
})
const [rounds, seconds, accounts] = [Number(values.rounds), Number(values.seconds), Number(values.accounts)]

/** The minimum share of one instance's throughput on two cores, where more processes only cost. */
const bounds = new Map([
  [2, 0.9],
  [4, 0.7],
])
const counts = [1, ...bounds.keys()]

type Measured = { perSecond: number; p99_ms: number; service_us: number; database_us: number }

const root = fileURLToPath(new URL('..', import.meta.url))
const { signal } = new AbortController()
const stops = new AsyncDisposableStack()
try {
  const services = new Map<number, () => Promise<Measured>>()
  for (const count of counts) services.set(count, await open(count))
  const results = new Map<number, Measured[]>(counts.map((count) => [count, []]))
  const start = await machineTime()
  for (let round = 0; round < rounds; round++) {
    // Alternating order, so that a drifting machine favours none.
    for (const count of round % 2 === 0 ? counts : counts.toReversed()) {
      const measured = await services.get(count)?.()
      if (measured !== undefined) results.get(count)?.push(measured)
    }
    const line = counts.map((count) => `${count}: ${results.get(count)?.at(-1)?.perSecond.toFixed(0)}/s`)
    console.log(`round ${round + 1} of ${rounds}: ${line.join(', ')}`)
  }
  const end = await machineTime()
  const stolen = (end.stolen - start.stolen) / (end.all - start.all)
  report(results, stolen)
  await keepResult('instances.json', JSON.stringify({ machine, rounds, seconds, accounts, stolen, results: [...results] }, undefined, 2))
} finally {
  await stops.disposeAsync()
}

async function open(count: number): Promise<() => Promise<Measured>> {
  const settings = { INSTANCES: String(count), BUILD_CONSOLE: 'off' }
  const service = await startService({ root, title: `${count} instances` }, stops, signal, settings)
  const venture = await service.registerVenture()
  const bodies = (await openBenchAccounts(service, venture, accounts)).map(orderOf)
  const create = async (for_s: number): Promise<LoadResult> => {
    const to = { port: service.port, method: 'POST' as const, paths: ['/api/v1/transfers'], keys: [venture.api_key], bodies }
    const result = await load({ ...to, connections: 64, seconds: for_s })
    requireStatus(result, '201')
    return result
  }
  await create(4)
  return async () => {
    const before = await look(service.watched)
    const result = await create(seconds)
    const after = await look(service.watched)
    const each_us = (from: number, to: number) => ((to - from) / (result.statuses['201'] ?? 1)) * 1e6
    return {
      perSecond: result.perSecond,
      p99_ms: result.p99_ms,
      service_us: each_us(before.service_s, after.service_s),
      database_us: each_us(before.database_s, after.database_s),
    }
  }
}

function report(results: ReadonlyMap<number, readonly Measured[]>, stolen: number): void {
  const one = results.get(1) ?? []
  const of = (all: readonly Measured[], part: keyof Measured) => median(all.map((each) => each[part])).toFixed(0)
  console.log(
    `\n${machine}\n${rounds} rounds of ${seconds} s, creates over 64 connections from ${accounts.toLocaleString('en')} accounts; medians with 95 % intervals; stolen CPU time ${(stolen * 100).toFixed(1)} %`,
  )
  for (const [count, all] of results) {
    const ratio = estimate(all.map(({ perSecond }, round) => perSecond / (one[round]?.perSecond ?? 1)))
    const bound = bounds.get(count)
    const verdict = bound === undefined ? '' : `; at least ${bound} ×: ${ratio.median >= bound ? 'met' : 'failed'}`
    const cost = `CPU of the service + database ${of(all, 'service_us')} + ${of(all, 'database_us')} µs each`
    console.log(`${count} instances: ${of(all, 'perSecond')}/s, p99 ${of(all, 'p99_ms')} ms, ${cost}, ${shown(ratio)} of one${verdict}`)
    if (bound !== undefined && ratio.median < bound) process.exitCode = 1
  }
}
