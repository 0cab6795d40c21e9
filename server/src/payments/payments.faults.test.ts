// Everything that can go wrong between us and the gateway. Whatever does, no payment ends in a wrong status, none has two forms, nothing is
// refunded twice, and every open payment is resolved once the gateway is back.
import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { openFirstCase } from '../cases/cases.ts'
import { Database } from '../platform/database/database.ts'
import { createLog } from '../platform/log.ts'
import { type TestCardName, testCards } from '../sandbox/gateway/sandbox.gateway.cards.ts'
import { sandboxGatewayCredentials } from '../sandbox/gateway/sandbox.gateway.ts'
import { TcpProxy } from '../testing/testing.proxy.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import { type Answer, Caller, openBank, type VentureCaller } from '../testing/testing.ts'
import { openTransfers } from '../transfers/transfers.ts'
import { bpcGateway } from './gateway/payments.gateway.bpc.ts'
import type { CardGateway } from './gateway/payments.gateway.ts'
import { registerOrder } from './payments.register.ts'
import { newPayment, notFromLink } from './payments.row.ts'
import { selectPaymentById } from './payments.sql.ts'
import { GatewayProxy, payWith } from './payments.testing.ts'
import { storePayment } from './payments.ts'

const proxy = await GatewayProxy.open()
const adapter = (timeout_ms: number) => bpcGateway({ ...sandboxGatewayCredentials, url: () => proxy.url, timeout_ms })
const [patient, hasty] = [adapter(60_000), adapter(1_000)]
let adapted = patient
const gateway: CardGateway = {
  makeOrderNumber: (seed) => adapted.makeOrderNumber(seed),
  register: (order) => adapted.register(order),
  getStatus: (order) => adapted.getStatus(order),
  refund: (order) => adapted.refund(order),
  reverse: (order) => adapted.reverse(order),
  decline: (order) => adapted.decline(order),
}
const bank = await openBank({}, { gateway })
const base = await bank.listen()
proxy.target = `${base}/sandbox/gateway`

let shop: VentureCaller
before(async () => {
  shop = await bank.registerVenture()
})
afterEach(() => proxy.heal())

/** With a short time-out, for requests that will get no answer. */
async function hastily<T>(act: () => Promise<T>): Promise<T> {
  adapted = hasty
  try {
    return await act()
  } finally {
    adapted = patient
  }
}

const order = { amount: '25.00', currency: 'EUR', success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
const card = (name: TestCardName) => testCards.find((card) => card.name === name)?.number ?? ''

function expect(answer: Answer, status: number, code?: string) {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.problem?.code, code)
  return answer.body
}

const create = async () => expect(await shop.post('/payments', order), 201)
const get = async ({ id }: { id: string }) => expect(await shop.get(`/payments/${id}`), 200)
const statusOf = async (payment: { id: string }) => (await get(payment)).status
const pay = (payment: { form_url: string }, name: TestCardName = 'plain') => payWith(bank.app, payment, card(name))
const cancel = ({ id }: { id: string }) => shop.post(`/payments/${id}/cancel`)
const refund = ({ id }: { id: string }, body: object = {}) => shop.post(`/payments/${id}/refund`, body)
const comeBack = async ({ id }: { id: string }, query = '') =>
  (await bank.stranger.get(`/payments/${id}/return${query}`)).headers['location'] ?? ''

async function createPaid() {
  const payment = await create()
  await pay(payment)
  await comeBack(payment)
  assert.equal(await statusOf(payment), 'PAID')
  return payment
}

/** Runs a payment's jobs as if they were due and the lease of its refund had expired. */
async function runJobs({ id }: { id: string }): Promise<void> {
  await bank.owner.query('update payment_refunds set asked_until = now() where payment_id = $1 and asked_until is not null', [id])
  await bank.owner.query(`update jobs set due_at = now() where payload->>'id' = $1`, [id])
  await bank.runJobs()
}

const jobsOf = async ({ id }: { id: string }) =>
  (await bank.owner.query(`select kind from jobs where payload->>'id' = $1`, [id])).rows.map(({ kind }) => kind)

