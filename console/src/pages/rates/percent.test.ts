import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentOf } from './percent.ts'

test('a share is shown as a percentage, to the last digit', () => {
  assert.deepEqual(['0.005', '0', '0.1', '1', '0.0125', '0.00000001', '0.0500'].map(percentOf), [
    '0.5 %',
    '0 %',
    '10 %',
    '100 %',
    '1.25 %',
    '0.000001 %',
    '5 %',
  ])
})
