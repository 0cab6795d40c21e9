import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimit } from './rate.ts'

test('a key is refused when its minute is used up, and accepted again in the next', () => {
  const limit = new RateLimit(3)
  const at = (now_ms: number, cost = 1) => limit.take('key', cost, now_ms)
  assert.deepEqual([at(0), at(10), at(20)], [undefined, undefined, undefined])
  assert.equal(at(15_500), 45)
  assert.equal(at(59_999), 1)
  assert.equal(at(60_000), undefined)
  assert.equal(limit.take('other', 1, 60_000), undefined)
})

test('a request may count for several', () => {
  const limit = new RateLimit(10)
  assert.equal(limit.take('key', 5, 0), undefined)
  assert.equal(limit.take('key', 5, 0), undefined)
  assert.equal(limit.take('key', 1, 0), 60)
})

test('keys are forgotten after their minute, and the oldest if there are too many', () => {
  const limit = new RateLimit(1, { most: 3 })
  for (const key of ['a', 'b', 'c', 'd']) limit.take(key, 1, 0)
  assert.equal(limit.size, 3)
  assert.equal(limit.take('d', 1, 0), 60)
  assert.equal(limit.take('a', 1, 0), undefined, 'the oldest was dropped')
  limit.take('e', 1, 60_000)
  assert.equal(limit.size, 1)
})
