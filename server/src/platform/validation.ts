// The compilers behind the route schemas. Bodies are taken literally; only what arrives as text (query and path) is coerced.
import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { isDate, isTimestamp } from '../values/calendar.ts'
import { type FieldError, Refusal } from '../values/refusals.ts'
import { describe } from './characters.ts'

const shared: Options = { allErrors: true, useDefaults: true, removeAdditional: false, strict: false }

const compilers = {
  body: prepare(new Ajv({ ...shared, coerceTypes: false })),
  text: prepare(new Ajv({ ...shared, coerceTypes: true })),
}

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  compilers[httpPart === 'body' ? 'body' : 'text'].compile(schema)

const transforms = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  nfc: (text: string) => text.normalize('NFC'),
}

function prepare(ajv: Ajv): Ajv {
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
  ajv.addFormat('date', isDate)
  ajv.addFormat('date-time', isTimestamp)
  // Brings a string into the form in which it is kept, so that no handler has to remember to.
  ajv.addKeyword({
    keyword: 'transform',
    type: 'string',
    modifying: true,
    compile: (kind: keyof typeof transforms) => {
      const transform = transforms[kind]
      return (text: string, at) => {
        if (at) at.parentData[at.parentDataProperty] = transform(text)
        return true
      }
    },
  })
  return ajv
}

/** Turns what the validator found into a refusal that names each field and says in words what is wrong with it. */
export function refusalOf(found: readonly ErrorObject[]): Refusal {
  const errors = found.slice(0, 20).map(fieldError)
  return new Refusal('invalid_request', { detail: describe(errors), errors })
}

function fieldError({ instancePath, keyword, params, message }: ErrorObject): FieldError {
  const path = instancePath.slice(1).replaceAll('/', '.')
  const within = (name: string) => (path === '' ? name : `${path}.${name}`)
  switch (keyword) {
    case 'required':
      return { field: within(params['missingProperty']), message: 'is required' }
    case 'additionalProperties':
      return { field: within(params['additionalProperty']), message: 'is not a field of this request' }
    case 'enum':
      return { field: path, message: `must be one of ${params['allowedValues'].map((value: unknown) => value ?? 'null').join(', ')}` }
    case 'format':
      return { field: path, message: `must be a valid ${params['format']}` }
    case 'pattern':
      return { field: path, message: 'does not have the required form' }
    default:
      return { field: path, message: message ?? 'is not valid' }
  }
}
