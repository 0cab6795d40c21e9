import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anybody } from '../../platform/http/access.ts'
import { createHttp } from '../../platform/http/http.ts'
import { createLog } from '../../platform/log.ts'
import { openBank } from '../../testing/testing.ts'
import { type TestCardName, testCards } from './sandbox.gateway.cards.ts'
import { sandboxGatewayCredentials, sandboxGatewayRoutes } from './sandbox.gateway.ts'

const bank = await openBank()
const logLines: string[] = []

/** An instance of the gateway on the bank's database. */
async function openGateway(options: { silence_s?: number } = {}) {
  const app = createHttp(createLog('info', { write: (line: string) => void logLines.push(line) }))
  const publicUrl = () => 'https://bank.example'
  await app.register(sandboxGatewayRoutes, { database: bank.database, publicUrl, lateBy_s: 3600, ...options })
  after(() => app.close())
  return app
}

const gateway = await openGateway({ silence_s: 0.01 })
const login = { userName: sandboxGatewayCredentials.user, password: sandboxGatewayCredentials.password }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const card = (name: TestCardName) => testCards.find((card) => card.name === name)?.number ?? ''
let numbers = 0

function send(path: string, fields: Record<string, string> | string, app = gateway) {
  const payload = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  return app.inject({ method: 'POST', url: `/sandbox/gateway${path}`, payload, headers: form })
}

async function ask(name: string, fields: Record<string, string>, app = gateway) {
  const answer = await send(`/payment/rest/${name}.do`, { ...login, ...fields }, app)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

function someOrder(changes: Record<string, string> = {}) {
  return {
    orderNumber: `N${++numbers}`,
    amount: '1000',
    currency: '978',
    returnUrl: 'https://shop.example/return',
    failUrl: 'https://shop.example/fail',
    ...changes,
  }
}

async function register(changes: Record<string, string> = {}): Promise<string> {
  return (await ask('register', someOrder(changes))).orderId
}

async function getForm(id: string) {
  const answer = await gateway.inject({ method: 'GET', url: `/sandbox/gateway/form/${id}` })
  return { status: answer.statusCode, location: answer.headers.location, text: answer.body, headers: answer.headers }
}

async function submit(path: string, fields: Record<string, string>) {
  const answer = await send(path, fields)
  return { status: answer.statusCode, location: answer.headers.location, text: answer.body }
}

const pay = (id: string, name: TestCardName, changes: Record<string, string> = {}) =>
  submit(`/form/${id}`, { number: card(name), expiry: '12/99', cvv: '777', action: 'pay', ...changes })

async function standing(id: string): Promise<[status: number, action: number]> {
  const { errorCode, orderStatus, actionCode } = await ask('getOrderStatusExtended', { orderId: id })
  assert.equal(errorCode, '0')
  return [orderStatus, actionCode]
}

const endSession = (id: string) =>
  bank.owner.query(`update sandbox_orders set expires_at = now() - interval '1 second' where id = $1`, [id])

const returned = (id: string) => ({ status: 303, location: `https://shop.example/return?orderId=${id}`, text: '' })
const failed = (id: string) => ({ status: 303, location: `https://shop.example/fail?orderId=${id}`, text: '' })
const again = (id: string) => ({ status: 303, location: `/sandbox/gateway/form/${id}`, text: '' })

// For the merchant.

test('a registered order has an id and a form, and is not paid', async () => {
  const order = someOrder({ description: 'Two books', language: 'fr' })
  const { orderId, formUrl, ...rest } = await ask('register', order)
  assert.match(orderId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(formUrl, `https://bank.example/sandbox/gateway/form/${orderId}`)
  assert.deepEqual(rest, {})
  const { date, ...status } = await ask('getOrderStatusExtended', { orderId })
  assert.equal(typeof date, 'number')
  assert.deepEqual(status, {
    errorCode: '0',
    errorMessage: 'Success',
    orderNumber: order.orderNumber,
    orderStatus: 0,
    actionCode: -100,
    actionCodeDescription: 'No attempt to pay was made',
    amount: 1000,
    currency: '978',
    orderDescription: 'Two books',
    attributes: [{ name: 'mdOrder', value: orderId }],
    params: {},
    paymentAmountInfo: { approvedAmount: 0, depositedAmount: 0, refundedAmount: 0 },
    refunds: [],
  })
})

test('an invalid order is refused with its error code, and nothing is stored', async () => {
  const before = await bank.count('sandbox_orders')
  const table: [changes: Record<string, string>, code: string][] = [
    [{ orderNumber: '' }, '4'],
    [{ amount: '' }, '4'],
    [{ currency: '' }, '4'],
    [{ returnUrl: '' }, '4'],
    [{ currency: '999' }, '3'],
    [{ currency: 'EUR' }, '3'],
    [{ currency: '12' }, '3'],
    [{ orderNumber: 'a b' }, '5'],
    [{ orderNumber: 'a'.repeat(33) }, '5'],
    ...['0', '-1', '1.5', '1e3', '01', '9'.repeat(16)].map((amount): [Record<string, string>, string] => [{ amount }, '5']),
    ...['shop', '/return', 'javascript:alert(1)', `https://shop.example/${'a'.repeat(2048)}`].flatMap(
      (url): [Record<string, string>, string][] => [
        [{ returnUrl: url }, '5'],
        [{ failUrl: url }, '5'],
      ],
    ),
    [{ description: 'a\u0000b' }, '5'],
    [{ description: 'a'.repeat(513) }, '5'],
    [{ language: 'de' }, '5'],
    [{ language: 'FR' }, '5'],
    ...['0', '-1', '1.5', '1000000'].map((seconds): [Record<string, string>, string] => [{ sessionTimeoutSecs: seconds }, '5']),
  ]
  for (const [changes, code] of table) {
    const { errorCode, errorMessage, ...rest } = await ask('register', someOrder(changes))
    assert.equal(errorCode, code, JSON.stringify(changes))
    assert.ok(errorMessage !== '')
    assert.deepEqual(rest, {})
  }
  assert.equal(await bank.count('sandbox_orders'), before)
})

test('an order number is registered once, even by many requests at once', async () => {
  const order = someOrder()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('register', order)))
  assert.equal(answers.filter(({ orderId }) => orderId !== undefined).length, 1)
  assert.equal(answers.filter(({ errorCode }) => errorCode === '1').length, 7)
})

