// What can happen between the second person's click and the commit: roles end, clearings are revoked, others decide, clocks jump.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { acceptLink, openBanker, type PersonCaller, signIn, someEmail } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'

const bank = await openBank({ fourEyes: true })
const elsewhere = await bank.openInstance()

/** A person of the bank whom nobody there has invited. */
async function openAdmin(): Promise<PersonCaller> {
  const person = await openBanker(bank, 'operator')
  await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [person.id])
  return person
}

const [alice, bob, carol] = [await openAdmin(), await openAdmin(), await openAdmin()]
const venture = await ManagedVenture.open(bank)

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const approve = (approval: { id: string }, by: Caller) => by.post(`/operator/approvals/${approval.id}/approve`)
const stateOf = async ({ id }: { id: string }) => (await carol.get(`/operator/approvals/${id}`)).body.state

async function asked(answer: Promise<Loose>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.equal(status, 202, text)
  return body
}

/** A request to enable a disabled venture. */
async function requestOf(maker: Caller): Promise<Loose> {
  const { id } = (await bank.registerVenture()).venture
  await carol.put(`/ventures/${id}`, { status: 'DISABLED' })
  return asked(maker.put(`/ventures/${id}`, { status: 'ACTIVE' }))
}

const isEnabled = async ({ resource_id }: Loose) => (await carol.get(`/ventures/${resource_id}`)).body.status === 'ACTIVE'

/** How many transactions are waiting for an advisory lock. */
async function waiting(): Promise<number> {
  const { rows } = await bank.owner.query(`
    select count(*)::int as count from pg_locks join pg_database on pg_database.oid = database
    where not granted and locktype = 'advisory' and datname = current_database()`)
  return rows[0].count
}

/** The lock that deciding takes in shared mode until the commit, and taking a role away in exclusive mode. */
const peopleLock = 5_648_773

/** Changes something after an approval has passed the first check and before its transaction begins. */
async function meanwhile(act: () => Promise<Answer>, change: string, ...values: unknown[]): Promise<Answer> {
  await bank.owner.query('begin')
  await bank.owner.query('select pg_advisory_xact_lock($1)', [peopleLock])
  const answer = act()
  await eventually(async () => (await waiting()) > 0)
  await bank.owner.query(change, values)
  await bank.owner.query('commit')
  return answer
}

const endings = [
  "update memberships set role = 'auditor' where user_id = $1",
  'delete from memberships where user_id = $1',
  "update users set status = 'DISABLED' where id = $1",
]

test('a checker whose role ends between the click and the commit approves nothing, and the request stays open', async () => {
  for (const ending of endings) {
    const [checker, request] = [await openAdmin(), await requestOf(alice)]
    const answer = await meanwhile(() => approve(request, checker), ending, checker.id)
    assert.deepEqual(codeOf(answer), [403, 'forbidden'], ending)
    assert.deepEqual([await stateOf(request), await isEnabled(request)], ['PENDING', false])
    assert.equal((await approve(request, bob)).body.state, 'APPROVED')
  }
})

test('a maker whose role ends between the click and the commit gets nothing: the request fails', async () => {
  for (const ending of endings) {
    const maker = await openAdmin()
    const request = await requestOf(maker)
    const { status, body } = await meanwhile(() => approve(request, bob), ending, maker.id)
    assert.deepEqual([status, body.state, body.reason], [200, 'FAILED', 'The person who made the request may no longer do this.'], ending)
    assert.equal(await isEnabled(request), false)
  }
})

test('two people who are no longer cleared when the transaction begins do not approve for each other', async () => {
  const { id, code } = await asked(alice.post('/operator/users', { email: someEmail(), role: 'admin' }))
  const { body } = await approve({ id }, bob)
  const grace = await signIn(bank, await acceptLink(bank, { ...body.result, code }))
  await carol.post('/operator/pairs/clearings', { one_id: alice.id, other_id: grace.id, reason: 'Colleagues.' })
  const request = await requestOf(alice)
  const answer = await meanwhile(() => approve(request, grace), 'update pair_clearings set taken_back_at = now()')
  assert.deepEqual(codeOf(answer), [409, 'related_approval'])
  assert.deepEqual([await stateOf(request), await isEnabled(request)], ['PENDING', false])
})

