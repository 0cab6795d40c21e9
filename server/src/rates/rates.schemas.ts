// The schemas of exchange rates.
import { type Static, Type } from 'typebox'
import { actorKinds } from '../platform/actor.ts'
import { Body, Choice, Formed, GivenTime, Id, Nullable, OptionalField, Resource, Timestamp } from '../platform/http/schemas.ts'

const Currency = Type.String({ format: 'currency', transform: 'upper', description: 'ISO 4217 code.' })
const rate = { description: 'How much of `to_currency` one unit of `from_currency` is worth, without the margin.' }
const margin = { description: 'The share of the debited amount that the bank takes as its fee.' }

export const Rate = Resource('Rate', {
  id: Id,
  from_currency: Type.String(),
  to_currency: Type.String(),
  rate: Type.String(rate),
  margin: Type.String(margin),
  valid_from: Timestamp,
  valid_until: Nullable(Timestamp),
  actor: Choice(actorKinds),
  actor_id: Nullable(Type.String({ format: 'uuid' })),
  created_at: Timestamp,
})
export type Rate = Static<typeof Rate>

export const NewRate = Body('NewRate', {
  from_currency: Currency,
  to_currency: Currency,
  rate: Formed(
    '^(0|[1-9]\\d{0,14})(\\.\\d{1,10})?$',
    'must be a decimal number in a string, such as "1.0825", with at most 15 digits before the point and 10 after it',
    rate,
  ),
  margin: Formed('^0(\\.\\d{1,10})?$', 'must be a share in a string, at least "0" and less than "1", such as "0.005"', margin),
  valid_from: Type.Optional(GivenTime),
  valid_until: OptionalField(GivenTime),
})
export type NewRate = Static<typeof NewRate>
