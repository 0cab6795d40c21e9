// The contract, generated from the route schemas. The same document is served, committed as openapi.json, and tested for drift.
import fastifySwagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { catalogue, type RefusalCode } from '../../values/refusals.ts'
import type { Door } from '../http/access.ts'
import type { Example } from '../http/examples.ts'
import type { App } from '../http/http.ts'
import { Problem } from '../http/schemas.ts'
import { guideLinks } from './docs.guides.ts'
import { curlOf, type Sample } from './openapi.samples.ts'

type Json = { [name: string]: unknown }

const descriptionOf = (
  anyRefusals: readonly RefusalCode[],
): string => `[Vostro](/) is a Banking-as-a-Service core. A venture sends its API key with every request, as \`Authorization: Bearer <key>\`
or \`X-API-Key: <key>\`. People sign in and have a session. Amounts are decimal strings and times are in UTC. Every error response is a problem (RFC 9457) with a stable
\`code\`; the page of [error codes](/docs/errors) gives the cause and the remedy for each. Every operation lists the codes with which it can be refused. Besides these,
any request can get ${codesOf(anyRefusals)}.

The examples are commands for a shell. Set the address of the service, your key, and the ids that the command names:

    export VOSTRO_URL=http://localhost:8080 VOSTRO_KEY=vk_test_… ACCOUNT_ID=01a1de8a-…

The operator uses \`VOSTRO_ADMIN_KEY\`. Commands of people read the cookie that signing in has written to \`cookies.txt\`.

[Guides](/docs/guides): ${guideLinks()}.`

/** What the document says about an operation besides its schemas. */
type Facts = {
  /** How it is entered. */
  door: Door
  /** Whether it changes nothing. */
  reads: boolean
  /** Whether a key may call it. */
  byKey: boolean
  /** Whether a signed-in person may call it. */
  people: boolean
  /** Open to everyone, but only from the console. */
  fromConsole: boolean
  /** The codes that the operation itself refuses with, and those of all operations of its kind. */
  refusals: { own: readonly RefusalCode[]; ofKind: readonly RefusalCode[] }
  example: Example
}

type Sources = {
  factsOf(operationId: string, config: FastifyContextConfig, schema: FastifySchema): Facts
  /** The codes that any request can be refused with. */
  anyRefusals: readonly RefusalCode[]
  /** The ids in examples, by their names. */
  exampleIds: Readonly<Record<string, string>>
  /** The events that the service sends, as OpenAPI describes webhooks. */
  webhooks: () => Json
  /** Examples of resources, by the titles of their schemas. */
  resources: () => Json
}

export async function describeRoutes(app: App, sources: Sources): Promise<void> {
  const samples = new Map<string, RouteFacts>()
  const description = descriptionOf(sources.anyRefusals)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vostro', version: '1', description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
          header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key in its own header.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-vostro',
            description: 'The session of a signed-in person (`POST /api/v1/session`). On http://localhost, the cookie is called `vostro`.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { operationId, hide } = (schema ?? {}) as { operationId?: string; hide?: boolean }
      if (operationId === undefined || hide === true) return { url, schema }
      const config = route.config ?? {}
      const facts = sources.factsOf(operationId, config, schema)
      samples.set(operationId, { ...facts, ids: sources.exampleIds })
      const described = config.creates === undefined ? schema : withReplay(schema)
      return { url, schema: { ...described, ...bytesOf(config), ...headersOf(config, facts), security: securityOf(facts) } }
    },
    transformObject: (document) =>
      ('openapiObject' in document ? polish(document.openapiObject as Json, samples, sources) : document.swaggerObject) as Json,
  })
}

/** What is kept about a route until its operation is complete. */
type RouteFacts = Facts & Pick<Sample, 'ids'>

const IdempotencyKey = {
  type: 'string',
  pattern: '^[ -~]{1,255}$',
  description:
    'Makes the request safe to repeat for 24 hours: if it is sent again unchanged with the same key, it is not carried out again and gets the first ' +
    'successful response. While the first request runs, the second gets 409 `idempotency_key_in_use`. Another request with the same key gets ' +
    '422 `idempotency_key_reused`. If the response contained a secret, repeating the request gets 409 `idempotency_secret_shown`.',
}

const replayed = {
  'Idempotency-Replayed': {
    type: 'string',
    enum: ['true'],
    description: 'Present if the request had already been carried out and was not carried out again.',
  },
}

const VentureHeader = {
  type: 'string',
  format: 'uuid',
  description:
    "The venture that a person or the admin key acts for. Required with a session or the admin key, not needed with a venture's own key.",
}

const ConsoleHeader = {
  type: 'string',
  description: 'Any value. Required for requests of people, together with the Origin of the console.',
}

/** These headers are handled outside the schemas, so only the document contains them. */
function headersOf({ creates }: FastifyContextConfig, { door, reads, people, fromConsole }: Facts): FastifySchema {
  const comesFromConsole = fromConsole || (people && !reads)
  const properties = {
    ...(creates === undefined ? {} : { 'Idempotency-Key': IdempotencyKey }),
    ...(people && door === 'venture' ? { 'Vostro-Venture': VentureHeader } : {}),
    ...(comesFromConsole ? { 'X-Vostro-Console': ConsoleHeader } : {}),
  }
  const required = comesFromConsole && (fromConsole || door === 'session') ? ['X-Vostro-Console'] : []
  return Object.keys(properties).length === 0 ? {} : { headers: { type: 'object', properties, required } }
}