/** The types of the payment's events, which must be numbered without gaps. */
async function eventsOf({ id }: { id: string }): Promise<string> {
  const { rows } = await bank.owner.query('select type, sequence from events where resource_id = $1 order by sequence', [id])
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    rows.map((_, index) => index + 1),
  )
  return rows.map(({ type }) => type.replace('payment.', '')).join(' ')
}

/** The gateway's version of the order and its refunds. */
async function atGateway(payment: { id: string }) {
  const { gateway_order_id } = await get(payment)
  const { rows } = await bank.owner.query('select order_status from sandbox_orders where id = $1', [gateway_order_id])
  const refunds = await bank.owner.query('select amount from sandbox_refunds where order_id = $1 order by created_at', [gateway_order_id])
  return { order_status: rows[0]?.order_status, refunds: refunds.rows.map(({ amount }) => Number(amount)) }
}

/** The number of a payment's orders at the gateway: each lost answer leaves one more, whose form nobody has. */
async function ordersOf({ id }: { id: string }): Promise<number> {
  const { rows } = await bank.owner.query('select count(*)::int from sandbox_orders where return_url like $1', [`%${id}%`])
  return rows[0].count
}

const faults = ['cut', 'lost', 'late', 'garbage', 'twice'] as const

/** Acts while the next call of this name goes wrong. */
function during<T>(fault: (typeof faults)[number], name: string, act: () => Promise<T>): Promise<T> {
  proxy.once(name, fault)
  return fault === 'late' ? hastily(act) : act()
}

// Registering.

for (const fault of faults) {
  test(`an order whose registration is ${fault} gets one form, which can be paid`, async () => {
    const payment = await during(fault, 'register', create)
    assert.deepEqual([payment.status, payment.form_url], ['PENDING', fault === 'twice' ? payment.form_url : null])
    await proxy.heal()
    await runJobs(payment)
    const { form_url } = await get(payment)
    assert.match(form_url, /^http/)
    assert.equal(await ordersOf(payment), fault === 'cut' ? 1 : 2)
    await runJobs(payment)
    assert.equal((await get(payment)).form_url, form_url)
    await pay({ form_url })
    await runJobs(payment)
    assert.equal(await eventsOf(payment), 'created paid')
  })
}

test('while the gateway is down, payments are accepted, and all of them are registered once it is back', async () => {
  proxy.always('cut')
  const payments = await Promise.all(Array.from({ length: 5 }, create))
  for (const payment of payments) {
    await runJobs(payment)
    assert.deepEqual([(await get(payment)).form_url, await comeBack(payment)], [null, failed(payment, 'PENDING')])
  }
  await proxy.heal()
  for (const payment of payments) await runJobs(payment)
  for (const payment of payments) assert.match((await get(payment)).form_url, /^http/)
})

const failed = ({ id }: { id: string }, status: string) => `https://shop.example/failed?payment_id=${id}&status=${status}`

test('if a job registered the payment first, the order of the slower request is never shown', async () => {
  const overtaken = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<void>()
  proxy.falsify = async ({ name }, answer) => {
    if (name === 'register' && proxy.count('register') === registered + 1) {
      heard.resolve()
      await overtaken.promise
    }
    return answer
  }
  const registered = proxy.count('register')
  const creating = create()
  await heard.promise
  const { rows } = await bank.owner.query('select id from payments order by id desc limit 1')
  await runJobs(rows[0])
  const { form_url } = await get(rows[0])
  overtaken.resolve()
  assert.equal((await creating).form_url, form_url)
  assert.equal((await get(rows[0])).form_url, form_url)
  assert.equal(await ordersOf(rows[0]), 2)
})

test('a payment stored before a crash is registered once by the job, however many jobs there are', async () => {
  const row = newPayment(shop.venture.id, order, { amount: 250_000n, gateway_order_number: gateway.makeOrderNumber(), ...notFromLink })
  await bank.database.transaction((tx) => storePayment(tx, row))
  await bank.owner.query(
    'insert into jobs (id, kind, payload, due_at) select gen_random_uuid(), kind, payload, due_at from jobs where payload->>$1 = $2',
    ['id', row.id],
  )
  await runJobs(row)
  const { form_url, status } = await get(row)
  assert.equal(status, 'PENDING')
  await pay({ form_url })
  await runJobs(row)
  assert.equal(await eventsOf(row), 'created paid')
})

