// What the gateway says may arrive in any order and any number of times, and still a payment only goes where its table leads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type pg from 'pg'
import { Tx } from '../platform/database/database.ts'
import { readStatus, type StatusReading } from './gateway/payments.gateway.answers.ts'
import { after } from './payments.refresh.ts'
import { minorOf, newPayment, notFromLink, savePayment } from './payments.row.ts'
import type { PaymentRow } from './payments.sql.ts'
import { nextStatuses, type PaymentStatus, paymentStatuses } from './payments.status.ts'

const venture_id = '01a1de8a-c9c0-7000-8000-000000000002'
const now = Date.parse('2026-11-15T09:30:00Z')
const hour_ms = 3_600_000

function somePayment(changes: Partial<PaymentRow> = {}): PaymentRow {
  const order = { amount: '10.00', currency: 'EUR', success_url: 'https://shop.example/', fail_url: 'https://shop.example/' }
  const row = newPayment(venture_id, order, 100_000n, notFromLink)
  return { ...row, gateway_order_id: 'order', form_url: 'https://gateway.example/', session_until: new Date(now).toISOString(), ...changes }
}

/** Answers that a gateway of this kind could give, and some that it should not. */
const answers = fc.record({
  errorCode: fc.constant(0),
  orderStatus: fc.constantFrom(0, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8),
  actionCode: fc.constantFrom(0, -100, 10, 116, -2007),
  amount: fc.constantFrom(1000, 1000, 1000, 1000, 999),
  currency: fc.constantFrom('978', '978', '978', '840'),
  cardAuthInfo: fc.constantFrom({}, { pan: '411111**1111', approvalCode: '123456', paymentSystem: 'VISA' }),
  paymentAmountInfo: fc.constantFrom(
    {},
    { refundedAmount: 0 },
    { refundedAmount: 1 },
    { refundedAmount: 400 },
    { refundedAmount: 1000 },
    { refundedAmount: 5000 },
  ),
})
const readings = answers.map((answer) => readStatus(answer, { amount_minor: 1000n, currency: 'EUR' }))
const steps = fc.array(fc.record({ reading: readings, at: fc.constantFrom(now - hour_ms, now + hour_ms) }), { minLength: 1, maxLength: 12 })

/** A transaction on a connection that takes everything. */
const takesAll = () => new Tx({ query: async () => ({ rows: [], rowCount: 1 }) } as unknown as pg.PoolClient)

function follow(row: PaymentRow, reading: StatusReading, at: number): PaymentRow[] {
  assert.equal(reading.kind, 'status')
  const way = [row]
  for (let current = row; ; ) {
    const next = after(current, reading, at)
    if (next === current) return way
    // Would throw if the table did not lead there.
    current = savePayment(takesAll(), current, next)
    way.push(current)
    assert.ok(way.length <= 4, 'it comes to rest')
  }
}

