// The row of a payment: how it is created, how it changes, and what the API shows.

import { type EventType, emit } from '../events/events.ts'
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { type Shown, shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import type { Transfers } from '../transfers/transfers.ts'
import { formatMoney, fromNumeric, type Money, minorUnit } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'
import type { CardGateway } from './gateway/payments.gateway.ts'
import { bookChange } from './payments.books.ts'
import { Payment, type PaymentOrder } from './payments.schemas.ts'
import { type PaymentKey, type PaymentRow, selectPayment, selectSaved, writePayment } from './payments.sql.ts'
import { nextStatuses, type PaymentStatus } from './payments.status.ts'

/** A payment after a refresh. `answered`: the gateway answered; otherwise the payment is unchanged. */
export type Refreshed = { payment: PaymentRow; answered: boolean }

/** What the functions of payments share. */
export type Payments = {
  database: Database
  log: Logger
  transfers: Transfers
  /** Undefined if none is configured. */
  gateway: CardGateway | undefined
  /** Where payers reach us. */
  publicUrl(): string
  /** The refreshes in progress for returning payers, by payment id. */
  refreshing: Map<string, Promise<Refreshed>>
  /** Payers may be sent to a shop on the developer's own machine. */
  sandbox: boolean
}

export function requireGateway({ gateway }: Payments): CardGateway {
  return gateway ?? refuse('gateway_missing')
}

/** What a payment link adds to an order. */
export type FromLink = Pick<Payment, 'customer_name' | 'customer_email' | 'customer_phone' | 'payment_link_id'>

export const notFromLink: FromLink = { customer_name: null, customer_email: null, customer_phone: null, payment_link_id: null }

/** How long the payer may try to pay. */
export const session_s = 1_200

export const sessionEnd = (at_ms = now().getTime()) => new Date(at_ms + session_s * 1000).toISOString()

type NewPayment = FromLink & { amount: Money; gateway_order_number: string }

export function newPayment(venture_id: string, order: PaymentOrder, { amount, ...given }: NewPayment): PaymentRow {
  const at = now().toISOString()
  return {
    id: uuidv7(),
    business_id: venture_id,
    venture_id,
    amount: formatMoney(amount, order.currency),
    currency: order.currency,
    language: order.language ?? 'EN',
    status: 'PENDING',
    success_url: order.success_url,
    fail_url: order.fail_url,
    gateway_order_id: null,
    gateway_order_status: null,
    gateway_error_code: null,
    action_code: null,
    action_code_description: null,
    approval_code: null,
    resp_code: null,
    resp_code_desc: null,
    card_brand: null,
    masked_pan: null,
    order_ref: order.order_ref ?? null,
    description: order.description ?? null,
    form_url: null,
    ...given,
    refunded_amount: formatMoney(0n, order.currency),
    paid_at: null,
    created_at: at,
    updated_at: at,
    sequence: 1,
    session_until: sessionEnd(),
    cancel_requested: false,
  }
}

/** The amount in the smallest unit of the currency, as the gateway counts it. */
export function minorOf(amount: string, currency: string): bigint {
  return fromNumeric(amount) / minorUnit(currency)
}

export function fromMinor(minor: bigint, currency: string): string {
  return formatMoney(minor * minorUnit(currency), currency)
}

export async function requirePayment(database: Database, key: PaymentKey): Promise<PaymentRow> {
  return (await database.first(selectPayment(key))) ?? refuse('payment_not_found')
}

/** Where the gateway and our result page send the payer to learn the outcome. */
export function returnUrlOf({ publicUrl }: Payments, id: string): string {
  return `${publicUrl()}/api/v1/payments/${id}/return`
}

export function isNext(from: PaymentStatus, to: PaymentStatus): boolean {
  return nextStatuses[from].includes(to)
}

export function refuseMove({ status }: PaymentRow, detail: string): never {
  refuse('payment_transition_not_allowed', { detail, current_status: status, allowed: nextStatuses[status] })
}

const events: Record<Exclude<PaymentStatus, 'PENDING'>, EventType> = {
  PAID: 'payment.paid',
  FAILED: 'payment.failed',
  REFUSED: 'payment.refused',
  CANCELED: 'payment.canceled',
  REFUNDED: 'payment.refunded',
  EXPIRED: 'payment.expired',
}

/** Writes the changes and books their effect on the money. A new status or a refund is an event. */
export function savePayment(tx: Tx, before: PaymentRow, after: PaymentRow): PaymentRow {
  if (before.status !== after.status && !isNext(before.status, after.status)) {
    throw new Error(`a payment cannot go from ${before.status} to ${after.status}`)
  }
  const moved = before.status !== after.status
  const refunded = before.refunded_amount !== after.refunded_amount
  // Strictly increasing, even within a millisecond, to distinguish each save from the next.
  const updated_at = new Date(Math.max(now().getTime(), Date.parse(before.updated_at) + 1)).toISOString()
  const saved = { ...after, updated_at, sequence: before.sequence + (moved || refunded ? 1 : 0) }
  writePayment(tx, saved)
  bookChange(tx, before, saved)
  if (moved || refunded) {
    const type = refunded ? 'payment.refunded' : events[saved.status as keyof typeof events]
    const { venture_id, sequence } = saved
    emit(tx, { venture_id, type, object: showPayment(saved), sequence, ...(moved ? { previous_status: before.status } : {}) })
  } else {
    tx.evidence ??= selectSaved(saved)
  }
  return saved
}

export function showPayment(row: PaymentRow): Shown<Payment> {
  return shown(Payment, row)
}
