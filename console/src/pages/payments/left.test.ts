import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCancellable, isRefundable, leftOf } from './left.ts'

const paid = { status: 'PAID', amount: '30.40', refunded_amount: '0.00' } as const

test('what was paid can be refunded until nothing is left', () => {
  assert.equal(leftOf({ ...paid, refunded_amount: '10.00' }), '20.40')
  assert.ok(isRefundable(paid))
  assert.ok(isRefundable({ ...paid, refunded_amount: '10.00' }))
  assert.ok(!isRefundable({ ...paid, refunded_amount: '30.40' }))
  assert.ok(!isRefundable({ ...paid, status: 'PENDING' }))
})

test('what was refunded in part, or has ended, is not cancelled', () => {
  assert.ok(isCancellable(paid))
  assert.ok(isCancellable({ ...paid, status: 'PENDING' }))
  assert.ok(!isCancellable({ ...paid, refunded_amount: '10.00' }))
  for (const status of ['EXPIRED', 'CANCELED', 'REFUNDED', 'FAILED'] as const) assert.ok(!isCancellable({ ...paid, status }), status)
})
