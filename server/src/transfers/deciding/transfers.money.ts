// How moves affect money. Every effect is a hold on the account or a journal; a status alone moves no money.
import { available, debtOf, type Line, release, reserve, type SystemAccount } from '../../ledger/ledger.ts'
import { type Actor, theService } from '../../platform/actor.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { formatMoney, fromNumeric, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { flowOf, flowVariantOf, isBookType } from '../life/transfers.flows.ts'
import { newStanding } from '../life/transfers.guards.ts'
import { methods } from '../life/transfers.methods.ts'
import { isTerminal, type TransferStatus } from '../life/transfers.status.ts'
import { feeOf } from './transfers.amounts.ts'
import type { Batch, BatchAccount } from './transfers.batch.ts'
import { countClearing, countedHold, countedWhen, giveBack, giveBackAll } from './transfers.limits.ts'
import {
  externalAmount,
  isAuthorisation,
  isOpenAuthorisation,
  mirroredBy,
  ownAmount,
  requireFrozenMoney,
  takesBack,
  takesFromSuspense,
} from './transfers.parents.ts'

type Moving = {
  batch: Batch
  transfer: TransferRow
  from: TransferStatus
  to: TransferStatus
  account: BatchAccount
  receiver: BatchAccount | undefined
  parent: TransferRow | undefined
  /** The parent of the parent. */
  origin: TransferRow | undefined
  now: string
  /** The bank's side books a fact, whether or not the account has the money. */
  forced: boolean
}

/** Applies the effect of a move on money. Refuses if the funds are insufficient. */
export function moveMoney(moving: Moving): void {
  const { to } = moving
  if (to === 'RESERVED') hold(moving)
  if (to === 'RECEIVED') receive(moving)
  if (to === 'COMPLETED') complete(moving)
  else if (isTerminal(to)) fail(moving)
}

/**
 * Records how the debt of an account has changed, and returns the change. Credits reduce it by arithmetic; only a forced command may
 * increase it. Touch the account first.
 */
export function recordDebt(
  batch: Batch,
  account: BatchAccount,
  { forced, actor, now }: { forced: boolean; actor: Actor; now: string },
): Money {
  const change = debtOf(account) - account.debt
  if (change > 0n && !forced) throw new Error(`the debt of the account ${account.id} would grow in a command that is not forced`)
  account.debt += change
  if (change > 0n) batch.overdraw(account, actor, now)
  return change
}

/** Ends a transfer without completion. */
function fail(moving: Moving): void {
  const { transfer, from, to } = moving
  endHold(moving)
  restoreLimits(moving)
  // The collecting bank has to be told.
  if (transfer.managed && transfer.received && flow(transfer) === 'collected') moving.batch.giveBack(transfer)
  if (from !== 'TO_RETURN' || to !== 'REJECTED' || transfer.suspended === 0n) return
  returnSuspended(moving)
  if (transfer.on_us) moving.batch.returnOnUs(transfer)
  else if (transfer.managed) moving.batch.giveBack(transfer)
}

function hold({ batch, transfer, account, parent, now, forced }: Moving): void {
  batch.touchTransfer(transfer)
  // Frozen money is in suspense, not on the client's account.
  if (takesFromSuspense(transfer, parent)) return
  batch.touchAccount(account)
  const needed = costOf(transfer)
  const clears = transfer.transfer_type === 'CARD_CLEARING' && parent !== undefined && isOpenAuthorisation(parent)
  const authorisation = clears ? parent : undefined
  const takenOver = authorisation === undefined ? 0n : smaller(authorisation.hold, needed)
  if (!forced) requireFunds(account, needed - takenOver)
  const part = authorisation === undefined ? 0n : reduce(batch, authorisation, takenOver)
  if (countedWhen(transfer) === 'reserved') countClearing(account, transfer, { authorisation, part }, now.slice(0, 10))
  reserve(account, needed - takenOver)
  transfer.hold = needed
}

/** Reduces the hold of an authorisation. Returns how much of the reduction counts against the limits. */
function reduce(batch: Batch, authorisation: TransferRow, amount: Money): Money {
  batch.touchTransfer(authorisation)
  const before = countedHold(authorisation)
  authorisation.hold -= amount
  return before - countedHold(authorisation)
}

