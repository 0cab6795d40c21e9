// Card payments: created here and carried out by the gateway. Only the gateway's answer to our own question changes their status.
import { emit } from '../events/events.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import { decimalsRule, type Money, parseMoney } from '../values/money.ts'
import { containsPan } from '../values/pan.ts'
import { refuseField } from '../values/refusals.ts'
import { PaymentLink } from './links/payments.links.schemas.ts'
import { cancelJob, cancelLater } from './payments.cancel.ts'
import { findLinksBy, findPaymentsBy } from './payments.find.ts'
import { refreshLater } from './payments.refresh.ts'
import { refundJob, refundLater } from './payments.refunds.ts'
import { refreshJob, registerJob, registerLater, registerOrder } from './payments.register.ts'
import { newPayment, notFromLink, type Payments, requireGateway, requirePayment, showPayment } from './payments.row.ts'
import { Payment, type PaymentList, type PaymentOrder } from './payments.schemas.ts'
import { insertPayment, type PaymentKey, type PaymentRow, type RefundKey, selectPayments } from './payments.sql.ts'
import { paidStatuses } from './payments.status.ts'
import { Payout } from './payouts/payments.payouts.schemas.ts'

export type { Payments }
export { findLinksBy, findPaymentsBy, Payment, PaymentLink, Payout, paidStatuses }

/** The payment is stored before the gateway is called, so a job can continue if this process dies. */
export async function createPayment(
  payments: Payments,
  venture_id: string,
  order: PaymentOrder,
  companions?: Companions,
): Promise<Payment> {
  const gateway = requireGateway(payments)
  const amount = requireAmount(order.amount, order.currency)
  for (const field of ['success_url', 'fail_url'] as const) requirePayersUrl(payments, field, order[field])
  requireNoPan('order_ref', order.order_ref)
  requireNoPan('description', order.description)
  const row = newPayment(venture_id, order, { amount, gateway_order_number: gateway.makeOrderNumber(), ...notFromLink })
  const stored = await payments.database.transaction((tx) => accompanied(tx, companions, () => storePayment(tx, row)))
  return showPayment(await registerOrder(payments, stored))
}

export function requireAmount(text: string, currency: string): Money {
  const amount = parseMoney(text, currency) ?? refuseField('amount', decimalsRule(currency))
  return amount > 0n ? amount : refuseField('amount', 'must be greater than zero')
}

/** Card numbers belong in the gateway's form and nowhere else. */
export function requireNoPan(field: string, text: string | null | undefined): void {
  if (text != null && containsPan(text)) refuseField(field, 'must not contain a card number')
}

/** Payers may be sent to a page of the shop over https or, in the sandbox, to one on the developer's machine. */
export function requirePayersUrl({ sandbox }: Pick<Payments, 'sandbox'>, field: string, text: string): void {
  const url = URL.parse(text)
  const isLocal = sandbox && url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !isLocal)) {
    refuseField(field, sandbox ? 'must be an https URL, or an http URL on localhost' : 'must be an https URL')
  }
  if (url.username !== '' || url.password !== '') refuseField(field, 'must not contain a user name or a password')
}

export async function storePayment(tx: Tx, row: PaymentRow): Promise<PaymentRow> {
  const { venture_id, id, sequence } = row
  insertPayment(tx, row)
  // Later than the three attempts of the request itself.
  await enqueue(tx, registerJob, { venture_id, id }, 20_000)
  emit(tx, { venture_id, type: 'payment.created', object: showPayment(row), sequence })
  return row
}

export async function getPayment({ database }: Payments, key: PaymentKey): Promise<Payment> {
  return showPayment(await requirePayment(database, key))
}

export function listPayments({ database }: Payments, venture_id: string, query: PaymentList): Promise<Payment[]> {
  return selectPayments(database, venture_id, query)
}

/** No job gives up, however long the gateway is down. */
export function paymentJobs(payments: Payments): Handlers {
  const retry = { attempts: Number.POSITIVE_INFINITY, delay_ms: (attempt: number) => Math.min(5_000 * 2 ** (attempt - 1), 300_000) }
  return {
    [registerJob]: { ...retry, run: (key: PaymentKey) => registerLater(payments, key) },
    [refreshJob]: { ...retry, run: (key: PaymentKey & { asked: number }) => refreshLater(payments, key) },
    [cancelJob]: { ...retry, run: (key: PaymentKey & { refusals?: number }) => cancelLater(payments, key) },
    [refundJob]: { ...retry, run: (key: RefundKey) => refundLater(payments, key) },
  }
}
