// Random values that fit a schema: ordinary ones, rare ones and edge cases.
import { currencyCodes } from '../../../server/src/values/currency.ts'
import type { Random } from '../fuzz.random.ts'
import { type Schema, typesOf } from './fuzz.schema.ts'

/** Supplies ids and other references; `field` determines the kind. */
export type Known = { idFor(field: string, random: Random): string }

/** Letters of several scripts, combining marks, quotes and everything that has a meaning in SQL, HTML, URLs or a shell. */
const alphabets = [
  [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 '],
  [...'éüßøñłżçÅÉ ıſK'],
  [...'北京東京ソウル서울Москваالقاهرة'],
  ['e\u0301', 'a\u0308', '\u0344', '👩‍👩‍👧', '🇫🇷', '𝒳', 'ﬁ', '\u00ad', '\u200b', '\ufeff', '\ufffd'],
  [...`'"\`<>&%_\\/;:--=+@#$(){}[]|~^*?!,. `],
]

export function someText(random: Random, most: number): string {
  const length = random.chance(0.05) ? most : random.integer(1, Math.min(most, 24))
  const text = random.text(random.chance(0.6) ? (alphabets[0] ?? []) : random.pick(alphabets), length)
  // Cut by characters, as lengths are counted, after normalisation, which may make the text longer.
  const cut = [...text.normalize('NFC')].slice(0, most).join('')
  return /\S/.test(cut) ? cut : 'x'
}

export const ibans = [
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'LT121000011101001000',
  'GB29NWBK60161331926819',
  'NL91ABNA0417164300',
]
const bics = ['DEUTDEFF', 'BNPAFRPPXXX', 'VOSTLT21XXX', 'NWBKGB2L']
const countries = ['FRA', 'DEU', 'GBR', 'LTU', 'fra', 'USA', 'TUN']
const digits = [...'0123456789']
const wordCharacters = [...'abcXYZ019_-']
const wordDigits = [...'abcXYZ019']
/** Those of the SEPA schemes, with the ones that they do not allow everywhere more often. */
const sepaCharacters = [..."abcXYZ019?:().,'+-// /"]

function decimal(random: Random, mostDecimals: number): string {
  const whole = random.chance(0.9) ? String(random.integer(0, 500)) : String(10 ** random.integer(3, 14))
  const decimals = random.chance(0.7) ? random.integer(0, 2) : random.integer(0, mostDecimals)
  return decimals === 0 ? whole : `${whole}.${random.text(digits, decimals)}`
}

/** A schema with a pattern that is missing here stops the run: without a matching value, nothing behind the schema would be reached. */
const byPattern: Record<string, (random: Random) => string> = {
  '\\S': (random) => someText(random, 140),
  '^(0|[1-9]\\d{0,14})(\\.\\d{1,4})?$': (random) => decimal(random, 4),
  '^(0|[1-9]\\d{0,14})(\\.\\d{1,10})?$': (random) => decimal(random, 10),
  '^0(\\.\\d{1,10})?$': (random) => random.pick(['0', '0.1', `0.${random.text(digits, 10)}`]),
  '^[A-Za-z]{3}$': (random) => random.pick(['EUR', 'EUR', 'eur', 'USD', 'JPY', 'TND', 'XXX']),
  '^[A-Za-z0-9]{1,34}$': (random) => random.pick(ibans),
  '^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$': (random) => random.pick(bics),
  '^ *[A-Za-z0-9]{8}([A-Za-z0-9]{3})? *$': (random) => `${random.pick(['', ' '])}${random.pick(bics)}${random.pick(['', '  '])}`,
  '^ *[!-~]([ -~]{0,126}[!-~])? *$': (random) => `${random.pick(['', ' '])}tx ${random.uuid()}${random.pick(['', ' '])}`,
  '^[ -~]{1,128}$': (random) => `ref ${random.uuid()} ${random.pick(["'", '%', '~', '\\'])}`,
  '^[A-Za-z0-9]([A-Za-z0-9./ -]*[A-Za-z0-9])?$': (random) => `12${random.pick(['-', '.', '/', ' '])}34A`,
  '^(?![0-9]+$)(?!rest-)[A-Za-z0-9_-]{1,32}$': (random) => `r${random.text(wordCharacters, random.integer(0, 31))}`,
  '^[A-Za-z0-9_-]{32}$': (random) => random.text(wordCharacters, 32),
  '^[1-9]\\d{0,14}$': (random) => `1${random.text(digits, random.integer(0, 14))}`,
  '^[1-9]\\d{0,5}$': (random) => `1${random.text(digits, random.integer(0, 5))}`,
  '^[\\w-]{1,32}$': (random) => random.text(wordCharacters, random.integer(1, 32)),
  '^\\d{3}$': (random) => random.text(digits, 3),
  '^(0\\.[5-9]\\d{0,3}|1)$': (random) => random.pick(['0.5', '0.85', '0.97', '0.9999', '1']),
  '^[0-9a-f]{64}$': (random) => random.text([...'0123456789abcdef'], 64),
  '^[a-z0-9][a-z0-9_-]{0,63}$': (random) => `list-${random.uuid()}`,
  '^[A-Za-z0-9._:-]{1,128}$': (random) => random.pick([random.uuid(), 'order:7', '.']),
  '^[1-5](\\d\\d|xx)$': (random) => random.pick(['200', '404', '2xx', '4xx', '599']),
  '^[A-Z]{4}$': (random) => random.pick(['GDDS', 'RENT', 'XXXX']),
  '^([01]\\d|2[0-3]):[0-5]\\d$': (random) => random.pick(['00:00', '09:30', '15:30', '23:59']),
  "^[A-Za-z0-9/\\-?:().,'+ ]{1,105}$": (random) => random.text(sepaCharacters, random.integer(1, 105)),
  "^(?!/)(?!.*//)[A-Za-z0-9+?/:().,' -]{1,35}(?<![/ ])$": (random) => `M/${random.text(wordDigits, random.integer(1, 33))}`,
  "^[A-Za-z0-9+?:().,'-][A-Za-z0-9+?/:().,' -]{0,34}$": (random) =>
    `${random.pick([...'R-+'])}${random.text(sepaCharacters, random.integer(0, 34))}`,
  '^-?(0|[1-9]\\d{0,14})(\\.\\d{1,4})?$': (random) => `${random.pick(['', '-'])}${decimal(random, 4)}`,
  '^[A-Za-z0-9]{5,34}$': (random) => random.pick(ibans),
  '^[A-Za-z0-9-]{1,36}$': (random) => random.uuid(),
}

const byFormat: Record<string, (random: Random) => string> = {
  'date-time': (random) => random.pick([inDays(random.integer(-400, 400)), '2026-11-15T09:30:00+14:00', '1999-12-31T23:59:59.999Z']),
  date: (random) => random.pick(['1990-12-10', '1904-02-29', '2024-02-29', inDays(random.integer(-20_000, 400)).slice(0, 10)]),
  'day-or-time': (random) => random.pick(['2026-11-15', '0001-01-01', '9999-12-31', '2026-11-15T09:30:00Z', inDays(0)]),
  currency: (random) => (random.chance(0.7) ? 'EUR' : random.pick(currencyCodes)),
  'alpha-3': (random) => random.pick(countries),
  'creditor-reference': (random) => random.pick(['RF18539007547034', 'rf18 5390 0754 7034', 'RF45G72UUR']),
  email: (random) => `fuzz.${random.uuid()}@example.com`,
  phone: (random) => `+33${random.pick(['', ' '])}6${random.text(digits, 8)}`,
}

/** Nothing outside this machine is ever called: the port is closed, and names under .invalid do not exist. */
const hookUrls = ['http://127.0.0.1:9/hook', 'http://[::1]:9/hook?a=1', 'https://fuzz.invalid/hook']
const shopUrls = ['https://shop.invalid/paid', 'https://shop.invalid/paid?a=b#c', 'http://shop.invalid/%F0%9F%98%80']

/** Fields whose format is a banking standard that the schema does not express. */
const byName: Record<string, (random: Random) => string> = {
  iban: (random) => random.pick(ibans),
  bic: (random) => random.pick(bics),
  swift_code: (random) => random.pick(bics),
  routing_number: (random) => random.pick(['021000021', '011401533']),
  url: (random) => random.pick(hookUrls),
  success_url: (random) => random.pick(shopUrls),
  fail_url: (random) => random.pick(shopUrls),
  returnUrl: (random) => random.pick(shopUrls),
  failUrl: (random) => random.pick(shopUrls),
  lang: (random) => random.pick(['fr', 'en', 'ar', 'FR', 'xx']),
  // Without the card of the silent gateway: requests about its order hang, as the sandbox promises.
  number: (random) => random.pick(['4111111111111111', '5555555555554444', '4000000000009995', '4000000000000069', '4000000000003220']),
  expiry: (random) => random.pick(['12/49', '01/2020', '1249']),
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

export function fittingValue(schema: Schema, field: string, random: Random, known: Known): unknown {
  const types = typesOf(schema)
  if (types.includes('null') && random.chance(0.15)) return null
  if (schema.enum !== undefined) return random.pick(schema.enum)
  switch (types[0]) {
    case 'string':
      return fittingString(schema, field, random, known)
    case 'integer':
      return random.pick([schema.minimum ?? 0, schema.maximum ?? 1_000, random.integer(Math.max(1, schema.minimum ?? 1), 5)])
    case 'boolean':
      return random.chance(0.5)
    case 'array':
      return [...new Set(Array.from({ length: random.integer(1, 2) }, () => fittingValue(schema.items ?? {}, field, random, known)))]
    default:
      return fittingObject(schema, random, known)
  }
}

function fittingString({ format, pattern, maxLength = 60 }: Schema, field: string, random: Random, known: Known): string {
  if (format === 'uuid' || pattern?.includes('[0-9a-fA-F]{8}')) return known.idFor(field, random)
  const make =
    (format === undefined ? undefined : byFormat[format]) ?? byName[field] ?? (pattern === undefined ? undefined : byPattern[pattern])
  if (make !== undefined) return make(random)
  if (format !== undefined || pattern !== undefined) throw new Error(`teach fuzz.values.ts what fits ${format ?? pattern} (${field})`)
  return someText(random, maxLength)
}

/** All required fields, and a varying share of the others. */
export function fittingObject(schema: Schema, random: Random, known: Known): Record<string, unknown> {
  const share = random.pick([0, 0.1, 0.5, 1])
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name) || random.chance(share))
  return Object.fromEntries(fields.map(([name, inner]) => [name, fittingValue(inner, name, random, known)]))
}
