// Attacks the service with requests generated from its schemas, and reports findings. Starts its own database and service.
//   npm run fuzz                                       100,000 requests, after the corpus
//   npm run fuzz -- --requests 1000000 --seed 7        about ten minutes on two cores; the same requests again with the same seed
//   npm run fuzz -- --only "POST /api/v1/transfers"    routes that start with this
import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Canaries, Contract } from './fuzz.checks.ts'
import { harvest } from './fuzz.harvest.ts'
import { type Attack, sendAny, sendCorpus, sendOneByOne, sendRefused, upTo } from './fuzz.phases.ts'
import { Random } from './fuzz.random.ts'
import { printFindings, printTable, showProgress } from './fuzz.report.ts'
import { Run } from './fuzz.run.ts'
import { openService, type Service } from './fuzz.service.ts'
import { changedIn, Storage } from './fuzz.storage.ts'
import { Wire } from './fuzz.wire.ts'
import { buildWorld, putToRest } from './fuzz.world.ts'
import { Composer } from './requests/fuzz.compose.ts'
import { Fuzzer } from './requests/fuzz.requests.ts'
import { targetsOf } from './requests/fuzz.targets.ts'

const usage = `npm run fuzz -- [--requests N] [--seed N] [--only ROUTE-PREFIX] [--help]

  --requests N   requests after the corpus (default 100000)
  --seed N       repeats the requests of an earlier run, as far as ids allow (default: random)
  --only PREFIX  only routes that start with PREFIX, such as "POST /api/v1/transfers" or "GET"
  --help         this text

Exits with 1 if anything was found: a 5xx, no answer within ten seconds, an answer that openapi.json does not describe, something of another
venture's, a smuggled header, a wrong request that was taken or refused for another reason, anything stored by a refusal, or trouble in the
background. What takes over a second is shown.`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

/** The background work of the service: jobs, deliveries, when waiting transfers are looked at again, verifications, and the request log. */
const background = ['jobs', 'webhook_progress', 'webhook_deliveries', 'processing_delays', 'verification_runs', 'requests']
const lanes = 48
/** Some work is never finished, because the attack has made that impossible. */
const mostTurns = 200
/** After this many requests another venture takes over, so that lists stay short. */
const ventureLife = 8_000

if (values.help) {
  console.log(usage)
} else {
  const [requests, seed] = [wholeNumber('requests', values.requests), wholeNumber('seed', values.seed)]
  const service = await openService()
  // An interrupted run prints its findings so far and leaves no process behind.
  const enough = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => enough.abort())
  try {
    process.exitCode = (await fuzz(service, { requests, seed, only: values.only, enough: enough.signal })) === 0 ? 0 : 1
  } finally {
    await service.stop()
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) {
    console.error(`--${name} takes a whole number, not "${text}".\n\n${usage}`)
    process.exit(2)
  }
  return Number(text)
}

async function fuzz(
  { bank, owner, routes, logOf, troubles }: Service,
  { requests, seed, only, enough }: { requests: number; seed: number; only: string; enough: AbortSignal },
): Promise<number> {
  const targets = targetsOf(routes).filter(({ id }) => id.startsWith(only))
  if (targets.length === 0) throw new Error(`no route begins with "${only}"`)
  const word = `kanari${randomBytes(6).toString('hex')}`
  const neighbour = await buildWorld(bank, { word, seed })
  await putToRest(bank, neighbour)
  const storage = new Storage(owner)
  await storage.open()
  const random = new Random(seed)
  // Names that are unique in the whole bank must differ from the neighbour's.
  const own = await buildWorld(bank, { word: 'sperling', seed: seed + 1 })
  const fuzzer = new Fuzzer(targets, new Composer(own, neighbour, bank.keys), seed)
  const wire = new Wire(bank.url, { patience_ms: 10_000 })
  const checks = { contract: new Contract(), canaries: new Canaries([word, ...(await storage.marksOf(neighbour.venture.id))]) }
  const run = new Run({ wire, checks, onAccepted: (request, answer) => harvest(fuzzer.composer.world, request, answer, random) })
  const rest = async () => {
    for (let turn = 0; turn < mostTurns && (await storage.hasDueWork()); turn++) await bank.turn()
  }
  const attack: Attack = { run, storage, fuzzer, lanes, enough, except: background, repeats: 3, rest }
  const before = await storage.print({ of: neighbour.venture.id, except: background })

  console.log(`${targets.length} routes, seed ${seed}: the corpus, then ${requests.toLocaleString('en')} requests`)
  await rest()
  await sendCorpus(attack, targets)
  const hide = showProgress(run, requests)
  const [refused, alone] = [Math.floor(requests * 0.6), Math.min(Math.floor(requests * 0.02), 2_000)]
  await sendRefused(attack, upTo(0, refused), 2_000)
  await sendOneByOne(attack, upTo(refused, refused + alone))
  for (let first = refused + alone; first < requests && !enough.aborted; first += ventureLife) {
    const [next] = await Promise.all([
      buildWorld(bank, { word: 'sperling', seed: first }),
      sendAny(attack, upTo(first, Math.min(first + ventureLife, requests))),
    ])
    fuzzer.composer = new Composer(next, neighbour, bank.keys)
  }
  hide()
  wire.close()

  printTable(run)
  printFindings(run, seed, logOf)
  const touched = changedIn(before, await storage.print({ of: neighbour.venture.id, except: background }))
  if (touched.length > 0) console.log(`\nrows of the neighbour's have changed in ${touched.join(', ')}`)
  for (const trouble of troubles()) console.log(`\nin the background, ${trouble}`)
  const found = run.found + touched.length + troubles().length
  const sent = `${run.requests.toLocaleString('en')} requests${enough.aborted ? ', ended before their time' : ''}`
  console.log(found === 0 ? `\n${sent}: nothing found` : `\n${sent}: ${found} findings with seed ${seed}`)
  return found
}
