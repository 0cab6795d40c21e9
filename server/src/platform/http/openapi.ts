// The contract, generated from the route schemas. The same document is served, committed as openapi.json and tested for drift.
import fastifySwagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { catalogue } from '../../values/refusals.ts'
import { guideLinks } from '../docs/docs.guides.ts'
import type { App } from './http.ts'
import { Problem } from './schemas.ts'

type Json = { [name: string]: unknown }

const description = `[Vostro](/) is a Banking-as-a-Service core. A venture sends its API key with every request, as \`Authorization: Bearer <key>\`
or \`X-API-Key: <key>\`. People sign in and have a session. Amounts are decimal strings and times are in UTC. Every error response is a problem (RFC 9457) with a stable
\`code\`; the page of [error codes](/docs/errors) gives the cause and the remedy for each.

[Guides](/docs/guides): ${guideLinks()}.`

/** Who may call an operation, as far as the document says it. */
type Callers = {
  /** Whether it changes nothing. */
  reads: boolean
  /** Whether somebody who is signed in may call it. */
  people: boolean
  /** Open to everybody, but only from the console. */
  fromConsole: boolean
}

export async function describeRoutes(app: App, callersOf: (operationId: string) => Callers): Promise<void> {
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
            description:
              'The session of somebody who is signed in (`POST /api/v1/session`). On http://localhost, the cookie is called `vostro`.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { operationId } = (schema ?? {}) as { operationId?: string }
      if (operationId === undefined) return { url, schema }
      const config = route.config ?? {}
      const callers = callersOf(operationId)
      const described = config.creates === undefined ? schema : withReplay(schema)
      return { url, schema: { ...described, ...filesOf(config), ...headersOf(config, callers), security: securityOf(config, callers) } }
    },
    transformObject: (document) => ('openapiObject' in document ? polish(document.openapiObject as Json) : document.swaggerObject) as Json,
  })
}

const IdempotencyKey = {
  type: 'string',
  pattern: '^[ -~]{1,255}$',
  description:
    'Makes the request safe to repeat for 24 hours: sent again unchanged with the same key, it is not carried out again and gets the first ' +
    'successful response. While the first request runs, the second gets 409 `idempotency_key_in_use`. Another request with the same key gets ' +
    '422 `idempotency_key_reused`. If the response contained a secret, repeating the request gets 409 `idempotency_secret_shown`.',
}

const replayed = {
  'Idempotency-Replayed': {
    type: 'string',
    enum: ['true'],
    description: 'Present if the request had been carried out before and was not carried out again.',
  },
}

const VentureHeader = {
  type: 'string',
  format: 'uuid',
  description:
    'The venture for which a person or the admin key acts. Required with a session or the admin key; a key of a venture needs no such header.',
}

const ConsoleHeader = {
  type: 'string',
  description: 'Any value. Required for requests of people, together with the Origin of the console.',
}

/** The headers are handled outside of the schemas, so only the document contains them. */
function headersOf({ key = 'venture', creates }: FastifyContextConfig, { reads, people, fromConsole }: Callers): FastifySchema {
  const comesFromConsole = fromConsole || (people && !reads)
  const properties = {
    ...(creates === undefined ? {} : { 'Idempotency-Key': IdempotencyKey }),
    ...(people && key === 'venture' ? { 'Vostro-Venture': VentureHeader } : {}),
    ...(comesFromConsole ? { 'X-Vostro-Console': ConsoleHeader } : {}),
  }
  const required = comesFromConsole && (fromConsole || key === 'session') ? ['X-Vostro-Console'] : []
  return Object.keys(properties).length === 0 ? {} : { headers: { type: 'object', properties, required } }
}

/** A body that is taken apart outside of the schemas, so only the document describes it. */
function filesOf({ files }: FastifyContextConfig): FastifySchema & { consumes?: string[] } {
  if (files === undefined) return {}
  const properties = Object.fromEntries(files.map((name) => [name, { type: 'string', contentMediaType: 'application/octet-stream' }]))
  return { consumes: ['multipart/form-data'], body: { type: 'object', properties } }
}

function securityOf({ key = 'venture' }: FastifyContextConfig, { people }: Callers): { [scheme: string]: string[] }[] {
  const keys = key === 'none' || key === 'session' ? [] : [{ bearer: [] }, { header: [] }]
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

/** Adds the refusals to every operation and moves every schema with a title to the components. */
function polish(document: Json): Json {
  const schemas: Json = {}
  const problem = { description: 'Error', content: { 'application/problem+json': { schema: Problem } } }
  for (const path of Object.values(document['paths'] as Json)) {
    for (const operation of Object.values(path as Json) as Json[]) {
      operation['responses'] = { ...described(operation['responses'] as Record<string, Json>), default: problem }
    }
  }
  const paths = hoist(document['paths'], schemas)
  const codes = Object.keys(catalogue)
  const Codes = schemas['Problem'] as { properties: Json } | undefined
  if (Codes) Codes.properties['code'] = { type: 'string', enum: codes }
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, paths, components: { ...(document['components'] as Json), schemas: sorted } }
}

const descriptions: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No content', 302: 'Found' }

/** Every response needs a description, for which the generator writes the same two words everywhere. */
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
