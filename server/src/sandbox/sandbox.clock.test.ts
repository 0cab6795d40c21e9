// The test clock: everything that depends on the time follows it, in every instance, and nothing outside the sandbox does.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { aheadBy_s, now } from '../platform/clock.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { fetchPatiently, ServiceProcess, stopProcesses } from '../testing/testing.process.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { addDays, nextTargetDay, todayUtc } from '../values/calendar.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank()

afterEach(stopProcesses)

async function advance(by: string | number): Promise<Loose> {
  const { status, body, text } = await bank.admin.post('/sandbox/clock', { advance: by })
  assert.equal(status, 200, text)
  return body
}

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
const nearly = (one: number, other: number): boolean => Math.abs(one - other) < 60_000

test('the clock moves forwards, by seconds or by a duration, and takes times and ids along', async () => {
  const { body: before } = await bank.admin.get('/sandbox/clock')
  assert.equal(before.ahead_s, aheadBy_s())
  assert.ok(nearly(Date.parse(before.now), Date.now() + before.ahead_s * 1000))
  assert.equal((await advance(90)).ahead_s, before.ahead_s + 90)
  const after = await advance('P1DT1H')
  assert.equal(after.ahead_s, before.ahead_s + 90 + 90_000)
  assert.ok(nearly(Date.parse(after.now), Date.now() + after.ahead_s * 1000))
  assert.deepEqual((await bank.admin.get('/sandbox/clock')).body.ahead_s, after.ahead_s)
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  for (const time of [timeOf(client.id), Date.parse(client.created_at)]) assert.ok(nearly(time, Date.parse(after.now)))
  const { body: audited } = await bank.admin.get('/operator/audit-log?action=advanceTestClock')
  assert.equal(audited.length, 2)
  const { rows } = await bank.owner.query('select bank_now() - now() = make_interval(secs => $1) as ahead', [after.ahead_s])
  assert.deepEqual(rows, [{ ahead: true }])
})

test('it never goes back, and not far ahead; only admins of the bank move it', async () => {
  const before = aheadBy_s()
  const refused: [unknown, RegExp][] = [
    [-60, /advance/],
    [0, /advance/],
    [1.5, /advance/],
    ['P-1D', /must be a number of seconds, or a duration/],
    ['-P1D', /must be a number of seconds, or a duration/],
    ['tomorrow', /must be a number of seconds, or a duration/],
    ['PT0S', /must be longer than zero/],
    ['P11Y', /further than ten years/],
    [11 * 366 * 86_400, /advance/],
    [null, /advance/],
    [{}, /advance/],
  ]
  for (const [by, detail] of refused) {
    const { status, problem, text } = await bank.admin.post('/sandbox/clock', { advance: by })
    assert.deepEqual([status, problem?.code], [400, 'invalid_request'], text)
    assert.match(problem.detail, detail)
  }
  const venture = await bank.registerVenture()
  const auditor = await openBanker(bank, 'auditor')
  const operator = await openBanker(bank, 'operator')
  for (const caller of [venture, auditor, operator]) assert.equal((await caller.post('/sandbox/clock', { advance: 1 })).status, 403)
  assert.equal((await new Caller(bank.app, {}).post('/sandbox/clock', { advance: 1 })).status, 401)
  assert.equal((await auditor.get('/sandbox/clock')).status, 200)
  assert.equal((await venture.get('/sandbox/clock')).status, 403)
  assert.equal(aheadBy_s(), before)
  assert.equal((await (await openBanker(bank, 'admin')).post('/sandbox/clock', { advance: 1 })).status, 200)
})

test('outside the sandbox there is no such clock', async () => {
  const live = new Caller(await bank.openInstance({ sandbox: false }), bank.admin.headers)
  assert.equal((await live.post('/sandbox/clock', { advance: 1 })).status, 404)
  assert.equal((await live.get('/sandbox/clock')).status, 404)
})

test('a payment for a later day is sent once that day has come', async () => {
  const venture = await ManagedVenture.open(bank)
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const settlement_date = nextTargetDay(addDays(todayUtc(now()), 30))
  const transfer = await venture.createTransfer({
    account_id: account.id,
    beneficiary_id: beneficiary.id,
    debit_amount: '10.00',
    settlement_date,
  })
  const isSent = async () => {
    await bank.runProcessing()
    const { body } = await venture.get(`/transfers/${transfer.id}/history`)
    return body.some(({ to_status }: Loose) => /^SENT_TO_/.test(to_status))
  }
  assert.equal(await isSent(), false)
  await advance('P20D')
  assert.equal(await isSent(), false)
  await advance('P11D')
  assert.equal(await isSent(), true)
})

