import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { readChange, readRegistration, readStatus } from './payments.gateway.bpc.answers.ts'
import type { OrderStatus } from './payments.gateway.ts'

const ours = { amount_minor: 1000n, currency: 'EUR' }
const pan = '4111111111111111'

function answer(changes: object = {}) {
  return { errorCode: '0', errorMessage: 'Success', orderStatus: 2, actionCode: 0, amount: 1000, currency: '978', ...changes }
}

function statusOf(changes: object, of = ours): OrderStatus {
  const reading = readStatus(answer(changes), of)
  assert.ok(reading.kind === 'status', inspect(reading))
  return reading
}

function assertUnknown(reading: { kind: string; reason?: string }, about = inspect(reading)): void {
  assert.equal(reading.kind, 'unknown', about)
  assert.ok(reading.reason !== undefined && reading.reason !== '')
  assert.doesNotMatch(reading.reason, /\d{12}/)
}

test('every status of the gateway has its meaning', () => {
  const table: [changes: object, status: string][] = [
    [{ orderStatus: 0, actionCode: -100 }, 'PENDING'],
    [{ orderStatus: 1 }, 'PENDING'],
    [{ orderStatus: 5 }, 'PENDING'],
    [{ orderStatus: 7 }, 'PENDING'],
    [{ orderStatus: 8 }, 'PENDING'],
    [{ orderStatus: 2 }, 'PAID'],
    [{ orderStatus: 2, actionCode: null }, 'PAID'],
    [{ orderStatus: 3 }, 'CANCELED'],
    [{ orderStatus: 4, refunds: [{ amount: 1000 }] }, 'REFUNDED'],
    [{ orderStatus: 4, refunds: [{ amount: 400 }, { amount: 600 }] }, 'REFUNDED'],
    [{ orderStatus: 4, paymentAmountInfo: { refundedAmount: 1000 } }, 'REFUNDED'],
    [{ orderStatus: 4, refunds: [{ amount: 999 }, { amount: 1 }] }, 'REFUNDED'],
    [{ orderStatus: 4, refunds: [{ amount: 400 }] }, 'PAID'],
    [{ orderStatus: 4, refunds: [{ amount: 999 }] }, 'PAID'],
    [{ orderStatus: 4, refunds: [{ amount: 400 }, { amount: 600, actionCode: 116 }] }, 'PAID'],
    [{ orderStatus: 4, paymentAmountInfo: { refundedAmount: 999 }, refunds: [{ amount: 1000 }] }, 'PAID'],
    [{ orderStatus: 4 }, 'PAID'],
    [{ orderStatus: 6, actionCode: 116 }, 'REFUSED'],
    [{ orderStatus: 6, actionCode: 208 }, 'REFUSED'],
    [{ orderStatus: 6, actionCode: 111 }, 'REFUSED'],
    [{ orderStatus: 6, actionCode: undefined }, 'REFUSED'],
    [{ orderStatus: 6, actionCode: -2007 }, 'EXPIRED'],
    [{ orderStatus: 6, actionCode: 10 }, 'CANCELED'],
    // The action code matters only for a declined order.
    [{ orderStatus: 0, actionCode: -2007 }, 'PENDING'],
    [{ orderStatus: 2, actionCode: 10 }, 'PAID'],
  ]
  for (const [changes, status] of table) {
    const reading = statusOf(changes)
    assert.equal(reading.status, status, JSON.stringify(changes))
    assert.equal(reading.gateway_error_code, null)
  }
})

test('numbers may come as text, and codes as numbers', () => {
  const reading = statusOf({ errorCode: 0, orderStatus: '6', actionCode: '-2007', amount: '1000', currency: 978 })
  assert.deepEqual([reading.status, reading.gateway_order_status, reading.action_code], ['EXPIRED', 6, '-2007'])
  assert.equal(statusOf({ errorCode: undefined }).status, 'PAID')
  assert.equal(statusOf({ errorCode: null }).status, 'PAID')
  for (const currency of ['012', '12', 12]) assert.equal(statusOf({ currency }, { ...ours, currency: 'DZD' }).status, 'PAID')
  assert.equal(readStatus(answer({ amount: '1000' }), { amount_minor: '1000', currency: 'EUR' }).kind, 'status')
})

test('money of another amount or currency than ours is not our payment', () => {
  for (const changes of [{ amount: 999 }, { amount: 1001 }, { amount: 0 }, { amount: '10' }, { currency: '840' }, { currency: 12 }]) {
    for (const orderStatus of [2, 4]) {
      const { status, gateway_error_code } = statusOf({ ...changes, orderStatus, refunds: [{ amount: 1000 }] })
      assert.deepEqual([status, gateway_error_code], ['FAILED', 'amount_mismatch'], JSON.stringify(changes))
    }
  }
  // Without money there is nothing to compare.
  assert.equal(statusOf({ orderStatus: 0, amount: 999 }).status, 'PENDING')
  assert.equal(statusOf({ orderStatus: 6, amount: undefined, currency: undefined }).status, 'REFUSED')
})

