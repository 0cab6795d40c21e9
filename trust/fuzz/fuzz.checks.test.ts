// Tests the fuzzer's checks on responses and rows that are wrong on purpose: a check that cannot fail would never find anything.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { anybody } from '../../server/src/platform/http/access.ts'
import { createHttp } from '../../server/src/platform/http/http.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { openBank } from '../../server/src/testing/testing.ts'
import { Canaries, Contract, findingsIn } from './fuzz.checks.ts'
import { sendRefused } from './fuzz.phases.ts'
import { Run } from './fuzz.run.ts'
import { changedIn, Storage } from './fuzz.storage.ts'
import { type Answer, Wire } from './fuzz.wire.ts'
import { curlOf, type Request } from './requests/fuzz.request.ts'
import { type Target, targetsOf } from './requests/fuzz.targets.ts'

const bank = await openBank()
const storage = new Storage(bank.owner)
await storage.open()
const checks = { contract: new Contract(), canaries: new Canaries(['kanari7f3a9c']) }
const targets = targetsOf(bank.app.routeTable)

function targetOf(id: string): Target {
  const target = targets.find((one) => one.id === id)
  assert.ok(target)
  return target
}

function requestTo(id: string, changes: Partial<Request> = {}): Request {
  const target = targetOf(id)
  return { target, why: 'a test', method: target.method, path: target.url, headers: {}, as: 'venture', refused: false, ...changes }
}

const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8'
const problemHead = 'HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json'
const venture = {
  id: '0198c6f2-0000-7000-8000-000000000000',
  name: 'Acme',
  status: 'ACTIVE',
  control: 'OPEN',
  api_key_prefix: 'vk_test_abcd',
  created_at: '2026-11-15T00:00:00.000Z',
}
const problem = { type: 't', title: 't', status: 400, detail: 'd', instance: '/', code: 'invalid_request', request_id: 'r' }

function answer(status: number, body: unknown, head = json): Answer {
  return { status, head, body: typeof body === 'string' ? body : JSON.stringify(body), duration_ms: 1 }
}

function kindsOf(request: Request, given: Answer): string[] {
  return findingsIn(checks, request, given).map(({ kind }) => kind)
}

test('a response that the contract does not describe is a finding, and one that it describes is not', () => {
  const asked = requestTo('GET /api/v1/venture')
  assert.deepEqual(kindsOf(asked, answer(200, venture)), [])
  assert.deepEqual(kindsOf(asked, answer(400, problem, problemHead)), [])
  const wrong = {
    'a field too many': answer(200, { ...venture, api_key_hash: 'x' }),
    'a field too few': answer(200, { ...venture, name: undefined }),
    'a time of another form': answer(200, { ...venture, created_at: '2026-11-15' }),
    'another status': answer(201, venture),
    'another type': answer(200, venture, json.replace('application/json', 'text/html')),
    'half of an answer': answer(200, '{"id":'),
    'a refusal that is no problem': answer(400, venture),
    'a problem of an unknown code': answer(400, { ...problem, code: 'hello' }, problemHead),
    'a problem of another status': answer(404, problem, problemHead),
    'a code of another operation': answer(404, { ...problem, status: 404, code: 'account_not_found' }, problemHead),
  }
  for (const [name, given] of Object.entries(wrong)) assert.deepEqual(kindsOf(asked, given), ['contract'], name)
})

test('a response in another documented format is no finding', () => {
  const asked = requestTo('GET /api/v1/accounts/:account_id/statements')
  const as = (type: string) => json.replace('application/json', type)
  assert.deepEqual(kindsOf(asked, answer(200, 'kind,balance', as('text/csv'))), [])
  assert.deepEqual(kindsOf(asked, answer(200, 'kind,balance', as('text/html'))), ['contract'])
  assert.deepEqual(kindsOf(asked, answer(200, 'kind,balance')), ['contract'])
})

