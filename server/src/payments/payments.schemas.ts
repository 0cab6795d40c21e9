// Card payments on the wire.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CreatedAt,
  CurrencyShown,
  Decimal,
  described,
  Formed,
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
} from '../platform/http/schemas.ts'
import { paymentStatuses } from './payments.status.ts'

export const languages = ['FR', 'EN', 'AR'] as const
export type Language = (typeof languages)[number]

export const Language = Choice(languages, {
  description: 'The language of the pages that the payer sees. Default: EN.',
})
export const Currency = Type.String({
  format: 'currency',
  transform: 'upper',
  description: 'The ISO 4217 code of the currency, such as `EUR`.',
})
const Text = (description: string) => Nullable(Type.String({ description }))
const Status = Choice(paymentStatuses, {
  description:
    'PENDING: the payer has not paid yet. PAID: the gateway has taken the money. REFUSED: the card was refused; another one may be tried. FAILED: the gateway did not accept the order. CANCELED, EXPIRED: not paid. REFUNDED: paid back in full.',
})

export const Payment = Resource(
  'Payment',
  {
    id: described(Id, 'The id of the payment. The service assigns it.'),
    business_id: { ...Id, description: 'The id of the venture.' } as typeof Id,
    amount: Type.String({ description: 'What the payer pays, with exactly as many decimals as the currency has.' }),
    currency: CurrencyShown,
    language: Language,
    status: Status,
    success_url: Type.String({ description: 'Where the payer goes after a successful payment.' }),
    fail_url: Type.String({ description: 'Where the payer goes after an unsuccessful payment.' }),
    gateway_order_number: Type.String({ description: 'The order number that the service gave the card gateway.' }),
    gateway_order_id: Text('The id that the card gateway gave the order; null until it is registered.'),
    gateway_order_status: Nullable(
      Type.Integer({ description: 'The status number of the order at the card gateway; null until it has sent one.' }),
    ),
    gateway_error_code: Text('The error code of the card gateway, `amount_mismatch` if it took another amount, or null.'),
    action_code: Text('The result code of the authorisation at the card gateway, or null.'),
    action_code_description: Text('The result of the authorisation in words, or null.'),
    approval_code: Text('The authorisation number of the bank that issued the card, or null.'),
    resp_code: Text('The response code of the bank that issued the card, `00` if it accepted, or null.'),
    resp_code_desc: Text('The response code in words, or null.'),
    card_brand: Text('The card network, such as `VISA`; null until a card was tried.'),
    masked_pan: Text('The first six and the last four digits of the card number, with stars between them; null until a card was tried.'),
    order_ref: Text("The venture's own reference for the order, or null."),
    description: Text('What the payer pays for, or null.'),
    form_url: Nullable(
      Type.String({ description: 'The page where the payer enters the card. Null until the card gateway has registered the order.' }),
    ),
    customer_name: Text('The name that the payer entered; null unless the payment link asks for it.'),
    customer_email: Text('The email address that the payer entered; null unless the payment link asks for it.'),
    customer_phone: Text('The phone number that the payer entered; null unless the payment link asks for it.'),
    payment_link_id: Nullable(described(Id, 'The payment link that the payment was started from; null if the venture created it.')),
    refunded_amount: Type.String({ description: 'The amount that was refunded to the payer.' }),
    paid_at: Nullable(described(Timestamp, 'When the payment was paid, in UTC; null until then.')),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  'A card payment.',
)
export type Payment = Static<typeof Payment>

export const PaymentOrder = Body('PaymentOrder', {
  amount: described(Decimal, 'What the payer pays, such as `12.50`, with at most as many decimals as the currency has.'),
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
  order_ref: OptionalField(described(ShortText, 'Your own reference for the order. The service does not interpret it.')),
  description: OptionalField(described(ShortText, 'What the payer pays for. The page of the gateway shows it.')),
})
export type PaymentOrder = Static<typeof PaymentOrder>

export const PaymentList = Query({
  status: Type.Optional(described(Status, 'Returns only payments with this status.')),
  payment_link_id: Type.Optional(described(Id, 'Returns only payments of this payment link.')),
  ...Paging,
})
export type PaymentList = Static<typeof PaymentList>

export const RefundOrder = Body('RefundOrder', {
  amount: Type.Optional(described(Decimal, 'How much to refund, in the currency of the payment. Default: all that is left.')),
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
