// Four-eyes approval: one person, with every trick, cannot do what takes two.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keepEra } from '../events/events.ts'
import { read } from '../platform/database/sql.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { acceptLink, openBanker, openMember, type PersonCaller, signIn, someEmail } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { expireRequests, insertApproval } from './audit.approvals.sql.ts'

const bank = await openBank({ fourEyes: true })
const [maker, checker] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]

/** The admin key invites no more than two admins. */
async function openAdmin(): Promise<PersonCaller> {
  const person = await openBanker(bank, 'operator')
  await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [person.id])
  return person
}

async function disabledVenture(): Promise<VentureCaller> {
  const venture = await bank.registerVenture()
  // One person alone may disable a venture, as may the admin key.
  const { status, body } = await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  assert.deepEqual([status, body.status], [200, 'DISABLED'])
  return venture
}

const enable = (venture: VentureCaller, by: Caller = maker, more: object = {}) =>
  by.put(`/ventures/${venture.venture.id}`, { status: 'ACTIVE', ...more })

async function requested(venture: VentureCaller, by: Caller = maker): Promise<Loose> {
  const { status, body, text } = await enable(venture, by)
  assert.equal(status, 202, text)
  return body
}

const decide = (approval: { id: string }, how: 'approve' | 'reject', by: Caller = checker, body?: object) =>
  by.post(`/operator/approvals/${approval.id}/${how}`, body)

const statusOf = async ({ venture }: VentureCaller) => (await bank.admin.get(`/ventures/${venture.id}`)).body.status

async function assertRefused(answer: { status: number; problem: Loose }, status: number, code: string): Promise<void> {
  assert.deepEqual([answer.status, answer.problem?.code], [status, code])
}

test('enabling a venture waits for a second person, and takes effect with the approval', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  assert.deepEqual(
    { ...approval, id: '', payload_hash: '', created_at: '', expires_at: '' },
    {
      id: '',
      venture_id: venture.venture.id,
      action: 'enable-venture',
      resource_id: venture.venture.id,
      payload: { status: 'ACTIVE' },
      payload_hash: '',
      subject: null,
      subject_hash: null,
      reference: null,
      sequence: 1,
      maker_id: maker.id,
      checker_id: null,
      state: 'PENDING',
      reason: null,
      reason_code: null,
      created_at: '',
      expires_at: '',
      decided_at: null,
      approvers: 1,
    },
  )
  assert.equal(await statusOf(venture), 'DISABLED')
  assert.equal((await venture.get('/venture')).status, 401)
  assert.deepEqual((await bank.admin.get(`/operator/approvals/${approval.id}`)).body, approval)

  const { status, body } = await decide(approval, 'approve')
  assert.deepEqual([status, body.state, body.checker_id, body.result.status], [200, 'APPROVED', checker.id, 'ACTIVE'])
  assert.equal((await venture.get('/venture')).status, 200)
  const stored = (await checker.get(`/operator/approvals/${approval.id}`)).body
  assert.deepEqual([stored.state, stored.checker_id, stored.decided_at], ['APPROVED', checker.id, body.decided_at])
  // The audit log has both acts, under the venture.
  const { body: entries } = await bank.admin.get(`/operator/audit-log?venture_id=${venture.venture.id}`)
  assert.deepEqual(
    entries.map(({ action, actor_id }: Loose) => [action, actor_id]),
    [
      ['approveApproval', checker.id],
      ['updateVenture', maker.id],
      ['updateVenture', null],
    ],
  )
})

test('what protects needs one person: disabling, renaming, and enabling what is enabled', async () => {
  const venture = await bank.registerVenture()
  for (const [body, by] of [
    [{ name: 'Renamed' }, bank.admin],
    [{ status: 'ACTIVE' }, bank.admin],
    [{ status: 'DISABLED' }, maker],
    [{ name: 'Renamed again' }, maker],
  ] as const) {
    assert.equal((await by.put(`/ventures/${venture.venture.id}`, body)).status, 200, JSON.stringify(body))
  }
})

