// Who lets people into a MANAGED venture: its own admin, and two people of the bank only while there is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ManagedVenture } from '../testing/testing.managed.ts'
import {
  acceptLink,
  consoleOf,
  goodPassword,
  openBanker,
  openMember,
  PersonCaller,
  partsOf,
  signIn,
  someEmail,
  type TestLink,
} from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank({ fourEyes: true })
const [alice, bob] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const approve = (approval: { id: string }, by: Caller = bob) => by.post(`/operator/approvals/${approval.id}/approve`)
const invitation = (role = 'viewer') => ({ email: someEmail(), role })
const managed = async () => (await ManagedVenture.open(bank)).venture.id

async function asked(answer: Promise<Loose>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.equal(status, 202, text)
  return body
}

/** The URL from the approver, together with the requester's code. */
async function byTwo(answer: Promise<Loose>): Promise<TestLink & Loose> {
  const { id, code } = await asked(answer)
  const { body, text } = await approve({ id })
  assert.equal(body?.state, 'APPROVED', text)
  return { ...body.result, code }
}

const adminsOf = async (venture_id: string): Promise<number> => {
  const { rows } = await bank.owner.query(
    `select count(*)::int as count from memberships join users on id = user_id where venture_id = $1 and role = 'admin' and status = 'ACTIVE'`,
    [venture_id],
  )
  return rows[0].count
}

/** The ways in which a person of the bank can take the admin role in a venture away. */
const endings: Record<string, (by: PersonCaller, of: string, id: string) => Promise<Loose>> = {
  removing: (by, of, id) => by.actingFor(of).delete(`/venture/users/${id}`),
  demoting: (by, of, id) => by.actingFor(of).put(`/venture/users/${id}`, { role: 'operator' }),
  disabling: (by, _of, id) => by.put(`/operator/users/${id}`, { status: 'DISABLED' }),
}

test('while a MANAGED venture has an admin, the bank neither invites nor resets anybody there, and the admin does', async () => {
  const of = await managed()
  const [boss, member] = [await openMember(bank, of, 'admin'), await openMember(bank, of, 'viewer')]
  const [links, approvals] = [await bank.count('links'), await bank.count('approvals')]
  const byKey = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': of })
  for (const answer of [
    ...['admin', 'operator', 'viewer'].map((role) => alice.actingFor(of).post('/venture/users', invitation(role))),
    byKey.post('/venture/users', invitation()),
    alice.actingFor(of).post(`/venture/users/${member.id}/reset`),
    alice.post(`/operator/users/${member.id}/reset`),
    // The only admin has to be removed first.
    alice.post(`/operator/users/${boss.id}/reset`),
  ])
    assert.deepEqual(codeOf(await answer), [403, 'venture_has_admin'])
  assert.deepEqual([await bank.count('links'), await bank.count('approvals')], [links, approvals])
  assert.equal((await boss.post('/venture/users', invitation('admin'))).status, 201)
  assert.equal((await boss.post(`/venture/users/${member.id}/reset`)).status, 201)
})

test('without an active admin, two people of the bank let the first one in, and are refused as soon as there is one', async () => {
  const of = await managed()
  const member = await openMember(bank, of, 'viewer')
  const gone = await openMember(bank, of, 'admin')
  await bank.owner.query("update users set status = 'DISABLED' where id = $1", [gone.id])
  const late = await asked(alice.actingFor(of).post('/venture/users', invitation('admin')))
  const reset = await asked(alice.actingFor(of).post(`/venture/users/${member.id}/reset`))
  const boss = await signIn(bank, await acceptLink(bank, await byTwo(alice.actingFor(of).post('/venture/users', invitation('admin')))), of)
  const before = await bank.count('links')
  for (const request of [late, reset]) {
    const { body } = await approve(request)
    assert.equal(body.state, 'FAILED')
    assert.match(body.reason, /with an active admin/)
  }
  assert.equal(await bank.count('links'), before)
  assert.equal((await boss.post('/venture/users', invitation())).status, 201)
})

