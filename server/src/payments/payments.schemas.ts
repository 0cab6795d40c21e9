// Card payments on the wire.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  Decimal,
  Formed,
  Id,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  Url,
} from '../platform/http/schemas.ts'
import { paymentStatuses } from './payments.status.ts'

export const languages = ['FR', 'EN', 'AR'] as const
export type Language = (typeof languages)[number]

export const Language = Choice(languages)
export const Currency = Type.String({ format: 'currency', transform: 'upper' })
const Text = Nullable(Type.String())
const Status = Choice(paymentStatuses)

export const Payment = Resource('Payment', {
  id: Id,
  business_id: { ...Id, description: 'The id of the venture.' } as typeof Id,
  amount: Type.String(),
  currency: Type.String(),
  language: Language,
  status: Status,
  success_url: Type.String(),
  fail_url: Type.String(),
  gateway_order_number: Type.String(),
  gateway_order_id: Text,
  gateway_order_status: Nullable(Type.Integer()),
  gateway_error_code: Text,
  action_code: Text,
  action_code_description: Text,
  approval_code: Text,
  resp_code: Text,
  resp_code_desc: Text,
  card_brand: Text,
  masked_pan: Text,
  order_ref: Text,
  description: Text,
  form_url: Nullable(
    Type.String({ description: 'The page where the payer enters the card. Null until the card gateway has registered the order.' }),
  ),
  customer_name: Text,
  customer_email: Text,
  customer_phone: Text,
  payment_link_id: Nullable(Id),
  refunded_amount: Type.String({ description: 'The amount that was refunded to the payer.' }),
  paid_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Payment = Static<typeof Payment>

export const PaymentOrder = Body('PaymentOrder', {
  amount: Decimal,
  currency: Currency,
  success_url: {
    ...Url,
    description: 'Where the payer goes after a successful payment. `payment_id` and `status` are added to it.',
  } as typeof Url,
  fail_url: {
    ...Url,
    description: 'Where the payer goes after an unsuccessful payment. `payment_id` and `status` are added to it.',
  } as typeof Url,
  language: Type.Optional(Language),
  order_ref: OptionalField(ShortText),
  description: OptionalField(ShortText),
})
export type PaymentOrder = Static<typeof PaymentOrder>

export const PaymentList = Query({ status: Type.Optional(Status), payment_link_id: Type.Optional(Id), ...Paging })
export type PaymentList = Static<typeof PaymentList>

export const RefundOrder = Body('RefundOrder', {
  amount: Type.Optional(Decimal),
  external_refund_id: Type.Optional(
    Formed(
      // Ids that begin with rest- are our own.
      '^(?![0-9]+$)(?!rest-)[A-Za-z0-9_-]{1,32}$',
      'must have 1 to 32 letters, digits, hyphens and underscores, not digits alone, and must not begin with rest-',
      {
        description:
          'Your own id for this refund, required with `amount`. Repeating the request with the same id does not refund the money twice.',
      },
    ),
  ),
})
export type RefundOrder = Static<typeof RefundOrder>
