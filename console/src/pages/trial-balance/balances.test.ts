import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balancesOf } from './balances.ts'

const row = (venture_id: string, account: string, balance: string, currency = 'EUR') => ({ venture_id, account, balance, currency })

test('debits and credits stand in columns of their own and add up', () => {
  const found = balancesOf([
    row('a', 'clients', '100.00'),
    row('a', 'settlement:SEPA', '-99.50'),
    row('a', 'fees', '-0.50'),
    row('a', 'suspense', '0.00'),
    row('b', 'clients', '7', 'JPY'),
    row('b', 'settlement:SWIFT', '-7', 'JPY'),
  ])
  assert.deepEqual(
    found.map(({ currency, debits, credits, balanced }) => [currency, debits, credits, balanced]),
    [
      ['EUR', '100.00', '100.00', true],
      ['JPY', '7', '7', true],
    ],
  )
  assert.deepEqual(found[0]?.books[0]?.lines, [
    { account: 'clients', debit: undefined, credit: '100.00' },
    { account: 'settlement:SEPA', debit: '99.50', credit: undefined },
    { account: 'fees', debit: '0.50', credit: undefined },
  ])
})

test('books that do not add up are said to be so, even if another venture hides it', () => {
  const [euros] = balancesOf([row('a', 'clients', '1.00'), row('b', 'settlement:SEPA', '-1.00')])
  assert.deepEqual([euros?.debits, euros?.credits, euros?.balanced], ['1.00', '1.00', false])
  assert.equal(euros?.books[0]?.debits, '0.00')
})
