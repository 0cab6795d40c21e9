// The vocabulary for defining messages. A message is a list of parts, in the order of its elements. Each part names its element and the
// field of the plain object. Groups without a field put their fields into the surrounding object, so the objects are flat where the XML is
// deep. Types, writer, reader and schema are all derived from the parts.
import type { Money } from '../../values/money.ts'
import { bic, codeOf, date, dayOfTime, iban, type Simple, textOf } from './iso20022.simple.ts'

// biome-ignore lint/suspicious/noExplicitAny: the objects that parts describe have the types that the parts give them, below.
export type Plain = any

type Times = { readonly min: number; readonly max: number }

/** An element with a value. If it may occur more than once, its field is a list. */
export type Leaf = Times & {
  readonly kind: 'leaf'
  readonly tag: string
  readonly field: string
  readonly type: Simple<Plain>
  /** Whether the field is a list. */
  readonly many: boolean
  /** The limits when a scheme message is written: characters in each, and occurrences. */
  readonly sent?: { readonly characters?: number; readonly times?: number }
}

/** An amount and its currency, which is an attribute. `sign`: the following element, which says whether the amount is a credit. */
export type Amount = Times & {
  readonly kind: 'amount'
  readonly tag: string
  readonly amount: string
  readonly currency: string
  readonly sign: string | undefined
}

/** Elements inside an element. Without a field, their fields belong to the object around them. */
export type Group = Times & {
  readonly kind: 'group'
  readonly tag: string
  readonly field: string | undefined
  readonly many: boolean
  /** Whether the list exists even if it is empty. */
  readonly alwaysGiven?: boolean
  /** Whether exactly one of the parts occurs. */
  readonly choice: boolean
  readonly parts: readonly Part[]
  /** The value to write if the element is required but unknown. */
  readonly unknown?: string
  /** A rule for scheme messages that are written; returns the fault in words. */
  readonly rule?: (value: Plain) => string | undefined
}

/** An element that is accepted but not read, whatever it contains. */
export type Skipped = Times & { readonly kind: 'skipped'; readonly tag: string }

/** An element whose value follows from the surrounding object. It is computed when a message is written, and compared when one is read. */
export type Derived = Times & {
  readonly kind: 'derived'
  readonly tag: string
  /** False if other banks may state it but we do not. */
  readonly written?: boolean
} & (
    | { readonly what: 'number'; readonly derive: (owner: Plain) => number }
    | { readonly what: 'sum'; readonly derive: (owner: Plain) => Money | undefined }
    | { readonly what: 'total'; readonly derive: (owner: Plain) => Total }
  )

/** Undefined if the amounts are not all in one currency. */
export type Total = { amount: Money; currency: string } | undefined

/** An element that always has the same value. */
export type Constant = Times & { readonly kind: 'constant'; readonly tag: string; readonly type: Simple<string>; readonly value: string }

/** `fields` never exists at run time: it carries the type of the fields of the part. */
export type Part<Fields extends object = object> = (Leaf | Amount | Group | Skipped | Derived | Constant) & { readonly fields?: Fields }

type FieldsOf<P> = P extends Part<infer Fields> ? Fields : never
type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer All) => void ? All : never
/** The object that parts describe. */
export type ObjectOf<Parts extends readonly Part[]> = {
  [Field in keyof Intersection<FieldsOf<Parts[number]>>]: Intersection<FieldsOf<Parts[number]>>[Field]
}
type Optional<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }
type Named<Field extends string, Value> = { [Name in Field]: Value }

/** No limit to how often an element occurs. */
export const unbounded = Number.POSITIVE_INFINITY

const once = { min: 1, max: 1 } as const

export function leaf<const Field extends string, Value>(
  tag: string,
  field: Field,
  type: Simple<Value>,
  sent?: NonNullable<Leaf['sent']>,
): Part<Named<Field, Value>> {
  return { kind: 'leaf', tag, field, type, many: false, ...once, ...(sent && { sent }) }
}

export function text<const Field extends string>(
  tag: string,
  field: Field,
  most = 35,
  sent?: NonNullable<Leaf['sent']>,
): Part<Named<Field, string>> {
  return leaf(tag, field, textOf(most), sent)
}

/** A list of texts, which may be empty. */
export function texts<const Field extends string>(
  tag: string,
  field: Field,
  { most, max = unbounded, sent }: { most: number; max?: number; sent?: NonNullable<Leaf['sent']> },
): Part<Optional<Named<Field, readonly string[]>>> {
  return { kind: 'leaf', tag, field, type: textOf(most), many: true, min: 0, max, ...(sent && { sent }) }
}

/** `amount` and `currency`, with a prefix if there are several amounts. */
export function amount<const Prefix extends string = ''>(
  tag: string,
  prefix?: Prefix,
): Part<Named<`${Prefix}amount`, Money> & Named<`${Prefix}currency`, string>> {
  return { kind: 'amount', tag, amount: `${prefix ?? ''}amount`, currency: `${prefix ?? ''}currency`, sign: undefined, ...once }
}

