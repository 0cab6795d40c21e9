// The contract as a Postman collection (v2.1), which Bruno, Insomnia and others can import too: one request for each operation, with its
// key and an example body. It is generated from the contract alone.

type Schema = {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  minimum?: number
}
type Parameter = { in: string; name: string; required?: boolean; description?: string; schema?: Schema }
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: readonly string[]
  parameters?: readonly Parameter[]
  requestBody?: { content: Record<string, Media> }
  security?: readonly object[]
}
export type Contract = {
  info: { title: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** The text of the collection. */
export function postmanCollection(contract: Contract): string {
  const folders = new Map<string, object[]>()
  for (const [path, operations] of Object.entries(contract.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag = 'Others'] = operation.tags ?? []
      folders.set(tag, [...(folders.get(tag) ?? []), requestOf(contract, method, path, operation)])
    }
  }
  const item = [...folders].map(([name, item]) => ({ name, item }))
  const used = [...JSON.stringify(item).matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name = '']) => name)
  // Keys have no value here, because clients keep theirs out of shared collections.
  const variables = {
    ...Object.fromEntries(['api_key', 'admin_key', ...used.sort()].map((name) => [name, ''])),
    base_url: 'http://127.0.0.1:8080',
  }
  const collection = {
    info: {
      name: contract.info.title,
      description: 'Made from openapi.json by npm run contract. Set base_url, and api_key (a venture) or admin_key (the operator).',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('api_key'),
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item,
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

const bearer = (variable: string) => ({ type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] })

function requestOf(contract: Contract, method: string, path: string, operation: Operation): object {
  const { operationId = '', summary = operationId, description, parameters = [] } = operation
  const segments = path.split('/').slice(1)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const ids = parameters.filter((parameter) => parameter.in === 'path')
  const body = bodyOf(contract, operation)
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      ...(description === undefined ? {} : { description }),
      ...authOf(operation),
      header: [
        ...(body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        // Optional headers are included but disabled, so that nobody has to look them up.
        ...parameters
          .filter((parameter) => parameter.in === 'header')
          .map(({ name, description, required = false }) => ({ key: name, value: headerOf(name), description, disabled: !required })),
      ],
      url: {
        raw: `{{base_url}}${path.replace(/\{([a-z_]+)\}/g, ':$1')}`,
        host: ['{{base_url}}'],
        path: segments.map((segment) => segment.replace(/^\{(.*)\}$/, ':$1')),
        ...(query.length === 0
          ? {}
          : {
              query: query.map(({ name, description, required = false, schema = {} }) => ({
                key: name,
                value: String(sampleOf(contract, schema) ?? ''),
                description,
                disabled: !required,
              })),
            }),
        ...(ids.length === 0 ? {} : { variable: ids.map(({ name, description }) => ({ key: name, value: `{{${name}}}`, description })) }),
      },
      ...(body === undefined ? {} : { body }),
    },
  }
}

const headerOf = (name: string): string => (name === 'Idempotency-Key' ? '{{$guid}}' : name === 'Vostro-Venture' ? '{{venture_id}}' : '1')

/** Operations marked (bank) need the operator's key; those that need no key, or only a session, get none. */
function authOf({ tags = [], security = [] }: Operation): { auth?: object } {
  if (!security.some((scheme) => 'bearer' in scheme)) return { auth: { type: 'noauth' } }
  return tags.some((tag) => tag.endsWith('(bank)')) ? { auth: bearer('admin_key') } : {}
}

type Body = { mode: 'raw'; raw: string; options: object } | { mode: 'formdata'; formdata: object[] }

function bodyOf(contract: Contract, { requestBody }: Operation): Body | undefined {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (media === undefined) return undefined
  if (type === 'multipart/form-data') {
    const names = Object.keys(resolved(contract, media.schema ?? {}).properties ?? {})
    return { mode: 'formdata', formdata: names.map((key) => ({ key, type: 'file', src: [] })) }
  }
  const given = media.example ?? Object.values(media.examples ?? {})[0]?.value
  return { mode: 'raw', raw: JSON.stringify(given, null, 2), options: { raw: { language: 'json' } } }
}

function resolved(contract: Contract, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolved(contract, contract.components.schemas[name] ?? {})
}

/** An initial value for a parameter: its schema's example, or else a value of its type. */
function sampleOf(contract: Contract, from: Schema): unknown {
  const schema = resolved(contract, from)
  const given = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0]
  const choice = schema.anyOf?.find((other) => resolved(contract, other).type !== 'null')
  if (given === undefined && choice !== undefined) return sampleOf(contract, choice)
  if (given !== undefined) return given
  if (schema.type === 'boolean') return false
  return schema.type === 'integer' ? (schema.minimum ?? 1) : (samples[schema.format ?? ''] ?? '')
}

const samples: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2030-01-31',
  'date-time': '2030-01-31T12:00:00.000Z',
  currency: 'EUR',
}
