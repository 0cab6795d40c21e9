import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf } from './groups.ts'

const read = { method: 'GET', route: '/api/v1/transfers', status: 200, code: null, duration_ms: 4, at: '2026-01-01T10:00:00Z' }
const refused = { ...read, method: 'POST', status: 409, code: 'insufficient_funds', duration_ms: 9 }

test('what was answered alike is one group, with its slowest and its latest', () => {
  const later = { ...read, duration_ms: 7, at: '2026-01-01T11:00:00Z' }
  const [group, ...others] = groupsOf([later, read])
  assert.equal(others.length, 0)
  assert.deepEqual([group?.count, group?.slowest_ms, group?.at], [2, 7, later.at])
})

test('refusals come first, each code by itself, and then what there is most of', () => {
  const missing = { ...refused, status: 404, code: 'account_not_found' }
  const groups = groupsOf([read, read, read, missing, refused, refused])
  assert.deepEqual(
    groups.map(({ code, count }) => [code, count]),
    [
      ['insufficient_funds', 2],
      ['account_not_found', 1],
      [null, 3],
    ],
  )
})
