import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { answerEndlessly, closedAddress, openStandIn } from '../../testing/testing.standin.ts'
import { callPartner, PartnerFailure, type PartnerRequest } from './partner.ts'

const secret = 'secret-of-the-partner'
const request: PartnerRequest = {
  method: 'POST',
  headers: { authorization: `Bearer ${secret}` },
  body: new URLSearchParams({ password: secret }),
}

/** The failure of a call, which must not contain a secret. */
async function failureOf(url: string, changes: Partial<PartnerRequest> = {}): Promise<{ code: string; message: string }> {
  try {
    const { status } = await callPartner(`${url}/?token=${secret}`, { ...request, ...changes })
    return assert.fail(`answered with ${status}`)
  } catch (error) {
    assert.ok(error instanceof PartnerFailure, inspect(error))
    assert.ok(!`${inspect(error, { depth: 9 })} ${error.stack}`.includes(secret), 'the failure reveals the secret')
    assert.equal(error.cause, undefined)
    return { code: error.code, message: error.message }
  }
}

test('a request is sent as given, and the answer has its status and its bytes', async () => {
  const arrived: object[] = []
  const url = await openStandIn(async (incoming, response) => {
    const { method, url: path, headers } = incoming
    const body = Buffer.concat(await incoming.toArray()).toString()
    arrived.push({ method, path, authorization: headers.authorization, body })
    response.writeHead(method === 'POST' ? 201 : 404).end('{"é": 1}')
  })
  const posted = await callPartner(`${url}/a?b=c`, request)
  assert.deepEqual([posted.ok, posted.status, Buffer.from(posted.bytes).toString()], [true, 201, '{"é": 1}'])
  const got = await callPartner(new URL('/d', url), { method: 'GET' })
  assert.deepEqual([got.ok, got.status, Buffer.from(got.bytes).toString()], [false, 404, '{"é": 1}'])
  assert.deepEqual(arrived, [
    { method: 'POST', path: '/a?b=c', authorization: `Bearer ${secret}`, body: `password=${secret}` },
    { method: 'GET', path: '/d', authorization: undefined, body: '' },
  ])
})

test('an answer may be as long as the limit, but no longer', async () => {
  let length = 1_000
  let status = 200
  const url = await openStandIn((_, response) => response.writeHead(status).end(secret.padEnd(length)))
  assert.equal((await callPartner(url, { ...request, maxAnswer_bytes: 1_000 })).bytes.length, 1_000)
  length = 1_001
  const tooLong = { code: 'answer_too_long', message: 'the answer is longer than 1000 bytes' }
  assert.deepEqual(await failureOf(url, { maxAnswer_bytes: 1_000 }), tooLong)
  length = 65_537
  assert.deepEqual(await failureOf(url), { code: 'answer_too_long', message: 'the answer is longer than 65536 bytes' })
  status = 502
  assert.deepEqual(await failureOf(url), { code: 'answer_too_long', message: 'the answer with status 502 is longer than 65536 bytes' })
})

test('an endless answer is aborted, and its connection closed', async () => {
  const closed = Promise.withResolvers<void>()
  const url = await openStandIn((_, response) => {
    response.once('close', closed.resolve)
    answerEndlessly(response)
  })
  assert.equal((await failureOf(url)).code, 'answer_too_long')
  await closed.promise
})

test('the limit counts the decompressed bytes of an answer', async () => {
  const packed = gzipSync(Buffer.alloc(10_000_000))
  assert.ok(packed.length < 65_536)
  const url = await openStandIn((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
  assert.equal((await failureOf(url)).code, 'answer_too_long')
})

const timeouts: [name: string, mishap: (response: ServerResponse) => unknown][] = [
  ['that never answers', () => {}],
  ['that stops in the middle of its answer', (response) => response.writeHead(200, { 'content-length': 100 }).write(secret)],
  [
    'that sends its answer byte by byte',
    (response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    },
  ],
]
for (const [name, mishap] of timeouts) {
  test(`a partner ${name} runs into the time-out`, async () => {
    const url = await openStandIn((_, response) => void mishap(response))
    assert.deepEqual(await failureOf(url, { timeout_ms: 300 }), { code: 'timeout', message: 'no answer within 300 ms' })
  })
}

test('a redirect is returned as an answer and not followed', async () => {
  let followed = 0
  const elsewhere = await openStandIn((_, response) => {
    followed++
    response.end()
  })
  let status = 0
  const url = await openStandIn((_, response) => response.writeHead(status, { location: elsewhere }).end('moved'))
  for (status of [301, 302, 303, 307, 308]) {
    const answer = await callPartner(url, request)
    assert.deepEqual([answer.ok, answer.status, Buffer.from(answer.bytes).toString()], [false, status, 'moved'])
  }
  assert.equal(followed, 0)
})

test('a failed or broken connection is reported with the network error code', async () => {
  assert.deepEqual(await failureOf(await closedAddress()), { code: 'no_answer', message: 'no answer (ECONNREFUSED)' })
  const cutting = await openStandIn(({ socket }) => socket.destroy())
  assert.match((await failureOf(cutting)).message, /^no answer \([A-Z_]+\)$/)
  const breaking = await openStandIn(({ socket }, response) => {
    response.writeHead(200, { 'content-length': 100 }).write(secret, () => socket.destroy())
  })
  assert.deepEqual([(await failureOf(breaking)).code, (await failureOf('nowhere')).code], ['no_answer', 'no_answer'])
})

test('a header that cannot be sent fails without revealing its value', async () => {
  const url = await openStandIn((_, response) => response.end())
  assert.equal((await failureOf(url, { headers: { authorization: `${secret}\né\u{1f600}` } })).code, 'no_answer')
})
