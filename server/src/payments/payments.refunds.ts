// Refunds. Each has an id that the gateway knows too. It is stored before the gateway is asked; before asking again, we check whether the
// gateway already lists it. Only one request or job asks at a time, because not every gateway recognises a repeated id.
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, requireSequence, subjectOf } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { accompanied } from '../platform/companions.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs.ts'
import { decimalsRule, formatMoney, fromNumeric, type Money, moneyText, parseMoney } from '../values/money.ts'
import { Refusal, refuse, refuseField } from '../values/refusals.ts'
import { getVenture, requireUnreserved, type Venture } from '../ventures/ventures.ts'
import type { OrderStatus } from './gateway/payments.gateway.ts'
import { fetchStatus, refreshPayment } from './payments.refresh.ts'
import { fromMinor, minorOf, type Payments, refuseMove, requireGateway, requirePayment, savePayment, showPayment } from './payments.row.ts'
import type { Payment, RefundOrder } from './payments.schemas.ts'
import {
  insertRefund,
  leaseRefund,
  lockPayment,
  noteRefusal,
  type PaymentKey,
  type PaymentRow,
  type Refund,
  type RefundKey,
  selectRefunds,
  writeRefund,
} from './payments.sql.ts'
import { coverRefund } from './payouts/payments.payouts.recoveries.ts'
import { lockSettings } from './payouts/payments.payouts.sql.ts'

export const refundJob = 'payments.refund'

/**
 * How long the lease of a refund lasts. The gateway has half of it to answer; a refund that it makes later has the other half to appear in its list.
 */
const lease_ms = 20_000
/** After this many ambiguous refusals, a refund that the gateway still does not list has failed. */
const maxRefusals = 8

type Owner = Pick<Venture, 'id' | 'control'>

const refundAction = 'refund-payment'

/** With four-eyes approval, two people of the bank refund a payment of a MANAGED venture. */
export function refundPayment(
  payments: Payments,
  approvals: Approvals,
  { venture, id, order }: { venture: Owner; id: string; order: RefundOrder },
  by: By,
): Promise<Payment | Approval> {
  const reference = `${id} ${order.external_refund_id ?? 'rest'}`
  const wanted = { venture_id: venture.id, action: refundAction, resource_id: id, payload: order, reference }
  return actOrRequest(approvals, wanted, by, async (allowed) => {
    const { key, refund } = await recordRefund(payments, venture, id, order, allowed)
    return finishRefund(payments, key, refund)
  })
}

/** The approvals of refunds. If the gateway does not answer in time, a job asks again. */
export function refundApprovals(payments: Payments): ApprovalHandler[] {
  return [
    {
      action: refundAction,
      operations: ['refundPayment'],
      async carryOut({ venture_id, resource_id: id, payload, sequence }, by) {
        const venture = await getVenture(payments.database, venture_id)
        const { key, refund } = await recordRefund(payments, venture, id, payload as RefundOrder, { ...by, approved: true, sequence })
        return settled(payments, key, () => finishRefund(payments, key, refund))
      },
    },
  ]
}

/** Once the approval is committed, no answer of the gateway may refuse it. */
export async function settled(payments: Payments, key: PaymentKey, ask: () => Promise<Payment>): Promise<Payment> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return showPayment(await requirePayment(payments.database, key))
  }
}

async function recordRefund(
  payments: Payments,
  { id: venture_id, control }: Owner,
  payment_id: string,
  order: RefundOrder,
  by: By,
): Promise<{ key: RefundKey; refund: Refund }> {
  requireGateway(payments)
  const key = { venture_id, id: payment_id }
  if (order.amount !== undefined && order.external_refund_id === undefined) {
    refuseField('external_refund_id', 'is required with amount, so that a repeated request does not refund the money twice')
  }
  const { id: external_refund_id, refund } = await payments.database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const refund = await storeRefund(tx, payments, key, { order, managed: control === 'MANAGED', by })
      return { id: refund.external_refund_id, refund }
    }),
  )
  return { key: { ...key, external_refund_id }, refund }
}

