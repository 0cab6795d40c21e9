import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Caller, openBank } from '../../testing/testing.ts'
import { makeKey } from '../../ventures/ventures.keys.ts'

const bank = await openBank()
const json = { 'content-type': 'application/json' }

test('a problem states what went wrong, where, and the id to find it in the log', async () => {
  const answer = await bank.admin.send({ method: 'POST', url: '/api/v1/ventures?x=secret', payload: '{}', headers: json })
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  const { errors, ...problem } = answer.problem
  const request_id = answer.headers['x-request-id'] ?? ''
  assert.deepEqual(problem, {
    type: '/docs/errors#invalid_request',
    title: 'Invalid request',
    status: 400,
    detail: 'name is required.',
    instance: '/api/v1/ventures',
    code: 'invalid_request',
    request_id,
  })
  assert.deepEqual(errors, [{ field: 'name', message: 'is required' }])
  const line = bank.logLines.find((line) => line.includes(request_id)) ?? ''
  assert.ok(line.includes('"status":400') && !line.includes('secret'))
})

test('a valid request id is kept, any other replaced', async () => {
  const given = await bank.stranger.send({ method: 'GET', url: '/healthz', headers: { 'x-request-id': 'order-7.a' } })
  assert.equal(given.headers['x-request-id'], 'order-7.a')
  for (const id of ['', 'with space', 'a'.repeat(129), 'ü', '<script>']) {
    const { headers } = await bank.stranger.send({ method: 'GET', url: '/healthz', headers: { 'x-request-id': id } })
    assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
  }
})

