// Decides commands over the rows of a batch, in plain synchronous code. Each command is either applied to the batch or refused.
import { requireSequence } from '../../audit/audit.ts'
import { isBanksSide, isVentures, theService } from '../../platform/actor.ts'
import { shown } from '../../platform/http/shown.ts'
import type { Policy } from '../../policies/policies.ts'
import { todayUtc } from '../../values/calendar.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { requireUnreserved } from '../../ventures/ventures.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { detailsOfOrder } from '../life/transfers.details.ts'
import { movingPart, walkTo } from '../life/transfers.guards.ts'
import { candidates, methods, recorderOf } from '../life/transfers.methods.ts'
import { Transfer, type TransferOrder } from '../life/transfers.schemas.ts'
import { screeningSteps } from '../life/transfers.sets.ts'
import { type TransferDirection, type TransferStatus, typeGroups, waitingStatus } from '../life/transfers.status.ts'
import type { Batch, BatchAccount, BatchClient } from './transfers.batch.ts'
import { requireActive, requireUnblocked } from './transfers.checks.ts'
import type { Authority, Command, CreateCommand, PayoutCommand } from './transfers.commands.ts'
import { type BankIdentity, derive, directionOf, newTransfer, typeOf } from './transfers.derive.ts'
import { countAgainstLimits, countedWhen } from './transfers.limits.ts'
import { collects, mandateFor } from './transfers.mandates.ts'
import { recordPayout } from './transfers.money.ts'
import { moveOf, takeSteps } from './transfers.moves.ts'
import { isReclaiming, parentOf, requireParentCovers } from './transfers.parents.ts'
import { checkPayee } from './transfers.payees.ts'
import { needsSignature } from './transfers.signing.ts'
import { circumstancesOf, paysFromSuspense } from './transfers.standing.ts'
import { orderSubject } from './transfers.subjects.ts'
import { decideUpdate } from './transfers.update.ts'

export function decide(batch: Batch, bank: BankIdentity, command: Command): Transfer {
  switch (command.kind) {
    case 'create':
      return decideCreate(batch, bank, command)
    case 'update':
      return decideUpdate(batch, command)
    case 'payout':
      return decidePayout(batch, bank, command)
  }
}

/**
 * No order can combine this method and type, so the transfer is not derived from an order. A payout may arrive for any client; frozen money
 * is not taken back.
 */
function decidePayout(batch: Batch, bank: BankIdentity, command: PayoutCommand): Transfer {
  const { venture_id, account_id, direction, amount, purpose, now } = command
  const account = batch.account(venture_id, account_id) ?? refuse('account_not_found')
  requireActive(account)
  const client = batch.client(venture_id, account.client_id) ?? refuse('client_not_found')
  if (direction === 'OUTBOUND') requireUnblocked(client, 'The client', 'cannot send money')
  const { currency } = account
  const [debit_amount, credit_amount] = [formatMoney(amount, currency), formatMoney(amount, currency)]
  const template = newTransfer(
    { unique_reference: '', direction, transfer_type: 'PAYMENT', purpose },
    { account, client, bank, beneficiary: undefined, receiver: undefined, parent: undefined, quotes: batch.quotes, rails: batch.rails },
    { id: '', now, today: todayUtc(now), ordered_by_bank: false },
    {
      quoted: false,
      method: recorderOf('PAYMENT'),
      amounts: {
        debit_amount,
        debit_currency: currency,
        credit_amount,
        credit_currency: currency,
        exchange_rate: null,
        fx_fee_amount: null,
      },
    },
  )
  return shown(Transfer, recordPayout(batch, account, template))
}

