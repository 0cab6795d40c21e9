import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counterpartyOf, signedAmount } from './transfers.ts'

const amounts = { debit_amount: '1200.50', debit_currency: 'EUR', credit_amount: '1300.00', credit_currency: 'USD' }

test('an amount has the sign and the currency of the account’s side', () => {
  assert.equal(signedAmount({ ...amounts, direction: 'OUTBOUND' }), '−1,200.50 EUR')
  assert.equal(signedAmount({ ...amounts, direction: 'INBOUND' }), '+1,300.00 USD')
})

test('the counterparty is the other side', () => {
  const names = { cr_name: 'Ada', dr_name: null }
  assert.equal(counterpartyOf({ ...names, direction: 'OUTBOUND' }), 'Ada')
  assert.equal(counterpartyOf({ ...names, direction: 'INBOUND' }), '–')
})
