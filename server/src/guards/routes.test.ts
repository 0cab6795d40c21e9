import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from 'fast-json-stringify'
import { contractOf } from '../platform/docs/openapi.ts'
import { compileValidator } from '../platform/http/validation.ts'
import { Caller, openBank } from '../testing/testing.ts'
import { type KeyHolder, openKeys, opens } from './matrix/matrix.keys.ts'

const bank = await openBank()

test('every operation of the API has an id, a summary and a tag of its own', () => {
  const routes = bank.app.routeTable.filter(({ url }) => url.startsWith('/api/v1/'))
  const ids = routes.map(({ schema }) => schema.operationId)
  assert.ok(ids.every((id) => typeof id === 'string'))
  assert.equal(new Set(ids).size, ids.length)
  for (const { schema } of routes) assert.ok('summary' in schema && 'tags' in schema)
})

test('every schema compiles, although the first request that needs one would compile it', () => {
  const parts = ['body', 'querystring', 'params', 'headers'] as const
  let compiled = 0
  for (const { method, url, schema } of bank.app.routeTable) {
    for (const httpPart of parts) {
      const part = (schema as Partial<Record<typeof httpPart, object>>)[httpPart]
      if (part === undefined) continue
      compiled++
      assert.doesNotThrow(() => compileValidator({ schema: part, method, url, httpPart })({}), `${method} ${url} ${httpPart}`)
    }
    for (const [status, response] of Object.entries((schema as { response?: Record<string, object> }).response ?? {})) {
      compiled++
      assert.doesNotThrow(() => build(response), `${method} ${url} ${status}`)
    }
  }
  assert.ok(compiled > bank.app.routeTable.length, `${compiled} schemas`)
})

test('the tags of the operations of the bank, and of no others, end with (bank)', () => {
  const routes = bank.app.routeTable.filter(({ url }) => url.startsWith('/api/v1/'))
  for (const { key, schema } of routes) {
    const { tags = [], operationId } = schema as { tags?: readonly string[]; operationId?: string }
    assert.deepEqual([tags.length, tags.every((tag) => tag.endsWith(' (bank)'))], [1, key === 'operator'], operationId ?? '')
  }
})

type Described = {
  operationId: string
  security: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean }[]
}

test('the contract says by which credentials each operation is called, and which headers they need', () => {
  const { paths } = JSON.parse(contractOf(bank.app)) as { paths: Record<string, Record<string, Described>> }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const keys = ['bearer', 'header']
  const people = ['Vostro-Venture', 'X-Vostro-Console']
  const expected: Record<string, { by: string[]; headers?: string[]; required?: string[] }> = {
    getHealth: { by: [] },
    signIn: { by: [], headers: ['X-Vostro-Console'], required: ['X-Vostro-Console'] },
    getSession: { by: ['session'] },
    signOut: { by: ['session'], headers: ['X-Vostro-Console'], required: ['X-Vostro-Console'] },
    getAccount: { by: [...keys, 'session'], headers: ['Vostro-Venture'] },
    freezeAccount: { by: [...keys, 'session'], headers: people },
    createTransfer: { by: [...keys, 'session'], headers: ['Idempotency-Key', ...people] },
    rotateOwnKey: { by: keys },
    receiveKycEvent: { by: keys },
    listVentures: { by: [...keys, 'session'] },
    setRate: { by: [...keys, 'session'], headers: ['X-Vostro-Console'] },
  }
  for (const [name, { by, headers = [], required = [] }] of Object.entries(expected)) {
    const { security, parameters = [] } = operations.find(({ operationId }) => operationId === name) ?? assert.fail(name)
    const sent = parameters.filter((parameter) => parameter.in === 'header')
    assert.deepEqual(security.flatMap(Object.keys), by, name)
    assert.deepEqual(
      sent.map((parameter) => parameter.name),
      headers,
      name,
    )
    assert.deepEqual(
      sent.filter((parameter) => parameter.required === true).map((parameter) => parameter.name),
      required,
      name,
    )
  }
})

