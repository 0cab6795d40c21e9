import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths } from '../values/calendar.ts'
import { expiresOn, stateOn } from './mandates.rules.ts'

test('a mandate lives 36 months after it was signed or last used', () => {
  const rows = [
    ['2024-02-29', null, '2027-02-28'],
    ['2024-01-31', null, '2027-01-31'],
    ['2024-01-31', '2025-06-15', '2028-06-15'],
    // A mandate that was used at another bank before it was signed again there.
    ['2024-01-31', '2023-06-15', '2027-01-31'],
  ] as const
  for (const [signed_on, last_used_on, expected] of rows) assert.equal(expiresOn({ signed_on, last_used_on }), expected)
})

test('it is ACTIVE on its last day and EXPIRED on the next, and CANCELLED whatever its age', () => {
  const life = { signed_on: '2024-01-31', last_used_on: null, cancelled: false }
  assert.equal(stateOn('2027-01-31', life), 'ACTIVE')
  assert.equal(stateOn('2027-02-01', life), 'EXPIRED')
  assert.equal(stateOn('2024-02-01', { ...life, cancelled: true }), 'CANCELLED')
  assert.equal(stateOn('2030-02-01', { ...life, cancelled: true }), 'CANCELLED')
})

test('months are added by the calendar', () => {
  const rows = [
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-10-31', 1, '2026-11-30'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-01-15', 36, '2029-01-15'],
  ] as const
  for (const [date, months, expected] of rows) assert.equal(addMonths(date, months), expected)
})
