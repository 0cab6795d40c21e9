import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumsOf, whyRelated } from './pairs.words.ts'

test('each thing that relates two people is said in a sentence', () => {
  const said = whyRelated(['INVITATION', 'RESET', 'ROLE', 'SAME_PERSON', 'ADMIN_KEY'])
  assert.deepEqual([new Set(said).size, said[0]], [5, 'One invited the other.'])
  assert.deepEqual(whyRelated([]), [])
})

test('what a pair has agreed on begins with the chosen currency', () => {
  const totals = [
    { currency: 'CHF', amount: '0.00' },
    { currency: 'EUR', amount: '1200.00' },
    { currency: 'USD', amount: '5.00' },
  ]
  assert.deepEqual(sumsOf({ totals }, 'USD'), ['5.00 USD', '1,200.00 EUR'])
  assert.deepEqual(sumsOf({ totals }, 'GBP'), ['1,200.00 EUR', '5.00 USD'])
  assert.deepEqual(sumsOf({ totals: [] }, 'EUR'), [])
})
