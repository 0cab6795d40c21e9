import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyOfAmount, newReference, nothingTyped, orderOf, type Typed } from './order.ts'

const typed: Typed = { ...nothingTyped, account_id: 'a', beneficiary_id: 'b', amount: '1000.50', reference: ' R-1 ' }

test('the amount is in the currency of whichever side it is', () => {
  assert.equal(currencyOfAmount(typed, undefined), undefined)
  assert.equal(currencyOfAmount({ ...typed, currency: 'usd' }, 'EUR'), 'EUR')
  assert.equal(currencyOfAmount({ ...typed, currency: 'usd', side: 'credit' }, 'EUR'), 'usd')
  assert.equal(currencyOfAmount({ ...typed, currency: 'eur', side: 'credit' }, 'EUR'), 'EUR')
})

test('an order has what was typed, and nothing else', () => {
  assert.deepEqual(orderOf(typed, 'EUR'), { account_id: 'a', beneficiary_id: 'b', unique_reference: 'R-1', debit_amount: '1000.50' })
  assert.deepEqual(orderOf({ ...typed, currency: 'eur', side: 'credit' }, 'EUR'), orderOf(typed, 'EUR'))
  assert.deepEqual(orderOf({ ...typed, currency: 'usd', side: 'credit', purpose: ' Rent ', date: '2027-01-04', isInstant: true }, 'EUR'), {
    account_id: 'a',
    beneficiary_id: 'b',
    unique_reference: 'R-1',
    credit_amount: '1000.50',
    debit_currency: 'EUR',
    credit_currency: 'USD',
    purpose: 'Rent',
    settlement_date: '2027-01-04',
    is_instant: true,
  })
  assert.equal(orderOf({ ...typed, isPayeeAccepted: true }, 'EUR')?.payee_check_accepted, true)
})

test('nothing is asked before there is enough to ask about', () => {
  for (const missing of [{ account_id: '' }, { beneficiary_id: '' }, { amount: '?' }, { reference: ' ' }])
    assert.equal(orderOf({ ...typed, ...missing }, 'EUR'), undefined)
})

test('references differ', () => {
  assert.match(newReference(), /^T-[0-9A-F]{8}$/)
  assert.notEqual(newReference(), newReference())
})
