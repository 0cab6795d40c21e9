// The request log: what it contains, who sees it, how it is searched, and that it never delays a request.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { Database } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { eventually, untilBlocked } from '../testing/testing.waits.ts'
import { refuse } from '../values/refusals.ts'
import { measureRequestLog } from './requests.metrics.ts'
import { RequestLog } from './requests.ts'

const bank = await openBank({ requestLog: true })
const { requests } = bank.services
const prefixOf = ({ venture }: VentureCaller) => venture.api_key.slice(0, 12)

/** Waits until everything sent so far is in the log. The last request is recorded after its response was read. */
async function written(): Promise<void> {
  await turn()
  await requests.flush()
}

async function list(caller: Caller, query = ''): Promise<Loose[]> {
  await written()
  const { status, body, text } = await caller.get(`/requests${query}`)
  assert.equal(status, 200, text)
  return body
}

async function listAll(query: string): Promise<Loose[]> {
  await written()
  const { status, body, text } = await bank.admin.get(`/operator/requests${query}`)
  assert.equal(status, 200, text)
  return body
}

const routesIn = (rows: Loose[]) => rows.map(({ route }) => route)

test('a venture sees what it has requested and what became of it, and nothing of what it has sent', async () => {
  const venture = await bank.registerVenture()
  const secret = `secret${randomUUID()}`
  await venture.get('/venture')
  const { problem } = await venture.post('/clients/person', { first_name: secret })
  const { problem: missing } = await venture.send({
    method: 'GET',
    url: `/api/v1/clients/${randomUUID()}?nothing=${secret}`,
    headers: { 'x-request-id': 'chosen:1', 'x-forwarded-for': '203.0.113.77', 'user-agent': secret },
  })
  assert.equal(missing.request_id, 'chosen:1')
  const rows = await list(venture)
  const key = { actor: 'venture', key_prefix: prefixOf(venture) }
  assert.deepEqual(
    rows.map(({ id: _, at: __, duration_ms: ___, ...row }) => row),
    [
      { ...key, method: 'GET', route: '/api/v1/clients/{client_id}', status: 404, code: 'client_not_found', request_id: 'chosen:1' },
      {
        ...key,
        method: 'POST',
        route: '/api/v1/clients/person',
        status: 400,
        code: 'invalid_request',
        request_id: problem.request_id,
      },
      { ...key, method: 'GET', route: '/api/v1/venture', status: 200, code: null, request_id: rows[2].request_id },
    ],
  )
  for (const { id, at, duration_ms } of rows) {
    assert.equal(new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString(), at)
    assert.ok(duration_ms > 0)
  }
  const { rows: stored } = await bank.owner.query('select requests::text as text from requests where venture_id = $1', [venture.venture.id])
  assert.ok(stored.length >= 3)
  for (const { text } of stored) assert.doesNotMatch(text, new RegExp(`${secret}|203\\.0\\.113\\.77|127\\.0\\.0\\.1|nothing=`))
})

test('a request is found again by its id, by nobody but its venture and the bank', async () => {
  const [venture, other] = [await bank.registerVenture(), await bank.registerVenture()]
  await venture.get('/venture')
  const [row] = await list(venture)
  assert.deepEqual((await venture.get(`/requests/${row.id}`)).body, row)
  assert.deepEqual((await bank.admin.get(`/operator/requests/${row.id}`)).body, { venture_id: venture.venture.id, ...row })
  for (const [caller, path] of [
    [other, `/requests/${row.id}`],
    [venture, `/requests/${uuidv7()}`],
    [bank.admin, `/operator/requests/${uuidv7()}`],
  ] as const) {
    const { status, problem } = await caller.get(path)
    assert.deepEqual([status, problem?.code], [404, 'request_not_found'], path)
  }
})

