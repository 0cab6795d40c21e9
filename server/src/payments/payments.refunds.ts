// Giving money back. A refund has a name, by which the gateway knows it too: it is written down before the gateway is asked, and before it is
// asked again we look whether it has it already. One at a time asks, because not every gateway knows a name again.
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs.ts'
import { decimalsRule, formatMoney, fromNumeric, moneyText, parseMoney } from '../values/money.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import type { OrderStatus } from './gateway/payments.gateway.ts'
import { askStatus, settle } from './payments.refresh.ts'
import { fromMinor, minorOf, type Payments, refuseMove, requireGateway, requirePayment, savePayment, showPayment } from './payments.row.ts'
import type { Payment, RefundOrder } from './payments.schemas.ts'
import {
  claimRefund,
  insertRefund,
  lockPayment,
  noteRefusal,
  type PaymentKey,
  type PaymentRow,
  type Refund,
  type RefundKey,
  selectRefunds,
  writeRefund,
} from './payments.sql.ts'

export const refundJob = 'payments.refund'

/** For how long one asks alone. The gateway has half of it to answer; what it does later than that has then the other half to be listed. */
const asking_ms = 20_000
/** A gateway that has said no so often, if not clearly, and still does not list the refund, has not given it. */
const mostRefusals = 8

export async function refundPayment(payments: Payments, key: PaymentKey, order: RefundOrder): Promise<Payment> {
  requireGateway(payments)
  if (order.amount !== undefined && order.external_refund_id === undefined) {
    refuseField('external_refund_id', 'is required with amount, so that a repeated request does not refund the money twice')
  }
  const kept = await keepRefund(payments, key, order)
  const { external_refund_id } = kept
  const refund = kept.status === 'PENDING' ? await carryOut(payments, { ...key, external_refund_id }) : kept
  if (refund.status === 'DONE') return showPayment(await requirePayment(payments.database, key))
  if (refund.status === 'PENDING') {
    refuse('outcome_unknown', {
      retry_after_s: 5,
      detail: 'The card gateway has not confirmed the refund yet. It is asked again: repeat the request later, or read the payment.',
    })
  }
  const { gateway_error_code } = refund
  const reason = gateway_error_code === null ? '' : ` with the error code ${gateway_error_code}`
  return refuse('refund_refused', {
    detail: `The card gateway refused the refund${reason}. To try again, use a new external_refund_id.`,
    gateway_error_code,
  })
}

/** Writes the wish down, or finds it again: under one name there is one refund, whatever became of it. */
function keepRefund({ database }: Payments, key: PaymentKey, { amount, external_refund_id: name }: RefundOrder): Promise<Refund> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    const refunds = await selectRefunds(tx, key)
    const left = leftOf(row, refunds)
    const known = name === undefined ? restIn(row, refunds, left) : refunds.find(({ external_refund_id }) => external_refund_id === name)
    const wanted =
      amount === undefined ? undefined : (parseMoney(amount, row.currency) ?? refuseField('amount', decimalsRule(row.currency)))
    if (wanted === 0n) refuseField('amount', 'must be greater than zero')
    if (known !== undefined && wanted !== undefined && fromNumeric(known.amount) !== wanted) {
      refuse('refund_exists', {
        detail: `The refund with this external_refund_id has the amount ${known.amount} ${row.currency}, not ${moneyText(wanted, row.currency)}.`,
        amount: known.amount,
      })
    }
    if (known !== undefined) return known
    if (row.status !== 'PAID' || row.cancel_requested)
      refuseMove(
        row,
        row.cancel_requested
          ? 'The payment is being canceled, so it cannot be refunded.'
          : `The payment is ${row.status}. Only a payment that is PAID can be refunded.`,
      )
    const money = wanted ?? left
    if (money > left || money === 0n) {
      const asked = wanted === undefined ? '' : `${moneyText(wanted, row.currency)} requested, but only `
      refuse('refund_exceeds_payment', {
        detail: `${asked}${moneyText(left, row.currency)} of the payment can still be refunded.`,
        refundable_amount: formatMoney(left, row.currency),
      })
    }
    const external_refund_id = name ?? nameOfRest(key, refunds)
    const refund: Refund = {
      external_refund_id,
      amount: formatMoney(money, row.currency),
      status: 'PENDING',
      gateway_error_code: null,
      refusals: 0,
    }
    insertRefund(tx, key, refund)
    // When the request itself no longer asks.
    await enqueue(tx, refundJob, { ...key, external_refund_id }, asking_ms)
    return refund
  })
}

/** What neither went back nor is on its way. What is on its way may be counted as gone already, so that less seems to be left. */
function leftOf(row: PaymentRow, refunds: readonly Refund[]): bigint {
  const pending = refunds.filter(({ status }) => status === 'PENDING').reduce((sum, { amount }) => sum + fromNumeric(amount), 0n)
  const left = fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - pending
  return left > 0n ? left : 0n
}

/** A refund of all that is left needs no name from the venture: asked again, it is the same one, unless something is left again or still. */
function restIn(row: PaymentRow, refunds: readonly Refund[], left: bigint): Refund | undefined {
  const rests = refunds.filter(({ external_refund_id }) => external_refund_id.startsWith(restPrefix(row)))
  const pending = rests.find(({ status }) => status === 'PENDING')
  if (pending !== undefined || (row.status === 'PAID' && left > 0n)) return pending
  return rests.find(({ status }) => status === 'DONE')
}

const restPrefix = ({ id }: PaymentKey) => `rest-${id.replaceAll('-', '').slice(-24)}-`