test('whatever the gateway says, in whatever order and however often, the table of moves is kept', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (steps, declined) => {
      let row = somePayment({ cancel_requested: declined })
      for (const { reading, at } of steps) {
        for (const next of follow(row, reading, at).slice(1)) {
          const move = `${row.status} to ${next.status}`
          if (next.status !== row.status) assert.ok(nextStatuses[row.status].includes(next.status), move)
          if (row.status === 'PAID') assert.ok(['PAID', 'REFUNDED', 'CANCELED'].includes(next.status), move)
          if (row.status === 'REFUNDED') assert.equal(next.status, 'REFUNDED')
          assert.ok(minorOf(next.refunded_amount, 'EUR') >= minorOf(row.refunded_amount, 'EUR'), 'what went back never comes forth')
          assert.equal(next.status === 'REFUNDED', next.refunded_amount === next.amount)
          assert.ok((next.status !== 'PAID' && next.status !== 'REFUNDED') || next.paid_at !== null)
          if (row.cancel_requested) assert.ok(next.status !== 'REFUSED' && next.status !== 'EXPIRED', move)
          if (next.status === 'PAID' && row.status !== 'PAID')
            assert.equal(next.cancel_requested, false, 'only a wish made now would reverse it')
          // Money that went back is told as such, and not together with anything else.
          const refunded = next.refunded_amount !== row.refunded_amount
          assert.equal(next.sequence - row.sequence, next.status !== row.status || refunded ? 1 : 0)
          assert.ok(!refunded || row.status === 'PAID', move)
          row = next
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

test('hearing the same again changes nothing', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (steps, declined) => {
      let row = somePayment({ cancel_requested: declined })
      for (const { reading, at } of steps) {
        row = follow(row, reading, at).at(-1) as PaymentRow
        assert.deepEqual(follow(row, reading, at), [row])
      }
    }),
    { numRuns: 500 },
  )
})

test('what the last word of the gateway is, if it is one, does not depend on what came before', () => {
  // Once it says that all went back, nothing else can be said.
  const gone = readStatus(
    { errorCode: 0, orderStatus: 4, amount: 1000, currency: '978', paymentAmountInfo: { refundedAmount: 1000 } },
    {
      amount_minor: 1000n,
      currency: 'EUR',
    },
  )
  fc.assert(
    fc.property(steps, (steps) => {
      let row = somePayment()
      for (const { reading, at } of steps) row = follow(row, reading, at).at(-1) as PaymentRow
      assert.equal(follow(row, gone, now).at(-1)?.status, 'REFUNDED')
    }),
    { numRuns: 500 },
  )
})

const ours = { amount_minor: 1000n, currency: 'EUR' }
const right = { errorCode: 0, amount: 1000, currency: '978' }

test('each status of the gateway makes of a payment that waits what the design says', () => {
  const table: [answer: object, status: PaymentStatus][] = [
    ...[0, 1, 5, 7, 8].map((orderStatus): [object, PaymentStatus] => [{ orderStatus }, 'PENDING']),
    [{ orderStatus: 2 }, 'PAID'],
    [{ orderStatus: 2, amount: 999 }, 'FAILED'],
    [{ orderStatus: 2, currency: '840' }, 'FAILED'],
    [{ orderStatus: 3 }, 'CANCELED'],
    [{ orderStatus: 4, refunds: [{ amount: 999 }] }, 'PAID'],
    [{ orderStatus: 4, refunds: [{ amount: 999 }, { amount: 1 }] }, 'REFUNDED'],
    [{ orderStatus: 6, actionCode: 116 }, 'REFUSED'],
    [{ orderStatus: 6, actionCode: -2007 }, 'EXPIRED'],
    [{ orderStatus: 6, actionCode: 10 }, 'CANCELED'],
  ]
  for (const [answer, status] of table) {
    const reading = readStatus({ ...right, ...answer }, ours)
    assert.equal(follow(somePayment(), reading, now - hour_ms).at(-1)?.status, status, JSON.stringify(answer))
    // After the session nothing waits any more; and an order that we declined is canceled, unless it was paid.
    const later = status === 'PENDING' ? 'EXPIRED' : status
    assert.equal(follow(somePayment(), reading, now + hour_ms).at(-1)?.status, later)
    const declined = later === 'EXPIRED' || later === 'REFUSED' ? 'CANCELED' : later
    assert.equal(follow(somePayment({ cancel_requested: true }), reading, now + hour_ms).at(-1)?.status, declined)
  }
})

test('every status there is can be left only as the design says', () => {
  const lines = paymentStatuses.map((status) => `${status} → ${nextStatuses[status].join(', ')}`)
  assert.deepEqual(lines, [
    'PENDING → PAID, FAILED, REFUSED, CANCELED, EXPIRED',
    'PAID → REFUNDED, CANCELED',
    'FAILED → PAID',
    'REFUSED → PAID',
    'CANCELED → PAID',
    'REFUNDED → ',
    'EXPIRED → PAID',
  ])
})