test('a replaced key needs a second person, who alone gets it; the stored approval never has it', async () => {
  const venture = await bank.registerVenture()
  const path = `/ventures/${venture.venture.id}/rotate-key`
  const { status, body: approval } = await maker.post(path)
  assert.equal(status, 202)
  assert.equal((await venture.get('/venture')).status, 200)
  const { body } = await decide(approval, 'approve')
  assert.equal((await venture.get('/venture')).status, 401)
  const { api_key } = body.result
  assert.equal((await new Caller(bank.app, { 'x-api-key': api_key }).get('/venture')).status, 200)
  const { rows } = await bank.owner.query('select approvals::text as text from approvals')
  assert.ok(!rows.some(({ text }) => text.includes(api_key)))
  assert.ok(!(await checker.get(`/operator/approvals/${approval.id}`)).text.includes(api_key))
  await assertRefused(await maker.post(`/ventures/${randomUUID()}/rotate-key`), 404, 'venture_not_found')
})

test('another key for a venture needs a second person, who alone gets it', async () => {
  const venture = await bank.registerVenture()
  const path = `/ventures/${venture.venture.id}/keys`
  const wanted = { name: 'Reader', scopes: ['read'] }
  const before = await bank.count('api_keys')
  const { status, body: approval, headers } = await maker.post(path, wanted)
  assert.deepEqual([status, approval.action, approval.payload, headers['location']], [202, 'create-venture-key', wanted, undefined])
  assert.equal(await bank.count('api_keys'), before)
  const { body } = await decide(approval, 'approve')
  assert.equal((await new Caller(bank.app, { 'x-api-key': body.result.api_key }).get('/clients')).status, 200)
  assert.ok(!(await checker.get(`/operator/approvals/${approval.id}`)).text.includes(body.result.api_key))
  await assertRefused(await bank.admin.post(path, wanted), 403, 'person_needed')
  await assertRefused(await maker.post(`/ventures/${randomUUID()}/keys`, wanted), 404, 'venture_not_found')
  await assertRefused(await maker.post(path, { ...wanted, expires_at: '2020-01-01T00:00:00Z' }), 400, 'invalid_request')
  // A venture makes its own keys as before.
  assert.equal((await venture.post('/venture/keys', wanted)).status, 201)
})

test('changing the control of a venture needs a second person', async () => {
  const venture = await bank.registerVenture()
  const path = `/ventures/${venture.venture.id}`
  const controlNow = async () => (await venture.get('/venture')).body.control
  await assertRefused(await bank.admin.put(path, { control: 'MANAGED' }), 403, 'person_needed')
  const { status, body: approval } = await maker.put(path, { control: 'MANAGED', name: 'Managed' })
  assert.deepEqual([status, approval.action, await controlNow()], [202, 'change-control', 'OPEN'])
  assert.equal((await decide(approval, 'approve')).body.state, 'APPROVED')
  assert.deepEqual([await controlNow(), (await venture.get('/venture')).body.name], ['MANAGED', 'Managed'])
  // What cannot be carried out is refused when it is requested.
  const busy = await bank.registerVenture()
  await busy.openAccount({ balance: '1.00' })
  await assertRefused(await maker.put(`/ventures/${busy.venture.id}`, { control: 'MANAGED' }), 409, 'venture_has_books')
})

test('policies and rates are set by two people', async () => {
  const path = `/ventures/${(await bank.registerVenture()).venture.id}/policy`
  const { body: before } = await maker.get(path)
  const policy = { rate_hold_s: before.rate_hold_s + 1 }
  const rate = { from_currency: 'EUR', to_currency: 'SEK', rate: '11.5', margin: '0.01' }
  await assertRefused(await bank.admin.put(path, policy), 403, 'person_needed')
  await assertRefused(await bank.admin.put('/operator/rates', rate), 403, 'person_needed')

  const asked = await maker.put(path, policy)
  assert.deepEqual([asked.status, asked.body.action, asked.body.sequence], [202, 'change-policy', before.version])
  await assertRefused(await checker.put(path, policy), 409, 'approval_pending')
  assert.deepEqual((await maker.get(path)).body, before)
  assert.equal((await decide(asked.body, 'approve')).body.state, 'APPROVED')
  assert.equal((await maker.get(path)).body.rate_hold_s, policy.rate_hold_s)

  const proposed = await maker.put('/operator/rates', rate)
  assert.deepEqual([proposed.status, proposed.body.action], [202, 'set-rate'])
  const listed = async () => (await maker.get('/operator/rates')).body.map(({ id }: Loose) => id)
  assert.ok(!(await listed()).includes(proposed.body.resource_id))
  const { body } = await decide(proposed.body, 'approve')
  assert.deepEqual([body.state, body.result.actor_id], ['APPROVED', checker.id])
  assert.ok((await listed()).includes(proposed.body.resource_id))
  await assertRefused(await maker.put('/operator/rates', { ...rate, to_currency: 'EUR' }), 400, 'invalid_request')
})

