// The schemas of exchange rates.
import { type Static, Type } from 'typebox'
import {
  ActorShown,
  Body,
  CreatedAt,
  described,
  Formed,
  GivenTime,
  Id,
  Nullable,
  OptionalField,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'

const Currency = Type.String({ format: 'currency', transform: 'upper', description: 'The ISO 4217 code of the currency, such as `EUR`.' })
const rate = { description: 'How much of `to_currency` one unit of `from_currency` is worth, without the margin.' }
const margin = { description: 'The share of the debited amount that the bank charges as its fee.' }

export const Rate = Resource('Rate', {
  id: described(Id, 'The id of the rate. The service assigns it.'),
  from_currency: Type.String({ description: 'The currency that is debited, as an ISO 4217 code.' }),
  to_currency: Type.String({ description: 'The currency that is credited, as an ISO 4217 code.' }),
  rate: Type.String(rate),
  margin: Type.String(margin),
  valid_from: described(Timestamp, 'When the rate becomes valid, in UTC.'),
  valid_until: Nullable(
    described(Timestamp, 'When the rate ceases to be valid, in UTC; null if it is valid until another one replaces it.'),
  ),
  actor: ActorShown,
  actor_id: Nullable(Type.String({ format: 'uuid', description: 'The person who set it; null for the admin key.' })),
  created_at: CreatedAt,
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
  valid_from: Type.Optional(described(GivenTime, 'When the rate becomes valid; immediately if absent.')),
  valid_until: OptionalField(
    described(GivenTime, 'When the rate ceases to be valid. If absent or null, it is valid until another one replaces it.'),
  ),
})
export type NewRate = Static<typeof NewRate>
