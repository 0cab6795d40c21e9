// The table of attacks over every route and every field. Each request is wrong by construction: it must be refused and store nothing.

import { Random } from '../fuzz.random.ts'
import { type Composer, type Parts, queryText } from './fuzz.compose.ts'
import type { Request } from './fuzz.request.ts'
import type { Schema } from './fuzz.schema.ts'
import type { Target } from './fuzz.targets.ts'
import { wrongQueryTexts, wrongValues } from './fuzz.wrong.ts'

export function corpusOf(target: Target, composer: Composer): Request[] {
  const random = new Random(1)
  const good = composer.goodBody(target, random)
  const needed = composer.goodQuery(target, random)
  const usual = { ...(good === undefined ? {} : { body: good }), query: queryText(needed) }
  const parts = [
    otherMethod,
    ...pathAttacks(target),
    ...queryAttacks(target, needed),
    ...fieldAttacks(target, good),
    ...wholeBodyAttacks(target, good),
    ...signatureAttacks(target, good),
    ...keyAttacks(target),
  ]
  return parts.map((attack) => composer.request(target, random, { ...usual, refused: true, ...attack }))
}

const otherMethod: Parts = { why: 'a method that the path does not take', method: 'PATCH' }

export const badPaths: Record<string, string> = {
  'not an id': 'not-an-id',
  'a digit too few': '0198c6f2-0000-7000-8000-00000000000',
  'a digit too many': '0198c6f2-0000-7000-8000-0000000000000',
  'braces around it': '%7B0198c6f2-0000-7000-8000-000000000000%7D',
  'a letter that is none': '0198c6f2-0000-7000-8000-00000000000%C4%B1',
  NUL: '%00',
  'line break': '0198c6f2%0D%0ASet-Cookie:a=b',
  'direction mark': '%E2%80%AE',
  'lone surrogate': '%ED%A0%80',
  'percent alone': '%',
  'way up': '..%2f..%2fventure',
  quote: '%27%20or%20%271%27=%271',
  'far too long': 'a'.repeat(300),
  wildcard: '%25',
  number: '1e5',
  prototype: '__proto__',
}

function pathAttacks({ params }: Target): Parts[] {
  return Object.keys(params).flatMap((name) =>
    Object.entries(badPaths).map(([attack, value]) => ({ why: `${name} in the path: ${attack}`, params: { [name]: value } })),
  )
}

/** `needed`: the rest of the query, so that nothing but the attack is wrong. */
function queryAttacks({ query, requiredQuery }: Target, needed: Record<string, string>): Parts[] {
  if (query === undefined) return []
  const ofFields = Object.entries(query).flatMap(([name, schema]): Parts[] => [
    ...wrongQueryTexts(schema, name).map(({ attack, value }) => ({
      why: `${name} in the query: ${attack}`,
      query: queryText({ ...needed, [name]: value }),
      field: name,
    })),
    { why: `${name} twice in the query`, query: queryText({ ...needed, [name]: 'a' }).concat(`&${name}=b`), field: name },
  ])
  const missing = requiredQuery.map((name) => ({
    why: `${name} is missing in the query`,
    query: queryText(without(needed, name)),
    field: name,
  }))
  const unknown = ['surprise', '__proto__', 'constructor', 'venture_id', 'limit[]', 'toString'].map((name) => ({
    why: `${name} in the query`,
    query: [queryText(needed), `${encodeURIComponent(name)}=1`].filter((part) => part !== '').join('&'),
    // Which name the parser makes of it does not matter.
    ...(name === '__proto__' ? {} : { field: name }),
  }))
  return [...ofFields, ...missing, ...unknown]
}

/** A closed schema refuses a wrong field and names it; forms are parsed by hand, so the named field is not checked there. */
function fieldAttacks({ body, encoding, answerOnly }: Target, good: Record<string, unknown> | undefined): Parts[] {
  if (body?.properties === undefined || good === undefined || encoding === 'form') return []
  const required = body.required ?? []
  const extra = body.additionalProperties === false ? [...answerOnly, 'surprise', 'constructor', 'toString', 'Amount', 'venture_id'] : []
  return [
    ...Object.entries(body.properties).flatMap(([name, schema]) => attacksOnField(name, schema, good)),
    ...required.map((name) => ({ why: `${name} is missing`, body: without(good, name), field: name })),
    ...[...new Set(extra)]
      .filter((name) => body.properties?.[name] === undefined)
      .map((name) => ({ why: `${name}, which is not a field of the request`, body: { ...good, [name]: 'x' }, field: name })),
  ]
}

function attacksOnField(name: string, schema: Schema, good: Record<string, unknown>): Parts[] {
  return wrongValues(schema, name).map(({ attack, value, byTrade }) => ({
    why: `${name}: ${attack}`,
    body: { ...good, [name]: value },
    field: byTrade ? undefined : name,
  }))
}

function without(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== name))
}

const tooLarge = 65_537

