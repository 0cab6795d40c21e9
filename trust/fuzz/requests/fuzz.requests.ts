// Random requests made from the schemas: valid ones, nearly valid ones, and absurd ones.

import { type Random, randomOf } from '../fuzz.random.ts'
import { absurd } from './fuzz.absurd.ts'
import { type Composer, kindOf, type Parts, queryText } from './fuzz.compose.ts'
import { badPaths } from './fuzz.corpus.ts'
import type { Request } from './fuzz.request.ts'
import type { Schema } from './fuzz.schema.ts'
import type { Target } from './fuzz.targets.ts'
import { fittingObject, fittingValue, type Known } from './fuzz.values.ts'
import { type Wrong, wrongQueryTexts, wrongValues } from './fuzz.wrong.ts'

export class Fuzzer {
  readonly #targets: readonly Target[]
  /** Targets that have something that is certainly refused. */
  readonly #refusing: readonly Target[]
  readonly #seed: number
  /** The venture that sends the requests; another takes over now and then. */
  composer: Composer

  constructor(targets: readonly Target[], composer: Composer, seed: number) {
    this.#targets = targets
    this.#refusing = targets.filter(canBeWrong)
    this.composer = composer
    this.#seed = seed
  }

  /** Any request: the n-th of its seed. */
  any(number: number): Request {
    const random = randomOf(this.#seed, number)
    const target = pickTarget(this.#targets, random)
    const kinds = [valid, valid, valid, nearly, nearly, absurd]
    return { ...random.pick(expensive.includes(target.id) ? kinds.slice(2) : kinds)(target, this.composer, random), number }
  }

  /** A request that is wrong by construction, in the same way. Undefined if no target has a certain refusal. */
  refused(number: number): Request | undefined {
    const random = randomOf(this.#seed, number)
    for (;;) {
      if (this.#refusing.length === 0) return undefined
      const request = nearly(random.pick(this.#refusing), this.composer, random)
      if (request.refused) return { ...request, number }
    }
  }

  /** A valid request to this target. */
  valid(target: Target, number: number): Request {
    return { ...valid(target, this.composer, randomOf(this.#seed, number)), number }
  }
}

function canBeWrong({ params, query, body, encoding }: Target): boolean {
  return Object.keys(params).length > 0 || query !== undefined || (body !== undefined && encoding !== 'form')
}

/**
 * Requested less often than others: long responses that are always the same; creating endpoints, because deliveries are work that no
 * request here waits for; and deleting them, because then nothing is left to request.
 */
const seldom = [
  'GET /openapi.json',
  'GET /docs/errors',
  'GET /metrics',
  'POST /api/v1/webhook-endpoints',
  'DELETE /api/v1/webhook-endpoints/:endpoint_id',
]

/**
 * Requests that cost the service ten times as much as others when accepted, because they walk through many moves or call a partner.
 * Sending them less often leaves time for three times as many requests.
 */
const expensive = [
  'POST /api/v1/clients/:client_id/onboarding/details',
  'POST /api/v1/sandbox/accounts/:account_id/deposits',
  'POST /api/v1/sandbox/transfers/:transfer_id/settle',
  'POST /api/v1/sandbox/clients/:client_id/verification',
  'POST /api/v1/payments',
  'POST /api/v1/payments/:payment_id/cancel',
  'POST /api/v1/payments/:payment_id/refund',
  'GET /api/v1/payments/:payment_id/return',
  'POST /pay/:token',
  'POST /sandbox/verifier/:token',
]

function pickTarget(targets: readonly Target[], random: Random): Target {
  const target = random.pick(targets)
  return seldom.includes(target.id) && random.chance(0.8) ? random.pick(targets) : target
}

/** Ids in bodies and queries: mostly the venture's own, some the neighbour's, some unknown. */
function knownBy({ world, neighbour }: Composer, target: Target): Known {
  return {
    idFor(field, random) {
      const kind = kindOf(field, target)
      const chance = random.next()
      if (field === 'since' && chance > 0.8) return 'start'
      if (chance < 0.1 || (chance < 0.2 && isPublic(target))) return random.uuid()
      // The neighbour must stay unchanged, and anonymous requests may read what the neighbour made public.
      return (chance < 0.2 && kind !== 'ventures' ? neighbour : world).pick(kind, random)
    },
  }
}

/** Requests without a key, or with the verifier's, may name any venture's ids. */
function isPublic({ key }: Target): boolean {
  return key === 'none' || key === 'relay' || key === 'verifier'
}

function valid(target: Target, composer: Composer, random: Random): Request {
  const known = knownBy(composer, target)
  const params = Object.fromEntries(
    Object.keys(target.params)
      .filter((name) => target.params[name]?.enum === undefined && random.chance(0.2))
      .map((name) => [name, random.chance(0.3) ? known.idFor(name, random).toUpperCase() : known.idFor(name, random)]),
  )
  const body = target.body === undefined ? undefined : validBody(target, target.body, composer, random)
  return composer.request(target, random, {
    why: 'valid',
    params,
    query: validQuery(target, composer, random),
    ...(target.creates && random.chance(0.3) ? { headers: { 'idempotency-key': random.pick([...fewKeys, random.uuid()]) } } : {}),
    ...(body === undefined ? {} : { body }),
  })
}

/** Used again and again, by all ventures and for all operations. */
const fewKeys = ['again', `'; drop table idempotency_keys --`, '~'.repeat(255)]

function validBody(target: Target, schema: Schema, composer: Composer, random: Random): Record<string, unknown> {
  const known = knownBy(composer, target)
  const chance = random.next()
  if (chance < 0.15) return fittingObject(schema, random, known)
  const good = composer.goodBody(target, random) ?? {}
  return chance < 0.4 ? { ...fittingObject({ ...schema, required: [] }, random, known), ...good } : good
}

/** Search terms that would find the neighbour's data in case of a leak; none of them is the whole marker word. */
const searches = ['%', '_', '\\', "'", 'a', 'INV', 'ﬁ', '한']

function validQuery(target: Target, composer: Composer, random: Random): string {
  const known = knownBy(composer, target)
  const share = random.pick([0, 0.15, 0.5])
  const fields = Object.entries(target.query ?? {})
    .filter(([name]) => name !== 'offset' || random.chance(0.3))
    .filter(([name]) => target.requiredQuery.includes(name) || random.chance(share))
    .map(([name, schema]) => {
      const value = name === 'search' ? (random.chance(0.3) ? 'kanari' : random.pick(searches)) : fittingValue(schema, name, random, known)
      return [name, name === 'offset' ? random.pick([0, 1, 1_000_000]) : value]
    })
  return queryText({ ...Object.fromEntries(fields), ...(random.chance(0.85) ? composer.goodQuery(target, random) : {}) })
}

/** Exactly one thing about it is wrong. A target that has nothing to get wrong gets a valid request. */
function nearly(target: Target, composer: Composer, random: Random): Request {
  const good = composer.goodBody(target, random)
  const query = queryText(composer.goodQuery(target, random))
  const request = (parts: Parts) =>
    composer.request(target, random, { ...(good === undefined ? {} : { body: good }), query, refused: true, ...parts })
  const kinds = [wrongPath, strangeId, wrongQuery, wrongField, wrongField, missingField, extraField]
  for (let attempt = 0; attempt < 8; attempt++) {
    const parts = random.pick(kinds)({ target, composer, random, good })
    if (parts !== undefined) return request(parts)
  }
  return valid(target, composer, random)
}

type Start = { target: Target; composer: Composer; random: Random; good: Record<string, unknown> | undefined }

function wrongPath({ target, random }: Start): Parts | undefined {
  const names = Object.keys(target.params)
  if (names.length === 0) return undefined
  const name = random.pick(names)
  const [attack, value] = random.pick(Object.entries(badPaths))
  return { why: `${name} in the path: ${attack}`, params: { [name]: value } }
}

/** An unknown id, or the neighbour's where the venture's own key is required. */
function strangeId({ target, composer, random }: Start): Parts | undefined {
  const names = Object.keys(target.params)
  if (names.length === 0 || target.params[names[0] ?? '']?.format !== 'uuid') return undefined
  const name = random.pick(names)
  const isForeign = target.key === 'venture' && random.chance(0.5)
  const id = isForeign ? composer.neighbour.pick(kindOf(name, target), random) : random.uuid()
  return { why: `${name} in the path is ${isForeign ? "the neighbour's" : "nobody's"}`, params: { [name]: id } }
}

function wrongQuery({ target, composer, random }: Start): Parts | undefined {
  const names = Object.keys(target.query ?? {})
  if (names.length === 0) return undefined
  const name = random.pick(names)
  const { attack, value } = random.pick(remembered(wrongTexts, target.query?.[name] ?? {}, name, wrongQueryTexts))
  return { why: `${name} in the query: ${attack}`, query: queryText({ ...composer.goodQuery(target, random), [name]: value }), field: name }
}

function wrongField({ target, random, good }: Start): Parts | undefined {
  const fields = Object.entries(target.body?.properties ?? {})
  if (fields.length === 0 || target.encoding === 'form') return undefined
  const [name, schema] = random.pick(fields)
  const { attack, value, byTrade } = random.pick(remembered(wrongJson, schema, name, wrongValues))
  return { why: `${name}: ${attack}`, body: { ...good, [name]: value }, field: byTrade ? undefined : name }
}

const wrongTexts = new Map<Schema, Wrong[]>()
const wrongJson = new Map<Schema, Wrong[]>()

/** Schemas are shared between fields of one form, but not between fields whose names have a meaning. */
function remembered(memory: Map<Schema, Wrong[]>, schema: Schema, name: string, make: (schema: Schema, name: string) => Wrong[]): Wrong[] {
  if (/iban|bic|code|country|nationality|currency|number/.test(name)) return make(schema, name)
  const known = memory.get(schema) ?? make(schema, name)
  memory.set(schema, known)
  return known
}

function missingField({ target, random, good }: Start): Parts | undefined {
  const required = target.body?.required ?? []
  if (required.length === 0 || target.encoding === 'form') return undefined
  const name = random.pick(required)
  return { why: `${name} is missing`, body: { ...good, [name]: undefined }, field: name }
}

function extraField({ target, random, good }: Start): Parts | undefined {
  if (target.body?.additionalProperties !== false || target.encoding === 'form') return undefined
  const name = random.pick([...target.answerOnly, 'surprise', 'constructor', 'id '])
  return Object.hasOwn(target.body.properties ?? {}, name)
    ? undefined
    : { why: `${name}, which is not a field of the request`, body: { ...good, [name]: 'x' }, field: name }
}
