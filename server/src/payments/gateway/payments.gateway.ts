// The port to the card gateway: what payments ask of it and what it can answer. The adapter in `payments.gateway.bpc.ts` implements it.
import type { PaymentStatus } from '../payments.status.ts'

/** No method rejects because of the gateway: any failure on the way there or back is the result `unknown`. */
export type CardGateway = {
  /** An order number in the format of the gateway: random, or always the same for the same seed. */
  makeOrderNumber(seed?: string): string
  register(order: NewOrder): Promise<Registration>
  getStatus(order: OrderTerms & { order_id: string }): Promise<StatusReading>
  refund(refund: RefundRequest): Promise<ChangeResult>
  /** Cancels a paid order without refunds. */
  reverse(order_id: string): Promise<ChangeResult>
  /** Closes an unpaid order. */
  decline(order_id: string): Promise<ChangeResult>
}

export type NewOrder = {
  /** From `makeOrderNumber`; unique at the gateway. */
  order_number: string
  amount_minor: bigint | string
  currency: string
  return_url: string
  fail_url: string
  description: string
  language: string
  session_timeout_s: number
}

/** The terms under which we registered the order. */
export type OrderTerms = { amount_minor: bigint | string; currency: string }

export type RefundRequest = {
  order_id: string
  amount_minor: bigint | string
  /** At most 32 letters, digits, `-` and `_`, not digits alone. A refund that the gateway lists under this id has been made. */
  external_refund_id: string
}

/**
 * Nothing is known, so ask again: the money may have moved. With an error code, the gateway did answer, but the code does not say
 * whether it did anything.
 */
export type Unknown = { kind: 'unknown'; reason: string; error_code?: string }
/** The gateway understood the request and did nothing. */
export type Rejected = { kind: 'rejected'; error_code: string; error_message: string | null }

export type Registration = { kind: 'registered'; order_id: string; form_url: string } | { kind: 'order_number_taken' } | Rejected | Unknown

/** The result of a refund, reversal or decline. */
export type ChangeResult = { kind: 'done' } | Rejected | Unknown

/** `rejected` says nothing about the payment, only about our question. */
export type StatusReading = OrderStatus | Rejected | Unknown

/** The fields have the names of the payment's fields that they fill. */
export type OrderStatus = {
  kind: 'status'
  status: PaymentStatus
  /** The gateway's own status number, shown to the venture. Nothing outside the adapter interprets it. */
  gateway_order_status: number
  /** `amount_mismatch` if the gateway took a different amount or currency than we registered. */
  gateway_error_code: string | null
  action_code: string | null
  action_code_description: string | null
  approval_code: string | null
  resp_code: string | null
  resp_code_desc: string | null
  card_brand: string | null
  /** The first six and the last four digits, with six stars between them. */
  masked_pan: string | null
  /** Successful refunds only. */
  refunds: GatewayRefund[]
  /** The total refunded. Null if the gateway does not say. */
  refunded_minor: bigint | null
}

/** `external_refund_id` is the id from our request, if the gateway lists it. */
export type GatewayRefund = { amount_minor: bigint; external_refund_id: string | null; date: string | null }