for (const [ending, end] of Object.entries(endings)) {
  test(`${ending} the last active admin of a MANAGED venture takes two people of the bank; any other, one`, async () => {
    const of = await managed()
    const [first, last] = [await openMember(bank, of, 'admin'), await openMember(bank, of, 'admin')]
    assert.ok((await end(alice, of, first.id)).status < 202 || ending === 'removing')
    assert.equal(await adminsOf(of), 1)
    const request = await asked(end(alice, of, last.id))
    assert.equal(await adminsOf(of), 1)
    assert.deepEqual(codeOf(await approve(request, alice)), [409, 'own_approval'])
    assert.equal((await approve(request)).body.state, 'APPROVED')
    assert.equal(await adminsOf(of), 0)
    // Now the bank may let a person in.
    await byTwo(alice.actingFor(of).post('/venture/users', invitation('admin')))
  })

  test(`${ending} the last admin is refused to the admin key, and fails if the person has changed since`, async () => {
    const of = await managed()
    const last = await openMember(bank, of, 'admin')
    const byKey = { actingFor: (id: string) => new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': id }) }
    const key = Object.assign(new Caller(bank.app, bank.admin.headers), byKey) as unknown as PersonCaller
    assert.deepEqual(codeOf(await end(key, of, last.id)), [403, 'person_needed'])
    const request = await asked(end(alice, of, last.id))
    await bank.owner.query('update users set sequence = sequence + 1 where id = $1', [last.id])
    assert.equal((await approve(request)).body.state, 'FAILED')
    assert.equal(await adminsOf(of), 1)
  })

  test(`${ending} the last two admins at once leaves one`, async () => {
    const of = await managed()
    const [first, second] = [await openMember(bank, of, 'admin'), await openMember(bank, of, 'admin')]
    const answers = await Promise.all([end(alice, of, first.id), end(bob, of, second.id)])
    assert.equal(answers.filter(({ status }) => status === 202).length, 1, JSON.stringify(answers.map(codeOf)))
    assert.equal(await adminsOf(of), 1)
  })

  test(`${ending} the last admin of an OPEN venture is one person's act, and so is everything without four eyes`, async () => {
    const open = (await bank.registerVenture()).venture.id
    const answer = await end(alice, open, (await openMember(bank, open, 'admin')).id)
    assert.ok([200, 204].includes(answer.status), answer.text)
    const of = await managed()
    const alone = await bank.openInstance({ fourEyes: false })
    const last = await openMember(bank, of, 'admin')
    const person = Object.assign(new Caller(alone, alice.headers), {
      actingFor: (id: string) => new Caller(alone, alice.actingFor(id).headers),
    }) as unknown as PersonCaller
    assert.equal((await person.actingFor(of).post('/venture/users', invitation())).status, 201)
    assert.ok([200, 204].includes((await end(person, of, last.id)).status))
  })
}

/** Waits until this many transactions wait for a lock. */
async function waiting(count: number): Promise<void> {
  const asked = `
    select count(distinct pid)::int from pg_locks
    where not granted and (
      database = (select oid from pg_database where datname = current_database())
      or transactionid in (select transactionid from pg_locks where pid = pg_backend_pid()))`
  while ((await bank.owner.query(asked)).rows[0].count < count) await sleep(5)
}

test('one person who ends in two ways, on two instances at once, that a venture has two admins, leaves one', async () => {
  const elsewhere = await bank.openInstance({ fourEyes: true })
  for (const [here, there] of [
    ['disabling', 'removing'],
    ['removing', 'disabling'],
    ['disabling', 'demoting'],
    ['demoting', 'removing'],
  ] as const) {
    const of = await managed()
    const [first, second] = [await openMember(bank, of, 'admin'), await openMember(bank, of, 'admin')]
    // Both requests are under way before one of them can change anything.
    await bank.owner.query('begin')
    await bank.owner.query('select from users where id = any($1) for update', [[first.id, second.id]])
    const answers = Promise.all([endings[here]?.(alice, of, first.id), endings[there]?.(new PersonCaller(elsewhere, alice), of, second.id)])
    await waiting(2)
    await bank.owner.query('commit')
    const asked = (await answers).filter((answer) => answer?.status === 202)
    assert.deepEqual([await adminsOf(of), asked.length], [1, 1], `${here} and ${there}`)
  }
})

test('somebody who becomes an admin while they are being disabled is no reason to remove the other one', async () => {
  const of = await managed()
  const [boss, riser] = [await openMember(bank, of, 'admin'), await openMember(bank, of, 'viewer')]
  await bank.owner.query('begin')
  await bank.owner.query('select from users where id = $1 for update', [riser.id])
  const disabling = endings['disabling']?.(alice, of, riser.id)
  await waiting(1)
  await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [riser.id])
  const removing = endings['removing']?.(bob, of, boss.id)
  await waiting(2)
  await bank.owner.query('commit')
  assert.deepEqual([(await disabling)?.status, (await removing)?.status, await adminsOf(of)], [200, 202, 1])
})

