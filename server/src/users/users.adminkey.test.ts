// The admin key is for setting up a bank: what it may still do with each further admin who has a passkey, and how a locked-out bank gets
// back in.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { Authenticator } from '../testing/testing.passkeys.ts'
import { ServiceProcess, stopProcesses } from '../testing/testing.process.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import {
  acceptLink,
  consoleOrigin,
  openBanker,
  PersonCaller,
  partsOf,
  signIn,
  someEmail,
  type TestLink,
  tokenIn,
} from '../testing/testing.sessions.ts'
import { type Answer, type Bank, Caller, type Loose, openBank } from '../testing/testing.ts'
import { makeKey } from '../ventures/ventures.keys.ts'

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const someId = '0198c6f2-0000-7000-8000-000000000000'
const retired = [403, 'admin_key_retired']
const invitation = (role = 'admin', email = someEmail()) => ({ email, role })

afterEach(stopProcesses)

/** A bank outside the sandbox that nobody has set up yet. */
const openReal = () => openBank({ sandbox: false, fourEyes: true })

async function startRegistration(person: PersonCaller): Promise<() => Promise<Answer>> {
  const device = new Authenticator(consoleOrigin)
  const { body: options } = await person.post('/session/passkeys/options')
  const credential = device.create(options)
  return () => person.post('/session/passkeys', { name: 'Laptop', credential })
}

async function withPasskey(person: PersonCaller): Promise<PersonCaller> {
  const answer = await (await startRegistration(person))()
  assert.equal(answer.status, 201, answer.text)
  return new PersonCaller(person.app, { person: person.person, token: tokenIn(answer) })
}

/** An admin whom the admin key lets in. */
async function openAdmin(bank: Bank): Promise<PersonCaller> {
  const { status, body, text } = await bank.admin.post('/operator/users', invitation())
  assert.equal(status, 201, text)
  return signIn(bank, await acceptLink(bank, body))
}

/** The given number of admins with a passkey. */
async function openAdmins(bank: Bank, count: number): Promise<PersonCaller[]> {
  const admins: PersonCaller[] = []
  for (let done = 0; done < count; done++) admins.push(await withPasskey(await openAdmin(bank)))
  return admins
}

const stepsOf = async (bank: Bank): Promise<string[]> =>
  (await bank.owner.query('select step from admin_key_steps order by at, step desc')).rows.map(({ step }) => step)

/** Examples of everything that the admin key does while a bank is being set up. */
const acts: Record<string, (bank: Bank) => Promise<Answer>> = {
  'registers a venture': ({ admin }) => admin.post('/ventures', { name: 'Acme' }),
  'lists ventures': ({ admin }) => admin.get('/ventures'),
  'lists users': ({ admin }) => admin.get('/operator/users'),
  'looks at the health': ({ admin }) => admin.get('/operator/health'),
  'reads metrics': ({ admin }) => admin.send({ method: 'GET', url: '/metrics' }),
  'disables somebody': async ({ admin, owner }) => {
    const { rows } = await owner.query('select id from users order by id limit 1')
    return admin.put(`/operator/users/${rows[0]?.id ?? someId}`, { status: 'ACTIVE' })
  },
  'acts for a venture': async ({ app, admin, owner }) => {
    const { rows } = await owner.query("select id from ventures where name = 'Acme' limit 1")
    return new Caller(app, { ...admin.headers, 'vostro-venture': rows[0]?.id ?? someId }).get('/clients')
  },
}

async function whatWorks(bank: Bank): Promise<string[]> {
  const works: string[] = []
  for (const [name, act] of Object.entries(acts)) {
    const answer = await act(bank)
    if (answer.status < 300) works.push(name)
    else assert.deepEqual(codeOf(answer), retired, name)
  }
  return works
}

