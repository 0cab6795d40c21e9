// The Postman collection: every operation of the contract once, with the right key and a body with all required fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openContract } from '../../contract.ts'
import { type Contract, postmanCollection } from '../../platform/docs/openapi.postman.ts'
import { textOf } from './packaging.files.ts'

type Item = {
  name: string
  request: {
    method: string
    auth?: { type: string; bearer?: { value: string }[] }
    header: { key: string; disabled?: boolean }[]
    url: { raw: string; path: string[]; variable?: { key: string; value: string }[] }
    body?: { mode: string; raw?: string; formdata?: { key: string }[] }
  }
}
type Collection = {
  info: { schema: string }
  auth: object
  variable: { key: string; value: string }[]
  item: { name: string; item: Item[] }[]
}

const contract = JSON.parse(textOf('openapi.json')) as Contract
const { operations: declared } = await openContract()
const collection = JSON.parse(postmanCollection(contract)) as Collection
const items = collection.item.flatMap(({ item }) => item)
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const find = (name: string): Item['request'] =>
  items.find(({ request }) => `${request.method} /${request.url.path.join('/')}` === name.replace(/\{(\w+)\}/g, ':$1'))?.request ??
  assert.fail(`${name} is missing`)

test('every operation is there once, in the folder of its tag', () => {
  assert.equal(items.length, operations.length)
  for (const { name, operation } of operations) {
    const request = find(name)
    assert.ok(
      collection.item.some((folder) => folder.name === operation.tags?.[0] && folder.item.some((item) => item.request === request)),
      name,
    )
  }
})

test('each request has the key that its operation needs: that of the venture, that of the operator, or none', () => {
  for (const { name, operation } of operations) {
    const { door } = declared.accessOf(operation.operationId ?? '')
    const { auth } = find(name)
    const key = auth?.type === 'noauth' ? 'none' : auth === undefined ? 'api_key' : auth.bearer?.[0]?.value
    const expected = { none: 'none', session: 'none', operator: '{{admin_key}}' } as const
    assert.equal(key, door in expected ? expected[door as keyof typeof expected] : 'api_key', name)
  }
})

test('variables of paths and bodies are declared, and keys have no value', () => {
  const declared = new Map(collection.variable.map(({ key, value }) => [key, value]))
  assert.deepEqual([declared.get('api_key'), declared.get('admin_key')], ['', ''])
  const used = new Set([...JSON.stringify(collection.item).matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name = '']) => name))
  assert.ok(used.has('transfer_id') && used.has('base_url'))
  assert.deepEqual(
    [...used].filter((name) => !declared.has(name)),
    [],
  )
})

test('a body is the example that the contract gives', () => {
  const { body } = find('POST /api/v1/transfers')
  const order = JSON.parse(body?.raw ?? '')
  assert.ok('account_id' in order && 'unique_reference' in order)
  for (const { name, operation } of operations) {
    const { body } = find(name)
    assert.equal(body !== undefined, operation.requestBody !== undefined, name)
    if (body?.mode === 'raw') JSON.parse(body.raw ?? '')
    else if (body !== undefined) assert.ok((body.formdata?.length ?? 0) > 0, name)
  }
})

test('an optional header is there and off', () => {
  const { header } = find('POST /api/v1/transfers')
  assert.deepEqual(header.find(({ key }) => key === 'Idempotency-Key')?.disabled, true)
})
