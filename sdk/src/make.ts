// Generates types.made.ts from openapi.json: a type for each schema and a method for each operation. Run by `npm run contract`; a test
// fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  description?: string
  deprecated?: boolean
  contentMediaType?: string
  format?: string
  [keyword: string]: unknown
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Content = Record<string, { schema?: Schema }>
type Described = {
  operationId: string
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
  'x-refusals'?: string[]
}
export type Contract = {
  paths: Record<string, Record<string, Described>>
  webhooks?: Record<string, { post?: Described }>
  components: { schemas: Record<string, Schema> }
}

/** An operation as a method: `vostro.operator.cases.list` has the names operator, cases, list. */
export type Operation = {
  id: string
  method: string
  path: string
  names: string[]
  parameters: Parameter[]
  query: Parameter[]
  body: Schema | undefined
  isForm: boolean
  isList: boolean
  takesKey: boolean
  redirects: boolean
  /** The bodies of successful responses; the last one waits for a second person. */
  answers: Content[]
  comment: string[]
}

const files = { contract: new URL('../../openapi.json', import.meta.url), made: new URL('./types.made.ts', import.meta.url) }

export function readContract(): Contract {
  return JSON.parse(readFileSync(files.contract, 'utf8')) as Contract
}

/** Operations whose names do not follow from path and operationId. */
const named: Record<string, string> = {
  getHealth: 'service.health',
  getReadiness: 'service.readiness',
  getOwnVenture: 'venture.get',
  rotateOwnKey: 'venture.rotateKey',
  getSession: 'session.get',
  listSessions: 'session.listSessions',
  endSession: 'session.endSession',
  createTransfers: 'transfers.createMany',
  verifyPayee: 'payeeVerifications.create',
  answerPayeeRequest: 'vop.answer',
  returnFromPayment: 'payments.returnAddress',
  getReachableBanks: 'operator.rails.getReachableBanks',
  setReachableBanks: 'operator.rails.setReachableBanks',
  listVerificationRuns: 'operator.verifications.list',
  getVerificationRun: 'operator.verifications.get',
  listDeliveriesOfAllEndpoints: 'webhookDeliveries.list',
  listTransfersOfAllVentures: 'operator.transfers.list',
  payOutBlockedClient: 'operator.payOuts.create',
  forceDebit: 'operator.forcedDebits.create',
  endOfDay: 'operator.endOfDay.run',
  askVenture: 'operator.cases.ask',
  find: 'find.search',
  findInAllVentures: 'operator.find.search',
  getTestClock: 'sandbox.clock.get',
  advanceTestClock: 'sandbox.clock.advance',
}

/** Separate groups of resources, whose words occur in operationIds but not in methods. */
const groups: Record<string, string[]> = { operator: ['operator', 'bank'], sandbox: ['sandbox', 'in', 'from'] }

function namesOf(path: string, id: string): string[] {
  if (named[id] !== undefined) return named[id].split('.')
  const [first = '', second = ''] = path.replace('/api/v1/', '').split('/')
  const group = groups[first] && second !== '' ? first : undefined
  const resource = group === undefined ? first : second
  const said = new Set([...resource.split('-').map(singular), ...(group === undefined ? [] : (groups[group] ?? []))])
  const [verb = '', ...rest] = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
  const words = rest.filter((word) => !said.has(singular(word)))
  return [...(group === undefined ? [] : [group]), camel(resource.split('-')), camel([verb, ...words])]
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
}

function camel(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : capital(word))).join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function operationsOf({ paths }: Contract): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => operationOf(path, method, described)),
  )
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId: id, summary = '', description = '', parameters = [], requestBody, responses, 'x-refusals': codes = [] } = described
  const refusals = codes.length === 0 ? '' : `May be refused with ${codes.map((code) => `\`${code}\``).join(', ')}.`
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const query = parameters.filter((parameter) => parameter.in === 'query' && !pathNames.includes(parameter.name))
  const [media, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (body !== undefined && query.length > 0)
    throw new Error(`${id} has a body and a query: the methods cannot say which argument is which`)
  const waits = ([status]: readonly [string, unknown]) => Number(status === '202')
  const answers = Object.entries(responses)
    .filter(([status]) => /^[23]/.test(status))
    .sort((one, other) => waits(one) - waits(other))
  return {
    id,
    method: method.toUpperCase(),
    path,
    names: namesOf(path, id),
    parameters: pathNames.map(
      (name) => parameters.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? failed(`${id}: ${name}`),
    ),
    query,
    body: body?.schema,
    isForm: media === 'multipart/form-data',
    isList: query.some(({ name }) => name === 'after'),
    takesKey: parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key'),
    redirects: answers.some(([status]) => status.startsWith('3')),
    answers: answers.map(([, { content = {} }]) => content),
    comment: paragraphs(summary, description, refusals, `\`${method.toUpperCase()} ${path}\``),
  }
}

function paragraphs(...texts: string[]): string[] {
  return texts.filter((text) => text !== '').flatMap((text, index) => (index === 0 ? [text] : ['', text]))
}