test('the admin key does everything with one admin, invites the third one with two, and does nothing with three', async () => {
  const bank = await openReal()
  const first = await withPasskey(await openAdmin(bank))
  assert.deepEqual(await whatWorks(bank), Object.keys(acts))
  assert.deepEqual((await first.get('/operator/admin-key')).body, {
    may: 'EVERYTHING',
    admins_with_passkey: 1,
    admins_needed: 3,
    steps: [],
    scopes: [],
    set_up_reopened: [],
    related_days: 7,
    next_is_related: false,
  })

  const second = await openAdmin(bank)
  assert.deepEqual(await whatWorks(bank), Object.keys(acts), 'an admin without a passkey does not count')
  await withPasskey(second)
  assert.deepEqual(await whatWorks(bank), [])
  for (const role of ['operator', 'auditor']) assert.deepEqual(codeOf(await bank.admin.post('/operator/users', invitation(role))), retired)
  const { may, admins_with_passkey, steps } = (await first.get('/operator/admin-key')).body
  assert.deepEqual([may, admins_with_passkey, steps.map(({ step }: Loose) => step)], ['THIRD_ADMIN', 2, ['THIRD_ADMIN']])

  const third = await openAdmin(bank)
  assert.deepEqual(codeOf(await bank.admin.post('/operator/users', invitation())), [409, 'bank_has_admins'])
  await withPasskey(third)
  assert.deepEqual(await whatWorks(bank), [])
  assert.deepEqual(codeOf(await bank.admin.post('/operator/users', invitation())), retired)
  assert.equal((await first.get('/operator/admin-key')).body.may, 'NOTHING')
  assert.deepEqual(await stepsOf(bank), ['THIRD_ADMIN', 'NOTHING'])
  // A wrong key learns nothing about this.
  const wrong = new Caller(bank.app, { 'x-api-key': makeKey('admin') })
  assert.equal((await wrong.get('/ventures')).status, 401)
})

test('a step stays when passkeys are lost, admins leave and the service starts again', async () => {
  const bank = await openReal()
  const [first] = await openAdmins(bank, 3)
  for (const loss of [
    "delete from passkeys where user_id = (select user_id from memberships where role = 'admin' order by user_id desc limit 1)",
    "update users set status = 'DISABLED' where id = (select user_id from memberships where role = 'admin' order by user_id desc limit 1)",
    'delete from passkeys',
  ]) {
    await bank.owner.query(loss)
    assert.deepEqual(await whatWorks(bank), [], loss)
    assert.deepEqual(codeOf(await bank.admin.post('/operator/users', invitation())), retired, loss)
  }
  const again = new Caller(await bank.openInstance(), bank.admin.headers)
  assert.deepEqual(codeOf(await again.get('/ventures')), retired)
  assert.ok(first)
  for (const change of ['delete from admin_key_steps', "update admin_key_steps set step = 'THIRD_ADMIN'", 'truncate admin_key_steps'])
    await assert.rejects(bank.owner.query(change), /are never changed or deleted/, change)
})

test('a step is recorded with the passkey or the role that leads to it, although nobody uses the admin key', async () => {
  const bank = await openReal()
  const [first, second] = await openAdmins(bank, 2)
  assert.deepEqual(await stepsOf(bank), ['THIRD_ADMIN'])
  // An operator with a passkey becomes an admin.
  const decide = (approval: { id: string }) => second?.post(`/operator/approvals/${approval.id}/approve`)
  const asked = (await first?.post('/operator/users', invitation('operator')))?.body
  const link: TestLink = { ...(await decide(asked))?.body.result, code: asked.code }
  const operator = await withPasskey(await signIn(bank, await acceptLink(bank, link)))
  assert.deepEqual(await stepsOf(bank), ['THIRD_ADMIN'])
  const promotion = (await first?.put(`/operator/users/${operator.id}`, { bank_role: 'admin' }))?.body
  assert.equal((await decide(promotion))?.body.state, 'APPROVED')
  assert.deepEqual(await stepsOf(bank), ['THIRD_ADMIN', 'NOTHING'])
})

test('of two admins who register a passkey at the same moment, none is overlooked', async () => {
  const bank = await openReal()
  const admins = [await openAdmin(bank), await openAdmin(bank), await openAdmin(bank)]
  const registrations = await Promise.all(admins.map(startRegistration))
  const answers = await Promise.all(registrations.map((register) => register()))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.deepEqual((await stepsOf(bank)).sort(), ['NOTHING', 'THIRD_ADMIN'])
})

test('a bank that had its admins before is found out by the first request, and it is recorded', async () => {
  const bank = await openReal()
  const admins = [await openAdmin(bank), await openAdmin(bank), await openAdmin(bank)]
  for (const { id } of admins)
    await bank.owner.query(
      `insert into passkeys (credential_id, id, user_id, name, public_key, counter, transports, created_at) values ($1::text, $1::uuid, $1::uuid, 'Old', '', 0, '{}', now())`,
      [id],
    )
  assert.deepEqual(await stepsOf(bank), [])
  assert.deepEqual(codeOf(await bank.admin.get('/ventures')), retired)
  await bank.owner.query('delete from passkeys')
  assert.deepEqual(codeOf(await bank.admin.get('/ventures')), retired)
})

