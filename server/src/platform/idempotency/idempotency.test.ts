import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { payWith } from '../../payments/payments.testing.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { someOnboarding, somePerson } from '../../testing/testing.people.ts'
import { findTestServer, urlOf } from '../../testing/testing.server.ts'
import { openBanker, openMember, type PersonCaller } from '../../testing/testing.sessions.ts'
import { type Answer, Caller, openBank, VentureCaller } from '../../testing/testing.ts'
import { lockRow, untilBlocked } from '../../testing/testing.waits.ts'
import { refuse } from '../../values/refusals.ts'
import { onOneServer, onSeveralServers } from '../database/database.placement.ts'
import { Database, type Tx } from '../database/database.ts'
import { pruneIdempotencyKeys, tryLocksOf } from './idempotency.sql.ts'
import { bankId, hashOf, idempotencyKeys } from './idempotency.ts'

const bank = await openBank()
const url = await bank.listen()
const secondApp = await bank.openInstance()

const venture = await bank.registerVenture()
const there = new VentureCaller(secondApp, venture.venture)
const account = await venture.openAccount({ balance: '1000.00' })
const beneficiary = await venture.addBeneficiary(account.client_id)

/** Sends a POST with a key. */
function once(caller: Caller, key: string, path: string, body?: object): Promise<Answer> {
  const headers = { 'idempotency-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return caller.send({ method: 'POST', url: `/api/v1${path}`, headers, ...(body === undefined ? {} : { payload: JSON.stringify(body) }) })
}

const order = (changes: object = {}) => ({
  account_id: account.id,
  beneficiary_id: beneficiary.id,
  unique_reference: randomUUID(),
  debit_amount: '1.00',
  ...changes,
})
const payee = (changes: object = {}) => ({
  client_id: account.client_id,
  name: 'Charles Babbage',
  beneficiary_type: 'PERSON',
  iban: 'DE89370400440532013000',
  ...changes,
})
const shop = { success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }

const isReplayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

const tables = [
  'ventures',
  'clients',
  'onboarding_details',
  'beneficiaries',
  'accounts',
  'transfers',
  'payments',
  'payment_refunds',
  'payment_links',
]

async function counts(): Promise<number[]> {
  return Promise.all([...tables, 'webhook_endpoints', 'events'].map((table) => bank.count(table)))
}

async function keysOf(key: string): Promise<{ operation: string; status: number | null; body: string | null; resource_id: string }[]> {
  return (await bank.owner.query('select operation, status, body, resource_id from idempotency_keys where key = $1', [key])).rows
}

/** As if the service had died right after the effect was committed. */
async function forgetAnswer(key: string): Promise<void> {
  await bank.owner.query('update idempotency_keys set status = null, location = null, body = null where key = $1', [key])
}

function assertSame(first: Answer, again: Answer): void {
  assert.ok(first.status < 300, first.text)
  assert.ok(!isReplayed(first) && isReplayed(again), again.text)
  const shown = ({ status, text, headers }: Answer) => [status, text, headers['location'], headers['content-type']]
  assert.deepEqual(shown(again), shown(first))
}

test('a repeated request gets the first answer again and has no second effect', async () => {
  const client_id = (await venture.registerClient()).id
  const requests: [path: string, body: object][] = [
    ['/clients/person', somePerson()],
    [`/clients/${client_id}/onboarding/details`, someOnboarding],
    ['/beneficiaries', payee()],
    ['/accounts', { client_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' }],
    ['/transfers', order()],
    ['/payments', { amount: '5.00', currency: 'EUR', ...shop }],
    ['/payment-links', { amount: '5.00', currency: 'EUR' }],
    [`/sandbox/accounts/${account.id}/deposits`, { amount: '1.00' }],
  ]
  for (const [path, body] of requests) {
    const key = randomUUID()
    const first = await once(venture, key, path, body)
    const before = await counts()
    assertSame(first, await once(venture, key, path, body))
    assertSame(first, await once(there, key, path, body))
    assert.deepEqual(await counts(), before, path)
    assert.deepEqual(await keysOf(key).then((rows) => rows.map(({ resource_id }) => resource_id)), [first.body.id])
  }
})

test('the answer is the first one, whatever has become of the resource since', async () => {
  const [key, body] = [randomUUID(), order()]
  const first = await once(venture, key, '/transfers', body)
  await venture.put(`/transfers/${first.body.id}`, { status: 'CANCELLED' })
  const again = await once(venture, key, '/transfers', body)
  assertSame(first, again)
  assert.equal(again.body.status, 'CREATED')
})

test('an answer that a failover could still take back is not given again', async (t) => {
  const [key, body] = [randomUUID(), order()]
  const first = await once(venture, key, '/transfers', body)
  t.mock.method(bank.database, 'confirm', async () => refuse('outcome_unknown', { retry_after_s: 5 }))
  const unsafe = await once(venture, key, '/transfers', body)
  assert.deepEqual([unsafe.status, unsafe.problem?.code], [503, 'outcome_unknown'])
  t.mock.restoreAll()
  assert.deepEqual((await once(venture, key, '/transfers', body)).body, first.body)
})

test('another request with the same key is refused, and fields in another order are the same request', async () => {
  const [key, body] = [randomUUID(), order()]
  const first = await once(venture, key, '/transfers', body)
  const before = await counts()
  for (const other of [order(), { ...body, debit_amount: '2.00' }, { ...body, purpose: 'Rent' }]) {
    const { status, problem } = await once(venture, key, '/transfers', other)
    assert.deepEqual([status, problem?.code], [422, 'idempotency_key_reused'])
  }
  assert.deepEqual(await counts(), before)
  assertSame(first, await once(venture, key, '/transfers', Object.fromEntries(Object.entries(body).reverse())))
})

test('the path is a part of the request', async () => {
  const [one, other] = [await venture.openAccount(), await venture.openAccount()]
  const key = randomUUID()
  assert.equal((await once(venture, key, `/sandbox/accounts/${one.id}/deposits`, { amount: '1.00' })).status, 201)
  const { problem } = await once(venture, key, `/sandbox/accounts/${other.id}/deposits`, { amount: '1.00' })
  assert.equal(problem?.code, 'idempotency_key_reused')
  assert.ok(isReplayed(await once(venture, key, `/sandbox/accounts/${one.id.toUpperCase()}/deposits`, { amount: '1.00' })))
})

test('a refusal is not kept: the same request may succeed later', async () => {
  const pending = (
    await venture.post('/accounts', { client_id: account.client_id, account_name: 'New', account_type: 'CURRENT', currency: 'EUR' })
  ).body
  await bank.owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [account.client_id])
  const [key, body] = [
    randomUUID(),
    { account_id: pending.id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '1.00' },
  ]
  assert.equal((await once(venture, key, '/transfers', body)).problem?.code, 'account_not_active')
  assert.deepEqual(await keysOf(key), [])
  assert.equal((await venture.post(`/accounts/${pending.id}/activate`)).status, 200)
  const first = await once(venture, key, '/transfers', body)
  assertSame(first, await once(venture, key, '/transfers', body))
  const person = { ...somePerson(), email: (await venture.registerClient()).email }
  assert.equal((await once(venture, key, '/clients/person', person)).problem?.code, 'email_used')
  assert.equal((await once(venture, key, '/clients/person', { ...person, email: 'another.one@example.com' })).status, 201)
})

test('a key means something else to another venture and to another operation', async () => {
  const key = randomUUID()
  const other = await bank.registerVenture()
  const link = { amount: '5.00', currency: 'EUR' }
  const [mine, theirs] = [await once(venture, key, '/payment-links', link), await once(other, key, '/payment-links', link)]
  assert.notEqual(mine.body.id, theirs.body.id)
  assert.ok(!isReplayed(theirs))
  assert.equal((await once(other, key, '/payment-links', { ...link, amount: '6.00' })).problem.code, 'idempotency_key_reused')
  assert.equal((await once(venture, key, '/beneficiaries', payee())).status, 201)
  assertSame(mine, await once(venture, key, '/payment-links', link))
  assertSame(theirs, await once(other, key, '/payment-links', link))
})

test('people have keys of their own: nobody is shown the answer to somebody else, nor a venture the answer to the bank', async () => {
  const { id: venture_id } = venture.venture
  const [alice, bob] = [await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]
  const [ann, ben] = [await openMember(bank, venture_id, 'admin'), await openMember(bank, venture_id, 'admin')]
  const adminKey = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id })
  const [key, link] = [randomUUID(), { amount: '5.00', currency: 'EUR' }]
  const callers = [venture, adminKey, alice.actingFor(venture_id), bob.actingFor(venture_id), ann, ben]
  const answers = []
  for (const caller of callers) answers.push(await once(caller, key, '/payment-links', link))
  assert.deepEqual(
    answers.map((answer) => [answer.status, isReplayed(answer)]),
    callers.map(() => [201, false]),
  )
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, callers.length)
  for (const [index, caller] of callers.entries()) assertSame(answers[index] as Answer, await once(caller, key, '/payment-links', link))
  // The other keys of the venture have the same owner.
  const { body: second } = await venture.post('/venture/keys', { name: 'Second', scopes: ['payments'] })
  assertSame(answers[0] as Answer, await once(new Caller(bank.app, { 'x-api-key': second.api_key }), key, '/payment-links', link))
})

