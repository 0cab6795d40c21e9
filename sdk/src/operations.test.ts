// Every operation of the contract is a method: a call of each compiles, and sends what the contract says.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { operationsOf, readContract, type Schema, typeOf, typesFor } from './make.ts'
import { Pages, Vostro } from './sdk.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const contract = readContract()
const operations = operationsOf(contract)

test('types.made.ts is made from openapi.json (else: npm run contract)', () => {
  assert.ok(
    readFileSync(join(root, 'sdk/src/types.made.ts'), 'utf8') === typesFor(contract),
    'types.made.ts has drifted: run npm run contract',
  )
})

/** A value of the schema's type. Optional fields are included, but left out one level deeper. */
function sampleOf(schema: Schema, depth = 0): unknown {
  if (schema.$ref !== undefined) return sampleOf(contract.components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}, depth)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  if (choice !== undefined) return sampleOf(choice, depth)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, depth)))
  const [type] = [schema.type ?? []].flat()
  switch (type) {
    case 'string':
      return schema.contentMediaType === 'application/octet-stream' ? new Blob(['file']) : 'some text'
    case 'integer':
    case 'number':
      return 7
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return [sampleOf(schema.items ?? {}, depth + 1)]
    default: {
      const fields = Object.entries(schema.properties ?? {}).filter(([name]) => depth < 2 || schema.required?.includes(name))
      return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, depth + 1)]))
    }
  }
}

type Call = {
  id: string
  method: string
  path: string
  names: string[]
  args: unknown[]
  takesKey: boolean
  payload: object | undefined
  isForm: boolean
}

/** A call of each operation, from the contract. */
const calls: Call[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId: id, parameters = [], requestBody }]) => {
    const { names, takesKey } = operations.find((operation) => operation.id === id) ?? assert.fail(id)
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `the ${name}`)
    const query = parameters.filter((parameter) => parameter.in === 'query' && !path.includes(`{${parameter.name}}`))
    const [[media, { schema = {} }] = ['', {}]] = Object.entries(requestBody?.content ?? {})
    const body = media === '' ? undefined : (sampleOf(schema) as object)
    const search =
      query.length === 0 ? undefined : Object.fromEntries(query.map((parameter) => [parameter.name, sampleOf(parameter.schema)]))
    const payload = body ?? search
    const args = [...ids, ...(payload === undefined ? [] : [payload])]
    return { id, method: method.toUpperCase(), path, names, args, takesKey, payload, isForm: media === 'multipart/form-data' }
  }),
)

test('the methods are called as the commands of Stripe are: resource, then verb', () => {
  const names = operations.map((operation) => operation.names.join('.'))
  assert.equal(new Set(names).size, names.length)
  for (const name of [
    'transfers.create',
    'transfers.list',
    'accounts.activate',
    'clients.registerPerson',
    'operator.cases.decide',
    'sandbox.accounts.deposit',
    'webhookEndpoints.rotateSecret',
    'paymentLinks.update',
  ])
    assert.ok(names.includes(name), name)
  assert.ok(operations.length >= 170)
})

/** The call as a line of TypeScript. */
function lineOf({ names, args }: Call): string {
  const code = args.map((value) =>
    JSON.stringify(value, (_, inner) => (inner instanceof Blob ? '<file>' : inner)).replaceAll('"<file>"', "new Blob(['file'])"),
  )
  return `vostro.${names.join('.')}(${code.join(', ')})`
}

const client = ["import { Vostro } from '@vostro/sdk'", "const vostro = new Vostro({ key: 'k', baseUrl: 'https://bank.example' })"]

function compile(...files: string[][]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-sdk-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [index, lines] of files.entries()) writeFileSync(join(folder, `calls${index}.mts`), lines.join('\n'))
  const options = {
    noEmit: true,
    noUnusedLocals: false,
    paths: { '@vostro/sdk': [join(root, 'sdk/src/sdk.ts')] },
    types: [],
    lib: ['es2023', 'dom'],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['calls*.mts'] }),
  )
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  })
  return { status, output: stdout }
}

