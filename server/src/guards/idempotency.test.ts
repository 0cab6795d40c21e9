// Every POST either creates something and can be repeated with an Idempotency-Key, or its route says why it creates nothing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { contractOf } from '../platform/docs/openapi.ts'
import { type Answer, openBank } from '../testing/testing.ts'
import { rightCaller } from './matrix/matrix.cases.ts'
import { Fixtures } from './matrix/matrix.fixtures.ts'
import { nameOf } from './matrix/matrix.names.ts'
import type { Parts } from './matrix/matrix.parts.ts'
import { complete, hasWorked, optionsOf } from './matrix/matrix.requests.ts'
import { rowOf } from './matrix/matrix.rows.ts'
import { openWatch } from './matrix/matrix.watch.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()
const [own, foreign] = [await Fixtures.open(bank), await Fixtures.open(bank)]
const watch = await openWatch(bank)

const creatingRoutes = bank.app.routeTable.filter(({ creates }) => creates)

test('every POST creates something with an idempotency key, or says why it creates nothing', () => {
  for (const { method, url, creates, config = {} } of bank.app.routeTable) {
    const why = config.createsNothing ?? ''
    if (method !== 'POST' || creates) assert.equal(why, '', url)
    else assert.match(why, /^[A-Z].+\.$/, url)
    assert.equal(config.another !== undefined, creates, url)
  }
  // An idempotency key belongs to a venture or to the bank, so only these may call such a route; and each status has one stored answer.
  for (const { method, key, url, schema } of creatingRoutes) {
    assert.ok(method === 'POST' && (key === 'venture' || key === 'operator'), url)
    // 202: nothing was created, because the request waits for a second person.
    const made = Object.keys(schema.response ?? {}).filter((status) => status !== '202')
    assert.match(made.join(), /^20[01]$/, url)
  }
})

test('the contract describes the header, its refusals and the header of the response, on exactly these operations', () => {
  type Operation = {
    operationId?: string
    parameters?: { name: string; description?: string }[]
    responses: Record<string, { headers?: object }>
  }
  const { paths } = JSON.parse(contractOf(bank.app)) as { paths: Record<string, Record<string, Operation>> }
  const described = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
  assert.deepEqual(described.map(({ operationId }) => operationId).sort(), creatingRoutes.map(({ schema }) => schema.operationId).sort())
  for (const { parameters = [], responses } of described) {
    const text = parameters.find(({ name }) => name === 'Idempotency-Key')?.description ?? ''
    for (const code of ['idempotency_key_in_use', 'idempotency_key_reused', 'idempotency_secret_shown']) assert.ok(text.includes(code))
    for (const status of ['200', '201']) {
      if (responses[status] !== undefined) assert.ok('Idempotency-Replayed' in (responses[status].headers ?? {}))
    }
  }
})

/** One key for everything: operations and ventures must not disturb each other. */
const key = randomUUID()

for (const route of creatingRoutes) {
  test(`${nameOf(route)}: the same request again has no second effect, and another request is refused`, async () => {
    const row = rowOf(route)
    const [make] = row.makers
    const send = (fixtures: Fixtures, parts: Parts): Promise<Answer> => {
      const options = optionsOf(bank, route, parts)
      return rightCaller(row, parts, fixtures).send({ ...options, headers: { ...options.headers, 'idempotency-key': key } })
    }
    const parts = await complete(route, row, make ?? assert.fail(), own)
    const first = await send(own, parts)
    assert.ok(hasWorked(route, row, first), first.text)
    const before = await watch.position()
    const ventures = await bank.count('ventures')

    const again = await send(own, parts)
    if (again.status === 409) {
      assert.deepEqual([again.problem.code, again.problem.resource_id], ['idempotency_secret_shown', first.body.id])
    } else {
      assert.deepEqual([again.status, again.text, again.headers['location']], [first.status, first.text, first.headers['location']])
      assert.equal(again.headers['idempotency-replayed'], 'true')
    }
    const other = await send(own, { ...parts, body: { ...parts.body, ...route.config?.another } })
    assert.deepEqual([other.status, other.problem?.code], [422, 'idempotency_key_reused'], other.text)
    assert.deepEqual([await watch.changesSince(before, own), await bank.count('ventures')], [[], ventures])

    if (row.door === 'operator') return
    const theirs = await send(foreign, await complete(route, row, make ?? assert.fail(), foreign))
    assert.ok(hasWorked(route, row, theirs), theirs.text)
    assert.equal(theirs.headers['idempotency-replayed'], undefined)
  })
}
