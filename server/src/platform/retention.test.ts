import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../testing/testing.waits.ts'
import { createLog } from './log.ts'
import { type Pruning, Retention } from './retention.ts'

const lines: string[] = []
const log = createLog('info', { write: (line: string) => void lines.push(line) })

/** Yields these counts, one per step, each time it runs. `seen` is called with each count. */
function pruning(name: string, counts: readonly number[], seen: (count: number) => void): Pruning {
  return {
    name,
    async *steps() {
      for (const count of counts) {
        seen(count)
        yield count
      }
    },
  }
}

test('everything old is deleted at the start and again after each pause, and the log says how much', async () => {
  const seen: number[] = []
  const retention = new Retention({ prunings: [pruning('notes', [3, 0, 4], (count) => seen.push(count))], log, pause_ms: 1, every_ms: 1 })
  retention.start()
  await eventually(() => seen.length >= 6)
  await retention.stop()
  assert.deepEqual(seen.slice(0, 6), [3, 0, 4, 3, 0, 4])
  assert.ok(lines.some((line) => /"deleted":7,"msg":"deleted old notes"/.test(line)))
})

test('rows that are not deleted but otherwise dealt with are logged by what is done with them', async () => {
  const seen: number[] = []
  const cancelling = { ...pruning('promises', [2], (count) => seen.push(count)), done: 'cancelled' }
  const retention = new Retention({ prunings: [cancelling], log, pause_ms: 1, every_ms: 1 })
  retention.start()
  await eventually(() => seen.length >= 2)
  await retention.stop()
  assert.ok(lines.some((line) => /"cancelled":2,"msg":"cancelled old promises"/.test(line)))
})

test('one kind that fails does not keep the others from being deleted', async () => {
  const seen: number[] = []
  const failing: Pruning = {
    name: 'letters',
    // biome-ignore lint/correctness/useYield: it fails before its first step.
    async *steps() {
      throw new Error('not today')
    },
  }
  const retention = new Retention({
    prunings: [failing, pruning('notes', [1], (count) => seen.push(count))],
    log,
    pause_ms: 1,
    every_ms: 1,
  })
  retention.start()
  await eventually(() => seen.length >= 2)
  await retention.stop()
  assert.ok(lines.some((line) => line.includes('old letters could not be deleted')))
})

test('a stop ends a long deletion after the step under way', async () => {
  const seen: number[] = []
  const many = Array.from({ length: 10_000 }, () => 1)
  const retention = new Retention({ prunings: [pruning('notes', many, (count) => seen.push(count))], log, pause_ms: 5 })
  retention.start()
  await eventually(() => seen.length >= 2)
  await retention.stop()
  const stopped = seen.length
  assert.ok(stopped < many.length)
  await sleep(30)
  assert.equal(seen.length, stopped)
})
