import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { Refusal } from '../values/refusals.ts'
import { coalesce } from './coalesce.ts'

const patient = { wait_ms: 60_000 }

type Load = { keys: string[]; answer(values?: Record<string, unknown>): void; fail(error: Error): void }

/** A load that the test completes by hand. */
function heldLoads() {
  const loads: Load[] = []
  const load = (keys: string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, unknown>>()
    loads.push({ keys, answer: (values = {}) => resolve(new Map(Object.entries(values))), fail: reject })
    return promise
  }
  const at = (index: number) => loads[index] ?? assert.fail(`there was no load ${index}`)
  return { load, loads, at }
}

test('keys requested in one turn become one query with each key once, and every caller gets its own value', async () => {
  const { load, loads, at } = heldLoads()
  const find = coalesce(load, patient)
  const asked = [find('a'), find('b'), Promise.resolve().then(() => find('a')), find('nobody')]
  await nextTurn()
  assert.deepEqual(at(0).keys, ['a', 'b', 'nobody'])
  at(0).answer({ a: 1, b: 2 })
  assert.deepEqual(await Promise.all(asked), [1, 2, 1, undefined])
  await nextTurn()
  assert.equal(loads.length, 1)
})

test('nothing is cached: a key requested during a load, or after it, is loaded again', async () => {
  const { load, loads, at } = heldLoads()
  const find = coalesce(load, patient)
  const before = find('a')
  await nextTurn()
  const during = find('a')
  await nextTurn()
  assert.deepEqual(at(1).keys, ['a'])
  at(1).answer({ a: 'new' })
  assert.equal(await during, 'new')
  at(0).answer({ a: 'old' })
  assert.equal(await before, 'old')
  const afterwards = find('a')
  await nextTurn()
  at(2).answer({ a: 'newest' })
  assert.equal(await afterwards, 'newest')
  assert.equal(loads.length, 3)
})

test('a load that fails rejects only the callers that share it', async () => {
  const { load, at } = heldLoads()
  const find = coalesce(load, patient)
  const sharing = [find('a'), find('b'), find('a')]
  await nextTurn()
  const next = find('a')
  at(0).fail(new Error('away'))
  for (const outcome of await Promise.allSettled(sharing)) {
    assert.ok(outcome.status === 'rejected' && outcome.reason.message === 'away')
  }
  await nextTurn()
  at(1).answer({ a: 1 })
  assert.equal(await next, 1)
})

test('a load that throws synchronously fails in the same way, and the next one works', async () => {
  let calls = 0
  const find = coalesce((keys: string[]) => {
    if (++calls === 1) throw new Error('at once')
    return Promise.resolve(new Map(keys.map((key) => [key, key])))
  }, patient)
  await assert.rejects(find('a'), /at once/)
  assert.equal(await find('a'), 'a')
})

test('a query has at most the allowed number of keys, in the order requested; the rest follow in further queries', async () => {
  const { load, loads, at } = heldLoads()
  const find = coalesce(load, { size: 2, concurrency: 3, ...patient })
  const asked = ['a', 'b', 'c', 'd', 'e'].map(find)
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  assert.deepEqual(
    loads.map(({ keys }) => keys),
    [['a', 'b'], ['c', 'd'], ['e']],
  )
  at(2).answer({ e: 5 })
  at(0).answer({ a: 1, b: 2 })
  at(1).answer({ c: 3, d: 4 })
  assert.deepEqual(await Promise.all(asked), [1, 2, 3, 4, 5])
})

test('no more queries run concurrently than allowed, and the next one fills meanwhile', async () => {
  const { load, loads, at } = heldLoads()
  const find = coalesce(load, { concurrency: 1, ...patient })
  const asked = [find('a')]
  await nextTurn()
  for (const key of ['b', 'c', 'd']) {
    asked.push(find(key))
    await nextTurn()
  }
  assert.equal(loads.length, 1)
  at(0).answer({ a: 1 })
  await asked[0]
  await nextTurn()
  assert.deepEqual(at(1).keys, ['b', 'c', 'd'])
  at(1).answer({ b: 2, c: 3, d: 4 })
  assert.deepEqual(await Promise.all(asked), [1, 2, 3, 4])
})

test('a caller that waits too long is refused, and its key is no longer queried', async () => {
  const { load, loads, at } = heldLoads()
  const find = coalesce(load, { concurrency: 1, wait_ms: 20 })
  const unavailable = (error: unknown) => error instanceof Refusal && error.code === 'unavailable'
  const refused = [assert.rejects(find('a'), unavailable)]
  await nextTurn()
  // One query is running, and the next one waits for it.
  refused.push(assert.rejects(find('b'), unavailable))
  await Promise.all(refused)
  at(0).answer({ a: 1 })
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  assert.equal(loads.length, 1)
})

test('in any order of events, each caller gets its key from a load that began after its request, and within the limits', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ ask: fc.constantFrom('a', 'b', 'c', 'd') }) },
      { weight: 3, arbitrary: fc.record({ end: fc.nat(), fails: fc.boolean() }) },
      { weight: 2, arbitrary: fc.constant('turn' as const) },
    ),
    { maxLength: 40 },
  )
  const limits = fc.record({ size: fc.integer({ min: 1, max: 5 }), concurrency: fc.integer({ min: 1, max: 3 }) })
  await fc.assert(
    fc.asyncProperty(steps, limits, async (steps, { size, concurrency }) => {
      let clock = 0
      const running: { end(fails: boolean): void }[] = []
      const find = coalesce(
        (keys: string[]) => {
          const began = ++clock
          const { promise, resolve, reject } = Promise.withResolvers<Map<string, { key: string; began: number }>>()
          const values = new Map(keys.map((key) => [key, { key, began }]))
          running.push({ end: (fails) => (fails ? reject({ keys, began }) : resolve(values)) })
          assert.ok(keys.length > 0 && keys.length <= size && new Set(keys).size === keys.length)
          assert.ok(running.length <= concurrency)
          return promise
        },
        { size, concurrency, ...patient },
      )
      const callers: Promise<void>[] = []
      const ask = async (key: string) => {
        const asked = ++clock
        const answer = await find(key).catch((error: { keys: string[]; began: number }) => {
          assert.ok(error.keys.includes(key))
          return { key, began: error.began }
        })
        assert.equal(answer?.key, key)
        assert.ok(answer.began > asked, `asked at ${asked}, answered as of ${answer.began}`)
      }
      const end = async (which: number, fails: boolean) => {
        running.splice(which % running.length, 1)[0]?.end(fails)
        // The end of a load is noticed in this turn; only then may the next load begin.
        await Promise.resolve()
      }
      for (const step of steps) {
        if (step === 'turn') await nextTurn()
        else if ('ask' in step) callers.push(ask(step.ask))
        else if (running.length > 0) await end(step.end, step.fails)
      }
      let waiting = true
      const all = Promise.all(callers).finally(() => {
        waiting = false
      })
      for (let turns = 0; waiting && turns < 500; turns++) {
        await nextTurn()
        while (running.length > 0) await end(0, false)
      }
      assert.equal(waiting, false, 'a caller got no answer')
      await all
    }),
    { numRuns: 300 },
  )
})