/** An amount with a sign: positive for incoming money and for what the bank owes the account holder. */
export function signedAmount(tag: string): Part<{ amount: Money; currency: string }> {
  return { kind: 'amount', tag, amount: 'amount', currency: 'currency', sign: 'CdtDbtInd', ...once }
}

export function inline<const Parts extends readonly Part[]>(tag: string, parts: Parts, unknown?: string): Part<ObjectOf<Parts>> {
  return { kind: 'group', tag, field: undefined, many: false, choice: false, parts, ...once, ...(unknown && { unknown }) }
}

/** Exactly one of the parts, whose fields are therefore all optional. */
export function choice<const Parts extends readonly Part[]>(tag: string, parts: Parts): Part<Optional<ObjectOf<Parts>>> {
  return { kind: 'group', tag, field: undefined, many: false, choice: true, parts, ...once }
}

export function child<const Field extends string, const Parts extends readonly Part[]>(
  tag: string,
  field: Field,
  parts: Parts,
  rule?: Group['rule'],
): Part<Named<Field, ObjectOf<Parts>>> {
  return { kind: 'group', tag, field, many: false, choice: false, parts, ...once, ...(rule && { rule }) }
}

/** At least one. */
export function list<const Field extends string, const Parts extends readonly Part[]>(
  tag: string,
  field: Field,
  parts: Parts,
): Part<Named<Field, readonly ObjectOf<Parts>[]>> {
  return { kind: 'group', tag, field, many: true, choice: false, parts, min: 1, max: unbounded }
}

export function optional<Fields extends object>(part: Part<Fields>): Part<Optional<Fields>> {
  return { ...part, min: 0 } as Part<Optional<Fields>>
}

/** A list that may be empty and is then an empty list, unlike an optional one. */
export function listOrNone<const Field extends string, const Parts extends readonly Part[]>(
  tag: string,
  field: Field,
  parts: Parts,
): Part<Named<Field, readonly ObjectOf<Parts>[]>> {
  return { ...list(tag, field, parts), min: 0, alwaysGiven: true } as Part<Named<Field, readonly ObjectOf<Parts>[]>>
}

/** An element around a list, omitted if the list is empty. */
export function unlessEmpty<Fields extends object>(part: Part<Fields>): Part<Fields> {
  return { ...part, min: 0 } as Part<Fields>
}

export function skipped(...tags: readonly string[]): Part<object>[] {
  return tags.map((tag) => ({ kind: 'skipped', tag, min: 0, max: unbounded }))
}

export function constant(tag: string, value: string): Part<object> {
  return { kind: 'constant', tag, type: codeOf(value), value, ...once }
}

export function numberOf(tag: string, derive: (owner: Plain) => number): Part<object> {
  return { kind: 'derived', what: 'number', tag, derive, ...once }
}

export function sumOf(tag: string, derive: (owner: Plain) => Money | undefined): Part<object> {
  return { kind: 'derived', what: 'sum', tag, derive, ...once }
}

export function totalOf(tag: string, derive: (owner: Plain) => Total): Part<object> {
  return { kind: 'derived', what: 'total', tag, derive, ...once }
}

/** An element that is compared if another bank states it, but never written. */
export function unwritten(part: Part<object>): Part<object> {
  return { ...part, min: 0, written: false } as Part<object>
}

/** A day, which the other bank may also give as a time. It is written as a day. */
export function day<const Field extends string>(tag: string, field: Field): Part<Named<Field, string>> {
  return choice(tag, [leaf('Dt', field, date), leaf('DtTm', field, dayOfTime)]) as unknown as Part<Named<Field, string>>
}

/** An IBAN, or another number of an account. */
export function accountId<const Prefix extends string>(prefix: Prefix) {
  const other = inline('Othr', [text('Id', `${prefix}account`, 34), ...skipped('SchmeNm', 'Issr')])
  return choice('Id', [leaf('IBAN', `${prefix}iban`, iban), other]) as Part<Optional<Named<`${Prefix}iban` | `${Prefix}account`, string>>>
}

export function account<const Prefix extends string>(tag: string, prefix: Prefix) {
  return inline(tag, [accountId(prefix), ...skipped('Tp', 'Ccy', 'Nm', 'Prxy')])
}

/** A bank by its BIC. If the BIC is unknown but the element required, the message says so in the words that the schemes prescribe. */
export function agent<const Field extends string>(tag: string, field: Field): Part<Optional<Named<Field, string>>> {
  const parts = [
    inline('FinInstnId', [optional(leaf('BICFI', field, bic)), ...skipped('ClrSysMmbId', 'LEI', 'Nm', 'PstlAdr', 'Othr')]),
    ...skipped('BrnchId'),
  ] as const
  return inline(tag, parts, '<FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId>') as unknown as Part<Optional<Named<Field, string>>>
}