function requireFunds(account: BatchAccount, needed: Money): void {
  // A command that takes over a hold needs no further funds, even on an account in debt.
  if (needed === 0n || available(account) >= needed) return
  const { currency } = account
  const left = available(account)
  refuse('insufficient_funds', {
    detail: `Insufficient funds: ${moneyText(needed, currency)} needed, ${moneyText(left, currency)} available.`,
    needed: formatMoney(needed, currency),
    available: formatMoney(left, currency),
  })
}

function receive({ batch, transfer, now }: Moving): void {
  if (flow(transfer) !== 'receiving') return
  batch.touchTransfer(transfer)
  const amount = fromNumeric(transfer.debit_amount)
  const currency = transfer.debit_currency
  batch.post(transfer, now, [
    { account: settlement(transfer), currency, amount: -amount },
    { account: 'suspense', currency, amount },
  ])
  transfer.suspended = amount
}

function complete(moving: Moving): void {
  const { batch, transfer, account, parent } = moving
  batch.touchTransfer(transfer)
  batch.touchAccount(account)
  const held = transfer.hold
  endHold(moving)
  // An authorisation only holds money; its clearings book it.
  if (isAuthorisation(transfer)) return
  if (parent === undefined) book(moving, held)
  else if (transfer.transfer_type === 'CARD_REVERSAL' && isAuthorisation(parent)) reduceHold(moving, parent)
  else if (takesFromSuspense(transfer, parent)) takeOutOfSuspense(moving, parent)
  else {
    book(moving, held)
    if (takesBack(transfer, parent)) giveLimitsBack(moving, parent)
  }
}

function book(moving: Moving, held: Money): void {
  const { batch, transfer, account, now, forced } = moving
  if (transfer.direction === 'OUTBOUND') {
    // Held money is settled even if the account has fallen into debt since. Some debits have no hold.
    if (held === 0n && !forced) requireFunds(account, costOf(transfer))
    // A fee or an adjustment of an older version may name a receiver, who is not credited.
    const receiver = isBookType(transfer.transfer_type) ? undefined : moving.receiver
    batch.post(transfer, now, debitLines({ ...moving, receiver }))
    if (receiver !== undefined) recordMirror(moving, receiver)
  } else {
    const from = flow(transfer) === 'receiving' ? 'suspense' : counterpart(transfer)
    batch.post(transfer, now, creditLines({ transfer, account, from }))
    transfer.suspended = 0n
  }
}

function debitLines({ batch, transfer, account, receiver }: Moving): Line[] {
  const { debit_currency, credit_currency } = transfer
  const [debit, credit, fee] = [fromNumeric(transfer.debit_amount), fromNumeric(transfer.credit_amount), feeOf(transfer)]
  if (receiver !== undefined) batch.touchAccount(receiver)
  return [
    { account, currency: debit_currency, amount: -(debit + fee) },
    { account: 'fees', currency: debit_currency, amount: fee },
    ...exchange({ debit, debit_currency, credit, credit_currency }),
    { account: receiver ?? counterpart(transfer), currency: credit_currency, amount: credit },
  ]
}

function creditLines({ transfer, account, from }: { transfer: TransferRow; account: BatchAccount; from: SystemAccount }): Line[] {
  const { debit_currency, credit_currency } = transfer
  const [debit, credit] = [fromNumeric(transfer.debit_amount), fromNumeric(transfer.credit_amount)]
  return [
    { account: from, currency: debit_currency, amount: -debit },
    ...exchange({ debit, debit_currency, credit, credit_currency }),
    { account, currency: credit_currency, amount: credit },
  ]
}

/** If the currencies differ, the venture's exchange accounts receive one and pay out the other. */
function exchange({
  debit,
  debit_currency,
  credit,
  credit_currency,
}: {
  debit: Money
  debit_currency: string
  credit: Money
  credit_currency: string
}): Line[] {
  if (debit_currency === credit_currency) return []
  return [
    { account: 'fx', currency: debit_currency, amount: debit },
    { account: 'fx', currency: credit_currency, amount: -credit },
  ]
}

function counterpart(transfer: TransferRow): SystemAccount {
  switch (transfer.transfer_type) {
    case 'FEE':
    case 'FEE_CANCELLATION':
      return 'fees'
    case 'ADJUSTMENT':
      return 'adjustments'
    case 'CCY_EXCHANGE':
    case 'FX_POSITION_CLOSING':
      return 'fx'
    default:
      return settlement(transfer)
  }
}

