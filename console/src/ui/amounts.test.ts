import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAmount, isNegative, isZero, lessOf, opposite, shareOf, sizeOf, sumOf } from './amounts.ts'

test('sums are exact', () => {
  assert.equal(sumOf(['0.10', '0.20']), '0.30')
  assert.equal(sumOf(['90071992547409931234.01', '0.99']), '90071992547409931235.00')
  assert.equal(sumOf(['-0.05', '0.02']), '-0.03')
  assert.equal(sumOf(['-0.50', '1']), '0.50')
  assert.equal(sumOf(['5', '7']), '12')
  assert.equal(sumOf([]), '0')
  assert.equal(lessOf('30.40', '10.00'), '20.40')
  assert.equal(lessOf('1.00', '-2.00'), '3.00')
})

test('amounts are told from other texts', () => {
  for (const zero of ['0', '0.00', '-0.00']) assert.ok(isZero(zero), zero)
  assert.ok(!isZero('0.01'))
  for (const good of ['1', '12.50', ' 0.01 ']) assert.ok(isAmount(good), good)
  for (const bad of ['', '0', '0.00', '-1', '1,000', '1.', 'ten']) assert.ok(!isAmount(bad), bad)
})

test('shares stop at the whole', () => {
  assert.equal(shareOf('25.00', '100'), 25)
  assert.equal(shareOf('150.00', '100.00'), 100)
  assert.equal(shareOf('0.00', '0.00'), 0)
  assert.equal(shareOf('1.00', '0.00'), 100)
})

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
