// Decides commands over the rows of a batch, in plain synchronous code. Each command is either applied to the batch or refused.
import { decidingSequence, requireSequence } from '../../audit/audit.ts'
import type { EventType } from '../../events/events.ts'
import { type Actor, type By, isBanksSide, isVentures, theService } from '../../platform/actor.ts'
import { shown } from '../../platform/http/shown.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Policy } from '../../policies/policies.ts'
import { todayUtc } from '../../values/calendar.ts'
import { formatMoney, fromNumeric, type Money } from '../../values/money.ts'
import { catalogue, either, Refusal, type RefusalCode, refuse, refuseField } from '../../values/refusals.ts'
import { requireUnreserved, reservationOf } from '../../ventures/ventures.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import {
  type Block,
  blockOf,
  type Circumstances,
  goesBack,
  movesOf,
  movingPart,
  nextOf,
  standingAfter,
  walkTo,
} from '../life/transfers.guards.ts'
import { directDebits, methods, recorderOf } from '../life/transfers.methods.ts'
import { Transfer, type TransferOrder, type TransferUpdate } from '../life/transfers.schemas.ts'
import { isTerminal, statusList, type TransferDirection, type TransferStatus, typeGroups, waitingStatus } from '../life/transfers.status.ts'
import type { Batch, BatchAccount, BatchClient } from './transfers.batch.ts'
import { type BankIdentity, derive, directionOf, newTransfer, typeOf } from './transfers.derive.ts'
import { countAgainstLimits, countedWhen } from './transfers.limits.ts'
import { collects, mandateFor } from './transfers.mandates.ts'
import { costOf, isHoldUsed, moveMoney, nextToCompletion, recordDebt, recordPayout } from './transfers.money.ts'
import {
  hasComeIn,
  isAuthorisation,
  isReclaiming,
  isReturned,
  mirroredBy,
  parentOf,
  requireParentCovers,
  takesBack,
  takesFromSuspense,
} from './transfers.parents.ts'
import { checkPayee } from './transfers.payees.ts'
import { needsSignature, requireSameHash, requireSigner, signedHashOf } from './transfers.signing.ts'
import { moveSubject, orderSubject } from './transfers.subjects.ts'

type Authority = Pick<By, 'actor' | 'approved' | 'approval_id' | 'sequence' | 'witness'>

/**
 * What the bank's side may say about a command. `forced`: it books what the scheme has already done, so it asks for no funds and may take
 * the account into debt.
 */
type Marks = { forced?: boolean | undefined }

/**
 * `on_us`: money that arrives comes from an account in this bank. `awaits_statement`: it is not credited before a statement shows it, unless two people
 * decide so.
 */
type Arrival = { on_us?: boolean | undefined; awaits_statement?: boolean | undefined }

export type MoveReason = Pick<TransferUpdate, 'status_reason' | 'status_reason_code'>

export type CreateCommand = Authority &
  Marks &
  Arrival & {
    kind: 'create'
    venture_id: string
    id: string
    order: TransferOrder
    now: Date
    /**
     * inbound: money that another bank has sent, which is received at once. apply: such money, which the house kept and an account now gets.
     * payout: a blocked client's balance goes to the client. collection: a client pays what the house has paid for it. debit: another bank
     * collects a direct debit.
     */
    door?: 'inbound' | 'apply' | 'payout' | 'collection' | 'debit' | undefined
    /** Moves in the same command: these, or those that lead to COMPLETED. A refusal of one of them undoes the whole command. */
    steps?: readonly TransferStatus[] | 'to completion' | undefined
    /** Why those moves are made. If money comes back, its parent has the same reason. */
    reason?: MoveReason | undefined
    /** The sequence that the account had when an approval was requested: it must not have changed since. */
    account_sequence?: number | undefined
  }
export type UpdateCommand = Authority &
  Marks & {
    kind: 'update'
    venture_id: string
    transfer_id: string
    update: TransferUpdate
    now: Date
    /** Moves after that of the update, in the same command. */
    steps?: readonly TransferStatus[] | undefined
    /** Whether the case of the transfer is decided together with the command. */
    with_case?: boolean | undefined
    /** The bank has found something about the transfer: whoever decides has to look again, and the venture sees no change. Without a status. */
    finding?: boolean | undefined
  }
/**
 * Card money that is paid out to an account of the venture (INBOUND), or taken back from it (OUTBOUND), recorded by the service. `amount` is in the
 * currency of the account.
 */
export type PayoutCommand = {
  kind: 'payout'
  venture_id: string
  account_id: string
  direction: TransferDirection
  amount: Money
  purpose: string
  now: Date
}

