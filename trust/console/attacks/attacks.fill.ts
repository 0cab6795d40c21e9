// Fills every text that the API takes with hostile ones, by requests that are right in everything else. Which texts there are follows from the
// schemas of the routes, so that a new one is filled, too.
import { Random } from '../../fuzz/fuzz.random.ts'
import { Composer } from '../../fuzz/requests/fuzz.compose.ts'
import { type Schema, typesOf } from '../../fuzz/requests/fuzz.schema.ts'
import { type Target, targetsOf } from '../../fuzz/requests/fuzz.targets.ts'
import type { AttackedBank } from './attacks.bank.ts'
import { payloadFor } from './attacks.payloads.ts'

type Body = Record<string, unknown>

/** Addresses and names of one kind only are no texts, though their schemas do not say so. */
const formed = /^(iban|.*_iban|bic|.*_bic|url|.*_url|email|.*_email|phone|routing_number|swift_code|lang|number|expiry|cvv|action)$/

function isText(name: string, schema: Schema): boolean {
  return typesOf(schema).includes('string') && schema.enum === undefined && schema.format === undefined && !formed.test(name)
}

const lengthOf = (text: string) => [...text].length

/** A hostile text that the schema allows; undefined if it allows none. */
function hostileFor(schema: Schema, number: number): string | undefined {
  const { minLength = 0, maxLength = 10_000, pattern = '' } = schema
  const form = new RegExp(pattern, 'u')
  return payloadFor(number, (text) => lengthOf(text) >= minLength && lengthOf(text) <= maxLength && form.test(text))
}

/** The body with a hostile text in each of its fields that take one. */
function hostileBody(schema: Schema, body: Body, count: () => number, skipped: ReadonlySet<string>, path = ''): Body {
  const filled: Body = { ...body }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const place = `${path}${name}`
    if (skipped.has(place) || skipped.has(name)) continue
    const text = isText(name, inner) ? hostileFor(inner, count()) : undefined
    if (text !== undefined) filled[name] = text
    else if (typesOf(inner).includes('object') && typeof body[name] === 'object' && body[name] !== null)
      filled[name] = hostileBody(inner, body[name] as Body, count, skipped, `${place}.`)
  }
  return filled
}

function pathsIn(body: Body, other: Body, path = ''): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const before = other[name]
    if (value === before) return []
    if (typeof value === 'object' && value !== null) return pathsIn(value as Body, (before ?? {}) as Body, `${path}${name}.`)
    return [`${path}${name}`]
  })
}

/** The routes and fields that were filled. `refused`: texts that no request could carry, with the last refusal. */
export type Filled = { fields: Set<string>; refused: Map<string, string> }

/** These would remove the data that pages show, or the key. */
const harmful = /^DELETE |rotate|\/close$|\/freeze$|\/cancel$|sandbox\/demo$/

/** Tries per route: the subject of one may be in the wrong state. */
const tries = 6

/** `from`: index of the hostile text for the first field. */
export async function fill({ bank, origin, world, keys }: AttackedBank, { from = 0 } = {}): Promise<Filled> {
  const targets = targetsOf(bank.app.routeTable).filter(({ id, body }) => body !== undefined && !harmful.test(id))
  const composer = new Composer(world, world, keys)
  const filled: Filled = { fields: new Set(), refused: new Map() }
  let counter = from
  const random = new Random(7 + from)
  for (const target of targets) await fillOne({ composer, origin, target, random, filled, count: () => counter++ })
  for (const name of filled.fields) filled.refused.delete(name)
  return filled
}

type Filling = { composer: Composer; origin: string; target: Target; random: Random; filled: Filled; count: () => number }

async function fillOne({ composer, origin, target, random, filled, count }: Filling): Promise<void> {
  const skipped = new Set<string>()
  for (let attempt = 0; attempt < tries; attempt++) {
    const good = composer.goodBody(target, random) ?? {}
    const body = hostileBody(target.body ?? {}, good, count, skipped)
    const wanted = pathsIn(body, good)
    if (wanted.length === 0) return
    const request = composer.request(target, random, { why: 'hostile texts', body })
    const answer = await fetch(origin + request.path, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      ...(request.body && { body: new Uint8Array(request.body) }),
    })
    const text = await answer.text()
    if (answer.status < 400) {
      for (const field of wanted) filled.fields.add(`${target.id} ${field}`)
      return
    }
    const named = namedIn(text).filter((field) => wanted.some((one) => one === field || one.endsWith(`.${field}`)))
    for (const field of named) skipped.add(field)
    for (const field of wanted) filled.refused.set(`${target.id} ${field}`, text.slice(0, 300))
  }
}

function namedIn(text: string): string[] {
  try {
    const { errors = [] } = JSON.parse(text) as { errors?: { field: string }[] }
    return errors.map(({ field }) => field)
  } catch {
    return []
  }
}