test('a list is narrowed by request id, status or class of statuses, route, method, code, key and time', async () => {
  const venture = await bank.registerVenture()
  const { body: second } = await venture.post('/venture/keys', { name: 'Second', scopes: ['read'] })
  const reader = new Caller(bank.app, { 'x-api-key': second.api_key })
  await venture.send({ method: 'GET', url: '/api/v1/venture', headers: { 'x-request-id': 'same' } })
  await venture.send({ method: 'GET', url: '/api/v1/clients', headers: { 'x-request-id': 'same' } })
  await venture.get(`/clients/${randomUUID()}`)
  await venture.post('/clients/person', {})
  await reader.send({ method: 'HEAD', url: '/api/v1/venture' })
  const [head, post, missing, clients, own, made] = await list(venture)
  const found = async (query: string) => (await list(venture, `?${query}`)).map(({ id }) => id)
  const ids = (...rows: Loose[]) => rows.map(({ id }) => id)
  const before = `date_to=${head.at}&date_from=${made.at}`
  assert.deepEqual(await found('request_id=same'), ids(clients, own))
  assert.deepEqual(await found(`${before}&status=404`), ids(missing))
  assert.deepEqual(await found(`${before}&status=4xx`), ids(post, missing))
  assert.deepEqual(await found(`${before}&status=5xx`), [])
  assert.deepEqual(await found(`${before}&route=/api/v1/venture`), ids(head, own))
  assert.deepEqual(await found(`${before}&method=POST`), ids(post, made))
  assert.deepEqual(await found(`${before}&method=HEAD`), ids(head))
  assert.deepEqual(await found('code=client_not_found'), ids(missing))
  assert.deepEqual(await found(`key_prefix=${second.api_key.slice(0, 12)}`), ids(head))
  assert.deepEqual(await found(`date_to=${own.at}&request_id=same`), ids(...(clients.at === own.at ? [clients, own] : [own])))
  assert.deepEqual(await found('date_from=2100-01-01'), [])
  assert.deepEqual(await found('request_id=same&status=2xx&method=GET&route=/api/v1/clients'), ids(clients))
  const all = await listAll(`?venture_id=${venture.venture.id}&request_id=same`)
  assert.deepEqual(
    all,
    [clients, own].map((row) => ({ venture_id: venture.venture.id, ...row })),
  )
})

test('a filter that nothing can match is refused', async () => {
  const venture = await bank.registerVenture()
  for (const [query, field] of [
    ['status=4x', 'status'],
    ['status=600', 'status'],
    ['status=4XX', 'status'],
    ['status=', 'status'],
    ['method=BREW', 'method'],
    ['request_id=two%20words', 'request_id'],
    [`request_id=${'x'.repeat(129)}`, 'request_id'],
    ['date_from=yesterday', 'date_from'],
    ['path=/x', 'path'],
    ['venture_id=x', 'venture_id'],
  ] as const) {
    const { status, problem } = await venture.get(`/requests?${query}`)
    assert.deepEqual([status, problem.code, problem.errors[0].field], [400, 'invalid_request', field], query)
  }
  const { status, problem } = await bank.admin.get('/operator/requests?venture_id=x')
  assert.deepEqual([status, problem.errors[0].field], [400, 'venture_id'])
  assert.equal((await venture.get(`/requests?after=${uuidv7()}&offset=1`)).status, 400)
})

