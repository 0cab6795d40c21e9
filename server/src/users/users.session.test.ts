// Signing in, and what a session may do: cookies, origins, expiry, throttling, roles and acting for a venture.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { somePerson } from '../testing/testing.people.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import {
  acceptLink,
  consoleHeaders,
  consoleOf,
  goodPassword,
  openBanker,
  openMember,
  PersonCaller,
  secretIn,
  signIn,
  someEmail,
  tokenIn,
} from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'
import { houseId } from '../ventures/ventures.ts'
import { hashPassword } from './users.passwords.ts'

const bank = await openBank()

const unknownId = '0198c6f2-0000-7000-8000-000000000000'
const venture = await bank.registerVenture()
const { id: venture_id } = venture.venture
const member = await openMember(bank, venture_id, 'admin')

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]

test('signing in sets a cookie that scripts cannot read, and only the hash of its token is stored', async () => {
  const answer = await consoleOf(bank).post('/session', { email: member.person.email.toUpperCase(), password: goodPassword })
  assert.equal(answer.status, 200, answer.text)
  const token = tokenIn(answer)
  assert.equal(String(answer.headers['set-cookie']), `vostro=${token}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`)
  assert.ok(!answer.text.includes(token))
  assert.deepEqual(answer.body.memberships, [{ venture_id, role: 'admin' }])
  assert.deepEqual([answer.body.user.email, answer.body.bank_role, answer.body.by_passkey], [member.person.email, null, false])
  const { rows } = await bank.owner.query('select sessions::text as row, token_hash from sessions where id = $1', [answer.body.id])
  assert.equal(rows[0].token_hash, hash('sha256', token))
  assert.ok(!rows[0].row.includes(token))
  const { rows: people } = await bank.owner.query('select users::text as row from users where id = $1', [member.person.user_id])
  assert.match(people[0].row, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.ok(!people[0].row.includes(goodPassword))
})

test('over https the cookie is bound to the host and to TLS; over http elsewhere than localhost nobody can sign in', async () => {
  const secure = new Caller(await bank.openInstance({ consoleUrl: 'https://console.bank.example' }), {
    origin: 'https://console.bank.example',
    'x-vostro-console': '1',
  })
  const answer = await secure.post('/session', { email: member.person.email, password: goodPassword })
  assert.match(String(answer.headers['set-cookie']), /^__Host-vostro=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/)
  const cookie = `__Host-vostro=${tokenIn(answer)}`
  assert.equal((await new Caller(secure.app, { ...secure.headers, cookie }).get('/session')).status, 200)
  // The cookie of the other form does not count.
  assert.equal((await new Caller(secure.app, { ...secure.headers, cookie: `vostro=${tokenIn(answer)}` }).get('/session')).status, 401)

  const plain = new Caller(await bank.openInstance({ consoleUrl: 'http://bank.example' }), {
    origin: 'http://bank.example',
    'x-vostro-console': '1',
  })
  const refused = await plain.post('/session', { email: member.person.email, password: goodPassword })
  assert.deepEqual(codeOf(refused), [403, 'console_needs_https'])
})

test('a wrong password, an unknown email and a disabled user get the same refusal', async () => {
  const disabled = await openMember(bank, venture_id, 'viewer')
  await bank.admin.put(`/operator/users/${disabled.person.user_id}`, { status: 'DISABLED' })
  const details = []
  for (const [email, password] of [
    [member.person.email, 'another password 17'],
    [someEmail(), goodPassword],
    [disabled.person.email, goodPassword],
  ] as const) {
    const answer = await consoleOf(bank).post('/session', { email, password })
    assert.deepEqual(codeOf(answer), [401, 'sign_in_failed'])
    assert.equal(answer.headers['set-cookie'], undefined)
    details.push(answer.problem.detail)
  }
  assert.equal(new Set(details).size, 1)
})

test('a request with a cookie must come from the console itself', async () => {
  const good = { origin: consoleHeaders.origin, 'x-vostro-console': '1', 'sec-fetch-site': undefined }
  const change = (headers: Record<string, string | undefined>) =>
    member.with({ ...good, ...headers }).post('/clients/person', { surprise: 1 })
  const read = (headers: Record<string, string | undefined>) => member.with({ ...good, ...headers }).get('/clients')

  assert.equal((await change({})).status, 400)
  assert.equal((await change({ origin: undefined, 'sec-fetch-site': 'same-origin' })).status, 400)
  for (const headers of [
    { origin: undefined },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `${consoleHeaders.origin}.evil.example` },
    { 'x-vostro-console': undefined },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    assert.deepEqual(codeOf(await change(headers)), [403, 'foreign_origin'], JSON.stringify(headers))
  }
  assert.equal((await read({ origin: undefined, 'x-vostro-console': undefined })).status, 200)
  assert.equal((await read({ 'sec-fetch-site': 'same-origin' })).status, 200)
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.deepEqual(codeOf(await read({ 'sec-fetch-site': site })), [403, 'foreign_origin'], site)

  const body = { email: member.person.email, password: goodPassword }
  for (const headers of [
    {},
    { origin: consoleHeaders.origin },
    { 'x-vostro-console': '1' },
    { ...consoleHeaders, origin: 'https://evil.example' },
  ]) {
    assert.deepEqual(codeOf(await new Caller(bank.app, headers as Record<string, string>).post('/session', body)), [403, 'foreign_origin'])
  }
})

test('a tampered, doubled, ended or unknown cookie is 401, and so is a cookie together with a key', async () => {
  const { token } = await signIn(bank, member.person)
  const withCookie = (cookie: string, more = {}) => new Caller(bank.app, { ...consoleHeaders, cookie, ...more }).get('/session')
  assert.equal((await withCookie(`vostro=${token}`)).status, 200)
  assert.equal((await withCookie(`other=1; vostro=${token}; more=2`)).status, 200)
  const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
  for (const cookie of [`vostro=${changed}`, `vostro=${token}x`, 'vostro=', `vostro=${token}; vostro=${changed}`, `Vostro=${token}`])
    assert.deepEqual(codeOf(await withCookie(cookie)), [401, 'unauthorized'], cookie)
  const key = venture.headers['x-api-key'] ?? ''
  for (const more of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    const answer = await withCookie(`vostro=${token}`, more)
    assert.deepEqual(codeOf(answer), [401, 'unauthorized'])
    assert.match(answer.problem.detail, /both the cookie of a session and an API key/)
    const onVenture = await new Caller(bank.app, { ...consoleHeaders, cookie: `vostro=${token}`, ...more }).get('/clients')
    assert.deepEqual(codeOf(onVenture), [401, 'unauthorized'])
  }
})

test('a session ends after twelve hours, after half an hour without use, at sign-out, and when its user is disabled', async () => {
  for (const change of ["expires_at = now() - interval '1 second'", "last_seen_at = now() - interval '31 minutes'"]) {
    const session = await signIn(bank, member.person, venture_id)
    assert.equal((await session.get('/clients')).status, 200)
    await bank.owner.query(`update sessions set ${change} where token_hash = $1`, [hash('sha256', session.token)])
    assert.deepEqual(codeOf(await session.get('/clients')), [401, 'unauthorized'], change)
  }
  const leaving = await signIn(bank, member.person, venture_id)
  const out = await leaving.delete('/session')
  assert.equal(out.status, 204)
  assert.match(String(out.headers['set-cookie']), /^vostro=; Path=\/; Max-Age=0;/)
  assert.equal(out.headers['clear-site-data'], '"cache", "storage"')
  assert.equal((await leaving.get('/session')).status, 401)

  const other = await openMember(bank, venture_id, 'viewer')
  const elsewhere = await bank.openInstance()
  assert.equal((await new Caller(elsewhere, other.headers).get('/clients')).status, 200)
  await bank.admin.put(`/operator/users/${other.person.user_id}`, { status: 'DISABLED' })
  assert.equal((await new Caller(elsewhere, other.headers).get('/clients')).status, 401)
  await bank.admin.put(`/operator/users/${other.person.user_id}`, { status: 'ACTIVE' })
  assert.equal((await other.get('/clients')).status, 401, 'enabling a user does not bring back sessions')
})

test('use keeps a session alive, except for what the console asks by itself', async () => {
  const seenAfter = async (headers: Record<string, string>) => {
    const session = await signIn(bank, member.person, venture_id)
    await bank.owner.query("update sessions set last_seen_at = now() - interval '10 minutes' where token_hash = $1", [
      hash('sha256', session.token),
    ])
    const instance = await bank.openInstance()
    assert.equal((await new Caller(instance, { ...session.headers, ...headers }).get('/clients')).status, 200)
    await instance.close()
    const { rows } = await bank.owner.query(
      "select last_seen_at > now() - interval '1 minute' as seen from sessions where token_hash = $1",
      [hash('sha256', session.token)],
    )
    return rows[0].seen
  }
  assert.equal(await seenAfter({}), true)
  assert.equal(await seenAfter({ 'x-vostro-console': 'live' }), false)
})

test('the token changes at sign-in and at reauthentication, and the old one is worth nothing', async () => {
  const first = await signIn(bank, member.person, venture_id)
  const again = await first.post('/session', { email: member.person.email, password: goodPassword })
  assert.equal(again.status, 200)
  assert.equal((await first.get('/session')).status, 401)
  const second = new PersonCaller(bank.app, { person: member.person, token: tokenIn(again), venture_id })
  assert.deepEqual(codeOf(await second.post('/session/reauthentication', { password: 'another password 17' })), [401, 'sign_in_failed'])
  assert.equal((await second.get('/session')).status, 200)
  const renewed = await second.post('/session/reauthentication', { password: goodPassword })
  assert.equal(renewed.status, 200)
  assert.equal(renewed.body.id, again.body.id)
  assert.equal((await second.get('/session')).status, 401)
  assert.equal(
    (await new PersonCaller(bank.app, { person: member.person, token: tokenIn(renewed), venture_id }).get('/session')).status,
    200,
  )
})

test('keys, secrets and roles need a password within the last ten minutes', async () => {
  const session = await signIn(bank, member.person, venture_id)
  const order = { name: 'By a person', scopes: ['read'] }
  assert.equal((await session.post('/venture/keys', order)).status, 201)
  await bank.owner.query("update sessions set authenticated_at = now() - interval '11 minutes' where token_hash = $1", [
    hash('sha256', session.token),
  ])
  const before = [await bank.count('api_keys'), await bank.count('links')]
  for (const answer of [
    await session.post('/venture/keys', order),
    await session.post('/venture/users', { email: someEmail(), role: 'viewer' }),
    await session.put(`/venture/users/${member.person.user_id}`, { role: 'viewer' }),
    await session.post('/webhook-endpoints', { url: 'https://example.com/hooks' }),
    await session.put('/session/password', { new_password: 'nine loud mountains 17' }),
  ]) {
    assert.deepEqual(codeOf(answer), [403, 'reauthentication_required'], answer.text)
  }
  assert.deepEqual([await bank.count('api_keys'), await bank.count('links')], before)
  assert.equal((await session.get('/venture/keys')).status, 200)
  const renewed = await session.post('/session/reauthentication', { password: goodPassword })
  const fresh = new PersonCaller(bank.app, { person: member.person, token: tokenIn(renewed), venture_id })
  assert.equal((await fresh.post('/venture/keys', order)).status, 201)
})

test('a changed password ends the other sessions, and a weak one is refused', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  const other = await signIn(bank, person.person, venture_id)
  for (const new_password of [
    'short',
    'aaaaaaaaaaaaaaaaaaaa',
    '123456789012',
    'Password1234',
    'qwerty!!!!!!!!12345',
    'P@ssw0rd12345',
    'trustno1trustno1',
    'Summer2026Summer',
    `x${person.person.email}x`,
    'a'.repeat(12) + 'bcdefg'.repeat(30),
  ]) {
    assert.deepEqual(codeOf(await person.put('/session/password', { new_password })), [422, 'weak_password'], new_password)
  }
  assert.equal((await other.get('/session')).status, 200)
  assert.equal((await person.put('/session/password', { new_password: 'nine loud mountains 17' })).status, 204)
  assert.equal((await other.get('/session')).status, 401)
  assert.equal((await person.get('/session')).status, 200)
  const { email } = person.person
  assert.equal((await consoleOf(bank).post('/session', { email, password: goodPassword })).status, 401)
  assert.equal((await consoleOf(bank).post('/session', { email, password: 'nine loud mountains 17' })).status, 200)
})

