import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureVop } from '../payees/vop/payees.vop.metrics.ts'
import { measureInbox } from '../rails/inbox/rails.inbox.metrics.ts'
import { openRails } from '../testing/testing.rails.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { getOperatorHealth } from './health.ts'
import { createHttp } from './http/http.ts'
import { createLog } from './log.ts'
import { measure } from './metrics.ts'

const bank = await openBank()

test('the bank sees how many requests there were, how long they took, and what waits', async () => {
  const venture = await bank.registerVenture()
  for (let number = 0; number < 5; number++) await venture.get('/transfers')
  const { status, body } = await bank.admin.get('/operator/health')
  assert.equal(status, 200)
  const route = body.routes.find(({ method, route }: Loose) => method === 'GET' && route === '/api/v1/transfers')
  assert.equal(route.count, 5)
  assert.ok(route.mean_ms > 0 && route.p50_ms > 0 && route.p50_ms <= (route.p99_ms ?? Number.POSITIVE_INFINITY), JSON.stringify(route))
  assert.ok(body.requests_last_minute > 0)
  assert.deepEqual(Object.keys(body.pool), ['busy', 'idle', 'waiting'])
  assert.ok(body.pool.busy + body.pool.idle > 0)
  assert.deepEqual([body.deliveries.pending, body.deliveries.failed], [0, 0])
  assert.deepEqual(body.request_log, { waiting: 0, dropped: 0 })
  const counts = body.routes.map(({ count }: Loose) => count)
  assert.deepEqual(
    counts,
    counts.toSorted((a: number, b: number) => b - a),
  )
})

test('refused requests and unknown paths are counted without their paths', async () => {
  await bank.stranger.get('/transfers')
  await bank.admin.get('/operator/nothing-of-this-name')
  const { body, text } = await bank.admin.get('/operator/health')
  assert.ok(body.routes.some(({ route }: Loose) => route === 'unknown'))
  assert.ok(!text.includes('of-this-name'))
})

test('dead jobs are shown by kind', async () => {
  await bank.owner.query(
    `insert into jobs (id, kind, payload, state, due_at, attempts) values (gen_random_uuid(), 'health.test', '{}', 'DEAD', now(), 3)`,
  )
  const { body } = await bank.admin.get('/operator/health')
  const found = body.jobs.find(({ kind }: Loose) => kind === 'health.test')
  assert.deepEqual([found?.ready, found?.dead], [0, 1])
})

test('without an exchange of files there is none to look after', async () => {
  const { body } = await bank.admin.get('/operator/health')
  assert.deepEqual([body.status, body.exchange], ['GREEN', null])
})

test('the bank sees what waits in the inbox, and what was refused', async () => {
  const rails = await openRails()
  rails.other.exchange.put('<nothing/>')
  rails.other.exchange.put('')
  await rails.takeIn()
  const { status, exchange } = (await rails.bank.admin.get('/operator/health')).body
  assert.deepEqual([status, exchange.oldest_file_s, exchange.refused_files], ['GREEN', 0, 2])
  assert.ok(exchange.last_round_s >= 0)
  const { text } = await rails.bank.admin.send({ method: 'GET', url: '/metrics' })
  assert.match(text, /^exchange_refused_files_total\{reason="empty"\} 1$/m)
  assert.match(text, /^exchange_oldest_file_seconds 0$/m)
})

test('an exchange whose rounds have not ended for five minutes makes the health red', async () => {
  const healthAfter = async (last_round_s: number) => {
    const metrics = measure(createHttp(createLog('silent')), bank.database)
    measureInbox(metrics, { figures: { oldest_s: 7, last_round_s, refused: new Map([['malformed', 2]]), clock_off: 0 } })
    const { status, exchange } = await getOperatorHealth(metrics, [])
    return [status, exchange]
  }
  assert.deepEqual(await healthAfter(300), ['GREEN', { oldest_file_s: 7, last_round_s: 300, refused_files: 2 }])
  assert.deepEqual(await healthAfter(301), ['RED', { oldest_file_s: 7, last_round_s: 301, refused_files: 2 }])
})

test('the certificate of the listener for other banks makes the health red once it has expired', async () => {
  const healthWith = async (hours: number) => {
    const metrics = measure(createHttp(createLog('silent')), bank.database)
    const figures = { answered: new Map([['MATCH', 2]]), refused: new Map([['path', 3]]) }
    const expires_at = new Date(Date.now() + hours * 3_600_000)
    measureVop(metrics, { listener: { figures, expires_at, onAnswer() {} }, clientExpires_at: undefined })
    const { status, vop } = await getOperatorHealth(metrics, [])
    return [status, vop?.answered, vop?.refused]
  }
  assert.deepEqual(await healthWith(1), ['GREEN', 2, 3])
  assert.deepEqual(await healthWith(-1), ['RED', 2, 3])
  assert.equal((await bank.admin.get('/operator/health')).body.vop, null)
})

test('only people of the bank see the health of the service', async () => {
  const venture = await bank.registerVenture()
  assert.equal((await venture.get('/operator/health')).problem.code, 'forbidden')
  assert.equal((await bank.stranger.get('/operator/health')).problem.code, 'unauthorized')
  assert.equal((await (await openBanker(bank, 'auditor')).get('/operator/health')).status, 200)
  assert.equal((await bank.admin.get('/operator/health?deep=true')).status, 200)
})
