import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOf } from './number.ts'

test('the number of a message is the end of its id', () => {
  assert.equal(numberOf('VOSTLT2120270219S000000000069'), 'S000000000069')
  assert.equal(numberOf('SOMETHING-ELSE'), 'SOMETHING-ELSE')
})
