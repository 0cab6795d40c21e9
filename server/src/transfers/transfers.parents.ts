// Transfers that undo, return or clear another one: what their parent must be, and how much of it is left to take.
import { fromNumeric, type Money } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'
import { flowOf } from './transfers.flows.ts'
import type { Page, TransferRow } from './transfers.page.ts'
import { isTerminal, type TransferType } from './transfers.status.ts'

/** Types that make no sense without a parent, and may not together take more than it has. */
const reclaiming: ReadonlySet<TransferType> = new Set([
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'FEE_CANCELLATION',
  'CARD_REVERSAL',
])

const invalid = (detail: string): never => refuse('parent_invalid', { detail })

/** Finds the parent that an order names, if it names one, and refuses one that does not exist or of which nothing can be taken. */
export function parentOf(
  page: Page,
  venture_id: string,
  parent_id: string | null | undefined,
  type: TransferType,
): TransferRow | undefined {
  if (parent_id == null) return reclaiming.has(type) ? invalid(`A ${type} needs a parent_transaction_id.`) : undefined
  return page.transfer(venture_id, parent_id) ?? invalid('There is no such parent transfer.')
}

/** Refuses a child that its parent does not allow. */
export function requireParentFits(page: Page, child: TransferRow, parent: TransferRow): void {
  const { transfer_type } = child
  if (transfer_type === 'CARD_CLEARING' && !isHolding(parent)) invalid('A CARD_CLEARING clears a CARD_AUTH that holds money.')
  const outOfSuspense = isOutOfSuspense(child, parent)
  if (!reclaiming.has(transfer_type) && !outOfSuspense && transfer_type !== 'CARD_CLEARING') return
  if (parent.account_id !== child.account_id) invalid('The parent transfer is of another account.')
  if (transfer_type === 'CARD_CLEARING') return

  const lessensHold = transfer_type === 'CARD_REVERSAL' && isHolding(parent)
  if (!outOfSuspense && !lessensHold) {
    if (parent.status !== 'COMPLETED') invalid(`The parent transfer is ${parent.status} and not COMPLETED.`)
    if (parent.direction === child.direction) invalid('The child must go in the other direction than its parent.')
  }
  const { amount: whole, currency } = outside(parent)
  const own = outside(child)
  if (own.currency !== currency) invalid(`The parent transfer is in ${currency}.`)
  const taken = page
    .childrenOf(parent)
    .filter((sibling) => sibling.id !== child.id && (reclaiming.has(sibling.transfer_type) || isOutOfSuspense(sibling, parent)))
    .filter(({ status }) => !isTerminal(status) || status === 'COMPLETED')
    .reduce((sum, sibling) => sum + outside(sibling).amount, 0n)
  if (taken + own.amount > whole) invalid('The children of the parent transfer would exceed it.')
}

/** A card authorisation with money on hold. */
export function isHolding(parent: TransferRow): boolean {
  return parent.transfer_type === 'CARD_AUTH' && parent.hold > 0n && !isTerminal(parent.status)
}

/** Whether a child moves frozen money out of suspense, where its parent left it, and so holds nothing of the client's. */
export function isOutOfSuspense(child: TransferRow, parent: TransferRow | undefined): boolean {
  return (
    parent !== undefined &&
    parent.status === 'AML_REJECTED' &&
    parent.received &&
    flowOf(parent.direction, parent.method, parent.transfer_type) === 'receiving' &&
    child.direction === 'OUTBOUND' &&
    (child.transfer_type === 'PAYMENT_RETURN' || child.transfer_type === 'ADJUSTMENT')
  )
}

/** What left the bank or entered it. */
export function outside({ direction, debit_amount, debit_currency, credit_amount, credit_currency }: TransferRow): {
  amount: Money
  currency: string
} {
  return direction === 'OUTBOUND'
    ? { amount: fromNumeric(credit_amount), currency: credit_currency }
    : { amount: fromNumeric(debit_amount), currency: debit_currency }
}
