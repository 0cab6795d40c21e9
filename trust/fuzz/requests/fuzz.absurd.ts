// Absurd requests: damaged bytes, trees of nonsense, strange headers and methods.

import type { Random } from '../fuzz.random.ts'
import { type Composer, escaped, type Parts, queryText } from './fuzz.compose.ts'
import type { Request } from './fuzz.request.ts'
import type { Target } from './fuzz.targets.ts'
import { someText } from './fuzz.values.ts'

/** The only expectation is that the service stays up. */
export function absurd(target: Target, composer: Composer, random: Random): Request {
  const good = composer.goodBody(target, random)
  const parts = random.pick([absurdBody, absurdBody, damagedBody, absurdQuery, absurdHeaders, otherMethod])(random, good)
  const query = queryText(composer.goodQuery(target, random))
  return composer.request(target, random, { why: 'absurd', query, ...(good === undefined ? {} : { body: good }), ...parts })
}

function absurdBody(random: Random): Partial<Parts> {
  return { body: absurdValue(random, random.integer(0, 6)) }
}

function absurdValue(random: Random, depth: number): unknown {
  const inner = () => absurdValue(random, depth - 1)
  const simple = [null, true, -0, 1e21, -1, 0.1, '', 'constructor', '\u0000', '\ud800', '\u202e', 'x'.repeat(random.integer(1, 3_000))]
  if (depth <= 0) return random.chance(0.5) ? random.pick(simple) : someText(random, 40)
  if (random.chance(0.3)) return Array.from({ length: random.integer(0, 5) }, inner)
  const names = ['id', 'amount', 'status', 'venture_id', '__proto__', 'constructor', 'toJSON', 'length', '', '0', 'a.b', 'then', '$ref']
  return Object.fromEntries(
    Array.from({ length: random.integer(0, 5) }, () => [random.chance(0.7) ? random.pick(names) : someText(random, 20), inner()]),
  )
}

/** A valid body with a few bytes changed or removed. */
function damagedBody(random: Random, good: Record<string, unknown> | undefined): Partial<Parts> {
  const bytes = Buffer.from(JSON.stringify(good ?? { a: 1 }))
  for (let count = random.integer(1, 4); count > 0; count--) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
  return { body: random.chance(0.5) ? bytes : bytes.subarray(0, random.integer(0, bytes.length)) }
}

function absurdQuery(random: Random): Partial<Parts> {
  const name = random.chance(0.5)
    ? random.pick(['limit', 'offset', 'after', 'search', 'status', 'since', 'url', 'lang', 'returns'])
    : someText(random, 30)
  const one = () =>
    `${escaped(name)}${random.pick(['=', '', '[]=', '[a]=', '=='])}${random.chance(0.3) ? random.pick(['%', '%zz', '%00', '%ED%A0%80', '%c0%ae', '//evil.invalid', 'PAID', '%0D%0ASet-Cookie:a=b']) : escaped(someText(random, 60))}`
  return { query: Array.from({ length: random.integer(1, 4) }, one).join(random.pick(['&', ';', '&&'])) }
}

function absurdHeaders(random: Random): Partial<Parts> {
  return {
    headers: random.pick([
      { 'content-type': 'application/json; charset=utf-8; charset=utf-16' },
      { 'content-type': 'multipart/form-data' },
      { 'content-type': 'application/problem+json' },
      { 'content-encoding': 'br' },
      { 'x-request-id': 'a'.repeat(200) },
      { 'x-request-id': '"><script>' },
      { accept: 'text/html', 'accept-language': '*'.repeat(500) },
      { 'x-forwarded-host': 'evil.invalid', 'x-forwarded-proto': 'javascript' },
      { 'webhook-id': '', 'webhook-timestamp': '99999999999999999999', 'webhook-signature': 'v1,' },
      { expect: '200-ok' },
      { range: 'bytes=0-1', 'if-none-match': '*' },
      { cookie: 'a=b; __proto__=c' },
    ]),
  }
}

function otherMethod(random: Random): Partial<Parts> {
  return { method: random.pick(['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'DELETE', 'PUT', 'POST', 'GET']) }
}