test('failed sign-ins are limited by email and address together, by address and by email, even all at once', async () => {
  const strict = await openBank({ signInLimitFactor: 1, trustedProxies: ['127.0.0.1'] })
  const from = (address: string) => new Caller(strict.app, { ...consoleHeaders, 'x-forwarded-for': address })
  const { id } = (await strict.registerVenture()).venture
  const person = await openMember(strict, id, 'viewer')
  const { email } = person.person
  const attempt = (address: string, to = email, password = 'another password 17') => from(address).post('/session', { email: to, password })

  const burst = await Promise.all(Array.from({ length: 12 }, () => attempt('192.0.2.1')))
  assert.equal(burst.filter(({ status }) => status === 401).length, 5)
  const [limited] = burst.filter(({ status }) => status === 429)
  assert.equal(limited?.problem.code, 'too_many_sign_ins')
  assert.ok(Number(limited?.headers['retry-after']) > 0)
  // From this address even the right password does not help, but from another it does.
  assert.equal((await attempt('192.0.2.1', email, goodPassword)).status, 429)
  assert.equal((await attempt('192.0.2.2', email, goodPassword)).status, 200)

  for (let count = 0; count < 20; count++) assert.equal((await attempt('192.0.2.3', someEmail())).status, 401)
  assert.equal((await attempt('192.0.2.3', someEmail())).status, 429)

  // 5 failures are already counted for this email; successes are not counted.
  await strict.owner.query(
    `insert into sign_in_failures (id, email_hash, address_hash, failed_at)
     select gen_random_uuid(), email_hash, 'elsewhere ' || n, now() from generate_series(1, 45) n,
       (select email_hash from sign_in_failures where address_hash = $1 limit 1) as known`,
    [hash('sha256', 'address 192.0.2.1')],
  )
  assert.equal((await attempt('192.0.2.9', email, goodPassword)).status, 429)
  await strict.owner.query("update sign_in_failures set failed_at = failed_at - interval '15 minutes'")
  assert.equal((await attempt('192.0.2.1', email, goodPassword)).status, 200)
})

