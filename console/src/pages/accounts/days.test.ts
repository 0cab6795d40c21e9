import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter, firstOfMonth, firstOfYear, sinceNewYear } from './days.ts'

test('days are counted over months, years and leap days', () => {
  assert.equal(daysAfter('2026-12-31', 1), '2027-01-01')
  assert.equal(daysAfter('2028-03-01', -1), '2028-02-29')
  assert.equal(firstOfMonth('2027-02-20'), '2027-02-01')
  assert.equal(firstOfYear('2027-02-20'), '2027-01-01')
  assert.deepEqual(sinceNewYear('2026-11-16'), { from: '2026-01-01', to: '2041-12-31', step: 'month' })
})
