import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOf } from './invitations.ts'

const open = { used_at: null, revoked_at: null, expires_at: '2026-05-04T00:00:00.000Z' }
const now = Date.parse('2026-05-02T00:00:00Z')

test('an invitation is open until it is used, revoked or has expired', () => {
  assert.equal(stateOf(open, now), 'OPEN')
  assert.equal(stateOf(open, Date.parse(open.expires_at)), 'EXPIRED')
  assert.equal(stateOf({ ...open, revoked_at: '2026-05-01T00:00:00Z' }, now), 'REVOKED')
  assert.equal(stateOf({ ...open, used_at: '2026-05-01T00:00:00Z' }, now), 'ACCEPTED')
})
