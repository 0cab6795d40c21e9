import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf, sumOf } from './amounts.ts'

test('sums keep every digit', () => {
  assert.equal(sumOf('0.10', '0.20'), '0.30')
  assert.equal(sumOf('90071992547409931234.01', '0.99'), '90071992547409931235.00')
  assert.equal(sumOf('-1.50', '1'), '-0.50')
  assert.equal(sumOf('-0.05', '0.02'), '-0.03')
  assert.equal(sumOf('100', '-100'), '0')
  assert.equal(sumOf(), '0')
})

test('shares are between nothing and everything', () => {
  assert.equal(shareOf('25.00', '100'), 25)
  assert.equal(shareOf('1', '3'), 33.33)
  assert.equal(shareOf('200.00', '100.00'), 100)
  assert.equal(shareOf('-1', '100'), 0)
  assert.equal(shareOf('1', '0'), 100)
})
