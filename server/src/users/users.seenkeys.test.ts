// A key that the bank has seen cannot pay: which keys carry the mark, and what they may do outside the sandbox.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Route } from '../platform/http/http.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Answer, type Bank, Caller, type Loose, openBank } from '../testing/testing.ts'
import { authority } from './users.authority.ts'
import { ruleForSeenKeys } from './users.seenkeys.ts'
import { access } from './users.ts'

const bank = await openBank({ sandbox: false, fourEyes: true })
const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const refused = [403, 'key_seen_by_bank']

/** What nobody at the bank does alone, and so no key that the bank has seen. */
const orders = [
  ...(['createTransfer', 'createTransfers', 'createBeneficiary', 'updateBeneficiary', 'createMandate'] as const),
  ...(['refundPayment', 'createPayout', 'updatePayoutSettings'] as const),
]

const routes = new Map(bank.app.routeTable.map((route) => [route.schema.operationId, route]))

/** Everything that changes something with a key. */
const changes = (Object.keys(access) as (keyof typeof access)[]).filter((operation) => {
  const { reads, scopes } = access[operation] as { reads: boolean; scopes?: unknown }
  return !reads && scopes !== undefined && routes.has(operation)
})

/** A request for an operation; no row has its ids. */
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
  for (const [operation, body, expected] of [
    ['updateTransfer', { status: 'SIGNED' }, refused],
    ['updateTransfer', { status: 'SIGNED', signed_hash: 'a'.repeat(64) }, refused],
    ['updateTransfer', { status: 'CANCELLED' }, [404, 'transfer_not_found']],
    ['updateAccount', { daily_limit: '1000.00' }, refused],
    ['updateAccount', { monthly_limit: null }, refused],
    ['updateAccount', { yearly_limit: '1.00' }, refused],
    ['updateAccount', { account_name: 'Main' }, [404, 'account_not_found']],
  ] as const) {
    assert.deepEqual(codeOf(await call(first, operation, body)), expected, `${operation} ${JSON.stringify(body)}`)
    assert.equal((await call(working, operation, body)).status, 404, `${operation} ${JSON.stringify(body)}`)
  }
})

test('it reads and sets up, and an order of it stores nothing', async () => {
  const { venture, first, boss, make } = await openVenture()
  const { body: client } = await first.post('/clients/person', {
    ...{ first_name: 'Ada', last_name: 'Lovelace', email: `${randomUUID()}@example.com`, date_of_birth: '1990-12-10' },
    ...{ nationality: 'GB', residency_country: 'GB' },
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
  // One person is enough there; what two people make has a test of its own.
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

test('what two people of the bank need for, or nobody there may do, a key that the bank has seen does not do either', () => {
  // Its keys carry the mark as well.
  const marked = new Set(['createKey'])
  for (const operation of changes.filter((name) => !marked.has(name))) {
    const [needs] = authority[operation as keyof typeof authority] ?? ['alone']
    const rule = ruleForSeenKeys(operation)
    if (needs === 'together' || needs === 'never') assert.equal(rule, 'refused', operation)
  }
})