const endpoints = ['register', 'getOrderStatusExtended', 'refund', 'reverse', 'decline']

test('every endpoint denies access without the right user and password', async () => {
  const orderId = await register()
  for (const name of endpoints) {
    for (const wrong of [{}, { userName: '', password: '' }, { ...login, password: 'x' }, { ...login, userName: 'x' }]) {
      const answer = await send(`/payment/rest/${name}.do`, { orderId, amount: '1', ...wrong })
      assert.deepEqual(answer.json(), { errorCode: '5', errorMessage: 'Access denied' })
    }
  }
  assert.deepEqual(await standing(orderId), [0, -100])
})

test('a request about an unknown order, or about none, is refused', async () => {
  for (const name of endpoints.slice(1)) {
    for (const orderId of ['b9054496-c65a-4975-9418-1051d101f1b9', 'nobody', "'; drop table sandbox_orders"]) {
      assert.equal((await ask(name, { orderId, amount: '1' })).errorCode, '6', name)
    }
    assert.equal((await ask(name, { amount: '1' })).errorCode, '4', name)
  }
})

test('bodies that are not plain forms are refused', async () => {
  const url = '/sandbox/gateway/payment/rest/register.do'
  const json = { 'content-type': 'application/json' }
  const refused: [payload: string | Buffer | undefined, headers: Record<string, string>, status: number, code: string][] = [
    [JSON.stringify({ ...login, ...someOrder() }), json, 415, 'unsupported_media_type'],
    ['<a/>', { 'content-type': 'application/xml' }, 415, 'unsupported_media_type'],
    [undefined, {}, 400, 'malformed_body'],
    ['amount=1&amount=2', form, 400, 'malformed_body'],
    ['amount=1&am%6funt=2', form, 400, 'malformed_body'],
    ['amount=%', form, 400, 'malformed_body'],
    ['amount=%ff', form, 400, 'malformed_body'],
    [Buffer.from([0x61, 0x3d, 0xff]), form, 400, 'malformed_body'],
    [`description=${'a'.repeat(66_000)}`, form, 413, 'body_too_large'],
  ]
  for (const [payload, headers, status, code] of refused) {
    const answer = await gateway.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })
    assert.deepEqual([answer.statusCode, answer.json().code], [status, code], String(payload).slice(0, 40))
  }
  assert.equal((await send('/payment/rest/register.do', '&&userName&password=&')).json().errorCode, '5')
})

