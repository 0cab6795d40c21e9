import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aheadBy_s, moveAhead, now, onJump } from './clock.ts'
import { uuidv7 } from './ids.ts'
import { Rounds } from './rounds.ts'

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

test('the clock never goes back, and tells whoever waits of each jump', () => {
  let jumps = 0
  const unwatch = onJump(() => jumps++)
  moveAhead(100)
  moveAhead(100)
  moveAhead(50)
  assert.deepEqual([aheadBy_s(), jumps], [100, 1])
  assert.ok(now().getTime() - Date.now() > 90_000)
  unwatch()
  moveAhead(200)
  assert.deepEqual([aheadBy_s(), jumps], [200, 1])
})

test('ids have the time of the clock, and each is greater than the one before', () => {
  const before = uuidv7()
  moveAhead(aheadBy_s() + 86_400)
  const after = uuidv7()
  assert.ok(timeOf(after) - timeOf(before) >= 86_400_000)
  const many = [before, after, ...Array.from({ length: 1_000 }, uuidv7)]
  assert.deepEqual(many, many.toSorted())
  assert.equal(new Set(many).size, many.length)
})

test('rounds begin at once after a jump, and a stop ends their pause', async () => {
  const begun = Promise.withResolvers<void>()
  const rounds = new Rounds({ every_ms: 3_600_000, first: 'later', work: async () => begun.resolve() })
  rounds.start()
  moveAhead(aheadBy_s() + 1)
  await begun.promise
  await rounds.stop()
})
