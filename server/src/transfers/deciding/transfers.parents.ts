// Transfers that undo, return or clear another transfer: which parents are valid, and how much of the parent is left.
import { fromNumeric, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { flowOf } from '../life/transfers.flows.ts'
import { isTerminal, type TransferType } from '../life/transfers.status.ts'
import type { TransferRow } from '../transfers.columns.ts'
import type { Batch } from './transfers.batch.ts'

/** Types that need a parent. The children of a parent cannot take more than its amount in total. */
const reclaimingTypes: ReadonlySet<TransferType> = new Set([
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'FEE_CANCELLATION',
  'CARD_REVERSAL',
])

const invalid = (detail: string): never => refuse('parent_invalid', { detail })

/** Frozen money must leave the venture: an internal transfer would take it from one client without crediting the other. */
export const frozenMoneyNotInternal = 'Frozen money cannot be paid to an account of this venture: choose a beneficiary outside it.'

/** The part of a child that is known before its amounts are derived. */
type Child = Pick<TransferRow, 'account_id' | 'direction' | 'transfer_type' | 'parent_transaction_id'>

/** Finds the parent that an order names, if any. Refuses a parent that does not exist or cannot have this child. */
export function parentOf(batch: Batch, venture_id: string, child: Child): TransferRow | undefined {
  const { parent_transaction_id, transfer_type } = child
  if (parent_transaction_id === null) {
    return reclaimingTypes.has(transfer_type) ? invalid(`A ${transfer_type} needs a parent_transaction_id.`) : undefined
  }
  const parent =
    batch.transfer(venture_id, parent_transaction_id) ?? invalid('The venture has no transfer with this parent_transaction_id.')
  requireParentFits(child, parent)
  return parent
}

function requireParentFits(child: Child, parent: TransferRow): void {
  const { transfer_type } = child
  if (transfer_type === 'CARD_CLEARING' && !isOpenAuthorisation(parent)) {
    invalid(
      `The parent of a CARD_CLEARING must be a CARD_AUTH that holds money; this parent is ${parent.transfer_type} and ${parent.status}.`,
    )
  }
  if (transfer_type !== 'CARD_CLEARING' && !takesFromParent(child, parent)) return
  if (parent.account_id !== child.account_id)
    invalid(`The parent transfer belongs to another account: create the transfer on the account ${parent.account_id}.`)
  const reducesHold = transfer_type === 'CARD_REVERSAL' && isOpenAuthorisation(parent)
  if (transfer_type === 'CARD_CLEARING' || reducesHold || takesFromSuspense(child, parent)) return
  if (parent.transfer_type === 'CARD_AUTH')
    invalid('A CARD_AUTH books nothing, so there is nothing to take back: name one of its CARD_CLEARING transfers as the parent.')
  if (transfer_type === 'FEE_CANCELLATION' && parent.transfer_type !== 'FEE')
    invalid(`The parent of a FEE_CANCELLATION must be a FEE, not ${parent.transfer_type}.`)
  if (parent.receiver_account_id !== null)
    invalid("An internal transfer is returned from the receiving account: name that account's own record of it as the parent.")
  if (parent.status !== 'COMPLETED') invalid(`The parent transfer is ${parent.status}, not COMPLETED.`)
  if (parent.direction === child.direction)
    invalid(`The parent transfer is ${parent.direction}, so this one must go in the other direction.`)
}

/** Refuses a child that takes more than its siblings leave of the parent. */
export function requireParentCovers(batch: Batch, child: TransferRow, parent: TransferRow): void {
  if (!takesFromParent(child, parent)) return
  const { amount: whole, currency } = externalAmount(parent)
  const own = externalAmount(child)
  if (takesFromSuspense(child, parent) && child.receiver_account_id !== null) invalid(frozenMoneyNotInternal)
  if (own.currency !== currency) invalid(`The parent transfer is in ${currency}, so this one must be in ${currency}, not ${own.currency}.`)
  const taken = batch
    .childrenOf(parent)
    .filter((sibling) => sibling.id !== child.id && takesFromParent(sibling, parent))
    .filter(({ status }) => !isTerminal(status) || status === 'COMPLETED')
    .reduce((sum, sibling) => sum + externalAmount(sibling).amount, 0n)
  if (taken + own.amount > whole) {
    const [left, requested] = [moneyText(whole > taken ? whole - taken : 0n, currency), moneyText(own.amount, currency)]
    invalid(`${requested} requested, but only ${left} is left of the ${moneyText(whole, currency)} of the parent transfer.`)
  }
}

/** Whether a child takes back some of its parent's money. */
function takesFromParent(child: Child, parent: TransferRow): boolean {
  return reclaimingTypes.has(child.transfer_type) || takesFromSuspense(child, parent)
}

/** A card authorisation with money on hold. */
export function isOpenAuthorisation(parent: TransferRow): boolean {
  return parent.transfer_type === 'CARD_AUTH' && parent.hold > 0n && !isTerminal(parent.status)
}

/** Whether a child moves the frozen money of its parent out of suspense. Such a child needs no hold. */
export function takesFromSuspense(child: Pick<TransferRow, 'direction' | 'transfer_type'>, parent: TransferRow | undefined): boolean {
  return (
    parent !== undefined &&
    parent.status === 'AML_REJECTED' &&
    parent.received &&
    flowOf(parent.direction, parent.method, parent.transfer_type) === 'receiving' &&
    child.direction === 'OUTBOUND' &&
    (child.transfer_type === 'PAYMENT_RETURN' || child.transfer_type === 'ADJUSTMENT')
  )
}

/** The amount that leaves or enters the bank. */
export function externalAmount({ direction, debit_amount, debit_currency, credit_amount, credit_currency }: TransferRow): {
  amount: Money
  currency: string
} {
  return direction === 'OUTBOUND'
    ? { amount: fromNumeric(credit_amount), currency: credit_currency }
    : { amount: fromNumeric(debit_amount), currency: debit_currency }
}