test('ADMIN_API_KEY_SCOPE leaves reading ventures and health to a retired key, and nothing else', async () => {
  const bank = await openReal()
  await openAdmins(bank, 3)
  const with_ = async (...adminApiKeyScopes: ('health' | 'ventures:read' | 'set-up')[]) => ({
    ...bank,
    admin: new Caller(await bank.openInstance({ adminApiKeyScopes }), bank.admin.headers),
  })
  assert.deepEqual(await whatWorks(await with_('health')), ['looks at the health'])
  assert.deepEqual(await whatWorks(await with_('ventures:read')), ['lists ventures'])
  assert.deepEqual(await whatWorks(await with_('health', 'ventures:read')), ['lists ventures', 'looks at the health'])
  assert.deepEqual(await whatWorks(await with_('set-up')), [])
  for (const scope of ['health', 'ventures:read'] as const)
    assert.deepEqual(codeOf(await (await with_(scope)).admin.post('/operator/users/set-up')), retired)
})

test('an invitation that was kept in reserve lets nobody in after the admin key is retired', async () => {
  const bank = await openReal()
  const spare = [
    (await bank.admin.post('/operator/users', invitation())).body,
    (await bank.admin.post('/operator/users', invitation())).body,
  ]
  const [, , third] = await openAdmins(bank, 3)
  await bank.owner.query("update users set status = 'DISABLED' where id = $1", [third?.id])
  for (const link of spare) await assert.rejects(acceptLink(bank, link), /link_expired/)
})

test('the first three admins are three people from the beginning, and none of them answers for another', async () => {
  const bank = await openReal()
  const admins = await openAdmins(bank, 3)
  for (const maker of admins) {
    for (const checker of admins.filter((other) => other !== maker)) {
      const { body: asked } = await maker.post('/operator/users', invitation('operator'))
      const answer = await checker.post(`/operator/approvals/${asked.id}/approve`)
      assert.equal(answer.body.state, 'APPROVED', answer.text)
    }
  }
})

test('nobody gains a second approver by putting a colleague out and letting a puppet in', async () => {
  const bank = await openBank({ fourEyes: true })
  const [villain, honest] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]
  assert.equal((await bank.admin.put(`/operator/users/${honest.id}`, { status: 'DISABLED' })).status, 200)
  const puppet = await openBanker(bank, 'admin')
  const { body: asked } = await villain.post('/operator/users', invitation('operator'))
  assert.deepEqual(codeOf(await puppet.post(`/operator/approvals/${asked.id}/approve`)), [409, 'related_approval'])
})

/** Whether the next admin is announced as related to everyone at the bank. */
const isNextRelated = async (person: PersonCaller): Promise<boolean> => (await person.get('/operator/admin-key')).body.next_is_related

test('the service says beforehand whether the next admin of the admin key counts as related, and then they do', async () => {
  const bank = await openBank({ fourEyes: true })
  const first = await openAdmin(bank)
  assert.equal(await isNextRelated(first), false)
  await openAdmin(bank)
  assert.equal(await isNextRelated(first), false)
  const isRelatedTo = async (newcomer: PersonCaller, checker: PersonCaller) => {
    const { body: asked } = await newcomer.post('/operator/users', invitation('operator'))
    const answer = await checker.post(`/operator/approvals/${asked.id}/approve`)
    return answer.problem?.code === 'related_approval'
  }
  const third = await openAdmin(bank)
  assert.equal(await isRelatedTo(third, first), false)
  // Three people have been there.
  assert.equal(await isNextRelated(first), true)

  // Of two people, one is disabled.
  const small = await openBank({ fourEyes: true })
  const [boss, colleague] = [await openAdmin(small), await openAdmin(small)]
  assert.equal((await small.admin.put(`/operator/users/${colleague.id}`, { status: 'DISABLED' })).status, 200)
  assert.equal(await isNextRelated(boss), true)
  assert.equal(await isRelatedTo(await openAdmin(small), boss), true)
})

