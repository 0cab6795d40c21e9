// When an instant payment is late, and what a word of the clearing system means: the rules alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InstantState, instantStates, judgeInstant, timeOf } from './rails.instants.ts'

const at = new Date('2026-11-16T09:30:00.000Z')
const ago = (seconds: number): string => new Date(at.getTime() - seconds * 1_000).toISOString()

test('the time in the message decides: up to the limit it is in time, later it is late', () => {
  for (const [seconds, time] of [
    [0, 'in time'],
    [6.9, 'in time'],
    [7, 'in time'],
    [7.001, 'late'],
    [7.1, 'late'],
    [3_600, 'late'],
    [-2, 'in time'],
    [-2.001, 'ahead'],
  ] as const)
    assert.equal(timeOf(ago(seconds), at, { answer_s: 7 }), time, `${seconds} s`)
  assert.equal(timeOf(ago(7.1), at, { answer_s: 9 }), 'in time')
})

test('only a final word decides, and only once', () => {
  const words = (state: InstantState) => [judgeInstant(state, 'settled'), judgeInstant(state, 'rejected')]
  assert.deepEqual(
    instantStates.map((state) => [state, ...words(state)]),
    [
      ['AWAITED', 'credit', 'end'],
      ['CONFIRMED', 'known', 'contradiction'],
      ['REJECTED', 'contradiction', 'known'],
      ['REFUSED', 'refused', 'known'],
    ],
  )
  for (const state of instantStates)
    for (const meaning of ['accepted', 'pending', 'partly'] as const) assert.equal(judgeInstant(state, meaning), 'noted')
})
