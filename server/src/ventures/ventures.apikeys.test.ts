// A venture's keys: what each scope opens, expiry, revocation and last use.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Caller, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { scopes } from './ventures.ts'

const bank = await openBank()

const unknownId = '0198c6f2-0000-7000-8000-000000000000'

async function newKey(venture: VentureCaller, order: object): Promise<{ key: Loose; caller: Caller }> {
  const { status, body, text } = await venture.post('/venture/keys', { name: 'Test', ...order })
  assert.equal(status, 201, text)
  return { key: body, caller: new Caller(bank.app, { 'x-api-key': body.api_key }) }
}

test('a new key is shown once, stored as a hash only, and listed newest first without the key', async () => {
  const venture = await bank.registerVenture()
  const { key, caller } = await newKey(venture, { name: 'Reader', scopes: ['read'] })
  assert.match(key.api_key, /^vk_test_/)
  assert.equal(key.prefix, key.api_key.slice(0, 12))
  const { api_key, ...rest } = key
  assert.deepEqual((await venture.get(`/venture/keys/${key.id}`)).body, rest)
  const { body: list } = await venture.get('/venture/keys')
  assert.deepEqual(
    list.map(({ name }: Loose) => name),
    ['Reader', 'First key'],
  )
  assert.deepEqual(list[1].scopes, [...scopes])
  const { rows } = await bank.owner.query('select api_keys::text as row from api_keys where id = $1', [key.id])
  assert.ok(!rows[0].row.includes(api_key))
  assert.equal((await caller.get('/venture')).body.id, venture.venture.id)
})

test('api_key_prefix of a venture is that of its oldest valid key, and null without one', async () => {
  const venture = await bank.registerVenture()
  const prefixNow = async () => (await bank.admin.get(`/ventures/${venture.venture.id}`)).body.api_key_prefix
  const { key } = await newKey(venture, { scopes })
  assert.equal(await prefixNow(), venture.venture.api_key_prefix)
  const [, first] = (await venture.get('/venture/keys')).body
  const second = new Caller(bank.app, { 'x-api-key': key.api_key })
  assert.equal((await second.post(`/venture/keys/${first.id}/revoke`)).status, 200)
  assert.equal(await prefixNow(), key.prefix)
  assert.equal((await venture.get('/venture')).status, 401)
  assert.equal((await second.post(`/venture/keys/${key.id}/revoke`)).status, 200)
  assert.equal(await prefixNow(), null)
})

test('each scope opens its own area for reading and writing, read opens all areas for reading, and a refusal names the scope', async () => {
  const venture = await bank.registerVenture()
  const reading = { clients: '/clients', accounts: '/accounts', transfers: '/transfers', payments: '/payments', webhooks: '/events' }
  const writing = {
    clients: '/clients/person',
    accounts: '/accounts',
    transfers: '/transfers',
    payments: '/payments',
    webhooks: '/webhook-endpoints',
  }
  for (const scope of scopes) {
    const { caller } = await newKey(venture, { scopes: [scope] })
    for (const [area, path] of Object.entries(reading)) {
      const answer = await caller.get(path)
      const may = scope === area || scope === 'read' || (scope === 'sign' && area === 'transfers')
      assert.equal(answer.status, may ? 200 : 403, `${scope} reads ${area}`)
      if (!may) assert.match(answer.problem.detail, new RegExp(`needs the scope ${area}`))
    }
    for (const [area, path] of Object.entries(writing)) {
      const answer = await caller.post(path, { surprise: 1 })
      assert.equal(answer.status, scope === area ? 400 : 403, `${scope} writes ${area}`)
      if (scope !== area) assert.equal(answer.problem.detail, `This operation needs the scope ${area}.`)
    }
  }
})

