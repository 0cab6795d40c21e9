// A few scripts, played by the model, by one worker and by two, and proof that a difference is noticed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance } from '../../../server/src/processing/processing.planner.ts'
import { openBank } from '../../../server/src/testing/testing.ts'
import { compareWorkers } from './simulation.workers.ts'

const bank = await openBank()

// With these seeds, everything below occurs.
test('the model, one worker and two workers come to the same result', async () => {
  const seen = await compareWorkers({ bank, first: 41, seeds: 24 }).catch((error: Error) => assert.fail(error.message))
  const expected = [
    'COMPLETED',
    'REJECTED',
    'CANCELLED',
    'AML_REJECTED',
    'REVIEW',
    'ON_HOLD',
    'TO_RESERVE',
    'CREATED',
    'READY_FOR_SCREENING',
    'SENT_TO_CLEAR',
    'ACCEPTED',
  ].map((status) => `stands ${status}`)
  for (const word of [...expected, 'case hit', 'case amount', 'case rule', 'moved TO_RESEND']) assert.ok(seen.has(word), word)
  for (const worker of ['worker 1', 'worker 2']) assert.ok((seen.get(worker) ?? 0) > 0, `${worker} did nothing`)
})

test('a planner that plans otherwise than the worker is noticed', async () => {
  const impatient: typeof advance = (situation) => advance({ ...situation, now: new Date(situation.now.getTime() + 86_400_000 * 10) })
  await assert.rejects(compareWorkers({ bank, first: 1, seeds: 4, advance: impatient }), /the model and one worker differ/)
})