function failed(message: string): never {
  throw new Error(message)
}

/** What `client.ts` parses: method, path and flags. */
function lineOf({ method, path, body, isForm, query, isList, takesKey, redirects }: Operation): string {
  const flags = [
    isForm ? 'f' : body !== undefined ? 'b' : isList ? 'l' : query.length > 0 ? 'q' : '',
    takesKey ? 'k' : '',
    redirects ? 'r' : '',
  ]
  return `${method} ${path} ${flags.join('')}`.trim()
}

type Tree = { [name: string]: Operation | Tree }

function treeOf(operations: readonly Operation[]): Tree {
  const tree: Tree = {}
  for (const operation of operations) {
    const [last = '', ...before] = [...operation.names].reverse()
    let place = tree
    for (const name of before.reverse()) {
      place[name] ??= {}
      const inner = place[name]
      if (isOperation(inner)) throw new Error(`${operation.id}: ${name} is a method already`)
      place = inner
    }
    if (place[last] !== undefined) throw new Error(`Two operations are called ${operation.names.join('.')}: add one to the table of names`)
    place[last] = operation
  }
  return tree
}

function isOperation(node: Operation | Tree): node is Operation {
  return 'id' in node && typeof node['id'] === 'string'
}

/** The text of types.made.ts. */
export function typesFor(contract: Contract): string {
  const operations = operationsOf(contract)
  const events = Object.entries(contract.webhooks ?? {})
  const tree = treeOf(operations)
  const imports = ["import type { Caller, CallOptions, Waiting } from './options.ts'", "import type { Pages } from './pages.ts'", '']
  return `${[
    '// Made from openapi.json by make.ts. Do not edit: `npm run contract` makes it again.',
    ...imports,
    ...Object.entries(contract.components.schemas).flatMap(([name, schema]) => [...declaration(name, schema), '']),
    '/** Why the service refuses. */',
    "export type ProblemCode = Problem['code']",
    '',
    ...eventTypes(events),
    ...operations.filter(({ query }) => query.length > 0).flatMap((operation) => [...queryType(operation), '']),
    ...resourceTypes(tree),
    ...resourcesClass(tree),
    'export type Operations = { readonly [name: string]: string | Operations }',
    '',
    '/** The method, the path and the flags of each operation, which client.ts explains. */',
    `export const operations: Operations = ${table(tree, '')}`,
  ].join('\n')}\n`
}

function declaration(name: string, schema: Schema): string[] {
  return [...comment([schema.description ?? ''], ''), `export type ${name} = ${typeOf(schema, '')}`]
}

/** The events by their type, if the contract describes them one by one. */
function eventTypes(events: [string, { post?: Described }][]): string[] {
  if (events.length === 0) return ['export type EventsByType = { [type: string]: Event }', '', 'export type VostroEvent = Event', '']
  const lines = events.flatMap(([name, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema ?? failed(`the webhook ${name} has no schema`)
    return [...comment([post?.description ?? ''], '  '), `  '${name}': ${typeOf(schema, '  ')}`]
  })
  return [
    '/** Every event, by its type. */',
    'export type EventsByType = {',
    ...lines,
    '}',
    '',
    '/** An event. `type` says which one, and with it what `data.object` is. Newer versions of the service may send further types. */',
    'export type VostroEvent = EventsByType[keyof EventsByType]',
    '',
  ]
}

function queryType({ id, query }: Operation): string[] {
  return [
    `export type ${capital(id)}Query = {`,
    ...query.flatMap(({ name, description, required = false, schema }) =>
      property(name, { ...schema, ...(description === undefined ? {} : { description }) }, required, '  '),
    ),
    '}',
  ]
}

function resourceTypes(tree: Tree, prefix: readonly string[] = []): string[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    if (isOperation(node)) return []
    const path = [...prefix, name]
    const lines = Object.entries(node).flatMap(([inner, child]) =>
      isOperation(child)
        ? [...comment(child.comment, '  '), ...signatures(child)]
        : [`  readonly ${inner}: ${reference([...path, inner], child)}`],
    )
    const generic = mayWait(node) ? '<By extends Caller>' : ''
    return [...resourceTypes(node, path), `export type ${typeName(path)}${generic} = {`, ...lines, '}', '']
  })
}

function reference(path: readonly string[], node: Tree): string {
  return `${typeName(path)}${mayWait(node) ? '<By>' : ''}`
}

/** Whether an operation may have to wait for a second person. */
function mayWait(node: Operation | Tree): boolean {
  return isOperation(node) ? node.answers.length > 1 : Object.values(node).some(mayWait)
}

/** The type of a resource. Some schemas share a name. */
function typeName(path: readonly string[]): string {
  return `${path.map(capital).join('')}Methods`
}

