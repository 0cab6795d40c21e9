// The rows of the matrix: a valid request of each route, derived from its declaration (access, example and trial). Ids in path, query and body are filled
// in from the fixtures by name. Requests that need their own code are in matrix.special.ts.
import { randomUUID } from 'node:crypto'
import type { Access } from '../../platform/http/access.ts'
import { type Example, exampleIds } from '../../platform/http/examples.ts'
import type { Route } from '../../platform/http/http.ts'
import type { Sender, Trial } from '../../platform/http/trial.ts'
import { consoleHeaders } from '../../testing/testing.sessions.ts'
import type { Caller } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'
import { makeFresh } from './matrix.fresh.ts'
import { isIdLike, nameOf } from './matrix.names.ts'
import type { Given, Maker, Row } from './matrix.parts.ts'
import { type Special, special } from './matrix.special.ts'

export function rowOf(route: Route): Row {
  const { access, example = {}, trial = {} } = route.config ?? {}
  if (access === undefined) throw new Error(`${nameOf(route)} does not say who may call it`)
  const trials: readonly Trial[] = [trial].flat()
  const { makers, ...more }: Special = special[nameOf(route)] ?? {}
  const answers = Object.assign({}, ...trials.map((one) => one.answers)) as Record<string, unknown>
  return {
    door: access.door,
    makers: makers ?? trials.map((one) => makerOf(route.schema, { access, example, trial: one })),
    kinds: Object.assign({}, ...trials.map((one) => one.kinds)),
    byPerson: example.byPerson === true,
    works: ({ body }) => Object.entries(answers).every(([field, value]) => body?.[field] === value),
    ...more,
  }
}

const senders: Readonly<Record<Sender, (fixtures: Fixtures) => Promise<Caller>>> = {
  bankAdmin: (fixtures) => fixtures.bankAdmin(),
  newMember: (fixtures) => fixtures.newMember(),
  newSession: (fixtures) => fixtures.newSession(),
  newVenture: ({ bank }) => bank.registerVenture(),
}

/** If no key of the venture may send it, a person of the venture does. */
async function callerOf({ door, scopes }: Access, { by }: Trial, fixtures: Fixtures): Promise<{ caller?: Caller }> {
  if (by !== undefined) return { caller: await senders[by](fixtures) }
  return door === 'venture' && scopes === undefined ? { caller: fixtures.person } : {}
}

type Declared = { access: Access; example: Example; trial: Trial }

function makerOf({ querystring, body: bodySchema }: Route['schema'], { access, example, trial }: Declared): Maker {
  const own = new Set(trial.body === undefined ? (example.own ?? []) : [])
  return async (fixtures) => {
    const caller = await callerOf(access, trial, fixtures)
    const given: Given = {}
    for (const name of [trial.fresh ?? []].flat()) Object.assign(given, await makeFresh(name, fixtures))
    const body = trial.body ?? example.body
    const query = trial.query ?? example.query
    const values = { given, own, known: { ...fixtures.ids, ...given } }
    return {
      given,
      ...caller,
      ...(access.fromConsole === true && { headers: consoleHeaders }),
      ...(example.params !== undefined && { params: { ...example.params } }),
      ...(query !== undefined && { query: filled(query, querystring, values) as Record<string, string> }),
      ...(body !== undefined && { body: filled(body, bodySchema, values) }),
    }
  }
}

type Values = { given: Given; own: ReadonlySet<string>; known: Record<string, unknown> }

/** Without the ids of the example, which are filled in later from the schema, and with the fresh resources of the request. */
function filled(example: Readonly<Record<string, unknown>>, schema: unknown, values: Values): Record<string, unknown> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { format?: string }> }
  const entries = Object.entries(example).flatMap(([name, value]) => {
    if (name in values.given) return [[name, values.given[name]]]
    if (values.own.has(name)) throw new Error(`only the caller knows ${name}: let the trial of the route make it`)
    if (value !== null && isIdLike(name, properties[name])) return []
    return [[name, Array.isArray(value) ? value.map((item) => nested(item, values.known)) : value]]
  })
  return Object.fromEntries(entries)
}

/** Schemas do not describe ids inside a list, so those of the example are replaced by name. */
function nested(value: unknown, known: Record<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isExample = new Set<unknown>(Object.values(exampleIds))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'unique_reference') return [name, randomUUID()]
      return [name, isExample.has(inner) ? known[name] : inner]
    }),
  )
}

/** Special rows of routes that do not exist. */
export function superfluous(routes: readonly Route[]): string[] {
  const names = new Set(routes.map(nameOf))
  return Object.keys(special).filter((name) => !names.has(name))
}
