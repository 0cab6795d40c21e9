// Requests of the matrix: a row is completed with ids of the fixtures, one of them is changed, the request is sent, and the responses are compared.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Door } from '../../platform/http/access.ts'
import type { Route } from '../../platform/http/http.ts'
import type { Kind } from '../../platform/http/trial.ts'
import { isUuid } from '../../platform/http/validation.ts'
import { signedHeaders } from '../../platform/standard-webhooks.ts'
import { formOf } from '../../testing/testing.lists.ts'
import type { Answer, Bank } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'
import { isIdLike, labels, nameOf } from './matrix.names.ts'
import type { Maker, Parts, Row } from './matrix.parts.ts'
import { superfluous } from './matrix.rows.ts'

type Schema = { type?: string | string[]; format?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
type Place = 'params' | 'query' | 'body' | 'form' | 'signed'

/** An id or name in a request. It has no schema in the path of a page, in a form or in a body that the verifier signs. */
export type Field = { place: Place; name: string; kind: Kind; schema: Schema | undefined }

function kindOf(door: Door, { kinds }: Row, name: string): Kind {
  const said = kinds[name]
  if (said !== undefined) return said
  if (name === 'after') return 'cursor'
  if (labels.has(name)) return 'label'
  if (name === 'unique_reference' || name === 'orderNumber') return 'claimed'
  return door === 'venture' || door === 'verifier' ? 'theirs' : 'anybodys'
}

/** Every id that a route takes: those in its path and schemas, and those in the form or envelope of the row, which have no schema. */
export function fieldsOf(route: Route, row: Row, parts: Parts): Field[] {
  const field = (place: Place, name: string, schema?: Schema): Field => ({ place, name, schema, kind: kindOf(route.key, row, name) })
  const inSchema = (place: Place, schema: unknown) =>
    Object.entries((schema as Schema | undefined)?.properties ?? {})
      .filter(([name, property]) => isIdLike(name, property))
      .map(([name, property]) => field(place, name, property))
  const inParts = (place: 'form' | 'signed') => Object.keys(parts[place] ?? {}).filter((name) => isIdLike(name))
  const params = (route.schema.params as Schema | undefined)?.properties ?? {}
  return [
    ...[...route.url.matchAll(/:(\w+)/g)].map(([, name = '']) => field('params', name, params[name])),
    ...inSchema('query', route.schema.querystring),
    ...inSchema('body', route.schema.body),
    ...(['form', 'signed'] as const).flatMap((place) => inParts(place).map((name) => field(place, name))),
  ]
}

/** Faults: special rows without a route, and ids that rows do not reach. */
export function faultsOf(routes: readonly Route[]): string[] {
  return [
    ...superfluous(routes).map((name) => `${name} is a row without a route: remove it from matrix.special.ts`),
    ...routes.flatMap((route) =>
      nestedIds(route.schema.body).map(
        (id) => `${nameOf(route)} takes the id ${id} inside its body: extend matrix.requests.ts to reach it`,
      ),
    ),
  ]
}

/** Ids inside lists and objects of a body, which rows do not reach. A label refers to nothing. */
function nestedIds(schema: unknown, depth = 0): string[] {
  const { properties = {}, items, anyOf = [] } = (schema ?? {}) as Schema
  const here = Object.entries(properties).flatMap(([name, inner]) => [
    ...(inner.items?.format === 'uuid' || (depth > 0 && isIdLike(name, inner) && !labels.has(name)) ? [name] : []),
    ...nestedIds(inner, depth + 1),
  ])
  return [...here, ...[...(items === undefined ? [] : [items]), ...anyOf].flatMap((inner) => nestedIds(inner, depth + 1))]
}

/** A valid request: the row with all ids of its path and body filled in, and with `query` also that filter or cursor. */
export async function complete(route: Route, row: Row, make: Maker, fixtures: Fixtures, query?: Field): Promise<Parts> {
  let parts = await make(fixtures)
  for (const field of fieldsOf(route, row, parts)) {
    // A cursor is the id of a row of the list; the caller has to look it up.
    if (field.place === 'query' && (field.name !== query?.name || field.kind === 'cursor')) continue
    if (valueIn(parts, field) === undefined) parts = changed(parts, field, fixtureValue(route, field, parts, fixtures))
  }
  return parts
}

function fixtureValue(route: Route, field: Field, { given }: Parts, { ids, label, number }: Fixtures): string | number {
  const known = (given?.[field.name] ?? (ids as Record<string, string>)[field.name]) as string | undefined
  // A taken name cannot be sent again.
  if (field.kind === 'claimed') return randomUUID()
  if (known !== undefined) return known
  if (field.kind === 'label') return [field.schema?.type].flat().includes('integer') ? number : label
  throw new Error(
    `${nameOf(route)} takes the id ${field.name} in its ${field.place}, and nothing gives one: ` +
      'let the trial of the route make it, add it to the ids of the fixtures, or name it among the labels in matrix.names.ts',
  )
}

export function valueIn(parts: Parts, { place, name }: Field): unknown {
  return parts[place]?.[name]
}

export function changed(parts: Parts, { place, name }: Field, value: unknown): Parts {
  return { ...parts, [place]: { ...parts[place], [name]: value } }
}

/** A value of the same form that does not exist. */
export function randomLike(value: unknown): unknown {
  if (typeof value === 'number') return randomInt(1_000_000, 2_000_000)
  const text = String(value)
  return isUuid(text) ? uuidv7() : randomBytes(text.length).toString('hex').slice(0, text.length)
}

/** An unknown id directly next to another in every order: as a cursor it gives the same page. */
export function besides(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

/** Includes notations that PostgreSQL would accept as an id. */
export function malformedLike({ place, kind, schema }: Field, value: unknown): unknown[] {
  // Almost any text is a valid name.
  const isName = kind === 'label' || kind === 'claimed' || kind === 'name' || (kind === 'filter' && schema?.format !== 'uuid')
  if (isName) return place === 'form' ? ['!'] : [{}]
  const text = String(value)
  return isUuid(text) ? ['not-an-id', `{${text}}`, text.replaceAll('-', ''), `${text}0`] : [text.slice(1), `${text}0`]
}

/** The request as sent. */
export function optionsOf(bank: Bank, route: Route, parts: Parts): InjectOptions {
  const options = requestOf(bank, route, parts)
  return { ...options, headers: { ...options.headers, ...parts.headers } }
}

function requestOf(bank: Bank, route: Route, { params = {}, query = {}, body, form, files, signed }: Parts): InjectOptions {
  const path = route.url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? '')).replace('*', params['*'] ?? '')
  const search = new URLSearchParams(query).toString()
  const where = { method: route.method as 'GET', url: search === '' ? path : `${path}?${search}` }
  if (form !== undefined) {
    const payload = new URLSearchParams(form).toString()
    return { ...where, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  }
  if (files !== undefined) return { ...where, ...formOf(files) }
  if (signed !== undefined) return { ...where, ...signedBy(bank, signed) }
  if (body === undefined) return where
  return { ...where, payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** A new event each time, because a repeated one gets its first response again. */
function signedBy(bank: Bank, event: object) {
  const id = randomUUID()
  const payload = JSON.stringify({ id, created_at: new Date().toISOString(), ...event })
  return {
    payload,
    headers: { 'content-type': 'application/json', ...signedHeaders(bank.config.kycWebhookSecrets, { id, body: payload }) },
  }
}

export function withRandom(parts: Parts, fields: readonly Field[]): Parts {
  return fields.reduce((all, field) => changed(all, field, randomLike(valueIn(all, field))), parts)
}

/** The bytes of a response, without those that depend on the request. */
export function bytesOf({ status, headers, text }: Answer, { apart = [] }: Row): string {
  const { date: _, 'x-request-id': __, ...others } = headers
  const own = new RegExp(`"(${['request_id', 'instance', ...apart].join('|')})":"[^"]*"`, 'g')
  return JSON.stringify([status, others, text.replace(own, '')])
}

/** Whether a valid request was carried out, with a status from its schema. */
export function hasWorked({ schema }: Route, row: Row, answer: Answer): boolean {
  const designed = row.status === undefined ? Object.keys(schema.response ?? {}).map(Number) : [row.status]
  if (designed.length > 0 ? !designed.includes(answer.status) : answer.status >= 400) return false
  // Gateways of this family refuse with status 200 and a code.
  return Number(answer.body?.errorCode ?? 0) === 0 && (row.works?.(answer) ?? true)
}

/** Whether a response is the one for an unknown id: a refusal, or an empty list. */
export function showsNothing(route: Route, row: Row, answer: Answer): boolean {
  return Array.isArray(answer.body) ? answer.body.length === 0 : !hasWorked(route, row, answer)
}