/** Creates a transfer in status CREATED. Without further steps, no money is held or moved yet. */
function decideCreate(batch: Batch, bank: BankIdentity, command: CreateCommand): Transfer {
  const { venture_id, id, order, now, forced = false, on_us: _, door, steps: given, reason = {}, account_sequence, ...by } = command
  const account = batch.account(venture_id, order.account_id) ?? refuse('account_not_found')
  if (account_sequence !== undefined) requireSequence(batch.wholeAccount(account), account_sequence)
  if (account.managed) requireUnreservedOrder(batch, account, { order, by, today: todayUtc(now) })
  else if (order.details != null) refuseField('details', 'is not a field of this request')
  requireFreeReference(batch, venture_id, order.unique_reference, id)
  const direction = directionOf(order, account)
  const child = {
    account_id: account.id,
    direction,
    transfer_type: typeOf(order),
    parent_transaction_id: order.parent_transaction_id ?? null,
  }
  const exempt = isExempt(command, account, child)
  // Money in suspense is not the client's, and it must be able to leave an account that an older version closed.
  const paysSuspense = paysFromSuspense(batch, venture_id, child)
  const isClosed = account.status === 'CLOSED' && !paysSuspense
  requireUsable(account, { isClosed, exempt, door })
  const client = batch.client(venture_id, account.client_id) ?? refuse('client_not_found')
  requireAllowedClient(client, { direction, paysSuspense, exempt, door })
  const parent = parentOf(batch, venture_id, child)
  const beneficiary = beneficiaryOf(batch, account, order.beneficiary_id)
  if (beneficiary === undefined && needsBeneficiary({ direction, exempt, door })) refuse('beneficiary_required')
  const mandate = mandateFor(batch, account, order, { ...child, method: order.method ?? undefined })
  const receiver = beneficiary?.receiver_account_id ? batch.account(venture_id, beneficiary.receiver_account_id) : undefined

  const { quotes, rails } = batch
  const moment = momentOf(command, account, { direction, exempt })
  const transfer = derive(order, { account, client, bank, beneficiary, receiver, parent, mandate, quotes, rails }, moment)
  const paid = transfer.receiver_account_id === null ? undefined : batch.client(venture_id, receiver?.client_id ?? '')
  if (paid !== undefined && !exempt) requireUnblocked(paid, 'The client of the receiving account', 'cannot receive an internal transfer')
  if (parent !== undefined) requireParentCovers(batch, transfer, parent, exempt ? 'firm' : 'all')
  if (isClosed) requireActive(account)
  // Why is not said: it could tell the client of a hit.
  if (methods[transfer.method].instant && !batch.mayPayInstantly(account.id)) refuse('instant_not_possible')
  addCreated(batch, account, transfer, command)
  const steps = given ?? (isAgreedBooking(command, transfer) ? 'to completion' : undefined)
  if (door !== undefined || steps !== undefined) {
    const with_case = door === 'inbound'
    takeSteps(batch, { transfer, by, update: reason, now, forced, with_case }, stepsOf(batch, { ...command, steps }, transfer))
  }
  return shown(Transfer, transfer)
}

/** A booking on which people of the bank have agreed, such as a fee: they agree once, so it is booked at once, or refused. */
function isAgreedBooking({ actor, approved = false, order, now }: CreateCommand, { managed, transfer_type }: TransferRow): boolean {
  const isDue = order.settlement_date == null || order.settlement_date <= todayUtc(now)
  return actor.kind === 'operator' && approved && managed && typeGroups[transfer_type] === 'booking' && isDue
}

type OfCreate = { exempt: boolean; door: CreateCommand['door'] }

function requireUsable(account: BatchAccount, { isClosed, exempt, door }: OfCreate & { isClosed: boolean }): void {
  // A suspended account stays suspended: the house waits for the client's debt.
  const isOpen = account.status !== 'CLOSED' && exempt && door !== 'collection'
  // A fact is checked on a closed account too, because the house books it instead.
  if (!isOpen && (account.status !== 'CLOSED' || (isClosed && !exempt))) requireActive(account)
}

function needsBeneficiary({ direction, exempt, door }: OfCreate & { direction: TransferDirection }): boolean {
  return direction === 'OUTBOUND' && door !== 'debit' && (!exempt || door === 'payout')
}

