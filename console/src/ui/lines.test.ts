import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf } from './lines.ts'

test('a list can be typed or pasted in any form', () => {
  assert.deepEqual(linesOf(' 09:00\n15:30, 15:30;  '), ['09:00', '15:30'])
  assert.deepEqual(linesOf('\n'), [])
})