/** For a repeated request whose refund is stored. */
export async function resumeRefund(payments: Payments, key: RefundKey): Promise<Payment> {
  requireGateway(payments)
  return finishRefund(payments, key, refundIn(await selectRefunds(payments.database, key), key))
}

async function finishRefund(payments: Payments, key: RefundKey, stored: Refund): Promise<Payment> {
  const refund = stored.status === 'PENDING' ? await carryOut(payments, key) : stored
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

/** Stores the refund, or finds the one with its id: there is one refund for each id, whatever its status. */
async function storeRefund(
  tx: Tx,
  { transfers }: Payments,
  key: PaymentKey,
  { order: { amount, external_refund_id: givenId }, managed, by }: { order: RefundOrder; managed: boolean; by: By },
): Promise<Refund> {
  const settings = await lockSettings(tx, key.venture_id)
  const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
  requireSequence(row, by.sequence)
  const refunds = await selectRefunds(tx, key)
  const left = leftOf(row, refunds)
  const known =
    givenId === undefined ? findRemainder(row, refunds, left) : refunds.find(({ external_refund_id }) => external_refund_id === givenId)
  const wanted = amount === undefined ? undefined : (parseMoney(amount, row.currency) ?? refuseField('amount', decimalsRule(row.currency)))
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
  if (managed) requireUnreserved('refundPayment', {}, by, row.sequence)
  const external_refund_id = givenId ?? remainderId(key, refunds)
  by.witness?.(refundSubject(row, money))
  const given = { payment_id: row.id, recovered_for: external_refund_id, currency: row.currency, amount: money }
  await coverRefund(tx, transfers, settings, given)
  const refund: Refund = {
    external_refund_id,
    amount: formatMoney(money, row.currency),
    status: 'PENDING',
    gateway_error_code: null,
    refusals: 0,
  }
  insertRefund(tx, key, refund)
  // Runs when the lease of the request itself has expired.
  await enqueue(tx, refundJob, { ...key, external_refund_id }, lease_ms)
  return refund
}

/** What a second person sees of a refund before approving it. */
export function refundSubject({ customer_name, masked_pan, currency, description, order_ref }: PaymentRow, money: Money): object {
  return subjectOf({
    payee: customer_name,
    payee_account: masked_pan,
    amount: formatMoney(money, currency),
    currency,
    purpose: description ?? order_ref,
  })
}

/** The amount neither refunded nor pending. A pending refund may already be in `refunded_amount`, so this may be too low, but never too high. */
function leftOf(row: PaymentRow, refunds: readonly Refund[]): bigint {
  const pending = refunds.filter(({ status }) => status === 'PENDING').reduce((sum, { amount }) => sum + fromNumeric(amount), 0n)
  const left = fromNumeric(row.amount) - fromNumeric(row.refunded_amount) - pending
  return left > 0n ? left : 0n
}

/**
 * A refund of the remainder needs no id from the venture. A repeated request means the same refund, unless there is a new remainder, or still one.
 */
function findRemainder(row: PaymentRow, refunds: readonly Refund[], left: bigint): Refund | undefined {
  const remainders = refunds.filter(({ external_refund_id }) => external_refund_id.startsWith(remainderPrefix(row)))
  const pending = remainders.find(({ status }) => status === 'PENDING')
  if (pending !== undefined || (row.status === 'PAID' && left > 0n)) return pending
  return remainders.find(({ status }) => status === 'DONE')
}

const remainderPrefix = ({ id }: PaymentKey) => `rest-${id.replaceAll('-', '').slice(-24)}-`

function remainderId(key: PaymentKey, refunds: readonly Refund[]): string {
  const prefix = remainderPrefix(key)
  return `${prefix}${refunds.filter(({ external_refund_id }) => external_refund_id.startsWith(prefix)).length}`
}

/** Asks the gateway for the refund and stores the result, unless the refund was already made or another request or job is asking. */
async function carryOut(payments: Payments, key: RefundKey): Promise<Refund> {
  const started = performance.now()
  const lease = await payments.database.transaction((tx) => leaseRefund(tx, key, lease_ms))
  const { payment, refund } = await findRefund(payments, key)
  if (refund.status !== 'PENDING') return refund
  const repeated = lease?.asked === true
  const checked = lease !== undefined && !repeated ? refund : await checkListed(payments, key, payment, repeated)
  // Without an answer, we must not ask for the same money a second time.
  if (lease === undefined || checked === undefined) return checked ?? refund
  if (checked.status !== 'PENDING') return checked
  if (checked.refusals >= maxRefusals) return conclude(payments, key, 'FAILED', checked.gateway_error_code)
  if (performance.now() - started > lease_ms / 2) return checked
  const result = await requireGateway(payments).refund({
    order_id: payment.gateway_order_id ?? '',
    amount_minor: minorOf(refund.amount, payment.currency),
    external_refund_id: key.external_refund_id,
  })
  if (result.kind === 'done') return concludeDone(payments, key)
  if (result.kind === 'rejected') {
    // The gateway may have refused this request because it did receive the first.
    const again = await checkListed(payments, key, payment, repeated)
    return again?.status === 'PENDING' ? conclude(payments, key, 'FAILED', result.error_code) : (again ?? checked)
  }
  const { error_code } = result
  if (error_code !== undefined) await payments.database.transaction(async (tx) => noteRefusal(tx, key, error_code))
  return checked
}

type Listed = (refund: Refund, ours: readonly Refund[]) => boolean

/** The refund, concluded if the gateway lists it. Undefined if the gateway does not answer. */
async function checkListed(payments: Payments, key: RefundKey, payment: PaymentRow, repeated: boolean): Promise<Refund | undefined> {
  const reading = await fetchStatus(payments, payment)
  if (reading.kind !== 'status') return undefined
  const listed: Listed = (refund, ours) => isListedById(reading, refund) || (repeated && isInTotal(reading, refund, ours, payment.currency))
  const { refund, refunds } = await findRefund(payments, key)
  return listed(refund, refunds) ? concludeDone(payments, key, listed) : refund
}

function isListedById({ refunds }: OrderStatus, refund: Refund): boolean {
  return refunds.some(({ external_refund_id }) => external_refund_id === refund.external_refund_id)
}

/**
 * For a gateway that lists refunds without ids and was asked for this one before: the refund counts as made if the total covers it and all
 * refunds known to be done. A refund made by hand at the gateway may then pass for ours, but no money goes back twice.
 */
function isInTotal({ refunds, refunded_minor }: OrderStatus, refund: Refund, ours: readonly Refund[], currency: string): boolean {
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

/** Then refreshes the payment, because refunds may also have been made by hand at the gateway. */
async function concludeDone(payments: Payments, key: RefundKey, listed?: Listed): Promise<Refund> {
  const refund = await conclude(payments, key, 'DONE', null, listed)
  if (refund.status === 'DONE') await refreshPayment(payments, key)
  return refund
}

/** The first to conclude the refund stores its status, so the money is counted once. */
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
    // Another refund may have been matched with the same total meanwhile.
    if (!listed(refund, refunds)) return refund
    const concluded = { ...refund, status, gateway_error_code }
    writeRefund(tx, key, concluded)
    if (status === 'DONE') countRefund(tx, row, [...refunds.filter((other) => other !== refund), concluded])
    return concluded
  })
}

/** A refresh may have counted the money already, so the sum of all done refunds is written, not the old amount plus one refund. */
function countRefund(tx: Tx, row: PaymentRow, refunds: readonly Refund[]): void {
  const done = doneOf(refunds, row.currency)
  if (row.status !== 'PAID' || done <= minorOf(row.refunded_amount, row.currency)) return
  const whole = done === minorOf(row.amount, row.currency)
  savePayment(tx, row, { ...row, refunded_amount: fromMinor(done, row.currency), status: whole ? 'REFUNDED' : row.status })
}

/** The job: continues where a request got no clear answer. */
export async function refundLater(payments: Payments, key: RefundKey): Promise<void> {
  const refund = await carryOut(payments, key)
  if (refund.status === 'PENDING') throw new Error('the gateway has not given the money back yet')
}