function requireAllowedClient(
  client: BatchClient,
  { direction, paysSuspense, exempt, door }: OfCreate & { direction: TransferDirection; paysSuspense: boolean },
): void {
  // Money frozen for sanctions stays.
  if ((door === 'payout' || door === 'collection') && client.is_blacklisted) refuse('client_sanctioned')
  if (direction === 'OUTBOUND' && !paysSuspense && !exempt) requireUnblocked(client, 'The client', 'cannot send money')
}

/** The time and the authority of a new transfer. */
function momentOf(command: CreateCommand, account: BatchAccount, { direction, exempt }: { direction: TransferDirection; exempt: boolean }) {
  const { id, now, door, forced = false, on_us = false, actor, approval_id = null, order } = command
  const today = todayUtc(now)
  const ordered_by_bank = !isVentures(actor)
  return {
    id,
    now,
    today,
    ordered_by_bank,
    ordered_by: actor.id,
    exempt,
    arrived: door === 'inbound' || door === 'apply',
    ordered: door === undefined && !forced && !exempt && actor.kind !== 'connector' && actor.kind !== 'service',
    // What the scheme has taken has left the bank.
    on_us: direction === 'INBOUND' ? on_us : forced ? false : undefined,
    agreed: isBankOrder(command, account, direction) ? { approval_id } : undefined,
    details: command.details ?? (order.details == null ? undefined : detailsOfOrder(order.details)),
  }
}

/** Adds a new transfer to the batch: counts it, checks its payee, and requests a signature if the policy of its venture requires one. */
function addCreated(batch: Batch, account: BatchAccount, transfer: TransferRow, { order, now, actor, witness }: CreateCommand): void {
  if (countedWhen(transfer) === 'created' && !transfer.exempt) {
    batch.touchAccount(account)
    countAgainstLimits(account, transfer, fromNumeric(transfer.debit_amount), todayUtc(now))
  }
  const agreed = transfer.managed ? batch.policy(transfer.venture_id) : undefined
  const needs_signature = agreed !== undefined && needsSignature(transfer, agreed)
  const policy = isVentures(actor) ? agreed : undefined
  const checked = policy === undefined ? {} : checkPayee(batch, transfer, { order, policy, now })
  witness?.(orderSubject(transfer, order))
  batch.add(Object.assign(transfer, checked))
  batch.recordMove(moveOf(transfer, { from: null, actor, update: checked, now: transfer.created_at }))
  batch.emit('transfer.created', transfer, actor)
  if (policy !== undefined && needs_signature) requestSignature(batch, transfer, { policy, now })
}

/** Whether the bank's people order a payment. It needs no signature: with four-eyes approval, two of them have agreed on it. */
function isBankOrder({ actor, forced }: CreateCommand, { managed }: BatchAccount, direction: TransferDirection): boolean {
  return actor.kind === 'operator' && managed && direction === 'OUTBOUND' && forced !== true
}

/** The order waits for its signature from its creation, so it cannot move without one. */
function requestSignature(batch: Batch, transfer: TransferRow, { policy, now }: { policy: Policy; now: Date }): void {
  const { sign_above, version } = policy
  const status_reason = `An order above ${sign_above} ${transfer.debit_currency} needs a signature (policy version ${version}).`
  takeSteps(batch, { transfer, by: { actor: theService }, update: { status_reason }, now, forced: false, with_case: false }, ['TO_SIGN'])
}

