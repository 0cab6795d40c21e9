// The record of sign-ins: who, with which factor and from where. People read their own record, and the bank reads everyone's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Authenticator } from '../testing/testing.passkeys.ts'
import {
  acceptLink,
  challengeOf,
  consoleHeaders,
  consoleOf,
  consoleOrigin,
  enrol,
  goodPassword,
  openBanker,
  openMember,
  type PersonCaller,
  signIn,
  someEmail,
  tokenIn,
  withToken,
} from '../testing/testing.sessions.ts'
import { type Bank, Caller, type Loose, openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { noteThrottled, signInPruning } from './users.record.ts'

const bank = await openBank({ trustedProxies: ['127.0.0.1'] })
const { id: venture_id } = (await bank.registerVenture()).venture
const auditor = await openBanker(bank, 'auditor')

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const wrong = 'another password 17'

const from = (address: string, of: Bank = bank) => new Caller(of.app, { ...consoleHeaders, 'x-forwarded-for': address })
const asFrom = (person: PersonCaller, address: string) => person.with({ 'x-forwarded-for': address })
const byPassword = (person: PersonCaller, address: string, password = goodPassword, of: Bank = bank) =>
  from(address, of).post('/session', { email: person.person.email, password })

/** What happened, with which factor and from where, oldest first. */
async function recordOf(person: PersonCaller, of: Bank = bank): Promise<(string | null)[][]> {
  const { rows } = await of.owner.query('select what, factor, address from sign_ins where user_id = $1 order by id', [person.id])
  return rows.map(({ what, factor, address }) => [what, factor, address])
}

/** What is recorded about a person while something happens. */
async function during(person: PersonCaller, work: () => Promise<unknown>): Promise<(string | null)[][]> {
  const before = (await recordOf(person)).length
  await work()
  return (await recordOf(person)).slice(before)
}

test('sign-ins, failures, proofs and sign-outs are recorded with factor, address and session', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  assert.deepEqual(await recordOf(person), [['SIGNED_IN', 'PASSWORD', '127.0.0.1']])
  const device = new Authenticator(consoleOrigin)
  const entries = await during(person, async () => {
    assert.deepEqual(codeOf(await byPassword(person, '192.0.2.1', wrong)), [401, 'sign_in_failed'])
    const session = withToken(person, tokenIn(await byPassword(person, '192.0.2.2')))
    assert.equal((await asFrom(session, '192.0.2.3').post('/session/reauthentication', { password: wrong })).status, 401)
    const proved = await asFrom(session, '192.0.2.4').post('/session/reauthentication', { password: goodPassword })
    const again = withToken(person, tokenIn(proved))
    assert.equal((await asFrom(again, '192.0.2.5').delete('/session')).status, 204)
    const { body: last } = await bank.admin.get(`/operator/users/${person.id}/sign-ins?limit=1`)
    assert.deepEqual([last[0].what, last[0].session_id], ['SIGNED_OUT', proved.body.id])
  })
  assert.deepEqual(entries, [
    ['SIGN_IN_FAILED', 'PASSWORD', '192.0.2.1'],
    ['SIGNED_IN', 'PASSWORD', '192.0.2.2'],
    ['PROOF_FAILED', 'PASSWORD', '192.0.2.3'],
    ['PROVED', 'PASSWORD', '192.0.2.4'],
    ['SIGNED_OUT', null, '192.0.2.5'],
  ])

  const holder = await enrol(person, device)
  const stranger = new Authenticator(consoleOrigin)
  await enrol(await openMember(bank, venture_id, 'viewer'), stranger)
  const byPasskey = await during(person, async () => {
    const prove = async (caller: Caller, by: Authenticator, changes = {}) =>
      caller.post('/session/passkey', { credential: by.get(await challengeOf(consoleOf(bank)), changes) })
    assert.equal((await prove(from('192.0.2.6'), device, { origin: 'https://evil.example' })).status, 401)
    assert.equal((await prove(from('192.0.2.7'), device)).status, 200)
    const again = async (by: Authenticator, address: string) =>
      asFrom(holder, address).post('/session/reauthentication/passkey', { credential: by.get(await challengeOf(consoleOf(bank))) })
    assert.equal((await again(stranger, '192.0.2.8')).status, 401)
    assert.equal((await again(device, '192.0.2.9')).status, 200)
  })
  assert.deepEqual(byPasskey, [
    ['SIGN_IN_FAILED', 'PASSKEY', '192.0.2.6'],
    ['SIGNED_IN', 'PASSKEY', '192.0.2.7'],
    ['PROOF_FAILED', 'PASSKEY', '192.0.2.8'],
    ['PROVED', 'PASSKEY', '192.0.2.9'],
  ])
})

