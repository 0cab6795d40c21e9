import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNegative, isZero, opposite, sizeOf, sumOf } from './sums.ts'

test('amounts are added to the last digit', () => {
  assert.equal(sumOf([]), '0')
  assert.equal(sumOf(['1.50', '2.25']), '3.75')
  assert.equal(sumOf(['0.10', '-0.30']), '-0.20')
  assert.equal(sumOf(['-0.05', '0.05']), '0.00')
  assert.equal(sumOf(['90071992547409931234.01', '0.99']), '90071992547409931235.00')
  assert.equal(sumOf(['1000', '-1']), '999')
  assert.equal(sumOf(['0.1', '0.125']), '0.225')
})

test('signs are seen and turned', () => {
  assert.deepEqual(['0.00', '-0.00', '0', '0.01', '-1'].map(isZero), [true, true, true, false, false])
  assert.deepEqual(['-0.00', '-0.01', '1'].map(isNegative), [false, true, false])
  assert.equal(sizeOf('-12.00'), '12.00')
  assert.deepEqual(['5.00', '-5.00', '0.00'].map(opposite), ['-5.00', '5.00', '0.00'])
})