test('what the bank froze and whom it blocked, two people free', async () => {
  const venture = await ManagedVenture.open(bank)
  const account = await venture.openAccount()
  const forVenture = maker.actingFor(venture.venture.id)
  const byKey = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture.venture.id })
  const activate = `/accounts/${account.id}/activate`
  const client = `/clients/${account.client_id}`
  const release = { blocked: false, city: 'Lyon' }
  assert.equal((await forVenture.post(`/accounts/${account.id}/freeze`)).status, 200)
  assert.equal((await forVenture.put(client, { blocked: true })).status, 200)
  await assertRefused(await venture.post(activate), 403, 'reserved_to_bank')
  await assertRefused(await venture.put(client, release), 403, 'reserved_to_bank')
  await assertRefused(await byKey.post(activate), 403, 'person_needed')
  await assertRefused(await byKey.put(client, release), 403, 'person_needed')

  const unblock = await forVenture.put(client, release)
  assert.deepEqual([unblock.status, unblock.body.action, unblock.body.resource_id], [202, 'unblock-client', account.client_id])
  assert.equal((await venture.get(client)).body.blocked, true)
  assert.equal((await decide(unblock.body, 'approve')).body.state, 'APPROVED')
  const { blocked, city } = (await venture.get(client)).body
  assert.deepEqual({ blocked, city }, release)

  const unfreeze = await forVenture.post(activate)
  assert.deepEqual([unfreeze.status, unfreeze.body.action, unfreeze.body.resource_id], [202, 'unfreeze-account', account.id])
  assert.equal((await venture.get(`/accounts/${account.id}`)).body.status, 'SUSPENDED')
  assert.equal((await decide(unfreeze.body, 'approve')).body.state, 'APPROVED')
  assert.equal((await venture.get(`/accounts/${account.id}`)).body.status, 'ACTIVE')
  // What one person may do alone creates no approval.
  assert.equal((await forVenture.put(client, { city: 'Nice' })).status, 200)
})

test('nobody approves a request of their own, but its maker may withdraw it', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  await assertRefused(await decide(approval, 'approve', maker), 409, 'own_approval')
  assert.equal(await statusOf(venture), 'DISABLED')
  assert.equal((await checker.get(`/operator/approvals/${approval.id}`)).body.state, 'PENDING')
  const { status, body } = await decide(approval, 'reject', maker, { reason: 'A mistake.' })
  assert.deepEqual([status, body.state, body.reason, body.checker_id], [200, 'WITHDRAWN', 'A mistake.', null])
  await assertRefused(await decide(approval, 'approve'), 409, 'approval_not_pending')
  assert.equal((await bank.admin.get('/operator/approvals?state=WITHDRAWN&limit=1')).body[0].id, approval.id)
  assert.equal(await statusOf(venture), 'DISABLED')
})

test('the database refuses a checker who is the maker', async () => {
  const approval = await requested(await disabledVenture())
  await assert.rejects(
    bank.owner.query("update approvals set state = 'APPROVED', checker_id = maker_id, decided_at = now() where id = $1", [approval.id]),
    /approvals_check/,
  )
})

