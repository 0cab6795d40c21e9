// The payer returns from the gateway. What the browser sends does not count: we ask the gateway, then send the payer to one of the two
// addresses of the payment.
import { refuse } from '../../values/refusals.ts'
import { refreshPayment } from '../payments.refresh.ts'
import { type Payments, type Refreshed, returnUrlOf } from '../payments.row.ts'
import { type PaymentRow, selectPaymentById } from '../payments.sql.ts'

/** How often the payer's browser is sent back here while the gateway does not answer. */
const mostReturns = 3

export async function returnOf(payments: Payments, id: string, returns: number): Promise<string> {
  const found = (await payments.database.first(selectPaymentById(id))) ?? refuse('payment_not_found')
  // Its status can no longer change.
  if (found.status === 'REFUNDED') return placeOf(found)
  const { payment, answered } = await refreshTogether(payments, found)
  // A refused payment may have been paid meanwhile, too, with another card.
  if (!answered && !wasPaid(payment) && payment.gateway_order_id !== null && returns < mostReturns) {
    return `${returnUrlOf(payments, id)}?returns=${returns + 1}`
  }
  return placeOf(payment)
}

/** Anyone can call this route, so it must not serve to flood the gateway: a paid payment is refreshed at most once a second. */
const pause_ms = 1_000

/** Concurrent returns share one request to the gateway. */
function refreshTogether(payments: Payments, payment: PaymentRow): Promise<Refreshed> {
  const running = payments.refreshing.get(payment.id)
  if (running !== undefined) return running
  const forget = () => payments.refreshing.delete(payment.id)
  const started = refreshPayment(payments, payment).finally(() => (wasPaid(payment) ? setTimeout(forget, pause_ms).unref() : forget()))
  payments.refreshing.set(payment.id, started)
  return started
}

const wasPaid = ({ status }: PaymentRow) => status === 'PAID' || status === 'REFUNDED'

/** Where the shop expects its payer back. */
export function placeOf(payment: PaymentRow): string {
  const { id, status, success_url, fail_url } = payment
  const place = new URL(wasPaid(payment) ? success_url : fail_url)
  place.searchParams.set('payment_id', id)
  place.searchParams.set('status', status)
  return place.href
}
