import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { createHttp } from '../../platform/http/http.ts'
import { createLog } from '../../platform/log.ts'
import { testCards } from '../../sandbox/gateway/sandbox.gateway.cards.ts'
import { sandboxGatewayCredentials, sandboxGatewayRoutes } from '../../sandbox/gateway/sandbox.gateway.ts'
import { answerEndlessly, closedAddress, openStandIn } from '../../testing/testing.standin.ts'
import { openBank } from '../../testing/testing.ts'
import { bpcGateway } from './payments.gateway.bpc.ts'
import type { CardGateway } from './payments.gateway.ts'

const user = 'merchant-user'
const password = 'merchant secret&=+é'
const order = {
  order_number: 'AB12CD34EF',
  amount_minor: 1000n,
  currency: 'DZD',
  return_url: 'https://bank.example/return?a=b',
  fail_url: 'https://bank.example/fail',
  description: 'Order & more: é',
  language: 'AR',
  session_timeout_s: 1200,
}
const order_id = 'b9054496-c65a-4975-9418-1051d101f1b9'

function gatewayAt(url: string, options: { timeout_ms?: number } = {}): CardGateway {
  return bpcGateway({ url: () => url, user, password, ...options })
}

const operations: Record<string, (gateway: CardGateway) => Promise<{ kind: string; reason?: string }>> = {
  register: (gateway) => gateway.register(order),
  getOrderStatusExtended: (gateway) => gateway.getStatus({ order_id, amount_minor: 1000n, currency: 'DZD' }),
  refund: (gateway) => gateway.refund({ order_id, amount_minor: '400', external_refund_id: 'r-1' }),
  reverse: (gateway) => gateway.reverse(order_id),
  decline: (gateway) => gateway.decline(order_id),
}

/** A gateway that records every request and gives this answer. */
async function record(answer: object) {
  const heard: { method: string | undefined; path: string | undefined; type: string | undefined; form: object }[] = []
  const url = await openStandIn(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { method, url: path, headers } = request
    heard.push({ method, path, type: headers['content-type'], form: Object.fromEntries(new URLSearchParams(text)) })
    response.end(JSON.stringify(answer))
  })
  return { heard, gateway: gatewayAt(`${url}/gateway`) }
}

test('each operation is a form POST that carries user, password and its own fields', async () => {
  const { heard, gateway } = await record({
    errorCode: '0',
    orderId: order_id,
    formUrl: 'https://gateway.example/form',
    orderStatus: 0,
  })
  const kinds: string[] = []
  for (const operate of Object.values(operations)) kinds.push((await operate(gateway)).kind)
  assert.deepEqual(kinds, ['registered', 'status', 'done', 'done', 'done'])
  const login = { userName: user, password }
  const expected: [name: string, form: object][] = [
    [
      'register',
      {
        orderNumber: 'AB12CD34EF',
        amount: '1000',
        currency: '012',
        returnUrl: order.return_url,
        failUrl: order.fail_url,
        description: order.description,
        language: 'ar',
        sessionTimeoutSecs: '1200',
      },
    ],
    ['getOrderStatusExtended', { orderId: order_id }],
    ['refund', { orderId: order_id, amount: '400', externalRefundId: 'r-1' }],
    ['reverse', { orderId: order_id }],
    ['decline', { orderId: order_id }],
  ]
  assert.deepEqual(
    heard,
    expected.map(([name, form]) => ({
      method: 'POST',
      path: `/gateway/payment/rest/${name}.do`,
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      form: { ...login, ...form },
    })),
  )
})

test('order numbers have ten letters and digits, and the same seed makes the same number', async () => {
  const { makeOrderNumber } = gatewayAt('nowhere')
  const random = Array.from({ length: 1_000 }, () => makeOrderNumber())
  const seeded = Array.from({ length: 1_000 }, (_, seed) => makeOrderNumber(String(seed)))
  for (const number of [...random, ...seeded]) assert.match(number, /^[A-Z0-9]{10}$/)
  assert.equal(new Set([...random, ...seeded]).size, 2_000)
  assert.deepEqual(
    seeded,
    seeded.map((_, seed) => makeOrderNumber(String(seed))),
  )
})

