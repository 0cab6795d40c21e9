import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCreditorId } from './creditor-id.ts'

test('creditor identifiers with correct check digits are valid, whatever their business code', () => {
  // The example of the Bundesbank, with its own and with other business codes.
  for (const id of ['DE98ZZZ09999999999', 'DE98ABC09999999999', 'DE98001 09999999999', 'de98zzz09999999999'])
    assert.equal(parseCreditorId(id), id.replaceAll(' ', '').toUpperCase(), id)
})

test('anything else is not one', () => {
  for (const id of [
    '',
    'DE98ZZZ',
    'DE99ZZZ09999999999',
    'DE98ZZZ09999999998',
    'DE01ZZZ09999999999',
    'FR98ZZZ09999999999',
    'US98ZZZ09999999999',
    `DE98ZZZ${'0'.repeat(29)}`,
    'DE98ZZZ0999999999é',
    'ＤE98ZZZ09999999999',
  ])
    assert.equal(parseCreditorId(id), undefined, id)
})
