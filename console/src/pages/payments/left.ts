// What can be done with a payment as it is. The card gateway decides.
import type { Payment } from '@vostro/sdk'
import { isZero, lessOf } from '../../ui/amounts.ts'

type Paid = Pick<Payment, 'status' | 'amount' | 'refunded_amount'>

/** What can still be refunded. */
export const leftOf = ({ amount, refunded_amount }: Paid): string => lessOf(amount, refunded_amount)

export const isRefundable = (payment: Paid): boolean => payment.status === 'PAID' && !isZero(leftOf(payment))

/** What was refunded in part is not cancelled. */
export const isCancellable = ({ status, refunded_amount }: Paid): boolean =>
  status === 'PENDING' || status === 'REFUSED' || (status === 'PAID' && isZero(refunded_amount))