test('a body that is not the declared JSON is refused and stores nothing', async () => {
  const refused: [string | Buffer, Record<string, string>, number, string][] = [
    ['', json, 400, 'malformed_body'],
    ['{', json, 400, 'malformed_body'],
    ['{"name":"a"} x', json, 400, 'malformed_body'],
    ['{"name":"a","name":"b"}', json, 400, 'malformed_body'],
    ['{"name":"a","n\\u0061me":"b"}', json, 400, 'malformed_body'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json, 400, 'malformed_body'],
    [`{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, json, 400, 'malformed_body'],
    ['[]', json, 400, 'invalid_request'],
    ['"name"', json, 400, 'invalid_request'],
    ['null', json, 400, 'invalid_request'],
    [JSON.stringify({ name: 'a'.repeat(66_000) }), json, 413, 'body_too_large'],
    ['name=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['{"name":"a"}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', { 'content-type': 'application/xml' }, 415, 'unsupported_media_type'],
    ['{"name":"a"}', {}, 415, 'unsupported_media_type'],
  ]
  for (const [payload, headers, status, code] of refused) {
    const answer = await bank.admin.send({ method: 'POST', url: '/api/v1/ventures', payload, headers })
    assert.equal(answer.status, status, String(payload).slice(0, 60))
    assert.equal(answer.problem.code, code)
  }
  const missing = await bank.admin.send({ method: 'POST', url: '/api/v1/ventures' })
  assert.equal(missing.problem.code, 'malformed_body')
  assert.deepEqual((await bank.admin.get('/ventures')).body, [])
})

test('a route without a declared body accepts an empty one with any content type, and refuses any other', async () => {
  const { venture } = await bank.registerVenture()
  const url = `/api/v1/ventures/${venture.id}/rotate-key`
  for (const headers of [{}, json, { 'content-type': 'text/plain' }, { 'content-type': 'application/xml' }]) {
    assert.equal((await bank.admin.send({ method: 'POST', url, headers })).status, 200)
    assert.equal((await bank.admin.send({ method: 'POST', url, headers, payload: '' })).status, 200)
  }
  assert.equal((await bank.admin.send({ method: 'POST', url, headers: json, payload: '{}' })).status, 200)
  const full = await bank.admin.send({ method: 'POST', url, headers: json, payload: '{"a":1}' })
  assert.equal(full.problem.code, 'invalid_request')
  assert.equal(full.problem.detail, 'This operation takes no body. Send none, or an empty object.')
})

test('an unknown path is a 404, a known one with another method a 405 that names the allowed ones', async () => {
  for (const url of ['/nothing', '/api/v1', '/api/v2/venture', '/api/v1/venture/', '/api/v1/%00', '/api/v1/ventures/%ff']) {
    const answer = await bank.stranger.send({ method: 'GET', url })
    assert.equal(answer.problem.code, 'route_not_found', url)
  }
  const answer = await bank.stranger.send({ method: 'PATCH', url: '/api/v1/ventures/7' })
  assert.equal(answer.status, 405)
  assert.equal(answer.problem.code, 'method_not_allowed')
  assert.equal(answer.headers['allow'], 'GET, HEAD, PUT')
  const guide = await bank.stranger.send({ method: 'DELETE', url: '/docs/guides/webhooks' })
  assert.deepEqual([guide.status, guide.headers['allow']], [405, 'GET, HEAD'])
  assert.equal(answer.problem.detail, 'This path does not take PATCH. Use GET, HEAD or PUT.')
})

test('a path takes the methods that Allow names, each once, and no other', async () => {
  const paths = new Set(bank.app.routeTable.map(({ url }) => url.replace(/:[a-z_]+|\*/g, 'some')))
  assert.ok(paths.size > 100)
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'] as const
  for (const url of paths) {
    const answers = await Promise.all(all.map((method) => bank.app.inject({ method: method as 'GET', url })))
    const refused = answers.filter(({ statusCode }) => statusCode === 405)
    const taken = all.filter((_, at) => answers[at]?.statusCode !== 405)
    assert.ok(refused.length >= 5, url)
    for (const { headers } of refused) assert.deepEqual(String(headers.allow).split(', ').sort(), [...taken].sort(), url)
  }
})

test('a query with control or direction characters is refused', async () => {
  const answer = await bank.admin.get('/ventures?after=%E2%80%AE')
  assert.equal(answer.problem.code, 'invalid_request')
  assert.match(answer.problem.errors[0].message, /control characters or marks that change the direction/)
})

test('with a rate limit, a key with too many requests is refused, others are not', async () => {
  const limited = await bank.openInstance({ rateLimitPerMinute: 3 })
  const [busy, calm] = [await bank.registerVenture(), await bank.registerVenture()]
  const asBusy = new Caller(limited, busy.headers)
  for (const remaining of ['2', '1', '0']) {
    const { status, headers } = await asBusy.get('/venture')
    assert.equal(status, 200)
    assert.equal(headers['ratelimit-limit'], '3')
    assert.equal(headers['ratelimit-remaining'], remaining)
  }
  const refused = await asBusy.get('/venture')
  assert.equal(refused.status, 429)
  assert.equal(refused.problem.code, 'too_many_requests')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal(refused.problem.detail, `The limit is 3 requests in a minute. Try again in ${refused.headers['retry-after']} seconds.`)
  assert.equal((await new Caller(limited, calm.headers).get('/venture')).status, 200)
  assert.equal((await new Caller(limited, {}).send({ method: 'GET', url: '/healthz' })).status, 200)
})

test('health does not query the database, readiness does', async () => {
  assert.deepEqual((await bank.stranger.send({ method: 'GET', url: '/healthz' })).body, { status: 'ok' })
  assert.deepEqual((await bank.stranger.send({ method: 'GET', url: '/readyz' })).body, { status: 'ready' })
})

test('metrics count requests by route and status, and show pool and event loop', async () => {
  await bank.stranger.get('/venture')
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/venture",status="401"\} [1-9]/)
  assert.match(text, /database_pool_connections\{state="idle"\} \d/)
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/)
})

test('the reference and the page of error codes load nothing from outside', async () => {
  for (const url of ['/docs/', '/docs/errors']) {
    const { text, headers } = await bank.stranger.send({ method: 'GET', url })
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/)
    assert.ok(!/(src|href)="(https?:)?\/\//.test(text), url)
  }
})

test('the served contract is valid for every route and shows each refusal', async () => {
  const { body } = await bank.stranger.send({ method: 'GET', url: '/openapi.json' })
  assert.equal(body.openapi, '3.1.0')
  const operation = body.paths['/api/v1/ventures'].post
  assert.deepEqual(operation.requestBody.content['application/json'].schema, { $ref: '#/components/schemas/VentureRegistration' })
  assert.ok(operation.responses.default.content['application/problem+json'])
  assert.equal(operation.responses['201'].description, 'Created')
  assert.ok(!JSON.stringify(body).includes('Default Response'), 'every response has a description of its own')
})

test('the response to a huge wrong request is small', async () => {
  const name = 'n'.repeat(20_000)
  for (const payload of [
    `{"${name}":[${Array(11_000).fill('"\\u007f"').join(',').slice(0, 40_000)}"x"]}`,
    `{"name":"a","${'x'.repeat(60_000)}":1}`,
    `{"${name}":1,"${name}":2}`,
  ]) {
    const answer = await bank.admin.send({ method: 'POST', url: '/api/v1/ventures', payload, headers: json })
    assert.equal(answer.status, 400)
    assert.ok(answer.text.length < 10_000, `${answer.text.length} characters`)
  }
})

test('a body that declares another encoding is refused', async () => {
  for (const headers of [
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ]) {
    const answer = await bank.admin.send({ method: 'POST', url: '/api/v1/ventures', payload: '{"name":"a"}', headers })
    assert.equal(answer.problem.code, 'unsupported_media_type')
    const gzip = 'content-encoding' in headers
    const detail = gzip ? 'The body must not be compressed, but its Content-Encoding is gzip.' : 'The body must be in UTF-8, not in latin1.'
    assert.equal(answer.problem.detail, detail)
  }
  const plain = await bank.admin.send({
    method: 'POST',
    url: '/api/v1/ventures',
    payload: '{"name":"a"}',
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  })
  assert.equal(plain.status, 201)
})

test('the body of a request to an unknown path is not read', async () => {
  for (const [method, url, code] of [
    ['POST', '/nope', 'route_not_found'],
    ['DELETE', '/api/v1/ventures', 'method_not_allowed'],
    ['GET', '/openapiXjson', 'route_not_found'],
  ] as const) {
    const answer = await bank.stranger.send({ method, url, ...(method === 'GET' ? {} : { payload: '{', headers: json }) })
    assert.equal(answer.problem.code, code, url)
  }
})

test('the length of a name is checked after normalisation', async () => {
  const answer = await bank.admin.post('/ventures', { name: '\ufb2c'.repeat(140) })
  assert.equal(answer.problem.code, 'invalid_request')
  assert.equal((await bank.admin.post('/ventures', { name: '\ufb2c'.repeat(40) })).status, 201)
})

test('a bug reveals nothing to the caller and no data to the log', async () => {
  await bank.owner.query('alter table ventures add constraint no_canaries check (name <> $$canary$$)')
  const answer = await bank.admin.post('/ventures', { name: 'canary' })
  await bank.owner.query('alter table ventures drop constraint no_canaries')
  assert.equal(answer.status, 500)
  assert.equal(answer.problem.code, 'internal_error')
  assert.ok(!answer.text.includes('canar'))
  const line = bank.logLines.find((line) => line.includes('no_canaries')) ?? ''
  assert.ok(line.includes(String(answer.headers['x-request-id'])) && line.includes('stack'))
  assert.ok(!line.includes('Failing row') && !line.includes('vk_test_'))
})

/** Sends raw bytes and returns what arrived until the server closed the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  socket.write(bytes)
  await new Promise((resolve) => socket.on('close', resolve))
  return received
}

test('malformed requests get a problem too: too slow, too large, not HTTP', async () => {
  const app = await bank.openInstance()
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const head = `POST /api/v1/ventures HTTP/1.1\r\nhost: a\r\nx-api-key: ${bank.config.adminApiKey}\r\ncontent-type: application/json\r\n`
  const [late, large, broken] = await Promise.all([
    exchange(port, `${head}content-length: 20\r\n\r\n{"name":`),
    exchange(port, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`),
    exchange(port, 'HELLO\r\n\r\n'),
  ])
  // What follows a valid request must not become its response, and an early response must not be followed by another.
  const stored = await exchange(port, `${head}content-length: 16\r\n\r\n{"name":"first"}GARBAGE\r\n\r\n`)
  assert.match(stored, /^HTTP\/1.1 201 /)
  assert.equal(stored.match(/HTTP\/1.1/g)?.length, 1)
  const early = await exchange(
    port,
    'POST /api/v1/ventures HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"name":',
  )
  assert.match(early, /^HTTP\/1.1 401 /)
  assert.equal(early.match(/HTTP\/1.1/g)?.length, 1)
  for (const [answer, status, code] of [
    [late, 408, 'request_timeout'],
    [large, 431, 'headers_too_large'],
    [broken, 400, 'malformed_request'],
  ] as const) {
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(answer, /content-type: application\/problem\+json/)
    assert.equal(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).code, code)
  }
})