test('a list goes on where its page ends', async () => {
  const venture = await bank.registerVenture()
  for (let count = 0; count < 5; count++) await venture.get('/venture')
  await written()
  const seen: string[] = []
  let path = '/requests?limit=2&route=/api/v1/venture'
  while (path !== '') {
    const { body, headers } = await venture.get(path)
    seen.push(...body.map(({ id }: Loose) => id))
    path = /<\/api\/v1([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1] ?? ''
  }
  assert.equal(new Set(seen).size, 5)
  assert.deepEqual(seen, seen.toSorted().reverse())
})

test('requests without a valid key, and those of the bank, are for the bank alone', async () => {
  const venture = await bank.registerVenture()
  const { id: venture_id } = venture.venture
  const former = new Caller(bank.app, venture.headers)
  const { body: renewed } = await bank.admin.post(`/ventures/${venture_id}/rotate-key`)
  const caller = new Caller(bank.app, { 'x-api-key': renewed.api_key })
  const asked = (who: Caller, method: 'GET' | 'POST', url: string) => {
    const request_id = `only:${randomUUID()}`
    return who.send({ method, url: `/api/v1${url}`, headers: { 'x-request-id': request_id } }).then(() => request_id)
  }
  const banker = await openBanker(bank, 'auditor')
  const none = { venture_id: bankId, actor: null, key_prefix: null }
  const expected: [string, object][] = [
    [await asked(bank.stranger, 'GET', '/venture'), { ...none, status: 401, code: 'unauthorized', route: '/api/v1/venture' }],
    [await asked(former, 'GET', '/venture'), { ...none, key_prefix: prefixOf(venture), status: 401, code: 'unauthorized' }],
    [await asked(new Caller(bank.app, { 'x-api-key': 'no key of ours' }), 'GET', '/venture'), { ...none, status: 401 }],
    [await asked(caller, 'GET', '/no-such-route'), { ...none, status: 404, code: 'route_not_found', route: null }],
    [await asked(caller, 'POST', '/venture'), { ...none, status: 405, code: 'method_not_allowed', route: null }],
    [await asked(caller, 'GET', '/ventures'), { ...none, status: 403, code: 'forbidden', route: '/api/v1/ventures' }],
    [await asked(bank.admin, 'GET', '/ventures'), { ...none, actor: 'operator', status: 200, code: null }],
    [
      await asked(new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id }), 'GET', '/clients'),
      { ...none, actor: 'operator', key_prefix: bank.config.adminApiKey?.slice(0, 12), status: 200 },
    ],
    [await asked(banker.actingFor(venture_id), 'GET', '/clients'), { ...none, actor: 'operator', status: 200 }],
    [await asked(banker, 'POST', '/operator/nostros'), { ...none, actor: 'operator', status: 403 }],
  ]
  for (const [request_id, row] of expected) {
    const [found, ...others] = await listAll(`?request_id=${request_id}`)
    assert.equal(others.length, 0)
    assert.deepEqual({ ...found, ...row }, found, JSON.stringify(found))
    assert.deepEqual(await list(caller, `?request_id=${request_id}`), [])
    assert.equal((await caller.get(`/requests/${found.id}`)).problem.code, 'request_not_found')
  }
  assert.deepEqual(new Set(routesIn(await list(caller))), new Set(['/api/v1/requests', '/api/v1/requests/{logged_request_id}']))
})