test('the reading has the fields of the payment', () => {
  assert.deepEqual(
    statusOf({
      actionCodeDescription: 'Approved',
      cardAuthInfo: { pan: '411111**1111', approvalCode: '012345', paymentSystem: 'VISA' },
      params: { respCode: '00', respCode_desc: 'Accepted', udf1: 'x' },
      paymentAmountInfo: { refundedAmount: 0 },
    }),
    {
      kind: 'status',
      status: 'PAID',
      gateway_order_status: 2,
      gateway_error_code: null,
      action_code: '0',
      action_code_description: 'Approved',
      approval_code: '012345',
      resp_code: '00',
      resp_code_desc: 'Accepted',
      card_brand: 'VISA',
      masked_pan: '411111******1111',
      refunds: [],
      refunded_minor: 0n,
    },
  )
})

test('fields that the gateway does not send are null', () => {
  assert.deepEqual(statusOf({ actionCode: undefined, cardAuthInfo: null, params: [], refunds: null }), {
    kind: 'status',
    status: 'PAID',
    gateway_order_status: 2,
    gateway_error_code: null,
    action_code: null,
    action_code_description: null,
    approval_code: null,
    resp_code: null,
    resp_code_desc: null,
    card_brand: null,
    masked_pan: null,
    refunds: [],
    refunded_minor: null,
  })
})

test('refunds are listed with their ids; those that the bank refused are not listed', () => {
  const date = Date.UTC(2026, 10, 15, 9, 30)
  const { refunds, refunded_minor } = statusOf({
    orderStatus: 4,
    refunds: [
      { amount: 100, externalRefundId: 'r-1', date, actionCode: 0 },
      { amount: '200', externalRefundId: null, date: '2026-11-15T10:30:00+01:00' },
      { amount: 300, externalRefundId: 'r-3', actionCode: '116' },
      { amount: 50, date: '15.11.2026' },
      { amount: 25, date: 1e16 },
    ],
  })
  assert.deepEqual(refunds, [
    { amount_minor: 100n, external_refund_id: 'r-1', date: '2026-11-15T09:30:00.000Z' },
    { amount_minor: 200n, external_refund_id: null, date: '2026-11-15T09:30:00.000Z' },
    { amount_minor: 50n, external_refund_id: null, date: null },
    { amount_minor: 25n, external_refund_id: null, date: null },
  ])
  assert.equal(refunded_minor, 375n)
})

test('texts are cleaned: no control characters, no lone surrogates, a limited length', () => {
  const { action_code_description, approval_code, card_brand } = statusOf({
    actionCodeDescription: `a\u0000b\u202ec\ud800 ${'é'.repeat(300)}`,
    cardAuthInfo: { approvalCode: 12345, paymentSystem: ' \n ' },
  })
  assert.match(action_code_description ?? '', /^a b c\ufffd é+$/)
  assert.equal(action_code_description?.length, 255)
  assert.deepEqual([approval_code, card_brand], ['12345', null])
})

test('a full card number is never passed on, wherever the gateway puts it', () => {
  const places = [
    { cardAuthInfo: { pan } },
    { cardAuthInfo: { pan: '4111 1111 1111 1111' } },
    { cardAuthInfo: { pan: Number(pan) } },
    { cardAuthInfo: { approvalCode: pan, paymentSystem: pan } },
    { cardAuthInfo: { approvalCode: Number(pan) } },
    { actionCodeDescription: `card ${pan}` },
    { params: { respCode: pan, respCode_desc: `lost: 4111-1111-1111-1111` } },
    { actionCode: pan },
    { orderStatus: pan },
    { currency: pan },
    { errorCode: pan },
    { errorCode: 5, errorMessage: `no card ${pan}` },
    { refunds: [{ amount: 1, externalRefundId: pan }] },
    { refunds: [{ amount: 1, externalRefundId: 'r', date: pan }] },
    { refunds: pan },
  ]
  const told = (reading: object) => JSON.stringify(reading, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const place of places) {
    assert.doesNotMatch(told(readStatus(answer(place), ours)).replaceAll(/[ -]/g, ''), /\d{12}/, JSON.stringify(place))
    assert.doesNotMatch(told(readChange(place)), /\d{12}/)
    assert.doesNotMatch(told(readRegistration({ ...place, orderId: pan, formUrl: 'https://gateway.example/' })), /\d{12}/)
  }
})

const garbage = [undefined, null, true, 0, 7, '', 'ok', [], [answer()], 1.5]

