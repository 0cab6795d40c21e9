import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumOf } from './amounts.ts'

test('sums keep every digit', () => {
  assert.equal(sumOf('0.10', '0.20'), '0.30')
  assert.equal(sumOf('90071992547409931234.01', '0.99'), '90071992547409931235.00')
  assert.equal(sumOf('-1.50', '1'), '-0.50')
  assert.equal(sumOf('-0.05', '0.02'), '-0.03')
  assert.equal(sumOf('100', '-100'), '0')
  assert.equal(sumOf(), '0')
})