test('a payment that was never registered expires and can no longer be registered', async () => {
  proxy.always('cut')
  const payment = await create()
  await bank.owner.query(`update payments set session_until = now() - interval '1 second' where id = $1`, [payment.id])
  await runJobs(payment)
  const { status, gateway_error_code } = await get(payment)
  assert.deepEqual([status, gateway_error_code], ['EXPIRED', 'not_registered'])
  await proxy.heal()
  await runJobs(payment)
  assert.deepEqual([await eventsOf(payment), await ordersOf(payment), await jobsOf(payment)], ['created expired', 0, []])
})

test('a payment that is not registered yet is canceled at once and never registered', async () => {
  proxy.always('cut')
  const payment = await create()
  assert.equal(expect(await cancel(payment), 200).status, 'CANCELED')
  await proxy.heal()
  await runJobs(payment)
  assert.deepEqual([await eventsOf(payment), await ordersOf(payment), await jobsOf(payment)], ['created canceled', 0, []])
})

test('a taken order number is replaced up to three times, and after that by a later attempt', async () => {
  proxy.always({ says: { errorCode: 1, errorMessage: 'taken' } }, 'register')
  const before = proxy.count('register')
  const payment = await create()
  assert.equal(proxy.count('register') - before, 3)
  const numbers = proxy.calls.slice(-3).map(({ form }) => form.get('orderNumber'))
  assert.equal(new Set(numbers).size, 3)
  assert.deepEqual([payment.status, payment.gateway_order_number], ['PENDING', numbers[2]])
  await proxy.heal()
  await runJobs(payment)
  assert.match((await get(payment)).form_url, /^http/)
})

test('a registration whose COMMIT was lost does not count as done', async () => {
  const { rows } = await bank.owner.query('select current_database() as name')
  const tcp = await TcpProxy.open(urlOf(findTestServer().serviceUrl, rows[0].name))
  const database = new Database({ url: tcp.url, wait_ms: 60_000 })
  const log = createLog('silent')
  const transfers = openTransfers(database, bank.config.bank, openFirstCase)
  const payments = { database, log, transfers, gateway, publicUrl: () => base, sandbox: true, refreshing: new Map() }
  try {
    const row = newPayment(shop.venture.id, order, { amount: 250_000n, gateway_order_number: gateway.makeOrderNumber(), ...notFromLink })
    await database.transaction((tx) => storePayment(tx, row))
    // The COMMIT was not executed: the result must be what a second attempt wrote.
    tcp.loseCommits('unsent')
    const registered = await registerOrder(payments, row)
    assert.equal(tcp.lostCommits, 1)
    const kept = await bank.database.first(selectPaymentById(row.id))
    assert.equal(kept?.form_url, registered.form_url)
    assert.ok(kept?.form_url)
    // The COMMIT was executed, but its answer was lost.
    const second = newPayment(shop.venture.id, order, { amount: 250_000n, gateway_order_number: gateway.makeOrderNumber(), ...notFromLink })
    await database.transaction((tx) => storePayment(tx, second))
    tcp.loseCommits('unanswered')
    const { form_url } = await registerOrder(payments, second)
    assert.equal(tcp.lostCommits, 2)
    assert.equal((await bank.database.first(selectPaymentById(second.id)))?.form_url, form_url)
  } finally {
    await database.close()
    tcp.close()
  }
})

// Refreshing.

test('while the gateway does not answer, a returning payer is redirected three times and then sent to fail_url; the poller continues', async () => {
  const payment = await create()
  await pay(payment)
  for (const fault of ['cut', 'garbage'] as const) {
    proxy.always(fault)
    let place = await comeBack(payment)
    for (const returns of [1, 2, 3]) {
      assert.equal(place, `${base}/api/v1/payments/${payment.id}/return?returns=${returns}`)
      place = await comeBack(payment, `?returns=${returns}`)
    }
    assert.equal(place, failed(payment, 'PENDING'))
  }
  await runJobs(payment)
  assert.deepEqual([await statusOf(payment), await jobsOf(payment)], ['PENDING', ['payments.ask']])
  await proxy.heal()
  await runJobs(payment)
  assert.equal(await eventsOf(payment), 'created paid')
})

