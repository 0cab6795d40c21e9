import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { Refusal } from '../values/refusals.ts'
import { Turns } from './turns.ts'

const hour_ms = 3_600_000
const turnsWith = (changes: object = {}) => new Turns({ places: 2, mostOfOne: 1, mostWaiting: 3, wait_ms: hour_ms, ...changes })

/** Enters, and notes the name when the turn begins. */
function join(turns: Turns, venture_id: string, name: string, begun: string[]): Promise<void> {
  const turn = turns.enter(venture_id)
  if (turn === undefined) begun.push(name)
  return (turn ?? Promise.resolve()).then(() => void (turn === undefined || begun.push(name)))
}

test('ventures are served round robin, and the callers of one in their order', async () => {
  const turns = turnsWith({ places: 1, mostWaiting: 9 })
  const begun: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void join(turns, name.slice(0, 1), name, begun)
  assert.deepEqual(begun, ['a1'])
  for (let served = 1; served < 7; served++) {
    turns.leave(begun.at(-1)?.slice(0, 1) ?? '')
    await nextTurn()
  }
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  turns.leave('a')
  assert.deepEqual([turns.running, turns.waiting], [0, 0])
})

test('one venture leaves a place to others, even if nobody else is waiting', () => {
  const turns = turnsWith()
  assert.equal(turns.enter('a'), undefined)
  assert.notEqual(turns.enter('a'), undefined)
  assert.equal(turns.enter('b'), undefined)
  assert.deepEqual([turns.running, turns.waiting], [2, 1])
})

test('a venture with too many waiting callers is refused, and no other', () => {
  const turns = turnsWith({ places: 1 })
  const enter = (venture_id: string) => void turns.enter(venture_id)
  for (let n = 0; n < 4; n++) enter('a')
  assert.throws(
    () => enter('a'),
    (error) => error instanceof Refusal && error.code === 'too_many_lists' && error.details['retry_after_s'] === 1,
  )
  enter('b')
  assert.equal(turns.waiting, 4)
})

test('a caller that has waited too long is refused, and its place is not served', async () => {
  const turns = turnsWith({ places: 1, wait_ms: 1 })
  assert.equal(turns.enter('a'), undefined)
  await assert.rejects(
    async () => turns.enter('a'),
    (error) => error instanceof Refusal && error.code === 'too_many_lists',
  )
  assert.equal(turns.waiting, 0)
  turns.leave('a')
  assert.equal(turns.running, 0)
  assert.equal(turns.enter('b'), undefined)
})

test('between two parts, a caller lets every other venture go first, then continues before its own', async () => {
  const turns = turnsWith({ places: 1 })
  const begun: string[] = []
  assert.equal(turns.enter('a'), undefined)
  assert.equal(turns.pass('a'), undefined, 'nobody waits')
  void join(turns, 'a', 'a2', begun)
  assert.equal(turns.pass('a'), undefined, 'only its own venture waits')
  void join(turns, 'b', 'b1', begun)
  const continued = turns.pass('a')?.then(() => begun.push('a1'))
  await nextTurn()
  assert.deepEqual(begun, ['b1'])
  turns.leave('b')
  await continued
  assert.deepEqual(begun, ['b1', 'a1'])
  turns.leave('a')
  await nextTurn()
  assert.deepEqual(begun, ['b1', 'a1', 'a2'])
})

test('whatever happens, no more run than there are places, and everybody is served', async () => {
  const steps = fc.array(fc.record({ venture: fc.constantFrom('a', 'b', 'c'), act: fc.constantFrom('enter', 'pass', 'leave') }))
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), async (steps, places, mostOfOne) => {
      const turns = new Turns({ places, mostOfOne, mostWaiting: 1_000, wait_ms: hour_ms })
      const running: string[] = []
      let entered = 0
      let served = 0
      const begins = async (venture: string, turn: Promise<void> | undefined) => {
        if (turn !== undefined) await turn
        running.push(venture)
      }
      const end = (venture: string) => void running.splice(running.indexOf(venture), 1)
      for (const { venture, act } of steps) {
        if (act === 'enter') {
          entered++
          void begins(venture, turns.enter(venture))
        } else if (running.includes(venture)) {
          end(venture)
          if (act === 'pass') void begins(venture, turns.pass(venture))
          else {
            served++
            turns.leave(venture)
          }
        }
        await nextTurn()
        assert.equal(turns.running, running.length)
        assert.ok(running.length <= places)
        for (const one of running) assert.ok(running.filter((other) => other === one).length <= mostOfOne)
      }
      for (; running.length > 0; served++) {
        turns.leave(running.shift() ?? '')
        await nextTurn()
      }
      assert.deepEqual([served, turns.waiting], [entered, 0])
    }),
  )
})
