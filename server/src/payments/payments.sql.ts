// The statements about payments and their refunds.
import { now } from '../platform/clock.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { Columns, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { Payment, type PaymentList } from './payments.schemas.ts'

export type PaymentKey = { venture_id: string; id: string }
export type RefundKey = PaymentKey & { external_refund_id: string }

/** A row: the fields that the API shows, and those that are internal. */
export type PaymentRow = Payment & { venture_id: string; sequence: number; session_until: string; cancel_requested: boolean }

export type Refund = {
  external_refund_id: string
  amount: string
  status: 'PENDING' | 'DONE' | 'FAILED'
  gateway_error_code: string | null
  /** How often the gateway gave an ambiguous refusal. */
  refusals: number
}

// The resource calls the venture a business; every other field has the name of its column.
const columns = new Columns(Object.keys(Payment.properties).filter((name) => name !== 'business_id'))

export function insertPayment(tx: Tx, row: PaymentRow): void {
  tx.send(write`
    insert into payments (venture_id, id, amount, currency, language, status, success_url, fail_url, gateway_order_number, order_ref, description,
      customer_name, customer_email, customer_phone, payment_link_id, refunded_amount, created_at, updated_at, sequence, session_until,
      cancel_requested)
    values (${row.venture_id}, ${row.id}, ${row.amount}, ${row.currency}, ${row.language}, ${row.status}, ${row.success_url}, ${row.fail_url},
      ${row.gateway_order_number}, ${row.order_ref}, ${row.description}, ${row.customer_name}, ${row.customer_email}, ${row.customer_phone},
      ${row.payment_link_id}, ${row.refunded_amount}, ${row.created_at}, ${row.updated_at}, ${row.sequence}, ${row.session_until},
      ${row.cancel_requested})`)
  sendNames(tx, row)
}

/** The identifiers of a payment that are unique across ventures. */
function sendNames(tx: Tx, { venture_id, id, gateway_order_number, gateway_order_id }: PaymentRow): void {
  tx.placement.sendName(tx, { kind: 'payment', name: id, venture_id, id })
  tx.placement.sendName(tx, { kind: 'gateway_order_number', name: gateway_order_number, venture_id, id })
  if (gateway_order_id !== null) tx.placement.sendName(tx, { kind: 'gateway_order_id', name: gateway_order_id, venture_id, id })
}

export const selectPayment = ({ venture_id, id }: PaymentKey) => read<PaymentRow>`
  select ${columns}, venture_id as business_id, venture_id, sequence, session_until, cancel_requested from payments
  where venture_id = ${venture_id} and id = ${id}`

/** The payment, if it has not changed since it was saved. */
export const selectSaved = ({ venture_id, id, updated_at }: PaymentRow) => read`
  select id from payments where venture_id = ${venture_id} and id = ${id} and updated_at = ${updated_at}`

/** For returning payers, who have no key. */
export const selectPaymentById = (id: string) => read<PaymentRow>`
  select ${columns}, venture_id as business_id, venture_id, sequence, session_until, cancel_requested from payments where id = ${id}`

const filters: Filters<PaymentList> = { status: equals(fragment`status`), payment_link_id: equals(fragment`payment_link_id`) }

export function selectPayments(database: Database, venture_id: string, query: PaymentList): Promise<Payment[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns: fragment`${columns}, venture_id as business_id`,
    select: (what, rest) => fragment`select ${what} from payments where venture_id = ${venture_id} and ${rest}`,
    ordered: ['payment_link_id'],
  })
}

export function lockPayment(tx: Tx, { venture_id, id }: PaymentKey): Promise<PaymentRow | undefined> {
  return tx.first(read<PaymentRow>`
    select ${columns}, venture_id as business_id, venture_id, sequence, session_until, cancel_requested from payments
    where venture_id = ${venture_id} and id = ${id} for update`)
}

export function writePayment(tx: Tx, row: PaymentRow): void {
  tx.send(write`
    update payments set status = ${row.status}, gateway_order_number = ${row.gateway_order_number}, gateway_order_id = ${row.gateway_order_id},
      gateway_order_status = ${row.gateway_order_status}, gateway_error_code = ${row.gateway_error_code}, action_code = ${row.action_code},
      action_code_description = ${row.action_code_description}, approval_code = ${row.approval_code}, resp_code = ${row.resp_code},
      resp_code_desc = ${row.resp_code_desc}, card_brand = ${row.card_brand}, masked_pan = ${row.masked_pan}, form_url = ${row.form_url},
      refunded_amount = ${row.refunded_amount}, paid_at = ${row.paid_at}, updated_at = ${row.updated_at}, sequence = ${row.sequence},
      session_until = ${row.session_until}, cancel_requested = ${row.cancel_requested}, customer_name = ${row.customer_name},
      customer_email = ${row.customer_email}, customer_phone = ${row.customer_phone}
    where venture_id = ${row.venture_id} and id = ${row.id}`)
  sendNames(tx, row)
}

export function selectRefunds(reader: Reader, { venture_id, id }: PaymentKey): Promise<Refund[]> {
  return reader.rows(read<Refund>`
    select external_refund_id, amount, status, gateway_error_code, refusals from payment_refunds
    where venture_id = ${venture_id} and payment_id = ${id} order by created_at, external_refund_id`)
}

export function insertRefund(tx: Tx, { venture_id, id }: PaymentKey, { external_refund_id, amount }: Refund): void {
  tx.send(write`
    insert into payment_refunds (venture_id, payment_id, external_refund_id, amount, status, created_at)
    values (${venture_id}, ${id}, ${external_refund_id}, ${amount}, 'PENDING', ${now().toISOString()})`)
}

export function writeRefund(tx: Tx, { venture_id, id }: PaymentKey, refund: Refund): void {
  tx.send(write`
    update payment_refunds set status = ${refund.status}, gateway_error_code = ${refund.gateway_error_code}
    where venture_id = ${venture_id} and payment_id = ${id} and external_refund_id = ${refund.external_refund_id}`)
}

/** Undefined if the refund is leased or concluded. `asked`: the gateway was asked for it before. */
export function leaseRefund(
  tx: Tx,
  { venture_id, id, external_refund_id }: RefundKey,
  lease_ms: number,
): Promise<{ asked: boolean } | undefined> {
  return tx.first(write<{ asked: boolean }>`
    with earlier as (
      select venture_id, payment_id, external_refund_id, asked_until from payment_refunds
      where venture_id = ${venture_id} and payment_id = ${id} and external_refund_id = ${external_refund_id} and status = 'PENDING'
        and (asked_until is null or asked_until <= now())
      for update)
    update payment_refunds as refund set asked_until = now() + ${lease_ms} * interval '1 millisecond' from earlier
    where refund.venture_id = earlier.venture_id and refund.payment_id = earlier.payment_id
      and refund.external_refund_id = earlier.external_refund_id
    returning earlier.asked_until is not null as asked`)
}

/** The lease stays until it expires, because the gateway may still be busy. So each lease counts at most one refusal. */
export function noteRefusal(tx: Tx, { venture_id, id, external_refund_id }: RefundKey, error_code: string): void {
  tx.send(write`
    update payment_refunds set refusals = refusals + 1, gateway_error_code = ${error_code}
    where venture_id = ${venture_id} and payment_id = ${id} and external_refund_id = ${external_refund_id} and status = 'PENDING'`)
}
