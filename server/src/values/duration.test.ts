import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationEnd } from './duration.ts'

const from = new Date('2024-01-31T10:00:00.500Z')

test('a duration ends so much later, by the calendar', () => {
  const rows = [
    ['PT0S', '2024-01-31T10:00:00.500Z'],
    ['PT90S', '2024-01-31T10:01:30.500Z'],
    ['PT1H30M', '2024-01-31T11:30:00.500Z'],
    ['P1D', '2024-02-01T10:00:00.500Z'],
    ['P2W', '2024-02-14T10:00:00.500Z'],
    ['P1M', '2024-02-29T10:00:00.500Z'],
    ['P1Y1M', '2025-02-28T10:00:00.500Z'],
    ['P1Y2M3W4DT5H6M7S', '2025-04-25T15:06:07.500Z'],
  ] as const
  for (const [text, expected] of rows) assert.equal(durationEnd(from, text)?.toISOString(), expected, text)
})

test('anything else is no duration', () => {
  for (const text of ['', 'P', 'PT', '1D', 'P1', 'P-1D', '-P1D', 'P1.5D', 'P1H', 'PT1D', 'P1DT', 'P1D ', 'p1d', 'P1M1Y', 'P99999Y'])
    assert.equal(durationEnd(from, text), undefined, text)
})
