import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireListed } from './testing.refusals.ts'
import { openBank } from './testing.ts'

const { app } = await openBank()

test('a code that the contract does not list for an operation fails the test that gets it', () => {
  const read = { method: 'GET', url: '/api/v1/accounts/01a1de8a-c9c0-7000-8000-000000000007?limit=1' }
  assert.doesNotThrow(() => requireListed(app, read, 'account_not_found'))
  assert.doesNotThrow(() => requireListed(app, { ...read, method: 'HEAD' }, 'internal_error'))
  assert.throws(
    () => requireListed(app, read, 'client_not_found'),
    /getAccount refuses with client_not_found: add it to the refusals of its route/,
  )
})

test('a path without parameters is its own operation, and pages have no list', () => {
  const dryRun = { method: 'POST', url: '/api/v1/transfers/dry-run' }
  assert.throws(() => requireListed(app, dryRun, 'transfer_not_found'), /dryRunTransfer/)
  assert.doesNotThrow(() => requireListed(app, { method: 'GET', url: '/pay/a-token' }, 'payment_link_not_found'))
  assert.doesNotThrow(() => requireListed(app, { method: 'GET', url: '/nowhere' }, 'route_not_found'))
})
