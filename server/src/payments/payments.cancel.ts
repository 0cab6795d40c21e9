// Cancelling: an order that nobody has paid is declined, one that was paid is reversed. The wish is kept first, then the gateway is asked,
// and what it says counts.
import { enqueue } from '../platform/jobs.ts'
import { fromNumeric } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'
import type { Outcome } from './payments.gateway.answers.ts'
import { type Payments, refuseMove, requireGateway, requirePayment, savePayment, shown } from './payments.row.ts'
import type { Payment } from './payments.schemas.ts'
import { type Settled, settle } from './payments.settle.ts'
import { lockPayment, type PaymentKey, type PaymentRow, selectRefunds } from './payments.sql.ts'

export const cancelJob = 'payments.cancel'

export async function cancelPayment(payments: Payments, key: PaymentKey): Promise<Payment> {
  requireGateway(payments)
  const wished = await wish(payments, key)
  const { payment, known } = wished.status === 'CANCELED' ? { payment: wished, known: true } : await carryOut(payments, wished)
  if (payment.status === 'CANCELED') return shown(payment)
  if (known && !payment.cancel_requested) refuseMove(payment, `The gateway did not cancel: the payment is ${payment.status}.`)
  return refuse('outcome_unknown', { retry_after_s: 5, detail: 'The gateway has not said yet whether it has canceled the payment.' })
}

function wish({ database }: Payments, key: PaymentKey): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    if (row.status !== 'PENDING' && row.status !== 'PAID') refuseMove(row, `A payment that is ${row.status} cannot be canceled.`)
    const refunds = await selectRefunds(tx, key)
    if (fromNumeric(row.refunded_amount) > 0n || refunds.some(({ status }) => status === 'PENDING')) {
      refuseMove(row, 'Some of the payment goes back already, so it cannot be canceled.')
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
async function carryOut(payments: Payments, row: PaymentRow): Promise<Settled> {
  const outcome = await ask(payments, row)
  const settled = await settle(payments, row)
  const { payment, known } = settled
  if (payment.status === 'CANCELED' || !known) return settled
  // It has answered both times, and the order is not canceled: the wish is over. A code 7 may also be a passing trouble, so that one waits.
  if (outcome.kind === 'unknown' && payment.status === row.status) return settled
  return { payment: await giveUpWish(payments, row), known }
}

function ask(payments: Payments, { status, gateway_order_id }: PaymentRow): Promise<Outcome> {
  const gateway = requireGateway(payments)
  return status === 'PAID' ? gateway.reverse(gateway_order_id ?? '') : gateway.decline(gateway_order_id ?? '')
}

function giveUpWish({ database }: Payments, key: PaymentKey): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = (await lockPayment(tx, key)) ?? refuse('payment_not_found')
    return row.cancel_requested && row.status !== 'CANCELED' ? savePayment(tx, row, { ...row, cancel_requested: false }) : row
  })
}

/** The job: goes on where a request was left without an answer. */
export async function cancelLater(payments: Payments, key: PaymentKey): Promise<void> {
  const row = await requirePayment(payments.database, key)
  if (!row.cancel_requested || (row.status !== 'PENDING' && row.status !== 'PAID')) return
  const { payment } = await carryOut(payments, row)
  if (payment.cancel_requested && payment.status === row.status) throw new Error('the gateway has not canceled yet')
}
