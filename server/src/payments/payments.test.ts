import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { type TestCardName, testCards } from '../sandbox/gateway/sandbox.gateway.cards.ts'
import { type Answer, Caller, openBank, type VentureCaller } from '../testing/testing.ts'
import { Payment } from './payments.schemas.ts'
import { payWith } from './payments.testing.ts'

const bank = await openBank()
const base = await bank.listen()
let shop: VentureCaller
before(async () => {
  shop = await bank.registerVenture()
})

const order = {
  amount: '25.00',
  currency: 'EUR',
  success_url: 'https://shop.example/paid?cart=7',
  fail_url: 'https://shop.example/failed#top',
}
const card = (name: TestCardName) => testCards.find((card) => card.name === name)?.number ?? ''

/** Every answer, to be searched for card numbers at the end. */
const answers: string[] = []

function expect(answer: Answer, status: number) {
  answers.push(answer.text, JSON.stringify(answer.headers))
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

const create = async (changes: object = {}) => expect(await shop.post('/payments', { ...order, ...changes }), 201)
const get = async ({ id }: { id: string }) => expect(await shop.get(`/payments/${id}`), 200)
const pay = (payment: { form_url: string }, name: TestCardName, how: { cvv?: string; confirm?: boolean } = {}) =>
  payWith(bank.app, payment, card(name), how)

/** Where a returning payer is sent, whatever the address contains. */
async function comeBack({ id }: { id: string }, query = ''): Promise<string | undefined> {
  const answer = await bank.stranger.get(`/payments/${id}/return${query}`)
  expect(answer, 302)
  return answer.headers['location']
}

const cancel = ({ id }: { id: string }) => shop.post(`/payments/${id}/cancel`)
const refund = ({ id }: { id: string }, body: object = {}) => shop.post(`/payments/${id}/refund`, body)

async function createPaid(changes: object = {}) {
  const payment = await create(changes)
  await pay(payment, 'plain')
  await comeBack(payment)
  return get(payment)
}

/** Runs a payment's jobs as if they were due. */
async function runJobs({ id }: { id: string }): Promise<void> {
  await bank.owner.query(`update jobs set due_at = now() where payload->>'id' = $1`, [id])
  await bank.runJobs()
}

/** Type and previous status of a payment's events. They must be numbered without gaps, and the last must contain the current payment. */
async function eventsOf(payment: { id: string }): Promise<[type: string, from: string | null][]> {
  const { rows } = await bank.owner.query('select type, sequence, data from events where resource_id = $1 order by sequence', [payment.id])
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    rows.map((_, index) => index + 1),
  )
  const { status, refunded_amount, paid_at, masked_pan } = await get(payment)
  const last = rows.at(-1)?.data.object
  assert.deepEqual([last.status, last.refunded_amount, last.paid_at, last.masked_pan], [status, refunded_amount, paid_at, masked_pan])
  return rows.map(({ type, data }) => [type.replace('payment.', ''), data.previous_status])
}

test('HEAD on the return route refreshes the payment like GET: the same location, the same status, and no second event', async () => {
  const payment = await create()
  await pay(payment, 'plain')
  assert.equal((await get(payment)).status, 'PENDING')
  const url = `${base}/api/v1/payments/${payment.id}/return`
  const head = await fetch(url, { method: 'HEAD', redirect: 'manual' })
  assert.deepEqual([head.status, await head.text()], [302, ''])
  assert.equal((await get(payment)).status, 'PAID')
  assert.equal(head.headers.get('location'), await comeBack(payment))
  assert.equal(new URL(head.headers.get('location') ?? '').searchParams.get('status'), 'PAID')
  const { body: events } = await shop.get(`/events?resource_id=${payment.id}`)
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['payment.paid', 'payment.created'],
  )
})

test('a payment is created with the fields sent, is PENDING, and can be read', async () => {
  const answer = await shop.post('/payments', { ...order, currency: 'dzd', language: 'AR', order_ref: 'cart-7', description: 'Two books' })
  const payment = expect(answer, 201)
  assert.equal(answer.headers['location'], `/api/v1/payments/${payment.id}`)
  const { id, gateway_order_number, gateway_order_id, form_url, created_at, updated_at, ...rest } = payment
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(gateway_order_number, /^[A-Z0-9]{10}$/)
  assert.equal(form_url, `${base}/sandbox/gateway/form/${gateway_order_id}`)
  assert.ok(created_at <= updated_at)
  assert.deepEqual(rest, {
    business_id: shop.venture.id,
    amount: '25.00',
    currency: 'DZD',
    language: 'AR',
    status: 'PENDING',
    success_url: order.success_url,
    fail_url: order.fail_url,
    gateway_order_status: null,
    gateway_error_code: null,
    action_code: null,
    action_code_description: null,
    approval_code: null,
    resp_code: null,
    resp_code_desc: null,
    card_brand: null,
    masked_pan: null,
    order_ref: 'cart-7',
    description: 'Two books',
    customer_name: null,
    customer_email: null,
    customer_phone: null,
    payment_link_id: null,
    refunded_amount: '0.00',
    paid_at: null,
  })
  assert.deepEqual(await get(payment), payment)
  assert.deepEqual(await eventsOf(payment), [['created', null]])
  const { rows } = await bank.owner.query('select * from sandbox_orders where id = $1', [gateway_order_id])
  const back = `${base}/api/v1/payments/${id}/return`
  const { order_number, amount, currency, language, description, return_url, fail_url } = rows[0]
  assert.deepEqual(
    { order_number, amount, currency, language, description, return_url, fail_url },
    {
      order_number: gateway_order_number,
      amount: '2500',
      currency: '012',
      language: 'ar',
      description: 'Two books',
      return_url: back,
      fail_url: back,
    },
  )
})