/** This body is parsed outside the schemas, so only the document describes it. */
function bytesOf({ files, envelope }: FastifyContextConfig): FastifySchema & { consumes?: string[] } {
  if (envelope !== undefined) return { body: envelope }
  if (files === undefined) return {}
  const properties = Object.fromEntries(
    Object.entries(files).map(([name, about]) => [
      name,
      { type: 'string', contentMediaType: 'application/octet-stream', description: about },
    ]),
  )
  return { consumes: ['multipart/form-data'], body: { type: 'object', properties } }
}

function securityOf({ door, people }: Facts): { [scheme: string]: string[] }[] {
  const keys = door === 'none' || door === 'session' ? [] : [{ bearer: [] }, { header: [] }]
  return people ? [...keys, { session: [] }] : keys
}

function withReplay(schema: FastifySchema): FastifySchema {
  const responses = Object.entries((schema.response ?? {}) as Record<string, object>)
  return {
    ...schema,
    response: Object.fromEntries(responses.map(([status, response]) => [status, { ...response, headers: replayed }])),
  }
}

/** The document as committed. */
export function contractOf(app: App): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`
}

/** Completes every operation, adds the events, and moves every schema with a title to the components. */
function polish(document: Json, told: ReadonlyMap<string, RouteFacts>, { webhooks, resources, anyRefusals }: Sources): Json {
  const schemas: Json = {}
  for (const [path, methods] of Object.entries(document['paths'] as Record<string, Record<string, Json>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      const facts = told.get(String(operation['operationId']))
      if (facts !== undefined) complete(operation, { ...facts, method: method.toUpperCase(), path })
    }
  }
  const paths = hoist(document['paths'], schemas)
  const events = hoist(webhooks(), schemas)
  const problem = schemas['Problem'] as { properties: Record<string, Json> } | undefined
  if (problem) problem.properties['code'] = { ...problem.properties['code'], enum: Object.keys(catalogue) }
  for (const [title, example] of Object.entries(resources())) Object.assign(schemas[title] ?? {}, { examples: [example] })
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    ...document,
    'x-refusals': anyRefusals,
    paths,
    webhooks: events,
    components: { ...(document['components'] as Json), schemas: sorted },
  }
}

type Parameter = { name: string; in: string; required?: boolean; example?: unknown }

/** Adds the refusals of an operation, and its example: in the parameters, in the body, and as a command. */
function complete(operation: Json, sample: RouteFacts & Pick<Sample, 'method' | 'path'>): void {
  const { refusals, example, ids } = sample
  operation['responses'] = {
    ...described(operation['responses'] as Record<string, Json>),
    ...refusalResponses(refusals),
    default: problemOf('Any other problem that every request can get.'),
  }
  const parameters = (operation['parameters'] ?? []) as Parameter[]
  // A filter that the path already sets is accepted, but there is no reason to send it.
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const once = parameters.filter((parameter) => parameter.in !== 'query' || !inPath.includes(parameter.name))
  if (once.length < parameters.length) operation['parameters'] = once
  for (const parameter of once) {
    const value = { ...ids, ...example.params, ...example.query }[parameter.name]
    if (value !== undefined && parameter.required === true) parameter.example = value
  }
  for (const content of Object.values((operation['requestBody'] as { content?: Json } | undefined)?.content ?? {}) as Json[]) {
    if (example.body !== undefined) content['example'] = example.body
  }
  operation['x-refusals'] = [...refusals.own, ...refusals.ofKind]
  operation['x-codeSamples'] = [{ lang: 'Shell', label: 'curl', source: curlOf(sample) }]
}

/** One response for each status, with all of its codes. The operation's own codes come first, with their causes. */
function refusalResponses({ own, ofKind }: Facts['refusals']): Json {
  const byStatus = Object.groupBy([...own, ...ofKind], (code) => String(catalogue[code].status))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => {
      const causes = codes.filter((code) => own.includes(code)).map((code) => `- ${codesOf([code])}: ${catalogue[code].cause}`)
      const others = codes.filter((code) => !own.includes(code))
      return [status, problemOf([...causes, ...(others.length === 0 ? [] : [`- ${codesOf(others)}`])].join('\n'))]
    }),
  )
}

const problemOf = (about: string): Json => ({ description: about, content: { 'application/problem+json': { schema: Problem } } })

const codesOf = (codes: readonly RefusalCode[]): string => codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')

const descriptions: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No content', 302: 'Found' }

/** Every response needs a description. The generator writes the same two words for all of them. */
function described(responses: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const own = response['description'] === 'Default Response' ? descriptions[status] : undefined
      return [status, own === undefined ? response : { ...response, description: own }]
    }),
  )
}

function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { transform: _, nfc: __, rule: ___, ...node } = value as Json
  const copy = Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, hoist(inner, schemas)]))
  const title = copy['title']
  if (typeof title !== 'string' || (copy['type'] !== 'object' && copy['type'] !== 'string')) return copy
  if (schemas[title] !== undefined && JSON.stringify(schemas[title]) !== JSON.stringify(copy)) {
    throw new Error(`two different schemas are called ${title}`)
  }
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
