import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, frameOf } from './frames.ts'

test('a block with data is a frame, a heartbeat is none', () => {
  assert.deepEqual(frameOf('data: {"kinds":{"transfer":2},"ids":["a"]}'), { kinds: { transfer: 2 }, ids: ['a'] })
  assert.equal(frameOf(': heartbeat'), undefined)
})

test('changes are counted by kind, or all together', () => {
  const kinds = { transfer: 2, account: 3 }
  assert.equal(countOf(kinds, 'transfer'), 2)
  assert.equal(countOf(kinds, 'payment'), 0)
  assert.equal(countOf(kinds, '*'), 5)
})
