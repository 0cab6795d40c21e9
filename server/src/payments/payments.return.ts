// The payer comes back from the gateway. What the browser says on the way counts for nothing: the gateway is asked, and the payer is sent to
// one of the two places that were given with the payment.
import { refuse } from '../values/refusals.ts'
import type { Payments } from './payments.row.ts'
import { settle } from './payments.settle.ts'
import { type PaymentRow, selectPaymentById } from './payments.sql.ts'

/** While the gateway does not answer, the payer's browser comes back this often. */
const mostReturns = 3

export async function returnOf(payments: Payments, id: string, returns: number): Promise<string> {
  const found = (await payments.database.first(selectPaymentById(id))) ?? refuse('payment_not_found')
  const { payment, known } = await settle(payments, found)
  if (!known && payment.status === 'PENDING' && payment.gateway_order_id !== null && returns < mostReturns) {
    return `${payments.publicUrl()}/api/v1/payments/${id}/return?returns=${returns + 1}`
  }
  return placeOf(payment)
}

function placeOf({ id, status, success_url, fail_url }: PaymentRow): string {
  const place = new URL(status === 'PAID' || status === 'REFUNDED' ? success_url : fail_url)
  place.searchParams.set('payment_id', id)
  place.searchParams.set('status', status)
  return place.href
}
