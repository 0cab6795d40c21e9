// Asking the gateway what has become of an order, and making the payment what it says.
import { enqueue } from '../platform/jobs.ts'
import type { OrderStatus } from './payments.gateway.answers.ts'
import { askJob, firstQuestion_ms } from './payments.register.ts'
import { fromMinor, isNext, minorOf, type Payments, requireGateway, requirePayment, savePayment } from './payments.row.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './payments.sql.ts'
import type { PaymentStatus } from './payments.status.ts'

/** After the session has ended the gateway may still be busy with the last card. */
const grace_ms = 120_000
const longestWait_ms = 300_000

/** `known` tells whether the gateway answered; the payment is what it is either way. */
export type Settled = { payment: PaymentRow; known: boolean }

export async function settle(payments: Payments, key: PaymentKey): Promise<Settled> {
  const payment = await requirePayment(payments.database, key)
  if (payment.gateway_order_id === null) return { payment, known: false }
  const { gateway_order_id: order_id, amount, currency } = payment
  const reading = await requireGateway(payments).getStatus({ order_id, currency, amount_minor: minorOf(amount, currency) })
  if (reading.kind !== 'status') return { payment, known: false }
  return { payment: await keepReading(payments, key, reading), known: true }
}

function keepReading({ database, log }: Payments, key: PaymentKey, reading: OrderStatus): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = await lockPayment(tx, key)
    if (row === undefined) throw new Error('a payment is gone')
    const next = after(row, reading, Date.now())
    if (next === row) return row
    if (next.status === 'FAILED' && row.status !== 'FAILED') {
      log.error({ payment_id: row.id, venture_id: row.venture_id }, 'the gateway took another amount or currency than ours')
    }
    return savePayment(tx, row, next)
  })
}

/** The payment after what the gateway says, or the same one if it says nothing new. */
export function after(row: PaymentRow, reading: OrderStatus, now: number): PaymentRow {
  const { kind: _, status: told, refunds: __, refunded_minor, ...heard } = reading
  const status = statusAfter(row, told, now)
  // What is over stays described by what ended it: a question asked later may be answered with less.
  if (status === row.status && row.status !== 'PENDING' && row.status !== 'REFUSED') return withRefunds(row, told, refunded_minor)
  const next = { ...row, ...heard, status, paid_at: status === 'PAID' ? (row.paid_at ?? new Date(now).toISOString()) : row.paid_at }
  const named = Object.keys(heard) as (keyof typeof heard)[]
  if (status === row.status && named.every((name) => next[name] === row[name])) return row
  return withRefunds(next, told, refunded_minor)
}

function statusAfter(row: PaymentRow, told: PaymentStatus, now: number): PaymentStatus {
  const over = now > Date.parse(row.session_until) + grace_ms
  const meant = meaningOf(row, told, over)
  return isNext(row.status, meant) ? meant : row.status
}

function meaningOf({ cancel_requested }: PaymentRow, told: PaymentStatus, over: boolean): PaymentStatus {
  // An order that we declined ends as canceled, whichever way the gateway calls it.
  if (cancel_requested && (told === 'REFUSED' || told === 'EXPIRED')) return 'CANCELED'
  return told === 'PENDING' && over ? 'EXPIRED' : told
}

/** Money may also be given back by hand at the gateway. What went back never comes forth again. */
function withRefunds(row: PaymentRow, told: PaymentStatus, refunded_minor: bigint | null): PaymentRow {
  if (row.status !== 'PAID' && row.status !== 'REFUNDED') return row
  const whole = minorOf(row.amount, row.currency)
  const said = told === 'REFUNDED' ? whole : (refunded_minor ?? 0n)
  const known = minorOf(row.refunded_amount, row.currency)
  if (said <= known) return row
  const refunded = said > whole ? whole : said
  return { ...row, refunded_amount: fromMinor(refunded, row.currency), status: refunded === whole ? 'REFUNDED' : row.status }
}

/** The job that asks until there is nothing more to hear: while the payer may still pay, and while the gateway does not answer. */
export async function askLater(payments: Payments, { asked, ...key }: PaymentKey & { asked: number }): Promise<void> {
  const { payment } = await settle(payments, key)
  if (!isOpen(payment)) return
  const wait_ms = Math.min(firstQuestion_ms * 1.5 ** asked, longestWait_ms)
  await payments.database.transaction((tx) => enqueue(tx, askJob, { ...key, asked: Math.min(asked + 1, 20) }, wait_ms))
}

/** As long as the session lasts a payer may try another card, whatever became of the first one. */
function isOpen({ status, session_until }: PaymentRow): boolean {
  if (status === 'PENDING') return true
  return status !== 'PAID' && status !== 'REFUNDED' && Date.now() < Date.parse(session_until) + grace_ms
}
