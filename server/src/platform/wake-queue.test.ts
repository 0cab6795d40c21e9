import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WakeQueue } from './wake-queue.ts'

/** Batches that wait until the test lets them go. */
function openQueue(most: number) {
  const batches: string[][] = []
  let release = () => {}
  const queue = new WakeQueue<string>({
    most,
    work: (batch) => {
      batches.push(batch)
      return new Promise((resolve) => {
        release = resolve
      })
    },
  })
  const letGo = async () => {
    release()
    await new Promise(setImmediate)
  }
  return { queue, batches, letGo }
}

const named = (...names: string[]) => names.map((name) => [name[0] ?? '', name] as const)

test('one batch at a time; what comes meanwhile is the next one, and what comes twice is worked on once, as it was last', async () => {
  const { queue, batches, letGo } = openQueue(10)
  queue.wake(named('a1', 'b1'))
  queue.wake(named('c1', 'd1'))
  queue.wake(named('c2', 'a2'))
  assert.deepEqual(batches, [['a1', 'b1']])
  assert.deepEqual(
    ['a', 'b', 'c', 'e'].map((id) => queue.has(id)),
    [true, true, true, false],
  )
  await letGo()
  assert.deepEqual(batches.slice(1), [['c2', 'd1', 'a2']])
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => queue.has(id)),
    [true, false, true],
  )
  await letGo()
  assert.equal(queue.has('a'), false)
  queue.wake(named('e1'))
  assert.deepEqual(batches.slice(2), [['e1']])
})

test('a batch is no longer than allowed', async () => {
  const { queue, batches, letGo } = openQueue(2)
  queue.wake(named('a', 'b', 'c'))
  await letGo()
  await letGo()
  assert.deepEqual(batches, [['a', 'b'], ['c']])
})

test('a stop waits for the batch under way and begins no other; a start forgets what was left', async () => {
  const { queue, batches, letGo } = openQueue(1)
  queue.wake(named('a', 'b'))
  let isStopped = false
  const stopped = queue.stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  assert.equal(isStopped, false)
  await letGo()
  await stopped
  queue.wake(named('c'))
  assert.deepEqual(batches, [['a']])
  queue.start()
  queue.wake(named('d'))
  assert.deepEqual(batches, [['a'], ['d']])
  await letGo()
  await queue.stop()
})