test('an external refund id that the gateway would not accept is a bug', async () => {
  const { heard, gateway } = await record({ errorCode: 0 })
  for (const external_refund_id of ['', 'a'.repeat(33), 'a b', 'é', '123456789012']) {
    await assert.rejects(gateway.refund({ order_id, amount_minor: 1n, external_refund_id }), RangeError)
  }
  assert.deepEqual(heard, [])
})

const big = JSON.stringify({ errorCode: 0, padding: 'x'.repeat(70_000) })
const json = { 'content-type': 'application/json' }
const mishaps: [name: string, mishap: (request: IncomingMessage, response: ServerResponse) => unknown, reason: RegExp][] = [
  ['never answers', () => {}, /^no answer within 200 ms$/],
  ['stops in the middle of an answer', (_, response) => response.writeHead(200, json).write('{"errorCode":'), /^no answer within 200 ms$/],
  ['cuts the connection', (request) => request.socket.destroy(), /^no answer \([A-Z_]+\)$/],
  [
    'cuts the connection in the middle of an answer',
    (request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"errorCode":0}', () => request.socket.destroy())
    },
    /^no answer/,
  ],
  ['fails', (_, response) => response.writeHead(500, json).end('{"errorCode":0}'), /^the gateway answered with status 500$/],
  ['answers with another success', (_, response) => response.writeHead(201, json).end('{"errorCode":0}'), /status 201$/],
  ['answers nothing', (_, response) => response.end(), /^the answer is not JSON$/],
  ['answers with a page', (_, response) => response.writeHead(200, json).end('<html>It works!</html>'), /^the answer is not JSON$/],
  ['answers with broken JSON', (_, response) => response.end('{"errorCode":0'), /^the answer is not JSON$/],
  ['answers with a name twice', (_, response) => response.end('{"errorCode":0,"errorCode":5}'), /^the answer is not JSON$/],
  ['answers in another encoding', (_, response) => response.end(Buffer.from('{"errorCode":0,"a":"\xe9"}', 'latin1')), /not JSON$/],
  ['answers with another shape', (_, response) => response.end('[]'), /^the answer is not an object$/],
  ['answers too much', (_, response) => response.end(big), /^the answer is longer than 65536 bytes$/],
  ['answers without end', (_, response) => answerEndlessly(response), /^the answer is longer than 65536 bytes$/],
  [
    'has its own trouble',
    (_, response) => response.end('{"errorCode":"7","errorMessage":"System error"}'),
    /^the gateway answered with error 7$/,
  ],
]

for (const [name, mishap, reason] of mishaps) {
  test(`when the gateway ${name}, the outcome is unknown`, async () => {
    const url = await openStandIn(mishap)
    const timeout_ms = reason.source.includes('within') ? 200 : 10_000
    for (const [operation, operate] of Object.entries(operations)) {
      const result = await operate(gatewayAt(url, { timeout_ms }))
      assert.equal(result.kind, 'unknown', operation)
      assert.match(result.reason ?? '', reason)
    }
  })
}

test('if nothing listens at the address, or it is not a URL, the outcome is unknown', async () => {
  assert.deepEqual(await gatewayAt(await closedAddress()).reverse(order_id), { kind: 'unknown', reason: 'no answer (ECONNREFUSED)' })
  assert.equal((await gatewayAt('nowhere').reverse(order_id)).kind, 'unknown')
})

