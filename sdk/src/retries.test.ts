// Retries through a proxy that fails in every way: nothing is created twice and nothing is lost.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBank } from '../../server/src/testing/testing.ts'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'
import { type Fault, FaultyProxy, faults } from './proxy.testing.ts'
import { isUnknown, mayRepeat, parseRetryAfter, wait_ms } from './retries.ts'
import { Vostro, VostroProblem, VostroUnreachable } from './sdk.ts'

const bank = await openBank()
const baseUrl = await bank.listen()
const { venture } = await bank.registerVenture()
const proxy = await FaultyProxy.open(baseUrl)
after(async () => {
  await proxy.settled()
  await proxy.refuse()
})
// The client's time limit is shorter than the proxy's. On a busy machine it may also expire for no other reason, one more failure to survive.
const vostro = new Vostro({ key: venture.api_key, baseUrl: proxy.url, timeout_ms: 1_000, maxRetries: 20 })

/** Without its own reference or email, so only the idempotency key prevents duplicates. */
const link = (description: string) => vostro.paymentLinks.create({ amount: '12.50', currency: 'EUR', description })

async function linksNamed(description: string): Promise<string[]> {
  const { rows } = await bank.owner.query('select id from payment_links where description = $1', [description])
  return rows.map(({ id }) => id)
}

for (const fault of faults) {
  test(`a create is repeated and carried out once: ${fault}`, async () => {
    proxy.asked.length = 0
    proxy.plan = [fault]
    const { id } = await link(`fault ${fault}`)
    await proxy.settled()
    assert.deepEqual(await linksNamed(`fault ${fault}`), [id])
    const keys = new Set(proxy.asked.map(({ headers }) => headers['idempotency-key']))
    assert.deepEqual([proxy.asked.length >= (fault === 'repeated' ? 1 : 2), keys.size], [true, 1], 'repeated, under one key')
  })
}

test('many creates at the same time, each failing in several ways: each is carried out once', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  t.diagnostic(`seed ${seed}`)
  const random = new SeededRandom(seed)
  proxy.plan = Array.from({ length: 40 }, (): Fault | 'pass' => (random.chance(0.6) ? random.pick(faults) : 'pass'))
  const names = Array.from({ length: 20 }, (_, number) => `many ${number}`)
  const made = await Promise.all(names.map(link))
  proxy.plan = []
  await proxy.settled()
  for (const [index, name] of names.entries()) assert.deepEqual(await linksNamed(name), [made[index]?.id], name)
})

test('two calls are two requests: each gets a key of its own, unless the caller names one', async () => {
  const [first, second] = [await link('twice'), await link('twice')]
  assert.notEqual(first.id, second.id)
  const options = { idempotencyKey: 'order-4711' }
  const order = { amount: '3.00', currency: 'EUR' }
  assert.deepEqual(await vostro.paymentLinks.create(order, options), await vostro.paymentLinks.create(order, options))
})

test('a POST that takes no key is repeated only if it was certainly not carried out', async () => {
  const { id } = await vostro.webhookEndpoints.create({ url: 'http://127.0.0.1:9/' })
  for (const fault of ['unsent', 'unanswered', 'cut', 502, 503, 504] as const) {
    proxy.asked.length = 0
    proxy.plan = [fault]
    // A key that the service ignores does not make a retry safe.
    const error = await vostro.webhookEndpoints.rotateSecret(id, { idempotencyKey: 'some' }).catch((thrown) => thrown)
    assert.ok(error instanceof VostroUnreachable, String(fault))
    assert.equal(proxy.asked.length, 1, String(fault))
  }
  for (const fault of [408, 429] as const) {
    proxy.plan = [fault, fault]
    assert.match((await vostro.webhookEndpoints.rotateSecret(id)).secret, /^whsec_/)
  }
})

test('a refusal after an attempt without an answer says that the attempt may have done it', async () => {
  const { id } = await vostro.webhookEndpoints.create({ url: 'http://127.0.0.1:9/' })
  proxy.plan = ['unanswered']
  const gone = await vostro.webhookEndpoints.delete(id).catch((error) => error)
  assert.ok(gone instanceof VostroProblem)
  assert.deepEqual([gone.code, gone.uncertain], ['endpoint_not_found', true])
})

test('a call gives up after as many attempts as it may make, and says under which key it can be sent again', async () => {
  proxy.asked.length = 0
  proxy.plan = ['unanswered', 'unsent', 502]
  const lost = await vostro.paymentLinks
    .create({ amount: '1.00', currency: 'EUR', description: 'lost' }, { maxRetries: 2 })
    .catch((error) => error)
  assert.ok(lost instanceof VostroUnreachable)
  assert.deepEqual([proxy.asked.length, lost.status], [3, 502])
  const found = await vostro.paymentLinks.create(
    { amount: '1.00', currency: 'EUR', description: 'lost' },
    { idempotencyKey: String(lost.idempotencyKey) },
  )
  assert.deepEqual(await linksNamed('lost'), [found.id])
})

test('reads and changes are repeated, too', async () => {
  const { id } = await link('read')
  proxy.plan = ['unsent', 'cut', 504]
  assert.equal((await vostro.paymentLinks.get(id)).id, id)
  proxy.plan = ['unanswered', 503]
  assert.equal((await vostro.paymentLinks.update(id, { active: false })).active, false)
})

test('which failures are followed by another attempt', () => {
  const unavailable = { status: 503, code: 'unavailable', retryAfter_s: 1 }
  const unknown = [{}, { status: 502 }, { status: 503 }, { status: 504 }, { status: 503, code: 'outcome_unknown' }]
  const notNow = [{ status: 408 }, { status: 429, retryAfter_s: 60 }, unavailable, { status: 409, code: 'idempotency_key_in_use' }]
  const final = [
    { status: 400, code: 'invalid_request' },
    { status: 409, code: 'idempotency_secret_shown' },
    { status: 500, code: 'internal_error' },
    { status: 500 },
    { status: 501 },
    { status: 505 },
    { status: 503, code: 'gateway_missing' },
    { status: 429, code: 'too_many_sign_ins', retryAfter_s: 900 },
  ]
  for (const failure of unknown)
    assert.deepEqual([mayRepeat(failure, true), mayRepeat(failure, false), isUnknown(failure)], [true, false, true])
  for (const failure of notNow)
    assert.deepEqual([mayRepeat(failure, true), mayRepeat(failure, false), isUnknown(failure)], [true, true, false])
  for (const failure of final) assert.deepEqual([mayRepeat(failure, true), mayRepeat(failure, false)], [false, false])
})

test('attempts wait longer each time, at random, and never less than the service says', () => {
  for (const [attempt, longest] of [500, 1_000, 2_000, 4_000, 8_000, 8_000].entries()) {
    const waits = Array.from({ length: 50 }, () => wait_ms(attempt))
    assert.ok(
      waits.every((wait) => wait >= longest / 2 && wait <= longest),
      `attempt ${attempt}`,
    )
    assert.ok(new Set(waits).size > 1)
    assert.ok(wait_ms(attempt, { retryAfter_s: 7 }) >= 7_000)
  }
})

test('Retry-After is a number of seconds or a date', () => {
  assert.deepEqual([null, '', 'soon'].map(parseRetryAfter), [undefined, undefined, undefined])
  assert.deepEqual(['0', '17', new Date(0).toUTCString()].map(parseRetryAfter), [0, 17, 0])
  const hour = parseRetryAfter(new Date(Date.now() + 3_600_000).toUTCString()) ?? 0
  assert.ok(hour > 3_000 && hour <= 3_600)
})
