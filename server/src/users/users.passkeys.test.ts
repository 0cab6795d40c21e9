// Passkeys, with an authenticator in software.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Authenticator } from '../testing/testing.passkeys.ts'
import {
  consoleHeaders,
  consoleOf,
  consoleOrigin,
  openMember,
  PersonCaller,
  signIn,
  someEmail,
  tokenIn,
} from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank()
const { venture } = await bank.registerVenture()
const codeOf = ({ status, problem }: Loose) => [status, problem?.code]

/** A person with a passkey, signed in with it. */
async function openHolder(): Promise<{ holder: PersonCaller; device: Authenticator }> {
  const person = await openMember(bank, venture.id, 'viewer')
  const device = new Authenticator(consoleOrigin)
  const { body: options } = await person.post('/session/passkeys/options')
  const registered = await person.post('/session/passkeys', { name: 'Laptop', credential: device.create(options) })
  assert.equal(registered.status, 201, registered.text)
  return { holder: callerOf(person, registered), device }
}

function callerOf({ person }: PersonCaller, answer: Answer): PersonCaller {
  return new PersonCaller(bank.app, { person, token: tokenIn(answer), venture_id: venture.id })
}

const challenge = async () => (await consoleOf(bank).post('/session/passkey/options')).body
const signInWith = (credential: object) => consoleOf(bank).post('/session/passkey', { credential })

test('a registered passkey signs in, and its session counts as one with a passkey', async () => {
  const { holder, device } = await openHolder()
  assert.equal((await holder.get('/session')).body.by_passkey, true)
  const [passkey] = (await holder.get('/session/passkeys')).body
  assert.deepEqual([passkey.name, passkey.last_used_at], ['Laptop', null])
  const answer = await signInWith(device.get(await challenge()))
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([answer.body.user.id, answer.body.by_passkey], [holder.person.user_id, true])
  assert.equal((await callerOf(holder, answer).get('/clients')).status, 200)
  assert.notEqual((await holder.get('/session/passkeys')).body[0].last_used_at, null)
})

test('a challenge works once, and only ours; a foreign origin, an unverified user and an unknown device are refused', async () => {
  const { device } = await openHolder()
  const options = await challenge()
  assert.equal((await signInWith(device.get(options))).status, 200)
  const refused = [
    device.get(options),
    device.get(await challenge(), { challenge: Buffer.alloc(32, 7).toString('base64url') }),
    device.get(await challenge(), { origin: 'https://evil.example' }),
    device.get(await challenge(), { flags: 0x01 }),
    device.get({ ...(await challenge()), rpId: 'evil.example' }),
    device.get(await challenge(), { counter: 1 }),
    new Authenticator(consoleOrigin).get(await challenge()),
  ]
  for (const [index, credential] of refused.entries())
    assert.deepEqual(codeOf(await signInWith(credential)), [401, 'sign_in_failed'], `${index}`)
  const changed = device.get(await challenge()) as Loose
  changed.response.signature = changed.response.signature.replace(/.$/, (last: string) => (last === 'A' ? 'Q' : 'A'))
  assert.deepEqual(codeOf(await signInWith(changed)), [401, 'sign_in_failed'])
  assert.deepEqual(codeOf(await signInWith({ id: 'x' })), [400, 'invalid_request'])
  assert.equal((await signInWith(device.get(await challenge()))).status, 200)
  const old = await challenge()
  await bank.owner.query("update passkey_challenges set expires_at = now() - interval '1 second'")
  assert.deepEqual(codeOf(await signInWith(device.get(old))), [401, 'sign_in_failed'])
})

test('registration refuses a used challenge, that of somebody else, another origin, and a passkey that exists', async () => {
  const person = await openMember(bank, venture.id, 'viewer')
  const other = await openMember(bank, venture.id, 'viewer')
  const optionsOf = async (caller: PersonCaller) => (await caller.post('/session/passkeys/options')).body
  const device = new Authenticator(consoleOrigin)
  const register = (credential: object) => person.post('/session/passkeys', { name: 'Phone', credential })
  const refused = [
    device.create(await optionsOf(other)),
    device.create(await challenge()),
    device.create(await optionsOf(person), { origin: 'https://evil.example' }),
    device.create(await optionsOf(person), { flags: 0x01 }),
    device.create({ ...(await optionsOf(person)), rp: { id: 'evil.example' } }),
  ]
  for (const credential of refused) assert.deepEqual(codeOf(await register(credential)), [422, 'passkey_refused'])
  assert.equal((await person.get('/session/passkeys')).body.length, 0)
  const options = await optionsOf(person)
  const done = await register(device.create(options))
  assert.equal(done.status, 201)
  const renewed = callerOf(person, done)
  for (const credential of [device.create(options), device.create(await optionsOf(renewed))]) {
    const answer = await renewed.post('/session/passkeys', { name: 'Again', credential })
    assert.deepEqual(codeOf(answer), [422, 'passkey_refused'])
  }
})