test('amounts go to the gateway in the smallest unit of their currency', async () => {
  const table: [currency: string, amount: string, shown: string, minor: string][] = [
    ['EUR', '0.01', '0.01', '1'],
    ['EUR', '10', '10.00', '1000'],
    ['JPY', '500', '500', '500'],
    ['KWD', '1.234', '1.234', '1234'],
    ['EUR', '9999999999999.99', '9999999999999.99', '999999999999999'],
  ]
  for (const [currency, amount, shown, minor] of table) {
    const payment = await create({ currency, amount })
    assert.deepEqual([payment.amount, payment.status, payment.language], [shown, 'PENDING', 'EN'])
    const { rows } = await bank.owner.query('select amount from sandbox_orders where id = $1', [payment.gateway_order_id])
    assert.equal(rows[0].amount, minor)
  }
})

test('an order that the gateway refuses makes the payment FAILED', async () => {
  const payment = await create({ amount: '999999999999999.99' })
  assert.deepEqual([payment.status, payment.gateway_error_code, payment.form_url], ['FAILED', '5', null])
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['failed', 'PENDING'],
  ])
  expect(await cancel(payment), 409)
  expect(await refund(payment), 409)
  assert.equal(await comeBack(payment), `https://shop.example/failed?payment_id=${payment.id}&status=FAILED#top`)
})

const refused: Record<string, object> = {
  zero: { amount: '0' },
  'zero with decimals': { amount: '0.00' },
  'a third decimal of EUR': { amount: '1.001' },
  'a decimal of JPY': { currency: 'JPY', amount: '1.0' },
  'a fourth decimal of KWD': { currency: 'KWD', amount: '1.0001' },
  'a number': { amount: 25 },
  'less than nothing': { amount: '-1' },
  'an exponent': { amount: '1e5' },
  'a plus': { amount: '+1' },
  'no whole number': { amount: '.5' },
  'digits of another script': { amount: '١٠' },
  'too many digits': { amount: '1000000000000000' },
  'no amount': { amount: undefined },
  'an unknown currency': { currency: 'XXX' },
  'a currency that only looks like one': { currency: 'UſD' },
  'no currency': { currency: undefined },
  'http elsewhere than on localhost': { success_url: 'http://shop.example/' },
  'http on what begins as localhost': { success_url: 'http://localhost.example/' },
  'a script': { success_url: 'javascript:alert(1)' },
  data: { fail_url: 'data:text/html,x' },
  'a user in the address': { fail_url: 'https://shop@evil.example/' },
  'a password in the address': { fail_url: 'https://:secret@evil.example/' },
  'a relative address': { success_url: '/paid' },
  'an address without a scheme': { fail_url: '//evil.example/' },
  'no address': { success_url: '' },
  'an address that is null': { success_url: null },
  'too long an address': { success_url: `https://shop.example/${'x'.repeat(2_028)}` },
  'a line feed in an address': { success_url: 'https://shop.example/\r\nSet-Cookie:x' },
  'an unknown language': { language: 'DE' },
  'too long a description': { description: 'x'.repeat(256) },
  'a direction mark in a description': { description: 'a\u202Eb' },
  'a number as reference': { order_ref: 7 },
  'an unknown field': { amonut: '1.00' },
}

test('an invalid order is refused with 400 and stores nothing', async () => {
  const [payments, orders] = [await bank.count('payments'), await bank.count('sandbox_orders')]
  for (const [name, changes] of Object.entries(refused)) {
    const { status, problem } = await shop.post('/payments', { ...order, ...changes })
    assert.deepEqual([status, problem.code], [400, 'invalid_request'], name)
    assert.equal(problem.errors.length, 1, name)
    assert.equal(problem.errors[0].field, Object.keys(changes).at(-1), name)
  }
  const own = new Set(['amount', 'currency', 'success_url', 'fail_url', 'language', 'order_ref', 'description'])
  const sample = await create()
  for (const field of Object.keys(Payment.properties).filter((name) => !own.has(name))) {
    for (const value of [sample[field], 'x', null]) {
      const { status, problem } = await shop.post('/payments', { ...order, [field]: value })
      assert.deepEqual([status, problem.errors[0].field], [400, field])
    }
  }
  assert.equal((await shop.post('/payments', [order])).status, 400)
  assert.equal((await shop.post('/payments')).status, 400)
  assert.deepEqual([await bank.count('payments'), await bank.count('sandbox_orders')], [payments + 1, orders + 1])
})

