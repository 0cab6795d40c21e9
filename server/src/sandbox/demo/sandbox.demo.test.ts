import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { kycStatuses } from '../../clients/clients.schemas.ts'
import { readConfig } from '../../config.ts'
import { aheadBy_s } from '../../platform/clock.ts'
import { type Service, startService } from '../../service.ts'
import { createDatabase, findTestServer, onServers, urlOf } from '../../testing/testing.server.ts'
import { type Bank, type Loose, openBank } from '../../testing/testing.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { transferStatuses } from '../../transfers/life/transfers.status.ts'
import { makeKey } from '../../ventures/ventures.keys.ts'
import { checkInvariants } from '../../verify/verify.ts'
import { currencies, ventures } from './sandbox.demo.people.ts'
import { demoSizes, planDemo, walks } from './sandbox.demo.plan.ts'

const names = Object.values(ventures).map(({ name }) => name)

/** The clock of this process never goes back, so each database begins where the previous one ended. */
async function keepStep(owner: pg.Client): Promise<void> {
  await owner.query('update test_clock set ahead_s = $1', [aheadBy_s()])
}

async function openEmpty(changes: Parameters<typeof openBank>[0] = {}): Promise<Bank> {
  const bank = await openBank({ demoSize: 'small', ...changes })
  await keepStep(bank.owner)
  return bank
}

test('the plan has what the demo bank promises, whatever the seed', () => {
  for (const seed of [0, 1, 7, 2_147_483_647]) {
    const plan = planDemo(seed, demoSizes.full)
    const acts = plan.days.flatMap(({ acts }) => acts.flat())
    assert.equal(plan.clients.length, 40)
    assert.equal(new Set(plan.clients.map(({ email }) => email)).size, 40)
    assert.deepEqual(new Set(plan.clients.map(({ kyc_status }) => kyc_status)), new Set(kycStatuses))
    assert.equal(plan.accounts.length, 60)
    assert.deepEqual(new Set(plan.accounts.map(({ currency }) => currency)), new Set(currencies))
    assert.equal(acts.filter((act) => act.do === 'pay').length, 300)
    assert.ok(acts.some((act) => act.do === 'refund'))
    assert.ok(acts.filter((act) => act.do === 'order' && act.becomes === 'REVIEW').length >= 10)
    assert.equal(plan.days.at(-1)?.day, 89)
  }
  assert.deepEqual(new Set([...Object.keys(walks.out), ...Object.keys(walks.in)]), new Set(transferStatuses))
})

test('a seed always means the same plan, and another seed another one', () => {
  assert.deepEqual(planDemo(7, demoSizes.full), planDemo(7, demoSizes.full))
  assert.notDeepEqual(planDemo(7, demoSizes.full), planDemo(8, demoSizes.full))
})

test('with every seed, each account begins with enough for all that it pays, and orders that wait for money have too little', () => {
  for (let seed = 0; seed < 100; seed++) {
    const { accounts, days } = planDemo(seed, demoSizes.full)
    const left = accounts.map(({ opening = '0' }) => Number(opening))
    const acts = days.flatMap(({ acts }) => acts.flat())
    const signed = new Set(acts.flatMap((act) => (act.do === 'move' && act.status === 'SIGNED' ? [act.order] : [])))
    for (const act of acts) {
      if (act.do !== 'order' || act.fields['debit_amount'] === undefined) continue
      const amount = Number(act.fields['debit_amount'])
      if (act.becomes === 'TO_RESERVE') assert.ok(amount > 5_000 + (left[act.account] ?? 0), `${seed}: ${act.key} could be paid`)
      // Including the fee for an exchange.
      else if (act.becomes !== 'TO_SIGN' || signed.has(act.key)) left[act.account] = (left[act.account] ?? 0) - 1.01 * amount
    }
    assert.ok(
      left.every((rest) => rest >= 0),
      `${seed}: ${left}`,
    )
  }
})