/** Whether a command may be refused because of an open case: people decide by the case, and the service leaves the transfer alone. */
export function asksForCase(command: Command): command is UpdateCommand {
  return command.kind === 'update' && command.actor.kind === 'operator' && command.with_case !== true && command.update.status !== undefined
}

/** What can be ordered. The rest the service does by itself. */
export type OrderedCommand = CreateCommand | UpdateCommand
export type Command = OrderedCommand | PayoutCommand

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
 * No order can have this method with this type, so the transfer is not derived from one. Money that arrives is taken for any client; what is
 * frozen is not taken back.
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
    { account, client, bank, beneficiary: undefined, receiver: undefined, parent: undefined, quotes: batch.quotes },
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
  const { venture_id, id, order, now, forced = false, on_us: _, door, steps, reason = {}, account_sequence, ...by } = command
  const account = batch.account(venture_id, order.account_id) ?? refuse('account_not_found')
  if (account_sequence !== undefined) requireSequence(batch.wholeAccount(account), account_sequence)
  if (account.managed) requireUnreservedOrder(batch, account, { order, by, today: todayUtc(now) })
  requireFreeReference(batch, venture_id, order.unique_reference, id)
  const direction = directionOf(order, account)
  const child = {
    account_id: account.id,
    direction,
    transfer_type: typeOf(order),
    parent_transaction_id: order.parent_transaction_id ?? null,
  }
  const exempt = isExempt(command, account, child)
  // Money in suspense is not the client's, and an account that an older version closed must not lock it in.
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

  const { quotes } = batch
  const moment = momentOf(command, account, { direction, exempt })
  const transfer = derive(order, { account, client, bank, beneficiary, receiver, parent, mandate, quotes }, moment)
  const paid = transfer.receiver_account_id === null ? undefined : batch.client(venture_id, receiver?.client_id ?? '')
  if (paid !== undefined && !exempt) requireUnblocked(paid, 'The client of the receiving account', 'cannot receive an internal transfer')
  if (parent !== undefined) requireParentCovers(batch, transfer, parent, exempt ? 'firm' : 'all')
  if (isClosed) requireActive(account)
  addCreated(batch, account, transfer, command)
  if (door !== undefined || steps !== undefined) {
    const with_case = door === 'inbound'
    takeSteps(batch, { transfer, by, update: reason, now, forced, with_case }, stepsOf(batch, command, transfer))
  }
  return shown(Transfer, transfer)
}

type OfCreate = { exempt: boolean; door: CreateCommand['door'] }

function requireUsable(account: BatchAccount, { isClosed, exempt, door }: OfCreate & { isClosed: boolean }): void {
  // A frozen account stays as it is: the house waits for what its client owes.
  const isOpen = account.status !== 'CLOSED' && exempt && door !== 'collection'
  // What has happened is checked on a closed account too, because the house books it instead.
  if (!isOpen && (account.status !== 'CLOSED' || (isClosed && !exempt))) requireActive(account)
}

function needsBeneficiary({ direction, exempt, door }: OfCreate & { direction: TransferDirection }): boolean {
  return direction === 'OUTBOUND' && door !== 'debit' && (!exempt || door === 'payout')
}

function requireAllowedClient(
  client: BatchClient,
  { direction, paysSuspense, exempt, door }: OfCreate & { direction: TransferDirection; paysSuspense: boolean },
): void {
  // What was frozen for sanctions stays.
  if ((door === 'payout' || door === 'collection') && client.is_blacklisted) refuse('client_sanctioned')
  if (direction === 'OUTBOUND' && !paysSuspense && !exempt) requireUnblocked(client, 'The client', 'cannot send money')
}

/** When and on whose authority a transfer is created. */
function momentOf(command: CreateCommand, account: BatchAccount, { direction, exempt }: { direction: TransferDirection; exempt: boolean }) {
  const { id, now, door, forced = false, on_us = false, actor, approval_id = null } = command
  const today = todayUtc(now)
  const ordered_by_bank = !isVentures(actor)
  return {
    ...{ id, now, today, ordered_by_bank, ordered_by: actor.id, exempt, arrived: door === 'inbound' || door === 'apply' },
    // What the scheme has taken has left the bank.
    on_us: direction === 'INBOUND' ? on_us : forced ? false : undefined,
    agreed: isBankOrder(command, account, direction) ? { approval_id } : undefined,
  }
}

/** Adds a new transfer to the batch: it is counted, its payee is checked and its signature requested as the policy of its venture says. */
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

/** Whether people of the bank order a payment. It is not signed: two of them have agreed on it, where four eyes are on. */
function isBankOrder({ actor, forced }: CreateCommand, { managed }: BatchAccount, direction: TransferDirection): boolean {
  return actor.kind === 'operator' && managed && direction === 'OUTBOUND' && forced !== true
}

