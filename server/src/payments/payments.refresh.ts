// Asking the gateway what has become of an order, and making the payment what it says.
import { enqueue } from '../platform/jobs.ts'
import type { OrderStatus, StatusReading } from './gateway/payments.gateway.ts'
import { askJob, firstQuestion_ms } from './payments.register.ts'
import { fromMinor, isNext, minorOf, type Payments, requireGateway, requirePayment, savePayment } from './payments.row.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './payments.sql.ts'
import type { PaymentStatus } from './payments.status.ts'

/** After the session has ended the gateway may still be busy with the last card. */
const grace_ms = 120_000
const longestWait_ms = 300_000
const hour_ms = 3_600_000

/** `known` tells whether the gateway answered; the payment is what it is either way. */
export type Settled = { payment: PaymentRow; known: boolean }

export async function settle(payments: Payments, key: PaymentKey): Promise<Settled> {
  const asked = await requirePayment(payments.database, key)
  if (asked.gateway_order_id === null) return { payment: asked, known: false }
  const reading = await askStatus(payments, asked)
  if (reading.kind !== 'status') return { payment: asked, known: false }
  const payment = await keepReading(payments, asked, reading)
  return payment === undefined ? settle(payments, key) : { payment, known: true }
}

export function askStatus(payments: Payments, { gateway_order_id, amount, currency }: PaymentRow): Promise<StatusReading> {
  return requireGateway(payments).getStatus({ order_id: gateway_order_id ?? '', currency, amount_minor: minorOf(amount, currency) })
}

/** Undefined when something has happened to the payment since the gateway was asked: what it said may be older than that. */
function keepReading({ database, log }: Payments, asked: PaymentRow, reading: OrderStatus): Promise<PaymentRow | undefined> {
  return database.transaction(async (tx) => {
    let row = await lockPayment(tx, asked)
    if (row?.sequence !== asked.sequence) return undefined
    if (reading.status === 'FAILED' && row.status === 'PENDING') {
      log.error({ payment_id: row.id, venture_id: row.venture_id }, 'the gateway took another amount or currency than ours')
    }
    // Paid and given back are two steps, also if we hear of both at once.
    for (;;) {
      const next = after(row, reading, Date.now())
      if (next === row) return row
      row = savePayment(tx, row, next)
    }
  })
}

/** The payment one step further by what the gateway says, or the same one if it says nothing new. */
export function after(row: PaymentRow, reading: OrderStatus, now: number): PaymentRow {
  const { kind: _, status: told, refunds: __, refunded_minor, ...heard } = reading
  const status = statusAfter(row, told, now)
  if (status !== row.status) {
    // A payment that was paid stays described by how that was done: asked later, the gateway may tell less.
    const described = row.status === 'PAID' ? { gateway_order_status: heard.gateway_order_status } : heard
    const paid_at = status === 'PAID' ? (row.paid_at ?? new Date(now).toISOString()) : row.paid_at
    // The wish to cancel is over, unless nothing but the wish made this a cancellation: then the order may still be open.
    const cancel_requested = row.cancel_requested && status === 'CANCELED' && told !== 'CANCELED'
    return { ...row, ...described, status, paid_at, cancel_requested }
  }
  if (told === 'PAID' || told === 'REFUNDED')
    return withRefunds(row, heard.gateway_order_status, told === 'REFUNDED' ? 'all' : refunded_minor)
  // What is over stays described by what ended it, but a payer may try one card after the other.
  return told === status && (status === 'PENDING' || status === 'REFUSED') ? changed(row, heard) : row
}

function changed(row: PaymentRow, changes: Partial<PaymentRow>): PaymentRow {
  const names = Object.keys(changes) as (keyof PaymentRow)[]
  return names.every((name) => changes[name] === row[name]) ? row : { ...row, ...changes }
}

function statusAfter(row: PaymentRow, told: PaymentStatus, now: number): PaymentStatus {
  const over = now > Date.parse(row.session_until) + grace_ms
  const meant = meaningOf(row, told, over)
  return isNext(row.status, meant) ? meant : row.status
}

function meaningOf({ cancel_requested }: PaymentRow, told: PaymentStatus, over: boolean): PaymentStatus {
  // What went back was paid first; the rest is for `withRefunds`.
  if (told === 'REFUNDED') return 'PAID'
  const meant = told === 'PENDING' && over ? 'EXPIRED' : told
  // An order that we declined ends as canceled, whichever way the gateway calls it.
  return cancel_requested && (meant === 'REFUSED' || meant === 'EXPIRED') ? 'CANCELED' : meant
}

/** Money may also be given back by hand at the gateway. What went back never comes forth again. */
function withRefunds(row: PaymentRow, gateway_order_status: number, refunded: bigint | 'all' | null): PaymentRow {
  const whole = minorOf(row.amount, row.currency)
  const known = minorOf(row.refunded_amount, row.currency)
  const said = refunded === 'all' || (refunded ?? 0n) > whole ? whole : (refunded ?? 0n)
  const gone = said > known ? said : known
  return changed(row, {
    gateway_order_status,
    refunded_amount: fromMinor(gone, row.currency),
    status: gone === whole ? 'REFUNDED' : row.status,
  })
}

/** The job that asks until there is nothing more to hear: while the payer may still pay, and while the gateway does not answer. */
export async function askLater(payments: Payments, { asked, ...key }: PaymentKey & { asked: number }): Promise<void> {
  const { payment } = await settle(payments, key)
  if (Date.now() >= openUntil(payment)) return
  const wait_ms = Math.min(firstQuestion_ms * 1.5 ** asked, payment.status === 'EXPIRED' ? hour_ms : longestWait_ms)
  await payments.database.transaction((tx) => enqueue(tx, askJob, { ...key, asked: Math.min(asked + 1, 20) }, wait_ms))
}

/** As long as the session lasts a payer may try another card, whatever became of the first one. */
function openUntil({ status, session_until }: PaymentRow): number {
  if (status === 'PENDING') return Number.POSITIVE_INFINITY
  if (status === 'PAID' || status === 'REFUNDED') return 0
  const end = Date.parse(session_until) + grace_ms
  // It expired by our clock, which may be wrong, or while the gateway was still busy with a card, which may yet be charged.
  return status === 'EXPIRED' ? end + 24 * hour_ms : end
}
