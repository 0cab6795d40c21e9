import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCreditorReference } from './creditor-reference.ts'

test('a creditor reference has the right check digits', () => {
  // The example of the standard, and the longest possible one.
  assert.equal(parseCreditorReference('RF18539007547034'), 'RF18539007547034')
  assert.equal(parseCreditorReference('rf18 5390 0754 7034'), 'RF18539007547034')
  assert.equal(parseCreditorReference('RF45G72UUR'), 'RF45G72UUR')
  for (const wrong of [
    'RF19539007547034',
    'RF18539007547035',
    'RF18',
    'RF00',
    '',
    'XX18539007547034',
    'RF18-5390-0754-7034',
    'RF1853900754703４',
    `RF18${'1'.repeat(22)}`,
  ]) {
    assert.equal(parseCreditorReference(wrong), undefined, wrong)
  }
})
