// Bank keys: what a connector may do with each, how they are created, and how they end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankKeyScopes } from '../platform/http/access.ts'
import { formOf, someList } from '../testing/testing.lists.ts'
import { Authenticator } from '../testing/testing.passkeys.ts'
import { acceptLink, consoleOrigin, openBanker, PersonCaller, signIn, someEmail, tokenIn } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank({ sandbox: false })
const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const withKey = (api_key: string, app = bank.app) => new Caller(app, { authorization: `Bearer ${api_key}` })

async function newKey(scope: string, changes: object = {}): Promise<{ key: Loose; caller: Caller }> {
  const { status, body, text } = await bank.admin.post('/operator/keys', { name: `The ${scope} connector`, scope, ...changes })
  assert.equal(status, 201, text)
  return { key: body, caller: withKey(body.api_key) }
}

const metrics = (caller: Caller): Promise<Answer> => caller.send({ method: 'GET', url: '/metrics' })
const ask = (caller: Caller) => caller.post('/vop/requests', { name: 'Ada Lovelace', iban: 'DE89370400440532013000' })
const importInto = (caller: Caller, list_id: string, name: string) =>
  caller.send({ method: 'POST', url: `/api/v1/operator/watchlists/${list_id}/versions`, ...formOf({ list: someList(name) }) })

/** What each scope is for. */
const works: Record<(typeof bankKeyScopes)[number], (caller: Caller) => Promise<Answer>> = {
  payees: ask,
  lists: (caller) => caller.get('/operator/watchlists'),
  metrics,
}

test('a key of the bank is shown once, stored as a hash only, and listed without the key', async () => {
  const { key } = await newKey('lists', { expires_at: '2099-01-01T00:00:00Z' })
  assert.match(key.api_key, /^vk_bank_/)
  assert.equal(key.prefix, key.api_key.slice(0, 12))
  const { api_key, ...rest } = key
  assert.deepEqual((await bank.admin.get(`/operator/keys/${key.id}`)).body, rest)
  assert.deepEqual((await bank.admin.get('/operator/keys?limit=1')).body, [rest])
  const { rows } = await bank.owner.query('select bank_keys::text as row from bank_keys where id = $1', [key.id])
  assert.ok(!rows[0].row.includes(api_key))
  assert.deepEqual(codeOf(await bank.admin.get('/operator/keys/0198c6f2-0000-7000-8000-000000000000')), [404, 'api_key_not_found'])
})

test('each key does the one thing of its scope, and nothing else of the bank or of a venture', async () => {
  for (const scope of bankKeyScopes) {
    const { caller } = await newKey(scope)
    for (const other of bankKeyScopes) {
      const answer = await works[other](caller)
      if (other === scope) assert.equal(answer.status, 200, `${scope}: ${answer.text}`)
      else assert.deepEqual(codeOf(answer), [403, 'forbidden'], `${scope} does what ${other} is for`)
    }
    const wrong = await works[scope === 'lists' ? 'payees' : 'lists'](caller)
    assert.match(wrong.problem.detail, /needs a key of the bank with the scope (lists|payees)\.$/)
    for (const answer of [await caller.get('/ventures'), await caller.get('/operator/keys'), await caller.post('/operator/users/set-up')])
      assert.deepEqual([...codeOf(answer), answer.problem?.detail], [403, 'forbidden', 'This operation needs a person of the bank.'])
    const { venture } = await bank.registerVenture()
    const forVenture = new Caller(bank.app, { ...caller.headers, 'vostro-venture': venture.id })
    for (const answer of [await forVenture.get('/clients'), await forVenture.get('/venture'), await caller.get('/session')])
      assert.deepEqual(codeOf(answer), [403, 'forbidden'])
  }
})

test('the importer imports a version and names itself, and cannot activate it or make a list', async () => {
  const { key, caller } = await newKey('lists')
  const { body: list } = await bank.admin.post('/operator/watchlists', { name: 'ofac', format: 'OPENSANCTIONS' })
  const { status, body: version, text } = await importInto(caller, list.id, 'Nobody Known')
  assert.equal(status, 201, text)
  assert.deepEqual([version.imported_by, version.imported_by_id, version.active], ['connector', key.id, false])
  const path = `/operator/watchlists/${list.id}`
  for (const answer of [await caller.get(path), await caller.get(`${path}/versions`)]) assert.equal(answer.status, 200)
  for (const answer of [
    await caller.post(`${path}/versions/${version.id}/activate`, {}),
    await caller.post('/operator/watchlists', { name: 'mine', format: 'OPENSANCTIONS' }),
  ])
    assert.deepEqual(codeOf(answer), [403, 'forbidden'])
  const { rows } = await bank.owner.query("select actor, actor_id from audit_log where action = 'importWatchlistVersion'")
  assert.deepEqual(rows, [{ actor: 'connector', actor_id: key.id }])
})

test('a key that was revoked or has expired stops working at once on every instance, and stays in the list', async () => {
  const other = await bank.openInstance()
  const { key, caller } = await newKey('payees')
  assert.equal((await ask(withKey(key.api_key, other))).status, 200)
  const { status, body } = await bank.admin.post(`/operator/keys/${key.id}/revoke`)
  assert.equal(status, 200)
  assert.notEqual(body.revoked_at, null)
  for (const gone of [caller, withKey(key.api_key, other)]) assert.deepEqual(codeOf(await ask(gone)), [401, 'unauthorized'])
  assert.deepEqual((await bank.admin.post(`/operator/keys/${key.id}/revoke`)).body, body)

  const { key: expiring, caller: late } = await newKey('payees', { expires_at: '2099-01-01T00:00:00Z' })
  assert.equal((await ask(late)).status, 200)
  await bank.owner.query("update bank_keys set expires_at = now() - interval '1 millisecond' where id = $1", [expiring.id])
  assert.deepEqual(codeOf(await ask(late)), [401, 'unauthorized'])
  const past = await bank.admin.post('/operator/keys', { name: 'Late', scope: 'lists', expires_at: '2020-01-01T00:00:00Z' })
  assert.deepEqual([...codeOf(past), past.problem.errors[0].field], [400, 'invalid_request', 'expires_at'])
  const unknown = await bank.admin.post('/operator/keys/0198c6f2-0000-7000-8000-000000000000/revoke')
  assert.deepEqual(codeOf(unknown), [404, 'api_key_not_found'])
})