test('a password alone neither adds nor removes a passkey where there is one', async () => {
  const { holder } = await openHolder()
  const byPassword = await signIn(bank, holder.person)
  const [{ id }] = (await byPassword.get('/session/passkeys')).body
  assert.deepEqual(codeOf(await byPassword.post('/session/passkeys/options')), [403, 'passkey_required'])
  assert.deepEqual(codeOf(await byPassword.delete(`/session/passkeys/${id}`)), [403, 'passkey_required'])
  assert.equal((await holder.delete(`/session/passkeys/${id}`)).status, 204)
  assert.deepEqual(codeOf(await holder.delete(`/session/passkeys/${id}`)), [404, 'passkey_not_found'])
})

test('a passkey renews the proof of who one is, but only for its own person; a disabled person cannot sign in', async () => {
  const { holder, device } = await openHolder()
  const stranger = await openHolder()
  await bank.owner.query("update sessions set authenticated_at = now() - interval '11 minutes'")
  assert.deepEqual(codeOf(await holder.put('/session/password', { new_password: 'nine loud mountains 17' })), [
    403,
    'reauthentication_required',
  ])
  const renew = async (by: Authenticator) => holder.post('/session/reauthentication/passkey', { credential: by.get(await challenge()) })
  assert.deepEqual(codeOf(await renew(stranger.device)), [401, 'sign_in_failed'])
  const renewed = await renew(device)
  assert.equal(renewed.status, 200)
  assert.equal((await holder.get('/session')).status, 401)
  assert.equal((await callerOf(holder, renewed).put('/session/password', { new_password: 'nine loud mountains 17' })).status, 204)
  await bank.admin.put(`/operator/users/${holder.person.user_id}`, { status: 'DISABLED' })
  assert.deepEqual(codeOf(await signInWith(device.get(await challenge()))), [401, 'sign_in_failed'])
})

test('challenges are limited by address, and none is stored beyond the limit', async () => {
  const strict = await openBank({ signInLimitFactor: 0.01, trustedProxies: ['127.0.0.1'] })
  const begin = (address: string) =>
    new Caller(strict.app, { ...consoleHeaders, 'x-forwarded-for': address }).post('/session/passkey/options')
  for (let count = 0; count < 3; count++) assert.equal((await begin('10.0.0.1')).status, 200)
  for (let count = 0; count < 3; count++) {
    const refused = await begin('10.0.0.1')
    assert.deepEqual(codeOf(refused), [429, 'too_many_sign_ins'])
    assert.ok(Number(refused.headers['retry-after']) > 0)
  }
  assert.equal(await strict.count('passkey_challenges'), 3)
  assert.equal((await begin('10.0.0.2')).status, 200)
  await strict.owner.query("update sign_in_failures set failed_at = failed_at - interval '15 minutes'")
  assert.equal((await begin('10.0.0.1')).status, 200)
})

test('challenges do not count as failed sign-ins, and failed sign-ins do not count as challenges', async () => {
  const strict = await openBank({ signInLimitFactor: 1 })
  const { venture } = await strict.registerVenture()
  const { person } = await openMember(strict, venture.id, 'viewer')
  const console = consoleOf(strict)
  for (let count = 0; count < 25; count++) assert.equal((await console.post('/session/passkey/options')).status, 200)
  await signIn(strict, person)
  for (let count = 0; count < 20; count++) await console.post('/session', { email: someEmail(), password: 'another password 17' })
  assert.equal((await console.post('/session', { email: person.email, password: person.password })).status, 429)
  assert.equal((await console.post('/session/passkey/options')).status, 200)
})

test('a passkey that is removed while it signs in begins no session', async () => {
  const { holder, device } = await openHolder()
  const credential = device.get(await challenge())
  const sessions = await bank.count('sessions')
  await bank.owner.query('begin')
  await bank.owner.query('select from users where id = $1 for update', [holder.id])
  const answer = signInWith(credential)
  const waiting = `
    select count(*)::int from pg_locks
    where not granted and transactionid in (select transactionid from pg_locks where pid = pg_backend_pid())`
  while ((await bank.owner.query(waiting)).rows[0].count === 0) await sleep(5)
  await bank.owner.query('delete from passkeys where user_id = $1', [holder.id])
  await bank.owner.query('commit')
  assert.deepEqual(codeOf(await answer), [401, 'sign_in_failed'])
  assert.equal(await bank.count('sessions'), sessions)
})

test('failed passkeys count against the address, not against an email', async () => {
  const strict = await openBank({ signInLimitFactor: 1 })
  const { venture } = await strict.registerVenture()
  const { person } = await openMember(strict, venture.id, 'viewer')
  const console = consoleOf(strict)
  for (let count = 0; count < 5; count++) {
    const answer = await console.post('/session', { email: person.email, password: 'another password 17' })
    assert.equal(answer.status, 401)
  }
  assert.equal((await console.post('/session', { email: person.email, password: person.password })).status, 429)
  const tryPasskey = async () => {
    const { body } = await console.post('/session/passkey/options')
    return console.post('/session/passkey', { credential: new Authenticator(consoleOrigin).get(body) })
  }
  for (let count = 0; count < 15; count++) assert.equal((await tryPasskey()).status, 401)
  assert.deepEqual(codeOf(await tryPasskey()), [429, 'too_many_sign_ins'])
})