test('every string format that a request must have is also described in words', () => {
  const wordless = (node: unknown): string[] => {
    if (typeof node !== 'object' || node === null) return []
    const { pattern, rule } = node as { pattern?: unknown; rule?: unknown }
    const own = typeof pattern === 'string' && typeof rule !== 'string' ? [pattern] : []
    return [...own, ...Object.values(node).flatMap(wordless)]
  }
  const asked = bank.app.routeTable.map(({ schema: { body, params, querystring } }) => ({ body, params, querystring }))
  assert.deepEqual(wordless(asked), [])
  assert.ok(JSON.stringify(asked).includes('"rule":"must'), 'there is one')
})

test('every route accepts and refuses each kind of key as declared, whatever the body and the path contain', async () => {
  const callers: Record<string, KeyHolder> = { ...(await openKeys(bank)), venture: { caller: await bank.registerVenture(), as: 'venture' } }
  let refusals = 0
  for (const { method, url, key: door, config } of bank.app.routeTable) {
    for (const [name, { caller, as, ...holder }] of Object.entries(callers)) {
      if (opens(config?.access ?? { door }, { as, ...holder })) continue
      const expected = as === 'nobody' ? 401 : 403
      for (const payload of [undefined, '{', '{"surprise":1}']) {
        const answer = await caller.send({
          method: method as 'GET',
          url: url.replace(/:[a-z_]+/g, 'not-an-id'),
          ...(payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } }),
        })
        assert.equal(answer.status, expected, `${method} ${url} with ${name}`)
        assert.equal(answer.problem.code, expected === 401 ? 'unauthorized' : 'forbidden')
        assert.equal(answer.headers['www-authenticate'], expected === 401 ? 'Bearer realm="vostro"' : undefined)
        refusals++
      }
    }
  }
  assert.ok(refusals >= 100, `only ${refusals} refusals were looked at`)
})

test('the same key in both headers is one key', async () => {
  const { venture } = await bank.registerVenture()
  const caller = new Caller(bank.app, { authorization: `Bearer ${venture.api_key}`, 'x-api-key': venture.api_key })
  assert.equal((await caller.get('/venture')).body.id, venture.id)
})

test('without an admin key the admin routes do not exist, with any key and with none', async () => {
  const closed = await bank.openInstance({ adminApiKey: undefined })
  const { venture } = await bank.registerVenture()
  for (const { method, url } of closed.routeTable.filter(({ key }) => key === 'operator')) {
    for (const headers of [{}, { 'x-api-key': venture.api_key }, { 'x-api-key': bank.config.adminApiKey ?? '' }]) {
      const answer = await new Caller(closed, headers).send({ method: method as 'GET', url: url.replace(/:[a-z_]+/g, venture.id) })
      assert.equal(answer.status, 404, `${method} ${url}`)
      assert.equal(answer.problem.code, 'route_not_found')
    }
  }
})

test('the key for metrics reads them with and without an admin key, and is needed where there is no other', async () => {
  const { venture } = await bank.registerVenture()
  const [key, admin] = [bank.config.metricsApiKey ?? '', bank.config.adminApiKey ?? '']
  const read = async (changes: Parameters<typeof bank.openInstance>[0], headers: Record<string, string>) => {
    const { status, problem } = await new Caller(await bank.openInstance(changes), headers).send({ method: 'GET', url: '/metrics' })
    return status === 200 ? status : [status, problem.detail]
  }
  assert.equal(await read({}, { 'x-api-key': key }), 200)
  assert.equal(await read({}, { authorization: `Bearer ${admin}` }), 200)
  const withoutAdmin = { adminApiKey: undefined }
  assert.equal(await read(withoutAdmin, { authorization: `Bearer ${key}` }), 200)
  assert.deepEqual(await read(withoutAdmin, { 'x-api-key': venture.api_key }), [403, 'This operation needs the key for metrics.'])
  const unknown = 'The API key is unknown, has expired, or was revoked or rotated, or its venture is disabled.'
  assert.deepEqual(await read(withoutAdmin, { 'x-api-key': admin }), [401, unknown])
  const without = { metricsApiKey: undefined }
  assert.deepEqual(await read(without, { 'x-api-key': key }), [401, unknown])
  assert.equal(await read(without, { 'x-api-key': admin }), 200)
  assert.equal(((await read({ ...withoutAdmin, ...without }, { 'x-api-key': key })) as [number])[0], 404)
})
