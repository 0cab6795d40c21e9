// Reads and checks what a payer enters on the page of a link.
import { Type } from 'typebox'
import { checkCharacters } from '../../platform/http/characters.ts'
import type { Form } from '../../platform/http/forms.ts'
import { Email, Name, Phone } from '../../platform/http/schemas.ts'
import { checkShape } from '../../platform/http/validation.ts'
import { containsPan } from '../../values/pan.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import type { LinkRow } from '../links/payments.links.sql.ts'
import type { Payer } from '../links/payments.links.start.ts'

export const fields = ['name', 'email', 'phone'] as const
export type Field = (typeof fields)[number]

/** As entered. */
export type Values = { [Name in Field]?: string }
export type Errors = { [Name in Field]?: 'missing' | 'malformed' }

type Customer = Omit<Payer, 'language'>
type Entry = { kind: 'customer'; customer: Customer } | { kind: 'errors'; errors: Errors; values: Values }

export function askedFields(link: LinkRow): Field[] {
  return fields.filter((field) => link[`ask_${field}`])
}

/** Refuses fields that the link does not ask for, so that nothing unasked is stored. */
export function readEntry(form: Form, link: LinkRow): Entry {
  const asked = askedFields(link)
  const isExpected = (name: string) => name === 'attempt' || asked.some((field) => field === name)
  if (![...form.keys()].every(isExpected))
    refuse('invalid_request', { detail: 'The form has a field that this payment link does not ask for.' })
  const values: Values = Object.fromEntries(asked.map((field) => [field, (form.get(field) ?? '').trim()]))
  const given: Values = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const malformed = malformedIn(given)
  const errors: Errors = {}
  for (const field of asked) {
    if (values[field] === '') errors[field] = 'missing'
    else if (malformed.includes(field) || containsPan(values[field] ?? '')) errors[field] = 'malformed'
  }
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors, values }
  const { name = null, email = null, phone = null } = given
  return { kind: 'customer', customer: { customer_name: name, customer_email: email, customer_phone: phone } }
}

const Typed = Type.Object({ name: Type.Optional(Name), email: Type.Optional(Email), phone: Type.Optional(Phone) })
const check = checkShape<Values>(Typed)

/** The names of the malformed values. The others are normalized in place. */
function malformedIn(given: Values): string[] {
  return [checkCharacters, check].flatMap((test) => {
    try {
      test(given)
      return []
    } catch (error) {
      if (error instanceof Refusal) return (error.details.errors ?? []).map(({ field }) => field)
      throw error
    }
  })
}