/** Refuses an order that is reserved to the bank before any other check. */
function requireUnreservedOrder(
  batch: Batch,
  account: BatchAccount,
  { order, by, today }: { order: TransferOrder; by: Authority; today: string },
): void {
  const { venture_id, client_id, currency } = account
  const named = batch.beneficiary(venture_id, order.beneficiary_id ?? '')
  const beneficiary = named?.client_id === client_id ? named : undefined
  const receiver = batch.account(venture_id, beneficiary?.receiver_account_id ?? '')
  const parent = batch.transfer(venture_id, order.parent_transaction_id ?? '')
  const direction = directionOf(order, account)
  const method = order.method ?? (order.mandate_id != null && direction === 'INBOUND' ? candidates.mandate[0] : undefined)
  const foreign = direction === 'OUTBOUND' ? (order.credit_currency ?? receiver?.currency) : order.debit_currency
  requireUnreserved(
    'createTransfer',
    {
      direction,
      transfer_type: typeOf(order),
      method: method === undefined ? undefined : { ventureOrders: methods[method].ventureOrders, collects: collects(method) },
      names_mandate: order.mandate_id != null,
      parent: parent === undefined ? undefined : { ...parent, refund_days: methods[parent.method].refund_days },
      beneficiary_name: beneficiary?.name,
      two_currencies: (foreign ?? currency) !== currency,
      today,
      order,
    },
    by,
    // A transfer that does not exist yet has no changes.
    0,
  )
}

/** Whether a command books a fact, which a blocked client, a suspended account and limits cannot stop. */
function isExempt(
  command: CreateCommand,
  { managed }: BatchAccount,
  { transfer_type, parent_transaction_id }: Pick<TransferRow, 'transfer_type' | 'parent_transaction_id'>,
): boolean {
  const isFact = command.forced === true || command.door !== undefined
  if (!isBanksSide(command) || !managed) return isFact ? refuseFact(command) : false
  const isChild = parent_transaction_id !== null && (isReclaiming(transfer_type) || transfer_type === 'CARD_CLEARING')
  // Unapplied money is credited only to an account that could receive it now. A direct debit has not happened yet.
  return isChild || (isFact && command.door !== 'apply' && command.door !== 'debit')
}

/** The venture was MANAGED when the caller looked, but may have become OPEN since. */
function refuseFact(by: Authority): never {
  if (!isBanksSide(by)) throw new Error("only the bank's side books facts")
  refuse('venture_not_managed')
}

/** Money waits for a decision if its account is not active, or if a statement or the clearing system has to say first that it is there. */
function stepsOf(
  batch: Batch,
  { door, steps = [], awaits_statement = false, instant }: CreateCommand,
  transfer: TransferRow,
): readonly TransferStatus[] {
  if (steps === 'to completion') return walkTo(movingPart(transfer), 'COMPLETED', circumstancesOf(batch, transfer)) ?? ['COMPLETED']
  if (door !== 'inbound') return steps
  const isActive = batch.account(transfer.venture_id, transfer.account_id)?.status === 'ACTIVE'
  if (instant === 'awaited') return ['RECEIVED', ...screeningSteps, 'ACCEPTED']
  if (instant === 'final') return ['RECEIVED', ...screeningSteps, isActive ? 'COMPLETED' : waitingStatus]
  return isActive && !awaits_statement ? ['RECEIVED'] : ['RECEIVED', waitingStatus]
}

function requireFreeReference(batch: Batch, venture_id: string, unique_reference: string, id: string): void {
  const claim = batch.claimOf(unique_reference)
  if (claim === undefined || claim.transfer_id === id) return
  if (claim.venture_id !== venture_id) {
    refuse('unique_reference_used', { detail: 'Another transfer has this unique_reference. Use another unique_reference.' })
  }
  const existing_transfer_id = claim.transfer_id
  refuse('unique_reference_used', {
    detail: `The transfer ${existing_transfer_id} has this unique_reference. Use another unique_reference for another transfer.`,
    existing_transfer_id,
  })
}

function beneficiaryOf(batch: Batch, account: BatchAccount, id: string | null | undefined) {
  if (id == null) return undefined
  const beneficiary = batch.beneficiary(account.venture_id, id)
  if (beneficiary === undefined) refuse('beneficiary_invalid', { detail: 'The venture has no beneficiary with this id.' })
  if (beneficiary.client_id !== account.client_id) {
    refuse('beneficiary_invalid', { detail: 'The beneficiary belongs to another client. Create one for the client of the account.' })
  }
  return beneficiary
}
