// Refreshing a payment: asking the gateway for the order's status and updating the payment to match it.
import { now } from '../platform/clock.ts'
import { enqueue } from '../platform/jobs.ts'
import type { OrderStatus, StatusReading } from './gateway/payments.gateway.ts'
import { firstRefresh_ms, refreshJob } from './payments.register.ts'
import { fromMinor, isNext, minorOf, type Payments, type Refreshed, requireGateway, requirePayment, savePayment } from './payments.row.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './payments.sql.ts'
import type { PaymentStatus } from './payments.status.ts'

/** After the session has ended, the gateway may still be processing the last card. */
const grace_ms = 120_000
const longestWait_ms = 300_000
const hour_ms = 3_600_000

export async function refreshPayment(payments: Payments, key: PaymentKey): Promise<Refreshed> {
  const asked = await requirePayment(payments.database, key)
  if (asked.gateway_order_id === null) return { payment: asked, answered: false }
  const reading = await fetchStatus(payments, asked)
  if (reading.kind !== 'status') return { payment: asked, answered: false }
  const payment = await saveReading(payments, asked, reading)
  return payment === undefined ? refreshPayment(payments, key) : { payment, answered: true }
}

export function fetchStatus(payments: Payments, { gateway_order_id, amount, currency }: PaymentRow): Promise<StatusReading> {
  return requireGateway(payments).getStatus({ order_id: gateway_order_id ?? '', currency, amount_minor: minorOf(amount, currency) })
}

/** Undefined if the payment has changed since the gateway was asked: the reading may be older than that change. */
function saveReading({ database, log }: Payments, asked: PaymentRow, reading: OrderStatus): Promise<PaymentRow | undefined> {
  return database.transaction(async (tx) => {
    let row = await lockPayment(tx, asked)
    if (row?.sequence !== asked.sequence) return undefined
    if (reading.status === 'FAILED' && row.status === 'PENDING') {
      log.error({ payment_id: row.id, venture_id: row.venture_id }, 'the gateway took another amount or currency than ours')
    }
    // Paid and refunded are two moves, even if one reading reports both.
    for (;;) {
      const next = applyReading(row, reading, now().getTime())
      if (next === row) return row
      row = savePayment(tx, row, next)
    }
  })
}

/** The payment one move further according to the reading, or the same row if the reading adds nothing. */
export function applyReading(row: PaymentRow, reading: OrderStatus, now: number): PaymentRow {
  const { kind: _, status: reported, refunds: __, refunded_minor, ...details } = reading
  const status = statusAfter(row, reported, now)
  if (status !== row.status) {
    // A paid payment keeps the details of its payment: a later answer may contain fewer.
    const described = row.status === 'PAID' ? { gateway_order_status: details.gateway_order_status } : details
    const paid_at = status === 'PAID' ? (row.paid_at ?? new Date(now).toISOString()) : row.paid_at
    // The cancel request is fulfilled, unless the request alone made us call this CANCELED: then the order may still be open.
    const cancel_requested = row.cancel_requested && status === 'CANCELED' && reported !== 'CANCELED'
    return { ...row, ...described, status, paid_at, cancel_requested }
  }
  if (reported === 'PAID' || reported === 'REFUNDED')
    return withRefunds(row, details.gateway_order_status, reported === 'REFUNDED' ? 'all' : refunded_minor)
  // An ended payment keeps the details of its end, but while the order is open the payer may try one card after another.
  return reported === status && (status === 'PENDING' || status === 'REFUSED') ? changed(row, details) : row
}

function changed(row: PaymentRow, changes: Partial<PaymentRow>): PaymentRow {
  const names = Object.keys(changes) as (keyof PaymentRow)[]
  return names.every((name) => changes[name] === row[name]) ? row : { ...row, ...changes }
}

function statusAfter(row: PaymentRow, reported: PaymentStatus, now: number): PaymentStatus {
  const sessionOver = now > Date.parse(row.session_until) + grace_ms
  const target = targetStatus(row, reported, sessionOver)
  return isNext(row.status, target) ? target : row.status
}

function targetStatus({ cancel_requested }: PaymentRow, reported: PaymentStatus, sessionOver: boolean): PaymentStatus {
  // A refunded payment was paid first; `withRefunds` makes the second move.
  if (reported === 'REFUNDED') return 'PAID'
  const status = reported === 'PENDING' && sessionOver ? 'EXPIRED' : reported
  // An order that we declined ends as CANCELED, whatever the gateway calls it.
  return cancel_requested && (status === 'REFUSED' || status === 'EXPIRED') ? 'CANCELED' : status
}

/** Refunds can also be made directly at the gateway. The refunded amount never decreases. */
function withRefunds(row: PaymentRow, gateway_order_status: number, reported: bigint | 'all' | null): PaymentRow {
  const whole = minorOf(row.amount, row.currency)
  const known = minorOf(row.refunded_amount, row.currency)
  const capped = reported === 'all' || (reported ?? 0n) > whole ? whole : (reported ?? 0n)
  const refunded = capped > known ? capped : known
  return changed(row, {
    gateway_order_status,
    refunded_amount: fromMinor(refunded, row.currency),
    status: refunded === whole ? 'REFUNDED' : row.status,
  })
}

/** The job that refreshes until nothing can change any more: while the payer may still pay, and while the gateway does not answer. */
export async function refreshLater(payments: Payments, { asked, ...key }: PaymentKey & { asked: number }): Promise<void> {
  const { payment } = await refreshPayment(payments, key)
  if (now().getTime() >= openUntil(payment)) return
  const wait_ms = Math.min(firstRefresh_ms * 1.5 ** asked, payment.status === 'EXPIRED' ? hour_ms : longestWait_ms)
  await payments.database.transaction((tx) => enqueue(tx, refreshJob, { ...key, asked: Math.min(asked + 1, 20) }, wait_ms))
}

/** Until the session ends, the payer may try another card, whatever happened to the first. */
function openUntil({ status, session_until }: PaymentRow): number {
  if (status === 'PENDING') return Number.POSITIVE_INFINITY
  if (status === 'PAID' || status === 'REFUNDED') return 0
  const end = Date.parse(session_until) + grace_ms
  // It expired by our clock, which may be wrong, or while the gateway was still processing a card that may yet be charged.
  return status === 'EXPIRED' ? end + 24 * hour_ms : end
}
