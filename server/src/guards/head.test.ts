// HEAD works wherever GET does: it returns the same response without its body, for every kind of key, and has the same effects.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openBank } from '../testing/testing.ts'
import { Fixtures } from './matrix/matrix.fixtures.ts'
import { openKeys } from './matrix/matrix.keys.ts'
import { nameOf } from './matrix/matrix.names.ts'
import { complete, optionsOf } from './matrix/matrix.requests.ts'
import { rowOf } from './matrix/matrix.rows.ts'
import { openWatch } from './matrix/matrix.watch.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
const base = await bank.listen()
const own = await Fixtures.open(bank)
const keys = await openKeys(bank)
const callers = { ...keys, 'the right venture': { caller: own.caller } }
const watch = await openWatch(bank)

/** It counts its own requests, so no two responses have the same length. */
const growing = new Set(['GET /metrics', 'GET /api/v1/operator/health'])

/** The headers that must be equal for GET and HEAD. */
function comparable({ status, headers }: Answer, route: string): object {
  const { date: _, 'x-request-id': __, 'content-length': length, 'content-security-policy': policy = '', ...rest } = headers
  // Each response with a console page has its own nonce.
  const others = { ...rest, policy: policy.replace(/'nonce-[^']+'/, 'a nonce') }
  return growing.has(route) ? { status, others } : { status, length, others }
}

const gets = bank.app.routeTable.filter(({ method }) => method === 'GET')

for (const route of gets) {
  const name = nameOf(route)
  const row = rowOf(route)
  test(`HEAD as ${name}`, async () => {
    for (const make of row.makers) {
      const options = optionsOf(bank, route, await complete(route, row, make, own))
      for (const [key, { caller }] of Object.entries(callers)) {
        const before = await watch.position()
        const head = await caller.send({ ...options, method: 'HEAD' })
        assert.deepEqual(await watch.changesSince(before, own), [], `${key}: HEAD has changed something`)
        const get = await caller.send(options)
        assert.deepEqual(comparable(head, name), comparable(get, name), key)
        assert.equal(head.text, '', key)
        assert.equal(head.headers['content-length'] === undefined, get.headers['content-length'] === undefined, key)
      }
    }
  })
}

test('HEAD was tried on every path that takes GET, and is refused elsewhere', async () => {
  assert.ok(gets.length >= 40, `only ${gets.length} routes`)
  // Over a real connection, on which the server omits the body of a refusal.
  for (const [path, status, allow] of [
    ['/api/v1/venture/rotate-key', 405, 'POST'],
    ['/nowhere', 404, null],
  ] as const) {
    const answer = await fetch(base + path, { method: 'HEAD' })
    assert.deepEqual([answer.status, answer.headers.get('allow'), await answer.text()], [status, allow, ''])
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  }
})