test('a venture that repeats a reserved order of the bank is refused, and a colleague gets the approval that waits', async () => {
  const managed = await ManagedVenture.open(bank)
  const held = await managed.openAccount()
  const [alice, bob] = [await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]
  const withFourEyes = await bank.openInstance({ fourEyes: true })
  const acting = (person: PersonCaller) => new Caller(withFourEyes, person.actingFor(managed.venture.id).headers)
  const [key, arriving] = [
    randomUUID(),
    { account_id: held.id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '5.00' },
  ]
  const asked = await once(acting(alice), key, '/transfers', arriving)
  assert.deepEqual([asked.status, asked.body.maker_id], [202, alice.id], asked.text)
  const repeated = await once(managed, key, '/transfers', arriving)
  assert.deepEqual([repeated.status, repeated.problem?.code], [403, 'reserved_to_bank'], repeated.text)
  const other = await once(acting(bob), key, '/transfers', arriving)
  assert.deepEqual([other.status, other.body, isReplayed(other)], [202, asked.body, false], other.text)
  assertSame(asked, await once(acting(alice), key, '/transfers', arriving))
})

test('a key survives the rotation of the API key, and the old API key gets no answer', async () => {
  const former = await bank.registerVenture()
  const [key, link] = [randomUUID(), { amount: '5.00', currency: 'EUR' }]
  const first = await once(former, key, '/payment-links', link)
  const rotated = new VentureCaller(bank.app, (await former.post('/venture/rotate-key')).body)
  assertSame(first, await once(rotated, key, '/payment-links', link))
  assert.equal((await once(former, key, '/payment-links', link)).status, 401)
  await bank.admin.put(`/ventures/${former.venture.id}`, { status: 'DISABLED' })
  assert.equal((await once(rotated, key, '/payment-links', link)).status, 401)
  for (const stranger of [bank.stranger, bank.admin]) assert.ok((await once(stranger, key, '/payment-links', link)).status >= 401)
})

