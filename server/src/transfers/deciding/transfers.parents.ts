// Transfers that undo, return or clear another transfer: valid parents, the destination of the money, and how much of the parent is left.
import { isSameBic } from '../../values/bic.ts'
import { fromNumeric, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { flowOf, isBookType } from '../life/transfers.flows.ts'
import { methods } from '../life/transfers.methods.ts'
import { isTerminal, type TransferDirection, type TransferMethod, type TransferType } from '../life/transfers.status.ts'
import { feeOf } from './transfers.amounts.ts'
import type { Batch, BatchBeneficiary } from './transfers.batch.ts'

/** Types that need a parent. All children of a parent together cannot take more than its amount. */
const reclaimingTypes: ReadonlySet<TransferType> = new Set([
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'FEE_CANCELLATION',
  'CARD_REVERSAL',
])

export function isReclaiming(type: TransferType): boolean {
  return reclaimingTypes.has(type)
}

const invalid = (detail: string): never => refuse('parent_invalid', { detail })

/** The part of a child that is known before its amounts are derived. */
type Child = Pick<TransferRow, 'account_id' | 'direction' | 'transfer_type' | 'parent_transaction_id'>

/** Finds the parent that an order names. Refuses one that does not exist or cannot have this child. */
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
  if (transfer_type === 'CARD_CLEARING' && !canBeCleared(parent)) {
    if (parent.transfer_type === 'CARD_ADVICE' && !isAuthorisation(parent))
      invalid('An older version created this CARD_ADVICE. It debits the account itself, so it has no clearing.')
    invalid(
      `The parent of a CARD_CLEARING must be a CARD_AUTH or a CARD_ADVICE that was RESERVED or has ended; this parent is ${parent.transfer_type} and ${parent.status}.`,
    )
  }
  if (transfer_type !== 'CARD_CLEARING' && !takesFromParent(child, parent)) return
  if (parent.account_id !== child.account_id)
    invalid(`The parent transfer belongs to another account: create the transfer on the account ${parent.account_id}.`)
  const reducesHold = transfer_type === 'CARD_REVERSAL' && isOpenAuthorisation(parent)
  if (transfer_type === 'CARD_CLEARING' || reducesHold || takesFromSuspense(child, parent)) return
  if (isAuthorisation(parent)) {
    invalid(
      `A ${parent.transfer_type} books nothing, so there is nothing to take back: name one of its CARD_CLEARING transfers as the parent.`,
    )
  }
  if (transfer_type === 'FEE_CANCELLATION') requireFee(parent)
  else requireSameRail(child, parent)
  if (parent.status !== 'COMPLETED') invalid(`The parent transfer is ${parent.status}, not COMPLETED.`)
  if (parent.direction === child.direction)
    invalid(`The parent transfer is ${parent.direction}, so this one must go in the other direction.`)
}

function requireFee(parent: TransferRow): void {
  // In older versions, a FEE over INTERNAL paid another client.
  if (parent.transfer_type === 'FEE' && parent.receiver_account_id !== null)
    invalid('The FEE was paid to another account, so the fees account has nothing to give back.')
  if (parent.transfer_type === 'FEE' || feeOf(parent) > 0n) return
  invalid(
    `The parent of a FEE_CANCELLATION must be a FEE or have an fx_fee_amount; this parent is a ${parent.transfer_type} without a fee.`,
  )
}

/** Money goes back over the rail that it came over, and a booking in the venture's own books is not paid out of the bank. */
function requireSameRail({ transfer_type }: Child, parent: TransferRow): void {
  if (isBookType(parent.transfer_type))
    invalid(
      `A ${parent.transfer_type} is booked on the venture's own accounts, so a ${transfer_type} cannot take it back: use a FEE_CANCELLATION or an ADJUSTMENT.`,
    )
  // A reversal may only have released a hold, and a return has given limits back: the same money would go out uncounted.
  if (isReclaiming(parent.transfer_type))
    invalid(`A ${parent.transfer_type} took money back itself and is not taken back by another transfer: send the money as a new one.`)
  if (isPayout(parent)) invalid('A payout of card money is not taken back by a transfer: refund the payments, or send the money.')
  if (!methods[parent.method].carries.has(transfer_type))
    invalid(`The parent transfer used the method ${parent.method}, which carries no ${transfer_type}.`)
  if (parent.receiver_account_id !== null)
    invalid("An internal transfer is returned from the receiving account: name that account's own record of it as the parent.")
}