/** One signature, or two if the format decides whether the response is JSON. */
function signatures(operation: Operation): string[] {
  const { id, names, parameters, query, body, answers, isList, redirects } = operation
  const first = answers[0] ?? {}
  const given = parameters.map(({ name }) => `${name}: string`)
  const input =
    body !== undefined
      ? [`body: ${typeOf(body, '  ')}`]
      : query.length > 0
        ? [`query${query.some(({ required }) => required) ? '' : '?'}: ${capital(id)}Query`]
        : []
  const method = (inputs: readonly string[], result: string) =>
    `  ${names.at(-1)}(${[...given, ...inputs, 'options?: CallOptions'].join(', ')}): ${result}`
  if (redirects) return [method(input, 'Promise<string>')]
  const json = first['application/json']?.schema
  const result = json === undefined ? (Object.keys(first).length === 0 ? 'void' : 'Blob') : eventful(typeOf(json, '  '))
  if (isList) {
    if (json?.items === undefined) throw new Error(`${id} is a list of what?`)
    return [method(input, `Pages<${eventful(typeOf(json.items, '  '))}>`)]
  }
  const waiting = answers.slice(1).map((content) => content['application/json']?.schema ?? failed(`${id} waits for what?`))
  const whole = [result, ...waiting.map((schema) => `Waiting<By, ${typeOf(schema, '  ')}>`)].join(' | ')
  const format = query.find(({ name }) => name === 'format')
  if (json === undefined || Object.keys(first).length === 1 || format === undefined) return [method(input, `Promise<${whole}>`)]
  const others = (format.schema.enum ?? []).filter((word) => word !== 'json').map((word) => `'${word}'`)
  return [
    method([`query: ${capital(id)}Query & { format?: 'json' | undefined }`], `Promise<${whole}>`),
    method([`query: ${capital(id)}Query & { format: ${others.join(' | ')} }`], 'Promise<Blob>'),
  ]
}

/** Operations return events as they are typed one by one. */
function eventful(type: string): string {
  return type.replace(/^Event\b/, 'VostroEvent')
}

function resourcesClass(tree: Tree): string[] {
  const lines = Object.entries(tree).map(
    ([name, node]) => `  declare readonly ${name}: ${isOperation(node) ? failed(name) : reference([name], node)}`,
  )
  return [
    '/** What the client offers: a method for each operation. */',
    'export abstract class Resources<By extends Caller> {',
    ...lines,
    '}',
    '',
  ]
}

function table(tree: Tree, indent: string): string {
  const lines = Object.entries(tree).map(
    ([name, node]) => `${indent}  ${name}: ${isOperation(node) ? `'${lineOf(node)}'` : table(node, `${indent}  `)},`,
  )
  return ['{', ...lines, `${indent}}`].join('\n')
}

/** Keywords without meaning for TypeScript types. Unknown keywords could change the type, so they are refused. */
const withoutEffect = new Set(
  'title description default example examples format pattern minimum maximum minLength maxLength minItems maxItems uniqueItems deprecated contentMediaType contentEncoding required'.split(
    ' ',
  ),
)
const handled = new Set('$ref type enum const properties additionalProperties items anyOf oneOf allOf'.split(' '))

export function typeOf(schema: Schema, indent: string): string {
  const unknown = Object.keys(schema).filter((keyword) => !withoutEffect.has(keyword) && !handled.has(keyword) && !keyword.startsWith('x-'))
  if (unknown.length > 0) throw new Error(`make.ts does not know ${unknown.join(', ')} in a schema`)
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => grouped(typeOf(choice, indent))).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((part) => grouped(typeOf(part, indent))).join(' & ')
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? 'unknown' : types.map((type) => plain(type, schema, indent)).join(' | ')
}

function plain(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
      return schema.contentMediaType === 'application/octet-stream' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return `${grouped(typeOf(schema.items ?? {}, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    default:
      throw new Error(`make.ts does not know the type ${type}`)
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const lines = Object.entries(properties).flatMap(([name, schema]) => property(name, schema, required.includes(name), `${indent}  `))
  const other =
    additionalProperties === true ? 'unknown' : typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : undefined
  if (lines.length === 0) return `{ [name: string]: ${other ?? (additionalProperties === false ? 'never' : 'unknown')} }`
  const open = ['{', ...lines, `${indent}}`].join('\n')
  // Next to fields of other types, an index signature has to allow anything.
  return other === undefined ? open : `${open} & { [name: string]: unknown }`
}

function property(name: string, schema: Schema, required: boolean, indent: string): string[] {
  const safe = /^[a-z_]\w*$/i.test(name) ? name : `'${name}'`
  const type = typeOf(schema, indent)
  return [
    ...comment([schema.description ?? '', ...(schema.deprecated === true ? ['@deprecated'] : [])], indent),
    `${indent}${safe}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`,
  ]
}

function grouped(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
}

/** The comment of a declaration, if any. */
function comment(lines: readonly string[], indent: string): string[] {
  const text = lines.join('\n').trim().replaceAll('*/', '*\u200b/')
  if (text === '') return []
  if (!text.includes('\n')) return [`${indent}/** ${text} */`]
  return [
    `${indent}/**`,
    ...text
      .replace(/\n{3,}/g, '\n\n')
      .split('\n')
      .map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */`,
  ]
}

if (import.meta.main) writeFileSync(fileURLToPath(files.made), typesFor(readContract()))