test('nobody approves a request of somebody whom they invited or reset, nor of somebody who invited or reset them', async () => {
  const byTwo = async ({ body: { id, code } }: Loose) => ({ ...(await decide({ id }, 'approve')).body.result, code })
  const invitation = await byTwo(await maker.post('/operator/users', { email: someEmail(), role: 'admin' }))
  const invited = await signIn(bank, await acceptLink(bank, invitation))
  const colleague = await openAdmin()
  await acceptLink(bank, await byTwo(await maker.post(`/operator/users/${colleague.id}/reset`)))
  const again = await signIn(bank, colleague.person)

  const venture = await disabledVenture()
  const mine = await requested(venture)
  for (const person of [invited, again]) {
    await assertRefused(await decide(mine, 'approve', person), 409, 'related_approval')
    // Rejecting protects, so everyone may do it.
    assert.equal((await decide(await requested(await disabledVenture()), 'reject', person)).body.state, 'REJECTED')
  }
  const theirs = await requested(await disabledVenture(), invited)
  await assertRefused(await decide(theirs, 'approve', maker), 409, 'related_approval')
  assert.equal((await decide(mine, 'approve')).body.state, 'APPROVED')
  // Two people who were invited by the same person are not related to each other.
  assert.equal((await decide(theirs, 'approve', again)).body.state, 'APPROVED')
})

test('the admin key can neither make nor approve what needs two people', async () => {
  const venture = await disabledVenture()
  await assertRefused(await enable(venture, bank.admin), 403, 'person_needed')
  await assertRefused(await bank.admin.post(`/ventures/${venture.venture.id}/rotate-key`), 403, 'person_needed')
  const approval = await requested(venture)
  await assertRefused(await decide(approval, 'approve', bank.admin), 403, 'person_needed')
  await assertRefused(await decide(approval, 'reject', bank.admin), 403, 'person_needed')
  assert.equal(await statusOf(venture), 'DISABLED')
})

test('acting for the venture is no way around: its people and those of the bank cannot make a key or decide', async () => {
  const venture = await bank.registerVenture()
  const user = await openMember(bank, venture.venture.id, 'admin')
  for (const person of [maker.actingFor(venture.venture.id), user]) {
    await assertRefused(await person.post('/venture/rotate-key'), 403, 'forbidden')
  }
  assert.equal((await venture.get('/venture')).status, 200)
  // A person of a venture is not a person of the bank.
  const approval = await requested(await disabledVenture())
  await assertRefused(await decide(approval, 'approve', user), 403, 'forbidden')
})

test('a resource has one open request, whatever the action', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  for (const answer of [
    await enable(venture),
    await enable(venture, checker),
    await maker.post(`/ventures/${venture.venture.id}/rotate-key`),
  ]) {
    await assertRefused(answer, 409, 'approval_pending')
    assert.equal(answer.problem.approval_id, approval.id)
  }
  await decide(approval, 'reject')
  const again = await requested(venture)
  assert.notEqual(again.id, approval.id)
  // Of many concurrent requests, one is stored.
  await decide(again, 'reject')
  const answers = await Promise.all(Array.from({ length: 10 }, () => enable(venture)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, ...Array(9).fill(409)])
})

test('what one person requests twice in a millisecond has one id, and the second is not stored', async () => {
  const approval = await requested(await disabledVenture())
  await decide(approval, 'reject')
  const again = bank.database.transaction((tx) => insertApproval(tx, approval))
  assert.equal(await again.catch(({ constraint }) => constraint), false)
})

test('a resource that has changed since the request is not touched: the approval fails with the reason', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { name: 'Something else' })
  const { status, body } = await decide(approval, 'approve')
  assert.deepEqual([status, body.state, body.checker_id, body.result], [200, 'FAILED', checker.id, null])
  assert.match(body.reason, /its sequence was 1 and is 2/)
  assert.equal(await statusOf(venture), 'DISABLED')
  await assertRefused(await decide(approval, 'approve'), 409, 'approval_not_pending')
  // The failure was audited once, and a new request is possible.
  const { body: entries } = await bank.admin.get(`/operator/audit-log?resource=${approval.id}`)
  assert.deepEqual(
    entries.map(({ action }: Loose) => action),
    ['approveApproval'],
  )
  assert.equal((await decide(await requested(venture), 'approve')).body.state, 'APPROVED')
})

test('a payload that is not what the maker requested is not carried out', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  await bank.owner.query(`update approvals set payload = '{"status":"ACTIVE","name":"Mine"}' where id = $1`, [approval.id])
  const { body } = await decide(approval, 'approve')
  assert.deepEqual([body.state, body.reason], ['FAILED', 'The payload is not what the maker requested.'])
  assert.equal(await statusOf(venture), 'DISABLED')
  // The service's own role may not even try.
  await assert.rejects(bank.owner.query("begin; set local role vostro_service; update approvals set payload = '{}'"), /permission denied/)
  await bank.owner.query('rollback')
})