test('a service that has ventures is not filled', async () => {
  const bank = await openEmpty()
  assert.equal((await bank.admin.get('/sandbox/demo')).problem?.code, 'demo_not_started')
  await bank.registerVenture()
  const refused = await bank.admin.post('/sandbox/demo', {})
  assert.deepEqual([refused.status, refused.problem?.code], [409, 'service_not_empty'])
  assert.equal((await bank.admin.get('/sandbox/demo')).status, 404)
  assert.equal(await bank.count('demo_run'), 0)
})

test('a seed is a whole number that is not below zero', async () => {
  const bank = await openEmpty()
  for (const body of [{ seed: -1 }, { seed: 1.5 }, { seed: '7' }, { seed: 2 ** 31 }, { seed: null }, { size: 'small' }]) {
    const refused = await bank.admin.post('/sandbox/demo', body)
    assert.deepEqual([refused.status, refused.problem?.code], [400, 'invalid_request'], JSON.stringify(body))
  }
  assert.equal(await bank.count('demo_run'), 0)
})

test('outside the sandbox there is no demo bank', async () => {
  const bank = await openEmpty({ sandbox: false })
  for (const answer of [await bank.admin.get('/sandbox/demo'), await bank.admin.post('/sandbox/demo', {})])
    assert.deepEqual([answer.status, answer.problem?.code], [404, 'route_not_found'])
})

test('settings that keep the demo bank from being made are named', async () => {
  const bank = await openEmpty({ fourEyes: true, webhookAllowPrivateNetwork: false })
  const refused = await bank.admin.post('/sandbox/demo', {})
  assert.deepEqual([refused.status, refused.problem?.code], [409, 'demo_not_possible'])
  assert.equal(refused.problem.detail, 'FOUR_EYES must be off, and WEBHOOK_ALLOW_PRIVATE_NETWORK must be true.')
  assert.equal(await bank.count('demo_run'), 0)
})

test('two starts at once on two instances give one run, and another seed is refused meanwhile', async () => {
  const bank = await openEmpty()
  const other = await bank.openInstance()
  const headers = bank.admin.headers
  const elsewhere = () => other.inject({ method: 'POST', url: '/api/v1/sandbox/demo', headers, payload: { seed: 3 } })
  const [here, there] = await Promise.all([bank.admin.post('/sandbox/demo', { seed: 3 }), elsewhere()])
  assert.deepEqual([here.status, there.statusCode], [202, 202], here.text + there.body)
  assert.deepEqual([here.body.seed, there.json().seed, here.body.status], [3, 3, 'RUNNING'])
  assert.equal((await bank.admin.post('/sandbox/demo', {})).status, 202)
  const refused = await bank.admin.post('/sandbox/demo', { seed: 4 })
  assert.deepEqual([refused.status, refused.problem?.code], [409, 'demo_running'])
  // A second filler would be here by then: people are registered after the ventures.
  await eventually(async () => (await bank.count('users')) >= 4)
  await other.close()
  await bank.services.demo?.stop()
  const { rows } = await bank.owner.query('select count(*)::int as count from ventures where name = any($1)', [names])
  assert.equal(rows[0].count, 3)
  const { status, detail } = (await bank.admin.get('/sandbox/demo')).body
  assert.deepEqual([status, detail], ['FAILED', 'The service was stopped.'])
  assert.equal((await bank.admin.post('/sandbox/demo', {})).problem?.code, 'service_not_empty')
})

test('a run whose instance has stopped is shown as failed', async () => {
  const bank = await openEmpty()
  await bank.owner.query(
    `insert into demo_run (run_id, seed, status, done, total, step, beat_at)
     values (gen_random_uuid(), 5, 'RUNNING', 1, 9, 'Day 2 of 90', now() - interval '2 minutes')`,
  )
  const { body } = await bank.admin.get('/sandbox/demo')
  assert.deepEqual([body.seed, body.status, body.done, body.digest], [5, 'FAILED', 1, null])
  assert.match(body.detail, /^The instance that filled the service has stopped/)
})