test('only these routes accept forms', async () => {
  const app = createHttp(createLog('silent'))
  await app.register(sandboxGatewayRoutes, { database: bank.database, publicUrl: () => '' })
  const options = { config: { access: anybody, rawBody: true, createsNothing: 'It is a test.' }, schema: { hide: true } } as const
  app.post('/elsewhere', options, async () => 'taken')
  const answer = await app.inject({ method: 'POST', url: '/elsewhere', payload: 'a=b', headers: form })
  assert.equal(answer.statusCode, 415)
  await app.close()
})

test('a payment is refunded in parts, up to its full amount', async () => {
  const orderId = await register()
  await pay(orderId, 'plain')
  const refund = (amount: string, externalRefundId = '') => ask('refund', { orderId, amount, externalRefundId })
  assert.deepEqual(await refund('300', 'first'), { errorCode: '0', errorMessage: 'Success' })
  assert.deepEqual(await standing(orderId), [4, 0])
  // The same id is the same refund; without an id, each request is a new refund.
  assert.equal((await refund('300', 'first')).errorCode, '0')
  assert.equal((await refund('301', 'first')).errorCode, '5')
  assert.equal((await refund('200')).errorCode, '0')
  assert.equal((await refund('200')).errorCode, '0')
  assert.equal((await refund('301', 'too-much')).errorCode, '7')
  assert.equal((await refund('300', 'last')).errorCode, '0')
  assert.equal((await refund('1', 'one-more')).errorCode, '7')
  assert.equal((await refund('300', 'first')).errorCode, '0')
  const { orderStatus, amount, paymentAmountInfo, refunds } = await ask('getOrderStatusExtended', { orderId })
  assert.deepEqual([orderStatus, amount, paymentAmountInfo.refundedAmount], [4, 1000, 1000])
  assert.deepEqual(
    refunds.map(({ date, ...refund }: { date: unknown }) => ({ ...refund, dated: typeof date })),
    [
      { amount: 300, actionCode: 0, externalRefundId: 'first', dated: 'number' },
      { amount: 200, actionCode: 0, dated: 'number' },
      { amount: 200, actionCode: 0, dated: 'number' },
      { amount: 300, actionCode: 0, externalRefundId: 'last', dated: 'number' },
    ],
  )
})

test('a refund with an invalid value, or of an order that is not paid, is refused', async () => {
  const paid = await register()
  await pay(paid, 'plain')
  for (const [changes, code] of [
    [{ amount: '' }, '4'],
    [{ amount: '0' }, '5'],
    [{ amount: '-1' }, '5'],
    [{ amount: '1.5' }, '5'],
    [{ externalRefundId: 'a'.repeat(33) }, '5'],
    [{ externalRefundId: 'a b' }, '5'],
  ] as const) {
    assert.equal((await ask('refund', { orderId: paid, amount: '1', ...changes })).errorCode, code, JSON.stringify(changes))
  }
  assert.deepEqual(await standing(paid), [2, 0])
  for (const name of ['insufficient_funds', 'secure', 'late', 'session_expired'] as const) {
    const orderId = await register()
    await pay(orderId, name)
    assert.equal((await ask('refund', { orderId, amount: '1' })).errorCode, '7', name)
  }
})

