// The schemas of policies.
import { type Static, Type } from 'typebox'
import { actorKinds } from '../platform/actor.ts'
import { Body, Choice, Formed, Id, Nullable, Resource, Timestamp } from '../platform/http/schemas.ts'

/** A share of an amount: at least 0 and less than 1, with up to ten decimals. */
export const Share = Formed('^0(\\.\\d{1,10})?$', 'must be a share in a string, at least "0" and less than "1", such as "0.015"')

const fields = {
  card_fee: Type.String({ ...Share, description: "The bank's share of the card money that it pays out." }),
  payout_delay_days: Type.Integer({ minimum: 0, maximum: 365, description: 'The days between a card payment and its pay-out.' }),
  rate_hold_s: Type.Integer({ minimum: 1, maximum: 86_400, description: 'For how many seconds an exchange rate holds for an order.' }),
}

export const Policy = Resource('Policy', {
  venture_id: Id,
  version: Type.Integer({ description: '0 until the bank has changed something for this venture.' }),
  ...fields,
  actor: Nullable(Choice(actorKinds)),
  actor_id: Nullable(Type.String({ format: 'uuid' })),
  created_at: Nullable(Timestamp),
})
export type Policy = Static<typeof Policy>

export const PolicyUpdate = Body('PolicyUpdate', {
  card_fee: Type.Optional(fields.card_fee),
  payout_delay_days: Type.Optional(fields.payout_delay_days),
  rate_hold_s: Type.Optional(fields.rate_hold_s),
})
export type PolicyUpdate = Static<typeof PolicyUpdate>