test('success_url and fail_url may be as long as the limit allows, and name localhost only in the sandbox', async () => {
  await create({ success_url: `https://shop.example/${'x'.repeat(2_027)}` })
  const local = ['http://localhost:3000/paid', 'http://127.0.0.1/', 'http://[::1]:8080/']
  for (const url of local) await create({ success_url: url, fail_url: url })
  const gateway = { url: `${base}/sandbox/gateway`, user: 'sandbox', password: 'sandbox' }
  const live = new Caller(await bank.openInstance({ sandbox: false, gateway }), shop.headers)
  for (const url of local) expect(await live.post('/payments', { ...order, fail_url: url }), 400)
  expect(await live.post('/payments', order), 201)
})

test('without a configured gateway no payment starts, and existing payments can still be read', async () => {
  const payment = await create()
  const without = new Caller(await bank.openInstance({ sandbox: false }), shop.headers)
  const payments = await bank.count('payments')
  for (const path of ['', `/${payment.id}/cancel`, `/${payment.id}/refund`]) {
    const body = path === '' ? order : path.endsWith('refund') ? {} : undefined
    const answer = await without.post(`/payments${path}`, body)
    assert.deepEqual([answer.status, answer.problem.code], [503, 'gateway_missing'], path)
  }
  assert.equal(await bank.count('payments'), payments)
  assert.deepEqual(expect(await without.get(`/payments/${payment.id}`), 200), await get(payment))
  assert.equal(expect(await without.get('/payments'), 200)[0].id, payment.id)
})

test('payments are listed newest first, by pages and by status', async () => {
  const venture = await bank.registerVenture()
  const ids: string[] = []
  for (let index = 0; index < 53; index++) ids.unshift((await venture.post('/payments', order)).body.id)
  const list = async (query: string) => {
    const answer = await venture.get(`/payments${query}`)
    const found: string[] = expect(answer, 200).map(({ id }: { id: string }) => id)
    return { found, next: answer.headers['link'] }
  }
  assert.deepEqual(await list(''), { found: ids.slice(0, 50), next: `</api/v1/payments?after=${ids[49]}>; rel="next"` })
  assert.deepEqual(await list(`?after=${ids[49]}`), { found: ids.slice(50), next: undefined })
  assert.deepEqual(await list('?limit=100'), { found: ids, next: undefined })
  assert.deepEqual((await list('?limit=2&offset=3')).found, ids.slice(3, 5))
  assert.equal((await venture.post(`/payments/${ids[7]}/cancel`)).status, 200)
  assert.deepEqual((await list('?status=CANCELED')).found, [ids[7]])
  assert.deepEqual((await list('?status=PENDING&limit=1')).next, `</api/v1/payments?status=PENDING&limit=1&after=${ids[0]}>; rel="next"`)
  assert.deepEqual((await list('?status=PAID')).found, [])
  assert.deepEqual(expect(await venture.get('/payments?limit=1'), 200)[0], (await venture.get(`/payments/${ids[0]}`)).body)
  const wrong = [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e9',
    'offset=-1',
    'status=OPEN',
    'after=x',
    `after=${ids[0]}&offset=1`,
    'state=PAID',
  ]
  for (const query of wrong) expect(await venture.get(`/payments?${query}`), 400)
})

test("another venture's payment is as unknown as one that does not exist", async () => {
  const payment = await createPaid()
  const other = await bank.registerVenture()
  const same = async (method: 'get' | 'post', path: (id: string) => string, body?: object) => {
    const [foreign, unknown] = await Promise.all([payment.id, randomUUID()].map((id) => other[method](path(id), body as object)))
    const bytes = (answer: Answer | undefined) => ({ ...answer?.problem, instance: '', request_id: '' })
    assert.equal(foreign?.status, 404)
    assert.equal(foreign?.problem.code, 'payment_not_found')
    assert.deepEqual(bytes(foreign), bytes(unknown))
  }
  await same('get', (id) => `/payments/${id}`)
  await same('post', (id) => `/payments/${id}/cancel`)
  await same('post', (id) => `/payments/${id}/refund`, {})
  await same('post', (id) => `/payments/${id}/refund`, { amount: '1.00', external_refund_id: 'r1' })
  assert.deepEqual(expect(await other.get('/payments'), 200), [])
  assert.deepEqual(await get(payment), payment)
})

