// A key that the bank has seen cannot pay: which keys have this mark, and what they may do outside the sandbox.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Route } from '../platform/http/http.ts'
import { sandboxGatewayCredentials as login } from '../sandbox/gateway/sandbox.gateway.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { somePerson } from '../testing/testing.people.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { Shop } from '../testing/testing.shop.ts'
import { type Answer, type Bank, Caller, type Loose, openBank } from '../testing/testing.ts'
import { reservations } from '../ventures/ventures.reserved.ts'

const bank = await openBank({ sandbox: false, fourEyes: true })
const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const refused = [403, 'key_seen_by_bank']

/** What nobody at the bank may do alone, and so no key that the bank has seen. */
const orders = [
  'createTransfer',
  'createTransfers',
  'createBeneficiary',
  'updateBeneficiary',
  'createMandate',
  'refundPayment',
  'createPayout',
]

const routes = new Map(bank.app.routeTable.map((route) => [route.schema.operationId, route]))

/** Every operation with a key that changes something. */
const changes = bank.services.operations
  .list()
  .filter(([, { access }]) => !access.reads && access.scopes !== undefined)
  .map(([operation]) => operation)

/** A request for an operation, with ids of no row. */
async function call(caller: Caller, operation: string, body: object = { surprise: 1 }): Promise<Answer> {
  const { method, url } = routes.get(operation) as Route
  const path = url.replace(/:\w+/g, () => randomUUID())
  return caller.send({
    method: method as 'POST',
    url: path,
    payload: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

const withKey = (api_key: string, app = bank.app) => new Caller(app, { 'x-api-key': api_key })

async function openVenture(of: Bank = bank, control = 'MANAGED') {
  const { body: venture } = await of.admin.post('/ventures', { name: 'Acme', control })
  const boss = await openMember(of, venture.id, 'admin')
  const make = async (caller: Caller): Promise<string> => {
    const { status, body, text } = await caller.post('/venture/keys', { name: 'Server', scopes: allScopes })
    assert.equal(status, 201, text)
    return body.api_key
  }
  return { venture, boss, make, first: withKey(venture.api_key, of.app) }
}
const allScopes = ['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read']

test('in a MANAGED venture a key that the bank has seen neither moves money nor makes a later order possible', async () => {
  const { first, boss, make } = await openVenture()
  const working = withKey(await make(boss))
  for (const operation of changes.filter((name) => name !== 'rotateOwnKey')) {
    const [bySeen, byWorking] = [await call(first, operation), await call(working, operation)]
    const isRefused = (orders as readonly string[]).includes(operation)
    assert.equal(bySeen.problem?.code === 'key_seen_by_bank', isRefused, `${operation}: ${bySeen.text}`)
    assert.notEqual(byWorking.problem?.code, 'key_seen_by_bank', operation)
  }
})

test('it reads and sets up, and an order of it stores nothing', async () => {
  const { venture, first, boss, make } = await openVenture()
  const { body: client } = await first.post('/clients/person', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `${randomUUID()}@example.com`,
    date_of_birth: '1990-12-10',
    nationality: 'GB',
    residency_country: 'GB',
  })
  const { status } = await first.get('/clients')
  assert.equal(status, 200)
  const count = async () =>
    (await bank.owner.query('select count(*)::int as rows from beneficiaries where venture_id = $1', [venture.id])).rows[0].rows
  const order = { client_id: client?.id ?? randomUUID(), name: 'Thief', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
  assert.deepEqual(codeOf(await first.post('/beneficiaries', order)), refused)
  assert.equal(await count(), 0)
  const working = withKey(await make(boss))
  assert.notEqual((await working.post('/beneficiaries', order)).problem?.code, 'key_seen_by_bank')
})

test('the mark is on what the bank makes and replaces, and on what is made or rotated with such a key', async () => {
  const { venture, boss, make, first } = await openVenture()
  const { id } = venture
  // One person is enough here; another test covers what two people create.
  const withoutFourEyes = await bank.openInstance({ fourEyes: false })
  const admin = new Caller(withoutFourEyes, bank.admin.headers)
  const asBank = new Caller(withoutFourEyes, { ...bank.admin.headers, 'vostro-venture': id })
  const seen: Record<string, string> = {
    'the first key': venture.api_key,
    'a key of the bank': (await admin.post(`/ventures/${id}/keys`, { name: 'Bank', scopes: allScopes })).body.api_key,
    'a key of the bank in place of the venture': await make(asBank),
    'a key made with a key that the bank has seen': await make(first),
  }
  const own = await make(boss)
  const unseen: Record<string, string> = { 'a key of an admin of the venture': own, 'a key made with such a key': await make(withKey(own)) }
  const marked = async (api_key: string): Promise<boolean> => {
    const { body } = await withKey(api_key).get('/venture/keys?limit=100')
    const answer = await call(withKey(api_key), 'createTransfer')
    const row = body.find(({ prefix }: Loose) => prefix === api_key.slice(0, 12))
    assert.deepEqual(codeOf(answer), row.seen_by_bank ? refused : [400, 'invalid_request'])
    return row.seen_by_bank
  }
  for (const [name, key] of Object.entries(seen)) assert.equal(await marked(key), true, name)
  for (const [name, key] of Object.entries(unseen)) assert.equal(await marked(key), false, name)
  for (const [keys, expected] of [
    [seen, true],
    [unseen, false],
  ] as const) {
    for (const [name, key] of Object.entries(keys)) {
      const { body } = await withKey(key).post('/venture/rotate-key')
      assert.equal(await marked(body.api_key), expected, `${name}, rotated`)
    }
  }
  const { body: replaced } = await admin.post(`/ventures/${id}/rotate-key`)
  assert.equal(await marked(replaced.api_key), true)
})

test('what two people of the bank make carries the mark, too', async () => {
  const eyes = await openBank({ fourEyes: true })
  const [alice, bob] = [await openBanker(eyes, 'admin'), await openBanker(eyes, 'admin')]
  const { venture } = await openVenture(eyes)
  const order = { name: 'Two', scopes: ['read'] }
  for (const ask of [
    () => alice.post(`/ventures/${venture.id}/keys`, order),
    () => alice.actingFor(venture.id).post('/venture/keys', order),
    () => alice.post(`/ventures/${venture.id}/rotate-key`),
  ]) {
    const { status, body: asked } = await ask()
    assert.equal(status, 202)
    const { body } = await bob.post(`/operator/approvals/${asked.id}/approve`)
    assert.match(body.result.api_key, /^vk_test_/)
    const { rows } = await eyes.owner.query('select seen_by_bank from api_keys where venture_id = $1 order by id desc limit 1', [
      venture.id,
    ])
    assert.deepEqual(rows, [{ seen_by_bank: true }])
  }
})

test('keys from before, OPEN ventures and the sandbox stay as they are', async () => {
  const open = await openVenture(bank, 'OPEN')
  for (const operation of orders) assert.notEqual((await call(open.first, operation)).problem?.code, 'key_seen_by_bank', operation)
  const managed = await openVenture()
  const sandbox = withKey(managed.venture.api_key, await bank.openInstance({ sandbox: true }))
  for (const operation of orders) assert.notEqual((await call(sandbox, operation)).problem?.code, 'key_seen_by_bank', operation)
  // As the migration leaves them.
  const { rows } = await bank.owner.query(
    "select column_default from information_schema.columns where table_name = 'api_keys' and column_name = 'seen_by_bank'",
  )
  assert.deepEqual(rows, [{ column_default: 'false' }])
})

const needsOf = (operation: string) => bank.services.operations.accessOf(operation).authority?.[0]
/** Keys that it creates are marked as well. */
const marks = 'createKey'

test('what two people of the bank need for, or nobody there may do, a key that the bank has seen does not do either', () => {
  const wanted = changes.filter((operation) => operation !== marks && ['together', 'never'].includes(needsOf(operation) ?? 'alone'))
  assert.deepEqual(wanted.sort(), [...orders].sort())
})

type Attempt = (caller: Caller) => Promise<Answer>

/** A venture outside the sandbox that has something for each row of the reserved table, and a key of each kind. */
async function openWorld() {
  const sandbox = await openBank()
  const url = await sandbox.listen()
  const venture = await ManagedVenture.open(sandbox)
  const path = `/ventures/${venture.venture.id}`
  const { body: key } = await sandbox.admin.post(`${path}/keys`, { name: 'Bank', scopes: allScopes })
  const asBank = new Caller(sandbox.app, { ...sandbox.admin.headers, 'vostro-venture': venture.venture.id })
  const account = await venture.openAccount({ balance: '500.00' })
  const other = await venture.openAccount({ client_id: account.client_id, daily_limit: '10.00' })
  const frozen = await venture.openAccount({ client_id: account.client_id })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const order = (debit_amount: string) => venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount })
  const [held, stays] = [await order('10.00'), await order('11.00')]
  await venture.put(`/transfers/${held.id}`, { status: 'ON_HOLD' })
  const unsigned = await order('12.00')
  await venture.process(unsigned, 'TO_SIGN')
  const shop = new Shop(sandbox, venture)
  await shop.name(account as { id: string })
  const [paid, unpaid] = [await shop.sell('25.00'), await shop.order()]
  await asBank.post(`/accounts/${frozen.id}/freeze`)
  const [blocked, risky] = [await venture.registerClient(), await venture.registerClient()]
  await asBank.put(`/clients/${blocked['id']}`, { blocked: true, is_blacklisted: true })
  await asBank.put(`/clients/${risky['id']}`, { risk_level: 'High' })
  const gateway = { user: login.user, password: login.password, url: `${url}/sandbox/gateway` }
  const app = await sandbox.openInstance({ sandbox: false, fourEyes: true, gateway })
  const banker = new Caller(app, (await openBanker(sandbox, 'admin', venture.venture.id)).headers)
  return {
    bank: sandbox,
    account,
    other,
    frozen,
    held,
    stays,
    unsigned,
    paid,
    unpaid,
    blocked,
    risky,
    banker,
    seen: withKey(key.api_key, app),
    working: withKey(venture.venture.api_key, app),
  }
}

test('what one person of the bank may do only in part, such a key does in that part only', async () => {
  const world = await openWorld()
  const { account, other, frozen, held, stays, unsigned, paid, unpaid, blocked, risky, seen, working, banker } = world
  const put = (path: string, body: object): Attempt => {
    return (caller) => caller.put(path, body)
  }
  const post = (path: string, body?: object): Attempt => {
    return (caller) => caller.post(path, body)
  }
  /** By the words of the row. */
  const attempts: Readonly<Record<string, readonly Attempt[]>> = {
    'Every move except ON_HOLD': [
      put(`/transfers/${unsigned['id']}`, { status: 'SIGNED' }),
      put(`/transfers/${held['id']}`, { status: 'CREATED' }),
    ],
    '`third_party_status`': [put(`/transfers/${stays['id']}`, { third_party_status: 'ACCC' })],
    '`bank_partner_id`': [put(`/transfers/${stays['id']}`, { bank_partner_id: 'x' })],
    '`signed_at`': [put(`/transfers/${stays['id']}`, { signed_at: '2026-01-01T00:00:00Z' })],
    'Setting an account for card money': [put('/payout-settings', { payout_account_id: other['id'] })],
    'Cancelling a card payment that is PAID': [post(`/payments/${paid['id']}/cancel`)],
    'Raising or removing a limit': [
      put(`/accounts/${other['id']}`, { daily_limit: '20.00', account_name: 'Large' }),
      put(`/accounts/${other['id']}`, { daily_limit: null }),
    ],
    '`kyc_level` NOT_REQUIRED': [post('/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' }))],
    'Lowering `risk_level`': [put(`/clients/${risky['id']}`, { risk_level: 'Low' })],
    'Unblocking a client': [put(`/clients/${blocked['id']}`, { blocked: false })],
    'Taking a client': [put(`/clients/${blocked['id']}`, { is_blacklisted: false })],
    'Activating an account': [post(`/accounts/${frozen['id']}/activate`)],
    'Closing an account': [post(`/accounts/${frozen['id']}/close`)],
  }
  const ofVentures = new Set(['Lowering `risk_level`', 'Taking a client'])
  const kept = async () => {
    const tables = ['transfers', 'clients', 'accounts', 'payments', 'payout_settings', 'entries', 'events']
    const texts = tables.map((name) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t) as ${name}`)
    return (await world.bank.owner.query(`select ${texts.join(', ')}`)).rows
  }
  const tried = new Set<string>()
  const orderly: Attempt[] = []
  for (const operation of changes.filter((name) => needsOf(name) === 'partly')) {
    const rows = reservations.filter((row) => row.operation === operation && row.binds !== 'ventures')
    assert.notEqual(rows.length, 0, `nothing says what one person may not do of ${operation}`)
    for (const { what, binds } of rows) {
      const [begins, made] = Object.entries(attempts).find(([text]) => what.startsWith(text)) ?? assert.fail(`${operation}: ${what}`)
      tried.add(begins)
      for (const attempt of made) {
        const before = await kept()
        const { status, problem, text } = await attempt(seen)
        const code = binds === 'people' && !ofVentures.has(begins) ? 'key_seen_by_bank' : 'reserved_to_bank'
        assert.deepEqual([status, problem?.code], [403, code], `${what}: ${text}`)
        if (code === 'key_seen_by_bank') assert.equal(problem.reserved, what)
        // Nor may a person of the bank do it alone.
        const asked = await attempt(banker)
        assert.ok(asked.status === 202 || asked.status >= 400, `${what}: ${asked.text}`)
        assert.deepEqual(await kept(), before, what)
        if (code === 'key_seen_by_bank') orderly.push(attempt)
      }
    }
  }
  assert.deepEqual(
    Object.keys(attempts).filter((begins) => !tried.has(begins)),
    [],
  )
  const { body: moves } = await seen.get(`/transfers/${held['id']}/transitions`)
  const moveTo = (wanted: string) => moves.find(({ status }: Loose) => status === wanted)
  assert.deepEqual([moveTo('CREATED').allowed, moveTo('CREATED').blocked_by], [false, 'key_seen_by_bank'])
  assert.equal(moveTo('CANCELLED').allowed, true)
  // What one person of the bank may do alone.
  for (const attempt of [
    put(`/transfers/${stays['id']}`, { status: 'ON_HOLD', status_reason: 'A note' }),
    put(`/transfers/${stays['id']}`, { status: 'CANCELLED' }),
    put(`/accounts/${other['id']}`, { daily_limit: '5.00', monthly_limit: '50.00' }),
    put(`/clients/${risky['id']}`, { blocked: true }),
    post(`/payments/${unpaid['id']}/cancel`),
    post(`/accounts/${account['id']}/freeze`),
    post(`/accounts/${account['id']}/activate`),
  ]) {
    const { status, text } = await attempt(seen)
    assert.equal(status, 200, text)
  }
  // A key that the bank has not seen can do the rest.
  for (const attempt of orderly) {
    const { status, text } = await attempt(working)
    assert.equal(status, 200, text)
  }
})
