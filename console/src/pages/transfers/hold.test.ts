import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdOf, totalOf } from './hold.ts'

const transfer = {
  direction: 'OUTBOUND',
  status: 'REVIEW',
  transfer_type: 'PAYMENT',
  debit_amount: '1000.00',
  debit_currency: 'EUR',
  fx_fee_amount: '1.50',
} as const
const reserved = [
  { from_status: null, to_status: 'CREATED' },
  { from_status: 'CREATED', to_status: 'RESERVED' },
] as const

test('a hold is the amount with its fee, until the transfer ends', () => {
  assert.equal(totalOf(transfer), '1,001.50 EUR')
  assert.equal(holdOf(transfer, reserved), '1,001.50 EUR')
  assert.equal(holdOf({ ...transfer, status: 'COMPLETED' }, reserved), 'Booked')
  assert.equal(holdOf({ ...transfer, status: 'CANCELLED' }, reserved), 'Released')
  assert.match(holdOf({ ...transfer, transfer_type: 'CARD_AUTH' }, reserved) ?? '', /minus cleared amounts/)
})

test('what was never reserved, or comes in, holds nothing', () => {
  assert.equal(holdOf(transfer, reserved.slice(0, 1)), null)
  assert.equal(holdOf({ ...transfer, direction: 'INBOUND' }, reserved), null)
})
