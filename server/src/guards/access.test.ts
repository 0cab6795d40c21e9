// The table of access has a row for every operation, and no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { openBank } from '../testing/testing.ts'
import { authenticate } from '../users/users.authentication.ts'
import { access, accessOf } from '../users/users.ts'

const bank = await openBank()

const operations = bank.app.routeTable.flatMap(({ schema }) => schema.operationId ?? [])

test('every operation has a row, and every row an operation', () => {
  assert.deepEqual([...new Set(operations)].sort(), Object.keys(access).sort())
})

test('a route without a row, or with another door than its row, is refused when it is registered', () => {
  const app = createHttp(createLog('silent'))
  authenticate(app, {} as Parameters<typeof authenticate>[1])
  const add = (config: object, schema: object) => () => app.get(`/${Math.random()}`, { config, schema }, async () => null)
  assert.throws(add({}, { operationId: 'openTheVault' }), /the operation openTheVault has no row: add one to users.access.ts/)
  assert.throws(add({ key: 'none' }, { operationId: 'listClients' }), /listClients has the door none in its route, but venture/)
  for (const key of ['venture', 'operator', 'session', 'verifier']) assert.throws(add({ key }, {}), /has no operationId/)
  add({ key: 'none' }, {})()
})

test('whatever changes something is closed to auditors and viewers, and what reads is open to all people', () => {
  for (const { method, schema, key } of bank.app.routeTable) {
    const { operationId: name = '' } = schema
    if (name === '' || (key !== 'venture' && key !== 'operator')) continue
    const { reads, venture = [], bank: atBank = [] } = accessOf(name)
    assert.equal(reads, method === 'GET', name)
    if (reads) assert.ok(atBank.includes('auditor'), name)
    else assert.ok(!venture.includes('viewer') && !atBank.includes('auditor'), name)
  }
})