test('an action that this version does not know fails', async () => {
  const approval = await requested(await disabledVenture())
  await bank.owner.query("update approvals set action = 'forgotten' where id = $1", [approval.id])
  const { body } = await decide(approval, 'approve')
  assert.equal(body.state, 'FAILED')
})

test('a rejected request has no effect and keeps its reason', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  const { status, body } = await decide(approval, 'reject', checker, { reason: 'Not yet.' })
  assert.deepEqual([status, body.state, body.reason, body.checker_id, body.result], [200, 'REJECTED', 'Not yet.', checker.id, null])
  assert.equal(await statusOf(venture), 'DISABLED')
  await assertRefused(await decide(approval, 'approve'), 409, 'approval_not_pending')
  await assertRefused(await decide(approval, 'reject'), 409, 'approval_not_pending')
})

test('an expired request cannot be decided, is listed as expired, and makes room for another', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  await bank.owner.query("update approvals set expires_at = created_at - interval '1 second' where id = $1", [approval.id])
  const answer = await decide(approval, 'approve')
  await assertRefused(answer, 409, 'approval_not_pending')
  assert.equal(answer.problem.state, 'EXPIRED')
  const list = async (state: string) =>
    (await bank.admin.get(`/operator/approvals?venture_id=${venture.venture.id}&state=${state}`)).body.map(({ id, state }: Loose) => [
      id,
      state,
    ])
  assert.deepEqual(await list('PENDING'), [])
  assert.deepEqual(await list('EXPIRED'), [[approval.id, 'EXPIRED']])
  assert.deepEqual(await list('CLOSED'), [[approval.id, 'EXPIRED']])
  const next = await requested(venture)
  assert.deepEqual(await list('PENDING'), [[next.id, 'PENDING']])
  assert.deepEqual(await list('EXPIRED'), [[approval.id, 'EXPIRED']])
})

test('what waited when a dump was made that is restored has expired, and can be asked for again', async () => {
  const [venture, other] = [await disabledVenture(), await disabledVenture()]
  const approval = await requested(venture)
  const decided = await requested(other)
  await decide(decided, 'approve')
  // Without transaction numbers of another cluster, no era begins.
  await keepEra(bank.database, { begin: expireRequests })
  assert.equal((await checker.get(`/operator/approvals/${approval.id}`)).body.state, 'PENDING')
  await keepEra(bank.database, { numbers: [read`select 1 where (select era from event_era) = 1`], begin: expireRequests })
  const answer = await decide(approval, 'approve')
  await assertRefused(answer, 409, 'approval_not_pending')
  assert.equal(answer.problem.state, 'EXPIRED')
  await assertRefused(await decide(approval, 'reject'), 409, 'approval_not_pending')
  assert.equal(await statusOf(venture), 'DISABLED')
  assert.equal((await checker.get(`/operator/approvals/${decided.id}`)).body.state, 'APPROVED')
  assert.equal((await decide(await requested(venture), 'approve')).body.state, 'APPROVED')
})

