import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf, newReference, nothingTyped, orderOf, type Typed } from './order.ts'

const typed: Typed = { ...nothingTyped, account_id: 'a', beneficiary_id: 'b', amount: '1,000.50', reference: ' R-1 ' }

test('an amount is a text of digits, however it was grouped', () => {
  assert.equal(amountOf('1,234.5'), '1234.5')
  assert.equal(amountOf("1'234 567"), '1234567')
  for (const wrong of ['', '0', '0.00', '-1', '1.2.3', 'ten', '1e3', '.5']) assert.equal(amountOf(wrong), undefined, wrong)
})

test('an order has what was typed, and nothing else', () => {
  assert.deepEqual(orderOf(typed, 'EUR'), { account_id: 'a', beneficiary_id: 'b', unique_reference: 'R-1', debit_amount: '1000.50' })
  assert.deepEqual(orderOf({ ...typed, currency: 'eur', side: 'credit' }, 'EUR'), orderOf(typed, 'EUR'))
  assert.deepEqual(orderOf({ ...typed, currency: 'usd', side: 'credit', purpose: ' Rent ', date: '2027-01-04', isInstant: true }, 'EUR'), {
    ...{ account_id: 'a', beneficiary_id: 'b', unique_reference: 'R-1', credit_amount: '1000.50' },
    ...{ debit_currency: 'EUR', credit_currency: 'USD', purpose: 'Rent', settlement_date: '2027-01-04', is_instant: true },
  })
  assert.equal(orderOf({ ...typed, isPayeeAccepted: true }, 'EUR')?.payee_check_accepted, true)
})

test('nothing is asked before there is enough to ask about', () => {
  for (const missing of [{ account_id: '' }, { beneficiary_id: '' }, { amount: '1.' }, { reference: ' ' }])
    assert.equal(orderOf({ ...typed, ...missing }, 'EUR'), undefined)
})

test('references differ', () => {
  assert.match(newReference(), /^T-[0-9A-F]{8}$/)
  assert.notEqual(newReference(), newReference())
})