test('a secret is never kept: a repetition names what was created', async () => {
  const key = randomUUID()
  const registered = await once(bank.admin, key, '/ventures', { name: 'Once' })
  const endpoint = await once(venture, key, '/webhook-endpoints', { url: 'https://example.com/hooks' })
  const before = await counts()
  const again = await once(bank.admin, key, '/ventures', { name: 'Once' })
  assert.deepEqual([again.status, again.problem.code, again.problem.resource_id], [409, 'idempotency_secret_shown', registered.body.id])
  const endpointAgain = await once(venture, key, '/webhook-endpoints', { url: 'https://example.com/hooks' })
  assert.deepEqual([endpointAgain.problem.code, endpointAgain.problem.resource_id], ['idempotency_secret_shown', endpoint.body.id])
  assert.equal((await once(bank.admin, key, '/ventures', { name: 'Twice' })).problem.code, 'idempotency_key_reused')
  assert.deepEqual(await counts(), before)
  const { rows } = await bank.owner.query(
    'select venture_id, row_to_json(idempotency_keys)::text as text from idempotency_keys where key = $1',
    [key],
  )
  assert.deepEqual(rows.map(({ venture_id }) => venture_id).sort(), [bankId, venture.venture.id].sort())
  for (const { text } of rows) {
    for (const secret of [registered.body.api_key, endpoint.body.secret]) assert.ok(!text.includes(secret), text)
  }
})

/** Runs `work` while another transaction holds the locks of these rows. */
async function whileLocked(locks: readonly [table: string, id: string][], work: () => Promise<void>): Promise<void> {
  await bank.owner.query('begin')
  try {
    for (const [table, id] of locks) await lockRow(bank.owner, table, id, 'update')
    await work()
  } finally {
    await bank.owner.query('rollback')
  }
}

