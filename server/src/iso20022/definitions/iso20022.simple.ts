// Simple types: the values of elements, each with its rule in the schema and how it is written and read. What the schema cannot express
// (whether a date or a currency exists) is checked here.
import { isDate, isTimestamp } from '../../values/calendar.ts'
import { decimalsOf, isCurrency } from '../../values/currency.ts'
import { formatMoney, fromNumeric, type Money, toNumeric } from '../../values/money.ts'
import { escapeXml } from '../xml/iso20022.escape.ts'
import { MessageFault } from '../xml/iso20022.faults.ts'

/** The form of a value; tests generate values from it. */
export type Shape =
  | { kind: 'text'; most: number }
  | { kind: 'code'; values: readonly string[] }
  | { kind: 'bic' | 'iban' | 'country' | 'currency' | 'lei' | 'uuid' | 'date' | 'time' | 'boolean' | 'money' }
  | { kind: 'number'; digits: number }

export type Simple<Value> = {
  /** Its name in the schema. */
  readonly name: string
  readonly shape: Shape
  /** The facets of its restriction in the schema. */
  readonly base: string
  readonly facets: readonly string[]
  /** Refuses a value that the schema would refuse. */
  readonly encode: (value: Value) => string
  /** Reads a text that is valid by the schema. */
  readonly decode: (text: string) => Value
}

const facet = (name: string, value: string | number) => `<xs:${name} value="${value}"/>`
const pattern = (value: string) => facet('pattern', value)

function refuseValue(value: unknown, rule: string): never {
  throw new MessageFault('invalid', `${JSON.stringify(String(value).slice(0, 80))} ${rule}`)
}

