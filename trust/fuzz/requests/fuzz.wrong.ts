// Values that do not fit a schema, each with the name of the attack: the table of attacks for one field.
import { type Schema, typesOf } from './fuzz.schema.ts'
import { ibans } from './fuzz.values.ts'

/** `byTrade`: refused by a banking rule and perhaps not by the schema, so the refusal may be another one. */
export type Wrong = { attack: string; value: unknown; byTrade?: boolean }

/** Control characters, marks that reverse the direction of writing, lone surrogates. */
export const forbidden = {
  NUL: '\u0000',
  bell: '\u0007',
  newline: '\n',
  escape: '\u001b',
  delete: '\u007f',
  'next line': '\u0085',
  'right-to-left override': '\u202e',
  'right-to-left mark': '\u200f',
  'Arabic letter mark': '\u061c',
  isolate: '\u2066',
  'lone high surrogate': '\ud800',
  'lone low surrogate': '\udfff',
}

/** Each becomes an ASCII letter by upper or lower case or by normalisation. */
const lookAlikes = ['ı', 'ß', 'ſ', '\u212a', 'İ', 'ａ', '١']

const decimals = [
  '1e5',
  '-0',
  '-1',
  '+1',
  '.5',
  '5.',
  '0x10',
  '0b1',
  'NaN',
  'Infinity',
  '1_0',
  '١٠',
  '１０',
  '1,5',
  ' 1',
  '1 ',
  '01',
  '00.1',
  '',
]
const longDecimals = ['9'.repeat(30), '1'.repeat(16), '1.00001', `0.${'0'.repeat(30)}1`]
const rateDecimals = ['9'.repeat(30), '1'.repeat(16), '1.00000000001']

export function isMoney({ pattern }: Schema): boolean {
  return pattern?.startsWith('^(0|[1-9]\\d{0,14})') === true
}

/** For a field of a JSON body. */
export function wrongValues(schema: Schema, field: string): Wrong[] {
  const types = typesOf(schema)
  const wrong: Wrong[] = wrongTypes(types)
  if (types.includes('string')) wrong.push(...wrongStrings(schema, field))
  if (types.includes('integer')) wrong.push(...wrongIntegers(schema))
  if (types.includes('array')) wrong.push(...wrongArrays(schema))
  return wrong
}

function wrongTypes(types: readonly string[]): Wrong[] {
  const values: [string, unknown][] = [
    ['string', 'text'],
    ['number', 1.5],
    ['boolean', true],
    ['array', ['text']],
    ['object', { text: 'text' }],
    ['null', null],
  ]
  const wrong = values
    .filter(([type]) => !types.includes(type))
    .map(([type, value]) => ({ attack: `${type} instead of ${types[0]}`, value }))
  return types.includes('integer') ? wrong : [...wrong, { attack: 'JSON number', value: 10 }]
}

/** Strings that a field refuses, in a body, a form or a query. */
export function wrongStrings(schema: Schema, field: string): Wrong[] {
  const { maxLength, minLength = 0, enum: values, format, pattern } = schema
  const wrong: Wrong[] = Object.entries(forbidden).map(([attack, character]) => ({ attack, value: `a${character}b` }))
  if (maxLength !== undefined) wrong.push({ attack: 'one too long', value: 'x'.repeat(maxLength + 1) })
  if (minLength > 0) wrong.push({ attack: 'empty', value: '' })
  if (pattern === '\\S') wrong.push({ attack: 'nothing but blanks', value: ' \u00a0' })
  if (values !== undefined) wrong.push(...wrongChoices(values))
  if (isMoney(schema)) wrong.push(...wrongDecimals(pattern ?? ''))
  else if (format !== undefined || (pattern !== undefined && pattern !== '\\S'))
    wrong.push(...misshapen.filter((one) => !fits(one, pattern)))
  const example = identifierLike(field)
  if (example !== undefined) wrong.push(...disguised(example))
  return wrong
}

function fits({ value }: Wrong, pattern: string | undefined): boolean {
  return pattern !== undefined && new RegExp(pattern, 'u').test(String(value))
}

const misshapen: Wrong[] = [
  { attack: 'not of the form', value: '¿' },
  { attack: 'far too long', value: 'x'.repeat(5_000) },
  { attack: 'quote', value: "' or '1'='1" },
  { attack: 'empty', value: '' },
]

function wrongChoices(values: readonly unknown[]): Wrong[] {
  const first = String(values.find((value) => typeof value === 'string'))
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()
  return [
    { attack: 'no such choice', value: 'NO_SUCH_CHOICE' },
    { attack: 'choice with a blank', value: `${first} ` },
    ...(other === first ? [] : [{ attack: 'choice in another case', value: other }]),
    { attack: 'choice from the prototype', value: 'constructor' },
  ]
}

function wrongDecimals(pattern: string): Wrong[] {
  const long = pattern.includes('{1,10}') ? rateDecimals : longDecimals
  return [...decimals, ...long].map((value) => ({ attack: `decimal ${value.slice(0, 12)}`, value }))
}

/** A well-formed value, if the field is an identifier that is compared letter by letter. */
function identifierLike(field: string): string | undefined {
  if (/iban$/.test(field)) return ibans[1]
  if (/bic$|swift_code$/.test(field)) return 'BNPAFRPPXXX'
  if (/country|nationality/.test(field)) return 'FRA'
  if (/currency$/.test(field)) return 'SEK'
  if (field === 'routing_number') return '021000021'
  return field === 'account_number' ? 'KS12AB' : undefined
}

function disguised(example: string): Wrong[] {
  return lookAlikes.map((letter) => ({ attack: `${letter} in an identifier`, value: letter + example.slice(1), byTrade: true }))
}

function wrongIntegers({ minimum, maximum }: Schema): Wrong[] {
  return [
    { attack: 'fraction', value: 0.5 },
    ...(minimum === undefined ? [] : [{ attack: 'below the least', value: minimum - (minimum < -1e15 ? 2 : 1) }]),
    ...(maximum === undefined ? [] : [{ attack: 'above the most', value: maximum + (maximum > 1e15 ? 2 : 1) }]),
    { attack: 'huge', value: 1e300 },
  ]
}

function wrongArrays({ items, maxItems = 0, uniqueItems }: Schema): Wrong[] {
  const [one] = items?.enum ?? ['text']
  return [
    ...(uniqueItems ? [{ attack: 'the same twice', value: [one, one] }] : []),
    { attack: 'array of numbers', value: [1] },
    { attack: 'array of arrays', value: [[one]] },
    { attack: 'too many', value: Array.from({ length: maxItems + 1 }, () => one) },
  ]
}

/** For a field of a query, where everything is text; `1e1` and `0x10` are read as numbers, so they are not wrong. */
export function wrongQueryTexts(schema: Schema, field: string): Wrong[] {
  const types = typesOf(schema)
  const numbers = ['0', '101', '-1', '1e9', '1.5', 'NaN', 'Infinity', '١٠', '9'.repeat(30), '1_0', 'x', '']
  const outside = (text: string) =>
    !Number.isInteger(Number(text)) || text === '' || Number(text) < (schema.minimum ?? 0) || Number(text) > (schema.maximum ?? 0)
  if (types[0] === 'integer') return numbers.filter(outside).map((value) => ({ attack: `${field}=${value.slice(0, 12)}`, value }))
  if (types[0] === 'boolean') return ['2', 'yes', 'TRUE', '\u0000'].map((value) => ({ attack: `${field}=${value}`, value }))
  return wrongStrings(schema, field)
}
