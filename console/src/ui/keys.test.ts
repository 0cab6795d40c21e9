import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes, scopesOf, stateOf } from './keys.ts'

test('scopes are told briefly', () => {
  assert.equal(scopesOf(['read']), 'read')
  assert.equal(scopesOf(['read', 'clients', 'accounts', 'sign']), 'read, clients and 2 more')
  assert.equal(scopesOf(scopes.map(({ scope }) => scope)), 'Everything')
})

test('a key works until it is revoked or expires', () => {
  const now = Date.parse('2026-05-01T00:00:00Z')
  assert.equal(stateOf({ revoked_at: null, expires_at: null }, now), 'ACTIVE')
  assert.equal(stateOf({ revoked_at: null, expires_at: '2026-05-01T00:00:00Z' }, now), 'EXPIRED')
  assert.equal(stateOf({ revoked_at: null, expires_at: '2026-05-02T00:00:00Z' }, now), 'ACTIVE')
  assert.equal(stateOf({ revoked_at: '2026-04-01T00:00:00Z', expires_at: null }, now), 'REVOKED')
})
