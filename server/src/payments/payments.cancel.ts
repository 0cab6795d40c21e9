// Cancelling: an order that nobody has paid is declined, one that was paid is reversed. The wish is kept first, then the gateway is asked,
// and what it says counts.
import { enqueue } from '../platform/jobs.ts'
import { fromNumeric } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'
import type { ChangeResult } from './gateway/payments.gateway.ts'
import { settle } from './payments.refresh.ts'
import { type Payments, refuseMove, requireGateway, requirePayment, savePayment, showPayment } from './payments.row.ts'
import type { Payment } from './payments.schemas.ts'
import { lockPayment, type PaymentKey, type PaymentRow, selectRefunds } from './payments.sql.ts'

export const cancelJob = 'payments.cancel'

/** Where reversals are no longer possible the gateway says so with a code that may mean anything; so often it is asked, this far apart. */
const mostRefusals = 3
const apart_ms = 30_000

export async function cancelPayment(payments: Payments, key: PaymentKey): Promise<Payment> {
  requireGateway(payments)
  const wished = await wish(payments, key)
  if (wished.status === 'CANCELED') return showPayment(wished)
  const { payment } = await carryOut(payments, wished)
  if (payment.status === 'CANCELED') return showPayment(payment)
  if (payment.status === wished.status && payment.cancel_requested) {
    refuse('outcome_unknown', {
      retry_after_s: 5,
      detail: 'The card gateway has not confirmed the cancellation yet. It is asked again: read the payment later.',
    })
  }
  return refuseMove(payment, `The card gateway did not cancel the payment, which is ${payment.status}.`)
}

function wish({ database }: Payments, key: PaymentKey): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    if (row.status !== 'PENDING' && row.status !== 'PAID')
      refuseMove(row, `The payment is ${row.status}. Only a payment that is PENDING or PAID can be canceled.`)
    const refunds = await selectRefunds(tx, key)
    if (fromNumeric(row.refunded_amount) > 0n || refunds.some(({ status }) => status === 'PENDING')) {
      refuseMove(row, 'A part of the payment has been or is being refunded, so it cannot be canceled. Refund the rest instead.')
    }
    // Nobody has its form, so nobody can pay it.
    if (row.gateway_order_id === null) return savePayment(tx, row, { ...row, status: 'CANCELED' })
    if (row.cancel_requested) return row
    const { venture_id, id } = row
    await enqueue(tx, cancelJob, { venture_id, id }, 10_000)
    return savePayment(tx, row, { ...row, cancel_requested: true })
  })
}

/** Asks the gateway to cancel, and then what has become of the order: its word about itself counts more than its word about our wish. */
async function carryOut(payments: Payments, row: PaymentRow): Promise<{ payment: PaymentRow; known: boolean; outcome: ChangeResult }> {
  const outcome = await ask(payments, row)
  const { payment, known } = await settle(payments, row)
  // Without a clear answer to both questions the wish stays, and the job asks again.
  const clear = payment.status === 'CANCELED' ? outcome.kind !== 'unknown' : outcome.kind === 'rejected' && payment.status === row.status
  return { payment: known && clear ? await endWish(payments, payment) : payment, known, outcome }
}

function ask(payments: Payments, { status, gateway_order_id }: PaymentRow): Promise<ChangeResult> {
  const gateway = requireGateway(payments)
  return status === 'PAID' ? gateway.reverse(gateway_order_id ?? '') : gateway.decline(gateway_order_id ?? '')
}

function endWish({ database }: Payments, seen: PaymentRow): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, seen)) ?? refuse('payment_not_found')
    return row.cancel_requested && row.status === seen.status ? savePayment(tx, row, { ...row, cancel_requested: false }) : row
  })
}

/**
 * A wish that is still to be carried out. It ends when a payment becomes PAID, so that nothing is reversed that was only to be declined; and a
 * payment that is CANCELED because its card was refused can still be paid with another card until the gateway has declined the order.
 */
function isWished({ status, cancel_requested, session_until }: PaymentRow): boolean {
  if (!cancel_requested) return false
  return status === 'PENDING' || status === 'PAID' || (status === 'CANCELED' && Date.now() < Date.parse(session_until))
}

/** The job: goes on where a request was left without an answer. */
export async function cancelLater(payments: Payments, { refusals = 0, ...key }: PaymentKey & { refusals?: number }): Promise<void> {
  const row = await requirePayment(payments.database, key)
  if (!isWished(row)) return
  const { payment, known, outcome } = await carryOut(payments, row)
  if (!isWished(payment)) return
  // It answers what it is asked about the payment, and that it is still paid; how it fails to reverse it does not matter then.
  const refused = payment.status === 'PAID' && known && outcome.kind === 'unknown'
  if (!refused) throw new Error('the gateway has not canceled yet')
  if (refusals + 1 >= mostRefusals) await endWish(payments, payment)
  else await payments.database.transaction((tx) => enqueue(tx, cancelJob, { ...key, refusals: refusals + 1 }, apart_ms))
}
