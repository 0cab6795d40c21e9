// Giving money back. A refund has a name, by which the gateway knows it too: it is written down before the gateway is asked, and before it is
// asked again we look whether it has it already.
import type { Tx } from '../platform/database.ts'
import { enqueue } from '../platform/jobs.ts'
import { formatMoney, fromNumeric, parseMoney } from '../values/money.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { fromMinor, minorOf, type Payments, refuseMove, requireGateway, requirePayment, savePayment, shown } from './payments.row.ts'
import type { Payment, RefundOrder } from './payments.schemas.ts'
import { insertRefund, lockPayment, type PaymentKey, type PaymentRow, type Refund, selectRefunds, writeRefund } from './payments.sql.ts'

export const refundJob = 'payments.refund'

type RefundKey = PaymentKey & { external_refund_id: string }

export async function refundPayment(payments: Payments, key: PaymentKey, order: RefundOrder): Promise<Payment> {
  requireGateway(payments)
  if (order.amount !== undefined && order.external_refund_id === undefined) {
    refuseField('external_refund_id', 'is needed with amount, so that nothing is given back twice')
  }
  // A refund of all that is left needs no name of its own: there is only one.
  const external_refund_id = order.external_refund_id ?? `rest-${key.id.replaceAll('-', '').slice(-27)}`
  const kept = await keepRefund(payments, key, { ...order, external_refund_id })
  const refund = kept.status === 'PENDING' ? await carryOut(payments, { ...key, external_refund_id }) : kept
  if (refund.status === 'DONE') return shown(await requirePayment(payments.database, key))
  if (refund.status === 'PENDING') {
    refuse('outcome_unknown', { retry_after_s: 5, detail: 'The gateway has not said yet whether it has given the money back.' })
  }
  return refuse('refund_refused', { gateway_error_code: refund.gateway_error_code })
}

/** Writes the wish down, or finds it again. One that the gateway refused may be tried again. */
function keepRefund(
  { database }: Payments,
  key: PaymentKey,
  { amount, external_refund_id }: RefundOrder & { external_refund_id: string },
): Promise<Refund> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    const refunds = await selectRefunds(tx, key)
    const known = refunds.find((refund) => refund.external_refund_id === external_refund_id)
    const wanted =
      amount === undefined
        ? undefined
        : (parseMoney(amount, row.currency) ?? refuseField('amount', `has more decimals than ${row.currency}`))
    if (known !== undefined && wanted !== undefined && fromNumeric(known.amount) !== wanted) {
      refuse('refund_exists', { detail: `A refund of ${known.amount} has this external_refund_id.`, amount: known.amount })
    }
    if (known !== undefined && known.status !== 'FAILED') return known
    const left = leftOf(row, refunds)
    if (row.status !== 'PAID' || row.cancel_requested)
      refuseMove(row, `A payment that is ${row.cancel_requested ? 'being canceled' : row.status} cannot be refunded.`)
    const money = wanted ?? (known === undefined ? left : fromNumeric(known.amount))
    if (wanted === 0n) refuseField('amount', 'must be above zero')
    if (money > left || money === 0n) refuse('refund_exceeds_payment', { refundable_amount: formatMoney(left, row.currency) })
    const refund: Refund = { external_refund_id, amount: formatMoney(money, row.currency), status: 'PENDING', gateway_error_code: null }
    if (known === undefined) insertRefund(tx, key, refund)
    else writeRefund(tx, key, refund)
    await enqueue(tx, refundJob, { ...key, external_refund_id }, 10_000)
    return refund
  })
}

/** What neither went back nor is on its way. */
function leftOf(row: PaymentRow, refunds: readonly Refund[]): bigint {
  const pending = refunds.filter(({ status }) => status === 'PENDING').reduce((sum, { amount }) => sum + fromNumeric(amount), 0n)
  return fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - pending
}

/** Asks the gateway for the refund, unless it has it already, and writes down what it says. */
async function carryOut(payments: Payments, key: RefundKey): Promise<Refund> {
  const { payment, refund } = await findRefund(payments, key)
  if (refund.status !== 'PENDING') return refund
  const gateway = requireGateway(payments)
  const order_id = payment.gateway_order_id ?? ''
  const amount_minor = minorOf(refund.amount, payment.currency)
  if (await isListed(payments, payment, refund)) return conclude(payments, key, 'DONE', null)
  const outcome = await gateway.refund({ order_id, amount_minor, external_refund_id: key.external_refund_id })
  if (outcome.kind === 'done') return conclude(payments, key, 'DONE', null)
  if (outcome.kind === 'rejected') return conclude(payments, key, 'FAILED', outcome.error_code)
  return refund
}

/** Whether the gateway has given this refund already. One that names no refunds is asked for more than we know to have gone back. */
async function isListed(payments: Payments, payment: PaymentRow, refund: Refund): Promise<boolean> {
  const { gateway_order_id, amount, currency } = payment
  const reading = await requireGateway(payments).getStatus({
    order_id: gateway_order_id ?? '',
    currency,
    amount_minor: minorOf(amount, currency),
  })
  // Not knowing is no reason to ask for money to be given back a second time; the job asks again.
  if (reading.kind !== 'status') refuse('outcome_unknown', { retry_after_s: 5 })
  if (reading.refunds.some(({ external_refund_id }) => external_refund_id === refund.external_refund_id)) return true
  if (reading.refunds.some(({ external_refund_id }) => external_refund_id !== null)) return false
  const gone = reading.refunded_minor ?? 0n
  return gone >= minorOf(payment.refunded_amount, currency) + minorOf(refund.amount, currency)
}

async function findRefund({ database }: Payments, key: RefundKey): Promise<{ payment: PaymentRow; refund: Refund }> {
  const payment = await requirePayment(database, key)
  const refund = (await selectRefunds(database, key)).find(({ external_refund_id }) => external_refund_id === key.external_refund_id)
  if (refund === undefined) throw new Error('a refund is gone')
  return { payment, refund }
}

/** Whoever hears it first writes it down; the money is counted once. */
function conclude({ database }: Payments, key: RefundKey, status: 'DONE' | 'FAILED', gateway_error_code: string | null): Promise<Refund> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    const refunds = await selectRefunds(tx, key)
    const refund = refunds.find(({ external_refund_id }) => external_refund_id === key.external_refund_id)
    if (refund === undefined) throw new Error('a refund is gone')
    if (refund.status !== 'PENDING') return refund
    const concluded = { ...refund, status, gateway_error_code }
    writeRefund(tx, key, concluded)
    if (status === 'DONE') countRefund(tx, row, [...refunds.filter((other) => other !== refund), concluded])
    return concluded
  })
}

/** A poll may have heard of the money already, so the sum of what is done counts and not one more refund. */
function countRefund(tx: Tx, row: PaymentRow, refunds: readonly Refund[]): void {
  const done = refunds.filter(({ status }) => status === 'DONE').reduce((sum, { amount }) => sum + minorOf(amount, row.currency), 0n)
  if (done <= minorOf(row.refunded_amount, row.currency)) return
  const whole = done === minorOf(row.amount, row.currency)
  savePayment(tx, row, { ...row, refunded_amount: fromMinor(done, row.currency), status: whole ? 'REFUNDED' : row.status })
}

/** The job: goes on where a request was left without an answer. */
export async function refundLater(payments: Payments, key: RefundKey): Promise<void> {
  const refund = await carryOut(payments, key)
  if (refund.status === 'PENDING') throw new Error('the gateway has not given the money back yet')
}
