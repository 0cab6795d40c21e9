import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { aheadBy_s, moveAhead, now, onJump } from './clock.ts'
import { RowIds, uuidv7 } from './ids.ts'
import { Rounds } from './rounds.ts'

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

test('the clock never goes back, and tells each waiting caller of a jump', () => {
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

test('ids of rows have the time that comes with them, in order and without repetition, however many a moment has and if the clock is set back', () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  try {
    const [rows, others] = [new RowIds(), new RowIds()]
    const start_ms = now().getTime()
    const made = Array.from({ length: 5_000 }, () => rows.next())
    assert.deepEqual(
      [made[0], made[4_095], made[4_096]].map((one) => (one?.at_ms ?? 0) - start_ms),
      [0, 0, 1],
    )
    mock.timers.setTime(Date.now() - 5_000)
    made.push(rows.next())
    mock.timers.setTime(Date.now() + 60_000)
    made.push(rows.next())
    assert.equal(made.at(-1)?.at_ms, now().getTime())
    const ids = made.map(({ id }) => id)
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids).size, ids.length)
    for (const { id, at_ms } of made) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(timeOf(id), at_ms)
    }
    assert.notEqual(others.next().id.slice(18), made[0]?.id.slice(18))
  } finally {
    mock.timers.reset()
  }
})

test('rounds begin at once after a jump, and a stop ends their pause', async () => {
  const begun = Promise.withResolvers<void>()
  const rounds = new Rounds({ every_ms: 3_600_000, first: 'later', work: async () => begun.resolve() })
  rounds.start()
  moveAhead(aheadBy_s() + 1)
  await begun.promise
  await rounds.stop()
})