test('a redirect is not followed, so the password stays here', async () => {
  const elsewhere: string[] = []
  const other = await openStandIn((request, response) => {
    elsewhere.push(request.url ?? '')
    response.end('{"errorCode":0}')
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await openStandIn((_, response) => response.writeHead(status, { location: `${other}/` }).end())
    const result = await gatewayAt(url).reverse(order_id)
    assert.deepEqual(result, { kind: 'unknown', reason: `the gateway answered with status ${status}` })
  }
  assert.deepEqual(elsewhere, [])
})

test('JSON is accepted with any content type', async () => {
  for (const type of ['text/html', 'text/plain;charset=utf-8', 'application/octet-stream']) {
    const url = await openStandIn((_, response) => response.writeHead(200, { 'content-type': type }).end('{"errorCode":"0"}'))
    assert.deepEqual(await gatewayAt(url).reverse(order_id), { kind: 'done' })
  }
})

test('a refusal has the message of the gateway, without a card number', async () => {
  const url = await openStandIn((_, response) => response.end('{"errorCode":5,"errorMessage":"Card 4111 1111 1111 1111 is unknown"}'))
  for (const operate of Object.values(operations)) {
    assert.deepEqual(await operate(gatewayAt(url)), {
      kind: 'rejected',
      error_code: '5',
      error_message: 'Card 411111******1111 is unknown',
    })
  }
})

// End to end, with the sandbox as the gateway.

const bank = await openBank()
const sandbox = createHttp(createLog('silent'))
let sandboxUrl = ''
await sandbox.register(sandboxGatewayRoutes, { database: bank.database, publicUrl: () => sandboxUrl, lateBy_s: 3600 })
sandboxUrl = await sandbox.listen({ port: 0, host: '127.0.0.1' })
after(() => sandbox.close())

const gateway = bpcGateway({ url: () => `${sandboxUrl}/sandbox/gateway`, ...sandboxGatewayCredentials })
let orders = 0

async function register(changes: object = {}) {
  const order_number = `TEST${String(++orders).padStart(6, '0')}`
  const registration = await gateway.register({ ...order, currency: 'EUR', language: 'EN', order_number, ...changes })
  assert.ok(registration.kind === 'registered', inspect(registration))
  const ours = { order_id: registration.order_id, amount_minor: 1000n, currency: 'EUR' }
  return { ...registration, ours }
}

type CardName = (typeof testCards)[number]['name']

/** Submits a form as the payer's browser does. Returns where the browser is sent. */
async function submit(url: string, fields: Record<string, string>): Promise<string | null> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  await response.body?.cancel()
  assert.equal(response.status, 303)
  return response.headers.get('location')
}

function pay(form_url: string, name: CardName) {
  const number = testCards.find((card) => card.name === name)?.number ?? ''
  return submit(form_url, { number, expiry: '12/99', cvv: '777', action: 'pay' })
}

async function statusOf(ours: Parameters<CardGateway['getStatus']>[0]) {
  const reading = await gateway.getStatus(ours)
  assert.ok(reading.kind === 'status', inspect(reading))
  return reading
}

test('an order is registered, paid after 3-D Secure, refunded in parts and then whole', async () => {
  const { form_url, order_id, ours } = await register()
  assert.equal((await statusOf(ours)).status, 'PENDING')

  const acs = await pay(form_url, 'secure')
  assert.deepEqual([(await statusOf(ours)).status, (await statusOf(ours)).gateway_order_status], ['PENDING', 5])
  assert.equal(await submit(`${sandboxUrl}${acs}`, { action: 'confirm' }), `https://bank.example/return?a=b&orderId=${order_id}`)

  const paid = await statusOf(ours)
  assert.match(paid.approval_code ?? '', /^\d{6}$/)
  assert.deepEqual(
    { ...paid, approval_code: null },
    {
      kind: 'status',
      status: 'PAID',
      gateway_order_status: 2,
      gateway_error_code: null,
      action_code: '0',
      action_code_description: 'Approved',
      approval_code: null,
      resp_code: '00',
      resp_code_desc: 'Approved',
      card_brand: 'VISA',
      masked_pan: '411111******1111',
      refunds: [],
      refunded_minor: 0n,
    },
  )
  assert.equal((await statusOf({ ...ours, amount_minor: 1001n })).gateway_error_code, 'amount_mismatch')
  assert.equal((await statusOf({ ...ours, currency: 'USD' })).status, 'FAILED')

  const part = { order_id, amount_minor: 400n, external_refund_id: 'part' }
  assert.deepEqual(await gateway.refund(part), { kind: 'done' })
  assert.deepEqual(await gateway.refund(part), { kind: 'done' })
  const { status, refunds, refunded_minor } = await statusOf(ours)
  assert.deepEqual([status, refunded_minor], ['PAID', 400n])
  assert.deepEqual(
    refunds.map(({ amount_minor, external_refund_id }) => [amount_minor, external_refund_id]),
    [[400n, 'part']],
  )
  assert.match(refunds[0]?.date ?? '', /^\d{4}-.*Z$/)
  // A refund that is too large has the same code as an internal error.
  assert.equal((await gateway.refund({ order_id, amount_minor: 601n, external_refund_id: 'more' })).kind, 'unknown')
  assert.deepEqual(await gateway.refund({ order_id, amount_minor: 600n, external_refund_id: 'rest' }), { kind: 'done' })
  assert.deepEqual([(await statusOf(ours)).status, (await statusOf(ours)).gateway_order_status], ['REFUNDED', 4])
})

