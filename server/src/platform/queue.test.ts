import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Refusal } from '../values/refusals.ts'
import { Queue } from './queue.ts'

test('a queue is served in order of waiting time, and `take` returns at most the requested number', () => {
  const times = fc.array(fc.nat(1_000_000), { minLength: 1 })
  fc.assert(
    fc.property(times, fc.array(fc.nat(5)), (times, takes) => {
      const queue = new Queue<{ since_ms: number; n: number }>(60_000_000)
      const begin_ms = performance.now()
      const places = times.map((ago_ms, n) => ({ since_ms: begin_ms - ago_ms, n }))
      for (const place of places) queue.join(place, () => {}, place.since_ms)
      const left = [...takes.map((most) => queue.take(most)), queue.take(queue.length)]
      // Items that have waited equally long stay in the order in which they joined.
      assert.deepEqual(
        left.flat(),
        places.toSorted((a, b) => a.since_ms - b.since_ms || a.n - b.n),
      )
      takes.forEach((most, index) => {
        assert.ok((left[index]?.length ?? 0) <= most)
      })
      assert.equal(queue.length, 0)
    }),
  )
})

test('items that weigh more or less are taken in their order, as many as weigh no more than allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { minLength: 1 }), fc.integer({ min: 5, max: 12 }), (weights, most) => {
      const queue = new Queue<number>(60_000_000)
      for (const weight of weights) queue.join(weight, () => {})
      const weightOf = (items: readonly number[]) => items.reduce((sum, weight) => sum + weight, 0)
      const left = [...weights]
      while (queue.length > 0) {
        const taken = queue.take(most, (weight) => weight)
        assert.deepEqual(taken, left.splice(0, taken.length))
        assert.ok(weightOf(taken) <= most)
        // The next item would have been too heavy.
        assert.ok(left.length === 0 || weightOf(taken) + Number(left[0]) > most)
      }
      assert.deepEqual(left, [])
    }),
  )
})

test('an item that has waited too long is refused, and no other', async () => {
  const queue = new Queue<string>(1_000_000)
  const now = performance.now()
  const refused: string[] = []
  const join = (name: string, ago_ms: number) =>
    queue.join(
      name,
      (refusal) => {
        assert.ok(refusal instanceof Refusal && refusal.code === 'unavailable' && Number(refusal.details['retry_after_s']) > 0)
        refused.push(name)
      },
      now - ago_ms,
    )
  join('new', 0)
  join('oldest', 2_000_000)
  join('in time', 500_000)
  join('old', 1_500_000)
  while (refused.length < 2) await sleep(1)
  await nextTurn()
  assert.deepEqual(
    [refused, queue.take(9)],
    [
      ['oldest', 'old'],
      ['in time', 'new'],
    ],
  )
  // The timer starts again when the queue fills again.
  join('much later', 3_000_000)
  while (refused.length < 3) await sleep(1)
  assert.equal(queue.length, 0)
})

test('what this process was too busy to notice is done before anything is refused', async () => {
  const queue = new Queue<() => void>(10)
  const served = new Promise<void>((resolve, reject) => queue.join(resolve, reject))
  setImmediate(() => queue.take(1)[0]?.())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await served
})