test('what is refused for its scope, its role or its header is the venture’s, because the key is valid', async () => {
  const [venture, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const { body: narrow } = await venture.post('/venture/keys', { name: 'Clients', scopes: ['clients'] })
  await new Caller(bank.app, { 'x-api-key': narrow.api_key }).get('/accounts')
  await new Caller(bank.app, { 'x-api-key': narrow.api_key, 'vostro-venture': other.venture.id }).get('/clients')
  const viewer = await openMember(bank, venture.venture.id, 'viewer')
  await viewer.post('/clients/person', {})
  await viewer.get('/clients')
  const stranger = await openMember(bank, other.venture.id, 'viewer')
  await stranger.actingFor(venture.venture.id).get('/clients')
  const rows = (await list(venture)).slice(0, 4).map(({ actor, key_prefix, status, code }) => [actor, key_prefix, status, code])
  const prefix = narrow.api_key.slice(0, 12)
  assert.deepEqual(rows, [
    ['user', null, 200, null],
    ['user', null, 403, 'forbidden'],
    ['venture', prefix, 403, 'forbidden'],
    ['venture', prefix, 403, 'forbidden'],
  ])
  assert.deepEqual(routesIn(await list(other, '?route=/api/v1/clients')), [])
})

test('a request whose path is encoded is in the log', async () => {
  const venture = await bank.registerVenture()
  assert.equal((await venture.send({ method: 'GET', url: '/%61pi/v1/venture' })).status, 200)
  assert.deepEqual(routesIn(await list(venture)), ['/api/v1/venture'])
})

test('pages, documents and probes are not in the log', async () => {
  const paths = ['/', '/healthz', '/docs', '/openapi.json', '/pay/nothing', '/api', '/favicon.ico']
  const request_id = `page:${randomUUID()}`
  for (const url of paths) await bank.stranger.send({ method: 'GET', url, headers: { 'x-request-id': request_id } })
  assert.deepEqual(await listAll(`?request_id=${request_id}`), [])
})

const open = (changes: object = {}) => {
  const database = new Database({ url: urlOf(findTestServer().serviceUrl, bank.owner.database ?? ''), ...changes })
  after(() => database.close())
  return database
}
const lines: string[] = []
const log = createLog('warn', { write: (line: string) => void lines.push(line) })
const recorded = (venture_id: string) => ({
  venture_id,
  method: 'GET',
  route: null,
  status: 200,
  code: null,
  duration_ms: 1,
  actor: null,
  key_prefix: null,
  request_id: randomUUID(),
})
const countOf = async (venture_id: string): Promise<number> =>
  (await bank.owner.query('select count(*)::int as count from requests where venture_id = $1', [venture_id])).rows[0].count

test('while nothing can be written, requests are answered, and those for which there is no room are dropped and counted', async () => {
  const full = new RequestLog({ database: open({ wait_ms: 60_000 }), log, most: 3, batchSize: 2, collect_ms: 1 })
  const venture_id = randomUUID()
  full.record(recorded(venture_id))
  assert.equal(full.waiting, 0, 'it is off')
  full.start()
  const venture = await bank.registerVenture()
  await venture.get('/venture')
  await bank.owner.query('begin; lock table requests in access exclusive mode')
  try {
    for (let count = 0; count < 5; count++) full.record(recorded(venture_id))
    assert.deepEqual([full.waiting, full.dropped], [3, 2])
    const flushing = full.flush()
    assert.ok(await untilBlocked(bank.owner, flushing))
    assert.equal((await venture.get('/venture')).status, 200)
    full.record(recorded(venture_id))
    assert.deepEqual([full.waiting, full.dropped], [3, 3])
    await bank.owner.query('rollback')
    await flushing
  } finally {
    await bank.owner.query('rollback')
  }
  assert.deepEqual([full.waiting, full.dropped, await countOf(venture_id)], [0, 3, 3])
  full.record(recorded(venture_id))
  await full.stop()
  assert.deepEqual([full.waiting, full.dropped, await countOf(venture_id)], [0, 3, 4])
})

test('the metrics show what waits and what was dropped', async () => {
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  assert.match(text, /^request_log_waiting \d+$/m)
  assert.match(text, /^request_log_dropped_total 0$/m)
  const small = new RequestLog({ database: open(), log, most: 1, collect_ms: 60_000 })
  small.start()
  for (let count = 0; count < 3; count++) small.record(recorded(bankId))
  const registry = new Registry()
  measureRequestLog(registry, small)
  for (let count = 0; count < 2; count++) {
    const shown = await registry.metrics()
    assert.match(shown, /^request_log_waiting 1$/m)
    assert.match(shown, /^request_log_dropped_total 2$/m)
  }
  await small.stop()
})

test('what could not be written is written later, once; what is still left when the instance stops is counted', async () => {
  const impatient = new RequestLog({ database: open({ wait_ms: 400 }), log, collect_ms: 60_000, retry_ms: 1 })
  impatient.start()
  const venture_id = randomUUID()
  for (let count = 0; count < 3; count++) impatient.record(recorded(venture_id))
  await bank.owner.query('begin; lock table requests in access exclusive mode')
  await impatient.flush()
  assert.deepEqual([impatient.waiting, impatient.dropped], [3, 0])
  assert.ok(lines.some((line) => line.includes('requests cannot be logged at the moment')))
  await bank.owner.query('rollback')
  await eventually(() => impatient.waiting === 0)
  assert.deepEqual([impatient.dropped, await countOf(venture_id)], [0, 3])
  impatient.record(recorded(venture_id))
  await bank.owner.query('begin; lock table requests in access exclusive mode')
  await impatient.stop()
  await bank.owner.query('rollback')
  assert.deepEqual([impatient.waiting, impatient.dropped, await countOf(venture_id)], [0, 1, 3])
})

test('a batch whose outcome is unknown is written once, and so is what was recorded meanwhile', async () => {
  const database = open()
  let unknown = 2
  const transaction: Database['transaction'] = async (work, since_ms) => {
    const result = await database.transaction(work, since_ms)
    // The first two writes succeed, but their answers are lost. Before a batch is written, its days are created.
    return result === undefined && unknown-- > 0 ? refuse('outcome_unknown', { retry_after_s: 5 }) : result
  }
  const deaf = new RequestLog({
    database: Object.assign(Object.create(database), { transaction }),
    log,
    batchSize: 4,
    collect_ms: 60_000,
    retry_ms: 60_000,
  })
  deaf.start()
  const venture_id = randomUUID()
  for (let count = 0; count < 3; count++) deaf.record(recorded(venture_id))
  await deaf.flush()
  assert.deepEqual([deaf.waiting, await countOf(venture_id)], [3, 3])
  for (let count = 0; count < 3; count++) deaf.record(recorded(venture_id))
  await deaf.flush()
  assert.deepEqual([deaf.waiting, await countOf(venture_id)], [3, 6])
  await deaf.stop()
  assert.deepEqual([unknown, deaf.waiting, deaf.dropped, await countOf(venture_id)], [0, 0, 0, 6])
})

test('requests that are written together keep what each of them has, whatever it is', async () => {
  const mixed = new RequestLog({ database: open(), log, collect_ms: 60_000 })
  mixed.start()
  const venture_id = randomUUID()
  const requests = ['NULL', 'null', '.', ':-', 'x'.repeat(128), 'NULL', '1'].map((request_id, index) => ({
    ...recorded(index % 3 === 0 ? venture_id : randomUUID()),
    method: index % 2 === 0 ? 'GET' : 'POST',
    route: index % 3 === 1 ? null : `/api/v1/{a,b}/"${index % 2}"\\`,
    status: 200 + index,
    code: index % 2 === 0 ? 'NULL' : null,
    duration_ms: index / 4,
    actor: index % 2 === 0 ? ('venture' as const) : null,
    key_prefix: index % 2 === 0 ? 'vk_test_abc"' : null,
    request_id,
  }))
  for (const request of requests) mixed.record(request)
  await mixed.stop()
  const names = Object.keys(requests[0] ?? {}).join(', ')
  const { rows } = await bank.owner.query(`select ${names} from requests where venture_id = any($1) order by id`, [
    requests.map((request) => request.venture_id),
  ])
  assert.deepEqual([mixed.dropped, rows], [0, requests])
})

test('a batch that the database can never take is dropped and counted, and does not hold up the next one', async () => {
  const picky = new RequestLog({ database: open(), log, batchSize: 1, collect_ms: 60_000 })
  picky.start()
  const venture_id = randomUUID()
  picky.record({ ...recorded(venture_id), key_prefix: 'too short' })
  picky.record(recorded(venture_id))
  await picky.stop()
  assert.deepEqual([picky.dropped, await countOf(venture_id)], [1, 1])
  assert.ok(lines.some((line) => line.includes('requests could not be logged')))
})

test('the log goes on after there was nothing to write', async () => {
  const idle = new RequestLog({ database: open(), log, collect_ms: 60_000 })
  idle.start()
  await idle.flush()
  const venture_id = randomUUID()
  idle.record(recorded(venture_id))
  await idle.flush()
  assert.deepEqual([idle.waiting, idle.dropped, await countOf(venture_id)], [0, 0, 1])
})

test('an instance that stops writes what it has recorded', async () => {
  const app = await bank.openInstance({ requestLog: true })
  const { venture } = await bank.registerVenture()
  const caller = new Caller(app, { 'x-api-key': venture.api_key })
  for (let count = 0; count < 20; count++) assert.equal((await caller.get('/venture')).status, 200)
  await app.close()
  assert.equal(await countOf(venture.id), 20)
})

test('while the log is off, nothing is recorded, and what was recorded before can still be read', async () => {
  const venture = await bank.registerVenture()
  await venture.get('/venture')
  await written()
  const app = await bank.openInstance({ requestLog: false })
  const caller = new Caller(app, venture.headers)
  for (let count = 0; count < 3; count++) assert.deepEqual(routesIn((await caller.get('/requests')).body), ['/api/v1/venture'])
  // An empty list would say that there were no requests.
  const silent = await bank.registerVenture()
  for (const [who, path] of [
    [silent.headers, '/requests'],
    [venture.headers, '/requests?status=5xx'],
    [bank.admin.headers, `/operator/requests?request_id=${randomUUID()}`],
  ] as const) {
    const { status, problem } = await new Caller(app, who).get(path)
    assert.deepEqual([status, problem?.code], [409, 'request_log_off'], path)
  }
  assert.deepEqual((await silent.get('/requests?status=5xx')).body, [], 'while it is on, an empty list is one')
  await app.close()
  assert.equal(await countOf(venture.venture.id), 1)
})
