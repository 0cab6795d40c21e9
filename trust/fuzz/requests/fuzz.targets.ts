// The route table as a list of targets: what each route takes, and how its body is encoded.
import type { Door } from '../../../server/src/platform/http/access.ts'
import type { Route } from '../../../server/src/platform/http/http.ts'
import { rawBodies } from './fuzz.bodies.ts'
import type { Encoding, Schema } from './fuzz.schema.ts'

export type Target = {
  /** Method and URL, as in the route table. */
  id: string
  operationId: string | undefined
  method: string
  url: string
  key: Door
  /** It takes an idempotency key. */
  creates: boolean
  params: Record<string, Schema>
  /** Undefined: the route ignores its query, or picks the parameters it knows. */
  query: Record<string, Schema> | undefined
  requiredQuery: readonly string[]
  body: Schema | undefined
  /** Larger bodies are refused. */
  bodyLimit_bytes: number
  encoding: Encoding
  /** Fields of the response that the request must not contain. */
  answerOnly: readonly string[]
}

/** Documents that are served as they are: nothing in a request has any effect on them. */
const served = [
  'GET /docs',
  'GET /docs/',
  'GET /docs/js/*',
  'GET /docs/guides',
  'GET /docs/guides/*',
  'GET /console',
  'GET /console/*',
  'GET /console/assets/*',
]

/**
 * Routes that only people call who are signed in, or whose resources only people make: the attacks are sent with keys. And the route that could
 * revoke the very key of the attack.
 */
const ofPeople =
  /^\/console\/stream$|^\/api\/v1\/(session|venture\/(users|invitations|audit-log|keys\/:key_id\/revoke)|operator\/(users\/|invitations\/|jobs\/|pairs\/clearings))/

/** It would carry the keys of the attack, and everything that was made for it, into a future in which they have expired. */
const ofTheClock = 'POST /api/v1/sandbox/clock'

/** Reads no input, and occasionally fails on purpose. */
const ofTheDemo = 'POST /sandbox/receiver'

export function targetsOf(routes: readonly Route[]): Target[] {
  return routes
    .filter(({ method, url }) => ![...served, ofTheClock, ofTheDemo].includes(`${method} ${url}`) && !ofPeople.test(url))
    .map(targetOf)
}

function targetOf({ method, url, key, creates, bodyLimit_bytes, schema }: Route): Target {
  const id = `${method} ${url}`
  const given = schema.body as Schema | undefined
  const raw = rawBodies[id]
  if (raw === undefined && given === undefined && method === 'POST' && 'hide' in schema) {
    throw new Error(`${id} takes a body of its own form: describe it in fuzz.bodies.ts`)
  }
  const described = (schema.params as Schema | undefined)?.properties ?? {}
  const names = [...url.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name)
  const body = given ?? raw?.schema
  return {
    id,
    operationId: schema.operationId,
    method,
    url,
    key,
    creates,
    params: Object.fromEntries(names.map((name) => [name, described[name] ?? { type: 'string' }])),
    query: (schema.querystring as Schema | undefined)?.properties,
    requiredQuery: (schema.querystring as Schema | undefined)?.required ?? [],
    body,
    bodyLimit_bytes,
    encoding: body === undefined ? 'none' : (raw?.encoding ?? 'json'),
    answerOnly: answerFieldsOf(schema.response).filter((name) => body?.properties !== undefined && !(name in body.properties)),
  }
}

function answerFieldsOf(response: unknown): string[] {
  const schemas = Object.values((response ?? {}) as Record<string, Schema>)
  return schemas.flatMap((schema) => Object.keys((schema.items ?? schema).properties ?? {}))
}