test('concurrent refunds never exceed the payment, and the same refund is made once', async () => {
  const orderId = await register()
  await pay(orderId, 'plain')
  const many = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask('refund', { orderId, amount: '300', externalRefundId: `r-${index}` })),
  )
  assert.equal(many.filter(({ errorCode }) => errorCode === '0').length, 3)
  const same = await Promise.all(Array.from({ length: 8 }, () => ask('refund', { orderId, amount: '50', externalRefundId: 'same' })))
  assert.ok(same.every(({ errorCode }) => errorCode === '0'))
  assert.equal((await ask('getOrderStatusExtended', { orderId })).paymentAmountInfo.refundedAmount, 950)
})

test('a payment is reversed only in full, and an order is declined only while it is not paid', async () => {
  const paid = await register()
  await pay(paid, 'plain')
  assert.equal((await ask('decline', { orderId: paid })).errorCode, '7')
  assert.equal((await ask('reverse', { orderId: paid })).errorCode, '0')
  assert.equal((await standing(paid))[0], 3)
  for (const name of ['reverse', 'decline', 'refund']) {
    assert.equal((await ask(name, { orderId: paid, amount: '1' })).errorCode, '7', `${name} after a reversal`)
  }

  const refunded = await register()
  await pay(refunded, 'plain')
  await ask('refund', { orderId: refunded, amount: '1' })
  for (const name of ['reverse', 'decline']) assert.equal((await ask(name, { orderId: refunded })).errorCode, '7')

  const late = await register()
  await pay(late, 'late')
  for (const name of ['reverse', 'decline']) assert.equal((await ask(name, { orderId: late })).errorCode, '7')

  for (const attempt of [undefined, 'secure', 'insufficient_funds', 'session_expired'] as const) {
    const open = await register()
    if (attempt !== undefined) await pay(open, attempt)
    assert.equal((await ask('reverse', { orderId: open })).errorCode, '7')
    assert.equal((await ask('decline', { orderId: open })).errorCode, '0')
    assert.equal((await standing(open))[0], 3)
    assert.deepEqual(await pay(open, 'plain'), failed(open))
    assert.equal((await standing(open))[0], 3)
  }
})

// For the payer.

test('the numbers of the test cards are well-formed and unique', () => {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
  const checksum = (number: string) =>
    [...number].reverse().reduce((sum, digit, index) => sum + ((index % 2 === 1 ? doubled[Number(digit)] : Number(digit)) ?? 0), 0)
  for (const { number } of testCards) assert.ok(/^\d{16}$/.test(number) && checksum(number) % 10 === 0, number)
  assert.equal(new Set(testCards.map(({ number }) => number)).size, testCards.length)
})

test('a payment without 3-D Secure is made at once, and the payer goes back to the shop', async () => {
  const id = await register()
  assert.deepEqual(await pay(id, 'plain'), returned(id))
  const { orderStatus, actionCode, cardAuthInfo, params, paymentAmountInfo } = await ask('getOrderStatusExtended', { orderId: id })
  const { approvalCode, ...card } = cardAuthInfo
  assert.match(approvalCode, /^\d{6}$/)
  assert.deepEqual(
    { orderStatus, actionCode, card, params, paymentAmountInfo },
    {
      orderStatus: 2,
      actionCode: 0,
      card: { pan: '555555**4444', paymentSystem: 'MASTERCARD' },
      params: { respCode: '00', respCode_desc: 'Approved' },
      paymentAmountInfo: { approvedAmount: 1000, depositedAmount: 1000, refundedAmount: 0 },
    },
  )
  // Further cards do not change the payment.
  assert.deepEqual(await pay(id, 'lost'), returned(id))
  assert.deepEqual(await getForm(id).then(({ status, location }) => [status, location]), [303, returned(id).location])
  assert.deepEqual(await standing(id), [2, 0])
})