test('signing needs the scope sign, and with sign alone a transfer can only be signed', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '50.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
  const orders = (await newKey(venture, { scopes: ['transfers'] })).caller
  const signs = (await newKey(venture, { scopes: ['sign'] })).caller
  const transfer = (await orders.post('/transfers', { unique_reference: randomUUID(), ...order })).body
  await orders.put(`/transfers/${transfer.id}`, { status: 'TO_SIGN' })

  const refused = await orders.put(`/transfers/${transfer.id}`, { status: 'SIGNED' })
  assert.deepEqual([refused.status, refused.problem?.detail], [403, 'Signing a transfer needs the scope sign.'])
  for (const body of [{ status: 'CANCELLED' }, { purpose: 'Other' }, { status: 'SIGNED', status_reason: 'and more' }, {}]) {
    const answer = await signs.put(`/transfers/${transfer.id}`, body)
    assert.notEqual(answer.status, 200, JSON.stringify(body))
    if (answer.status === 403) assert.match(answer.problem.detail, /needs the scope transfers/)
  }
  assert.equal((await signs.post('/transfers', { unique_reference: randomUUID(), ...order })).status, 403)
  assert.equal((await signs.get(`/transfers/${transfer.id}`)).body.status, 'TO_SIGN')
  const signed = await signs.put(`/transfers/${transfer.id}`, { status: 'SIGNED' })
  assert.deepEqual([signed.status, signed.body.status], [200, 'SIGNED'])
  const { body: history } = await venture.get(`/transfers/${transfer.id}/history`)
  const key = (await venture.get('/venture/keys')).body[0]
  assert.deepEqual([history.at(-1).actor, history.at(-1).actor_id], ['venture', key.id])
})

test('a transfer is found together with the key only if the key may read transfers', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '50.00' })
  const { id } = await venture.deposit(account.id, '1.00')
  const wrong = (await newKey(venture, { scopes: ['clients', 'webhooks'] })).caller
  const answer = await wrong.get(`/transfers/${id}`)
  assert.deepEqual([answer.status, answer.problem.detail], [403, 'This operation needs the scope transfers, sign or read.'])
  assert.equal((await wrong.get(`/transfers/${unknownId}`)).status, 403)
  const right = await newKey(venture, { scopes: ['read'] })
  assert.equal((await right.caller.get(`/transfers/${id}`)).status, 200)
  await venture.post(`/venture/keys/${right.key.id}/revoke`)
  assert.equal((await right.caller.get(`/transfers/${id}`)).status, 401)
})

test('only a key with all scopes makes, shows, renames and revokes keys', async () => {
  const venture = await bank.registerVenture()
  const { key, caller } = await newKey(venture, { scopes: scopes.filter((scope) => scope !== 'sign') })
  const before = await bank.count('api_keys')
  for (const answer of [
    await caller.post('/venture/keys', { name: 'More', scopes: ['sign'] }),
    await caller.get('/venture/keys'),
    await caller.get(`/venture/keys/${key.id}`),
    await caller.put(`/venture/keys/${key.id}`, { name: 'Mine' }),
    await caller.post(`/venture/keys/${key.id}/revoke`),
  ]) {
    assert.deepEqual([answer.status, answer.problem.detail], [403, 'This operation needs a key with all scopes.'])
  }
  assert.equal(await bank.count('api_keys'), before)
  const renamed = await venture.put(`/venture/keys/${key.id}`, { name: 'Renamed' })
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.api_key], [200, 'Renamed', undefined])
})

test('an expired key stops working, and so does a revoked one, at once on every instance', async () => {
  const venture = await bank.registerVenture()
  const elsewhere = await bank.openInstance()
  const expiring = await newKey(venture, { scopes: ['read'], expires_at: new Date(Date.now() + 60_000).toISOString() })
  // The second path finds the key together with the venture that it shows.
  for (const path of ['/clients', '/venture']) assert.equal((await expiring.caller.get(path)).status, 200)
  await bank.owner.query("update api_keys set expires_at = now() - interval '1 millisecond' where id = $1", [expiring.key.id])
  for (const path of ['/clients', '/venture']) assert.equal((await expiring.caller.get(path)).status, 401)
  assert.equal((await expiring.caller.post('/venture/rotate-key')).status, 401)

  const revoked = await newKey(venture, { scopes: ['read'] })
  const first = await venture.post(`/venture/keys/${revoked.key.id}/revoke`)
  assert.match(first.body.revoked_at, /Z$/)
  for (const path of ['/clients', '/venture']) assert.equal((await new Caller(elsewhere, revoked.caller.headers).get(path)).status, 401)
  assert.deepEqual((await venture.post(`/venture/keys/${revoked.key.id}/revoke`)).body, first.body)
})