type Ending = {
  card: TestCardName
  how?: { cvv?: string; confirm?: boolean }
  status: string
  event: [string, string | null]
  fields: object
}

const paid = { gateway_order_status: 2, action_code: '0', resp_code: '00', resp_code_desc: 'Approved' }
const declined = { gateway_order_status: 6, approval_code: null, paid_at: null }
const endings: Ending[] = [
  {
    card: 'secure',
    status: 'PAID',
    event: ['paid', 'PENDING'],
    fields: { ...paid, card_brand: 'VISA', masked_pan: '411111******1111' },
  },
  {
    card: 'plain',
    status: 'PAID',
    event: ['paid', 'PENDING'],
    fields: { ...paid, card_brand: 'MASTERCARD', masked_pan: '555555******4444' },
  },
  { card: 'wrong_cvv', how: { cvv: '123' }, status: 'PAID', event: ['paid', 'PENDING'], fields: paid },
  {
    card: 'insufficient_funds',
    status: 'REFUSED',
    event: ['refused', 'PENDING'],
    fields: { ...declined, action_code: '116', resp_code: '51', resp_code_desc: 'Insufficient funds', masked_pan: '400000******9995' },
  },
  { card: 'lost', status: 'REFUSED', event: ['refused', 'PENDING'], fields: { ...declined, action_code: '208', resp_code: '41' } },
  { card: 'wrong_cvv', status: 'REFUSED', event: ['refused', 'PENDING'], fields: { ...declined, action_code: '111', resp_code: null } },
  { card: 'secure_canceled', status: 'CANCELED', event: ['canceled', 'PENDING'], fields: { ...declined, action_code: '10' } },
  {
    card: 'secure',
    how: { confirm: false },
    status: 'CANCELED',
    event: ['canceled', 'PENDING'],
    fields: { ...declined, action_code: '10' },
  },
  { card: 'session_expired', status: 'EXPIRED', event: ['expired', 'PENDING'], fields: { ...declined, action_code: '-2007' } },
]

for (const { card: name, how, status, event, fields } of endings) {
  test(`a payer with the card ${name}${how === undefined ? '' : ` (${JSON.stringify(how)})`} comes back to ${status}`, async () => {
    const payment = await create()
    await pay(payment, name, how)
    const place =
      status === 'PAID'
        ? `https://shop.example/paid?cart=7&payment_id=${payment.id}&status=PAID`
        : `https://shop.example/failed?payment_id=${payment.id}&status=${status}#top`
    // Two returns and a refresh by the job make one event.
    assert.equal(await comeBack(payment), place)
    assert.equal(await comeBack(payment), place)
    const ended = await get(payment)
    await runJobs(payment)
    assert.deepEqual(await get(payment), ended)
    const { status: became, paid_at, approval_code } = ended
    assert.equal(became, status)
    for (const [field, value] of Object.entries(fields)) assert.equal(ended[field], value, field)
    if (status === 'PAID') assert.match(approval_code, /^\d{6}$/)
    assert.equal(paid_at !== null, status === 'PAID')
    assert.deepEqual(await eventsOf(payment), [['created', null], event])
  })
}

test('the return URL is our own route and contains nothing that affects the payment', async () => {
  const payment = await create()
  const back = new URL(await pay(payment, 'plain'))
  assert.equal(back.origin + back.pathname, `${base}/api/v1/payments/${payment.id}/return`)
  assert.equal(await comeBack(payment, back.search), `https://shop.example/paid?cart=7&payment_id=${payment.id}&status=PAID`)
})

test('claims in the query of the return route have no effect', async () => {
  const payment = await create()
  const place = `https://shop.example/failed?payment_id=${payment.id}&status=PENDING#top`
  const queries = [
    '?status=PAID',
    '?status=PAID&orderId=x&errorCode=0',
    '?url=//evil.example',
    '?success_url=https://evil.example&fail_url=https://evil.example&redirect=https://evil.example',
    '?returns=99',
    '?returns=3',
    '?returns=-1&returns=2',
    '?returns[]=1&__proto__=1',
    '?payment_id=other',
  ]
  for (const query of queries) assert.equal(await comeBack(payment, query), place, query)
  // Control characters are refused in any query before anything happens.
  for (const query of ['?x=%0d%0aLocation:%20https://evil.example', '?%0d%0aSet-Cookie:%20a=b']) {
    const answer = await bank.stranger.get(`/payments/${payment.id}/return${query}`)
    assert.deepEqual([answer.status, answer.headers['location'], answer.headers['set-cookie']], [400, undefined, undefined])
  }
  assert.deepEqual(await eventsOf(payment), [['created', null]])
})