test('the return URL keeps the query and the fragment of the shop', async () => {
  const id = await register({ returnUrl: 'https://shop.example/a%20b?c=d%2Be&f#g' })
  assert.equal((await pay(id, 'plain')).location, `https://shop.example/a%20b?c=d%2Be&f&orderId=${id}#g`)
  const alone = await register({ failUrl: '' })
  assert.equal((await pay(alone, 'session_expired')).location, `https://shop.example/return?orderId=${alone}`)
})

test('a declined card leaves the order open for another one', async () => {
  for (const [name, action, words] of [
    ['insufficient_funds', 116, 'insufficient funds'],
    ['lost', 208, 'reported lost'],
    ['wrong_cvv', 111, 'security code is wrong'],
    ['secure_canceled', 10, 'confirmation was canceled'],
  ] as const) {
    const id = await register()
    assert.deepEqual(await pay(id, name), again(id))
    assert.deepEqual(await standing(id), [6, action])
    const { status, text } = await getForm(id)
    assert.equal(status, 200)
    assert.match(text, new RegExp(`<p role="alert" class="error">[^<]*${words}`))
    assert.deepEqual(await pay(id, 'plain'), returned(id))
    assert.deepEqual(await standing(id), [2, 0])
  }
  const id = await register()
  await pay(id, 'wrong_cvv')
  assert.deepEqual(await pay(id, 'wrong_cvv', { cvv: '123' }), returned(id))
})

test('with 3-D Secure the payer confirms, cancels or goes back for another card', async () => {
  const id = await register()
  assert.deepEqual(await pay(id, 'secure'), { status: 303, location: `/sandbox/gateway/acs/${id}`, text: '' })
  assert.deepEqual(await standing(id), [5, -100])
  const page = await gateway.inject({ method: 'GET', url: `/sandbox/gateway/acs/${id}` })
  assert.equal(page.statusCode, 200)
  assert.match(page.body, /<bdi dir="ltr">Visa <span aria-hidden="true">••••<\/span> 1111<\/bdi>/)
  assert.doesNotMatch(page.body, /411111/)
  // An unknown action changes nothing.
  assert.equal((await submit(`/acs/${id}`, { action: 'maybe' })).location, `/sandbox/gateway/acs/${id}`)
  assert.deepEqual(await submit(`/acs/${id}`, { action: 'cancel' }), again(id))
  assert.deepEqual(await standing(id), [6, 10])
  // It is too late to confirm.
  assert.deepEqual(await submit(`/acs/${id}`, { action: 'confirm' }), again(id))
  assert.deepEqual(await standing(id), [6, 10])

  await pay(id, 'secure')
  assert.equal((await getForm(id)).status, 200)
  assert.deepEqual(await submit(`/acs/${id}`, { action: 'confirm' }), returned(id))
  assert.deepEqual(await standing(id), [2, 0])
  assert.equal((await gateway.inject({ method: 'GET', url: `/sandbox/gateway/acs/${id}` })).headers.location, returned(id).location)
})

test('a late success shows only after its delay', async () => {
  const id = await register()
  assert.deepEqual(await pay(id, 'late'), again(id))
  assert.deepEqual(await standing(id), [7, -100])
  const { status, text } = await getForm(id)
  assert.equal(status, 200)
  assert.match(text, /<a class="button main" href="">Check again<\/a>/)
  assert.ok(text.includes(`<a href="https://shop.example/return?orderId=${id}">`))
  assert.deepEqual(await pay(id, 'lost'), again(id))
  // The card was accepted before the session ended.
  await endSession(id)
  assert.deepEqual(await standing(id), [7, -100])
  await bank.owner.query(`update sandbox_orders set paid_at = now() - interval '1 second' where id = $1`, [id])
  assert.deepEqual(await standing(id), [2, 0])
  assert.equal((await getForm(id)).location, returned(id).location)
})