test('a call of every operation compiles', () => {
  assert.deepEqual(compile([...client, ...calls.map((call) => `void ${lineOf(call)}`)]), { status: 0, output: '' })
})

test('a call without what it needs, or with a field that does not exist, does not compile', () => {
  const without = calls.filter(({ args, payload, id }) => args.length > 0 && (args[0] !== payload || !/^(list|get)/.test(id)))
  const invented = calls.filter(({ payload, isForm }) => payload !== undefined && !isForm)
  assert.ok(without.length > 100 && invented.length > 80)
  const lines = [
    ...without.map(({ names }) => `// @ts-expect-error\nvoid vostro.${names.join('.')}()`),
    ...invented.map(
      (call) =>
        `// @ts-expect-error\nvoid ${lineOf({ ...call, args: call.args.map((value) => (value === call.payload ? { ...call.payload, invented: 1 } : value)) })}`,
    ),
    "// @ts-expect-error\nvoid vostro.transfers.list({ status: 'INVENTED' })",
    '// @ts-expect-error\nvoid vostro.transfers.invented()',
    "// @ts-expect-error\nnew Vostro({ baseUrl: 'https://bank.example' })",
  ]
  assert.deepEqual(compile([...client, ...lines]), { status: 0, output: '' })
})

/** The variables that samples in the guides leave to the reader. */
const around = `
import type { Account, Beneficiary, TransferOrder, VostroEvent, WebhookHeaders } from '@vostro/sdk'
declare const account: Account, beneficiary: Beneficiary, order: TransferOrder, secret: string, lastEventId: string, signal: AbortSignal
declare function handle(event: VostroEvent): Promise<void>
declare function remember(id: string): Promise<void>
declare const request: { body: Uint8Array; headers: WebhookHeaders }
declare const express: { raw(options: { type: string }): unknown }
declare const app: { post(path: string, raw: unknown, handler: (given: typeof request, response: { sendStatus(status: number): void }) => Promise<void>): void }
export {}
`

test('the samples of the README and of the guides compile', () => {
  const files = ['sdk/README.md', ...globSync('docs/*.md', { cwd: root })]
  const samples = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code),
  )
  const ours = samples.filter((code) => /vostro\b|verifyWebhook/.test(code))
  assert.ok(ours.length >= 9, `${ours.length} samples`)
  const complete = ours.map((code) => [
    code.includes('const vostro') ? '' : 'declare const vostro: import("@vostro/sdk").Vostro',
    /import .*verifyWebhook/.test(code) ? '' : "import { verifyWebhook } from '@vostro/sdk'",
    around,
    code,
  ])
  assert.deepEqual(compile(...complete), { status: 0, output: '' })
})

