// What people of the bank do about each other: split links, people who come in with the admin key, people who leave, and lost passkeys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { Authenticator } from '../testing/testing.passkeys.ts'
import {
  acceptLink,
  consoleOf,
  consoleOrigin,
  goodPassword,
  openBanker,
  openMember,
  type Person,
  PersonCaller,
  partsOf,
  secretIn,
  signIn,
  someEmail,
  type TestLink,
  tokenIn,
} from '../testing/testing.sessions.ts'
import { type Bank, type Caller, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank({ fourEyes: true })
let [alice, bob] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]
const oscar = await openBanker(bank, 'operator')
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id
const newcomer = { name: 'Grace Hopper', password: goodPassword }

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const decide = (approval: { id: string }, by: Caller, how = 'approve') => by.post(`/operator/approvals/${approval.id}/${how}`)

async function asked(answer: Promise<Loose>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.equal(status, 202, text)
  return body
}

/** The URL from the approver, together with the requester's code. */
async function byTwo(answer: Promise<Loose>, checker: Caller = bob): Promise<TestLink & Loose> {
  const { id, code } = await asked(answer)
  const { body, text } = await decide({ id }, checker)
  assert.equal(body?.state, 'APPROVED', text)
  return { ...body.result, code }
}

const invitation = (role = 'operator', email = someEmail()) => ({ email, role })

async function isBlocked(of: Bank, id: string): Promise<boolean> {
  return (await of.owner.query('select blocked from clients where id = $1', [id])).rows[0].blocked
}

