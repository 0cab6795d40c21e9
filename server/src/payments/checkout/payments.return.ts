// The payer comes back from the gateway. What the browser says on the way counts for nothing: the gateway is asked, and the payer is sent to
// one of the two places that were given with the payment.
import { refuse } from '../../values/refusals.ts'
import { type Settled, settle } from '../payments.refresh.ts'
import { type Payments, returnUrlOf } from '../payments.row.ts'
import { type PaymentRow, selectPaymentById } from '../payments.sql.ts'

/** While the gateway does not answer, the payer's browser comes back this often. */
const mostReturns = 3

export async function returnOf(payments: Payments, id: string, returns: number): Promise<string> {
  const found = (await payments.database.first(selectPaymentById(id))) ?? refuse('payment_not_found')
  // Nothing can become of it any more.
  if (found.status === 'REFUNDED') return placeOf(found)
  const { payment, known } = await settleTogether(payments, found)
  // Also one that was refused may be paid by now, with another card.
  if (!known && !wasPaid(payment) && payment.gateway_order_id !== null && returns < mostReturns) {
    return `${returnUrlOf(payments, id)}?returns=${returns + 1}`
  }
  return placeOf(payment)
}

/** Who comes back is not known, so it must not be a way to flood the gateway: of what is paid already it is asked once a second. */
const rest_ms = 1_000

/** Those who come back at the same time share one question. */
function settleTogether(payments: Payments, payment: PaymentRow): Promise<Settled> {
  const known = payments.asking.get(payment.id)
  if (known !== undefined) return known
  const forget = () => payments.asking.delete(payment.id)
  const asked = settle(payments, payment).finally(() => (wasPaid(payment) ? setTimeout(forget, rest_ms).unref() : forget()))
  payments.asking.set(payment.id, asked)
  return asked
}

const wasPaid = ({ status }: PaymentRow) => status === 'PAID' || status === 'REFUNDED'

/** Where the shop wants its payer back. */
export function placeOf(payment: PaymentRow): string {
  const { id, status, success_url, fail_url } = payment
  const place = new URL(wasPaid(payment) ? success_url : fail_url)
  place.searchParams.set('payment_id', id)
  place.searchParams.set('status', status)
  return place.href
}