/** The order waits for its signature from the beginning, so that nobody can take it further without one. */
function requestSignature(batch: Batch, transfer: TransferRow, { policy, now }: { policy: Policy; now: Date }): void {
  const { sign_above, version } = policy
  const status_reason = `An order above ${sign_above} ${transfer.debit_currency} needs a signature (policy version ${version}).`
  takeSteps(batch, { transfer, by: { actor: theService }, update: { status_reason }, now, forced: false, with_case: false }, ['TO_SIGN'])
}

/** Refuses an order that is reserved to the bank, whatever else is wrong with it. */
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
  const method = order.method ?? (order.mandate_id != null && direction === 'INBOUND' ? directDebits : undefined)
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
    // A transfer that does not exist yet has not been changed by anybody.
    0,
  )
}

/** Whether a command books what has already happened, which neither a block of the client nor a suspended account nor limits can stop. */
function isExempt(
  command: CreateCommand,
  { managed }: BatchAccount,
  { transfer_type, parent_transaction_id }: Pick<TransferRow, 'transfer_type' | 'parent_transaction_id'>,
): boolean {
  const isFact = command.forced === true || command.door !== undefined
  if (!isBanksSide(command) || !managed) return isFact ? refuseFact(command) : false
  const isChild = parent_transaction_id !== null && (isReclaiming(transfer_type) || transfer_type === 'CARD_CLEARING')
  // What the house kept is applied to an account only if the account could receive it now. A direct debit has not happened yet.
  return isChild || (isFact && command.door !== 'apply' && command.door !== 'debit')
}

/** The venture was MANAGED when the caller looked, but may have become OPEN since. */
function refuseFact(by: Authority): never {
  if (!isBanksSide(by)) throw new Error("only the bank's side books what has happened")
  refuse('venture_not_managed')
}

/** Why money waits that no statement has shown. */
export const statementAwaited = {
  status_reason: 'The money waits for a statement that shows it.',
  status_reason_code: 'awaits_statement',
} as const

/** Money that arrives for an account which is not active waits for a decision, and so does what a statement has to show first. */
function stepsOf(
  batch: Batch,
  { door, steps = [], awaits_statement = false }: CreateCommand,
  transfer: TransferRow,
): readonly TransferStatus[] {
  if (steps === 'to completion') return walkTo(movingPart(transfer), 'COMPLETED', circumstancesOf(batch, transfer)) ?? ['COMPLETED']
  if (door !== 'inbound') return steps
  const account = batch.account(transfer.venture_id, transfer.account_id)
  return account?.status === 'ACTIVE' && !awaits_statement ? ['RECEIVED'] : ['RECEIVED', waitingStatus]
}

/** Whether a transfer pays out frozen money of its parent, so that nothing is taken from the account. */
function paysFromSuspense(
  batch: Batch,
  venture_id: string,
  child: Pick<TransferRow, 'direction' | 'transfer_type' | 'parent_transaction_id'>,
): boolean {
  const { direction, parent_transaction_id } = child
  return direction === 'OUTBOUND' && takesFromSuspense(child, batch.transfer(venture_id, parent_transaction_id ?? ''))
}

/** Why a client may neither send money nor receive an internal transfer; undefined if the client may. */
function blockOfClient({ blocked, is_blacklisted, kyc_status }: BatchClient): string | undefined {
  if (blocked) return 'blocked'
  if (is_blacklisted) return 'blacklisted'
  return kyc_status === 'DECLINED' ? 'DECLINED by its verification' : undefined
}

/** Why a client stops a transfer. Nothing stops what has already happened; sanctions alone stop a pay-out, because it has not. */
function blockFor(transfer: TransferRow, client: BatchClient): string | undefined {
  if (!transfer.exempt) return blockOfClient(client)
  return isClientPayout(transfer) && client.is_blacklisted ? 'blacklisted' : undefined
}

/** Whether a transfer pays the balance of a suspended account out to its client. */
function isClientPayout({ exempt, direction, transfer_type, beneficiary_id }: TransferRow): boolean {
  return exempt && direction === 'OUTBOUND' && transfer_type === 'PAYMENT' && beneficiary_id !== null
}

function requireUnblocked(client: BatchClient, who: string, consequence: string): void {
  const block = blockOfClient(client)
  if (block !== undefined) refuse('client_blocked', { detail: `${who} is ${block} and ${consequence}.` })
}