test('an answer of an unexpected shape is unknown, and never a failure', () => {
  for (const whole of garbage) {
    for (const read of [readRegistration, readChange, (value: unknown) => readStatus(value, ours)])
      assertUnknown(read(whole), String(whole))
  }
  for (const value of [...garbage.slice(2), 9, -1, 1e21, Number.NaN, '2 ', '0x2', '', {}]) {
    if (value === 0 || value === 7) continue
    assertUnknown(readStatus(answer({ orderStatus: value }), ours), `orderStatus ${String(value)}`)
  }
  for (const orderStatus of [2, 4]) {
    for (const value of [undefined, null, true, '', '10.00', -1000, 1000.5, 2 ** 53, '1e3', [], {}]) {
      assertUnknown(readStatus(answer({ orderStatus, amount: value }), ours), `amount ${String(value)}`)
      if (value !== -1000) assertUnknown(readStatus(answer({ orderStatus, currency: value }), ours), `currency ${String(value)}`)
    }
  }
  for (const changes of [
    { orderStatus: undefined },
    { actionCode: {} },
    { actionCode: 'declined' },
    { refunds: {} },
    { refunds: 'none' },
    { refunds: [null] },
    { refunds: [{}] },
    { refunds: [{ amount: '10.00' }] },
    { paymentAmountInfo: { refundedAmount: 'all' } },
  ]) {
    assertUnknown(readStatus(answer(changes), ours), JSON.stringify(changes))
  }
})

test('whatever the gateway sends is read without an exception', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text)
      readRegistration(value)
      readChange(value)
      readStatus(value, ours)
    }),
  )
  fc.assert(
    fc.property(
      fc.record({ orderStatus: fc.integer({ min: -1, max: 9 }), actionCode: fc.anything(), amount: fc.anything(), refunds: fc.anything() }),
      (changes) => {
        readStatus(answer(changes), ours)
      },
    ),
  )
})

test('an incomplete registration is not accepted', () => {
  const whole = { orderId: 'b9054496-c65a-4975-9418-1051d101f1b9', formUrl: 'https://gateway.example/form?mdOrder=b9054496' }
  const registered = { kind: 'registered', order_id: whole.orderId, form_url: whole.formUrl }
  for (const errorCode of [undefined, null, 0, '0']) assert.deepEqual(readRegistration({ errorCode, ...whole }), registered)
  for (const changes of [
    { orderId: undefined },
    { orderId: 7 },
    { orderId: '' },
    { orderId: '../..' },
    { orderId: 'a'.repeat(65) },
    { orderId: pan },
    { formUrl: undefined },
    { formUrl: 'javascript:alert(1)' },
    { formUrl: '/form' },
    { formUrl: `https://gateway.example/${'a'.repeat(2048)}` },
    { errorCode: 'none' },
    { errorCode: {} },
    { errorCode: 1.5 },
  ]) {
    assertUnknown(readRegistration({ ...whole, ...changes }), JSON.stringify(changes))
  }
})

test('the codes of a refused registration mean a taken number, our mistake, or an unclear outcome', () => {
  for (const code of [1, '1']) assert.deepEqual(readRegistration({ errorCode: code }), { kind: 'order_number_taken' })
  for (const code of [3, 4, '5']) {
    assert.deepEqual(readRegistration({ errorCode: code, errorMessage: 'no' }), {
      kind: 'rejected',
      error_code: String(code),
      error_message: 'no',
    })
  }
  for (const code of [7, '7', 2, 6, 8, 14, -1, 999]) assertUnknown(readRegistration({ errorCode: code }), String(code))
})

test('the codes of every other request mean done, refused, or an unclear outcome', () => {
  for (const code of [0, '0', '00']) assert.deepEqual(readChange({ errorCode: code }), { kind: 'done' })
  for (const code of ['4', 5, 6]) {
    const rejected = { kind: 'rejected', error_code: String(code), error_message: null }
    assert.deepEqual(readChange({ errorCode: code }), rejected)
    assert.deepEqual(readStatus({ errorCode: code }, ours), rejected)
  }
  for (const code of [7, '7', 1, 2, 3, 8, -1, 999]) {
    assertUnknown(readChange({ errorCode: code }))
    assertUnknown(readStatus(answer({ errorCode: code }), ours))
  }
  // Nothing in it says that anything was done.
  for (const empty of [{}, { errorCode: null }, { errorMessage: 'Success' }]) assertUnknown(readChange(empty))
})

test('a refund whose name we would not have given is somebody else\u2019s, and its money counts', () => {
  for (const externalRefundId of [7, 'a b', '123456789012', '', 'x'.repeat(65)]) {
    const reading = readStatus(
      { errorCode: 0, orderStatus: 4, amount: 100, currency: '978', refunds: [{ amount: 40, externalRefundId }] },
      { amount_minor: 100n, currency: 'EUR' },
    )
    assert.equal(reading.kind, 'status', JSON.stringify(externalRefundId))
    assert.equal(reading.kind === 'status' && reading.refunded_minor, 40n)
  }
})