test('after the card of the silent gateway, every request about the order hangs for a limited time', async () => {
  const id = await register()
  assert.deepEqual(await pay(id, 'silent'), returned(id))
  for (const name of endpoints.slice(1)) {
    assert.deepEqual(await ask(name, { orderId: id, amount: '1' }), { errorCode: '7', errorMessage: 'System error' })
  }
  assert.deepEqual(await pay(id, 'plain'), returned(id))
  const { rows } = await bank.owner.query('select order_status from sandbox_orders where id = $1', [id])
  assert.deepEqual(rows, [{ order_status: 0 }])
})

test('a request that hangs does not delay the shutdown', async () => {
  const id = await register()
  await pay(id, 'silent')
  const patient = await openGateway({ silence_s: 3600 })
  await patient.ready()
  const asked = ask('getOrderStatusExtended', { orderId: id }, patient)
  await patient.close()
  assert.equal((await asked).errorCode, '7')
})

test('a caller that asks about a silent order times out', async () => {
  const id = await register()
  await pay(id, 'silent')
  const patient = await openGateway({ silence_s: 3600 })
  const url = await patient.listen({ port: 0, host: '127.0.0.1' })
  const body = new URLSearchParams({ ...login, orderId: id })
  const asked = fetch(`${url}/sandbox/gateway/payment/rest/decline.do`, { method: 'POST', body, signal: AbortSignal.timeout(200) })
  await assert.rejects(asked, { name: 'TimeoutError' })
})

test('a session ends by its time, or by the test card for it', async () => {
  for (const end of [endSession, (id: string) => pay(id, 'session_expired').then((answer) => assert.deepEqual(answer, failed(id)))]) {
    const id = await register()
    await end(id)
    assert.deepEqual(await standing(id), [6, -2007])
    assert.equal((await getForm(id)).location, failed(id).location)
    assert.deepEqual(await pay(id, 'plain'), failed(id))
    assert.deepEqual(await standing(id), [6, -2007])
  }
  const atBank = await register()
  await pay(atBank, 'secure')
  await endSession(atBank)
  assert.deepEqual(await submit(`/acs/${atBank}`, { action: 'confirm' }), failed(atBank))
  assert.deepEqual(await standing(atBank), [6, -2007])
  // A declined card stays declined; there is only no time left for another one.
  const declined = await register()
  await pay(declined, 'lost')
  await endSession(declined)
  assert.deepEqual(await standing(declined), [6, 208])
  assert.deepEqual(await pay(declined, 'plain'), failed(declined))
  // A payment outlives its session.
  const paid = await register()
  await pay(paid, 'plain')
  await endSession(paid)
  assert.deepEqual(await standing(paid), [2, 0])
})

test('the session lasts as long as the merchant asked for', async () => {
  for (const [given, expected] of [
    ['77', 77],
    ['', 1200],
  ] as const) {
    const id = await register({ sessionTimeoutSecs: given })
    const { rows } = await bank.owner.query(
      'select extract(epoch from expires_at - created_at)::int as seconds from sandbox_orders where id = $1',
      [id],
    )
    assert.equal(rows[0].seconds, expected)
  }
})

test('a payer who cancels returns to the shop, and the order stays open', async () => {
  const id = await register()
  assert.deepEqual(await submit(`/form/${id}`, { action: 'cancel' }), failed(id))
  assert.deepEqual(await standing(id), [0, -100])
  await pay(id, 'lost')
  assert.deepEqual(await submit(`/form/${id}`, { action: 'cancel', number: card('plain') }), failed(id))
  assert.deepEqual(await standing(id), [6, 208])
  assert.deepEqual(await pay(id, 'plain'), returned(id))
})

