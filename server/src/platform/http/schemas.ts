// The building blocks of request and response schemas. A schema provides validation, types and documentation at once.
import { type Static, type TProperties, type TSchema, type TStringOptions, Type } from 'typebox'
import { actorKinds } from '../actor.ts'

/** Ids are accepted in either case, as RFC 9562 requires, and stored in lower case. */
export const Id = Type.String({ format: 'uuid', transform: 'lower' })

export const Timestamp = Type.String({ format: 'date-time' })

/** An id in a query, or a word that stands for several ids or for none. */
export function IdOr(word: string, description: string) {
  const pattern = `^(${word}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`
  return Formed(pattern, `must be a UUID, or "${word}"`, { transform: 'lower', description })
}

/** The same schema with a description of the field. Use it inside `Nullable` and `Type.Optional`, never around them. */
export function described<Schema extends object>(schema: Schema, description: string): Schema {
  return { ...schema, description }
}

/** The fields that most resources have. */
export const CreatedAt = described(Timestamp, 'When it was created, in UTC.')
export const UpdatedAt = described(Timestamp, 'When it was last changed, in UTC.')
export const CurrencyShown = Type.String({ description: 'The ISO 4217 code of the currency, such as `EUR`.' })

/** A time in a request. Any offset is accepted; it is stored in UTC with milliseconds. */
export const GivenTime = Type.String({ format: 'date-time', transform: 'utc' })

export const CalendarDate = Type.String({ format: 'date' })

/** A string of a certain format. `rule` describes it in the error message, as the end of a sentence about the field. */
export function Formed(pattern: string, rule: string, options: TStringOptions = {}) {
  return Type.String({ ...options, pattern, rule })
}

/** Money, limits and rates in requests. The number of decimals is checked where the currency is known. */
export const Decimal = Formed(
  '^(0|[1-9]\\d{0,14})(\\.\\d{1,4})?$',
  'must be a decimal number in a string, such as "12.50", with at most 15 digits before the point and 4 after it',
)

/** Names and purposes have at most 140 characters, URLs 2,048, all other strings 255. Text is stored in NFC. */
export const Name = Formed('\\S', 'must not be blank', { minLength: 1, maxLength: 140, nfc: true })
export const ShortText = Type.String({ minLength: 1, maxLength: 255, nfc: true })

/** Checked as ASCII first, then stored in upper case. */
export const CountryCode = Type.String({ format: 'alpha-3', transform: 'upper', description: 'ISO 3166-1 alpha-3 code.' })
export const Email = Type.String({ format: 'email', maxLength: 254 })
/** In international format, stored as E.164. */
export const Phone = Type.String({ format: 'phone', maxLength: 255, transform: 'phone' })

export const maxUrlLength = 2_048
export const Url = Type.String({ minLength: 1, maxLength: maxUrlLength })

export function Choice<const Values extends readonly string[]>(values: Values, options: { description?: string } = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

export const ActorShown = Choice(actorKinds, {
  description:
    'Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the ' +
    'service itself. connector: a rail that reports what happened outside.',
})

/**
 * A value or null, written as `type: [..., 'null']`. For an `anyOf`, the serializer runs a validator on every response, but a list of types
 * costs nothing.
 */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values, ...rest } = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({ type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}), ...rest })
}

/** A field that may be absent or null, which both mean that there is no value. */
export function OptionalField<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Nullable(schema))
}

/** A request body. It is strict, so a misspelt field is refused and not silently dropped. */
export function Body<const Fields extends TProperties>(title: string, fields: Fields) {
  return Type.Object(fields, { title, additionalProperties: false })
}

/**
 * A response: every declared field is always present, and an absent optional one is null. `description` is needed where the resource is a
 * field of another.
 */
export function Resource<const Fields extends TProperties>(title: string, fields: Fields, description?: string) {
  return Type.Object(fields, { title, ...(description === undefined ? {} : { description }) })
}

export function PathId<const Name extends string>(name: Name) {
  const what = name.replace(/_id$/, '').replaceAll('_', ' ')
  return Type.Object({ [name]: described(Id, `The id of the ${what}.`) } as Record<Name, typeof Id>)
}

/** The parameters of every list besides its filters. */
export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'The largest number of results.' })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The number of results to skip. Cannot be combined with `after`.' }),
  ),
  after: Type.Optional(
    Type.String({ format: 'uuid', transform: 'lower', description: 'Returns only results that follow the result with this id.' }),
  ),
}

/** Filters of a list by creation time. */
export const Dates = {
  date_from: Type.Optional(
    Type.String({ format: 'day-or-time', description: 'Returns only what was created on or after this date or time.' }),
  ),
  date_to: Type.Optional(
    Type.String({
      format: 'day-or-time',
      description: 'Returns only what was created on or before this date or time. A date includes its whole day.',
    }),
  ),
}

export const Search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 255, nfc: true, description: 'A part of the text to search for. Case does not matter.' }),
)

export function Query<const Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

export const FieldProblem = Type.Object({
  field: Type.String({
    description: 'The name of the field. Names inside objects and lists are joined with dots, such as `rules.0.above`.',
  }),
  message: Type.String({
    description: "What is wrong with the field, for people. It completes a sentence that begins with the field's name.",
  }),
})

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'The page of the error code, relative to the service: `/docs/errors#` and the code.' }),
    title: Type.String({ description: 'A short title, which is the same for every problem with this code.' }),
    status: Type.Integer({ description: 'The status of the response.' }),
    detail: Type.String({ description: 'What is wrong with this request, including its values, and what to do about it.' }),
    instance: Type.String({ description: 'The path of the request, without its query.' }),
    code: Type.String({ description: 'The error code, which is never renamed. Programs should compare only this field.' }),
    request_id: Type.String({
      description: 'The id of the request, as in the header `X-Request-Id`. Quote it when you contact the operator.',
    }),
    errors: Type.Optional(Type.Array(FieldProblem, { description: 'The fields that are wrong. Only with `invalid_request`.' })),
  },
  { title: 'Problem', additionalProperties: true, description: 'The body of every error response (RFC 9457).' },
)