/** In older versions, an order could have the method and the type of a payout. */
function isPayout({ id, unique_reference, method, transfer_type }: TransferRow): boolean {
  return unique_reference === id && methods[method].records.has(transfer_type)
}

/** A transfer that takes money back pays it to the account that it came from. For CARD, the scheme finds that account. */
export function requireDebtorAccount(
  method: TransferMethod,
  {
    direction,
    transfer_type,
    beneficiary,
    parent,
  }: {
    direction: TransferDirection
    transfer_type: TransferType
    beneficiary: BatchBeneficiary | undefined
    parent: TransferRow | undefined
  },
): void {
  const { address } = methods[method]
  if (direction === 'INBOUND' || parent === undefined || beneficiary === undefined) return
  if (isBookType(transfer_type) || address === 'card') return
  if (parent.dr_iban === null && parent.dr_account_id === null) {
    refuse('beneficiary_mismatch', {
      detail: `The parent transfer does not say from which account the money came, so it cannot be taken back by a ${transfer_type}.`,
    })
  }
  if (isDebtor(beneficiary, parent, address !== 'number')) return
  refuse('beneficiary_mismatch', {
    detail: `A ${transfer_type} goes back to the debtor of its parent transfer, but the beneficiary has another account, or the same account number without the BIC of the debtor's bank.`,
  })
}

function isDebtor(beneficiary: BatchBeneficiary, { dr_iban, dr_account_id, dr_bank_bic }: TransferRow, byIban: boolean): boolean {
  if (byIban && beneficiary.iban !== null) return beneficiary.iban === dr_iban
  const { account_number, bic, swift_code } = beneficiary
  // Rails without IBANs accept any account number as dr_iban.
  const number = dr_account_id ?? dr_iban
  const isSameBank = [bic, swift_code].some((own) => own !== null && dr_bank_bic !== null && isSameBic(own, dr_bank_bic))
  return number !== null && account_number !== null && plain(account_number) === plain(number) && isSameBank
}

const plain = (account_number: string): string => account_number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()

/**
 * Refuses a child that exceeds what its siblings leave of the parent. For an order, all siblings count; for a fact, only the firm ones, so
 * that no order can keep a fact out.
 */
export function requireParentCovers(batch: Batch, child: TransferRow, parent: TransferRow, counted: 'all' | 'firm'): void {
  const siblings = batch
    .childrenOf(parent)
    .filter((sibling) => sibling.id !== child.id && !hasFailed(sibling) && (counted === 'all' || isFirm(sibling)))
  if (takesFromSuspense(child, parent)) {
    const open = siblings.filter((sibling) => !isTerminal(sibling.status) && takesFromSuspense(sibling, parent))
    requireLeft(child, { taken: open.map(externalAmount), whole: parent.suspended, currency: parent.debit_currency, of: 'frozen money' })
    requireReleasable(child, parent, siblings)
  } else if (isReclaiming(child.transfer_type)) {
    const same = siblings.filter(
      ({ transfer_type }) => isReclaiming(transfer_type) && isOfFee(transfer_type, parent) === isOfFee(child.transfer_type, parent),
    )
    if (isOfFee(child.transfer_type, parent)) {
      requireLeft(child, { taken: same.map(externalAmount), whole: feeOf(parent), currency: parent.debit_currency, of: 'fee' })
    } else {
      const { amount: whole, currency } = externalAmount(parent)
      requireLeft(child, { taken: same.map(externalAmount), whole, currency, of: 'parent transfer' })
      requireLeftOnAccount(child, parent, same)
    }
  }
}