test('every test card ends as the table says', async () => {
  const table: [card: CardName, status: string, action_code: string, resp_code: string | null][] = [
    ['plain', 'PAID', '0', '00'],
    ['insufficient_funds', 'REFUSED', '116', '51'],
    ['lost', 'REFUSED', '208', '41'],
    ['wrong_cvv', 'REFUSED', '111', null],
    ['secure_canceled', 'CANCELED', '10', null],
    ['session_expired', 'EXPIRED', '-2007', null],
    ['late', 'PENDING', '-100', null],
  ]
  for (const [card, status, action_code, resp_code] of table) {
    const { form_url, ours } = await register()
    await pay(form_url, card)
    const reading = await statusOf(ours)
    assert.deepEqual([reading.status, reading.action_code, reading.resp_code], [status, action_code, resp_code], card)
  }
})

test('a gateway that never answers again leaves everything unknown', async () => {
  const { form_url, order_id, ours } = await register()
  assert.equal(await pay(form_url, 'silent'), `https://bank.example/return?a=b&orderId=${order_id}`)
  const impatient = bpcGateway({ url: () => `${sandboxUrl}/sandbox/gateway`, ...sandboxGatewayCredentials, timeout_ms: 200 })
  const unknown = { kind: 'unknown', reason: 'no answer within 200 ms' }
  assert.deepEqual(await impatient.getStatus(ours), unknown)
  assert.deepEqual(await impatient.refund({ order_id, amount_minor: 1n, external_refund_id: 'r' }), unknown)
  assert.deepEqual(await impatient.reverse(order_id), unknown)
  assert.deepEqual(await impatient.decline(order_id), unknown)
})

test('a payment is reversed, and an order that is not paid declined', async () => {
  const paid = await register()
  await pay(paid.form_url, 'plain')
  assert.equal((await gateway.decline(paid.order_id)).kind, 'unknown')
  assert.deepEqual(await gateway.reverse(paid.order_id), { kind: 'done' })
  assert.equal((await statusOf(paid.ours)).status, 'CANCELED')

  const open = await register()
  assert.equal((await gateway.reverse(open.order_id)).kind, 'unknown')
  assert.deepEqual(await gateway.decline(open.order_id), { kind: 'done' })
  assert.equal((await statusOf(open.ours)).status, 'CANCELED')
})

test('an invalid request is reported by its code', async () => {
  const { order_id } = await register({ order_number: 'TAKEN00001' })
  assert.deepEqual(await gateway.register({ ...order, order_number: 'TAKEN00001' }), { kind: 'order_number_taken' })
  const stranger = bpcGateway({ url: () => `${sandboxUrl}/sandbox/gateway`, user, password })
  for (const [result, error_code] of [
    [await gateway.register({ ...order, order_number: 'NEW0000001', language: 'XX' }), '5'],
    [await gateway.register({ ...order, order_number: 'NEW0000001', return_url: '' }), '4'],
    [await gateway.getStatus({ order_id: 'nobody', amount_minor: 1n, currency: 'EUR' }), '6'],
    [await gateway.refund({ order_id: 'nobody', amount_minor: 1n, external_refund_id: 'r' }), '6'],
    [await gateway.refund({ order_id, amount_minor: 0n, external_refund_id: 'r' }), '5'],
    [await stranger.reverse(order_id), '5'],
  ] as const) {
    assert.ok(result.kind === 'rejected', inspect(result))
    assert.equal(result.error_code, error_code)
  }
})