function requireActive({ status: current_status }: BatchAccount): void {
  if (current_status === 'ACTIVE') return
  const remedy = current_status === 'CLOSED' ? 'Use another account.' : 'Activate it first.'
  refuse('account_not_active', { detail: `The account is ${current_status}, not ACTIVE. ${remedy}`, current_status })
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

/** Moves a transfer to another status, or only updates its other fields. */
function decideUpdate(batch: Batch, command: UpdateCommand): Transfer {
  const { venture_id, transfer_id, update, now, forced = false, steps = [], with_case = false, finding = false, ...by } = command
  const transfer = batch.transfer(venture_id, transfer_id) ?? refuse('transfer_not_found')
  const { status, ...fields } = update
  requireSequence(transfer, by.sequence)
  // Nobody is asked for an approval that would fail. To ventures the move is reserved in any case.
  if (status !== undefined && !with_case && !isVentures(by.actor)) requireNoCase(batch, transfer, status)
  if (status !== undefined && [status, ...steps].some((to) => isLeftToRails(transfer, to, by.actor))) refuse('sent_by_rails')
  if (status !== undefined) requireOwnSignature(transfer, status, by.actor)
  if (transfer.managed) requireUnreserved('updateTransfer', subjectOf(batch, transfer, update), by, decidingSequence(transfer))
  requirePastSignature(fields, now)
  requireSameHash(transfer, update)
  by.witness?.(moveSubject(transfer, update))
  if (finding) recordFinding(batch, transfer)
  if (status === undefined) return annotate(batch, transfer, fields, { actor: by.actor, now: now.toISOString() })
  if (forced && !(isBanksSide(by) && transfer.managed)) throw new Error("only the bank's side forces, and only in managed ventures")
  if (status === 'ON_HOLD' && isHeldByVenture(transfer) && !isVentures(by.actor))
    takeOverHold(batch, transfer, update, { actor: by.actor, now })
  else takeSteps(batch, { transfer, by, update, now, forced, with_case }, [status, ...steps])
  return shown(Transfer, transfer)
}

/**
 * Money that arrived by IBAN gets into CREDIT_TECH_BALANCE and out of it together with its case, so that no case is open about money that does
 * not wait, and no money waits without a case.
 */
export function needsCase(transfer: TransferRow, to: TransferStatus): boolean {
  const { direction, exempt, parent_transaction_id, status } = transfer
  const arrived = direction === 'INBOUND' && exempt && parent_transaction_id === null
  return arrived && !isTerminal(status) && (to === waitingStatus) !== (status === waitingStatus)
}

/** Until its case is decided, people of the bank can only stop a transfer under review, and let it go back to its review. Waiting money stays. */
const stillUnderReview: readonly TransferStatus[] = ['ON_HOLD', 'REVIEW']

/** Whether a move of a transfer that has an open case needs the decision of the case. */
export function isDecidedByCase({ status }: Pick<TransferRow, 'status'>, to: TransferStatus): boolean {
  return status === waitingStatus || !stillUnderReview.includes(to)
}

function requireNoCase(batch: Batch, transfer: TransferRow, to: TransferStatus): void {
  if (needsCase(transfer, to) || (batch.isUndecided(transfer) && isDecidedByCase(transfer, to)))
    refuse('decided_by_case', { current_status: transfer.status })
}

/** Money that waits for an account is credited once the account has been activated, because then its client has been verified. */
function requireActivated(batch: Batch, { venture_id, account_id, status }: TransferRow, to: TransferStatus): void {
  if (status !== waitingStatus || to === 'TO_RETURN') return
  const account = batch.account(venture_id, account_id)
  if (account?.status === 'PENDING') requireActive(account)
}

const isHeldByVenture = ({ managed, status, on_hold_by_bank }: TransferRow): boolean => managed && status === 'ON_HOLD' && !on_hold_by_bank

/** The bank holds what the venture holds already: from then on only the bank lets it go on. The status stays, so this is no move. */
function takeOverHold(
  batch: Batch,
  transfer: TransferRow,
  { status: _, signed_hash: _hash, ...fields }: TransferUpdate,
  { actor, now }: { actor: Actor; now: Date },
) {
  batch.touchTransfer(transfer)
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  Object.assign(transfer, changes, { on_hold_by_bank: true, updated_at: now.toISOString(), sequence: transfer.sequence + 1 })
  batch.emit('transfer.updated', transfer, actor)
}

type Steps = { transfer: TransferRow; by: Authority; update: TransferUpdate; now: Date; forced: boolean; with_case: boolean }

/** Makes moves one after the other, which are one change with one event. A rate that has expired ends the transfer instead. */
function takeSteps(batch: Batch, { transfer, by, update, now, forced, with_case }: Steps, steps: readonly TransferStatus[]): void {
  const changed_from = transfer.status
  for (const [index, to] of steps.entries()) {
    // The first move of an update has been checked together with its fields.
    if (transfer.managed && to !== update.status)
      requireUnreserved('updateTransfer', subjectOf(batch, transfer, { ...update, status: to }), by, decidingSequence(transfer))
    if (!with_case) requireNoCase(batch, transfer, to)
    requireOwnSignature(transfer, to, by.actor)
    requireActivated(batch, transfer, to)
    requireMove(batch, transfer, to, update)
    if (to === 'SIGNED' && transfer.managed && !goesBack(transfer, to)) requireAllowedSigner(batch, transfer, by.actor)
    requireExchange(transfer, to, by.actor)
    requireProcessing(batch, transfer, to)
    requireStillCovered(batch, transfer, to)
    if (isRateExpired(transfer, to, now)) {
      expireRate(batch, transfer, changed_from, now.toISOString())
      return
    }
    const isLast = index === steps.length - 1
    move(batch, { transfer, to, actor: by.actor, update, now: now.toISOString(), forced, ...(isLast && { changed_from }) })
  }
}

/** What the client's side has ordered, the client's side signs: nobody at the bank does it instead, not even two together. A hold may end there. */
function isTheirSignature(transfer: TransferRow, to: TransferStatus, actor: Actor): boolean {
  return transfer.managed && to === 'SIGNED' && actor.kind === 'operator' && !goesBack(transfer, to)
}

function requireOwnSignature(transfer: TransferRow, to: TransferStatus, actor: Actor): void {
  if (isTheirSignature(transfer, to, actor) && !isTerminal(transfer.status)) refuse('not_yours_to_sign')
}

function requireAllowedSigner(batch: Batch, transfer: TransferRow, actor: Actor): void {
  const policy = batch.policy(transfer.venture_id)
  if (policy === undefined) throw new Error(`the policy of the venture ${transfer.venture_id} is not in the batch`)
  requireSigner(transfer, policy, actor)
}

/** What the table of what is reserved looks at. A move that the table of moves refuses anyway is no move. */
function subjectOf(batch: Batch, transfer: TransferRow, update: TransferUpdate) {
  const { status: from, on_hold_from, on_hold_by_bank, ordered_by_bank, sent } = transfer
  const frozen = isStoppedByBank(batch, transfer)
  const to = update.status
  const isMove = to !== undefined && to !== from && !isTerminal(from)
  return { move: isMove ? { from, to, on_hold_from, on_hold_by_bank, sent, frozen } : undefined, ordered_by_bank, update }
}

/** Whether the bank has stopped the money of a transfer: by a mark on the account or on its client. What was sent is beyond that. */
function isStoppedByBank(batch: Batch, transfer: TransferRow): boolean {
  const { venture_id, account_id, direction, sent, exempt } = transfer
  if (direction === 'INBOUND' || sent) return false
  const account = batch.account(venture_id, account_id)
  const client = batch.client(venture_id, account?.client_id ?? '')
  if (exempt) return client !== undefined && blockFor(transfer, client) !== undefined
  return account?.frozen_by_bank === true || client?.stopped_by_bank === true
}

/** The code with which a possible move of a transfer is refused to somebody, because it is reserved or needs the decision of a case. */
export function reservedMove(batch: Batch, transfer: TransferRow, status: TransferStatus, by: Authority): RefusalCode | undefined {
  if (!isVentures(by.actor) && needsCase(transfer, status)) return 'decided_by_case'
  if (isLeftToRails(transfer, status, by.actor)) return 'sent_by_rails'
  if (isTheirSignature(transfer, status, by.actor)) return 'not_yours_to_sign'
  return transfer.managed ? reservationOf('updateTransfer', subjectOf(batch, transfer, { status }), by)?.code : undefined
}

/**
 * A payment that rails carry is committed as sent together with its place in a message. If people said so, it would be in no message, and would wait
 * for an answer that never comes.
 */
function isLeftToRails({ managed, on_us, method, sent }: TransferRow, to: TransferStatus, actor: Actor): boolean {
  const { packed, instant } = methods[method]
  return to === 'SENT_TO_CLEAR' && managed && !on_us && !sent && (packed || instant) && actor.kind === 'operator'
}

/**
 * Once a payment between two accounts of the bank is sent, its other half may be booked at any moment. Only the exchange knows, so nobody else
 * says that it was settled or not.
 */
function requireExchange({ on_us, direction, sent }: TransferRow, to: TransferStatus, actor: Actor): void {
  if (on_us && direction === 'OUTBOUND' && sent && (isTerminal(to) || to === 'TO_RESEND') && actor.kind !== 'connector')
    refuse('settled_on_us')
}

const processing: ReadonlySet<TransferStatus> = new Set([
  ...statusList('TO_SIGN SIGNED TO_RESERVE RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED'),
  ...statusList('READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED'),
])

/**
 * The bank does not process what a disabled venture has ordered, and does not credit what arrives for it. What was sent settles or comes back,
 * what was packed can be unpacked, and the bank's own payments, fees and cards go on.
 */
function requireProcessing(batch: Batch, transfer: TransferRow, to: TransferStatus): void {
  const { managed, venture_id, account_id, status, direction, transfer_type, ordered_by_bank, sent } = transfer
  if (!managed || sent || !processing.has(to) || goesBack(transfer, to)) return
  if (batch.account(venture_id, account_id)?.venture_active !== false) return
  const unpacked = to === 'READY_TO_CLEAR' && (status === 'SENT_TO_PACK' || status === 'PACKED')
  const hasComeBack = transfer.exempt && transfer.parent_transaction_id !== null
  const isVentureOrder = (direction === 'INBOUND' && !hasComeBack) || !ordered_by_bank
  if (typeGroups[transfer_type] === 'payment' && isVentureOrder && !unpacked) refuse('venture_disabled')
}

/**
 * What the scheme does with a parent is booked, whatever somebody has ordered about the same parent meanwhile. So what was ordered may no longer
 * fit, and then goes no further.
 */
function requireStillCovered(batch: Batch, transfer: TransferRow, to: TransferStatus): void {
  if (!transfer.managed || hasComeIn(transfer) || transfer.sent || !processing.has(to) || goesBack(transfer, to)) return
  const parent = batch.transfer(transfer.venture_id, transfer.parent_transaction_id ?? '')
  if (parent !== undefined) requireParentCovers(batch, transfer, parent, 'firm')
}

/** Whether a move of a child depends on the other children of its parent. */
export function needsSiblings(to: TransferStatus): boolean {
  return processing.has(to)
}

/**
 * The bank's rate holds for a short time only, and the transfer has waited for a signature or for money, or the venture has held it. Otherwise the
 * venture could wait for the market and then choose.
 */
function isRateExpired(transfer: TransferRow, to: TransferStatus, now: Date): boolean {
  if (transfer.rate_until === null || now.getTime() <= Date.parse(transfer.rate_until)) return false
  return goesBack(transfer, to) ? !transfer.on_hold_by_bank : to === 'RESERVED'
}

/** Not every status leads to REJECTED, but each that comes before RESERVED leads to TO_RESERVE, and ON_HOLD to TO_CANCEL, which do. */
function expireRate(batch: Batch, transfer: TransferRow, changed_from: TransferStatus, now: string): void {
  const status_reason = 'The exchange rate has expired. Order the transfer again.'
  const update = { status_reason, status_reason_code: 'rate_expired' }
  const request = { transfer, actor: theService, update, now, forced: false }
  const via = (['REJECTED', 'TO_RESERVE', 'TO_CANCEL'] as const).find((status) => nextOf(transfer).includes(status))
  if (via !== undefined && via !== 'REJECTED') move(batch, { ...request, to: via })
  move(batch, { ...request, to: 'REJECTED', changed_from })
}

const clockTolerance_ms = 5 * 60_000

/** Clocks differ by a little, but nobody signs in the future. */
function requirePastSignature({ signed_at }: Pick<TransferUpdate, 'signed_at'>, now: Date): void {
  if (signed_at != null && Date.parse(signed_at) > now.getTime() + clockTolerance_ms)
    refuseField('signed_at', 'must not be more than five minutes in the future')
}

function recordFinding(batch: Batch, transfer: TransferRow): void {
  batch.touchTransfer(transfer)
  transfer.findings += 1
}

type Noted = { actor: Actor; now: string }

function annotate(
  batch: Batch,
  transfer: TransferRow,
  { signed_hash: _, ...fields }: Omit<TransferUpdate, 'status'>,
  { actor, now }: Noted,
): Transfer {
  const changes = Object.entries(fields).filter(([field, value]) => value !== undefined && transfer[field as keyof Transfer] !== value)
  if (changes.length === 0) return shown(Transfer, transfer)
  if (isTerminal(transfer.status) && changes.some(([field]) => field === 'signed_at')) {
    refuse('transfer_terminal', {
      detail: `The transfer is ${transfer.status}, which is terminal, so signed_at can no longer change.`,
      current_status: transfer.status,
      allowed: [],
    })
  }
  batch.touchTransfer(transfer)
  const notes = transfer.notes + (isVentures(actor) ? 1 : 0)
  Object.assign(transfer, Object.fromEntries(changes), { updated_at: now, sequence: transfer.sequence + 1, notes })
  batch.emit('transfer.updated', transfer, actor)
  return shown(Transfer, transfer)
}

function requireMove(batch: Batch, transfer: TransferRow, to: TransferStatus, { third_party_status }: TransferUpdate): void {
  const circumstances = { ...circumstancesOf(batch, transfer), third_party_status_given: third_party_status != null }
  const block = blockOf(transfer, to, circumstances)
  if (block === undefined) return
  const allowed = movesOf(transfer, circumstances).flatMap((move) => (move.allowed ? [move.status] : []))
  refuse(block, { detail: explain(block, { from: transfer.status, to, allowed }), current_status: transfer.status, allowed })
}

function explain(block: Block, { from, to, allowed }: { from: TransferStatus; to: TransferStatus; allowed: TransferStatus[] }): string {
  if (block === 'transfer_terminal') return `The transfer is ${from}, which is terminal, so it cannot become ${to}.`
  const { cause, remedy } = catalogue[block]
  return [
    `The transfer is ${from} and cannot become ${to}.`,
    ...(block === 'transfer_transition_not_allowed' ? [] : [cause, remedy]),
    allowed.length === 0 ? 'No status is allowed now.' : `Allowed now: ${either(allowed)}.`,
  ].join(' ')
}

export function circumstancesOf(batch: Batch, transfer: TransferRow): Circumstances {
  const { venture_id, account_id, receiver_account_id, parent_transaction_id } = transfer
  const account = batch.account(venture_id, account_id)
  const receiver = batch.account(venture_id, receiver_account_id ?? '')
  const isBlocked = (owner: BatchAccount | undefined) => {
    const client = batch.client(venture_id, owner?.client_id ?? '')
    return client !== undefined && blockFor(transfer, client) !== undefined
  }
  // What pays out frozen money books nothing on the account, and what releases a hold or has used it up takes nothing from the client.
  const paysSuspense = paysFromSuspense(batch, venture_id, transfer)
  const parent = batch.transfer(venture_id, parent_transaction_id ?? '')
  const releasesHold = transfer.transfer_type === 'CARD_REVERSAL' && parent !== undefined && isAuthorisation(parent)
  const takesMoney = !paysSuspense && !releasesHold && !isHoldUsed(transfer)
  return {
    third_party_status_given: false,
    account_closed: account?.status === 'CLOSED' && !paysSuspense,
    receiver_closed: receiver?.status === 'CLOSED',
    client_blocked: (isBlocked(account) && takesMoney) || isBlocked(receiver),
    account_frozen: transfer.managed && !transfer.exempt && account?.frozen_by_bank === true && takesMoney,
    uncleared: isAuthorisation(transfer) && transfer.direction === 'OUTBOUND' && !isHoldUsed(transfer),
    signed_on_request: transfer.managed,
  }
}

/** A transfer with what decides which moves are possible now. */
export type StandingNow = {
  transfer: TransferRow
  circumstances: Circumstances
  account: BatchAccount
  /** What a hold would take from the account. */
  needed: Money
  /** Whether there is still enough of the parent for it. */
  covered: boolean
  /** The bank itself has blocked the client of the account. */
  stopped_by_bank: boolean
}

/** The standing of a transfer whose account, parent and siblings the batch has. */
export function standingIn(batch: Batch, transfer: TransferRow): StandingNow | undefined {
  const { venture_id, account_id, parent_transaction_id } = transfer
  const account = batch.account(venture_id, account_id)
  if (account === undefined) return undefined
  return {
    transfer,
    circumstances: circumstancesOf(batch, transfer),
    account,
    needed: takesFromSuspense(transfer, batch.transfer(venture_id, parent_transaction_id ?? '')) ? 0n : costOf(transfer),
    covered: !(batch.attempt(() => requireStillCovered(batch, transfer, 'COMPLETED')) instanceof Refusal),
    stopped_by_bank: batch.client(venture_id, account.client_id)?.stopped_by_bank === true,
  }
}

type MoveRequest = {
  transfer: TransferRow
  to: TransferStatus
  actor: Actor
  update: TransferUpdate
  now: string
  forced: boolean
  /** The status before the change that ends with this move. A move without it is followed by another one of the same change. */
  changed_from?: TransferStatus
}

function move(batch: Batch, { transfer, to, actor, update, now, forced, changed_from }: MoveRequest): void {
  const from = transfer.status
  const back = goesBack(transfer, to)
  const moving = withRelatedRows(batch, { transfer, from, to, now, forced })
  const { account, parent, origin } = moving
  if (!back) moveMoney(moving)
  const { status: _, signed_hash: _hash, ...fields } = update
  batch.touchTransfer(transfer)
  const changes: Partial<TransferRow> = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (to === 'SIGNED' && !back) {
    Object.assign(changes, { signed_at: fields.signed_at ?? transfer.signed_at ?? now })
    if (transfer.managed) changes.signed_hash = signedHashOf(transfer)
  }
  const on_hold_by_bank = to === 'ON_HOLD' && !isVentures(actor)
  const sequence = transfer.sequence + (changed_from === undefined ? 0 : 1)
  Object.assign(transfer, changes, standingAfter(transfer, to), { on_hold_by_bank, updated_at: now, sequence })
  const debt_change = recordDebt(batch, account, { forced, actor, now })
  // Ids count up within a millisecond, and the venture must not count the scans before a review, which it does not see.
  if (to === 'REVIEW' && from === 'BLACKLIST_SCANNING') uuidv7()
  batch.recordMove({ ...moveOf(transfer, { from, actor, update, now }), forced, debt_change })
  if (changed_from !== undefined) batch.emit(eventOf(from, to), transfer, actor, changed_from)
  if (to === 'COMPLETED' && parent !== undefined && takesBack(transfer, parent)) {
    const isWhole = isReturned(batch, parent)
    const why = transfer.exempt ? update : {}
    for (const returned of [parent, mirroredBy(parent, origin)]) announceReturn(batch, returned, { isWhole, actor, why, now })
  }
  for (const authorisation of [transfer, parent]) completeIfUsed(batch, authorisation, now)
}

/** `why`: what another bank has said. */
type CameBack = Pick<MoveRequest, 'actor' | 'now'> & { isWhole: boolean; why: MoveReason }

/** A transfer whose money comes back stays COMPLETED. Its followers learn why, and that all of its money went back. */
function announceReturn(batch: Batch, transfer: TransferRow | undefined, { isWhole, actor, why, now }: CameBack): void {
  const { status_reason = null, status_reason_code = null } = why
  const hasReason = status_reason !== null || status_reason_code !== null
  if (transfer === undefined || !(isWhole || hasReason)) return
  batch.touchTransfer(transfer)
  if (hasReason) {
    Object.assign(transfer, { status_reason, status_reason_code, updated_at: now })
    batch.recordMove(moveOf(transfer, { from: transfer.status, actor, update: { status_reason, status_reason_code }, now }))
  }
  transfer.sequence += 1
  batch.emit(isWhole ? 'transfer.returned' : 'transfer.updated', transfer, actor)
}

/** The service completes an authorisation when nothing of its hold is left. */
function completeIfUsed(batch: Batch, transfer: TransferRow | undefined, now: string): void {
  const to = transfer === undefined ? undefined : nextToCompletion(transfer)
  if (transfer === undefined || to === undefined) return
  const update = { status_reason: 'Nothing of the hold is left.' }
  move(batch, { transfer, to, actor: theService, update, now, forced: false, changed_from: transfer.status })
}

function withRelatedRows(batch: Batch, moving: Omit<MoveRequest, 'actor' | 'update' | 'changed_from'> & { from: TransferStatus }) {
  const { venture_id, account_id, receiver_account_id, parent_transaction_id } = moving.transfer
  const account = batch.account(venture_id, account_id)
  if (account === undefined) throw new Error(`the account of transfer ${moving.transfer.id} is not in the batch`)
  const parent = batch.transfer(venture_id, parent_transaction_id ?? '')
  return {
    ...moving,
    batch,
    account,
    receiver: receiver_account_id === null ? undefined : batch.account(venture_id, receiver_account_id),
    parent,
    origin: batch.transfer(venture_id, parent?.parent_transaction_id ?? ''),
  }
}

function moveOf(
  transfer: TransferRow,
  { from, actor, update, now }: { from: TransferStatus | null; actor: Actor; update: TransferUpdate; now: string },
) {
  return {
    venture_id: transfer.venture_id,
    transfer_id: transfer.id,
    id: uuidv7(),
    from_status: from,
    to_status: transfer.status,
    actor: actor.kind,
    actor_id: actor.id,
    reason: update.status_reason ?? null,
    reason_code: update.status_reason_code ?? null,
    third_party_status: update.third_party_status ?? null,
    created_at: now,
    forced: false,
    debt_change: 0n,
  }
}

function eventOf(from: TransferStatus, to: TransferStatus): EventType {
  if (to === 'COMPLETED') return 'transfer.completed'
  if (from === 'TO_RETURN' && to === 'REJECTED') return 'transfer.returned'
  return isTerminal(to) ? 'transfer.failed' : 'transfer.status_changed'
}