test('a sign-in that is refused because too many are waiting is no failure', async () => {
  const strict = await openBank({ signInLimitFactor: 1 })
  const { person } = await openMember(strict, (await strict.registerVenture()).venture.id, 'viewer')
  let isBusy = true
  const flood = (async () => {
    while (isBusy) {
      hashPassword(goodPassword).catch(() => undefined)
      await setImmediate()
    }
  })()
  const busy: number[] = []
  // An attempt that finds a place succeeds.
  for (let status = 200; busy.length < 6 && status !== 429; ) {
    status = (await consoleOf(strict).post('/session', { email: person.email, password: person.password })).status
    if (status !== 200) busy.push(status)
  }
  isBusy = false
  await flood
  assert.deepEqual(busy, Array(6).fill(503))
  assert.equal(await strict.count('sign_in_failures'), 0)
  const { rows } = await strict.owner.query("select from sign_ins where what <> 'SIGNED_IN'")
  assert.equal(rows.length, 0, 'nobody knows whether the password was right')
})

test('the address of X-Forwarded-For counts only behind a trusted proxy', async () => {
  const strict = await openBank({ signInLimitFactor: 1 })
  const answers = []
  for (let count = 0; count < 21; count++) {
    const caller = new Caller(strict.app, { ...consoleHeaders, 'x-forwarded-for': `192.0.2.${count}` })
    answers.push((await caller.post('/session', { email: someEmail(), password: goodPassword })).status)
  }
  assert.deepEqual([answers.filter((status) => status === 401).length, answers.at(-1)], [20, 429])
})