/** Whether a transfer has ended without money. Received and frozen money has arrived, so it does not count as failed. */
function hasFailed(transfer: TransferRow): boolean {
  return isTerminal(transfer.status) && transfer.status !== 'COMPLETED' && !isFrozen(transfer)
}

/** Whether the money of a transfer has moved, or the bank's side has booked its arrival. Orders never keep a fact out. */
function isFirm(transfer: TransferRow): boolean {
  return transfer.sent || transfer.received || transfer.status === 'COMPLETED' || hasComeIn(transfer)
}

/** Whether the bank's side booked money that came back. */
export function hasComeIn({ exempt, direction }: TransferRow): boolean {
  return exempt && direction === 'INBOUND'
}

/** Refuses a child that cannot complete with the frozen money now in suspense. The child may be older than the freeze. */
export function requireFrozenMoney(batch: Batch, child: TransferRow, parent: TransferRow): void {
  const { amount, currency } = externalAmount(child)
  if (child.account_id !== parent.account_id || currency !== parent.debit_currency)
    invalid(`The frozen money is in ${parent.debit_currency} and belongs to the account ${parent.account_id}, so this transfer must too.`)
  // An internal transfer would take frozen money from one client without crediting the other.
  if (child.receiver_account_id !== null)
    invalid('Frozen money cannot be paid to an account of this venture: choose a beneficiary outside it.')
  if (amount > parent.suspended) {
    const left = moneyText(parent.suspended, currency)
    invalid(`${moneyText(amount, currency)} requested, but only ${left} of the parent transfer is still in suspense.`)
  }
  const siblings = batch.childrenOf(parent).filter(({ id, status }) => id !== child.id && status === 'COMPLETED')
  requireReleasable(child, parent, siblings)
}

/** Frozen money of another currency is released to the account for at most what the account would have received. */
function requireReleasable(child: TransferRow, parent: TransferRow, siblings: readonly TransferRow[]): void {
  if (child.direction === 'OUTBOUND' || parent.debit_currency === parent.credit_currency) return
  requireLeftOnAccount(
    child,
    parent,
    siblings.filter((sibling) => sibling.direction === 'INBOUND' && takesFromSuspense(sibling, parent)),
  )
}

/** Whether a child brings back money that its parent booked: not an authorisation's hold, nor a payment's exchange fee. */
export function takesBack({ transfer_type }: Pick<TransferRow, 'transfer_type'>, parent: TransferRow): boolean {
  return isReclaiming(transfer_type) && !isAuthorisation(parent) && !isOfFee(transfer_type, parent)
}

/** Whether the completed returns, reversals and cancellations of a transfer add up to its amount. */
export function isReturned(batch: Batch, parent: TransferRow): boolean {
  const done = batch.childrenOf(parent).filter((child) => child.status === 'COMPLETED' && takesBack(child, parent))
  return sumOf(done.map(externalAmount)) === externalAmount(parent).amount
}

/** The internal transfer that `record` mirrors for the receiver. A return of it is a child of that record. */
export function mirroredBy(record: TransferRow, origin: TransferRow | undefined): TransferRow | undefined {
  return record.direction === 'INBOUND' && methods[record.method].internal ? origin : undefined
}

/** Whether a child gives back its parent's exchange fee rather than its amount. */
function isOfFee(type: TransferType, parent: TransferRow): boolean {
  return type === 'FEE_CANCELLATION' && parent.transfer_type !== 'FEE'
}

type Bound = { taken: readonly Amount[]; whole: Money; currency: string; of: 'parent transfer' | 'fee' | 'frozen money' }

/** Checks the amount that leaves or enters the bank. */
function requireLeft(child: TransferRow, { taken, whole, currency, of }: Bound): void {
  const own = externalAmount(child)
  if (own.currency !== currency) invalid(`The ${of} is in ${currency}, so this one must be in ${currency}, not ${own.currency}.`)
  const left = subtractDownToZero(whole, sumOf(taken))
  if (own.amount <= left) return
  const [requested, rest] = [moneyText(own.amount, currency), moneyText(left, currency)]
  invalid(`${requested} requested, but only ${rest} is left of the ${moneyText(whole, currency)} of the ${of}.`)
}