/** Characters, not UTF-16 units, which is how schemas count. */
function lengthOf(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be written.
const unwritable = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/

/** Refuses what XML cannot carry, or would not return unchanged. */
function encodeText(text: string): string {
  if (unwritable.test(text) || !text.isWellFormed()) refuseValue(text, 'contains a control character or half of a character')
  return escapeXml(text)
}

const texts = new Map<number, Simple<string>>()

/** At least one and at most this many characters. */
export function textOf(most: number): Simple<string> {
  const known = texts.get(most)
  if (known) return known
  const made: Simple<string> = {
    name: `Text${most}`,
    shape: { kind: 'text', most },
    base: 'xs:string',
    facets: [facet('minLength', 1), facet('maxLength', most)],
    encode(value) {
      if (value === '' || (value.length > most && lengthOf(value) > most)) refuseValue(value, `must have 1 to ${most} characters`)
      return encodeText(value)
    },
    decode: (text) => text,
  }
  texts.set(most, made)
  return made
}

/** A code from a list that ISO maintains outside its schemas, where new codes may appear at any time. */
export const externalCode = textOf(4)

export function codeOf<const Code extends string>(...values: readonly Code[]): Simple<Code> {
  const known = new Set<string>(values)
  return {
    name: values.join('_'),
    shape: { kind: 'code', values },
    base: 'xs:string',
    facets: values.map((value) => facet('enumeration', value)),
    encode: (value) => (known.has(value) ? value : refuseValue(value, `must be one of ${values.join(', ')}`)),
    decode: (text) => text as Code,
  }
}

function matching(
  name: string,
  kind: 'bic' | 'iban' | 'country' | 'currency' | 'lei' | 'uuid',
  rule: string,
  words: string,
): Simple<string> {
  const whole = new RegExp(`^${rule}$`)
  return {
    name,
    shape: { kind },
    base: 'xs:string',
    facets: [pattern(rule)],
    encode: (value) => (whole.test(value) ? value : refuseValue(value, `must be ${words}`)),
    decode: (text) => text,
  }
}

export const bic = matching('Bic', 'bic', '[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?', 'a BIC')
// Only the form: the check digits are checked when the account is looked up, and must not refuse a whole message.
export const iban = matching('Iban', 'iban', '[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}', 'an IBAN')
export const country = matching('Country', 'country', '[A-Z]{2}', 'a country code of two letters')
export const currencyCode = matching('Currency', 'currency', '[A-Z]{3}', 'a currency code of three letters')
export const lei = matching('Lei', 'lei', '[A-Z0-9]{18}[0-9]{2}', 'an LEI')
export const uuid = matching('Uuid4', 'uuid', '[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}', 'a UUID of version 4')

/** A day. A time zone from another bank is dropped. */
export const date: Simple<string> = {
  name: 'Date',
  shape: { kind: 'date' },
  base: 'xs:date',
  facets: [pattern('[0-9]{4}-.*')],
  encode: (value) => (isDate(value) ? value : refuseValue(value, 'must be a date such as 2026-11-16')),
  decode: (text) => text.trim().slice(0, 10),
}

/** Written with its time zone. What another bank wrote is kept, with or without one. */
export const time: Simple<string> = {
  name: 'Time',
  shape: { kind: 'time' },
  base: 'xs:dateTime',
  facets: [pattern('[0-9]{4}-.*')],
  encode: (value) => (isTimestamp(value) ? value : refuseValue(value, 'must be a time such as 2026-11-16T10:00:00Z')),
  decode: (text) => text.trim(),
}

/** The day of a time, or a day: either may say when an entry was booked. */
export const dayOfTime: Simple<string> = { ...time, decode: (text) => text.trim().slice(0, 10) }

export const boolean: Simple<boolean> = {
  name: 'Boolean',
  shape: { kind: 'boolean' },
  base: 'xs:boolean',
  facets: [],
  encode: String,
  decode: (text) => text.trim() === 'true' || text.trim() === '1',
}

/** A whole number with at most 15 digits, which a JavaScript number holds exactly. */
export const count: Simple<number> = {
  name: 'Count',
  shape: { kind: 'number', digits: 15 },
  base: 'xs:string',
  facets: [pattern('[0-9]{1,15}')],
  encode: (value) =>
    Number.isInteger(value) && value >= 0 && value < 1e15
      ? String(value)
      : refuseValue(value, 'must be a whole number with at most 15 digits'),
  decode: Number,
}

/** The form of numbers in XML: it allows a sign, leading and trailing zeros, and nothing on one side of the point. */
const decimalPattern = /^\+?0*(\d{0,15})(?:\.(\d{0,4}?)0*)?$/

function decodeDecimal(text: string): Money | undefined {
  const [, whole, decimals = ''] = decimalPattern.exec(text.trim()) ?? []
  return whole === undefined ? undefined : fromNumeric(`${whole === '' ? '0' : whole}.${decimals.padEnd(4, '0')}`)
}

const mostDigits = 18

function checkDigits(text: string): string {
  return text.replace('.', '').length > mostDigits ? refuseValue(text, `must have at most ${mostDigits} digits`) : text
}

/** A sum of amounts, without a currency. */
export const sum: Simple<Money> = {
  name: 'Sum',
  shape: { kind: 'money' },
  base: 'xs:decimal',
  facets: [facet('fractionDigits', 17), facet('totalDigits', mostDigits), facet('minInclusive', 0)],
  encode: (value) =>
    value < 0n ? refuseValue(toNumeric(value), 'must not be negative') : checkDigits(toNumeric(value).replace(/(\.\d\d)0+$/, '$1')),
  decode: (text) => decodeDecimal(text) ?? refuseValue(text, 'must have at most 15 digits and 4 decimals'),
}

/** The text of an amount in its element, whose attribute names the currency. */
export const amountFacets: readonly string[] = [facet('fractionDigits', 5), facet('totalDigits', mostDigits), facet('minInclusive', 0)]

export function encodeAmount(amount: Money, currency: string): string {
  if (!isCurrency(currency)) refuseValue(currency, 'is not a currency')
  if (amount < 0n) refuseValue(toNumeric(amount), 'must not be negative')
  return checkDigits(formatMoney(amount, currency))
}

export function decodeAmount(text: string, currency: string): Money {
  if (!isCurrency(currency)) refuseValue(currency, 'is not a currency')
  const amount = decodeDecimal(text) ?? refuseValue(text, 'must have at most 15 digits and 4 decimals')
  const smallest = 10n ** BigInt(4 - decimalsOf(currency))
  return amount % smallest === 0n ? amount : refuseValue(text, `has more decimals than ${currency}`)
}