test('a person acts for the ventures they belong to, and learns nothing of others', async () => {
  const other = await bank.registerVenture()
  const client = await other.registerClient()
  assert.equal((await member.get('/venture')).body.id, venture_id)
  assert.equal((await member.get('/venture')).body.api_key_prefix, venture.venture.api_key_prefix)
  // A caller who asks for the venture gets all of it, however they are authenticated.
  const { body: whole } = await bank.admin.get(`/ventures/${venture_id}`)
  for (const caller of [member, venture, new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id })])
    assert.deepEqual((await caller.get('/venture')).body, whole)
  const foreign = await member.actingFor(other.venture.id).get(`/clients/${client.id}`)
  const unknown = await member.actingFor(unknownId).get(`/clients/${client.id}`)
  for (const answer of [foreign, unknown]) assert.deepEqual(codeOf(answer), [404, 'venture_not_found'])
  assert.equal(foreign.problem.detail, unknown.problem.detail)
  for (const headers of [
    { 'vostro-venture': undefined },
    { 'vostro-venture': 'mine' },
    { 'vostro-venture': `${venture_id},${venture_id}` },
  ]) {
    const answer = await member.with(headers).get('/clients')
    assert.deepEqual([...codeOf(answer), answer.problem.errors[0].field], [400, 'invalid_request', 'Vostro-Venture'])
  }
  assert.equal((await member.actingFor(venture_id.toUpperCase()).get('/clients')).status, 200)
  assert.equal((await member.get('/ventures')).problem.detail, 'This operation needs the role admin, operator or auditor at the bank.')
})

