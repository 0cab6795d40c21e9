import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorHealth } from '@vostro/sdk'
import { agoWords, perSecond, tookWords, troublesOf, waitWords } from './health.words.ts'

const well: OperatorHealth = {
  status: 'GREEN',
  missing: [],
  requests_last_minute: 90,
  routes: [],
  pool: { busy: 1, idle: 2, waiting: 0 },
  deliveries: { pending: 3, failed: 1, oldest_due_s: 5 },
  jobs: [{ kind: 'payments.ask', ready: 2, dead: 0, oldest_due_s: 0 }],
  request_log: { waiting: 0, dropped: 0 },
  exchange: { oldest_file_s: 0.5, last_round_s: 1, refused_files: 3 },
}

test('figures are written as people read them', () => {
  assert.equal(perSecond(90), '1.5')
  assert.equal(perSecond(60_000), '1000')
  assert.equal(tookWords(25), '25 ms')
  assert.deepEqual([3.03, 20.15, 165.61].map(tookWords), ['3 ms', '20 ms', '166 ms'])
  assert.equal(tookWords(2_500), '2.5 s')
  assert.equal(tookWords(null), 'over 10 s')
  assert.equal(waitWords(1), '1 second')
  assert.equal(waitWords(150), '2 minutes')
  assert.equal(waitWords(7_300), '2 hours')
  assert.deepEqual([0.4, 59, 400].map(agoWords), ['Just now', '59 seconds ago', '6 minutes ago'])
})

test('only what needs somebody is a trouble', () => {
  assert.deepEqual(troublesOf(well), [])
  assert.deepEqual(troublesOf({ ...well, exchange: null }), [])
  assert.deepEqual(troublesOf({ ...well, status: 'RED', exchange: { oldest_file_s: 500, last_round_s: 400, refused_files: 0 } }), [
    'The file exchange has stopped: its last pass ended 6 minutes ago.',
    'A file has been waiting in the inbox for 8 minutes.',
  ])
  const ill = { ...well, jobs: [{ kind: 'rails.send', ready: 1, dead: 2, oldest_due_s: 120 }], pool: { busy: 9, idle: 0, waiting: 1 } }
  assert.deepEqual(troublesOf(ill), [
    '1 request waiting for a database connection.',
    '2 jobs failed and out of retries.',
    'A rails.send job is 2 minutes overdue.',
  ])
})
