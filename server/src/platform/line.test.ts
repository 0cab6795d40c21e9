import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Refusal } from '../values/refusals.ts'
import { Line } from './line.ts'

test('a line is left in the order of waiting, by as many as are asked for', () => {
  const times = fc.array(fc.nat(1_000_000), { minLength: 1 })
  fc.assert(
    fc.property(times, fc.array(fc.nat(5)), (times, takes) => {
      const line = new Line<{ since_ms: number; n: number }>(60_000_000)
      const begin_ms = performance.now()
      const places = times.map((ago_ms, n) => ({ since_ms: begin_ms - ago_ms, n }))
      for (const place of places) line.join(place, () => {}, place.since_ms)
      const left = [...takes.map((most) => line.take(most)), line.take(line.length)]
      // Those who have waited equally long stay in the order in which they joined.
      assert.deepEqual(
        left.flat(),
        places.toSorted((a, b) => a.since_ms - b.since_ms || a.n - b.n),
      )
      takes.forEach((most, index) => {
        assert.ok((left[index]?.length ?? 0) <= most)
      })
      assert.equal(line.length, 0)
    }),
  )
})

test('whoever has waited too long is refused, and nobody else', async () => {
  const line = new Line<string>(1_000_000)
  const now = performance.now()
  const refused: string[] = []
  const join = (name: string, ago_ms: number) =>
    line.join(
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
    [refused, line.take(9)],
    [
      ['oldest', 'old'],
      ['in time', 'new'],
    ],
  )
  // The line is watched again when it fills again.
  join('much later', 3_000_000)
  while (refused.length < 3) await sleep(1)
  assert.equal(line.length, 0)
})

test('what this process was too busy to notice is done before anybody is refused', async () => {
  const line = new Line<() => void>(10)
  const served = new Promise<void>((resolve, reject) => line.join(resolve, reject))
  setImmediate(() => line.take(1)[0]?.())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await served
})