test('invalid keys are refused and store nothing', async () => {
  const venture = await bank.registerVenture()
  const before = await bank.count('api_keys')
  for (const [body, field] of [
    [{ scopes: ['read'] }, 'name'],
    [{ name: 'No scopes' }, 'scopes'],
    [{ name: 'No scopes', scopes: [] }, 'scopes'],
    [{ name: 'Unknown', scopes: ['everything'] }, 'scopes'],
    [{ name: 'Twice', scopes: ['read', 'read'] }, 'scopes'],
    [{ name: 'Past', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'Given', scopes: ['read'], api_key: 'mine' }, 'api_key'],
  ] as const) {
    const answer = await venture.post('/venture/keys', body)
    assert.deepEqual([answer.status, answer.problem.code], [400, 'invalid_request'], JSON.stringify(body))
    assert.ok(
      answer.problem.errors.some((error: Loose) => error.field.startsWith(field)),
      answer.text,
    )
  }
  assert.equal(await bank.count('api_keys'), before)
  for (const path of ['', '/revoke']) {
    const answer = path === '' ? await venture.get(`/venture/keys/${unknownId}`) : await venture.post(`/venture/keys/${unknownId}${path}`)
    assert.deepEqual([answer.status, answer.problem.code], [404, 'api_key_not_found'])
  }
})

test('a venture has at most a hundred keys that are not revoked', async () => {
  const venture = await bank.registerVenture()
  await bank.owner.query(
    `insert into api_keys (key_hash, venture_id, id, name, prefix, scopes, created_at)
     select encode(sha256(gen_random_uuid()::text::bytea), 'hex'), $1, gen_random_uuid(), 'Many', 'vk_test_many', '{read}', now()
     from generate_series(1, 99)`,
    [venture.venture.id],
  )
  const answer = await venture.post('/venture/keys', { name: 'One too many', scopes: ['read'] })
  assert.deepEqual([answer.status, answer.problem.code], [409, 'key_limit'])
})

test('rotation replaces the key that it is called with, keeps its name, scopes and expiry, and leaves the others alone', async () => {
  const venture = await bank.registerVenture()
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { key, caller } = await newKey(venture, { name: 'Nightly', scopes: ['read', 'sign'], expires_at })
  const rotated = await caller.post('/venture/rotate-key')
  assert.equal(rotated.status, 200, rotated.text)
  assert.equal((await caller.get('/clients')).status, 401)
  assert.equal((await venture.get('/clients')).status, 200)
  const [newest, old] = (await venture.get('/venture/keys')).body
  assert.notEqual(newest.id, key.id)
  assert.deepEqual([newest.name, newest.scopes, newest.expires_at, newest.revoked_at], ['Nightly', ['read', 'sign'], expires_at, null])
  assert.deepEqual([old.id, old.revoked_at === null], [key.id, false])
  assert.equal(newest.prefix, rotated.body.api_key.slice(0, 12))
})

test("the operator's rotation revokes all keys and makes one with all scopes, and the operator can make more", async () => {
  const venture = await bank.registerVenture()
  const { id } = venture.venture
  const other = await newKey(venture, { scopes: ['read'] })
  const { body } = await bank.admin.post(`/ventures/${id}/rotate-key`)
  for (const caller of [venture, other.caller]) assert.equal((await caller.get('/venture')).status, 401)
  const renewed = new Caller(bank.app, { 'x-api-key': body.api_key })
  const valid = (await renewed.get('/venture/keys')).body.filter(({ revoked_at }: Loose) => revoked_at === null)
  assert.deepEqual([valid.length, valid[0].scopes], [1, [...scopes]])

  const made = await bank.admin.post(`/ventures/${id}/keys`, { name: 'By the bank', scopes: ['clients'] })
  assert.equal(made.status, 201)
  assert.equal((await new Caller(bank.app, { 'x-api-key': made.body.api_key }).get('/clients')).status, 200)
  const unknown = await bank.admin.post(`/ventures/${unknownId}/keys`, { name: 'Nobody', scopes: ['clients'] })
  assert.deepEqual([unknown.status, unknown.problem.code], [404, 'venture_not_found'])
})

test('the last use of a key is written when the instance stops or a minute has passed, not with each request', async () => {
  const venture = await bank.registerVenture()
  const { key } = await newKey(venture, { scopes: ['read'] })
  const lastUse = async () => (await venture.get(`/venture/keys/${key.id}`)).body.last_used_at
  const instance = await bank.openInstance()
  const before = Date.now()
  for (let use = 0; use < 20; use++) await new Caller(instance, { 'x-api-key': key.api_key }).get('/clients')
  await sleep(20)
  assert.equal(await lastUse(), null)
  await instance.close()
  assert.ok(Date.parse(await lastUse()) >= before)
})