test('an invalid card field has its message next to it, and the order does not change', async () => {
  const id = await register()
  const table: [changes: Record<string, string>, field: string, words: RegExp][] = [
    [{ number: '' }, 'number', /Enter the card number/],
    [{ number: ' - ' }, 'number', /Enter the card number/],
    [{ number: '4111111111111112' }, 'number', /not one of the test cards/],
    [{ number: '4242424242424242' }, 'number', /not one of the test cards/],
    [{ expiry: '' }, 'expiry', /Enter the month and the year/],
    [{ expiry: '13/99' }, 'expiry', /Enter the month and the year/],
    [{ expiry: '00/99' }, 'expiry', /Enter the month and the year/],
    [{ expiry: '9/99' }, 'expiry', /Enter the month and the year/],
    [{ expiry: '12/1999' }, 'expiry', /Enter the month and the year/],
    [{ expiry: '12/20' }, 'expiry', /has expired/],
    [{ expiry: '01 / 2021' }, 'expiry', /has expired/],
    [{ cvv: '' }, 'cvv', /three digits/],
    [{ cvv: '12' }, 'cvv', /three digits/],
    [{ cvv: '1234' }, 'cvv', /three digits/],
    [{ cvv: '12a' }, 'cvv', /three digits/],
  ]
  for (const [changes, field, words] of table) {
    const { status, text } = await pay(id, 'plain', changes)
    assert.equal(status, 422, JSON.stringify(changes))
    assert.match(text, new RegExp(`<input id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-error">`))
    assert.match(text.match(new RegExp(`<p id="${field}-error" class="error">([^<]*)</p>`))?.[1] ?? '', words)
    assert.equal(text.match(/aria-invalid="true"/g)?.length, 1, 'only the wrong field is marked')
  }
  const { text } = await submit(`/form/${id}`, {})
  assert.equal(text.match(/aria-invalid="true"/g)?.length, 3)
  assert.deepEqual(await standing(id), [0, -100])
  for (const expiry of ['12/99', '1299', '12/2099', ' 12 / 99 ']) {
    const other = await register()
    assert.deepEqual(await pay(other, 'plain', { expiry, number: '5555 5555-5555 4444' }), returned(other), expiry)
  }
})

test('the card number and the security code are never sent back', async () => {
  const id = await register()
  const { text } = await pay(id, 'plain', { number: '4242424242424242', cvv: '9876', expiry: '12/"><b>' })
  assert.ok(!text.includes('4242424242424242') && !text.replaceAll(id, '').includes('9876'))
  assert.ok(text.includes('value="12/&quot;&gt;&lt;b&gt;"'))
})

test('the form works with a keyboard, a screen reader and autocomplete', async () => {
  const { text } = await getForm(await register())
  for (const [name, autocomplete] of [
    ['number', 'cc-number'],
    ['expiry', 'cc-exp'],
    ['cvv', 'cc-csc'],
  ]) {
    assert.match(
      text,
      new RegExp(`<label for="${name}">[^<]+</label>\\n<input id="${name}" name="${name}"[^>]* autocomplete="${autocomplete}"`),
    )
  }
  assert.doesNotMatch(text, /<script|aria-invalid="|role="alert"/)
  assert.match(text, /<meta name="viewport"/)
  for (const { number } of testCards) assert.ok(text.includes(`<code dir="ltr">${number.match(/.{4}/g)?.join(' ')}</code>`))
})

test('pages are in the language of the order', async () => {
  for (const [language, direction, title, declined, confirm] of [
    ['en', 'ltr', 'Card payment', 'reported lost', 'Confirm the payment'],
    ['fr', 'ltr', 'Paiement par carte', 'déclarée perdue', 'Confirmer le paiement'],
    ['ar', 'rtl', 'الدفع بالبطاقة', 'فقدانها', 'تأكيد الدفع'],
  ] as const) {
    const id = await register({ language })
    const opening = `<html lang="${language}" dir="${direction}">`
    await pay(id, 'lost')
    const { text } = await getForm(id)
    assert.ok(text.includes(opening) && text.includes(`<h1>${title}</h1>`) && text.includes(declined), language)
    await pay(id, 'secure')
    const { body } = await gateway.inject({ method: 'GET', url: `/sandbox/gateway/acs/${id}` })
    assert.ok(body.includes(opening) && body.includes(confirm), language)
  }
})

test('the amount is formatted in the page’s language, with all decimals of the currency', async () => {
  for (const [amount, currency, language, written] of [
    ['1000', '978', 'en', '€10.00'],
    ['5', '978', 'en', '€0.05'],
    ['1000', '392', 'en', 'JP¥1,000'],
    ['1234567', '414', 'en', 'KWD 1,234.567'],
    ['999999999999999', '840', 'en', 'US$9,999,999,999,999.99'],
    ['123450', '978', 'fr', '1 234,50 €'],
    ['123450', '012', 'fr', '1 234,50 DA'],
    ['123450', '012', 'ar', '1.234,50 د.ج.'],
  ] as const) {
    const { text } = await getForm(await register({ amount, currency, language }))
    const strong = (text.match(/<strong>([^<]*)<\/strong>/)?.[1] ?? '').replaceAll(/[\s\u200e\u200f]+/g, ' ').trim()
    assert.equal(strong, written)
  }
})

test('texts of the merchant are escaped on the page', async () => {
  const description = `<script>alert(1)</script> & "quotes" 'too'`
  const { text } = await getForm(await register({ description }))
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot; &#39;too&#39;'))
  assert.doesNotMatch(text, /<script/)
  const late = await register({ returnUrl: 'https://shop.example/?a="><b>&c=\'' })
  await pay(late, 'late')
  assert.doesNotMatch((await getForm(late)).text, /<b>/)
})

test('pages load nothing, run no script, are not cached and not framed', async () => {
  const { headers } = await getForm(await register())
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  const policy = String(headers['content-security-policy'])
  for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", 'form-action http: https:']) {
    assert.ok(policy.split('; ').includes(rule), rule)
  }
})