/** Money that stays in the bank passes through one account: the payer's venture pays in, the receiver's takes out. */
function settlement({ method, on_us }: TransferRow): SystemAccount {
  return on_us ? 'settlement:ON_US' : methods[method].settlement
}

function endHold({ batch, transfer, account }: Moving): void {
  if (transfer.hold === 0n) return
  batch.touchTransfer(transfer)
  batch.touchAccount(account)
  release(account, transfer.hold)
  transfer.hold = 0n
}

function restoreLimits({ batch, transfer, account, now }: Moving): void {
  if (transfer.counted_amount === 0n && transfer.authorised_amount === 0n) return
  batch.touchTransfer(transfer)
  batch.touchAccount(account)
  giveBackAll(account, transfer, now.slice(0, 10))
}

/** Money that returns to an account no longer counts against its limits. */
function giveLimitsBack({ batch, transfer, account, receiver, origin, now }: Moving, parent: TransferRow): void {
  const [payment, payer] = transfer.direction === 'INBOUND' ? [parent, account] : [mirroredBy(parent, origin), receiver]
  if (payment === undefined || payer?.id !== payment.account_id) return
  batch.touchTransfer(payment)
  batch.touchAccount(payer)
  giveBack(payer, payment, fromNumeric(transfer.credit_amount), now.slice(0, 10))
}

/** A reversal releases part of its authorisation's hold. */
function reduceHold({ batch, transfer, account, now }: Moving, parent: TransferRow): void {
  const amount = smaller(parent.hold, ownAmount(transfer).amount)
  if (amount === 0n) return
  giveBack(account, parent, reduce(batch, parent, amount), now.slice(0, 10))
  release(account, amount)
}

/** Whether an authorisation held money and has nothing left on hold. */
export function isHoldUsed(transfer: TransferRow): boolean {
  return isAuthorisation(transfer) && transfer.held && transfer.hold === 0n
}

/**
 * The service's next move towards COMPLETED for an authorisation whose hold is used up: back from ON_HOLD, then COMPLETED. Undefined if the
 * table has no such move from its status; then the venture moves or ends it.
 */
export function nextToCompletion(transfer: TransferRow): TransferStatus | undefined {
  const { status, on_hold_from } = transfer
  if (!isHoldUsed(transfer)) return undefined
  const { next } = flowVariantOf(transfer)
  const completes = (from: TransferStatus) => next[from].includes('COMPLETED')
  if (completes(status)) return 'COMPLETED'
  return on_hold_from !== null && completes(on_hold_from) ? on_hold_from : undefined
}

/** An INBOUND adjustment credits the account with frozen money; the others take it out of the bank or into the venture's own books. */
function takeOutOfSuspense({ batch, transfer, account, now }: Moving, parent: TransferRow): void {
  requireFrozenMoney(batch, transfer, parent)
  const { amount, currency } = externalAmount(transfer)
  batch.touchTransfer(parent)
  parent.suspended -= amount
  const lines =
    transfer.direction === 'INBOUND'
      ? creditLines({ transfer, account, from: 'suspense' })
      : [
          { account: 'suspense' as const, currency, amount: -amount },
          { account: counterpart(transfer), currency, amount },
        ]
  batch.post(transfer, now, lines)
}

function returnSuspended({ batch, transfer, now }: Moving): void {
  const currency = transfer.debit_currency
  batch.touchTransfer(transfer)
  batch.post(transfer, now, [
    { account: 'suspense', currency, amount: -transfer.suspended },
    { account: settlement(transfer), currency, amount: transfer.suspended },
  ])
  transfer.suspended = 0n
  // The return goes to the original debtor, in the original currency.
  const back: TransferRow = {
    ...transfer,
    ...swapSides(transfer),
    direction: 'OUTBOUND',
    transfer_type: 'PAYMENT_RETURN',
    credit_amount: transfer.debit_amount,
    credit_currency: currency,
    debit_amount: transfer.debit_amount,
    debit_currency: currency,
    exchange_rate: null,
    fx_fee_amount: null,
    beneficiary_id: null,
    parent_transaction_id: transfer.id,
    receiver_account_id: null,
    details: undefined,
    detailed: false,
    screened: transfer.screened,
  }
  recordCompleted(batch, now, back, () => 0n)
}

