// Cancelling: an unpaid order is declined, a paid one reversed. The cancel request is stored first, then sent to the gateway, whose answer
// decides.
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, requireSequence } from '../audit/audit.ts'
import { type By, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs.ts'
import { fromNumeric } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'
import { requireUnreserved, type Venture } from '../ventures/ventures.ts'
import type { ChangeResult } from './gateway/payments.gateway.ts'
import { bookedOf } from './payments.books.ts'
import { refreshPayment } from './payments.refresh.ts'
import { refundSubject, settled } from './payments.refunds.ts'
import { type Payments, type Refreshed, refuseMove, requireGateway, requirePayment, savePayment, showPayment } from './payments.row.ts'
import type { Payment } from './payments.schemas.ts'
import { lockPayment, type PaymentKey, type PaymentRow, selectRefunds } from './payments.sql.ts'
import { coverRefund } from './payouts/payments.payouts.recoveries.ts'
import { lockSettings } from './payouts/payments.payouts.sql.ts'

export const cancelJob = 'payments.cancel'

/** When a reversal is no longer possible, the gateway answers with an ambiguous code, so we ask this many times before giving up. */
const maxRefusals = 3
const retryDelay_ms = 30_000

type Cancellation = {
  /** Whether to leave a payment alone that was paid meanwhile. */
  unpaidOnly?: boolean
  /** Whether the bank processes the venture's transfers. */
  managed?: boolean
  by?: By
}

const cancelAction = 'cancel-payment'

/** A cancellation by the bank's people. With four-eyes approval, it takes two of them to give back money of a MANAGED venture. */
export function cancelByBank(
  payments: Payments,
  approvals: Approvals,
  { venture, id }: { venture: Pick<Venture, 'id' | 'control'>; id: string },
  by: By,
): Promise<Payment | Approval> {
  const managed = venture.control === 'MANAGED'
  const wanted = { venture_id: venture.id, action: cancelAction, resource_id: id, payload: {} }
  return actOrRequest(approvals, wanted, by, (allowed) => cancelPayment(payments, { venture_id: venture.id, id }, { managed, by: allowed }))
}

/** The approvals to cancel paid payments. If the gateway does not answer in time, a job asks again. */
export function cancelApprovals(payments: Payments): ApprovalHandler[] {
  return [
    {
      action: cancelAction,
      operations: ['cancelPayment'],
      async carryOut({ venture_id, resource_id: id, sequence }, by) {
        const key = { venture_id, id }
        const requested = await requestCancellation(payments, key, { managed: true, by: { ...by, approved: true, sequence } })
        return settled(payments, key, () => carryOut(payments, requested))
      },
    },
  ]
}

export async function cancelPayment(payments: Payments, key: PaymentKey, cancellation: Cancellation = {}): Promise<Payment> {
  return carryOut(payments, await requestCancellation(payments, key, cancellation))
}

async function carryOut(payments: Payments, requested: PaymentRow): Promise<Payment> {
  if (requested.status === 'CANCELED') return showPayment(requested)
  const { payment } = await cancelAtGateway(payments, requested)
  if (payment.status === 'CANCELED') return showPayment(payment)
  if (payment.status === requested.status && payment.cancel_requested) {
    refuse('outcome_unknown', {
      retry_after_s: 5,
      detail: 'The card gateway has not confirmed the cancellation yet. It is asked again: read the payment later.',
    })
  }
  return refuseMove(payment, `The card gateway did not cancel the payment, which is ${payment.status}.`)
}

async function requestCancellation(
  payments: Payments,
  key: PaymentKey,
  { unpaidOnly = false, managed = false, by = { actor: theService } }: Cancellation,
): Promise<PaymentRow> {
  requireGateway(payments)
  const { database, transfers } = payments
  const request = async (tx: Tx): Promise<PaymentRow> => {
    const settings = await lockSettings(tx, key.venture_id)
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    requireSequence(row, by.sequence)
    if (row.status !== 'PENDING' && (row.status !== 'PAID' || unpaidOnly))
      refuseMove(row, `The payment is ${row.status}. Only a payment that is PENDING or PAID can be canceled.`)
    const refunds = await selectRefunds(tx, key)
    if (fromNumeric(row.refunded_amount) > 0n || refunds.some(({ status }) => status === 'PENDING')) {
      refuseMove(row, 'A part of the payment has been or is being refunded, so it cannot be canceled. Refund the rest instead.')
    }
    // Nobody has seen its form, so nobody can pay it.
    if (row.gateway_order_id === null) return savePayment(tx, row, { ...row, status: 'CANCELED' })
    if (row.cancel_requested) return row
    if (managed) requireUnreserved('cancelPayment', row, by, row.sequence)
    by.witness?.(refundSubject(row, bookedOf(row)))
    await coverRefund(tx, transfers, settings, { payment_id: row.id, recovered_for: row.id, currency: row.currency, amount: bookedOf(row) })
    const { venture_id, id } = row
    await enqueue(tx, cancelJob, { venture_id, id }, 10_000)
    return savePayment(tx, row, { ...row, cancel_requested: true })
  }
  return database.transaction((tx) => accompanied(tx, by.companions, () => request(tx)))
}

/** Asks the gateway to cancel, then for the order's status, which is more reliable than the answer to the cancellation. */
async function cancelAtGateway(payments: Payments, row: PaymentRow): Promise<Refreshed & { result: ChangeResult }> {
  const result = await sendCancellation(payments, row)
  const { payment, answered } = await refreshPayment(payments, row)
  // Without a clear answer to both questions, the cancel request stays, and the job asks again.
  const clear = payment.status === 'CANCELED' ? result.kind !== 'unknown' : result.kind === 'rejected' && payment.status === row.status
  return { payment: answered && clear ? await clearCancelRequest(payments, payment) : payment, answered, result }
}

function sendCancellation(payments: Payments, { status, gateway_order_id }: PaymentRow): Promise<ChangeResult> {
  const gateway = requireGateway(payments)
  return status === 'PAID' ? gateway.reverse(gateway_order_id ?? '') : gateway.decline(gateway_order_id ?? '')
}

function clearCancelRequest({ database }: Payments, seen: PaymentRow): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, seen)) ?? refuse('payment_not_found')
    return row.cancel_requested && row.status === seen.status ? savePayment(tx, row, { ...row, cancel_requested: false }) : row
  })
}