test('an unknown order is answered with a page', async () => {
  for (const id of ['b9054496-c65a-4975-9418-1051d101f1b9', 'nobody']) {
    for (const path of [`/form/${id}`, `/acs/${id}`]) {
      const asked = await gateway.inject({ method: 'GET', url: `/sandbox/gateway${path}` })
      const sent = await send(path, { action: 'cancel' })
      for (const { statusCode, body } of [asked, sent]) {
        assert.equal(statusCode, 404)
        assert.match(body, /There is no payment at this address/)
      }
    }
  }
})

test('of several cards at once, one success is final', async () => {
  const id = await register()
  await Promise.all((['lost', 'plain', 'insufficient_funds', 'plain', 'lost', 'secure'] as const).map((name) => pay(id, name)))
  await pay(id, 'plain')
  const first = await ask('getOrderStatusExtended', { orderId: id })
  assert.deepEqual([first.orderStatus, first.cardAuthInfo.pan], [2, '555555**4444'])
  await pay(id, 'plain')
  assert.deepEqual(await ask('getOrderStatusExtended', { orderId: id }), first)
})

test('another instance finds the orders', async () => {
  const id = await register()
  await pay(id, 'lost')
  const other = await openGateway()
  assert.equal((await ask('getOrderStatusExtended', { orderId: id }, other)).actionCode, 208)
})

test('no card number and no security code is left in the database or in the log', async () => {
  const cvv = '987'
  for (const { name } of testCards) await pay(await register({ amount: '111' }), name, { cvv })
  await pay(await register(), 'plain', { number: '4242424242424242' })
  const { rows } = await bank.owner.query('select sandbox_orders::text as row from sandbox_orders')
  const kept = rows.map(({ row }) => row).join('\n') + logLines.join('\n')
  for (const { number } of testCards) assert.ok(!kept.includes(number), number)
  assert.ok(!kept.includes('4242424242424242'))
  const { rows: columns } = await bank.owner.query(
    `select column_name as name from information_schema.columns where table_name = 'sandbox_orders'`,
  )
  assert.ok(columns.length > 0 && columns.every(({ name }) => !/cvv|csc|expiry/.test(name)))
  assert.ok(logLines.length > 0)
})

test('the database refuses a full card number', async () => {
  const id = await register()
  for (const pan of ['5555555555554444', '555555******4444', '5555 55** **** 4444', '']) {
    await assert.rejects(bank.owner.query('update sandbox_orders set masked_pan = $2 where id = $1', [id, pan]), { code: '23514' })
  }
})
