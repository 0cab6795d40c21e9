import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromNumeric } from '../../values/money.ts'
import { amountFault, carriersOf, methods } from './transfers.methods.ts'
import { transferMethods, transferTypes } from './transfers.status.ts'

test('every type has a method, and card types have only CARD', () => {
  for (const type of transferTypes) {
    assert.ok(carriersOf(type).length > 0, type)
    if (type.startsWith('CARD_')) assert.deepEqual(carriersOf(type), ['CARD'])
  }
})

test('each method has its own settlement account', () => {
  const accounts = transferMethods.map((method) => methods[method].settlement)
  assert.deepEqual(
    accounts,
    transferMethods.map((method) => `settlement:${method}`),
  )
})

test('an amount is checked against the currencies and the largest amount of a method', () => {
  const rail = { currencies: ['EUR'], largest: fromNumeric('100.00') }
  assert.equal(amountFault(rail, fromNumeric('100.00'), 'EUR'), undefined)
  assert.deepEqual(amountFault(rail, fromNumeric('100.01'), 'EUR'), { kind: 'amount', largest: fromNumeric('100.00') })
  assert.deepEqual(amountFault(rail, fromNumeric('1.00'), 'USD'), { kind: 'currency', currencies: ['EUR'] })
  assert.equal(amountFault({ currencies: 'any', largest: null }, fromNumeric('999999999999.99'), 'USD'), undefined)
})