test('the receiver of the demo bank fails now and then, and never twice for the same reason', async () => {
  const bank = await openEmpty()
  const receive = async (id: number, at: number) => {
    const headers = { 'webhook-id': `msg_${id}`, 'webhook-timestamp': String(at), 'content-type': 'application/json' }
    return (await bank.stranger.send({ method: 'POST', url: '/sandbox/receiver', headers, payload: '{}' })).status
  }
  const statuses = await Promise.all(Array.from({ length: 400 }, (_, id) => receive(id, 1_000)))
  const failed = statuses.flatMap((status, id) => (status === 503 ? [id] : []))
  assert.ok(failed.length >= 8 && failed.length <= 40, `${failed.length} of 400 have failed`)
  assert.ok(statuses.every((status) => status === 204 || status === 503))
  const again = await Promise.all(failed.map((id) => receive(id, 2_000)))
  assert.ok(again.filter((status) => status === 204).length >= failed.length / 2)
})

/** The whole service on a database of its own. */
async function startEmpty(): Promise<{
  service: Service
  owner: pg.Client
  get(path: string): Promise<Loose>
  start(seed: number): Promise<Loose>
}> {
  const server = findTestServer()
  const name = `vostro_test_${randomBytes(8).toString('hex')}`
  await onServers(server, (creator) => createDatabase(creator, name, server.template))
  const owner = new pg.Client({ connectionString: urlOf(server.ownerUrl, name) })
  await owner.connect()
  await keepStep(owner)
  const ADMIN_API_KEY = makeKey('admin')
  const settings = { DATABASE_URL: urlOf(server.serviceUrl, name), MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, name), ADMIN_API_KEY }
  const config = readConfig({ ...settings, SANDBOX: 'true', PORT: '0', LOG_LEVEL: 'silent', DATABASE_WAIT_MS: '60000' })
  const service = await startService({ ...config, demoSize: 'small' })
  after(async () => {
    await service.stop()
    await owner.end()
    await onServers(server, (creator) => creator.query(`drop database ${name} with (force)`))
  })
  const headers = { authorization: `Bearer ${ADMIN_API_KEY}`, 'content-type': 'application/json' }
  const url = `${service.url}/api/v1/sandbox/demo`
  return {
    service,
    owner,
    get: async (path) => (await fetch(`${service.url}/api/v1${path}`, { headers })).json(),
    async start(seed) {
      let run: Loose = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ seed }) })).json()
      await eventually(async () => {
        run = await (await fetch(url, { headers })).json()
        return run.status !== 'RUNNING'
      })
      return run
    },
  }
}

test('two empty services come to the same bank, which has everything in it and whose books are right, and another seed to another bank', async () => {
  const first = await startEmpty()
  const made = await first.start(7)
  assert.deepEqual([made.status, made.detail, made.done], ['DONE', null, made.total])
  assert.match(made.digest, /^[0-9a-f]{64}$/)
  const rows = async (sql: string): Promise<Loose[]> => (await first.owner.query(sql)).rows
  const statuses = await rows('select distinct status from transfers')
  assert.deepEqual(new Set(statuses.map(({ status }) => status)), new Set(transferStatuses))
  const verified = await rows('select distinct kyc_status from clients')
  assert.deepEqual(new Set(verified.map(({ kyc_status }) => kyc_status)), new Set(kycStatuses))
  const [{ count }] = await rows('select count(*)::int as count from transfers')
  assert.equal(count, demoSizes.small.transfers)
  const open = await rows(`select distinct kind from cases where state = 'OPEN'`)
  for (const kind of ['hit', 'rule', 'amount', 'suspended', 'recall', 'reconciliation'])
    assert.ok(
      open.some((one) => one.kind === kind),
      `no case of the kind ${kind} is open`,
    )
  const broken = (await checkInvariants(first.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
  await first.service.stop()

  const second = await startEmpty()
  const again = await second.start(7)
  assert.deepEqual([again.status, again.digest], ['DONE', made.digest])
  await second.service.stop()

  const third = await startEmpty()
  const other = await third.start(8)
  assert.equal(other.status, 'DONE', other.detail)
  assert.notEqual(other.digest, made.digest)
})