test('keys of the bank work where there is no admin key and none for metrics', async () => {
  const app = await bank.openInstance({ adminApiKey: undefined, metricsApiKey: undefined })
  for (const scope of bankKeyScopes) {
    const { key } = await newKey(scope)
    assert.equal((await works[scope](withKey(key.api_key, app))).status, 200, scope)
    await bank.admin.post(`/operator/keys/${key.id}/revoke`)
    assert.deepEqual(codeOf(await works[scope](withKey(key.api_key, app))), [401, 'unauthorized'], scope)
  }
  assert.deepEqual(codeOf(await new Caller(app, bank.admin.headers).get('/ventures')), [404, 'route_not_found'])
})

test('the last use of a key is written when the instance stops', async () => {
  const app = await bank.openInstance()
  const { key } = await newKey('metrics')
  await metrics(withKey(key.api_key, app))
  assert.equal((await bank.admin.get(`/operator/keys/${key.id}`)).body.last_used_at, null)
  await app.close()
  assert.notEqual((await bank.admin.get(`/operator/keys/${key.id}`)).body.last_used_at, null)
})

test('with four eyes two admins make a key, the approver gets it, and the admin key does not', async () => {
  const eyes = await openBank({ sandbox: false, fourEyes: true })
  const admins: PersonCaller[] = []
  for (let count = 0; count < 2; count++) {
    const { body: link } = await eyes.admin.post('/operator/users', { email: someEmail(), role: 'admin' })
    admins.push(await signIn(eyes, await acceptLink(eyes, link)))
  }
  const order = { name: 'Importer', scope: 'lists' }
  assert.deepEqual(codeOf(await eyes.admin.post('/operator/keys', order)), [403, 'person_needed'])
  const [alice, bob] = await Promise.all(admins.map((admin) => withPasskey(admin)))
  assert.ok(alice && bob)
  const { status, body: asked } = await alice.post('/operator/keys', order)
  assert.deepEqual([status, asked.action, asked.state], [202, 'create-bank-key', 'PENDING'])
  assert.deepEqual((await alice.get('/operator/keys')).body, [])
  assert.deepEqual(codeOf(await alice.post(`/operator/approvals/${asked.id}/approve`)), [409, 'own_approval'])
  const { body: approved } = await bob.post(`/operator/approvals/${asked.id}/approve`)
  assert.deepEqual([approved.state, approved.result.id, approved.result.scope], ['APPROVED', asked.resource_id, 'lists'])
  assert.equal((await withKey(approved.result.api_key, eyes.app).get('/operator/watchlists')).status, 200)
  // Revoking protects, so one person is enough.
  assert.equal((await alice.post(`/operator/keys/${asked.resource_id}/revoke`)).status, 200)
})

async function withPasskey(person: PersonCaller): Promise<PersonCaller> {
  const { body: options } = await person.post('/session/passkeys/options')
  const answer = await person.post('/session/passkeys', { name: 'Laptop', credential: new Authenticator(consoleOrigin).create(options) })
  assert.equal(answer.status, 201, answer.text)
  return new PersonCaller(person.app, { person: person.person, token: tokenIn(answer) })
}

test('only admins make and revoke keys of the bank; everybody at the bank sees them', async () => {
  const sandbox = await openBank()
  const { body: key } = await sandbox.admin.post('/operator/keys', { name: 'Importer', scope: 'lists' })
  for (const role of ['operator', 'auditor'] as const) {
    const person = await openBanker(sandbox, role)
    assert.equal((await person.get('/operator/keys')).status, 200)
    for (const answer of [
      await person.post('/operator/keys', { name: 'Mine', scope: 'lists' }),
      await person.post(`/operator/keys/${key.id}/revoke`),
    ])
      assert.deepEqual(codeOf(answer), [403, 'forbidden'], role)
  }
})

test('the bank has at most a hundred keys that were not revoked', async () => {
  const full = await openBank()
  await full.owner.query(
    `insert into bank_keys (id, key_hash, name, prefix, scope, created_at)
     select gen_random_uuid(), encode(sha256(number::text::bytea), 'hex'), 'Old', 'vk_bank_abcd', 'lists', now() from generate_series(1, 100) as number`,
  )
  const order = { name: 'One more', scope: 'lists' }
  assert.deepEqual(codeOf(await full.admin.post('/operator/keys', order)), [409, 'key_limit'])
  await full.owner.query('update bank_keys set revoked_at = now() where id = (select id from bank_keys limit 1)')
  assert.equal((await full.admin.post('/operator/keys', order)).status, 201)
})

test('the operations for keys of the bank are those of connectors', () => {
  const open = bank.services.operations.list().flatMap(
    ([
      name,
      {
        access: { bankKey },
      },
    ]) => (bankKey === undefined ? [] : [`${bankKey} ${name}`]),
  )
  assert.deepEqual(open.sort(), [
    'lists getWatchlist',
    'lists importWatchlistVersion',
    'lists listWatchlistVersions',
    'lists listWatchlists',
    'metrics getMetrics',
    'payees answerPayeeRequest',
  ])
})