test('a link that two people made works with the code of the one and the URL of the other, and with neither alone', async () => {
  const target = await openBanker(bank, 'operator')
  for (const ask of [
    () => alice.post('/operator/users', invitation()),
    () => alice.actingFor(venture_id).post('/venture/users', invitation('admin')),
    () => alice.post(`/operator/users/${target.id}/reset`),
  ]) {
    const link = await byTwo(ask())
    const use = (parts: object) => consoleOf(bank).post('/session/links', { ...parts, ...newcomer })
    const [secret, code] = [secretIn(link), link.code ?? '']
    const before = [await bank.count('users'), await bank.count('audit_log')]
    const { code_hash } = (await bank.owner.query("select payload->>'code_hash' as code_hash from approvals order by id desc limit 1"))
      .rows[0]
    for (const parts of [
      { secret },
      { secret, code: `${code.slice(0, -1)}${code.endsWith('7') ? '8' : '7'}` },
      { secret, code: code_hash },
      { secret, code: '-' },
      { secret: 'A'.repeat(43), code },
      { secret: code.padEnd(43, 'A') },
    ])
      assert.deepEqual(codeOf(await use(parts)), [404, 'link_not_found'], JSON.stringify(parts))
    assert.deepEqual([await bank.count('users'), await bank.count('audit_log')], before)
    // However it is typed.
    const answer = await use({ secret, code: ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}` })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(codeOf(await use({ secret, code })), [410, 'link_expired'])
    assert.deepEqual(codeOf(await use({ secret })), [404, 'link_not_found'])
  }
  // A link that one person creates has no code, and no code fits it.
  const { body: alone } = await (await openMember(bank, venture_id, 'admin')).post('/venture/users', invitation('viewer'))
  const withCode = await consoleOf(bank).post('/session/links', { secret: secretIn(alone), code: '7', ...newcomer })
  assert.deepEqual(codeOf(withCode), [404, 'link_not_found'])
  await acceptLink(bank, alone)
})

test('each request for a link has a code of its own', async () => {
  const codes = new Set<string>()
  for (let count = 0; count < 4; count++) codes.add((await asked(alice.post('/operator/users', invitation()))).code)
  assert.equal(codes.size, 4)
})

test('the approver of two invitations is in neither, so the two people who came in count as two', async () => {
  const [one, two] = [
    await signIn(bank, await acceptLink(bank, await byTwo(alice.post('/operator/users', invitation())))),
    await signIn(bank, await acceptLink(bank, await byTwo(alice.post('/operator/users', invitation())))),
  ]
  const client = await venture.registerClient()
  await one.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: true })
  const request = await asked(one.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: false }))
  for (const sponsor of [alice, bob]) assert.deepEqual(codeOf(await decide(request, sponsor)), [409, 'related_approval'])
  assert.equal((await decide(request, two)).body.state, 'APPROVED')
})

test('two people whom the same person alone has let into a venture, or reset, are one person', async () => {
  const boss = await openMember(bank, venture_id, 'admin')
  const enter = async () => signIn(bank, await acceptLink(bank, (await boss.post('/venture/users', invitation('viewer'))).body))
  const byAdminKey = () => openMember(bank, venture_id, 'viewer')
  const other = await openMember(bank, venture_id, 'admin')
  // As if two people of the bank had let in both admins; otherwise everyone here would come from the admin key.
  await bank.owner.query('update links set made_by_id = gen_random_uuid(), checker_id = gen_random_uuid() where user_id = any($1)', [
    [boss.id, other.id],
  ])
  const reset = async () => {
    const person = await signIn(bank, await acceptLink(bank, (await other.post('/venture/users', invitation('viewer'))).body))
    await acceptLink(bank, (await boss.post(`/venture/users/${person.id}/reset`)).body)
    return signIn(bank, person.person)
  }
  // Honest people give all of them a role at the bank.
  const hired = async (person: PersonCaller) => {
    await byTwo(alice.put(`/operator/users/${person.id}`, { bank_role: 'operator' }))
    return signIn(bank, person.person)
  }
  const [one, two, three] = [await hired(await enter()), await hired(await enter()), await hired(await reset())]
  const [four, five] = [await hired(await byAdminKey()), await hired(await byAdminKey())]
  const client = await venture.registerClient()
  assert.equal((await oscar.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: true })).status, 200)
  const forVenture = (person: PersonCaller) => person.actingFor(venture_id)
  for (const [maker, puppet, stranger] of [
    [one, two, four],
    [two, three, five],
    [four, five, three],
  ] as const) {
    const request = await asked(forVenture(maker).put(`/clients/${client.id}`, { blocked: false }))
    assert.deepEqual(codeOf(await decide(request, puppet)), [409, 'related_approval'])
    assert.equal((await decide(request, stranger)).body.state, 'APPROVED')
    assert.equal((await forVenture(oscar).put(`/clients/${client.id}`, { blocked: true })).status, 200)
  }
})

test('a person invited with the admin key counts as one with everybody who was there, for seven days', async () => {
  const fresh = await openBank({ fourEyes: true })
  const invite = async () => (await fresh.admin.post('/operator/users', invitation('admin'))).body
  const enter = async (link: TestLink) => signIn(fresh, await acceptLink(fresh, link))
  const [first, second] = [await enter(await invite()), await enter(await invite())]
  // The first two count as two people from the start.
  const given = await asked(first.post('/operator/users', invitation()))
  const { body: approved } = await decide(given, second)
  const villain = await enter({ ...approved.result, code: given.code })

  const managed = await ManagedVenture.open(fresh)
  const client = await managed.registerClient()
  const forVenture = villain.actingFor(managed.venture.id)
  assert.equal((await forVenture.put(`/clients/${client.id}`, { blocked: true })).status, 200)
  // The villain has the admin key, disables an admin and lets a puppet in.
  assert.equal((await fresh.admin.put(`/operator/users/${second.id}`, { status: 'DISABLED' })).status, 200)
  const puppet = await enter(await invite())
  const request = await asked(forVenture.put(`/clients/${client.id}`, { blocked: false }))
  assert.deepEqual(codeOf(await decide(request, puppet)), [409, 'related_approval'])
  const theirs = await asked(puppet.post('/operator/users', invitation()))
  assert.deepEqual(codeOf(await decide(theirs, first)), [409, 'related_approval'])
  assert.equal(await isBlocked(fresh, client.id), true)

  // After six days nothing has changed, and after seven it is over: the bank is not locked forever.
  const pass = async (interval: string) => {
    await fresh.owner.query('update links set used_at = used_at - $1::interval', [interval])
    await fresh.owner.query('update memberships set created_at = created_at - $1::interval', [interval])
  }
  await pass('6 days 23 hours')
  assert.deepEqual(codeOf(await decide(theirs, first)), [409, 'related_approval'])
  await pass('2 hours')
  assert.equal((await decide(theirs, first)).body.state, 'APPROVED')
  // A person whom two people invited is related to them as long as they are there.
  assert.deepEqual(codeOf(await decide(request, first)), [409, 'related_approval'])
})

test('a person who sets up a bank that has had people counts as one with everybody who is there', async () => {
  const fresh = await openBank({ fourEyes: true })
  const [boss, villain] = [await openBanker(fresh, 'admin'), await openBanker(fresh, 'operator')]
  const managed = await ManagedVenture.open(fresh)
  const client = await managed.registerClient()
  const forVenture = villain.actingFor(managed.venture.id)
  assert.equal((await forVenture.put(`/clients/${client.id}`, { blocked: true })).status, 200)
  await fresh.owner.query("update users set status = 'DISABLED' where id = $1", [boss.id])
  const { body: setUp } = await fresh.admin.post('/operator/users/set-up')
  const puppet = await signIn(fresh, await acceptLink(fresh, setUp, { email: someEmail() }))
  const request = await asked(forVenture.put(`/clients/${client.id}`, { blocked: false }))
  assert.deepEqual(codeOf(await decide(request, puppet)), [409, 'related_approval'])
  assert.equal(await isBlocked(fresh, client.id), true)
  await fresh.owner.query("update links set used_at = used_at - interval '8 days' where kind = 'SET_UP'")
  assert.equal((await decide(request, puppet)).body.state, 'APPROVED')
})

test('anybody who may decide can reject, also a puppet and a person without a role for the action; the maker withdraws', async () => {
  const related = await signIn(bank, await acceptLink(bank, await byTwo(alice.post('/operator/users', invitation()))))
  for (const [person, state] of [
    [related, 'REJECTED'],
    [oscar, 'REJECTED'],
    [alice, 'WITHDRAWN'],
  ] as const) {
    const request = await asked(alice.post('/operator/users', invitation('admin')))
    const { status, body } = await person.post(`/operator/approvals/${request.id}/reject`, { reason: 'No.' })
    assert.deepEqual([status, body.state, body.reason, body.checker_id], [200, state, 'No.', state === 'WITHDRAWN' ? null : person.id])
    assert.ok(body.decided_at)
    const late = await decide(request, bob)
    assert.deepEqual([...codeOf(late), late.problem?.state], [409, 'approval_not_pending', state])
  }
  const request = await asked(alice.post('/operator/users', invitation('admin')))
  assert.deepEqual(codeOf(await decide(request, bank.admin, 'reject')), [403, 'person_needed'])
  assert.deepEqual(codeOf(await decide(request, await openBanker(bank, 'auditor'), 'reject')), [403, 'forbidden'])
})

test('what somebody asked who was disabled or removed is withdrawn at once', async () => {
  for (const change of [{ status: 'DISABLED' }, { bank_role: null }, { bank_role: null, status: 'DISABLED' }]) {
    const maker = await openBanker(bank, 'operator')
    const client = await venture.registerClient()
    await maker.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: true })
    const request = await asked(maker.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: false }))
    const others = await asked(alice.post('/operator/users', invitation()))
    assert.equal((await bob.put(`/operator/users/${maker.id}`, change)).status, 200)
    const { state, reason, checker_id } = (await bob.get(`/operator/approvals/${request.id}`)).body
    assert.deepEqual([state, checker_id], ['WITHDRAWN', null])
    assert.match(reason, /was disabled or no longer belongs to the bank/)
    assert.deepEqual(codeOf(await decide(request, oscar)), [409, 'approval_not_pending'])
    assert.equal(await isBlocked(bank, client.id), true)
    assert.equal((await bob.get(`/operator/approvals/${others.id}`)).body.state, 'PENDING')
    // It does not come back with the person.
    if (change.status === undefined) continue
    await bob.put(`/operator/users/${maker.id}`, { status: 'ACTIVE' })
    assert.deepEqual(codeOf(await decide(request, oscar)), [409, 'approval_not_pending'])
  }
})

test('what has expired stays expired when its maker leaves', async () => {
  const maker = await openBanker(bank, 'admin')
  const [expired, open] = [
    await asked(maker.post('/operator/users', invitation())),
    await asked(maker.post('/operator/users', invitation())),
  ]
  await bank.owner.query("update approvals set expires_at = created_at + interval '1 millisecond' where id = $1", [expired.id])
  assert.equal((await bob.put(`/operator/users/${maker.id}`, { status: 'DISABLED' })).status, 200)
  const stateOf = async ({ id }: Loose) => (await bob.get(`/operator/approvals/${id}`)).body
  const [before, after] = [await stateOf(expired), await stateOf(open)]
  assert.deepEqual([before.state, before.reason, before.decided_at, after.state], ['EXPIRED', null, null, 'WITHDRAWN'])
})

test('a request of somebody whose role is no longer enough fails, also if it was stored while the person left', async () => {
  for (const change of [
    "update users set status = 'DISABLED' where id = $1",
    "update memberships set role = 'auditor' where user_id = $1",
    'delete from memberships where user_id = $1',
  ]) {
    const maker = await openBanker(bank, 'operator')
    const client = await venture.registerClient()
    await maker.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: true })
    const request = await asked(maker.actingFor(venture_id).put(`/clients/${client.id}`, { blocked: false }))
    await bank.owner.query(change, [maker.id])
    const { status, body } = await decide(request, oscar)
    assert.deepEqual([status, body.state, body.reason], [200, 'FAILED', 'The person who made the request may no longer do this.'])
    assert.equal(await isBlocked(bank, client.id), true)
  }
})

test('approving needs a role that may do it: an operator gets neither links nor keys of admins', async () => {
  const requests = [
    await asked(alice.post('/operator/users', invitation('admin'))),
    await asked(alice.post(`/ventures/${venture_id}/keys`, { name: 'Second', scopes: ['transfers'] })),
    await asked(alice.put('/operator/rates', { from_currency: 'EUR', to_currency: 'SEK', rate: '11.5', margin: '0.01' })),
  ]
  for (const request of requests) {
    const answer = await decide(request, oscar)
    assert.deepEqual([...codeOf(answer), answer.problem?.detail], [403, 'forbidden', 'Approving this needs the role admin at the bank.'])
    assert.equal((await bob.get(`/operator/approvals/${request.id}`)).body.state, 'PENDING')
    assert.equal((await decide(request, bob)).body.state, 'APPROVED')
  }
})

test('links into ventures and resets end when their maker is no longer an admin of the bank', async () => {
  // A venture without an admin; ventures with an admin do this themselves.
  const { id: without } = (await ManagedVenture.open(bank)).venture
  const member = await openMember(bank, without, 'viewer')
  for (const change of [{ bank_role: null }, { bank_role: 'operator' }, { status: 'DISABLED' }]) {
    const third = await openBanker(bank, 'operator')
    await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [third.id])
    const invited = await byTwo(third.actingFor(without).post('/venture/users', invitation('viewer')), alice)
    const reset = await byTwo(third.post(`/operator/users/${member.id}/reset`), alice)
    const answer = await bob.put(`/operator/users/${third.id}`, change)
    if (answer.status === 202) assert.equal((await decide(answer.body, alice)).body.state, 'APPROVED')
    for (const link of [invited, reset]) await assert.rejects(acceptLink(bank, link), /link_expired/, JSON.stringify(change))
  }
})

test('a venture lets its admins in by itself; an older reset is no way to an admin', async () => {
  const { id } = (await ManagedVenture.open(bank)).venture
  const member = await openMember(bank, id, 'viewer')
  const path = `/venture/users/${member.id}`
  const reset = await byTwo(alice.actingFor(id).post(`${path}/reset`))
  const boss = await openMember(bank, id, 'admin')
  assert.equal((await boss.post('/venture/users', invitation('admin'))).status, 201)
  assert.equal((await boss.put(path, { role: 'admin' })).body.role, 'admin')
  await assert.rejects(acceptLink(bank, reset), /link_expired/)
  assert.equal((await boss.post(`${path}/reset`)).status, 201)
  // The same for an invitation.
  const other = await openMember(bank, (await bank.registerVenture()).venture.id, 'viewer')
  const older = await byTwo(alice.post(`/operator/users/${other.id}/reset`))
  const { body: link } = await boss.post('/venture/users', invitation('admin', other.person.email))
  assert.equal((await other.with({ 'vostro-venture': undefined }).post('/session/links', partsOf(link))).status, 200)
  await assert.rejects(acceptLink(bank, older), /link_expired/)
})

test('a person who was removed from a venture, or whose role there was changed, does not come back with an older invitation', async () => {
  const boss = await openMember(bank, venture_id, 'admin')
  for (const leave of [
    (id: string) => boss.delete(`/venture/users/${id}`),
    (id: string) => boss.put(`/venture/users/${id}`, { role: 'viewer' }),
  ]) {
    const email = someEmail()
    const { body: used } = await boss.post('/venture/users', invitation('operator', email))
    const { body: spare } = await boss.post('/venture/users', invitation('admin', email))
    const { body: crossed } = await boss.post('/venture/users', invitation('admin', email))
    const { body: unrelated } = await boss.post('/venture/users', invitation('admin'))
    const person = await signIn(bank, await acceptLink(bank, used), venture_id)
    // Accepting an invitation revokes the others, except one that is committed at the same moment: it stays open, like this one.
    const { rowCount } = await bank.owner.query('update links set revoked_at = null where id = $1 and revoked_at is not null', [crossed.id])
    assert.equal(rowCount, 1)
    assert.ok((await leave(person.id)).status < 300)
    for (const older of [spare, crossed]) {
      const back = await person.with({ 'vostro-venture': undefined }).post('/session/links', partsOf(older))
      assert.deepEqual(codeOf(back), [410, 'link_expired'])
    }
    await acceptLink(bank, unrelated)
  }
})

test('using a link is audited, with the person as actor; a refused use is not', async () => {
  const entriesOf = async (resource: string) =>
    (
      await bank.owner.query('select actor, actor_id, action, venture_id, fields from audit_log where resource = $1 and action = $2', [
        resource,
        'useLink',
      ])
    ).rows
  // In an OPEN venture, because in a MANAGED one with an admin, the bank resets nobody.
  const { id: open } = (await bank.registerVenture()).venture
  const { body: link } = await (await openMember(bank, open, 'admin')).post('/venture/users', invitation('viewer'))
  await assert.rejects(acceptLink(bank, link, { password: 'short' }), /weak_password/)
  assert.deepEqual(await entriesOf(link.id), [])
  const { user_id } = await acceptLink(bank, link)
  const entry = { actor: 'user', actor_id: user_id, action: 'useLink', venture_id: open, fields: ['secret', 'name', 'password'] }
  assert.deepEqual(await entriesOf(link.id), [entry])
  const reset = await byTwo(alice.post(`/operator/users/${user_id}/reset`))
  await acceptLink(bank, reset)
  const atBank = { ...entry, venture_id: '00000000-0000-0000-0000-000000000000', fields: ['secret', 'code', 'name', 'password'] }
  assert.deepEqual(await entriesOf(reset.id), [atBank])
  const banker = await byTwo(alice.post('/operator/users', invitation()))
  const accepted = await acceptLink(bank, banker)
  assert.deepEqual(await entriesOf(banker.id), [{ ...atBank, actor: 'operator', actor_id: accepted.user_id }])
  const listed = (await bob.get(`/operator/audit-log?action=useLink&actor_id=${accepted.user_id}`)).body
  assert.deepEqual(
    listed.map(({ resource }: Loose) => resource),
    [banker.id],
  )
})

test('outside the sandbox, somebody of the bank who lost the passkey gets in again with a reset of two people', async () => {
  const strict = await bank.openInstance({ sandbox: false, passkeysRequired: true })
  const register = async (caller: PersonCaller) => {
    const device = new Authenticator(consoleOrigin)
    const { body: options } = await caller.post('/session/passkeys/options')
    const answer = await caller.post('/session/passkeys', { name: 'Laptop', credential: device.create(options) })
    assert.equal(answer.status, 201, answer.text)
    return new PersonCaller(strict, { person: caller.person, token: tokenIn(answer) })
  }
  const byPassword = async ({ person }: PersonCaller) => new PersonCaller(strict, { person, token: (await signIn(bank, person)).token })
  const victim = await openBanker(bank, 'operator')
  const [one, two, holder] = [
    await register(await byPassword(alice)),
    await register(await byPassword(bob)),
    await register(await byPassword(victim)),
  ]
  assert.equal((await holder.get('/ventures')).status, 200)

  // A password alone changes neither the passkeys nor the password of a person who has a passkey.
  const weak = await byPassword(victim)
  assert.deepEqual(codeOf(await weak.post('/session/passkeys/options')), [403, 'passkey_required'])
  assert.deepEqual(codeOf(await weak.put('/session/password', { new_password: 'eleven loud mountains 17' })), [403, 'passkey_required'])
  assert.equal((await holder.put('/session/password', { new_password: goodPassword })).status, 204)

  const link = await byTwo(one.post(`/operator/users/${victim.id}/reset`), two)
  assert.equal((await holder.get('/session/passkeys')).body.length, 1)
  await acceptLink(bank, link)
  assert.equal((await holder.get('/session')).status, 401)
  const again = await byPassword(victim)
  assert.equal((await again.get('/session')).body.has_passkey, false)
  assert.deepEqual(codeOf(await again.get('/ventures')), [403, 'passkey_required'])
  // The password registers the first passkey but no second one, and everyone else who knows the password is signed out.
  const another = await byPassword(victim)
  const device = new Authenticator(consoleOrigin)
  const { body: options } = await another.post('/session/passkeys/options')
  assert.equal((await (await register(again)).get('/ventures')).status, 200)
  const second = (caller: Caller) => caller.post('/session/passkeys', { name: 'Mine', credential: device.create(options) })
  assert.deepEqual(codeOf(await second(another)), [401, 'unauthorized'])
  assert.deepEqual(codeOf(await second(await byPassword(victim))), [403, 'passkey_required'])
  // The same for a person of an OPEN venture, who can change the password as before.
  const member = await openMember(bank, (await bank.registerVenture()).venture.id, 'admin')
  await register(member)
  await acceptLink(bank, await byTwo(one.post(`/operator/users/${member.id}/reset`), two))
  const back = await signIn(bank, member.person)
  assert.deepEqual((await back.get('/session/passkeys')).body, [])
  assert.equal((await back.put('/session/password', { new_password: goodPassword })).status, 204)
  await bank.owner.query('delete from passkeys')
  ;[alice, bob] = [await signIn(bank, alice.person), await signIn(bank, bob.person)]
})

/** Registers a passkey, and signs in with it. */
async function plant(person: Person): Promise<{ session: PersonCaller; signInAgain(): Promise<Loose> }> {
  const caller = await signIn(bank, person)
  const device = new Authenticator(consoleOrigin)
  const { body: options } = await caller.post('/session/passkeys/options')
  const answer = await caller.post('/session/passkeys', { name: 'Mine', credential: device.create(options) })
  assert.equal(answer.status, 201, answer.text)
  const signInAgain = async () => {
    const { body } = await consoleOf(bank).post('/session/passkey/options')
    return consoleOf(bank).post('/session/passkey', { credential: device.get(body) })
  }
  return { session: new PersonCaller(bank.app, { person, token: tokenIn(answer) }), signInAgain }
}

test('a reset by a venture removes the passkeys, so that a thief is out and the person registers another one', async () => {
  const boss = await openMember(bank, venture_id, 'admin')
  const victim = await openMember(bank, venture_id, 'operator')
  const thief = await plant(victim.person)
  await acceptLink(bank, (await boss.post(`/venture/users/${victim.id}/reset`)).body)
  assert.deepEqual(codeOf(await thief.signInAgain()), [401, 'sign_in_failed'])
  assert.equal((await thief.session.get('/session')).status, 401)
  const own = await plant(victim.person)
  assert.equal((await own.signInAgain()).status, 200)
})

test('a person who gets more rights than their inviter may give alone loses earlier passkeys and all sessions', async () => {
  const accept = async (session: PersonCaller, link: TestLink) => {
    const answer = await session.post('/session/links', partsOf(link))
    assert.equal(answer.status, 200, answer.text)
  }
  const ways: Record<string, (member: PersonCaller, boss: PersonCaller) => Promise<unknown>> = {
    'invited to the bank': async (member) =>
      accept(member, await byTwo(alice.post('/operator/users', invitation('admin', member.person.email)))),
    'given a role at the bank': (member) => byTwo(alice.put(`/operator/users/${member.id}`, { bank_role: 'operator' })),
    'made an admin of the venture after its admin has left': async (member, boss) => {
      const next = await openMember(bank, venture_id, 'admin')
      await next.put(`/venture/users/${boss.id}`, { role: 'viewer' })
      assert.equal((await next.put(`/venture/users/${member.id}`, { role: 'admin' })).status, 200)
    },
    'made an admin of the venture after its admin was disabled': async (member, boss) => {
      const next = await openMember(bank, venture_id, 'admin')
      await bank.owner.query("update users set status = 'DISABLED' where id = $1", [boss.id])
      assert.equal((await next.put(`/venture/users/${member.id}`, { role: 'admin' })).status, 200)
    },
    'invited to another venture as its admin': async (member) => {
      const other = await openMember(bank, (await bank.registerVenture()).venture.id, 'admin')
      await accept(member, (await other.post('/venture/users', invitation('admin', member.person.email))).body)
    },
  }
  for (const [way, rise] of Object.entries(ways)) {
    const boss = await openMember(bank, venture_id, 'admin')
    const { body: link } = await boss.post('/venture/users', invitation('viewer'))
    const planted = await plant(await acceptLink(bank, link))
    const other = await signIn(bank, planted.session.person)
    await rise(planted.session, boss)
    assert.deepEqual(codeOf(await planted.signInAgain()), [401, 'sign_in_failed'], way)
    assert.equal((await planted.session.get('/session')).status, 401, way)
    assert.equal((await other.get('/session')).status, 401, way)
  }
})

test('a person who loses rights, or already belongs to the bank, keeps the passkeys', async () => {
  const boss = await openMember(bank, venture_id, 'admin')
  const member = await openMember(bank, venture_id, 'admin')
  const banker = await openBanker(bank, 'auditor')
  const { body: link } = await boss.post('/venture/users', invitation('viewer', banker.person.email))
  assert.equal((await banker.post('/session/links', partsOf(link))).status, 200)
  for (const [person, change] of [
    [member, () => boss.put(`/venture/users/${member.id}`, { role: 'operator' })],
    [banker, () => boss.put(`/venture/users/${banker.id}`, { role: 'admin' })],
    [banker, () => byTwo(alice.put(`/operator/users/${banker.id}`, { bank_role: 'operator' }))],
  ] as const) {
    await bank.owner.query('delete from passkeys where user_id = $1', [person.id])
    const device = await plant(person.person)
    await change()
    // More rights end the earlier sessions.
    assert.equal((await device.session.get('/session')).status, person === member ? 200 : 401)
    assert.equal((await device.signInAgain()).status, 200)
  }
})