test('the return route needs no key and accepts only ids of payments', async () => {
  const payment = await create()
  const { status, headers } = await new Caller(bank.app, { 'x-api-key': 'nonsense' }).get(`/payments/${payment.id}/return`)
  assert.deepEqual([status, headers['cache-control'], headers['referrer-policy']], [302, 'no-store', 'no-referrer'])
  assert.equal(expect(await bank.stranger.get(`/payments/${randomUUID()}/return`), 404).code, 'payment_not_found')
  for (const id of ['1', 'x', `${payment.id}0`, '%00', '..%2f..']) expect(await bank.stranger.get(`/payments/${id}/return`), 400)
})

test('the query of the shop URLs is kept, except for the two parameters that we set', async () => {
  const payment = await create({ fail_url: 'https://shop.example/f?status=PAID&q=%C3%A9+x&payment_id=1' })
  assert.equal(await comeBack(payment), `https://shop.example/f?status=PENDING&q=%C3%A9+x&payment_id=${payment.id}`)
})

test('a payment that is charged late becomes PAID as soon as the gateway reports it', async () => {
  const payment = await create()
  await pay(payment, 'late')
  assert.equal(await comeBack(payment), `https://shop.example/failed?payment_id=${payment.id}&status=PENDING#top`)
  assert.equal((await get(payment)).gateway_order_status, 7)
  await runJobs(payment)
  assert.equal((await get(payment)).status, 'PENDING')
  await bank.owner.query('update sandbox_orders set paid_at = now() where id = $1', [payment.gateway_order_id])
  await runJobs(payment)
  const late = await get(payment)
  assert.deepEqual([late.status, late.gateway_order_status, late.masked_pan], ['PAID', 2, '400000******0077'])
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['paid', 'PENDING'],
  ])
})

for (const first of ['insufficient_funds', 'secure_canceled'] as const) {
  test(`after the card ${first} another one is paid, by which the payment is then described`, async () => {
    const payment = await create()
    await pay(payment, first)
    await comeBack(payment)
    const { status } = await get(payment)
    // A second refused card changes the details of a REFUSED payment; a CANCELED one keeps the details of its end.
    await pay(payment, 'lost')
    await runJobs(payment)
    assert.equal((await get(payment)).action_code, status === 'REFUSED' ? '208' : '10')
    await pay(payment, 'secure')
    await runJobs(payment)
    const paid = await get(payment)
    assert.deepEqual(
      [paid.status, paid.resp_code, paid.action_code, paid.masked_pan, paid.card_brand],
      ['PAID', '00', '0', '411111******1111', 'VISA'],
    )
    assert.deepEqual(await eventsOf(payment), [
      ['created', null],
      [status.toLowerCase(), 'PENDING'],
      ['paid', status],
    ])
  })
}

test('a REFUSED payment is refreshed until its session ends, and a PAID one is not', async () => {
  const openJobs = async ({ id }: { id: string }) =>
    (await bank.owner.query(`select kind from jobs where payload->>'id' = $1`, [id])).rows.map(({ kind }) => kind)
  const payment = await create()
  await pay(payment, 'lost')
  await runJobs(payment)
  assert.deepEqual(await openJobs(payment), ['payments.ask'])
  await bank.owner.query(`update payments set session_until = now() - interval '10 minutes' where id = $1`, [payment.id])
  await runJobs(payment)
  assert.deepEqual(await openJobs(payment), [])
  assert.equal((await get(payment)).status, 'REFUSED')
  // The gateway is asked even if the payer returns late.
  await pay(payment, 'plain')
  assert.match((await comeBack(payment)) ?? '', /status=PAID$/)
  const paid = await createPaid()
  await runJobs(paid)
  assert.deepEqual(await openJobs(paid), [])
})

test('an unpaid payment expires after its session and a grace period', async () => {
  const payment = await create()
  const end = (ago: string) => bank.owner.query(`update payments set session_until = now() - $2::interval where id = $1`, [payment.id, ago])
  await end('1 minute')
  await runJobs(payment)
  assert.equal((await get(payment)).status, 'PENDING')
  await end('3 minutes')
  await runJobs(payment)
  assert.equal((await get(payment)).status, 'EXPIRED')
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['expired', 'PENDING'],
  ])
  expect(await cancel(payment), 409)
})

test('a payment that the gateway is still processing when it expires is refreshed for a day', async () => {
  const payment = await create()
  await pay(payment, 'late')
  const end = (ago: string) => bank.owner.query(`update payments set session_until = now() - $2::interval where id = $1`, [payment.id, ago])
  await end('3 minutes')
  await runJobs(payment)
  assert.equal((await get(payment)).status, 'EXPIRED')
  await bank.owner.query('update sandbox_orders set paid_at = now() where id = $1', [payment.gateway_order_id])
  await runJobs(payment)
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['expired', 'PENDING'],
    ['paid', 'EXPIRED'],
  ])
})

test('a session that ends at the gateway makes the payment EXPIRED', async () => {
  const payment = await create()
  await bank.owner.query('update sandbox_orders set expires_at = now() where id = $1', [payment.gateway_order_id])
  await runJobs(payment)
  const { status, action_code } = await get(payment)
  assert.deepEqual([status, action_code], ['EXPIRED', '-2007'])
})

