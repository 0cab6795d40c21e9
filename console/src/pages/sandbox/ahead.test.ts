import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aheadOf } from './ahead.ts'

test('how far the clock is ahead is said in days, hours and minutes', () => {
  assert.deepEqual([0, 20, 60, 3600, 90_000, 8_242_763].map(aheadOf), [
    'Not ahead',
    'Not ahead',
    '1 minute',
    '1 hour',
    '1 day, 1 hour',
    '95 days, 9 hours, 39 minutes',
  ])
})
