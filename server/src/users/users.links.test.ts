// Links and people: setting up the bank, invitations, resets, roles, and every way to misuse them.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  acceptLink,
  consoleOf,
  goodPassword,
  openBanker,
  openMember,
  type PersonCaller,
  secretIn,
  signIn,
  someEmail,
} from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'
import { evidenceIn, inOrder, kindsIn, tiesAmong } from './users.relations.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const { id: venture_id } = venture.venture
const admin = await openMember(bank, venture_id, 'admin')

const unknownId = '0198c6f2-0000-7000-8000-000000000000'
const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const newcomer = { name: 'Grace Hopper', password: goodPassword }

const use = (link: { url: string }, body: object = newcomer) => consoleOf(bank).post('/session/links', { secret: secretIn(link), ...body })

async function invite(role = 'viewer', email = someEmail()): Promise<Loose> {
  const answer = await admin.post('/venture/users', { email, role })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** A new bank, because each bank can be set up only once. */
async function freshBank() {
  const fresh = await openBank()
  return { fresh, makeLink: () => fresh.admin.post('/operator/users/set-up') }
}

test('the set-up link makes the first admin of the bank, works once, and exists only while there is none', async () => {
  const { fresh, makeLink } = await freshBank()
  const first = (await makeLink()).body
  const { body: second, status } = await makeLink()
  assert.equal(status, 201)
  assert.match(second.url, /^http:\/\/localhost:8080\/console\/set-up#[\w-]{43}$/)
  const console = consoleOf(fresh)
  const email = someEmail()
  const send = (link: Loose, body: object) => console.post('/session/links', { secret: secretIn(link), ...body })
  assert.deepEqual(codeOf(await send(first, { email, ...newcomer })), [410, 'link_expired'])
  for (const missing of ['email', 'name', 'password']) {
    const answer = await send(second, { email, ...newcomer, [missing]: undefined })
    assert.deepEqual([...codeOf(answer), answer.problem.errors[0].field], [400, 'invalid_request', missing])
  }
  assert.deepEqual(codeOf(await send(second, { email, name: 'Ada', password: 'short' })), [422, 'weak_password'])
  assert.equal(await fresh.count('users'), 0)
  const person = await acceptLink(fresh, second, { email })
  assert.deepEqual(codeOf(await send(second, { email: someEmail(), ...newcomer })), [410, 'link_expired'])
  assert.deepEqual(codeOf(await makeLink()), [409, 'already_set_up'])
  const { body: session } = await (await signIn(fresh, person)).get('/session')
  assert.deepEqual([session.bank_role, session.memberships], ['admin', []])
})

test('of two set-up links used at once, one makes an admin', async () => {
  const { fresh, makeLink } = await freshBank()
  const links = [(await makeLink()).body, (await makeLink()).body]
  await fresh.owner.query('update links set revoked_at = null')
  const answers = await Promise.all(
    links.map((link) => consoleOf(fresh).post('/session/links', { secret: secretIn(link), email: someEmail(), ...newcomer })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410])
  assert.equal(await fresh.count('users'), 1)
})

test('an invitation is shown once, stored as a hash, and creates the user with the role', async () => {
  const email = someEmail()
  const link = await invite('operator', email.toUpperCase())
  assert.match(link.url, /\/console\/invitation#[\w-]{43}$/)
  assert.deepEqual([link.kind, link.email, link.role], ['INVITATION', email, 'operator'])
  const life_ms = Date.parse(link.expires_at) - Date.parse(link.created_at)
  assert.equal(life_ms, 72 * 3_600_000)
  const { rows } = await bank.owner.query('select links::text as row, secret_hash from links where id = $1', [link.id])
  assert.equal(rows[0].secret_hash, hash('sha256', secretIn(link)))
  assert.ok(!rows[0].row.includes(secretIn(link)))
  const { url: _, ...listed } = link
  assert.deepEqual((await admin.get('/venture/invitations?limit=1')).body, [listed])
  const person = await acceptLink(bank, link)
  const { body: user } = await admin.get(`/venture/users/${person.user_id}`)
  assert.deepEqual([user.email, user.role, user.status], [email, 'operator', 'ACTIVE'])
  assert.equal((await (await signIn(bank, person, venture_id)).get('/clients')).status, 200)
})

test('a used, revoked or expired link is 410, an unknown one 404, and none of them changes anything', async () => {
  const used = await invite()
  await acceptLink(bank, used)
  const revoked = await invite()
  assert.equal((await admin.post(`/venture/invitations/${revoked.id}/revoke`)).status, 200)
  const expired = await invite()
  await bank.owner.query("update links set expires_at = now() - interval '1 second' where id = $1", [expired.id])
  const before = await bank.count('users')
  for (const link of [used, revoked, expired]) assert.deepEqual(codeOf(await use(link)), [410, 'link_expired'])
  assert.deepEqual(codeOf(await use({ url: `http://x/#${'A'.repeat(43)}` })), [404, 'link_not_found'])
  assert.deepEqual(codeOf(await use({ url: 'http://x/#short' })), [400, 'invalid_request'])
  assert.equal(await bank.count('users'), before)
  assert.deepEqual(codeOf(await admin.post(`/venture/invitations/${used.id}/revoke`)), [410, 'link_expired'])
  assert.deepEqual(codeOf(await admin.post(`/venture/invitations/${unknownId}/revoke`)), [404, 'link_not_found'])
})

test('of many uses of one link at once, one succeeds', async () => {
  const link = await invite()
  const answers = await Promise.all(Array.from({ length: 6 }, () => use(link)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410, 410, 410])
})

test('an invitation for somebody who has a user is accepted by that person alone, while signed in', async () => {
  const other = await bank.registerVenture()
  const person = await openMember(bank, other.venture.id, 'viewer')
  const link = await invite('viewer', person.person.email)
  assert.deepEqual(codeOf(await use(link)), [409, 'user_exists'])
  const stranger = await openMember(bank, other.venture.id, 'viewer')
  assert.deepEqual(codeOf(await stranger.post('/session/links', { secret: secretIn(link) })), [409, 'user_exists'])
  assert.deepEqual(codeOf(await person.actingFor(venture_id).get('/clients')), [404, 'venture_not_found'])
  assert.equal((await person.post('/session/links', { secret: secretIn(link) })).status, 200)
  assert.equal((await person.actingFor(venture_id).get('/clients')).status, 200)
  assert.deepEqual(codeOf(await admin.post('/venture/users', { email: person.person.email, role: 'admin' })), [409, 'already_member'])
  const again = await consoleOf(bank).post('/session', { email: person.person.email, password: goodPassword })
  assert.equal(again.status, 200, 'the password has not changed')
})

test('a person who has accepted an invitation does not change the role with another one', async () => {
  const fresh = await openBank()
  const email = someEmail()
  const inviteAs = async (role: string) => (await fresh.admin.post('/operator/users', { email, role })).body
  const [used, second, third] = [await inviteAs('admin'), await inviteAs('auditor'), await inviteAs('operator')]
  const person = await signIn(fresh, await acceptLink(fresh, used))
  const again = (link: Loose) => person.post('/session/links', { secret: secretIn(link) })
  assert.deepEqual(codeOf(await again(second)), [410, 'link_expired'])
  // One that was created at the same moment stays open.
  await fresh.owner.query('update links set revoked_at = null where id = $1', [third.id])
  assert.deepEqual(codeOf(await again(third)), [409, 'already_member'])
  assert.equal((await person.get('/session')).body.bank_role, 'admin')
  assert.deepEqual(codeOf(await fresh.admin.post('/operator/users/set-up')), [409, 'already_set_up'])
  const listed = (await fresh.admin.get('/operator/invitations')).body.find(({ id }: Loose) => id === used.id)
  assert.deepEqual([listed.used_at === null, listed.revoked_at], [false, null])
})

test('foreign users and invitations look like unknown ones', async () => {
  const other = await bank.registerVenture()
  const theirs = await openMember(bank, other.venture.id, 'admin')
  const invitation = (await theirs.post('/venture/users', { email: someEmail(), role: 'viewer' })).body
  const { user_id } = theirs.person
  for (const [id, invitation_id] of [
    [user_id, invitation.id],
    [unknownId, unknownId],
  ]) {
    for (const answer of [
      await admin.get(`/venture/users/${id}`),
      await admin.put(`/venture/users/${id}`, { role: 'viewer' }),
      await admin.delete(`/venture/users/${id}`),
      await admin.post(`/venture/users/${id}/reset`),
    ]) {
      assert.deepEqual(codeOf(answer), [404, 'user_not_found'])
    }
    assert.deepEqual(codeOf(await admin.post(`/venture/invitations/${invitation_id}/revoke`)), [404, 'link_not_found'])
  }
  assert.equal((await theirs.get('/clients')).status, 200)
})

test('a role changes at once, and a removed person is out at once', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  const { user_id } = person.person
  assert.equal((await person.post('/clients/person', {})).status, 403)
  assert.equal((await admin.put(`/venture/users/${user_id}`, { role: 'operator' })).body.role, 'operator')
  assert.equal((await person.post('/clients/person', {})).status, 401)
  const again = await signIn(bank, person.person, venture_id)
  assert.equal((await again.post('/clients/person', {})).status, 400)
  assert.equal((await admin.delete(`/venture/users/${user_id}`)).status, 204)
  assert.deepEqual(codeOf(await again.get('/clients')), [404, 'venture_not_found'])
  assert.equal((await again.get('/session')).status, 200)
})

test('the invitations of somebody who lost the right to invite stop working', async () => {
  const inviter = await openMember(bank, venture_id, 'admin')
  const links = []
  for (let count = 0; count < 3; count++) links.push((await inviter.post('/venture/users', { email: someEmail(), role: 'admin' })).body)
  await admin.put(`/venture/users/${inviter.person.user_id}`, { role: 'operator' })
  for (const link of links) assert.deepEqual(codeOf(await use(link)), [410, 'link_expired'])
  const disabled = await openMember(bank, venture_id, 'admin')
  const { body: link } = await disabled.post('/venture/users', { email: someEmail(), role: 'admin' })
  await bank.admin.put(`/operator/users/${disabled.person.user_id}`, { status: 'DISABLED' })
  assert.deepEqual(codeOf(await use(link)), [410, 'link_expired'])
})

test('a reset ends all sessions, lives an hour, and replaces the one before', async () => {
  const person = await openMember(bank, venture_id, 'viewer')
  const path = `/venture/users/${person.person.user_id}/reset`
  const first = (await admin.post(path)).body
  const second = (await admin.post(path)).body
  assert.equal(Date.parse(second.expires_at) - Date.parse(second.created_at), 3_600_000)
  const password = 'nine loud mountains 17'
  assert.deepEqual(codeOf(await use(first, { password })), [410, 'link_expired'])
  assert.deepEqual(codeOf(await use(second, {})), [400, 'invalid_request'])
  assert.deepEqual(codeOf(await use(second, { password: person.person.email })), [422, 'weak_password'])
  assert.equal((await person.get('/session')).status, 200)
  assert.equal((await use(second, { password })).status, 200)
  assert.equal((await person.get('/session')).status, 401)
  assert.deepEqual(codeOf(await use(second, { password })), [410, 'link_expired'])
  const { email } = person.person
  assert.equal((await consoleOf(bank).post('/session', { email, password: goodPassword })).status, 401)
  assert.equal((await consoleOf(bank).post('/session', { email, password })).status, 200)
  const ties = await tiesAmong(bank.database, [person.id, admin.id])
  assert.ok(kindsIn(ties, inOrder(person.id, admin.id)).includes('RESET'))
})

test('people count as one with those who let them in alone, however many are between, and with everybody whom those have let in', async () => {
  const fresh = await openBank()
  const hire = async (by: Caller) => {
    const { body } = await by.post('/operator/users', { email: someEmail(), role: 'admin' })
    return signIn(fresh, await acceptLink(fresh, body))
  }
  const [first, stranger] = [await openBanker(fresh, 'admin'), await openBanker(fresh, 'admin')]
  const [second, sibling] = [await hire(first), await hire(first)]
  const third = await hire(second)
  const people = [first, second, sibling, third, stranger].map(({ id }) => id)
  const ties = await tiesAmong(fresh.database, people)
  const kinds = (one: PersonCaller, other: PersonCaller) => kindsIn(ties, inOrder(one.id, other.id))
  assert.deepEqual(kinds(third, first), ['INVITATION'])
  assert.deepEqual(kinds(third, sibling), ['SAME_PERSON'])
  assert.deepEqual(kinds(third, second), ['INVITATION', 'SAME_PERSON'])
  for (const person of [first, second, sibling, third]) assert.deepEqual(kinds(person, stranger), [])
  // Two links relate them, and a clearing of the pair must cover both.
  assert.equal(evidenceIn(ties, inOrder(third.id, first.id)).length, 2)
  // Now each of the first three was let in by each of them, and the search still ends.
  await acceptLink(fresh, (await third.post(`/operator/users/${first.id}/reset`)).body)
  const again = await tiesAmong(fresh.database, people)
  assert.deepEqual(kindsIn(again, inOrder(second.id, first.id)), ['INVITATION', 'SAME_PERSON'])
  assert.deepEqual(kindsIn(again, inOrder(third.id, first.id)), ['INVITATION', 'RESET', 'SAME_PERSON'])
})

test('a link that one person of the bank made works no longer with four eyes', async () => {
  const fresh = await openBank()
  const { id: venture_id } = (await fresh.registerVenture()).venture
  const withFourEyes = { app: await fresh.openInstance({ fourEyes: true }) }
  const member = await openMember(fresh, venture_id, 'viewer')
  const asBank = new Caller(fresh.app, { ...fresh.admin.headers, 'vostro-venture': venture_id })
  const banker = await openBanker(fresh, 'admin')
  const links = [
    await asBank.post('/venture/users', { email: someEmail(), role: 'admin' }),
    await fresh.admin.post('/operator/users', { email: someEmail(), role: 'operator' }),
    await banker.post('/operator/users', { email: someEmail(), role: 'admin' }),
    await fresh.admin.post(`/operator/users/${member.id}/reset`),
  ]
  for (const { body } of links) {
    await assert.rejects(acceptLink(withFourEyes, body), /link_expired/)
    await acceptLink(fresh, body)
  }
  // What a venture's own admin does alone remains allowed.
  const own = await openMember(fresh, venture_id, 'admin')
  const { body } = await own.post('/venture/users', { email: someEmail(), role: 'viewer' })
  await acceptLink(withFourEyes, body)
})

test('a venture cannot reset somebody who also belongs to another venture or to the bank; the bank can', async () => {
  const other = await bank.registerVenture()
  const person = await openMember(bank, other.venture.id, 'viewer')
  await person.post('/session/links', { secret: secretIn(await invite('viewer', person.person.email)) })
  const path = `/venture/users/${person.person.user_id}/reset`
  assert.deepEqual(codeOf(await admin.post(path)), [409, 'user_elsewhere'])
  const operator = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id })
  assert.equal((await operator.post(path)).status, 201)
  assert.equal((await bank.admin.post(`/operator/users/${person.person.user_id}/reset`)).status, 201)
  assert.deepEqual(codeOf(await bank.admin.post(`/operator/users/${unknownId}/reset`)), [404, 'user_not_found'])
})

