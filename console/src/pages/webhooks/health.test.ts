import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf } from './health.ts'

const ok = { failure: null }
const bad = { failure: 'The receiver answered with 500.' }
const delivered = { status: 'DELIVERED', attempts: [ok] } as const
const retried = { status: 'DELIVERED', attempts: [bad, ok] } as const
const failed = { status: 'FAILED', attempts: [bad, bad] } as const
const retrying = { status: 'PENDING', attempts: [bad] } as const
const waiting = { status: 'PENDING', attempts: [] } as const

test('an endpoint that got nothing yet is neither healthy nor failing', () => {
  assert.equal(healthOf([]).word, 'Nothing sent yet')
  assert.equal(healthOf([waiting]).word, 'Waiting')
})

test('the latest delivery that was tried decides whether an endpoint fails', () => {
  assert.equal(healthOf([failed, delivered]).word, 'Failing')
  assert.equal(healthOf([waiting, retrying, delivered]).word, 'Failing')
  assert.deepEqual(healthOf([delivered, failed, delivered]), {
    word: 'Some failed',
    tone: 'attention',
    note: '2 of the last 3 delivered',
  })
})

test('retries that worked are told, and what was not tried yet does not count', () => {
  assert.deepEqual(healthOf([waiting, delivered, retried]), {
    word: 'Healthy',
    tone: 'good',
    note: '2 of the last 2 delivered, 1 retried',
  })
  assert.equal(healthOf([delivered]).note, '1 of the last 1 delivered')
})