test('a call of every operation sends the method, the path, the query and the body of the contract', async () => {
  let seen: { method?: string; url?: string; headers: Record<string, unknown>; body: Buffer } | undefined
  const server = createServer(async (request, response) => {
    seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: await buffer(request) }
    if (request.url?.endsWith('/return')) response.writeHead(302, { location: 'https://shop.example/thanks' }).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const vostro = new Vostro({ key: 'k', baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  for (const { id, method, path, names, args, takesKey, payload, isForm } of calls) {
    const resource = names
      .slice(0, -1)
      .reduce((place, name) => place[name] as Record<string, unknown>, vostro as unknown as Record<string, unknown>)
    const result = (resource[names.at(-1) ?? ''] as (...args: unknown[]) => unknown).apply(resource, args)
    const value = result instanceof Pages ? await result.page() : await result
    assert.ok(seen !== undefined, id)
    const url = new URL(seen.url ?? '', 'http://path')
    assert.equal(`${seen.method} ${decodeURIComponent(url.pathname)}`, `${method} ${path.replace(/\{(\w+)\}/g, 'the $1')}`, id)
    const search = Object.fromEntries(url.searchParams)
    if (method === 'GET')
      assert.deepEqual(search, Object.fromEntries(Object.entries(payload ?? {}).map(([name, sent]) => [name, String(sent)])), id)
    else if (isForm)
      assert.match(seen.body.toString(), new RegExp(`name="${Object.keys(payload as object)[0]}"; filename=.*\\r\\nfile\\r\\n`, 's'), id)
    else assert.equal(seen.body.toString(), payload === undefined ? '' : JSON.stringify(payload), id)
    const sent = (name: string) => seen?.headers[name]
    assert.equal(sent('authorization'), 'Bearer k', id)
    assert.equal(/^[0-9a-f-]{36}$/.test(String(sent('idempotency-key'))), takesKey, id)
    assert.equal(
      sent('content-type')?.toString().split(';')[0],
      isForm ? 'multipart/form-data' : seen.body.length > 0 ? 'application/json' : undefined,
      id,
    )
    if (names.at(-1) === 'returnAddress') assert.equal(value, 'https://shop.example/thanks')
  }
})

test('two operations of one name, an operation with body and query, and an unknown keyword are refused', () => {
  const get = { operationId: 'getThing', responses: { 200: {} } }
  const twice = {
    paths: { '/api/v1/things/{id}': { get: { ...get, parameters: [{ name: 'id', in: 'path', schema: {} }] } }, '/api/v1/things': { get } },
    components: { schemas: {} },
  }
  assert.throws(() => typesFor(twice), /Two operations are called things\.get/)
  const query = { name: 'colour', in: 'query', schema: {} }
  const both = { ...get, parameters: [query], requestBody: { content: { 'application/json': { schema: {} } } } }
  assert.throws(() => typesFor({ paths: { '/api/v1/things': { post: both } }, components: { schemas: {} } }), /a body and a query/)
  assert.throws(() => typeOf({ not: { type: 'string' } }, ''), /does not know not/)
})

test('types follow the schemas, with their descriptions', () => {
  assert.equal(typeOf({ type: ['string', 'null'], enum: ["it's", null] }, ''), "'it\\'s' | null")
  assert.equal(typeOf({ type: 'array', items: { type: ['string', 'null'] } }, ''), '(string | null)[]')
  assert.equal(typeOf({ anyOf: [{ $ref: '#/components/schemas/Some' }, { type: 'integer' }] }, ''), 'Some | number')
  assert.equal(typeOf({ type: 'object', additionalProperties: { type: 'integer' } }, ''), '{ [name: string]: number }')
  const schema = { type: 'object', required: ['b'], properties: { 'a-b': { type: 'boolean', description: 'Whether */ it is.' }, b: {} } }
  assert.equal(typeOf(schema, ''), "{\n  /** Whether *\u200b/ it is. */\n  'a-b'?: boolean | undefined\n  b: unknown\n}")
})

test('events are typed by their type, if the contract describes them as webhooks', () => {
  const described = {
    operationId: 'someEvent',
    summary: 'some.event',
    description: 'Something happened.',
    responses: {},
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/SomeEvent' } } } },
  }
  const made = typesFor({ paths: {}, webhooks: { 'some.event': { post: described } }, components: { schemas: {} } })
  assert.match(made, /^export type EventsByType = \{\n {2}\/\*\* Something happened\. \*\/\n {2}'some\.event': SomeEvent\n\}$/m)
  const refused = typesFor({
    paths: {
      '/api/v1/things': { get: { operationId: 'getThing', summary: 'Get a thing', responses: { 200: {} }, 'x-refusals': ['forbidden'] } },
    },
    components: { schemas: {} },
  })
  assert.match(
    refused,
    /\/\*\*\n {3}\* Get a thing\n {3}\*\n {3}\* May be refused with `forbidden`\.\n {3}\*\n {3}\* `GET \/api\/v1\/things`\n {3}\*\//,
  )
  assert.match(made, /^export type VostroEvent = EventsByType\[keyof EventsByType\]$/m)
})