test('the admin key invites admins of the bank only while fewer than three are active', async () => {
  const fresh = await openBank()
  const order = () => fresh.admin.post('/operator/users', { email: someEmail(), role: 'admin' })
  const admins: PersonCaller[] = []
  for (let count = 0; count < 3; count++) admins.push(await openBanker(fresh, 'admin'))
  assert.deepEqual(codeOf(await order()), [409, 'bank_has_admins'])
  const byPerson = await admins[0]?.post('/operator/users', { email: someEmail(), role: 'admin' })
  assert.equal(byPerson?.status, 201)
  await fresh.admin.put(`/operator/users/${admins[1]?.person.user_id}`, { status: 'DISABLED' })
  assert.equal((await order()).status, 201)
})

test('the last active admin of the bank stays, even if two are removed at once', async () => {
  const fresh = await openBank()
  const [one, two] = [await openBanker(fresh, 'admin'), await openBanker(fresh, 'admin')]
  const remove = (person: PersonCaller, body: object) => fresh.admin.put(`/operator/users/${person.person.user_id}`, body)
  const answers = await Promise.all([remove(one, { bank_role: 'auditor' }), remove(two, { status: 'DISABLED' })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.ok(answers.some(({ problem }) => problem?.code === 'last_admin'))
  const last = answers[0]?.status === 409 ? one : two
  for (const body of [{ bank_role: null }, { bank_role: 'operator' }, { status: 'DISABLED' }])
    assert.deepEqual(codeOf(await remove(last, body)), [409, 'last_admin'])
  assert.equal((await remove(last, { bank_role: 'admin', status: 'ACTIVE' })).status, 200)
})

test('of the last two admins who are disabled at once, one stays', async () => {
  const fresh = await openBank()
  const admins = [await openBanker(fresh, 'admin'), await openBanker(fresh, 'admin')]
  // Both requests read who is an admin before one of them changes that.
  await fresh.owner.query('begin; select from memberships for update')
  const answers = Promise.all(admins.map(({ id }) => fresh.admin.put(`/operator/users/${id}`, { status: 'DISABLED' })))
  const waiting = `
    select count(distinct pid)::int from pg_locks
    where not granted and (
      database = (select oid from pg_database where datname = current_database())
      or transactionid in (select transactionid from pg_locks where pid = pg_backend_pid()))`
  while ((await fresh.owner.query(waiting)).rows[0].count < admins.length) await sleep(5)
  await fresh.owner.query('commit')
  assert.deepEqual((await answers).map(({ status }) => status).sort(), [200, 409])
  assert.deepEqual(codeOf(await fresh.admin.post('/operator/users/set-up')), [409, 'already_set_up'])
})

test('roles at the bank change at once, and a role of null removes a person from the bank', async () => {
  const banker = await openBanker(bank, 'auditor')
  const path = `/operator/users/${banker.person.user_id}`
  assert.equal((await banker.get('/ventures')).status, 200)
  const refused = await banker.post('/ventures', { name: 'Mine' })
  assert.deepEqual([refused.status, refused.problem.detail], [403, 'This operation needs the role admin at the bank.'])
  assert.equal((await bank.admin.put(path, { bank_role: 'operator' })).body.bank_role, 'operator')
  assert.deepEqual(codeOf(await banker.get('/operator/jobs')), [401, 'unauthorized'])
  const again = await signIn(bank, banker.person)
  assert.equal((await again.get('/operator/jobs')).status, 200)
  assert.equal((await bank.admin.put(path, { bank_role: null })).body.bank_role, null)
  assert.deepEqual(codeOf(await again.get('/ventures')), [403, 'forbidden'])
  assert.deepEqual(codeOf(await again.actingFor(venture_id).get('/clients')), [404, 'venture_not_found'])
  assert.deepEqual(codeOf(await bank.admin.put(`/operator/users/${unknownId}`, { status: 'DISABLED' })), [404, 'user_not_found'])
})
