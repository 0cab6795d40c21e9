// What can be done with a payment in its current state. The card gateway has the last word.
import type { Payment } from '@vostro/sdk'
import { isZero, lessOf } from '../../ui/amounts.ts'

type Paid = Pick<Payment, 'status' | 'amount' | 'refunded_amount'>

/** The amount that can still be refunded. */
export const leftOf = ({ amount, refunded_amount }: Paid): string => lessOf(amount, refunded_amount)

export const isRefundable = (payment: Paid): boolean => payment.status === 'PAID' && !isZero(leftOf(payment))

/** A payment that was partly refunded cannot be cancelled. */
export const isCancellable = ({ status, refunded_amount }: Paid): boolean =>
  status === 'PENDING' || status === 'REFUSED' || (status === 'PAID' && isZero(refunded_amount))