test('a payer whose second card was charged is not sent to fail_url because the gateway is slow', async () => {
  const payment = await create()
  await pay(payment, 'lost')
  await comeBack(payment)
  await pay(payment)
  proxy.once('getOrderStatusExtended', 'cut')
  assert.match(await comeBack(payment), /returns=1$/)
  assert.equal(await comeBack(payment, '?returns=1'), `https://shop.example/paid?payment_id=${payment.id}&status=PAID`)
})

test('a payment whose gateway never answers stays open and does not expire', async () => {
  const payment = await create()
  await pay(payment, 'silent')
  await hastily(async () => {
    assert.match(await comeBack(payment), /returns=1$/)
    await bank.owner.query(`update payments set session_until = now() - interval '1 day' where id = $1`, [payment.id])
    await runJobs(payment)
    expect(await cancel(payment), 503, 'outcome_unknown')
  })
  assert.deepEqual([await statusOf(payment), (await jobsOf(payment)).includes('payments.ask')], ['PENDING', true])
  await bank.owner.query('update sandbox_orders set silent = false where id = $1', [payment.gateway_order_id])
  await runJobs(payment)
  assert.equal(await eventsOf(payment), 'created canceled')
})

test('a different amount or currency makes the payment FAILED and is logged for the operator', async () => {
  for (const wrong of [{ amount: 2499 }, { currency: '840' }]) {
    const payment = await create()
    await pay(payment)
    proxy.falsify = ({ name }, answer) => (name === 'getOrderStatusExtended' ? { ...answer, ...wrong } : answer)
    assert.equal(await comeBack(payment), failed(payment, 'FAILED'))
    assert.equal((await get(payment)).gateway_error_code, 'amount_mismatch')
    assert.ok(bank.logLines.some((line) => line.includes(payment.id) && /"level":50.*another amount or currency/.test(line)))
    // The gateway corrects its mistake.
    await proxy.heal()
    await runJobs(payment)
    assert.equal(await eventsOf(payment), 'created failed paid')
    assert.equal((await get(payment)).gateway_error_code, null)
  }
})

