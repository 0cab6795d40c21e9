import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { openBank } from '../../server/src/testing/testing.ts'
import { Canaries, Contract } from './fuzz.checks.ts'
import { harvest } from './fuzz.harvest.ts'
import { troublesIn } from './fuzz.log.ts'
import { type Attack, sendAny, sendCorpus, sendOneByOne, sendRefused, upTo } from './fuzz.phases.ts'
import { openPlace } from './fuzz.place.ts'
import { Random } from './fuzz.random.ts'
import { Run } from './fuzz.run.ts'
import { changedIn, Storage } from './fuzz.storage.ts'
import { Wire } from './fuzz.wire.ts'
import { buildWorld, putToRest } from './fuzz.world.ts'
import { Composer } from './requests/fuzz.compose.ts'
import { curlOf } from './requests/fuzz.request.ts'
import { Fuzzer } from './requests/fuzz.requests.ts'
import { targetsOf } from './requests/fuzz.targets.ts'

const word = 'kanari7f3a9c'

const bank = await openBank({ requestLog: true }, { files: 'simulated bank' })
const place = await openPlace(bank)
const { url, keys } = place
const neighbour = await buildWorld(place, { word, seed: 1 })
await putToRest(place, neighbour)
const own = await buildWorld(place, { word: 'sperling', seed: 2 })
const storage = new Storage(bank.owner)
await storage.open()
/** The request log is written some time after the requests, including refused ones, and a verification long after its start. */
const except = ['requests', 'verification_runs']
const neighbourBefore = await storage.print({ of: neighbour.venture.id, except })
const checks = { contract: new Contract(), canaries: new Canaries([word, ...(await storage.marksOf(neighbour.venture.id))]) }
const wire = new Wire(url, { patience_ms: 60_000 })
after(() => wire.close())
const targets = targetsOf(bank.app.routeTable)

/** No worker runs here, so every other row that is written was written by a request. */
function attackWith(seed: number): Attack {
  const random = new Random(seed)
  const run = new Run({ wire, checks, onAccepted: (request, answer) => harvest(own, request, answer, random) })
  return { run, storage, fuzzer: new Fuzzer(targets, new Composer(own, neighbour, keys), seed), lanes: 16, except, repeats: 1 }
}

async function assertNothingFound({ run }: Attack): Promise<void> {
  const printed = run.findings
    .slice(0, 20)
    .map(({ kind, request, what }) => `${kind}: ${request.target.id}, ${request.why}: ${what}\n    ${curlOf(request)}`)
  assert.equal(run.found, 0, `${run.found} findings\n${printed.join('\n')}`)
  const touched = changedIn(neighbourBefore, await storage.print({ of: neighbour.venture.id, except }))
  assert.deepEqual(touched, [], "the neighbour's rows are as they were")
  await place.turn()
  assert.deepEqual(troublesIn(bank.logLines), [], 'trouble in the background')
}

function assertEveryRouteWasAsked({ run }: Attack): void {
  assert.deepEqual(
    targets.filter(({ id }) => !run.routes.has(id)).map(({ id }) => id),
    [],
  )
}

test('every attack of the table on every route and every field is refused, for its own reason, and stores nothing', async () => {
  const attack = attackWith(1)
  await sendCorpus(attack, targets)
  await assertNothingFound(attack)
  assertEveryRouteWasAsked(attack)
  assert.ok(attack.run.requests > 5_000, `only ${attack.run.requests} attacks`)
})

/**
 * There are no approvals to be found with a key alone, nothing is screened without a loaded list, files are not generated, and a service in use is
 * not filled with the demo bank. Below /pay there is nothing else; requests get a 404.
 */
const neverTaken = [
  'GET /api/v1/operator/approvals/:approval_id',
  'POST /api/v1/operator/approvals/:approval_id/approve',
  'POST /api/v1/operator/approvals/:approval_id/reject',
  'POST /api/v1/operator/watchlists/:watchlist_id/versions',
  'GET /api/v1/ventures/:venture_id/screenings/:screening_id',
  'GET /api/v1/operator/verifications/:verification_id',
  'POST /api/v1/sandbox/demo',
  'GET /api/v1/sandbox/demo',
  'GET /pay/*',
]

test('valid requests of the generator pass the schemas: every route accepts at least one', async () => {
  const attack = attackWith(2)
  const never: string[] = []
  // Deletions come last, so that the other routes find their resources.
  for (const target of targets.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))) {
    let number = 0
    const isTaken = () => (attack.run.routes.get(target.id)?.accepted ?? 0) > 0
    while (!isTaken() && number < 100) await attack.run.send(attack.fuzzer.valid(target, number++))
    if (!isTaken()) never.push(target.id)
  }
  // Whether card money can be paid out depends on the policies that the requests have set.
  assert.deepEqual(never.filter((id) => id !== 'POST /api/v1/payouts').toSorted(), neverTaken.toSorted())
  await assertNothingFound(attack)
})

for (const seed of [20_261_115, randomInt(2 ** 31)]) {
  test(`whatever is requested (seed ${seed}), the service stays up, keeps its contract and its secrets and, when it refuses, stores nothing`, async () => {
    const attack = attackWith(seed)
    await sendRefused(attack, upTo(0, 500), 250)
    await sendOneByOne(attack, upTo(500, 600))
    await sendAny(attack, upTo(600, 2_500))
    // By chance, a few routes may have been left out.
    for (const target of targets) if (!attack.run.routes.has(target.id)) await attack.run.send(attack.fuzzer.valid(target, 2_500))
    await assertNothingFound(attack)
    assertEveryRouteWasAsked(attack)
  })
}