function wholeBodyAttacks(target: Target, good: Record<string, unknown> | undefined): Parts[] {
  if (target.method === 'GET' || target.method === 'DELETE') return []
  if (target.encoding === 'form') return formAttacks
  if (good === undefined) return bodilessAttacks
  const text = JSON.stringify(good)
  const raw = (why: string, body: string | Uint8Array, headers: Record<string, string> = {}): Parts => ({
    why,
    body: Buffer.from(body),
    headers,
  })
  const [first = ['surprise', 1]] = Object.entries(good)
  const repeated = `${JSON.stringify(first[0])}:${JSON.stringify(first[1])}`
  // The verifier's route checks only the signature, whatever content type is declared.
  const ofTypes = target.encoding === 'signed' ? [] : wrongTypes.map(([why, headers]) => raw(why, text, headers))
  // An envelope may contain unknown fields.
  const ofNames = target.encoding === 'signed' ? [] : [raw('__proto__', withField(text, '"__proto__":{"venture_id":"x"}'))]
  return [
    ...ofTypes,
    ...ofNames,
    raw('a body of a byte too many', text.padEnd(target.bodyLimit_bytes + 1)),
    raw('a body of a megabyte or more', text.padEnd(Math.max(1_048_576, target.bodyLimit_bytes + 1))),
    raw('10,000 arrays deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`),
    raw('10,000 objects deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    raw('10,000 arrays begun', '['.repeat(10_000)),
    raw('21 levels deep in a field', `{"surprise":${'['.repeat(20)}${']'.repeat(20)}}`),
    raw('a name twice', `{${repeated},${repeated}}`),
    raw(
      'a name twice, once in escapes',
      `{${repeated},${repeated.replace(/^"(.)/, (_, letter) => `"\\u00${letter.charCodeAt(0).toString(16)}`)}}`,
    ),
    raw('NUL in a name', withField(text, '"a\\u0000b":1')),
    raw('nothing', ''),
    ...['{', '{"a":1', '[]', 'null', '1', '"text"', 'undefined', "{'a':1}", '{"a":1,}', `${text}x`, '{"a":NaN}', '{"a":01}'].map((body) =>
      raw(`the body ${body.slice(-12)}`, body),
    ),
    raw('not UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])),
    raw('a surrogate in UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])),
    raw('UTF-16', Buffer.from(text, 'utf16le')),
    raw('a byte order mark', `\ufeff${text}`),
  ].filter(({ body }) => !(takesNothing(target) && (body as Buffer).length === 0))
}

/** The text of an object with one more field of any name. */
function withField(text: string, field: string): string {
  return text.replace(/\}$/, `${text === '{}' ? '' : ','}${field}}`)
}

/** Where every field is optional, so is the body; the table does not contain which routes these are. */
function takesNothing({ body }: Target): boolean {
  return (body?.required ?? []).length === 0
}

const wrongTypes: [string, Record<string, string>][] = [
  ['a body of text/plain', { 'content-type': 'text/plain' }],
  ['a body of XML', { 'content-type': 'application/xml' }],
  ['a body in Latin-1', { 'content-type': 'application/json; charset=iso-8859-1' }],
  ['a body that is said to be packed', { 'content-encoding': 'gzip' }],
  ['a type that is none', { 'content-type': ';;' }],
]

const asForm = { 'content-type': 'application/x-www-form-urlencoded' }

const formAttacks: Parts[] = [
  { why: 'a form that is too large', body: Buffer.from(`a=${'x'.repeat(tooLarge)}`), headers: asForm },
  { why: 'a form as JSON', body: Buffer.from('{"a":1}'), headers: { 'content-type': 'application/json' } },
  {
    why: 'an XML document',
    body: Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    headers: { 'content-type': 'text/xml' },
  },
]

const bodilessAttacks: Parts[] = [
  { why: 'a body where none is taken', body: { surprise: 1 } },
  { why: 'an array where no body is taken', body: [1] },
  { why: 'a body too large where none is taken', body: Buffer.from(' '.repeat(tooLarge)), headers: { 'content-type': 'application/json' } },
  { why: 'half a body where none is taken', body: Buffer.from('{'), headers: { 'content-type': 'application/json' } },
  { why: 'text where no body is taken', body: Buffer.from('text'), headers: { 'content-type': 'text/plain' } },
]

const badKeys: Record<string, string> = { empty: '', 'one too long': 'x'.repeat(256), 'not ASCII': 'cl\u00e9', 'a tab': 'a\tb' }

function keyAttacks({ creates }: Target): Parts[] {
  if (!creates) return []
  return Object.entries(badKeys).map(([attack, value]) => ({
    why: `Idempotency-Key: ${attack}`,
    headers: { 'idempotency-key': value },
    field: 'Idempotency-Key',
  }))
}

/** The signature covers the exact bytes and the time: a part of it, another one, other bytes or another time are not accepted. */
function signatureAttacks({ encoding }: Target, good: Record<string, unknown> | undefined): Parts[] {
  if (encoding !== 'signed') return []
  const unsigned = { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' }
  return [
    { why: 'no signature', headers: unsigned },
    { why: 'a signature cut short', headers: { 'webhook-signature': 'v1,AAAA' } },
    { why: 'an empty signature', headers: { 'webhook-signature': 'v1,' } },
    { why: 'a signature of another message', headers: { 'webhook-id': 'msg_of_another' } },
    { why: 'a signature of another time', headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) } },
    { why: 'a stale time', headers: { 'webhook-timestamp': '1' } },
    { why: 'a time that is none', headers: { 'webhook-timestamp': '1e9' } },
    { why: 'many signatures', headers: { 'webhook-signature': 'v1,AAAA '.repeat(500).trim() } },
    { why: 'a body serialised again', body: Buffer.from(JSON.stringify(good, null, 1)), headers: { 'webhook-signature': 'v1,AAAA' } },
  ]
}