test('a 5xx, a leak, a smuggled header, an accepted wrong request and a refusal for another reason are findings', () => {
  const asked = requestTo('GET /api/v1/venture')
  assert.deepEqual(kindsOf(asked, answer(503, problem, problemHead)), ['5xx'])
  assert.deepEqual(kindsOf(asked, { ...answer(0, ''), none: 'hung' }), ['no answer'])
  const leaking = answer(200, { ...venture, name: 'kanari7f3a9c venture' })
  assert.deepEqual(kindsOf(asked, leaking), ['leak'])
  assert.deepEqual(kindsOf({ ...asked, path: '/api/v1/venture?search=kanari7f3a9c' }, leaking), [])
  assert.deepEqual(kindsOf({ ...asked, as: 'admin' }, leaking), [])
  assert.deepEqual(kindsOf(asked, answer(200, venture, `${json}\r\nlink: </a?b=kanari7f3a9c>`)), ['leak'])
  assert.deepEqual(kindsOf(asked, answer(200, venture, `${json}\r\nset-cookie: a=b`)), ['injected'])
  assert.deepEqual(kindsOf(asked, answer(200, venture, `${json}\r\nlocation: //evil.invalid/`)), ['injected'])
  assert.deepEqual(kindsOf({ ...asked, refused: true }, answer(200, venture)), ['accepted'])
  const named = answer(400, { ...problem, errors: [{ field: 'limit', message: 'm' }] }, problemHead)
  assert.deepEqual(kindsOf({ ...asked, refused: true, field: 'limit' }, named), [])
  assert.deepEqual(kindsOf({ ...asked, refused: true, field: 'offset' }, named), ['misleading'])
})

test('the fingerprint of the storage changes with every row that is inserted, updated or deleted, and with nothing else', async () => {
  const before = await storage.print()
  const { venture: made } = await bank.registerVenture()
  const inserted = await storage.print()
  assert.deepEqual(changedIn(before, inserted), ['api_keys', 'audit_log', 'row_states', 'ventures'])
  assert.deepEqual(changedIn(inserted, await storage.print()), [])
  await bank.owner.query('update ventures set name = name where id = $1', [made.id])
  const updated = await storage.print()
  assert.deepEqual(changedIn(inserted, updated), ['ventures'])
  await bank.owner.query('begin')
  await bank.owner.query('update ventures set name = name where id = $1', [made.id])
  await bank.owner.query('rollback')
  assert.deepEqual(changedIn(updated, await storage.print()), [])
  await bank.owner.query('delete from ventures where id = $1', [made.id])
  assert.deepEqual(changedIn(updated, await storage.print()), ['ventures'])
})

test('a request that stores something although it is refused is found among others', async () => {
  const app = createHttp(createLog('silent'))
  const page = { config: { access: anybody }, schema: { hide: true } } as const
  app.get('/healthz', page, async () => ({ status: 'ok' }))
  app.get('/readyz', page, async (_request, reply) => {
    await bank.owner.query(`insert into jobs (id, kind, payload, due_at) values (gen_random_uuid(), 'a test', '{}', now())`)
    return reply.code(400).type('application/problem+json').send(JSON.stringify(problem))
  })
  const wire = new Wire(await app.listen({ port: 0, host: '127.0.0.1' }), { patience_ms: 60_000 })
  const run = new Run({ wire, checks })
  const fuzzer = { refused: (number: number) => requestTo(number === 7 ? 'GET /readyz' : 'GET /healthz') } as Parameters<
    typeof sendRefused
  >[0]['fuzzer']
  await sendRefused({ run, storage, fuzzer, lanes: 4, except: [], repeats: 1 }, [1, 2, 3, 7, 9], 10)
  wire.close()
  await app.close()
  assert.deepEqual(
    run.findings.map(({ kind, request, what }) => [kind, request.target.id, what]),
    [['stored', 'GET /readyz', 'in jobs']],
  )
})

test('a hanging service is distinguished from one that closes the connection', async () => {
  const server = createServer((socket) => {
    socket.once('data', (bytes) => (bytes.includes('/hang ') ? undefined : socket.end()))
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = `http://127.0.0.1:${address.port}`
  const [impatient, patient] = [new Wire(url, { patience_ms: 50 }), new Wire(url, { patience_ms: 60_000 })]
  assert.equal((await impatient.send({ method: 'GET', path: '/hang', headers: {} })).none, 'hung')
  assert.equal((await patient.send({ method: 'GET', path: '/close', headers: {} })).none, 'closed')
})

test('a request is printed as a shell command, without its key and with every byte of its body', () => {
  const body = Buffer.from(`{"name":"it's ü"}`)
  const line = curlOf(requestTo('POST /api/v1/ventures', { as: 'admin', headers: { 'x-api-key': 'secret' }, body }))
  const shown = String.raw`-H "x-api-key: $ADMIN_KEY" --data-binary $'{"name":"it\x27s \xc3\xbc"}'`
  assert.equal(line, `curl -i --path-as-is -X POST "$URL"'/api/v1/ventures' ${shown}`)
})