test('a log line names the venture and the prefix of its key, and no text that is not a key', async () => {
  const venture = await bank.registerVenture()
  const lineOf = ({ headers }: { headers: object }) =>
    JSON.parse(bank.logLines.find((line) => line.includes(String(Reflect.get(headers, 'x-request-id')))) ?? '{}')
  const { venture_id, key_prefix } = lineOf(await venture.get('/venture'))
  assert.deepEqual([venture_id, key_prefix], [venture.venture.id, venture.venture.api_key_prefix])
  const rotated = await new Caller(bank.app, { 'x-api-key': makeKey('test') }).get('/venture')
  assert.deepEqual([rotated.status, lineOf(rotated).key_prefix.length], [401, 12])
  const password = await new Caller(bank.app, { 'x-api-key': 'vk_test_hunter2-hunter2' }).get('/venture')
  assert.deepEqual([password.status, lineOf(password).key_prefix], [401, undefined])
})

test('a request without Host gets a problem; HTTP/1.0 needs none', async () => {
  const app = await bank.openInstance()
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const refused = await exchange(port, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')
  assert.match(refused, /^HTTP\/1.1 400 /)
  assert.match(refused, /content-type: application\/problem\+json/)
  const { code, detail } = JSON.parse(refused.slice(refused.indexOf('\r\n\r\n')))
  assert.deepEqual([code, detail], ['malformed_request', 'The header Host is missing. HTTP/1.1 requires it.'])
  assert.match(await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200 /)
})

test('a client that goes away in the middle of its body is not an error of the service', async () => {
  const app = await bank.openInstance()
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const id = randomUUID()
  const head = `POST /api/v1/ventures HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\nx-api-key: ${bank.config.adminApiKey}\r\n`
  const reading = new Promise<void>((resolve) => {
    app.server.once('request', (incoming: IncomingMessage) => {
      const look = () => (incoming.listenerCount('data') > 0 ? resolve() : setImmediate(look))
      look()
    })
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head}content-type: application/json\r\ncontent-length: 20\r\n\r\n{"name":`)
  await reading
  socket.resetAndDestroy()
  const linesOf = () => bank.logLines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
  while (linesOf().length === 0) await sleep(10)
  assert.deepEqual(
    linesOf().map(({ level, route, msg }) => ({ level, route, msg })),
    [{ level: 30, route: '/api/v1/ventures', msg: 'the client closed the connection before its body was complete' }],
  )
})

test('an escape in a query that encodes no character is refused by name', async () => {
  const venture = await bank.registerVenture()
  for (const query of ['search=%FF', 'search=a%ED%A0%80b', 'search=%zz', 'limit=10&search=50%']) {
    const { problem } = await venture.get(`/clients?${query}`)
    assert.deepEqual(
      [problem.status, problem.code, problem.errors],
      [400, 'invalid_request', [{ field: 'search', message: 'contains a percent-encoding that is not valid UTF-8' }]],
      query,
    )
  }
  assert.equal((await venture.get('/clients?search=50%25%20%C3%A9')).status, 200)
})

test('an unknown expectation is ignored', async () => {
  const url = await bank.listen()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/healthz`, { headers: { expect: 'the unexpected' } }, resolve)
      .on('error', reject)
      .end()
  })
  assert.equal(answer.statusCode, 200)
  assert.ok(answer.headers['x-request-id'])
  answer.resume()
})