test('keys and idempotency keys expire, and people who are signed in stay signed in', async () => {
  const venture = await bank.registerVenture()
  const member = await openMember(bank, venture.venture.id, 'admin')
  assert.equal((await member.get('/venture')).status, 200)
  const expires_at = new Date(now().getTime() + 3_600_000).toISOString()
  const { body: key } = await venture.post('/venture/keys', { name: 'For an hour', scopes: ['read'], expires_at })
  const holder = new Caller(bank.app, { 'x-api-key': key.api_key })
  const client = await venture.registerClient()
  const order = { client_id: client.id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' }
  const once = new Caller(bank.app, { ...venture.headers, 'idempotency-key': randomUUID() })
  const { body: account } = await once.post('/accounts', order)
  assert.equal((await holder.get('/accounts')).status, 200)
  await advance('PT31M')
  assert.equal((await holder.get('/accounts')).status, 200)
  assert.equal((await once.post('/accounts', order)).body.id, account.id)
  await advance('PT30M')
  assert.equal((await holder.get('/accounts')).status, 401)
  await advance('P1D')
  assert.equal((await member.get('/venture')).status, 200)
  assert.notEqual((await once.post('/accounts', order)).body.id, account.id)
})

test('retries of webhooks come due, and are signed with the real time', async () => {
  await advance('P1D')
  const receiver = await openReceiver()
  receiver.status = 500
  const venture = await bank.registerVenture()
  const { status } = await venture.post('/webhook-endpoints', { url: receiver.url, event_types: ['client.created'] })
  assert.equal(status, 201)
  await venture.registerClient()
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 1)
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 1)
  receiver.status = 200
  await advance('PT10S')
  await bank.runDeliveries()
  const [, retried] = receiver.arrivals
  assert.ok(retried !== undefined)
  assert.ok(nearly(Number(retried.headers['webhook-timestamp']) * 1000, Date.now()))
  assert.ok(nearly(Date.parse(retried.event.timestamp), now().getTime()))
})

test('signed-in people learn how far ahead the clock is, and nobody does outside the sandbox', async () => {
  const venture = await bank.registerVenture()
  const viewer = await openMember(bank, venture.venture.id, 'viewer')
  const { ahead_s } = await advance(60)
  assert.equal((await viewer.get('/session')).body.clock_ahead_s, ahead_s)
  assert.equal((await viewer.get('/sandbox/clock')).status, 403)
  const live = new Caller(await bank.openInstance({ sandbox: false }), viewer.headers)
  assert.equal((await live.get('/session')).body.clock_ahead_s, null)
})

test('jobs come due', async () => {
  const due = async () =>
    (await bank.owner.query(`select count(*)::int as due from jobs where kind = $1 and due_at <= bank_now()`, [kind])).rows[0].due
  const kind = 'kyc.open-application'
  await bank.owner.query(
    `insert into jobs (id, kind, venture_id, payload, due_at) values (gen_random_uuid(), $1, gen_random_uuid(), '{}', bank_now() + interval '3 hours')`,
    [kind],
  )
  assert.equal(await due(), 0)
  await advance('PT3H')
  assert.equal(await due(), 1)
  await bank.owner.query('delete from jobs where kind = $1', [kind])
})

test('two instances agree within about a second, also after a restart; outside the sandbox the database is refused', async () => {
  const { owner, config } = await openBank()
  const server = findTestServer()
  const settings = {
    DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
    ADMIN_API_KEY: config.adminApiKey ?? '',
    LOG_LEVEL: 'silent',
    PORT: '0',
  }
  const [first, second] = [new ServiceProcess({ ...settings, SANDBOX: 'true' }), new ServiceProcess({ ...settings, SANDBOX: 'true' })]
  const ask = async (url: string, body?: object): Promise<Loose> => {
    const headers = { 'x-api-key': settings.ADMIN_API_KEY, 'content-type': 'application/json' }
    const answer = await fetchPatiently(`${url}/api/v1/sandbox/clock`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const [one, other] = await Promise.all([first.ready(), second.ready()])
  assert.equal((await ask(one, { advance: 'P100D' })).ahead_s, 8_640_000)
  assert.equal((await ask(one)).ahead_s, 8_640_000)
  await eventually(async () => (await ask(other)).ahead_s === 8_640_000)
  // A jump of an instance that has not heard of the first one is added to it.
  assert.equal((await ask(other, { advance: 5 })).ahead_s, 8_640_005)
  await Promise.all([first.stop('SIGTERM'), second.stop('SIGTERM')])
  const again = new ServiceProcess({ ...settings, SANDBOX: 'true' })
  assert.equal((await ask(await again.ready())).ahead_s, 8_640_005)
  await again.stop('SIGTERM')
  const live = new ServiceProcess(settings)
  assert.equal((await live.ended).code, 1)
  assert.match(live.stderr, /^The clock of this database was moved 8640005 seconds forwards in the sandbox/)
})

test('the books are right', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