test('while the first request runs, a second one is refused at once, on the same instance and on another', async () => {
  const requests: [path: string, body: object, second: Caller[]][] = [
    ['/beneficiaries', payee(), [venture, there]],
    // A batch that waits for an account blocks the next batch of its instance, so only the other instance can answer.
    ['/transfers', order(), [there]],
  ]
  for (const [path, body, seconds] of requests) {
    const key = randomUUID()
    let first: Promise<Answer> | undefined
    await whileLocked(
      [
        ['accounts', account.id],
        ['clients', account.client_id],
      ],
      async () => {
        first = once(venture, key, path, body)
        await untilBlocked(bank.owner)
        for (const second of seconds) {
          const { status, problem, headers } = await once(second, key, path, body)
          assert.deepEqual([status, problem?.code, headers['retry-after']], [409, 'idempotency_key_in_use', '1'], path)
        }
      },
    )
    assertSame((await first) ?? assert.fail(), await once(there, key, path, body))
  }
})

test('a request does not wait for the key, and neither do its neighbours in the batch', async () => {
  const [key, body] = [randomUUID(), order()]
  // Takes the lock that a running request would hold, without a row.
  const other = new Database({ url: urlOf(findTestServer().serviceUrl, bank.owner.database ?? '') })
  await other.findPlacement()
  const { id } = venture.venture
  const attempt = { venture_id: id, owner_id: id, operation: 'createTransfer', key, request_hash: '', answerOf: () => undefined }
  const answers = await other.transaction(async (tx) => {
    assert.deepEqual(await idempotencyKeys.acquire(tx, [attempt], true), ['granted'])
    return Promise.all([
      once(venture, key, '/transfers', body),
      venture.post('/transfers', order()),
      once(venture, randomUUID(), '/transfers', order()),
    ])
  })
  await other.close()
  assert.deepEqual(
    answers.map(({ status, problem }) => problem?.code ?? status),
    ['idempotency_key_in_use', 201, 201],
  )
  assert.equal((await once(venture, key, '/transfers', body)).status, 201)
})

test('fifty requests with one key over two instances have one effect; the others get its answer or are told to wait', async () => {
  const requests: [path: string, body: object, table: string][] = [
    ['/transfers', order(), 'transfers'],
    ['/clients/person', somePerson(), 'clients'],
    ['/beneficiaries', payee(), 'beneficiaries'],
    ['/payments', { amount: '5.00', currency: 'EUR', ...shop }, 'payments'],
    ['/webhook-endpoints', { url: 'https://example.com/hooks' }, 'webhook_endpoints'],
  ]
  for (const [path, body, table] of requests) {
    const key = randomUUID()
    const before = await bank.count(table)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => once(n % 2 === 0 ? venture : there, key, path, body)))
    assert.equal(await bank.count(table), before + 1, path)
    const firsts = answers.filter((answer) => answer.status === 201 && !isReplayed(answer))
    assert.equal(firsts.length, 1, path)
    const id = firsts[0]?.body.id
    for (const answer of answers) {
      if (answer.status === 201) assert.equal(answer.body.id, id)
      else {
        assert.equal(answer.status, 409, answer.text)
        if (answer.problem.code === 'idempotency_secret_shown') assert.equal(answer.problem.resource_id, id)
        else assert.equal(answer.problem.code, 'idempotency_key_in_use')
      }
    }
  }
})

test('on several servers the lock of a key is one of the worker that has its row, which may commit after the coordinator', async () => {
  const locks = [
    { venture_id: 'b', number: '1' },
    { venture_id: 'a', number: '2' },
  ]
  const sentBy = async (placement: typeof onOneServer) => {
    const sent: { text: string; values: unknown[] }[] = []
    const rows = async (query: { text: string; values: unknown[] }) => {
      sent.push(query)
      return []
    }
    await tryLocksOf({ placement, rows } as unknown as Tx, locks)
    return sent.map(({ text, values }) => [text.includes('from idempotency_keys where venture_id = $2'), values])
  }
  assert.deepEqual(await sentBy(onOneServer), [[false, ['{1,2}']]])
  assert.deepEqual(await sentBy(onSeveralServers), [
    [true, ['{2}', 'a', 'a']],
    [true, ['{1}', 'b', 'b']],
  ])
})