test('an unpaid payment can be canceled and then not be paid', async () => {
  const payment = await create()
  const canceled = expect(await cancel(payment), 200)
  assert.deepEqual([canceled.status, canceled.gateway_order_status], ['CANCELED', 3])
  assert.match(await pay(payment, 'plain'), /\/return/)
  assert.equal(await comeBack(payment), `https://shop.example/failed?payment_id=${payment.id}&status=CANCELED#top`)
  const again = await cancel(payment)
  assert.deepEqual(
    [again.status, again.problem.code, again.problem.current_status, again.problem.allowed],
    [409, 'payment_transition_not_allowed', 'CANCELED', ['PAID']],
  )
  assert.equal(again.problem.detail, 'The payment is CANCELED. Only a payment that is PENDING or PAID can be canceled.')
  assert.equal((await refund(payment)).problem.detail, 'The payment is CANCELED. Only a payment that is PAID can be refunded.')
  await runJobs(payment)
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['canceled', 'PENDING'],
  ])
})

test('canceling a paid payment reverses it and keeps its card details', async () => {
  const payment = await createPaid()
  const canceled = expect(await cancel(payment), 200)
  assert.deepEqual({ ...canceled, updated_at: payment.updated_at }, { ...payment, status: 'CANCELED', gateway_order_status: 3 })
  await runJobs(payment)
  assert.equal(await comeBack(payment), `https://shop.example/failed?payment_id=${payment.id}&status=CANCELED#top`)
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['paid', 'PENDING'],
    ['canceled', 'PAID'],
  ])
  expect(await refund(payment), 409)
})

test('a payment that was paid in the meantime is not canceled', async () => {
  const payment = await create()
  await pay(payment, 'plain')
  const answer = await cancel(payment)
  assert.deepEqual([answer.status, answer.problem.code, answer.problem.current_status], [409, 'payment_transition_not_allowed', 'PAID'])
  await runJobs(payment)
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['paid', 'PENDING'],
  ])
  // A venture that knows the payment is paid may still want it reversed.
  assert.equal(expect(await cancel(payment), 200).status, 'CANCELED')
})

test('a payment that has ended, was refused or is partly refunded cannot be canceled', async () => {
  const over: Record<string, object> = { lost: {}, session_expired: {}, secure_canceled: {} }
  for (const name of Object.keys(over) as TestCardName[]) {
    const payment = await create()
    await pay(payment, name)
    await comeBack(payment)
    expect(await cancel(payment), 409)
  }
  const partly = await createPaid()
  expect(await refund(partly, { amount: '1.00', external_refund_id: 'a' }), 200)
  expect(await cancel(partly), 409)
  const whole = await createPaid()
  expect(await refund(whole), 200)
  expect(await cancel(whole), 409)
})

test('cancel takes no body', async () => {
  const payment = await create()
  expect(await shop.post(`/payments/${payment.id}/cancel`, { reason: 'x' }), 400)
  assert.equal((await get(payment)).status, 'PENDING')
})

test('a full refund is made once, however often it is requested', async () => {
  const payment = await createPaid()
  for (let time = 0; time < 3; time++) {
    const refunded = expect(await refund(payment), 200)
    assert.deepEqual([refunded.status, refunded.refunded_amount, refunded.gateway_order_status], ['REFUNDED', '25.00', 4])
  }
  await runJobs(payment)
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['paid', 'PENDING'],
    ['refunded', 'PAID'],
  ])
  assert.deepEqual(await atGateway(payment), ['2500'])
  assert.match((await comeBack(payment)) ?? '', /^https:\/\/shop.example\/paid\?.*status=REFUNDED$/)
})

async function atGateway({ gateway_order_id }: { gateway_order_id: string }): Promise<string[]> {
  const { rows } = await bank.owner.query('select amount from sandbox_refunds where order_id = $1 order by created_at', [gateway_order_id])
  return rows.map(({ amount }) => amount)
}