test('changes of factors and ended sessions are recorded, those by others without an address', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  const entries = await during(person, async () => {
    const holder = await enrol(person)
    const at = (address: string) => asFrom(holder, address)
    assert.equal((await at('192.0.2.1').put('/session/password', { new_password: 'nine loud mountains 17' })).status, 204)
    const other = await signIn(bank, { ...person.person, password: 'nine loud mountains 17' })
    const { id } = (await other.get('/session')).body
    assert.equal((await at('192.0.2.2').delete(`/session/sessions/${id}`)).status, 204)
    const [passkey] = (await holder.get('/session/passkeys')).body
    assert.equal((await at('192.0.2.3').delete(`/session/passkeys/${passkey.id}`)).status, 204)
    await enrol(holder)
    assert.equal((await bank.admin.put(`/operator/users/${person.id}`, { bank_role: 'operator' })).status, 200)
    assert.equal((await bank.admin.delete(`/operator/users/${person.id}/sessions`)).status, 204)
    await acceptLink(bank, (await bank.admin.post(`/operator/users/${person.id}/reset`)).body)
  })
  assert.deepEqual(entries, [
    ['PASSKEY_ADDED', 'PASSKEY', '127.0.0.1'],
    ['PASSWORD_CHANGED', 'PASSWORD', '192.0.2.1'],
    ['SIGNED_IN', 'PASSWORD', '127.0.0.1'],
    ['SESSION_ENDED', null, '192.0.2.2'],
    ['PASSKEY_REMOVED', 'PASSKEY', '192.0.2.3'],
    ['PASSKEY_ADDED', 'PASSKEY', '127.0.0.1'],
    ['SESSIONS_ENDED', null, null],
    ['PASSKEY_REMOVED', 'PASSKEY', null],
    ['SESSIONS_ENDED', null, null],
    ['PASSWORD_RESET', 'PASSWORD', '127.0.0.1'],
  ])
})

test('a refusal because of too many attempts is recorded once for each address, and only of people who exist', async () => {
  const strict = await openBank({ signInLimitFactor: 1, trustedProxies: ['127.0.0.1'] })
  const person = await openMember(strict, (await strict.registerVenture()).venture.id, 'viewer')
  const before = await recordOf(person, strict)
  for (const address of ['192.0.2.1', '192.0.2.2'])
    for (let count = 0; count < 9; count++)
      assert.equal((await byPassword(person, address, wrong, strict)).status, count < 5 ? 401 : 429, `${address} ${count}`)
  await eventually(async () => (await recordOf(person, strict)).length >= before.length + 12)
  const since = (await recordOf(person, strict)).slice(before.length).map(([what, , address]) => `${what} ${address}`)
  const expected = ['192.0.2.1', '192.0.2.2'].flatMap((address) => [
    ...Array<string>(5).fill(`SIGN_IN_FAILED ${address}`),
    `SIGN_IN_THROTTLED ${address}`,
  ])
  assert.deepEqual(since.sort(), expected.sort())
})

test('attempts that are refused at once leave one entry, on whichever instances they arrive', async () => {
  const strict = await openBank({ signInLimitFactor: 1, trustedProxies: ['127.0.0.1'] })
  const person = await openMember(strict, (await strict.registerVenture()).venture.id, 'viewer')
  const { email } = person.person
  const throttled = async () =>
    (await recordOf(person, strict)).filter(([what]) => what === 'SIGN_IN_THROTTLED').map(([, , address]) => address)
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await byPassword(person, '192.0.2.1', wrong, strict)).status))
  assert.equal(statuses.filter((status) => status === 429).length, 25)
  await eventually(async () => (await throttled()).length > 0)
  const since = new Date(Date.now() - 900_000).toISOString()
  const noted = Array.from({ length: 5 }, () =>
    strict.database.transaction((tx) => noteThrottled(tx, { email, address: '192.0.2.2', since })),
  )
  assert.deepEqual((await Promise.all(noted)).sort(), [0, 0, 0, 0, 1])
  assert.deepEqual((await throttled()).sort(), ['192.0.2.1', '192.0.2.2'])
})