test('what two people of the bank have made and kept in reserve lets nobody in once the venture has an admin', async () => {
  const of = await managed()
  const member = await openMember(bank, of, 'viewer')
  const invite = (role: string) => byTwo(alice.actingFor(of).post('/venture/users', invitation(role)))
  const [first, ...reserve] = [await invite('admin'), await invite('admin'), await invite('operator'), await invite('viewer')]
  const reset = await byTwo(alice.post(`/operator/users/${member.id}/reset`))
  const boss = await signIn(bank, await acceptLink(bank, first), of)
  const before = await bank.count('users')
  for (const link of [...reserve, reset]) await assert.rejects(acceptLink(bank, link), /link_expired/)
  assert.equal(await bank.count('users'), before)
  assert.equal((await member.get('/session')).status, 200)
  // Links of the venture's own admin work, and so do links of the bank once there is no admin left.
  await acceptLink(bank, (await boss.post(`/venture/users/${member.id}/reset`)).body)
  await byTwo(endings['removing']?.(alice, of, boss.id) as Promise<Loose>)
  await acceptLink(bank, await byTwo(alice.post(`/operator/users/${member.id}/reset`)))
  await acceptLink(bank, await invite('admin'))
})

test('of two such invitations that are used at once, one lets somebody in', async () => {
  const of = await managed()
  const invite = () => byTwo(alice.actingFor(of).post('/venture/users', invitation('admin')))
  const links = [await invite(), await invite(), await invite()]
  const body = { name: 'Grace Hopper', password: goodPassword }
  // All of them are under way before one of them has let a person in.
  await bank.owner.query('begin; lock table users in share mode')
  const using = Promise.all(links.map((link) => consoleOf(bank).post('/session/links', { ...partsOf(link), ...body })))
  await waiting(links.length)
  await bank.owner.query('commit')
  const answers = await using
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410])
  assert.equal(await adminsOf(of), 1)
})

test('an OPEN venture with an admin is as it was: two people of the bank invite and reset', async () => {
  const of = (await bank.registerVenture()).venture.id
  await openMember(bank, of, 'admin')
  const member = await openMember(bank, of, 'viewer')
  const links = [await byTwo(alice.actingFor(of).post('/venture/users', invitation('admin')))]
  links.push(await byTwo(alice.actingFor(of).post('/venture/users', invitation('admin'))))
  links.push(await byTwo(alice.actingFor(of).post(`/venture/users/${member.id}/reset`)))
  for (const link of links) await acceptLink(bank, link)
})

test('somebody of several ventures, whom no venture may reset, is reset by two people of the bank', async () => {
  const [one, other] = [await managed(), await managed()]
  const boss = await openMember(bank, one, 'admin')
  await openMember(bank, other, 'admin')
  const member = await openMember(bank, one, 'viewer')
  await bank.owner.query("insert into memberships (user_id, venture_id, role, created_at) values ($1, $2, 'viewer', now())", [
    member.id,
    other,
  ])
  assert.deepEqual(codeOf(await boss.post(`/venture/users/${member.id}/reset`)), [409, 'user_elsewhere'])
  await acceptLink(bank, await byTwo(alice.post(`/operator/users/${member.id}/reset`)))
})

test('somebody of the bank is put out at once, also if they are the last admin of a venture', async () => {
  const of = await managed()
  const banker = await openBanker(bank, 'operator')
  await bank.owner.query("insert into memberships (user_id, venture_id, role, created_at) values ($1, $2, 'admin', now())", [banker.id, of])
  assert.equal((await alice.put(`/operator/users/${banker.id}`, { status: 'DISABLED' })).body.status, 'DISABLED')
})