/** Delays the next answer of the gateway until it is released. */
function holdNext(name: string): { asked: Promise<void>; letGo(): void } {
  const [asked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let first = true
  proxy.falsify = async (call, answer) => {
    if (call.name === name && first) {
      first = false
      asked.resolve()
      await free.promise
    }
    return answer
  }
  return { asked: asked.promise, letGo: free.resolve }
}

test('an answer older than a reversal does not make the payment PAID again', async () => {
  const payment = await createPaid()
  const { asked, letGo } = holdNext('getOrderStatusExtended')
  const coming = comeBack(payment)
  await asked
  assert.equal(expect(await cancel(payment), 200).status, 'CANCELED')
  letGo()
  assert.equal(await coming, failed(payment, 'CANCELED'))
  assert.equal(await eventsOf(payment), 'created paid canceled')
})

test('an answer older than a refund does not undo it', async () => {
  const payment = await createPaid()
  const { asked, letGo } = holdNext('getOrderStatusExtended')
  const coming = comeBack(payment)
  await asked
  expect(await refund(payment, { amount: '10.00', external_refund_id: 'a' }), 200)
  letGo()
  await coming
  const { refunded_amount, gateway_order_status } = await get(payment)
  assert.deepEqual([refunded_amount, gateway_order_status, await eventsOf(payment)], ['10.00', 4, 'created paid refunded'])
})

// Cancelling.

/** A refresh shows what the gateway has done, whether or not its answer arrived; a late request may or may not show. */
const cancelAnswers = { cut: [503], late: [200, 503], lost: [200], garbage: [200], twice: [200] }

for (const fault of faults) {
  test(`a decline that is ${fault} ends as canceled`, async () => {
    const payment = await create()
    const { status } = await during(fault, 'decline', () => cancel(payment))
    assert.ok(cancelAnswers[fault].includes(status), String(status))
    await proxy.heal()
    await runJobs(payment)
    assert.equal(await eventsOf(payment), 'created canceled')
    assert.equal((await atGateway(payment)).order_status, 3)
  })

  test(`a reversal that is ${fault} ends as canceled`, async () => {
    const payment = await createPaid()
    const { status } = await during(fault, 'reverse', () => cancel(payment))
    assert.ok(cancelAnswers[fault].includes(status), String(status))
    if (status === 503) expect(await refund(payment), 409, 'payment_transition_not_allowed')
    await proxy.heal()
    await runJobs(payment)
    assert.equal(await eventsOf(payment), 'created paid canceled')
    assert.equal((await atGateway(payment)).order_status, 3)
  })
}

test('a cancellation stays open while the gateway is down', async () => {
  const [pending, paid] = [await create(), await createPaid()]
  proxy.always('cut')
  for (const payment of [pending, paid]) {
    for (let time = 0; time < 2; time++) expect(await cancel(payment), 503, 'outcome_unknown')
    await runJobs(payment)
  }
  await proxy.heal()
  await runJobs(pending)
  await runJobs(paid)
  assert.deepEqual([await eventsOf(pending), await eventsOf(paid)], ['created canceled', 'created paid canceled'])
})

test('a requested decline never reverses: a payment that was paid in the meantime stays PAID', async () => {
  const payment = await create()
  proxy.always('cut', 'decline')
  expect(await cancel(payment), 503, 'outcome_unknown')
  await pay(payment)
  await comeBack(payment)
  await proxy.heal()
  const reversals = proxy.count('reverse')
  await runJobs(payment)
  await runJobs(payment)
  assert.deepEqual([await eventsOf(payment), proxy.count('reverse')], ['created paid', reversals])
  expect(await refund(payment), 200)
})

test('a requested decline ends when the job finds the payment paid', async () => {
  const payment = await create()
  proxy.always('cut')
  expect(await cancel(payment), 503, 'outcome_unknown')
  await proxy.heal()
  await pay(payment)
  const reversals = proxy.count('reverse')
  await bank.owner.query(`update jobs set due_at = now() where payload->>'id' = $1 and kind = 'payments.cancel'`, [payment.id])
  await bank.runJobs()
  await runJobs(payment)
  assert.deepEqual([await eventsOf(payment), proxy.count('reverse')], ['created paid', reversals])
})

test('a payment canceled after a refused card cannot be paid with another one once the gateway has received the decline', async () => {
  const payment = await create()
  await pay(payment, 'lost')
  proxy.always('cut', 'decline')
  // The gateway says refused; we had asked to cancel.
  assert.equal(expect(await cancel(payment), 200).status, 'CANCELED')
  await runJobs(payment)
  await proxy.heal()
  await runJobs(payment)
  assert.equal((await atGateway(payment)).order_status, 3)
  await pay(payment)
  await runJobs(payment)
  assert.deepEqual([await eventsOf(payment), await jobsOf(payment)], ['created canceled', ['payments.ask']])
})

test('an order that the gateway reports as refused or expired after our decline is CANCELED', async () => {
  for (const actionCode of [-2007, 116]) {
    const payment = await create()
    proxy.falsify = ({ name }, answer) =>
      name === 'getOrderStatusExtended' && answer.orderStatus === 3 ? { ...answer, orderStatus: 6, actionCode } : answer
    assert.equal(expect(await cancel(payment), 200).status, 'CANCELED')
    const declines = proxy.count('decline')
    await runJobs(payment)
    assert.deepEqual([await eventsOf(payment), proxy.count('decline')], ['created canceled', declines])
  }
})

test('a decline that the gateway clearly refuses does not cancel the payment', async () => {
  const payment = await create()
  proxy.always({ says: { errorCode: 5, errorMessage: 'Access denied' } }, 'decline')
  expect(await cancel(payment), 409, 'payment_transition_not_allowed')
  await runJobs(payment)
  assert.equal(await eventsOf(payment), 'created')
  await pay(payment)
  await runJobs(payment)
  assert.equal(await eventsOf(payment), 'created paid')
})

test('after a reversal was refused three times, the payment can be refunded', async () => {
  const payment = await createPaid()
  proxy.always({ says: { errorCode: 7, errorMessage: 'Reversal is impossible' } }, 'reverse')
  expect(await cancel(payment), 503, 'outcome_unknown')
  for (let time = 0; time < 3; time++) {
    expect(await refund(payment), 409, 'payment_transition_not_allowed')
    await runJobs(payment)
  }
  assert.deepEqual([await statusOf(payment), await jobsOf(payment)], ['PAID', []])
  assert.equal(expect(await refund(payment), 200).status, 'REFUNDED')
})

// Refunding.

for (const fault of faults) {
  test(`a refund that is ${fault} is given once`, async () => {
    const payment = await createPaid()
    const asked = await during(fault, 'refund', () => refund(payment, { amount: '10.00', external_refund_id: 'a' }))
    assert.equal(asked.status, fault === 'twice' ? 200 : 503)
    await proxy.heal()
    await runJobs(payment)
    await runJobs(payment)
    assert.deepEqual(await atGateway(payment), { order_status: 2, refunds: [1000] })
    assert.deepEqual([(await get(payment)).refunded_amount, await eventsOf(payment)], ['10.00', 'created paid refunded'])
    expect(await refund(payment, { amount: '10.00', external_refund_id: 'a' }), 200)
    assert.equal(expect(await refund(payment), 200).status, 'REFUNDED')
    assert.deepEqual((await atGateway(payment)).refunds, [1000, 1500])
  })

  test(`a refund that is ${fault} is given once also by a gateway that forgets names`, async () => {
    if (fault === 'twice') return
    const payment = await createPaid()
    proxy.forgetsIds = true
    const asked = await during(fault, 'refund', () => refund(payment, { amount: '10.00', external_refund_id: 'a' }))
    expect(asked, 503, 'outcome_unknown')
    // Late requests are done by then, and the returning payer triggers a refresh before the job runs.
    await proxy.heal()
    proxy.forgetsIds = true
    await comeBack(payment)
    await runJobs(payment)
    await runJobs(payment)
    assert.deepEqual((await atGateway(payment)).refunds, [1000])
    assert.deepEqual([(await get(payment)).refunded_amount, await eventsOf(payment)], ['10.00', 'created paid refunded'])
    expect(await refund(payment, { amount: '10.00', external_refund_id: 'a' }), 200)
  })
}

test('twenty requests with one external_refund_id at two instances make one refund', async () => {
  const other = new Caller(await bank.openInstance(), shop.headers)
  for (const body of [{ amount: '1.00', external_refund_id: 'a' }, {}]) {
    const payment = await createPaid()
    proxy.forgetsIds = true
    const asked = proxy.count('refund')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? shop : other).post(`/payments/${payment.id}/refund`, body)),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    assert.ok(statuses.has(200))
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 503),
      [],
    )
    assert.equal(proxy.count('refund') - asked, 1)
    await proxy.heal()
    await runJobs(payment)
    expect(await refund(payment, body), 200)
    assert.equal((await atGateway(payment)).refunds.length, 1)
    assert.equal(await eventsOf(payment), 'created paid refunded')
  }
})