test('roles of a venture: an admin does everything, an operator no keys and people, a viewer only reads', async () => {
  const operator = await openMember(bank, venture_id, 'operator')
  const viewer = await openMember(bank, venture_id, 'viewer')
  const wrong = { surprise: 1 }
  for (const caller of [member, operator, viewer]) assert.equal((await caller.get('/clients')).status, 200)
  assert.equal((await operator.post('/clients/person', wrong)).status, 400)
  const refused = await viewer.post('/clients/person', wrong)
  assert.deepEqual([refused.status, refused.problem.detail], [403, 'This operation needs the role admin or operator of the venture.'])
  for (const caller of [operator, viewer]) {
    for (const path of ['/venture/keys', '/venture/users']) {
      const answer = await caller.post(path, wrong)
      assert.deepEqual([answer.status, answer.problem.detail], [403, 'This operation needs the role admin of the venture.'])
    }
  }
  assert.equal((await member.post('/venture/keys', wrong)).status, 400)
  const rotation = await member.post('/venture/rotate-key')
  assert.deepEqual([rotation.status, rotation.problem.detail], [403, 'This operation needs a key of the venture.'])
  const byKey = await venture.get('/venture/users')
  assert.deepEqual([byKey.status, byKey.problem.detail], [403, 'This operation needs a signed-in person, or the admin key.'])
})

