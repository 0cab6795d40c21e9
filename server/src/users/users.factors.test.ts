// Every operation for people, for every role and every way of being signed in: what the service asks for first.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Route } from '../platform/http/http.ts'
import { Authenticator } from '../testing/testing.passkeys.ts'
import {
  acceptLink,
  challengeOf,
  consoleOf,
  consoleOrigin,
  enrol,
  goodPassword,
  openBanker,
  openMember,
  type PersonCaller,
  partsOf,
  signIn,
  signInWithPasskey,
  someEmail,
  tokenIn,
  withToken,
} from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'
import { type Asked, askedOf, type Factor, factors, needsPasskey, type Person, people } from './users.factors.ts'

const bank = await openBank({ passkeysRequired: true })
const { operations } = bank.services
const { id: venture_id } = (await bank.registerVenture()).venture
const lenient = await bank.openInstance({ passkeysRequired: false })

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const newPassword = 'nine loud mountains 17'

async function open({ at, role }: Person): Promise<PersonCaller> {
  if (at === 'venture') return openMember(bank, venture_id, role)
  // The admin key only lets in the first admins.
  const banker = await openBanker(bank, 'operator', venture_id)
  await bank.owner.query('update memberships set role = $1 where user_id = $2', [role, banker.id])
  return banker
}

const age = ({ token }: PersonCaller) =>
  bank.owner.query("update sessions set authenticated_at = now() - interval '11 minutes' where token_hash = $1", [hash('sha256', token)])

/** A person with this role, signed in this way. */
async function openWith(person: Person, { has_passkey, by_passkey, isFresh }: Factor): Promise<PersonCaller> {
  const first = await open(person)
  const enrolled = has_passkey ? await enrol(first) : first
  const caller = has_passkey && !by_passkey ? await signIn(bank, first.person, venture_id) : enrolled
  if (!isFresh) await age(caller)
  return caller
}

const asks: Partial<Record<string, Asked>> = {
  passkey_required: 'passkey',
  reauthentication_required: 'proof',
  forbidden: 'never',
  // The role may not change anything there at all.
  venture_not_found: 'never',
}

/** The request is malformed, so it changes nothing even if the service asks for nothing more. */
function send(caller: Caller, { method, url }: Route): Promise<Answer> {
  const body = method === 'GET' ? {} : { payload: '{"surprise":1}', headers: { 'content-type': 'application/json' } }
  return caller.send({ method: method as 'GET', url: url.replace(/:[a-z_]+/g, 'not-an-id'), ...body })
}

const routes = bank.app.routeTable.filter(({ key, url }) => ['venture', 'operator', 'session'].includes(key) && url.startsWith('/api/v1/'))
let looked = 0

for (const person of people)
  for (const factor of Object.values<Factor>(factors))
    test(`${person.role} at the ${person.at}, signed in with ${factor.words}: each operation asks for what the table says`, async () => {
      const caller = await openWith(person, factor)
      for (const [required, app] of [
        [true, bank.app],
        [false, lenient],
      ] as const)
        for (const route of routes) {
          const name = route.schema.operationId ?? ''
          const { status, problem, text } = await send(new Caller(app, caller.headers), route)
          const expected = askedOf(operations.accessOf(name), person, factor, required)
          assert.equal(status === 403 ? asks[problem.code] : 'nothing', expected, `${name}, required ${required}: ${status} ${text}`)
          looked++
        }
    })

test('the table was compared with the service in every cell', (t) => {
  t.diagnostic(
    `${people.length} roles × ${Object.keys(factors).length} factors × ${routes.length} operations × 2 settings = ${looked} answers`,
  )
  assert.equal(looked, people.length * Object.keys(factors).length * routes.length * 2)
})

test('a passkey is needed by everybody at the bank, and by those of a venture who may make keys, people, endpoints or payments', () => {
  const named = people.filter(needsPasskey).map(({ at, role }) => `${at} ${role}`)
  assert.deepEqual(named, ['bank admin', 'bank operator', 'bank auditor', 'venture admin', 'venture operator'])
})

test('without the passkey that a role needs, a session sees who it is, registers one, or ends; nothing else', () => {
  const open = operations
    .list()
    .filter(
      ([, { access }]) => access.door === 'session' && askedOf(access, { at: 'bank', role: 'admin' }, factors.password, true) === 'nothing',
    )
    .map(([name]) => name)
  assert.deepEqual(open.sort(), [
    'getSession',
    'reauthenticate',
    'reauthenticateWithPasskey',
    'registerPasskey',
    'signOut',
    'startPasskeyRegistration',
  ])
})

test('the session says that it needs a passkey, and no longer once there is one', async () => {
  const member = await openMember(bank, venture_id, 'operator')
  const stateOf = async (caller: Caller) => {
    const { body } = await caller.get('/session')
    return [body.passkey_required, body.has_passkey, body.by_passkey]
  }
  assert.deepEqual(await stateOf(member), [true, false, false])
  assert.deepEqual(await stateOf(new Caller(lenient, member.headers)), [false, false, false])
  const enrolled = await enrol(member)
  assert.deepEqual(await stateOf(enrolled), [false, true, true])
  assert.deepEqual(await stateOf(await signIn(bank, member.person)), [true, true, false])
  assert.deepEqual(await stateOf(await openMember(bank, venture_id, 'viewer')), [false, false, false])
})