/**
 * Whether the cancel request still has to be carried out. It ends when a payment becomes PAID, so that an order that was only to be declined is not
 * reversed. A payment that is CANCELED because its card was refused can still be paid with another card until the gateway has declined the order.
 */
function isCancelPending({ status, cancel_requested, session_until }: PaymentRow): boolean {
  if (!cancel_requested) return false
  return status === 'PENDING' || status === 'PAID' || (status === 'CANCELED' && now().getTime() < Date.parse(session_until))
}

/** The job: continues where a request got no clear answer. */
export async function cancelLater(payments: Payments, { refusals = 0, ...key }: PaymentKey & { refusals?: number }): Promise<void> {
  const row = await requirePayment(payments.database, key)
  if (!isCancelPending(row)) return
  const { payment, answered, result } = await cancelAtGateway(payments, row)
  if (!isCancelPending(payment)) return
  // The gateway says that the payment is still paid, so the reversal was refused, whatever its answer was.
  const refused = payment.status === 'PAID' && answered && result.kind === 'unknown'
  if (!refused) throw new Error('the gateway has not canceled yet')
  if (refusals + 1 >= maxRefusals) await clearCancelRequest(payments, payment)
  else await payments.database.transaction((tx) => enqueue(tx, cancelJob, { ...key, refusals: refusals + 1 }, retryDelay_ms))
}
