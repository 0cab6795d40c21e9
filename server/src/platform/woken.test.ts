import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Woken } from './woken.ts'

/** Batches that wait until they are let go. */
function openWoken(most: number) {
  const batches: string[][] = []
  let release = () => {}
  const woken = new Woken<string>({
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
  return { woken, batches, letGo }
}

const named = (...names: string[]) => names.map((name) => [name[0] ?? '', name] as const)

test('one batch at a time; what comes meanwhile is the next one, and what comes twice is worked on once, as it was last', async () => {
  const { woken, batches, letGo } = openWoken(10)
  woken.wake(named('a1', 'b1'))
  woken.wake(named('c1', 'd1'))
  woken.wake(named('c2', 'a2'))
  assert.deepEqual(batches, [['a1', 'b1']])
  assert.deepEqual(
    ['a', 'b', 'c', 'e'].map((id) => woken.has(id)),
    [true, true, true, false],
  )
  await letGo()
  assert.deepEqual(batches.slice(1), [['c2', 'd1', 'a2']])
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => woken.has(id)),
    [true, false, true],
  )
  await letGo()
  assert.equal(woken.has('a'), false)
  woken.wake(named('e1'))
  assert.deepEqual(batches.slice(2), [['e1']])
})

test('a batch is no longer than allowed', async () => {
  const { woken, batches, letGo } = openWoken(2)
  woken.wake(named('a', 'b', 'c'))
  await letGo()
  await letGo()
  assert.deepEqual(batches, [['a', 'b'], ['c']])
})

test('a stop waits for the batch under way and begins no other; a start forgets what was left', async () => {
  const { woken, batches, letGo } = openWoken(1)
  woken.wake(named('a', 'b'))
  let isStopped = false
  const stopped = woken.stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  assert.equal(isStopped, false)
  await letGo()
  await stopped
  woken.wake(named('c'))
  assert.deepEqual(batches, [['a']])
  woken.start()
  woken.wake(named('d'))
  assert.deepEqual(batches, [['a'], ['d']])
  await letGo()
  await woken.stop()
})
