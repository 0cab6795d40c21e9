// Payment links on the wire.
import { type Static, Type } from 'typebox'
import {
  Body,
  Decimal,
  GivenTime,
  Id,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  Url,
} from '../../platform/http/schemas.ts'
import { Currency, Language } from '../payments.schemas.ts'

const Ask = Type.Optional(Type.Boolean({ default: false, description: 'Whether the payer must enter it.' }))
const MaxUses = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

export const PaymentLink = Resource('PaymentLink', {
  id: Id,
  token: Type.String(),
  url: Type.String({ description: 'The page for the payer. Anyone who has the URL can pay.' }),
  active: Type.Boolean(),
  amount: Type.String(),
  currency: Type.String(),
  description: Nullable(Type.String()),
  language: Language,
  success_url: Nullable(Type.String()),
  fail_url: Nullable(Type.String()),
  ask_name: Type.Boolean(),
  ask_email: Type.Boolean(),
  ask_phone: Type.Boolean(),
  max_uses: Nullable(Type.Integer()),
  uses: Type.Integer({ description: 'The number of payments of this link that are PAID, REFUNDED or PENDING.' }),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type PaymentLink = Static<typeof PaymentLink>

export const NewPaymentLink = Body('NewPaymentLink', {
  amount: Decimal,
  currency: Currency,
  description: OptionalField(ShortText),
  language: Type.Optional(Language),
  success_url: OptionalField({
    ...Url,
    description: 'Where the payer goes after a successful payment. Without it, the payer sees a result page of the service.',
  } as typeof Url),
  fail_url: OptionalField({
    ...Url,
    description: 'Where the payer goes after an unsuccessful payment. Required together with `success_url`.',
  } as typeof Url),
  ask_name: Ask,
  ask_email: Ask,
  ask_phone: Ask,
  max_uses: OptionalField(MaxUses),
  expires_at: OptionalField(GivenTime),
})
export type NewPaymentLink = Static<typeof NewPaymentLink>

export const PaymentLinkUpdate = Body('PaymentLinkUpdate', {
  active: Type.Optional(Type.Boolean()),
  description: OptionalField(ShortText),
  max_uses: OptionalField(MaxUses),
  expires_at: OptionalField(GivenTime),
})
export type PaymentLinkUpdate = Static<typeof PaymentLinkUpdate>

export const PaymentLinkList = Query({ active: Type.Optional(Type.Boolean()), ...Paging })
export type PaymentLinkList = Static<typeof PaymentLinkList>