test('of many people who approve at once, one succeeds, and the effect happens once', async () => {
  const venture = await bank.registerVenture()
  const { body: approval } = await maker.post(`/ventures/${venture.venture.id}/rotate-key`)
  const elsewhere = await bank.openInstance()
  const people = await Promise.all(Array.from({ length: 8 }, openAdmin))
  const answers = await Promise.all(
    people.map((person, index) => decide(approval, 'approve', index % 2 === 0 ? person : new Caller(elsewhere, person.headers))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  assert.ok(answers.every(({ status, problem }) => status === 200 || problem.code === 'approval_not_pending'))
  const { rows } = await bank.owner.query(
    "select count(*)::int as count from events where venture_id = $1 and type = 'venture.key_rotated'",
    [venture.venture.id],
  )
  assert.equal(rows[0].count, 1)
  const { body: entries } = await bank.admin.get(`/operator/audit-log?resource=${approval.id}`)
  assert.equal(entries.length, 1)
})

test('approvals are listed by state, venture, action and resource; unknown ids are 404', async () => {
  const venture = await disabledVenture()
  const approval = await requested(venture)
  for (const query of [`venture_id=${venture.venture.id}`, `resource_id=${venture.venture.id}&action=enable-venture`]) {
    const { body } = await checker.get(`/operator/approvals?${query}&state=PENDING`)
    assert.deepEqual(body, [approval], query)
  }
  assert.deepEqual((await checker.get(`/operator/approvals?venture_id=${venture.venture.id}&action=other`)).body, [])
  assert.equal((await checker.get('/operator/approvals?state=OPEN')).status, 400)
  await assertRefused(await checker.get(`/operator/approvals/${randomUUID()}`), 404, 'approval_not_found')
  await assertRefused(await decide({ id: randomUUID() }, 'approve'), 404, 'approval_not_found')
  await assertRefused(await decide({ id: randomUUID() }, 'reject'), 404, 'approval_not_found')
})

test('approvals are listed by who requested them, and by whether they still wait', async () => {
  const venture = await disabledVenture()
  const of = `/operator/approvals?venture_id=${venture.venture.id}`
  const list = async (query: string, by: Caller = maker) => (await by.get(`${of}&${query}`)).body.map(({ id }: Loose) => id)
  const rejected = await requested(venture, checker)
  assert.equal((await decide(rejected, 'reject', maker)).status, 200)
  const pending = await requested(venture)
  assert.deepEqual(await list(`maker_id=${maker.id}`), [pending.id])
  assert.deepEqual(await list(`maker_id=${checker.id.toUpperCase()}`), [rejected.id])
  assert.deepEqual(await list(`maker_id=${randomUUID()}`), [])
  // Requests that others made: nobody decides their own.
  assert.deepEqual(await list('state=PENDING&maker_id=others'), [])
  assert.deepEqual(await list('state=PENDING&maker_id=others', checker), [pending.id])
  assert.deepEqual(await list('maker_id=others'), [rejected.id])
  assert.deepEqual(await list('maker_id=others', bank.admin), [pending.id, rejected.id])
  assert.deepEqual(await list('state=CLOSED'), [rejected.id])
  const { status, problem } = await maker.get(`${of}&maker_id=me`)
  assert.deepEqual([status, problem.errors], [400, [{ field: 'maker_id', message: 'must be a UUID, or "others"' }]])
})

test('with four eyes off, everything takes effect at once', async () => {
  const venture = await disabledVenture()
  const app = await bank.openInstance({ fourEyes: false })
  const admin = new Caller(app, bank.admin.headers)
  const enabled = await enable(venture, admin)
  assert.deepEqual([enabled.status, enabled.body.status], [200, 'ACTIVE'])
  const rotated = await admin.post(`/ventures/${venture.venture.id}/rotate-key`)
  assert.equal(rotated.status, 200)
  assert.ok(rotated.body.api_key)
  assert.equal((await admin.put(`/ventures/${venture.venture.id}`, { control: 'MANAGED' })).body.control, 'MANAGED')
  assert.equal((await admin.post(`/ventures/${venture.venture.id}/keys`, { name: 'Reader', scopes: ['read'] })).status, 201)
  assert.equal((await admin.put(`/ventures/${venture.venture.id}/policy`, { payout_delay_days: 3 })).body.payout_delay_days, 3)
  const rate = { from_currency: 'EUR', to_currency: 'NOK', rate: '11.7', margin: '0' }
  assert.equal((await admin.put('/operator/rates', rate)).body.rate, '11.7')

  const managed = await ManagedVenture.open(bank)
  const account = await managed.openAccount()
  const alone = new Caller(app, maker.actingFor(managed.venture.id).headers)
  await alone.post(`/accounts/${account.id}/freeze`)
  await alone.put(`/clients/${account.client_id}`, { blocked: true })
  assert.equal((await alone.put(`/clients/${account.client_id}`, { blocked: false })).body.blocked, false)
  assert.equal((await alone.post(`/accounts/${account.id}/activate`)).body.status, 'ACTIVE')
})

test('a venture that is disabled while somebody enables it is not enabled by one person', async () => {
  const venture = await bank.registerVenture()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? maker.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' }) : enable(venture),
    ),
  )
  assert.ok(answers.every(({ status }) => [200, 202, 409].includes(status)))
  assert.equal(await statusOf(venture), 'DISABLED')
})
