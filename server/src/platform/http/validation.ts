// The compilers behind the route schemas. Bodies are taken literally; only text input (query and path) is coerced.
import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { build } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { isDate, isTimestamp } from '../../values/calendar.ts'
import { parseAlpha3 } from '../../values/country.ts'
import { parseCreditorReference } from '../../values/creditor-reference.ts'
import { parseCurrency } from '../../values/currency.ts'
import { parseEmail } from '../../values/email.ts'
import { parsePhone } from '../../values/phone.ts'
import { either, type FieldError, Refusal } from '../../values/refusals.ts'
import { cut, describe, mostErrors } from './characters.ts'

// Verbose, so that an error contains the violated schema and thereby the description of its rule.
const shared: Options = { allErrors: true, useDefaults: true, removeAdditional: false, strict: false, verbose: true }

const compilers = {
  body: prepare(new Ajv({ ...shared, coerceTypes: false })),
  text: prepare(new Ajv({ ...shared, coerceTypes: true })),
}

type Validate = { (data: unknown): unknown; errors?: ErrorObject[] | null }

/** Compiles a schema when the first request needs it. Compiling all of them took most of the startup time. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const ajv = compilers[httpPart === 'body' ? 'body' : 'text']
  let compiled: Validate | undefined
  const validate: Validate = (data) => {
    compiled ??= ajv.compile(schema) as Validate
    const isValid = compiled(data)
    validate.errors = compiled.errors ?? null
    return isValid
  }
  return validate as ReturnType<FastifySchemaCompiler<object>>
}

const serializers = new WeakMap<object, (data: unknown) => string>()

/** Compiles each schema once, for its first response: several routes respond with the same resource, and HEAD with that of GET. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  return (data: unknown) => {
    let serialize = serializers.get(schema)
    if (serialize === undefined) {
      serialize = build(schema)
      serializers.set(schema, serialize)
    }
    return serialize(data)
  }
}

/** The name of a format in a message. */
const formats: Record<string, string> = {
  'alpha-3': 'an ISO 3166-1 alpha-3 country code, such as FRA',
  'date-time': 'a date and time with its offset, such as 2026-11-15T09:30:00Z',
  'creditor-reference': 'a creditor reference of ISO 11649, such as RF18539007547034',
  currency: 'an ISO 4217 currency code, such as EUR',
  'day-or-time': 'a date, such as 2026-11-15, or a date and time, such as 2026-11-15T09:30:00Z',
  date: 'a valid date in the form YYYY-MM-DD',
  email: 'a valid email address',
  phone: 'a phone number in international format, such as +33612345678',
  uuid: 'a UUID',
}

/** Checks values that did not arrive through a route. */
export function checkShape<Shape>(schema: object): (value: unknown) => Shape {
  let fits: Validate | undefined
  return (value) => {
    fits ??= compilers.body.compile(schema) as Validate
    if (!fits(value)) throw refusalOf(fits.errors ?? [])
    return value as Shape
  }
}

const transforms = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  trim: (text: string) => text.trim(),
  trimmed_upper: (text: string) => text.trim().toUpperCase(),
  phone: (text: string) => parsePhone(text) ?? text,
  utc: (text: string) => (isTimestamp(text) ? new Date(text).toISOString() : text),
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

function prepare(ajv: Ajv): Ajv {
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('alpha-3', (text) => parseAlpha3(text) !== undefined)
  ajv.addFormat('creditor-reference', (text) => parseCreditorReference(text) !== undefined)
  ajv.addFormat('currency', (text) => parseCurrency(text) !== undefined)
  ajv.addFormat('day-or-time', (text) => isDate(text) || isTimestamp(text))
  ajv.addFormat('email', (text) => parseEmail(text) !== undefined)
  ajv.addFormat('phone', (text) => parsePhone(text) !== undefined)
  ajv.addFormat('date', isDate)
  ajv.addFormat('date-time', isTimestamp)
  // Normalises a string the way it is stored, so that no handler has to remember it. NFC comes before the length check, because it can make
  // a text longer. Upper and lower case come after the check of the characters, because they turn `ı` and the Kelvin sign into ASCII
  // letters.
  ajv.addKeyword({ ...rewriting(() => (text) => text.normalize('NFC')), keyword: 'nfc', before: 'maxLength' })
  ajv.addKeyword({ ...rewriting((kind: keyof typeof transforms) => transforms[kind]), keyword: 'transform' })
  return ajv
}

/** A keyword that replaces the string that it applies to. */
function rewriting<Value>(rewriterFor: (value: Value) => (text: string) => string) {
  return {
    type: 'string' as const,
    modifying: true,
    compile: (value: Value) => {
      const rewrite = rewriterFor(value)
      return (text: string, at?: DataValidationCxt) => {
        if (at) at.parentData[at.parentDataProperty] = rewrite(text)
        return true
      }
    },
  }
}

/** Turns the validator's errors into a refusal that names each field and says in words what is wrong with it. */
export function refusalOf(found: readonly ErrorObject[]): Refusal {
  const errors = found.slice(0, mostErrors).map(fieldError)
  return new Refusal('invalid_request', { detail: describe(errors), errors })
}

function fieldError(error: ErrorObject): FieldError {
  const { instancePath, keyword, params } = error
  const path = cut(instancePath.slice(1).replaceAll('/', '.'))
  const within = (name: string) => cut(path === '' ? name : `${path}.${name}`)
  if (keyword === 'required') return { field: within(params['missingProperty']), message: 'is required' }
  if (keyword === 'additionalProperties') return { field: within(params['additionalProperty']), message: 'is not a field of this request' }
  return { field: path, message: messages[keyword]?.(error) ?? error.message ?? 'is not valid' }
}

const types: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** What is wrong with a value, in words, by the keyword of the schema that it violates. */
const messages: Record<string, (error: ErrorObject) => string> = {
  type: ({ params }) => `must be ${either([params['type']].flat().map((type) => types[type] ?? type))}`,
  enum: ({ params }) => `must be one of ${params['allowedValues'].map((value: unknown) => value ?? 'null').join(', ')}`,
  format: ({ params }) => `must be ${formats[params['format']] ?? `a valid ${params['format']}`}`,
  pattern: ({ parentSchema }) => parentSchema?.['rule'] ?? 'does not have the required form',
  minLength: ({ params: { limit } }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ params: { limit } }) => `must have at most ${limit} characters`,
  minimum: ({ params: { limit } }) => `must be at least ${limit}`,
  maximum: ({ params: { limit } }) => `must be at most ${limit}`,
  minItems: ({ params: { limit } }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
  maxItems: ({ params: { limit } }) => `must have at most ${limit} items`,
  uniqueItems: ({ params: { i, j } }) => `must not have the same item twice (items ${Math.min(i, j) + 1} and ${Math.max(i, j) + 1})`,
}