test('a bank that is locked out gets in by a start with the scope set-up, and everybody learns of it', async () => {
  const bank = await openReal()
  const [lost, other] = await openAdmins(bank, 3)
  await bank.owner.query('delete from passkeys')
  assert.deepEqual(codeOf(await bank.admin.post('/operator/users/set-up')), retired)

  const server = findTestServer()
  const settings = (scope: string) => ({
    DATABASE_URL: urlOf(server.serviceUrl, bank.owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, bank.owner.database ?? ''),
    ADMIN_API_KEY: bank.config.adminApiKey ?? '',
    ADMIN_API_KEY_SCOPE: scope,
    SANDBOX: 'false',
    PORT: '0',
  })
  const before = await bank.count('audit_log')
  const quiet = new ServiceProcess(settings('health'))
  await quiet.ready()
  assert.equal(await bank.count('audit_log'), before)
  const started = new ServiceProcess(settings('set-up'))
  await started.ready()
  assert.match(started.stdout, /ADMIN_API_KEY_SCOPE names set-up: the holder of the admin key can add another admin of the bank/)
  assert.doesNotMatch(quiet.stdout, /names set-up/)
  // The instructions that are printed at startup must work.
  assert.doesNotMatch(quiet.stdout, /Register a venture|ADMIN_API_KEY is not set/)
  assert.match(quiet.stdout, /Admins of the bank register ventures in the console/)
  const { rows } = await bank.owner.query("select actor, actor_id, venture_id from audit_log where action = 'reopenSetUp'")
  assert.deepEqual(rows, [{ actor: 'service', actor_id: null, venture_id: '00000000-0000-0000-0000-000000000000' }])

  const app = await bank.openInstance({ adminApiKeyScopes: ['set-up'] })
  const key = new Caller(app, bank.admin.headers)
  assert.deepEqual(codeOf(await key.get('/ventures')), retired)
  assert.deepEqual(codeOf(await key.post('/operator/users', invitation())), retired)
  // People of the bank have no other way in.
  const colleague = await withPasskey(await signIn(bank, lost?.person as PersonCaller['person']))
  assert.deepEqual(codeOf(await new Caller(app, colleague.headers).post('/operator/users/set-up')), [409, 'already_set_up'])
  const { body: seen } = await colleague.get('/operator/admin-key')
  assert.deepEqual([seen.may, seen.set_up_reopened.length, seen.next_is_related], ['NOTHING', 1, true])

  const made = await key.post('/operator/users/set-up')
  assert.equal(made.status, 201, made.text)
  const newcomer = { ...partsOf(made.body), email: someEmail(), name: 'Grace', password: 'eleven loud mountains 17' }
  const use = (where: Bank['app']) => new Caller(where, { origin: consoleOrigin, 'x-vostro-console': '1' }).post('/session/links', newcomer)
  // Only while the service runs with this setting.
  assert.deepEqual(codeOf(await use(bank.app)), [410, 'link_expired'])
  const used = await use(app)
  assert.equal(used.status, 200, used.text)
  assert.deepEqual(codeOf(await use(app)), [410, 'link_expired'])
  const grace = await withPasskey(await signIn(bank, { ...used.body, password: newcomer.password }))

  // For seven days, the newcomer counts as one person with everyone who was there.
  const { body: asked } = await grace.post('/operator/users', invitation('operator'))
  for (const person of [colleague, await withPasskey(await signIn(bank, other?.person as PersonCaller['person']))])
    assert.deepEqual(codeOf(await person.post(`/operator/approvals/${asked.id}/approve`)), [409, 'related_approval'])
  await bank.owner.query("update links set used_at = used_at - interval '8 days' where kind = 'SET_UP'")
  assert.equal((await colleague.post(`/operator/approvals/${asked.id}/approve`)).body.state, 'APPROVED')
  assert.deepEqual(codeOf(await bank.admin.get('/ventures')), retired)
})

test('in the sandbox the admin key stays as it is', async () => {
  const bank = await openBank({ fourEyes: true, adminApiKeyScopes: ['set-up'] })
  await openAdmins(bank, 3)
  assert.deepEqual(await whatWorks(bank), Object.keys(acts))
  assert.deepEqual(codeOf(await bank.admin.post('/operator/users', invitation())), [409, 'bank_has_admins'])
  assert.deepEqual(codeOf(await bank.admin.post('/operator/users/set-up')), [409, 'already_set_up'])
})
