// Readings may arrive in any order and any number of times; a payment still makes only the moves of its table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import type pg from 'pg'
import { Tx } from '../platform/database/database.ts'
import type { OrderStatus } from './gateway/payments.gateway.ts'
import { applyReading } from './payments.refresh.ts'
import { minorOf, newPayment, notFromLink, savePayment } from './payments.row.ts'
import type { PaymentRow } from './payments.sql.ts'
import { nextStatuses, type PaymentStatus, paymentStatuses } from './payments.status.ts'

const venture_id = '01a1de8a-c9c0-7000-8000-000000000002'
const now = Date.parse('2026-11-15T09:30:00Z')
const hour_ms = 3_600_000

function somePayment(changes: Partial<PaymentRow> = {}): PaymentRow {
  const order = { amount: '10.00', currency: 'EUR', success_url: 'https://shop.example/', fail_url: 'https://shop.example/' }
  const row = newPayment(venture_id, order, { amount: 100_000n, gateway_order_number: 'order number', ...notFromLink })
  return { ...row, gateway_order_id: 'order', form_url: 'https://gateway.example/', session_until: new Date(now).toISOString(), ...changes }
}

/** Readings that a gateway could give, and some that it should not. */
const readings: fc.Arbitrary<OrderStatus> = fc.record({
  kind: fc.constant('status'),
  status: fc.constantFrom<PaymentStatus>('PAID', 'PAID', 'PAID', 'REFUNDED', ...paymentStatuses),
  gateway_order_status: fc.integer({ min: 0, max: 8 }),
  gateway_error_code: fc.constantFrom(null, 'amount_mismatch'),
  action_code: fc.constantFrom(null, '0', '116'),
  action_code_description: fc.constant(null),
  approval_code: fc.constantFrom(null, '123456'),
  resp_code: fc.constant(null),
  resp_code_desc: fc.constant(null),
  card_brand: fc.constantFrom(null, 'VISA'),
  masked_pan: fc.constantFrom(null, '411111******1111'),
  refunds: fc.constant([]),
  refunded_minor: fc.constantFrom(null, 0n, 1n, 400n, 1000n, 5000n),
})
const steps = fc.array(fc.record({ reading: readings, at: fc.constantFrom(now - hour_ms, now + hour_ms) }), { minLength: 1, maxLength: 12 })

/** A transaction on a connection that accepts everything. */
const takesAll = () => new Tx({ query: async () => ({ rows: [], rowCount: 1 }) } as unknown as pg.PoolClient)

function readingOf(changes: Partial<OrderStatus>): OrderStatus {
  return {
    kind: 'status',
    status: 'PENDING',
    gateway_order_status: 0,
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
    ...changes,
  }
}

function follow(row: PaymentRow, reading: OrderStatus, at: number): PaymentRow[] {
  const way = [row]
  for (let current = row; ; ) {
    const next = applyReading(current, reading, at)
    if (next === current) return way
    // Throws if the table does not have the move.
    current = savePayment(takesAll(), current, next)
    way.push(current)
    assert.ok(way.length <= 4, 'it comes to rest')
  }
}

test('whatever the gateway answers, in any order and however often, only moves of the table happen', () => {
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
          // A refund is an event of its own.
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

test('the same answer again changes nothing', () => {
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

test('a final answer of the gateway does not depend on the answers before it', () => {
  // A full refund is final.
  const gone = readingOf({ status: 'REFUNDED', refunded_minor: 1000n })
  fc.assert(
    fc.property(steps, (steps) => {
      let row = somePayment()
      for (const { reading, at } of steps) row = follow(row, reading, at).at(-1) as PaymentRow
      assert.equal(follow(row, gone, now).at(-1)?.status, 'REFUNDED')
    }),
    { numRuns: 500 },
  )
})

test('each status of the gateway moves a PENDING payment as designed', () => {
  const table: [reading: Partial<OrderStatus>, status: PaymentStatus][] = [
    [{ status: 'PENDING' }, 'PENDING'],
    [{ status: 'PAID' }, 'PAID'],
    [{ status: 'FAILED', gateway_error_code: 'amount_mismatch' }, 'FAILED'],
    [{ status: 'CANCELED' }, 'CANCELED'],
    [{ status: 'PAID', refunded_minor: 999n }, 'PAID'],
    [{ status: 'PAID', refunded_minor: 1000n }, 'REFUNDED'],
    [{ status: 'REFUNDED', refunded_minor: 1000n }, 'REFUNDED'],
    [{ status: 'REFUNDED', refunded_minor: null }, 'REFUNDED'],
    [{ status: 'REFUSED' }, 'REFUSED'],
    [{ status: 'EXPIRED' }, 'EXPIRED'],
  ]
  for (const [changes, status] of table) {
    const reading = readingOf(changes)
    assert.equal(follow(somePayment(), reading, now - hour_ms).at(-1)?.status, status, inspect(changes))
    // After the session, nothing is PENDING any more, and an order that we declined is CANCELED unless it was paid.
    const later = status === 'PENDING' ? 'EXPIRED' : status
    assert.equal(follow(somePayment(), reading, now + hour_ms).at(-1)?.status, later)
    const declined = later === 'EXPIRED' || later === 'REFUSED' ? 'CANCELED' : later
    assert.equal(follow(somePayment({ cancel_requested: true }), reading, now + hour_ms).at(-1)?.status, declined)
  }
})

test('every status can be left only as designed', () => {
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