/** Checks the amount on the account: at another rate, the account could get back more than it gave. */
function requireLeftOnAccount(child: TransferRow, parent: TransferRow, siblings: readonly TransferRow[]): void {
  const [own, whole] = [ownAmount(child), ownAmount(parent)]
  const left = subtractDownToZero(whole.amount, sumOf(siblings.map(ownAmount)))
  if (own.amount <= left) return
  const [requested, rest, all] = [own.amount, left, whole.amount].map((amount) => moneyText(amount, own.currency))
  const did = parent.direction === 'OUTBOUND' ? 'paid for' : parent.status === 'AML_REJECTED' ? 'would have got from' : 'got from'
  invalid(`${requested} requested on the account, but only ${rest} is left of the ${all} that the account ${did} the parent transfer.`)
}

const sumOf = (amounts: readonly Amount[]): Money => amounts.reduce((sum, { amount }) => sum + amount, 0n)

const subtractDownToZero = (whole: Money, taken: Money): Money => (whole > taken ? whole - taken : 0n)

/** Whether a child takes back some of its parent's money. */
function takesFromParent(child: Child, parent: TransferRow): boolean {
  return isReclaiming(child.transfer_type) || takesFromSuspense(child, parent)
}

/** Whether a transfer only holds money, for its clearings to book. A CARD_ADVICE of edition 1 booked the money itself. */
export function isAuthorisation({ transfer_type, edition }: Pick<TransferRow, 'transfer_type' | 'edition'>): boolean {
  return transfer_type === 'CARD_AUTH' || (transfer_type === 'CARD_ADVICE' && edition > 1)
}

/** An authorisation with money on hold. */
export function isOpenAuthorisation(parent: TransferRow): boolean {
  return isAuthorisation(parent) && parent.hold > 0n && !isTerminal(parent.status)
}

/** A clearing takes over the rest of the hold. If nothing is left, or the authorisation has ended, the clearing is a debit of its own. */
function canBeCleared(parent: TransferRow): boolean {
  return isAuthorisation(parent) && (parent.held || isTerminal(parent.status))
}

/** Whether a child moves its parent's frozen money out of suspense, back to the debtor or by an adjustment. This needs no hold. */
export function takesFromSuspense(child: Pick<TransferRow, 'direction' | 'transfer_type'>, parent: TransferRow | undefined): boolean {
  return (
    parent !== undefined &&
    isFrozen(parent) &&
    (child.transfer_type === 'ADJUSTMENT' || (child.transfer_type === 'PAYMENT_RETURN' && child.direction === 'OUTBOUND'))
  )
}

/** Whether the money of a transfer was received and then frozen. Children may have moved it out of suspense since. */
function isFrozen({ status, received, direction, method, transfer_type }: TransferRow): boolean {
  return status === 'AML_REJECTED' && received && flowOf(direction, method, transfer_type) === 'receiving'
}

type Amount = { amount: Money; currency: string }

type Sides = Pick<TransferRow, 'direction' | 'debit_amount' | 'debit_currency' | 'credit_amount' | 'credit_currency'>

const debitOf = ({ debit_amount, debit_currency }: Sides): Amount => ({ amount: fromNumeric(debit_amount), currency: debit_currency })
const creditOf = ({ credit_amount, credit_currency }: Sides): Amount => ({ amount: fromNumeric(credit_amount), currency: credit_currency })

/** The amount that leaves or enters the bank. */
export function externalAmount(transfer: Sides): Amount {
  return transfer.direction === 'OUTBOUND' ? creditOf(transfer) : debitOf(transfer)
}

/** The amount that the account itself gives or gets. */
export function ownAmount(transfer: Sides): Amount {
  return transfer.direction === 'OUTBOUND' ? debitOf(transfer) : creditOf(transfer)
}