function nameOfRest(key: PaymentKey, refunds: readonly Refund[]): string {
  const prefix = restPrefix(key)
  return `${prefix}${refunds.filter(({ external_refund_id }) => external_refund_id.startsWith(prefix)).length}`
}

/** Asks the gateway for the refund, unless it has given it already or somebody else is asking, and writes down what it says. */
async function carryOut(payments: Payments, key: RefundKey): Promise<Refund> {
  const begun = performance.now()
  const claim = await payments.database.transaction((tx) => claimRefund(tx, key, asking_ms))
  const { payment, refund } = await findRefund(payments, key)
  if (refund.status !== 'PENDING') return refund
  const repeated = claim?.asked === true
  const looked = claim !== undefined && !repeated ? refund : await look(payments, key, payment, repeated)
  // Not knowing is no reason to ask for money to be given back a second time.
  if (claim === undefined || looked === undefined) return looked ?? refund
  if (looked.status !== 'PENDING') return looked
  if (looked.refusals >= mostRefusals) return conclude(payments, key, 'FAILED', looked.gateway_error_code)
  if (performance.now() - begun > asking_ms / 2) return looked
  const outcome = await requireGateway(payments).refund({
    order_id: payment.gateway_order_id ?? '',
    amount_minor: minorOf(refund.amount, payment.currency),
    external_refund_id: key.external_refund_id,
  })
  if (outcome.kind === 'done') return concludeDone(payments, key)
  if (outcome.kind === 'rejected') {
    // It may have refused a second one because it has heard the first after all.
    const again = await look(payments, key, payment, repeated)
    return again?.status === 'PENDING' ? conclude(payments, key, 'FAILED', outcome.error_code) : (again ?? looked)
  }
  const { error_code } = outcome
  if (error_code !== undefined) await payments.database.transaction(async (tx) => noteRefusal(tx, key, error_code))
  return looked
}

type Listed = (refund: Refund, ours: readonly Refund[]) => boolean

/** The refund after a look at the gateway's list; undefined when the gateway does not tell. */
async function look(payments: Payments, key: RefundKey, payment: PaymentRow, repeated: boolean): Promise<Refund | undefined> {
  const reading = await askStatus(payments, payment)
  if (reading.kind !== 'status') return undefined
  const listed: Listed = (refund, ours) => isNamed(reading, refund) || (repeated && isCounted(reading, refund, ours, payment.currency))
  const { refund, refunds } = await findRefund(payments, key)
  return listed(refund, refunds) ? concludeDone(payments, key, listed) : refund
}

function isNamed({ refunds }: OrderStatus, refund: Refund): boolean {
  return refunds.some(({ external_refund_id }) => external_refund_id === refund.external_refund_id)
}

/**
 * A gateway that names no refunds, and was asked for this one before, is believed when more went back than all that we know to be done: money
 * that somebody gave back by hand there may then pass for ours, but nothing is given back twice.
 */
function isCounted({ refunds, refunded_minor }: OrderStatus, refund: Refund, ours: readonly Refund[], currency: string): boolean {
  if (refunds.some(({ external_refund_id }) => external_refund_id !== null)) return false
  return (refunded_minor ?? 0n) >= doneOf(ours, currency) + minorOf(refund.amount, currency)
}

function doneOf(refunds: readonly Refund[], currency: string): bigint {
  return refunds.filter(({ status }) => status === 'DONE').reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n)
}

async function findRefund({ database }: Payments, key: RefundKey) {
  const payment = await requirePayment(database, key)
  const refunds = await selectRefunds(database, key)
  return { payment, refunds, refund: refundIn(refunds, key) }
}

function refundIn(refunds: readonly Refund[], key: RefundKey): Refund {
  const refund = refunds.find(({ external_refund_id }) => external_refund_id === key.external_refund_id)
  if (refund === undefined) throw new Error('a refund is gone')
  return refund
}

/** Then asks for the sum, because the gateway knows best: somebody may have given money back by hand there. */
async function concludeDone(payments: Payments, key: RefundKey, listed?: Listed): Promise<Refund> {
  const refund = await conclude(payments, key, 'DONE', null, listed)
  if (refund.status === 'DONE') await settle(payments, key)
  return refund
}

/** Whoever hears it first writes it down; the money is counted once. */
function conclude(
  { database }: Payments,
  key: RefundKey,
  status: 'DONE' | 'FAILED',
  gateway_error_code: string | null,
  listed: Listed = () => true,
): Promise<Refund> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    const refunds = await selectRefunds(tx, key)
    const refund = refundIn(refunds, key)
    if (refund.status !== 'PENDING') return refund
    // Another refund may have been found in the same sum meanwhile.
    if (!listed(refund, refunds)) return refund
    const concluded = { ...refund, status, gateway_error_code }
    writeRefund(tx, key, concluded)
    if (status === 'DONE') countRefund(tx, row, [...refunds.filter((other) => other !== refund), concluded])
    return concluded
  })
}

/** A poll may have heard of the money already, so the sum of what is done counts and not one more refund. */
function countRefund(tx: Tx, row: PaymentRow, refunds: readonly Refund[]): void {
  const done = doneOf(refunds, row.currency)
  if (row.status !== 'PAID' || done <= minorOf(row.refunded_amount, row.currency)) return
  const whole = done === minorOf(row.amount, row.currency)
  savePayment(tx, row, { ...row, refunded_amount: fromMinor(done, row.currency), status: whole ? 'REFUNDED' : row.status })
}

/** The job: goes on where a request was left without an answer. */
export async function refundLater(payments: Payments, key: RefundKey): Promise<void> {
  const refund = await carryOut(payments, key)
  if (refund.status === 'PENDING') throw new Error('the gateway has not given the money back yet')
}