test('what a person creates and moves names them, and the bank’s people are hidden from ventures', async () => {
  const banker = (await openBanker(bank, 'operator')).actingFor(venture_id)
  const account = await venture.openAccount({ balance: '50.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', unique_reference: `by-${account.id}` }
  const { body: transfer } = await member.post('/transfers', order)
  await banker.put(`/transfers/${transfer.id}`, { status: 'TO_SIGN' })
  const actors = async (caller: Caller) =>
    (await caller.get(`/transfers/${transfer.id}/history`)).body.map(({ actor, actor_id }: Loose) => [actor, actor_id !== null])
  for (const caller of [venture, member])
    assert.deepEqual(await actors(caller), [
      ['user', true],
      ['operator', false],
    ])
  assert.deepEqual(await actors(banker), [
    ['user', true],
    ['operator', true],
  ])

  const events = async (caller: Caller) => (await caller.get(`/events?resource_id=${transfer.id}`)).body
  const [moved, created] = await events(venture)
  assert.deepEqual([created.actor, created.actor_id], ['user', member.person.user_id])
  assert.deepEqual([moved.actor, moved.actor_id], ['operator', null])
  assert.deepEqual((await venture.get(`/events/${moved.id}`)).body, moved)
  assert.deepEqual((await events(banker))[0].actor_id, (await banker.get(`/events/${moved.id}`)).body.actor_id)
  assert.match((await events(banker))[0].actor_id, /^[0-9a-f-]{36}$/)
  const { id: client_id } = (await member.post('/clients/person', somePerson())).body
  await banker.put(`/clients/${client_id}`, { city: 'Lyon' })
  const { body: changes } = await banker.get(`/events?resource_id=${client_id}`)
  assert.deepEqual(
    changes.map(({ actor, actor_id }: Loose) => [actor, actor_id]),
    [
      ['operator', (await events(banker))[0].actor_id],
      ['user', member.person.user_id],
    ],
  )
})

test('a delivered event names the caller’s own people, and not those of the bank', async () => {
  const receiver = await openReceiver()
  await venture.post('/webhook-endpoints', { url: receiver.url, event_types: ['client.created'] })
  const banker = (await openBanker(bank, 'operator')).actingFor(venture_id)
  for (const caller of [member, banker]) assert.equal((await caller.post('/clients/person', somePerson())).status, 201)
  await bank.runDeliveries()
  assert.deepEqual(
    receiver.arrivals.map(({ event }: Loose) => [event.actor, event.actor_id]),
    [
      ['user', member.person.user_id],
      ['operator', null],
    ],
  )
})

test('the bank acts for any venture, even a disabled one; an auditor only reads; the admin key must name the venture', async () => {
  const target = await bank.registerVenture()
  const { id } = target.venture
  const [operator, auditor] = [await openBanker(bank, 'operator'), await openBanker(bank, 'auditor')]
  const admin = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': id })
  await bank.admin.put(`/ventures/${id}`, { status: 'DISABLED' })
  for (const caller of [operator.actingFor(id), auditor.actingFor(id), admin]) assert.equal((await caller.get('/clients')).status, 200)
  for (const caller of [operator.actingFor(id), admin]) assert.equal((await caller.post('/clients/person', { surprise: 1 })).status, 400)
  const refused = await auditor.actingFor(id).post('/clients/person', { surprise: 1 })
  assert.deepEqual([refused.status, refused.problem.detail], [403, 'This operation needs the role admin or operator at the bank.'])
  for (const caller of [operator.actingFor(unknownId), new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': unknownId })])
    assert.deepEqual(codeOf(await caller.get('/clients')), [404, 'venture_not_found'])
  const nameless = await bank.admin.get('/clients')
  assert.deepEqual([nameless.status, nameless.problem.detail], [403, "This operation needs a venture's key."])
  const malformed = await new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': 'x' }).get('/clients')
  assert.deepEqual(codeOf(malformed), [400, 'invalid_request'])

  const key = await bank.registerVenture()
  const own = new Caller(bank.app, { ...key.headers, 'vostro-venture': key.venture.id })
  assert.equal((await own.get('/clients')).status, 200)
  assert.deepEqual(codeOf(await new Caller(bank.app, { ...key.headers, 'vostro-venture': id }).get('/clients')), [403, 'forbidden'])

  const inDisabled = await openMember(bank, id, 'admin')
  const closed = await inDisabled.get('/clients')
  assert.deepEqual([...codeOf(closed), closed.problem.detail], [403, 'forbidden', 'The venture is disabled.'])
})

test('nobody changes the house’s books by hand, and the bank may read them', async () => {
  const house = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': houseId })
  assert.equal((await house.get('/transfers')).status, 200)
  assert.deepEqual(codeOf(await house.post('/clients/person', { surprise: 1 })), [403, 'forbidden'])
})

test('outside the sandbox, people of the bank need a passkey, and so do those of a venture who do more than read', async () => {
  const banker = await openBanker(bank, 'auditor')
  const strict = await bank.openInstance({ sandbox: false, passkeysRequired: true })
  const caller = new Caller(strict, banker.headers)
  assert.deepEqual(codeOf(await caller.get('/ventures')), [403, 'passkey_required'])
  assert.deepEqual(codeOf(await new Caller(strict, banker.actingFor(venture_id).headers).get('/clients')), [403, 'passkey_required'])
  assert.equal((await caller.get('/session')).status, 200)
  assert.deepEqual(codeOf(await new Caller(strict, member.headers).get('/clients')), [403, 'passkey_required'])
  const viewer = await openMember(bank, venture_id, 'viewer')
  assert.equal((await new Caller(strict, viewer.headers).get('/clients')).status, 200)
  await bank.owner.query('update sessions set by_passkey = true where token_hash = $1', [hash('sha256', banker.token)])
  assert.equal((await caller.get('/ventures')).status, 200)
})

test('no log line contains a password, a token or the secret of a link', async () => {
  const invited = await member.post('/venture/users', { email: someEmail(), role: 'viewer' })
  const secret = secretIn(invited.body)
  const person = await acceptLink(bank, invited.body)
  const session = await signIn(bank, person, venture_id)
  await consoleOf(bank).post('/session', { email: person.email, password: 'a wrong password 99' })
  await consoleOf(bank).post('/session/links', { secret, password: goodPassword })
  await session.get(`/clients?search=${session.token}`)
  const lines = bank.logLines.join('\n')
  assert.ok(lines.includes('/api/v1/session/links') && lines.includes(person.user_id))
  for (const text of [secret, session.token, goodPassword, 'a wrong password 99', member.token, hash('sha256', session.token)])
    assert.ok(!lines.includes(text), text)
})

test('people see their own sessions, and end any of them', async () => {
  const first = await openMember(bank, venture_id, 'viewer')
  const second = await signIn(bank, first.person)
  const { status, body } = await second.get('/session/sessions')
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ current }: Loose) => current),
    [true, false],
  )
  const [mine, other] = body
  assert.equal(mine.id, (await second.get('/session')).body.id)
  assert.deepEqual(Object.keys(mine), ['id', 'current', 'by_passkey', 'created_at', 'authenticated_at', 'last_seen_at', 'expires_at'])

  const ended = await second.delete(`/session/sessions/${other.id}`)
  assert.deepEqual([ended.status, ended.headers['set-cookie']], [204, undefined])
  assert.equal((await first.get('/session')).status, 401)
  assert.deepEqual(codeOf(await second.delete(`/session/sessions/${other.id}`)), [404, 'session_not_found'])
  const { body: log } = await bank.admin.get(`/operator/audit-log?action=endSession&actor_id=${first.id}`)
  assert.deepEqual(
    log.map(({ resource }: Loose) => resource),
    [other.id],
  )

  const last = await second.delete(`/session/sessions/${mine.id}`)
  assert.equal(last.status, 204)
  assert.match(String(last.headers['set-cookie']), /^vostro=; .*Max-Age=0/)
  assert.equal((await second.get('/session')).status, 401)
})

test('sessions that have ended are not listed, and nobody ends those of others', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  const { body: old } = await (await signIn(bank, person.person)).get('/session')
  await bank.owner.query("update sessions set last_seen_at = now() - interval '31 minutes' where id = $1", [old.id])
  const { body } = await person.get('/session/sessions')
  assert.deepEqual([body.length, body[0].current], [1, true])
  const { body: theirs } = await member.get('/session')
  for (const id of [theirs.id, unknownId])
    assert.deepEqual(codeOf(await person.delete(`/session/sessions/${id}`)), [404, 'session_not_found'])
  assert.deepEqual(codeOf(await person.delete('/session/sessions/none')), [400, 'invalid_request'])
  assert.equal((await member.get('/session')).status, 200)
  assert.deepEqual(codeOf(await venture.get('/session/sessions')), [403, 'forbidden'])
  assert.deepEqual(codeOf(await consoleOf(bank).get('/session/sessions')), [401, 'unauthorized'])
})
