// Card payments in the books. What the gateway took for a venture, minus what it gave back to payers, is owed to the venture: `payable`.
import { book, insertEntries } from '../ledger/ledger.ts'
import type { Tx } from '../platform/database/database.ts'
import { methods, recorderOf } from '../transfers/life/transfers.methods.ts'
import { fromNumeric, type Money } from '../values/money.ts'
import type { PaymentRow } from './payments.sql.ts'

/** Where the gateway's money is. */
const { settlement } = methods[recorderOf('PAYMENT')]

/** What is booked for a payment: its amount once it is paid, minus refunds. */
export function bookedOf({ status, amount, refunded_amount }: Pick<PaymentRow, 'status' | 'amount' | 'refunded_amount'>): Money {
  const paid = status === 'PAID' || status === 'REFUNDED' ? fromNumeric(amount) : 0n
  return paid - fromNumeric(refunded_amount)
}

/** Books the difference that a change of a payment makes, whatever caused the change. The payment must be locked. */
export function bookChange(tx: Tx, before: PaymentRow, after: PaymentRow): void {
  const { venture_id, id, currency, updated_at: now } = after
  const difference = bookedOf(after) - bookedOf(before)
  if (difference === 0n) return
  insertEntries(
    tx,
    book({
      venture_id,
      cause: { kind: 'payment', id },
      now,
      lines: [
        { account: settlement, currency, amount: -difference },
        { account: 'payable', currency, amount: difference },
      ],
    }),
  )
}