test('a key is 1 to 255 printable ASCII characters, sent once', async () => {
  const link = { amount: '5.00', currency: 'EUR' }
  const before = await counts()
  for (const key of ['', 'x'.repeat(256), 'clé', 'a\u007fb', 'a\tb']) {
    const { status, problem } = await once(venture, key, '/payment-links', link)
    assert.deepEqual([status, problem?.code, problem?.errors?.[0]?.field], [400, 'invalid_request', 'Idempotency-Key'], JSON.stringify(key))
  }
  const twice = await sendRaw('/payment-links', link, ['one', 'two'])
  assert.deepEqual([twice.status, twice.detail], [400, 'Idempotency-Key must be sent only once.'])
  assert.deepEqual(await counts(), before)
  for (const key of ['x', '~'.repeat(255), ' two  words ', 'idempotency-key', `'; drop table ventures --`]) {
    const first = await once(venture, key, '/payment-links', link)
    assertSame(first, await once(venture, key, '/payment-links', link))
  }
})

/** Node's client sends a list as several headers. The test client would join them. */
function sendRaw(path: string, body: object, keys: string[]): Promise<{ status: number; detail: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': venture.venture.api_key, 'content-type': 'application/json', 'idempotency-key': keys }
    const outgoing = httpRequest(`${url}/api/v1${path}`, { method: 'POST', headers }, async (incoming) => {
      const { detail } = JSON.parse(Buffer.concat(await incoming.toArray()).toString())
      resolve({ status: incoming.statusCode ?? 0, detail })
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}

test('an operation that creates nothing ignores the header', async () => {
  const own = await venture.openAccount()
  const key = randomUUID()
  const frozen = await once(venture, key, `/accounts/${own.id}/freeze`)
  assert.deepEqual([frozen.status, frozen.headers['idempotency-replayed']], [200, undefined])
  assert.equal((await once(venture, key, `/accounts/${own.id}/freeze`)).problem.code, 'account_transition_not_allowed')
  assert.equal((await once(venture, 'x'.repeat(256), `/accounts/${own.id}/activate`)).status, 200)
  assert.deepEqual(await keysOf(key), [])
})

test('after a day a key is free again, whether it was pruned or not', async () => {
  const [key, link] = [randomUUID(), { amount: '5.00', currency: 'EUR' }]
  const first = await once(venture, key, '/payment-links', link)
  const age = (interval: string) =>
    bank.owner.query(`update idempotency_keys set created_at = now() - $2::interval where key = $1`, [key, interval])
  await age('23 hours 59 minutes')
  assertSame(first, await once(venture, key, '/payment-links', link))
  await age('24 hours 1 second')
  const later = await once(venture, key, '/payment-links', { ...link, amount: '6.00' })
  assert.deepEqual([later.status, isReplayed(later)], [201, false])
  assertSame(later, await once(venture, key, '/payment-links', { ...link, amount: '6.00' }))
})

test('pruning deletes what is older than a day, of the given ventures, in steps', async () => {
  const [here, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const link = { amount: '5.00', currency: 'EUR' }
  for (const caller of [here, other]) for (let n = 0; n < 7; n++) await once(caller, `old ${n}`, '/payment-links', link)
  await bank.owner.query(`update idempotency_keys set created_at = now() - interval '25 hours' where key like 'old %'`)
  for (const caller of [here, other]) await once(caller, 'new', '/payment-links', link)
  const keptOf = async ({ venture: { id } }: VentureCaller) =>
    (await bank.owner.query('select key from idempotency_keys where venture_id = $1 order by key', [id])).rows.map(({ key }) => key)
  assert.deepEqual(await Array.fromAsync(pruneIdempotencyKeys(bank.database, [here.venture.id, bankId], 3)), [3, 3, 1])
  assert.deepEqual(await keptOf(here), ['new'])
  assert.equal((await keptOf(other)).length, 8)
  assert.deepEqual(await Array.fromAsync(pruneIdempotencyKeys(bank.database, [here.venture.id, other.venture.id])), [7])
  assert.deepEqual(await keptOf(other), ['new'])
})

test('an effect whose key cannot be written does not happen, and its neighbours do', async () => {
  await bank.owner.query(`alter table idempotency_keys add constraint no_canaries check (key <> 'canary')`)
  const before = await bank.count('transfers')
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => once(venture, randomUUID(), '/transfers', order())),
    once(venture, 'canary', '/transfers', order()),
    ...Array.from({ length: 5 }, () => venture.post('/transfers', order())),
  ])
  const link = await once(venture, 'canary', '/payment-links', { amount: '5.00', currency: 'EUR' })
  await bank.owner.query('alter table idempotency_keys drop constraint no_canaries')
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(5).fill(201), 500, ...Array(5).fill(201)],
  )
  assert.equal(await bank.count('transfers'), before + 10)
  assert.equal(link.status, 500)
  assert.deepEqual(
    (await venture.get('/payment-links')).body.filter(({ id }: { id: string }) => id === link.body?.id),
    [],
  )
})

