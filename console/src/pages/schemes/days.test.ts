import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weekendOf } from './days.ts'

test('a weekend is the names of weekdays', () => {
  assert.deepEqual(weekendOf('Saturday, sunday'), [6, 7])
  assert.deepEqual(weekendOf('Friday; Saturday; Friday'), [5, 6])
  assert.deepEqual(weekendOf(''), [])
  assert.equal(weekendOf('Saturday and Sunday'), undefined)
})