test('who reads in one venture and orders in another needs the passkey in both', async () => {
  const other = await bank.registerVenture()
  const member = await openMember(bank, venture_id, 'viewer')
  assert.equal((await member.get('/clients')).status, 200)
  await bank.owner.query("insert into memberships select $1, $2, 'operator', now()", [member.id, other.venture.id])
  assert.deepEqual(codeOf(await member.get('/clients')), [403, 'passkey_required'])
  assert.equal((await (await enrol(member)).get('/clients')).status, 200)
})

test('somebody who needs a passkey accepts no further invitation without it', async () => {
  const member = await openMember(bank, venture_id, 'admin')
  const boss = await enrol(await openMember(bank, (await bank.registerVenture()).venture.id, 'admin'))
  const { body: link } = await boss.post('/venture/users', { email: member.person.email, role: 'admin' })
  assert.deepEqual(codeOf(await member.post('/session/links', partsOf(link))), [403, 'passkey_required'])
  assert.equal((await (await enrol(member)).post('/session/links', partsOf(link))).status, 200)
})

/** Lets in a person with a passkey, and returns a session of the person and one of a thief who knows the password. */
async function openRobbed(boss: PersonCaller) {
  const { body: link } = await boss.post('/venture/users', { email: someEmail(), role: 'viewer' })
  const device = new Authenticator(consoleOrigin)
  const victim = await enrol(await signIn(bank, await acceptLink(bank, link), venture_id), device)
  return { victim, device, thief: await signIn(bank, victim.person, venture_id) }
}

type Robbed = Awaited<ReturnType<typeof openRobbed>>

const rises: Record<string, (boss: PersonCaller, robbed: Robbed) => Promise<unknown>> = {
  'promoted to operator': (boss, { victim }) => boss.put(`/venture/users/${victim.id}`, { role: 'operator' }),
  'promoted to admin': (boss, { victim }) => boss.put(`/venture/users/${victim.id}`, { role: 'admin' }),
  'invited again as an admin': async (boss, { victim, thief }) => {
    await boss.delete(`/venture/users/${victim.id}`)
    const { body: link } = await boss.post('/venture/users', { email: victim.person.email, role: 'admin' })
    assert.deepEqual(codeOf(await thief.with({ 'vostro-venture': undefined }).post('/session/links', partsOf(link))), [
      403,
      'passkey_required',
    ])
    assert.equal((await victim.with({ 'vostro-venture': undefined }).post('/session/links', partsOf(link))).status, 200)
  },
}

for (const [rise, give] of Object.entries(rises))
  test(`somebody who is ${rise} keeps the passkey, and the password alone does not become the new role`, async () => {
    const boss = await enrol(await openMember(bank, venture_id, 'admin'))
    const robbed = await openRobbed(boss)
    const { victim, thief, device } = robbed
    await give(boss, robbed)
    for (const session of [thief, victim]) assert.deepEqual(codeOf(await session.get('/session')), [401, 'unauthorized'])
    const again = await signIn(bank, victim.person, venture_id)
    for (const refused of [
      again.post('/session/passkeys/options'),
      again.put('/session/password', { new_password: newPassword }),
      again.post('/venture/keys', { name: 'Server', scopes: ['transfers'] }),
    ])
      assert.deepEqual(codeOf(await refused), [403, 'passkey_required'])
    const own = await signInWithPasskey(bank, victim, device)
    assert.deepEqual([(await own.get('/session/passkeys')).body.length, (await own.get('/clients')).status], [1, 200])
  })

test('somebody without a passkey who gets a higher role is signed out, and registers one after the next sign-in', async () => {
  const boss = await enrol(await openMember(bank, venture_id, 'admin'))
  const member = await openMember(bank, venture_id, 'viewer')
  assert.equal((await boss.put(`/venture/users/${member.id}`, { role: 'admin' })).status, 200)
  assert.deepEqual(codeOf(await member.get('/session')), [401, 'unauthorized'])
  const again = await signIn(bank, member.person, venture_id)
  assert.deepEqual(codeOf(await again.get('/clients')), [403, 'passkey_required'])
  assert.equal((await (await enrol(again)).get('/clients')).status, 200)
})