test('while a request is making a refund, the job does not make it too', async () => {
  const payment = await createPaid()
  proxy.forgetsIds = true
  const asked = proxy.count('refund')
  const [heard, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  proxy.faultOf = async ({ name }) => {
    if (name === 'refund') {
      heard.resolve()
      await free.promise
    }
    return undefined
  }
  const asking = refund(payment, { amount: '1.00', external_refund_id: 'a' })
  await heard.promise
  await bank.owner.query(`update jobs set due_at = now() where payload->>'id' = $1`, [payment.id])
  await bank.runJobs()
  free.resolve()
  await asking
  await runJobs(payment)
  assert.equal(proxy.count('refund') - asked, 1)
  assert.deepEqual((await atGateway(payment)).refunds, [100])
  assert.equal(await eventsOf(payment), 'created paid refunded')
})

test('a refund stored before a crash is made by the job', async () => {
  const payment = await createPaid()
  proxy.always('cut')
  expect(await refund(payment), 503, 'outcome_unknown')
  expect(await refund(payment), 503, 'outcome_unknown')
  expect(await cancel(payment), 409, 'payment_transition_not_allowed')
  await runJobs(payment)
  await proxy.heal()
  await runJobs(payment)
  assert.deepEqual([await eventsOf(payment), await jobsOf(payment)], ['created paid refunded', []])
  assert.deepEqual((await atGateway(payment)).refunds, [2500])
})

test('pending refunds count as refunded', async () => {
  const payment = await createPaid()
  proxy.always('cut', 'refund')
  expect(await refund(payment, { amount: '20.00', external_refund_id: 'a' }), 503, 'outcome_unknown')
  const { problem } = await refund(payment, { amount: '5.01', external_refund_id: 'b' })
  assert.equal(problem.refundable_amount, '5.00')
  // The whole remainder, and only once.
  for (let time = 0; time < 2; time++) expect(await refund(payment), 503, 'outcome_unknown')
  assert.equal((await refund(payment, { amount: '0.01', external_refund_id: 'c' })).problem.refundable_amount, '0.00')
  await proxy.heal()
  await runJobs(payment)
  assert.deepEqual(
    [(await atGateway(payment)).refunds.sort(), await statusOf(payment)],
    [[2000, 500], 'REFUNDED'].map((x) => x),
  )
})

test('a refund that the gateway clearly refuses fails, blocks nothing, and can be repeated with another external_refund_id', async () => {
  const payment = await createPaid()
  const part = { amount: '20.00', external_refund_id: 'a' }
  proxy.always({ says: { errorCode: 5, errorMessage: 'no' } }, 'refund')
  const asked = proxy.count('refund')
  for (let time = 0; time < 2; time++) {
    const answer = await refund(payment, part)
    expect(answer, 409, 'refund_refused')
    assert.equal(answer.problem.gateway_error_code, '5')
    assert.equal(
      answer.problem.detail,
      'The card gateway refused the refund with the error code 5. To try again, use a new external_refund_id.',
    )
  }
  assert.equal(proxy.count('refund') - asked, 1)
  // Without an id, each request is a new attempt.
  for (let time = 0; time < 2; time++) expect(await refund(payment), 409, 'refund_refused')
  assert.equal(proxy.count('refund') - asked, 3)
  await proxy.heal()
  expect(await refund(payment, part), 409, 'refund_refused')
  expect(await refund(payment, { ...part, external_refund_id: 'b' }), 200)
  assert.equal(expect(await refund(payment), 200).status, 'REFUNDED')
  await runJobs(payment)
  assert.deepEqual([(await atGateway(payment)).refunds, await eventsOf(payment)], [[2000, 500], 'created paid refunded refunded'])
})

test('a repeated refund request that is refused because the first one arrived is not a failure', async () => {
  const payment = await createPaid()
  proxy.once('refund', 'lost')
  expect(await refund(payment, { amount: '20.00', external_refund_id: 'a' }), 503, 'outcome_unknown')
  // The list is out of date at the first check of the job, but not at the second.
  let looks = 0
  proxy.falsify = ({ name }, answer) =>
    name === 'getOrderStatusExtended' && looks++ === 0 ? { ...answer, orderStatus: 2, refunds: [], paymentAmountInfo: {} } : answer
  proxy.always({ says: { errorCode: 5, errorMessage: 'There is such a refund' } }, 'refund')
  await runJobs(payment)
  assert.deepEqual([(await atGateway(payment)).refunds, await eventsOf(payment)], [[2000], 'created paid refunded'])
})

test('a refund that is always refused without a reason fails after many attempts and then blocks nothing', async () => {
  const payment = await createPaid()
  proxy.always({ says: { errorCode: 7, errorMessage: 'System error' } }, 'refund')
  const part = { amount: '20.00', external_refund_id: 'a' }
  const asked = proxy.count('refund')
  expect(await refund(payment, part), 503, 'outcome_unknown')
  for (let time = 0; time < 7; time++) await runJobs(payment)
  assert.equal(proxy.count('refund') - asked, 8)
  expect(await refund(payment, { ...part, external_refund_id: 'b' }), 422, 'refund_exceeds_payment')
  await runJobs(payment)
  assert.deepEqual([proxy.count('refund') - asked, await jobsOf(payment)], [8, []])
  expect(await refund(payment, part), 409, 'refund_refused')
  await proxy.heal()
  expect(await refund(payment), 200)
  assert.deepEqual([(await atGateway(payment)).refunds, await eventsOf(payment)], [[2500], 'created paid refunded'])
})

test('a missing answer is not a refusal: such a refund is retried without end', async () => {
  const payment = await createPaid()
  proxy.always('cut', 'refund')
  expect(await refund(payment), 503, 'outcome_unknown')
  for (let time = 0; time < 12; time++) await runJobs(payment)
  const { rows } = await bank.owner.query('select status, refusals from payment_refunds where payment_id = $1', [payment.id])
  assert.deepEqual(rows, [{ status: 'PENDING', refusals: 0 }])
  await proxy.heal()
  await runJobs(payment)
  assert.equal(await eventsOf(payment), 'created paid refunded')
})

test('after a failed refund, the remaining amount can be refunded without an external_refund_id', async () => {
  const payment = await createPaid()
  proxy.always('cut', 'refund')
  expect(await refund(payment, { amount: '20.00', external_refund_id: 'a' }), 503, 'outcome_unknown')
  proxy.faultOf = () => undefined
  assert.equal(expect(await refund(payment), 200).refunded_amount, '5.00')
  await bank.owner.query(`update payment_refunds set status = 'FAILED' where payment_id = $1 and external_refund_id = 'a'`, [payment.id])
  assert.equal(expect(await refund(payment), 200).status, 'REFUNDED')
  assert.deepEqual((await atGateway(payment)).refunds, [500, 2000])
})

// Everything at once.

test('however the gateway fails under load, every payment ends with the status of the gateway', async () => {
  let state = 7
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
  const storms = ['cut', 'lost', 'garbage', 'late', 'twice'] as const
  proxy.faultOf = () => (random(3) === 0 ? storms[random(storms.length)] : undefined)
  adapted = hasty
  const payments = await Promise.all(Array.from({ length: 16 }, create))
  for (let round = 0; round < 4; round++) {
    await Promise.all([
      runJobs(payments[round] as { id: string }),
      ...payments.map((payment) => {
        const act = [
          async () => void (await comeBack(payment)),
          async () => void (await cancel(payment)),
          async () => void (await refund(payment, { amount: '5.00', external_refund_id: `r${random(3)}` })),
          async () => void (await refund(payment)),
          async () => {
            const { form_url } = await get(payment)
            if (form_url !== null) await pay({ form_url }, (['plain', 'lost', 'secure'] as const)[random(3)])
          },
        ]
        return act[random(act.length)]?.()
      }),
    ])
  }
  await proxy.heal()
  adapted = patient
  for (let time = 0; time < 3; time++) for (const payment of payments) await runJobs(payment)
  const seen = new Set<string>()
  for (const payment of payments) {
    const { status, refunded_amount, gateway_order_id } = await get(payment)
    seen.add(status)
    await eventsOf(payment)
    if (gateway_order_id === null) {
      assert.equal(status, 'CANCELED')
      continue
    }
    const { order_status, refunds } = await atGateway(payment)
    const gone = refunds.reduce((sum, amount) => sum + amount, 0)
    const expected = { 0: 'PENDING', 2: gone === 2500 ? 'REFUNDED' : 'PAID', 3: 'CANCELED', 5: 'PENDING', 6: 'REFUSED' }[order_status as 0]
    assert.equal(status, expected)
    assert.equal(refunded_amount, (gone / 100).toFixed(2))
    const { rows } = await bank.owner.query(`select external_refund_id from payment_refunds where payment_id = $1 and status = 'DONE'`, [
      payment.id,
    ])
    assert.equal(rows.length, refunds.length)
    // Of all orders of a payment, only the one whose form was shown has changed.
    const touched = await bank.owner.query('select id from sandbox_orders where return_url like $1 and masked_pan is not null', [
      `%${payment.id}%`,
    ])
    assert.ok(touched.rows.every(({ id }) => id === gateway_order_id))
  }
  assert.ok(seen.size >= 2, [...seen].join())
})

test('no card number is left after failed requests', async () => {
  const { rows } = await bank.owner.query(`
    select one::text as text from jobs one union all select one::text from payments one union all select one::text from payment_refunds one
    union all select one::text from events one`)
  const everything = [...rows.map(({ text }) => text), ...bank.logLines].join('\n')
  for (const { number } of testCards) assert.ok(!everything.includes(number.slice(0, 12)), number)
})
