// Card payments: made here, carried out by the gateway, and never believed to be anything but what the gateway says when we ask it.
import { emit } from '../events/events.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import { decimalsRule, type Money, parseMoney } from '../values/money.ts'
import { holdsPan } from '../values/pan.ts'
import { refuseField } from '../values/refusals.ts'
import { cancelJob, cancelLater } from './payments.cancel.ts'
import { askLater } from './payments.refresh.ts'
import { refundJob, refundLater } from './payments.refunds.ts'
import { askJob, registerJob, registerLater, registerOrder } from './payments.register.ts'
import { newPayment, notFromLink, type Payments, requireGateway, requirePayment, showPayment } from './payments.row.ts'
import { Payment, type PaymentList, type PaymentOrder } from './payments.schemas.ts'
import { insertPayment, type PaymentKey, type PaymentRow, type RefundKey, selectPayments } from './payments.sql.ts'

export type { Payments }
export { Payment }

/** The payment is kept before the gateway hears of it; whatever becomes of us then, a job goes on from there. */
export async function createPayment(payments: Payments, venture_id: string, order: PaymentOrder): Promise<Payment> {
  const gateway = requireGateway(payments)
  const amount = requireAmount(order.amount, order.currency)
  for (const field of ['success_url', 'fail_url'] as const) requirePayersUrl(payments, field, order[field])
  requireNoPan('order_ref', order.order_ref)
  requireNoPan('description', order.description)
  const row = newPayment(venture_id, order, { amount, gateway_order_number: gateway.makeOrderNumber(), ...notFromLink })
  await payments.database.transaction((tx) => keepPayment(tx, row))
  return showPayment(await registerOrder(payments, row))
}

export function requireAmount(text: string, currency: string): Money {
  const amount = parseMoney(text, currency) ?? refuseField('amount', decimalsRule(currency))
  return amount > 0n ? amount : refuseField('amount', 'must be greater than zero')
}

/** A card number belongs into the gateway's form and nowhere else. */
export function requireNoPan(field: string, text: string | null | undefined): void {
  if (text != null && holdsPan(text)) refuseField(field, 'must not contain a card number')
}

/** Where a payer may be sent: a page of the shop over https, or, in the sandbox, one on the developer's machine. */
export function requirePayersUrl({ sandbox }: Pick<Payments, 'sandbox'>, field: string, text: string): void {
  const url = URL.parse(text)
  const isLocal = sandbox && url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !isLocal)) {
    refuseField(field, sandbox ? 'must be an https URL, or an http URL on localhost' : 'must be an https URL')
  }
  if (url.username !== '' || url.password !== '') refuseField(field, 'must not contain a user name or a password')
}

export async function keepPayment(tx: Tx, row: PaymentRow): Promise<void> {
  const { venture_id, id, sequence } = row
  insertPayment(tx, row)
  // After the request itself has had its three tries.
  await enqueue(tx, registerJob, { venture_id, id }, 20_000)
  emit(tx, { venture_id, type: 'payment.created', object: showPayment(row), sequence })
}

export async function getPayment({ database }: Payments, key: PaymentKey): Promise<Payment> {
  return showPayment(await requirePayment(database, key))
}

export function listPayments({ database }: Payments, venture_id: string, query: PaymentList): Promise<Payment[]> {
  return selectPayments(database, venture_id, query)
}

/** However long the gateway is away, nothing is given up. */
export function paymentJobs(payments: Payments): Handlers {
  const patiently = { attempts: Number.POSITIVE_INFINITY, delay_ms: (attempt: number) => Math.min(5_000 * 2 ** (attempt - 1), 300_000) }
  return {
    [registerJob]: { ...patiently, run: (key: PaymentKey) => registerLater(payments, key) },
    [askJob]: { ...patiently, run: (key: PaymentKey & { asked: number }) => askLater(payments, key) },
    [cancelJob]: { ...patiently, run: (key: PaymentKey & { refusals?: number }) => cancelLater(payments, key) },
    [refundJob]: { ...patiently, run: (key: RefundKey) => refundLater(payments, key) },
  }
}