test('failures of an email that nobody has are counted, and stored without a name', async () => {
  const email = someEmail()
  const countOf = async (outcome: string) => {
    const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
    return Number(new RegExp(`^sign_ins_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  }
  const [unknown, failed, records] = [await countOf('unknown'), await countOf('failed'), await bank.count('sign_ins')]
  for (let count = 0; count < 3; count++) assert.equal((await from('192.0.2.1').post('/session', { email, password: wrong })).status, 401)
  const credential = new Authenticator(consoleOrigin).get(await challengeOf(consoleOf(bank)))
  assert.equal((await consoleOf(bank).post('/session/passkey', { credential })).status, 401)
  assert.deepEqual([await countOf('unknown'), await countOf('failed'), await bank.count('sign_ins')], [unknown + 4, failed, records])
  const { rows } = await bank.owner.query(
    "select count(*)::int as count from sign_in_failures kept where kept::text like '%' || $1 || '%'",
    [email.slice(0, 12)],
  )
  assert.equal(rows[0].count, 0)
  const person = await openMember(bank, venture_id, 'viewer')
  await byPassword(person, '192.0.2.1', wrong)
  assert.equal(await countOf('failed'), failed + 1)
})

test('people read their own record page by page and nobody else’s; the bank reads that of everybody', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  for (let count = 0; count < 3; count++) await byPassword(person, `192.0.2.${count}`, wrong)
  const first = await person.get('/session/sign-ins?limit=2')
  assert.deepEqual(
    first.body.map(({ what, address }: Loose) => [what, address]),
    [
      ['SIGN_IN_FAILED', '192.0.2.2'],
      ['SIGN_IN_FAILED', '192.0.2.1'],
    ],
  )
  assert.deepEqual(Object.keys(first.body[0]), ['id', 'what', 'factor', 'address', 'session_id', 'created_at'])
  const rest = (await person.get(`/session/sign-ins?after=${first.body[1].id}`)).body
  assert.deepEqual([rest.length, rest.at(-1).what, rest.at(-1).session_id], [2, 'SIGNED_IN', (await person.get('/session')).body.id])
  assert.deepEqual((await auditor.get(`/operator/users/${person.id}/sign-ins`)).body, [...first.body, ...rest])
  const nobody = '0198c6f2-0000-7000-8000-000000000000'
  assert.deepEqual(codeOf(await auditor.get(`/operator/users/${nobody}/sign-ins`)), [404, 'user_not_found'])
  assert.deepEqual(codeOf(await person.get(`/operator/users/${auditor.id}/sign-ins`)), [403, 'forbidden'])
})

test('many attempts at once leave one entry each, whatever comes of them', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  const entries = await during(person, async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => byPassword(person, '192.0.2.1', at % 3 === 0 ? goodPassword : wrong)))
  })
  assert.deepEqual(entries.map(([what]) => what).sort(), [
    ...Array<string>(4).fill('SIGNED_IN'),
    ...Array<string>(8).fill('SIGN_IN_FAILED'),
  ])
})

test('entries are deleted after their time, and no others', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  await byPassword(person, '192.0.2.1', wrong)
  await bank.owner.query("update sign_ins set created_at = now() - interval '401 days' where user_id = $1 and what = 'SIGNED_IN'", [
    person.id,
  ])
  await bank.owner.query("update sign_ins set created_at = now() - interval '399 days' where user_id = $1 and what <> 'SIGNED_IN'", [
    person.id,
  ])
  for await (const _ of signInPruning(bank.database, { days: 400, step: 2 }).steps());
  assert.deepEqual(await recordOf(person), [['SIGN_IN_FAILED', 'PASSWORD', '192.0.2.1']])
})