test('a password is no proof of somebody who has a passkey, however they signed in', async () => {
  for (const role of ['viewer', 'admin'] as const) {
    const device = new Authenticator(consoleOrigin)
    const holder = await enrol(await openMember(bank, venture_id, role), device)
    await age(holder)
    const byPassword = (caller: Caller) => caller.post('/session/reauthentication', { password: goodPassword })
    assert.deepEqual(codeOf(await byPassword(holder)), [403, 'passkey_required'])
    assert.deepEqual(codeOf(await holder.put('/session/password', { new_password: newPassword })), [403, 'reauthentication_required'])
    const weak = await signIn(bank, holder.person)
    assert.deepEqual(codeOf(await byPassword(weak)), [403, 'passkey_required'])
    assert.deepEqual(codeOf(await weak.put('/session/password', { new_password: newPassword })), [403, 'passkey_required'])
    // With the passkey, the weak session is as good as any.
    const credential = device.get(await challengeOf(consoleOf(bank)))
    const proved = await weak.post('/session/reauthentication/passkey', { credential })
    assert.equal(proved.status, 200, proved.text)
    assert.equal((await withToken(weak, tokenIn(proved)).put('/session/password', { new_password: newPassword })).status, 204)
  }
})

const changes: Record<string, (holder: PersonCaller, device: Authenticator) => Promise<Answer>> = {
  'a changed password': (holder) => holder.put('/session/password', { new_password: newPassword }),
  'another passkey': async (holder) => {
    const { body } = await holder.post('/session/passkeys/options')
    return holder.post('/session/passkeys', { name: 'Phone', credential: new Authenticator(consoleOrigin).create(body) })
  },
  'a removed passkey': async (holder) => holder.delete(`/session/passkeys/${(await holder.get('/session/passkeys')).body[0].id}`),
}

for (const [name, change] of Object.entries(changes))
  test(`${name} ends all other sessions, those with the passkey included, and needs a proof of the last minutes`, async () => {
    const device = new Authenticator(consoleOrigin)
    const first = await enrol(await openMember(bank, venture_id, 'viewer'), device)
    const [holder, byPassword] = [await signInWithPasskey(bank, first, device), await signIn(bank, first.person)]
    await age(holder)
    assert.deepEqual(codeOf(await change(holder, device).catch((error) => error)), [403, 'reauthentication_required'])
    for (const other of [first, byPassword]) assert.equal((await other.get('/session')).status, 200)
    const again = await signInWithPasskey(bank, first, device)
    const changed = await change(again, device)
    assert.ok(changed.status < 300, changed.text)
    for (const other of [first, holder, byPassword]) assert.deepEqual(codeOf(await other.get('/session')), [401, 'unauthorized'])
    assert.equal((await withToken(again, tokenIn(changed) || again.token).get('/session')).status, 200)
  })

test('after the last passkey is removed, the session is one without, and registers another one', async () => {
  const holder = await enrol(await openMember(bank, venture_id, 'operator'))
  const [{ id }] = (await holder.get('/session/passkeys')).body
  assert.equal((await holder.delete(`/session/passkeys/${id}`)).status, 204)
  assert.deepEqual(codeOf(await holder.get('/clients')), [403, 'passkey_required'])
  assert.equal((await (await enrol(holder)).get('/clients')).status, 200)
})

test('a change waits for one before it, and is refused if that has ended its session', async () => {
  const { person } = await openMember(bank, venture_id, 'viewer')
  const [one, other] = [await signIn(bank, person), await signIn(bank, person)]
  const answers = await Promise.all([one, other].map((session) => session.put('/session/password', { new_password: newPassword })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401])
})

test('admins sign somebody out everywhere, who may sign in again; a venture does it to its own people only', async () => {
  const [atBank, boss] = [await enrol(await open({ at: 'bank', role: 'admin' })), await enrol(await openMember(bank, venture_id, 'admin'))]
  const victim = await openMember(bank, venture_id, 'viewer')
  const sessions = [victim, await signIn(bank, victim.person, venture_id)]
  const ended = async () => {
    for (const session of sessions.splice(0)) assert.deepEqual(codeOf(await session.get('/session')), [401, 'unauthorized'])
    sessions.push(await signIn(bank, victim.person, venture_id))
  }
  assert.equal((await atBank.delete(`/operator/users/${victim.id}/sessions`)).status, 204)
  await ended()
  assert.equal((await boss.delete(`/venture/users/${victim.id}/sessions`)).status, 204)
  await ended()
  assert.equal((await atBank.actingFor(venture_id).delete(`/venture/users/${victim.id}/sessions`)).status, 204)
  await ended()

  const stranger = await openMember(bank, (await bank.registerVenture()).venture.id, 'viewer')
  assert.deepEqual(codeOf(await boss.delete(`/venture/users/${stranger.id}/sessions`)), [404, 'user_not_found'])
  const nobody = '0198c6f2-0000-7000-8000-000000000000'
  assert.deepEqual(codeOf(await atBank.delete(`/operator/users/${nobody}/sessions`)), [404, 'user_not_found'])
  // A person of the bank who is also a member.
  await bank.owner.query("insert into memberships select $1, $2, 'viewer', now()", [atBank.id, venture_id])
  assert.deepEqual(codeOf(await boss.delete(`/venture/users/${atBank.id}/sessions`)), [409, 'user_elsewhere'])
  for (const other of [stranger, atBank]) assert.equal((await other.get('/session')).status, 200)
})