test('each partial refund is an event, and the last one makes the payment REFUNDED', async () => {
  const payment = await createPaid()
  const part = (amount: string, external_refund_id: string) => refund(payment, { amount, external_refund_id })
  const first = expect(await part('10.00', 'first'), 200)
  assert.deepEqual([first.status, first.refunded_amount, first.gateway_order_status], ['PAID', '10.00', 4])
  // The same id is the same refund.
  assert.deepEqual(expect(await part('10.00', 'first'), 200), first)
  assert.deepEqual(expect(await part('10', 'first'), 200), first)
  const other = await part('9.99', 'first')
  assert.deepEqual([other.status, other.problem.code, other.problem.amount], [409, 'refund_exists', '10.00'])
  const { currency } = payment
  assert.equal(other.problem.detail, `The refund with this external_refund_id has the amount 10.00 ${currency}, not 9.99 ${currency}.`)
  const tooMuch = await part('15.01', 'second')
  assert.deepEqual([tooMuch.status, tooMuch.problem.code, tooMuch.problem.refundable_amount], [422, 'refund_exceeds_payment', '15.00'])
  assert.equal(tooMuch.problem.detail, `15.01 ${currency} requested, but only 15.00 ${currency} of the payment can still be refunded.`)
  expect(await part('0.01', 'second'), 200)
  assert.equal(expect(await refund(payment, { external_refund_id: 'rest' }), 200).status, 'REFUNDED')
  expect(await refund(payment, { external_refund_id: 'rest' }), 200)
  expect(await part('0.01', 'second'), 200)
  expect(await part('0.01', 'third'), 409)
  assert.deepEqual(await atGateway(payment), ['1000', '1', '1499'])
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['paid', 'PENDING'],
    ['refunded', null],
    ['refunded', null],
    ['refunded', 'PAID'],
  ])
})

test('an invalid refund is refused and stores nothing', async () => {
  const payment = await createPaid({ currency: 'JPY', amount: '500' })
  const table: [body: object, status: number, field?: string][] = [
    [{ amount: '100' }, 400, 'external_refund_id'],
    [{ amount: '1.5', external_refund_id: 'a' }, 400, 'amount'],
    [{ amount: '0', external_refund_id: 'a' }, 400, 'amount'],
    [{ amount: 100, external_refund_id: 'a' }, 400, 'amount'],
    [{ amount: '-1', external_refund_id: 'a' }, 400, 'amount'],
    [{ amount: '501', external_refund_id: 'a' }, 422],
    [{ external_refund_id: '' }, 400, 'external_refund_id'],
    [{ external_refund_id: '4111111111111111' }, 400, 'external_refund_id'],
    [{ external_refund_id: 'a'.repeat(33) }, 400, 'external_refund_id'],
    [{ external_refund_id: 'a b' }, 400, 'external_refund_id'],
    [{ reason: 'x' }, 400, 'reason'],
    [{ status: 'REFUNDED' }, 400, 'status'],
  ]
  for (const [body, status, field] of table) {
    const answer = await refund(payment, body)
    assert.equal(answer.status, status, JSON.stringify(body))
    assert.equal(answer.problem.errors?.[0].field, field)
  }
  const { rows } = await bank.owner.query('select * from payment_refunds where payment_id = $1', [payment.id])
  assert.deepEqual(rows, [])
  assert.deepEqual(await get(payment), payment)
})

test('only a PAID payment can be refunded', async () => {
  const pending = await create()
  const refusedOne = await create()
  await pay(refusedOne, 'lost')
  await comeBack(refusedOne)
  for (const payment of [pending, refusedOne]) {
    const { status, problem } = await refund(payment)
    assert.deepEqual([status, problem.code], [409, 'payment_transition_not_allowed'])
  }
})

test('of concurrent refunds that together exceed the payment, exactly one succeeds', async () => {
  const payment = await createPaid()
  const statuses = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => (await refund(payment, { amount: '15.00', external_refund_id: name })).status),
  )
  assert.deepEqual(statuses.sort(), [200, 422, 422, 422])
  assert.deepEqual(await atGateway(payment), ['1500'])
  assert.equal((await get(payment)).refunded_amount, '15.00')
})

test('of a concurrent refund and cancellation, exactly one succeeds', async () => {
  for (let time = 0; time < 5; time++) {
    const payment = await createPaid()
    const [refunded, canceled] = await Promise.all([refund(payment), cancel(payment)])
    assert.deepEqual([refunded.status, canceled.status].sort(), [200, 409])
    assert.equal((await get(payment)).status, refunded.status === 200 ? 'REFUNDED' : 'CANCELED')
    assert.equal((await atGateway(payment)).length, refunded.status === 200 ? 1 : 0)
    await eventsOf(payment)
  }
})

test('when a payment is canceled and paid at once, its status is that of the gateway', async () => {
  for (let time = 0; time < 5; time++) {
    const payment = await create()
    const [canceled] = await Promise.all([cancel(payment), pay(payment, 'plain'), comeBack(payment), runJobs(payment)])
    await runJobs(payment)
    const { rows } = await bank.owner.query('select order_status from sandbox_orders where id = $1', [payment.gateway_order_id])
    const { status } = await get(payment)
    assert.equal(status, rows[0].order_status === 2 ? 'PAID' : 'CANCELED')
    assert.equal(canceled.status, status === 'PAID' ? 409 : 200)
    await eventsOf(payment)
  }
})

test('returning payers, the poller and other instances at once write one event', async () => {
  const other = new Caller(await bank.openInstance(), {})
  const payment = await create()
  await pay(payment, 'plain')
  await Promise.all([
    runJobs(payment),
    ...Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? bank.stranger : other).get(`/payments/${payment.id}/return`)),
  ])
  assert.deepEqual(await eventsOf(payment), [
    ['created', null],
    ['paid', 'PENDING'],
  ])
})