test('taking a role or a clearing away waits for what is being decided', async () => {
  const [checker, request] = [await openAdmin(), await requestOf(alice)]
  await bank.owner.query('begin')
  await bank.owner.query('select from ventures where id = $1 for update', [request['resource_id']])
  const approving = approve(request, checker)
  const held = async () =>
    (await bank.owner.query("select from pg_locks where locktype = 'advisory' and objid = $1 and mode = 'ShareLock'", [peopleLock]))
      .rowCount
  await eventually(async () => (await held()) === 1)
  let over = 0
  const ending = [
    bob.put(`/operator/users/${checker.id}`, { status: 'DISABLED' }),
    bob.post(`/operator/pairs/clearings/${randomUUID()}/take-back`),
  ].map(async (answer) => {
    await answer
    over++
  })
  await eventually(async () => (await waiting()) === 2 || over > 0)
  assert.equal(over, 0)
  await bank.owner.query('commit')
  assert.equal((await approving).body.state, 'APPROVED')
  await Promise.all(ending)
  assert.equal((await carol.get(`/operator/users/${checker.id}`)).body.status, 'DISABLED')
})

test('two browsers of one person are one person, on every instance', async () => {
  const request = await requestOf(alice)
  const again = await signIn(bank, alice.person)
  for (const browser of [again, new Caller(elsewhere, again.headers)]) {
    assert.notEqual(browser.headers['cookie'], alice.headers['cookie'])
    assert.deepEqual(codeOf(await approve(request, browser)), [409, 'own_approval'])
  }
  assert.deepEqual([await stateOf(request), await isEnabled(request)], ['PENDING', false])
})

test('what two people approve at once on two instances is done once', async () => {
  const account = await venture.openAccount()
  const arrived = {
    sender: 'COBADEFF',
    kind: 'pacs.008',
    tx_id: randomUUID(),
    rail: 'SEPA',
    iban: account.account_number,
    amount: '12.00',
    currency: 'EUR',
  }
  const request = await asked(alice.post('/operator/inbound-payments', arrived))
  const answers = await Promise.all(
    [bob, new Caller(elsewhere, carol.headers), new Caller(elsewhere, bob.headers), carol].map((by) => approve(request, by)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  const { rows } = await bank.owner.query('select count(*)::int as count from inbound_claims where tx_id = $1', [arrived.tx_id])
  assert.equal(rows[0].count, 1)
  const { body: transfers } = await venture.get(`/accounts/${account.id}/transfers`)
  assert.equal(transfers.length, 1)
})

// The clock of this process never goes back.
test('a clock that is 73 hours ahead lets requests expire and frees nothing', async () => {
  const account = await venture.openAccount()
  const forVenture = alice.actingFor(venture.venture.id)
  await forVenture.post(`/accounts/${account.id}/freeze`)
  const waits = await asked(forVenture.post(`/accounts/${account.id}/activate`))
  const { id, code } = await asked(alice.post('/operator/users', { email: someEmail(), role: 'admin' }))
  const grace = await signIn(bank, await acceptLink(bank, { ...(await approve({ id }, bob)).body.result, code }))
  const [byKey, invited] = [await requestOf(alice), await asked(alice.post('/operator/users', { email: someEmail(), role: 'admin' }))]

  assert.equal((await bank.admin.post('/sandbox/clock', { advance: 'PT73H' })).status, 200)
  for (const request of [waits, byKey, invited]) {
    const answer = await approve(request, carol)
    assert.deepEqual([...codeOf(answer), answer.problem?.state], [409, 'approval_not_pending', 'EXPIRED'])
  }
  assert.equal((await venture.get(`/accounts/${account.id}`)).body.status, 'SUSPENDED')
  assert.equal(await isEnabled(byKey), false)
  // What took two people still takes two, and related people still are.
  const again = await asked(forVenture.post(`/accounts/${account.id}/activate`))
  assert.deepEqual(codeOf(await approve(again, alice)), [409, 'own_approval'])
  assert.deepEqual(codeOf(await approve(again, grace)), [409, 'related_approval'])
  assert.equal((await approve(again, carol)).body.state, 'APPROVED')
})
