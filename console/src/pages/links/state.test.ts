import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOf } from './state.ts'

const link = { active: true, expires_at: null, uses: 1, max_uses: null }
const now = Date.parse('2026-11-16T12:00:00Z')

test('a link can be used until it is off, over or used up', () => {
  assert.equal(stateOf(link, now), 'ACTIVE')
  assert.equal(stateOf({ ...link, active: false, max_uses: 1 }, now), 'DISABLED')
  assert.equal(stateOf({ ...link, expires_at: '2026-11-16T12:00:00Z' }, now), 'EXPIRED')
  assert.equal(stateOf({ ...link, expires_at: '2026-11-17T12:00:00Z' }, now), 'ACTIVE')
  assert.equal(stateOf({ ...link, max_uses: 1 }, now), 'USED_UP')
  assert.equal(stateOf({ ...link, max_uses: 2 }, now), 'ACTIVE')
})