test('a refund made by hand at the gateway counts', async () => {
  const byHand = (payment: { gateway_order_id: string }, amount: number) =>
    bank.owner.query('insert into sandbox_refunds (id, order_id, amount) values (gen_random_uuid(), $1, $2)', [
      payment.gateway_order_id,
      amount,
    ])
  const payment = await createPaid()
  await byHand(payment, 500)
  await comeBack(payment)
  assert.deepEqual([(await get(payment)).status, (await get(payment)).refunded_amount], ['PAID', '5.00'])
  // A refund unknown to us counts too.
  await byHand(payment, 500)
  assert.equal(expect(await refund(payment, { amount: '1.00', external_refund_id: 'ours' }), 200).refunded_amount, '11.00')
  assert.equal(expect(await refund(payment), 200).status, 'REFUNDED')
  assert.deepEqual(await atGateway(payment), ['500', '500', '100', '1400'])
  assert.deepEqual(
    (await eventsOf(payment)).map(([type]) => type),
    ['created', 'paid', 'refunded', 'refunded', 'refunded', 'refunded'],
  )
  // Paid and refunded before the first refresh.
  const unseen = await create()
  await pay(unseen, 'plain')
  await byHand(unseen, 2500)
  await runJobs(unseen)
  assert.deepEqual(await eventsOf(unseen), [
    ['created', null],
    ['paid', 'PENDING'],
    ['refunded', 'PAID'],
  ])
})

test('the database refuses a full card number from every writer', async () => {
  const payment = await createPaid()
  const masks = ['5555555555554444', '55555555****4444', '555555******44444', '5555 55****** 4444', '', '555555*4444']
  for (const pan of masks) {
    await assert.rejects(bank.owner.query('update payments set masked_pan = $2 where id = $1', [payment.id, pan]), { code: '23514' })
  }
  await assert.rejects(
    bank.owner.query(
      `insert into payments (venture_id, id, amount, currency, language, status, success_url, fail_url, gateway_order_number, masked_pan,
         refunded_amount, created_at, updated_at, sequence, session_until, cancel_requested)
       values ($1, $2, 1, 'EUR', 'EN', 'PENDING', 'https://x', 'https://x', 'AAAAAAAAAA', '5555555555554444', 0, now(), now(), 1, now(), false)`,
      [shop.venture.id, randomUUID()],
    ),
    { code: '23514' },
  )
})

test('no card number is left anywhere: not in the database, not in the log, not in a response', async () => {
  const { rows: tables } = await bank.owner.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const kept: string[] = []
  for (const { name } of tables) {
    const { rows } = await bank.owner.query(`select one::text as text from ${name} one`)
    kept.push(...rows.map(({ text }) => text))
  }
  const everything = [...kept, ...bank.logLines, ...answers].join('\n')
  for (const { number } of testCards) {
    assert.ok(!everything.includes(number), number)
    assert.ok(!everything.includes(number.slice(0, 12)), number)
  }
  assert.ok(everything.includes('555555******4444') && bank.logLines.length > 100 && kept.length > 200)
})

test('a refund of the remaining amount needs no body', async () => {
  const payment = await createPaid()
  const refunded = await shop.post(`/payments/${payment.id}/refund`)
  assert.equal(refunded.status, 200)
  assert.equal(refunded.body.status, 'REFUNDED')
  assert.equal((await shop.post(`/payments/${payment.id}/refund`, 'null')).status, 400)
})

test('a card number is refused in the texts of a payment, and our own refund ids are refused as external ones', async () => {
  const before = await bank.count('payments')
  for (const field of ['order_ref', 'description']) {
    const refused = await shop.post('/payments', { ...order, [field]: 'card 4111 1111 1111 1111' })
    assert.equal(refused.status, 400)
    assert.equal(refused.problem.errors[0].field, field)
  }
  assert.equal(await bank.count('payments'), before)
  const payment = await createPaid()
  assert.equal((await refund(payment, { amount: '1.00', external_refund_id: 'rest-1' })).problem.code, 'invalid_request')
})

test('payers who return at once share one request to the gateway, and a refunded payment causes none', async () => {
  const questions = async (act: () => Promise<unknown>) => {
    const before = bank.logLines.length
    await act()
    return bank.logLines.slice(before).filter((line) => line.includes('getOrderStatusExtended')).length
  }
  const open = await create()
  // A return after the answer causes a new request: the payer may have paid meanwhile.
  assert.ok((await questions(() => Promise.all(Array.from({ length: 20 }, () => comeBack(open))))) < 10)
  const payment = await createPaid()
  assert.equal(await questions(() => Promise.all(Array.from({ length: 20 }, () => comeBack(payment)))), 1)
  await refund(payment)
  assert.equal(await questions(() => comeBack(payment)), 0)
})
