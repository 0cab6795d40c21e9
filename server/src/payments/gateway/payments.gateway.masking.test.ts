import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maskPan, withoutPans } from './payments.gateway.masking.ts'

test('a card number is shown with its first six and last four digits, however it was masked', () => {
  for (const pan of [
    '4111111111111111',
    '411111**1111',
    '411111******1111',
    '4111 11XX XXXX 1111',
    '4111-11xx-xxxx-1111',
    '411111••••••1111',
    '411111......1111',
    ' 4111 1111 1111 1111 ',
    '4111111111111111111',
    '411111111111',
  ]) {
    assert.equal(maskPan(pan), '411111******1111', pan)
  }
})

test('a text with fewer visible digits, or without a card number, has no masked form', () => {
  for (const text of [
    '',
    '**** **** **** 1111',
    '4111********1111',
    '411111******',
    '41111111',
    '4111111111',
    '4'.repeat(20),
    'VISA',
    '٤١١١١١**١١١١',
  ])
    assert.equal(maskPan(text), undefined, text)
})

test('a card number in a text is hidden, however its digits are separated', () => {
  for (const [text, masked] of [
    ['Card 4111111111111111 is lost', 'Card 411111******1111 is lost'],
    ['4111 1111 1111 1111', '411111******1111'],
    ['4111-1111-1111-1111.', '411111******1111.'],
    ['4111 - 1111 - 1111 - 1111', '411111******1111'],
    ['4111.1111/1111_1111', '411111******1111'],
    ['a4111111111111111b', 'a411111******1111b'],
    ['9'.repeat(30), '999999******9999'],
    ['٤١١١١١١١١١١١١١١١', '٤١١١١١******١١١١'],
  ] as const) {
    assert.equal(withoutPans(text), masked)
  }
  for (const text of ['', 'Approved', 'Error 116', '411111**1111', 'Order AB12CD34EF']) assert.equal(withoutPans(text), text)
})

test('no twelve digits in a row are left in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 -x*'), maxLength: 60 }), (text) => {
      assert.doesNotMatch(withoutPans(text), /\d(?:[ -]?\d){11}/)
    }),
  )
})
