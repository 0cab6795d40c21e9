// Compares the speed of this checkout with another commit. Both versions run side by side, each as a service with its own database,
// and get load in turns, so that disturbances of the machine affect both.
//   npm run bench:against -- HEAD~1
//   npm run bench:against -- v0.1.0 --only create --pairs 40
//   npm run bench:against -- HEAD               the noise: the same version compared with itself
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { keepResult, machine } from '../results.ts'
import { look, machineTime } from '../usage.ts'
import { type Checkout, type Commit, findVersions, ourRoot, unpack } from './against.checkout.ts'
import { CannotCompare, type Options, readOptions, type ScenarioName, usage } from './against.options.ts'
import { type LoadRun, prepareScenarios } from './against.scenarios.ts'
import { type RunningService, startService } from './against.service.ts'
import {
  type Measurement,
  type Pair,
  resultOf,
  type ScenarioResult,
  type Side,
  tableOf,
  turnsOf,
  verdictLineOf,
} from './against.statistics.ts'

/** Warm-up pairs, which are discarded. */
const warmUpPairs = 2

type Version = { service: RunningService; scenarios: Record<ScenarioName, LoadRun> }
type Versions = Record<Side, Version>

/** Draws a bar in a terminal, otherwise prints a line at each new step. */
function say(what: string, progress?: { done: number; of: number }): void {
  if (process.stderr.isTTY) redraw(`${barOf(progress ?? { done: 0, of: 1 })} ${what}`)
  else if ((progress?.done ?? 0) === 0) process.stderr.write(`${what}\n`)
}

async function prepare(
  checkouts: Record<Side, Checkout>,
  options: Options,
  stops: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Versions> {
  say('starting both versions')
  const ours = await startService(checkouts.ours, stops, signal)
  const theirs = await startService(checkouts.theirs, stops, signal)
  const { transfers } = options
  let done = 0
  const filling = `creating ${transfers.toLocaleString('en')} transfers in each`
  const onCreated = (count: number) => {
    done += count
    say(filling, { done, of: 2 * transfers })
  }
  say(filling)
  const fill = async (service: RunningService): Promise<Version> => {
    const scenarios = await service.within('Preparing the load', prepareScenarios(service, { transfers, onCreated, signal }))
    return { service, scenarios }
  }
  // Concurrently, so that neither has been idle for longer than the other.
  const [filledOurs, filledTheirs] = await Promise.all([fill(ours), fill(theirs)])
  return { ours: filledOurs, theirs: filledTheirs }
}

/** After a load, a database analyses its tables for seconds. The wait is limited: beyond it, this work counts as a cost of the version. */
const longestRest_ms = 10_000
const restLook_ms = 250

/** Waits until a version uses less than a tenth of a core, so that its leftover work does not slow down the other. */
async function untilAtRest({ service: { watched } }: Version): Promise<void> {
  const end = performance.now() + longestRest_ms
  for (let before = await look(watched); performance.now() < end; ) {
    await sleep(restLook_ms)
    const after = await look(watched)
    const used_s = after.service_s - before.service_s + after.database_s - before.database_s
    if (used_s < 0.1 * ((after.at_ms - before.at_ms) / 1_000)) return
    before = after
  }
}

/** Puts load on one version while the other idles. */
async function measure({ service, scenarios }: Version, name: ScenarioName, seconds: number): Promise<Measurement> {
  const before = await look(service.watched)
  const { perSecond, statuses } = await scenarios[name](seconds)
  const after = await look(service.watched)
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return {
    requests,
    perSecond,
    service_s: after.service_s - before.service_s,
    database_s: after.database_s - before.database_s,
  }
}

async function compare(
  versions: Versions,
  name: ScenarioName,
  { pairs, seconds }: Options,
): Promise<{ pairs: Pair[]; result: ScenarioResult }> {
  const measured: Pair[] = []
  let start = await machineTime()
  for (let pair = -warmUpPairs; pair < pairs; pair++) {
    say(`${name}: ${pair < 0 ? 'warming up' : `pair ${pair + 1} of ${pairs}`}`, { done: pair + warmUpPairs, of: pairs + warmUpPairs })
    if (pair === 0) start = await machineTime()
    const taken: Partial<Pair> = {}
    for (const side of turnsOf(pair)) {
      await untilAtRest(versions[side === 'ours' ? 'theirs' : 'ours'])
      taken[side] = await measure(versions[side], name, seconds)
    }
    if (pair >= 0) measured.push(taken as Pair)
  }
  const end = await machineTime()
  const stolen = (end.stolen - start.stolen) / (end.all - start.all)
  return { pairs: measured, result: resultOf(name, measured, stolen) }
}

type Compared = Awaited<ReturnType<typeof compare>>

async function report(found: Record<Side, Commit>, options: Options, compared: readonly Compared[]): Promise<void> {
  const { pairs, seconds, transfers } = options
  console.log(`${machine}\nours    ${found.ours.title}\ntheirs  ${found.theirs.title}`)
  console.log(
    `${pairs} ${pairs === 1 ? 'pair' : 'pairs'} of ${seconds} s, ${transfers.toLocaleString('en')} transfers before, durable commits; medians, their intervals from order statistics\n`,
  )
  for (const { result } of compared) console.log(`${tableOf(result)}\n`)
  for (const { result } of compared) console.log(verdictLineOf(result))
  const results = compared.map(({ result, pairs }) => ({ ...result, pairs }))
  await keepResult('against.json', `${JSON.stringify({ at: new Date().toISOString(), machine, ...found, options, results }, null, 2)}\n`)
  console.log('\nkept in bench/results/against.json')
}

/** Returns true unless a scenario failed. */
async function run(options: Options, signal: AbortSignal): Promise<boolean> {
  if (process.platform !== 'linux') throw new CannotCompare('CPU times are read from /proc, which only Linux has.')
  const found = await findVersions(options.commit, signal)
  const stops = new AsyncDisposableStack()
  try {
    const theirRoot = makeDataFolder('against')
    stops.defer(() => rm(theirRoot, { recursive: true, force: true }))
    say(`unpacking ${found.theirs.title}`)
    await unpack(found.theirs.commit, theirRoot, say, signal)
    const checkouts = { ours: { ...found.ours, root: ourRoot }, theirs: { ...found.theirs, root: theirRoot } }
    const versions = await prepare(checkouts, options, stops, signal)
    const compared: Compared[] = []
    for (const name of options.only) compared.push(await compare(versions, name, options))
    if (process.stderr.isTTY) redraw('')
    await report(found, options, compared)
    return compared.every(({ result }) => result.verdict !== 'failed')
  } finally {
    await stops.disposeAsync()
  }
}

async function main(): Promise<number> {
  const interrupt = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!interrupt.signal.aborted) process.stderr.write('\nstopping what was started\n')
      interrupt.abort()
    })
  }
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === undefined) {
      console.log(usage)
      return 0
    }
    return (await run(options, interrupt.signal)) ? 0 : 1
  } catch (error) {
    if (interrupt.signal.aborted) return 130
    if (process.stderr.isTTY) process.stderr.write('\n')
    console.error(error instanceof CannotCompare ? error.message : error)
    return 2
  }
}

process.exit(await main())
