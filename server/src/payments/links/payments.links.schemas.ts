// Payment links on the wire.
import { type Static, Type } from 'typebox'
import {
  Body,
  CreatedAt,
  CurrencyShown,
  Decimal,
  described,
  GivenTime,
  Id,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  UpdatedAt,
  Url,
} from '../../platform/http/schemas.ts'
import { Currency, Language } from '../payments.schemas.ts'

const Ask = Type.Optional(Type.Boolean({ default: false, description: 'Whether the payer must enter it.' }))
const MaxUses = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

export const PaymentLink = Resource(
  'PaymentLink',
  {
    id: described(Id, 'The id of the link, for the API. The service assigns it.'),
    token: Type.String({ description: 'The last part of the URL, which identifies the link to the public page.' }),
    url: Type.String({ description: 'The page for the payer. Anyone who has the URL can pay.' }),
    active: Type.Boolean({ description: 'Whether the link can be used. The venture switches it on and off.' }),
    amount: Type.String({ description: 'The amount for each payer, with exactly as many decimals as the currency has.' }),
    currency: CurrencyShown,
    description: Nullable(Type.String({ description: 'What the payer pays for, or null.' })),
    language: Language,
    success_url: Nullable(Type.String({ description: 'Where the payer goes after a successful payment; null for a page of the service.' })),
    fail_url: Nullable(Type.String({ description: 'Where the payer goes after an unsuccessful payment; null for a page of the service.' })),
    ask_name: Type.Boolean({ description: 'Whether the payer must enter a name.' }),
    ask_email: Type.Boolean({ description: 'Whether the payer must enter an email address.' }),
    ask_phone: Type.Boolean({ description: 'Whether the payer must enter a phone number.' }),
    max_uses: Nullable(Type.Integer({ description: 'How many payments the link can be used for; null for any number.' })),
    uses: Type.Integer({ description: 'The number of payments of this link that are PAID, REFUNDED or PENDING.' }),
    expires_at: Nullable(described(Timestamp, 'Until when the link can be used, in UTC; null for no limit.')),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  'A page where anyone who has its URL can pay a fixed amount by card.',
)
export type PaymentLink = Static<typeof PaymentLink>

export const NewPaymentLink = Body('NewPaymentLink', {
  amount: described(Decimal, 'The amount for each payer, such as `12.50`, with at most as many decimals as the currency has.'),
  currency: Currency,
  description: OptionalField(described(ShortText, 'What the payer pays for. The page shows it.')),
  language: Type.Optional(Language),
  success_url: OptionalField({
    ...Url,
    description: 'Where the payer goes after a successful payment. Default: a result page of the service.',
  } as typeof Url),
  fail_url: OptionalField({
    ...Url,
    description: 'Where the payer goes after an unsuccessful payment. Required together with `success_url`.',
  } as typeof Url),
  ask_name: Ask,
  ask_email: Ask,
  ask_phone: Ask,
  max_uses: OptionalField(described(MaxUses, 'How many payments the link can be used for. Absent or null: any number.')),
  expires_at: OptionalField(described(GivenTime, 'Until when the link can be used. Absent or null: no limit.')),
})
export type NewPaymentLink = Static<typeof NewPaymentLink>

export const PaymentLinkUpdate = Body('PaymentLinkUpdate', {
  active: Type.Optional(Type.Boolean({ description: 'Whether the link can be used.' })),
  description: OptionalField(described(ShortText, 'What the payer pays for; null removes it.')),
  max_uses: OptionalField(described(MaxUses, 'How many payments the link can be used for; null for any number.')),
  expires_at: OptionalField(described(GivenTime, 'Until when the link can be used; null for no limit.')),
})
export type PaymentLinkUpdate = Static<typeof PaymentLinkUpdate>

export const PaymentLinkList = Query({
  active: Type.Optional(Type.Boolean({ description: 'Returns only links that are, or are not, active.' })),
  ...Paging,
})
export type PaymentLinkList = Static<typeof PaymentLinkList>