test('a key that cannot be written afterwards does not spoil the answer, and a repetition finds what was made', async () => {
  await bank.owner.query(
    `alter table idempotency_keys add constraint no_answers check (body is null or operation <> 'createPayment') not valid`,
  )
  const [key, body] = [randomUUID(), { amount: '5.00', currency: 'EUR', ...shop }]
  const first = await once(venture, key, '/payments', body)
  const again = await once(venture, key, '/payments', body)
  await bank.owner.query('alter table idempotency_keys drop constraint no_answers')
  assertSame(first, again)
})

test('a payment that was interrupted after it was stored is shown as it is now, and is not created twice', async () => {
  const [key, body] = [randomUUID(), { amount: '5.00', currency: 'EUR', ...shop }]
  const { body: payment } = await once(venture, key, '/payments', body)
  await forgetAnswer(key)
  await payWith(bank.app, payment, '5555555555554444')
  await bank.stranger.get(`/payments/${payment.id}/return`)
  const before = await counts()
  const again = await once(there, key, '/payments', body)
  assert.deepEqual([again.status, isReplayed(again), again.body.id, again.body.status], [201, true, payment.id, 'PAID'])
  assert.equal(again.headers['location'], `/api/v1/payments/${payment.id}`)
  assert.equal((await once(venture, key, '/payments', { ...body, amount: '6.00' })).problem.code, 'idempotency_key_reused')
  assert.deepEqual(await counts(), before)
})

async function paidPayment() {
  const { body: payment } = await venture.post('/payments', { amount: '5.00', currency: 'EUR', ...shop })
  await payWith(bank.app, payment, '5555555555554444')
  await bank.stranger.get(`/payments/${payment.id}/return`)
  return payment
}

test('a refund that was interrupted after it was stored is finished by the repetition, and made once', async () => {
  const payment = await paidPayment()
  const key = randomUUID()
  const part = { amount: '1.00', external_refund_id: `part-${randomUUID().slice(0, 8)}` }
  const first = await once(venture, key, `/payments/${payment.id}/refund`, part)
  assert.deepEqual([first.status, first.body.refunded_amount], [200, '1.00'])
  assertSame(first, await once(venture, key, `/payments/${payment.id}/refund`, part))
  // As if it had been killed before it asked the gateway: the lease of the request that died runs out.
  const rest = randomUUID()
  await once(venture, rest, `/payments/${payment.id}/refund`, {})
  await forgetAnswer(rest)
  const again = await once(there, rest, `/payments/${payment.id}/refund`)
  assert.deepEqual([again.status, isReplayed(again), again.body.status, again.body.refunded_amount], [200, true, 'REFUNDED', '5.00'])
  const { rows } = await bank.owner.query('select amount, status from payment_refunds where payment_id = $1 order by amount', [payment.id])
  assert.deepEqual(
    rows.map(({ amount, status }) => [Number(amount), status]),
    [
      [1, 'DONE'],
      [4, 'DONE'],
    ],
  )
})

test('a deposit that was interrupted between its moves is completed by the repetition', async () => {
  const own = await venture.openAccount()
  const { id } = await venture.createTransfer({ account_id: own.id, direction: 'INBOUND', credit_amount: '7.00' })
  const [key, body] = [randomUUID(), { amount: '7.00' }]
  const request_hash = hashOf({ params: { account_id: own.id }, body })
  await bank.owner.query(
    `insert into idempotency_keys (venture_id, owner_id, operation, key, request_hash, resource_id, created_at)
     values ($1, $1, 'depositInSandbox', $2, $3, $4, now())`,
    [venture.venture.id, key, request_hash, id],
  )
  for (let time = 0; time < 2; time++) {
    const again = await once(venture, key, `/sandbox/accounts/${own.id}/deposits`, body)
    assert.deepEqual([again.status, isReplayed(again), again.body.id, again.body.status], [201, true, id, 'COMPLETED'])
  }
  assert.equal((await venture.get(`/accounts/${own.id}`)).body.current_balance, '7.00')
})