/** Records an internal transfer on the receiver's account. */
function recordMirror({ batch, transfer, account, now }: Moving, receiver: BatchAccount): void {
  const mirror: TransferRow = {
    ...transfer,
    account_id: receiver.id,
    direction: 'INBOUND',
    // The payer may have named another debtor, but a return goes to the account that paid.
    dr_iban: account.account_number,
    fx_fee_amount: null,
    beneficiary_id: null,
    parent_transaction_id: transfer.id,
    receiver_account_id: null,
    screened: transfer.screened,
  }
  recordCompleted(batch, now, mirror, () => recordDebt(batch, receiver, { forced: false, actor: theService, now }))
}

/** Records card money that is paid out to the account or taken back from it, against what the bank owes the venture. */
export function recordPayout(batch: Batch, account: BatchAccount, template: TransferRow): TransferRow {
  const now = template.created_at
  const isRecovery = template.direction === 'OUTBOUND'
  if (isRecovery) requireFunds(account, costOf(template))
  batch.touchAccount(account)
  return recordCompleted(batch, now, template, (record) => {
    const lines = creditLines({ transfer: record, account, from: 'payable' })
    batch.post(record, now, isRecovery ? lines.map((line) => ({ ...line, amount: -line.amount })) : lines)
    return recordDebt(batch, account, { forced: false, actor: theService, now })
  })
}

/** Fields that are null until a later update sets them. */
const unsetUpdateFields = {
  bank_partner_id: null,
  bank_partner_trx_id: null,
  signed_at: null,
  signed_hash: null,
  status_reason: null,
  status_reason_code: null,
  third_party_status: null,
  third_party_status_code: null,
  third_party_status_reason: null,
}

/**
 * Records a transfer that the service creates itself, already completed. It follows the rules of the transfer that causes it, if any.
 * `effect` books what is not booked yet, and returns how the record changed the debt of its account.
 */
function recordCompleted(batch: Batch, now: string, template: TransferRow, effect: (record: TransferRow) => Money): TransferRow {
  const id = uuidv7()
  const record = batch.add({
    ...template,
    ...unsetUpdateFields,
    ...newStanding,
    id,
    unique_reference: id,
    status: 'COMPLETED',
    scanned: template.scanned,
    screened: template.screened,
    hold: 0n,
    suspended: 0n,
    counted_on: null,
    counted_amount: 0n,
    authorised_on: null,
    authorised_amount: 0n,
    on_hold_by_bank: false,
    rate_until: null,
    ordered_by: null,
    payee_verification_id: null,
    mandate_id: null,
    authentication: null,
    approval_id: null,
    created_at: now,
    updated_at: now,
    sequence: 2,
    notes: 0,
    findings: 0,
  })
  batch.recordMove({
    venture_id: record.venture_id,
    transfer_id: id,
    id: uuidv7(),
    from_status: null,
    to_status: 'COMPLETED',
    actor: theService.kind,
    actor_id: theService.id,
    reason: null,
    reason_code: null,
    third_party_status: null,
    created_at: now,
    forced: false,
    debt_change: effect(record),
  })
  batch.emit('transfer.created', { ...record, sequence: 1 }, theService)
  batch.emit('transfer.completed', record, theService)
  return record
}

function swapSides(transfer: TransferRow) {
  return {
    cr_name: transfer.dr_name,
    cr_iban: transfer.dr_iban,
    cr_bank_bic: transfer.dr_bank_bic,
    cr_account_id: transfer.dr_account_id,
    cr_address: transfer.dr_address,
    cr_bank_name: transfer.dr_bank_name,
    cr_city: transfer.dr_city,
    cr_country_code: transfer.dr_country_code,
    cr_postal_code: transfer.dr_postal_code,
    dr_name: transfer.cr_name,
    dr_iban: transfer.cr_iban,
    dr_bank_bic: transfer.cr_bank_bic,
    dr_account_id: transfer.cr_account_id,
    dr_address: transfer.cr_address,
    dr_bank_name: transfer.cr_bank_name,
    dr_city: transfer.cr_city,
    dr_country_code: transfer.cr_country_code,
    dr_postal_code: transfer.cr_postal_code,
  }
}

/** Amount and fee: what a debit takes from the account. */
export function costOf(transfer: TransferRow): Money {
  return fromNumeric(transfer.debit_amount) + feeOf(transfer)
}

function flow({ direction, method, transfer_type }: TransferRow) {
  return flowOf(direction, method, transfer_type)
}

function smaller(a: Money, b: Money): Money {
  return a < b ? a : b
}
