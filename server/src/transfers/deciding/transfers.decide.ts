// Decides commands over the rows of a batch, in plain synchronous code. Each command is either applied to the batch or refused.
import { uuidv7 } from 'uuidv7'
import type { EventType } from '../../events/events.ts'
import { shown } from '../../platform/http/shown.ts'
import { todayUtc } from '../../values/calendar.ts'
import { fromNumeric } from '../../values/money.ts'
import { catalogue, either, refuse, refuseField } from '../../values/refusals.ts'
import { type Block, blockOf, type Circumstances, goesBack, movesOf, standingAfter } from '../life/transfers.guards.ts'
import { isTerminal, type TransferStatus } from '../life/transfers.status.ts'
import type { TransferRow } from '../transfers.columns.ts'
import { Transfer, type TransferOrder, type TransferUpdate } from '../transfers.schemas.ts'
import type { Actor, Batch, BatchAccount, BatchClient } from './transfers.batch.ts'
import { type BankIdentity, derive, directionOf, typeOf } from './transfers.derive.ts'
import { countAgainstLimits, countedWhen } from './transfers.limits.ts'
import { isHoldUsed, moveMoney, nextToCompletion } from './transfers.money.ts'
import {
  isAuthorisation,
  isReturned,
  mirroredBy,
  parentOf,
  requireParentCovers,
  takesBack,
  takesFromSuspense,
} from './transfers.parents.ts'

export type CreateCommand = { kind: 'create'; venture_id: string; id: string; order: TransferOrder; now: Date }
export type UpdateCommand = { kind: 'update'; venture_id: string; transfer_id: string; update: TransferUpdate; actor: Actor; now: Date }
export type Command = CreateCommand | UpdateCommand

export function decide(batch: Batch, bank: BankIdentity, command: Command): Transfer {
  return command.kind === 'create' ? decideCreate(batch, bank, command) : decideUpdate(batch, command)
}

/** Creates a transfer in status CREATED. No money is held or moved yet. */
function decideCreate(batch: Batch, bank: BankIdentity, { venture_id, id, order, now }: CreateCommand): Transfer {
  const account = batch.account(venture_id, order.account_id) ?? refuse('account_not_found')
  requireFreeReference(batch, venture_id, order.unique_reference, id)
  const direction = directionOf(order, account)
  const child = {
    account_id: account.id,
    direction,
    transfer_type: typeOf(order),
    parent_transaction_id: order.parent_transaction_id ?? null,
  }
  // Money in suspense is not the client's, and an account that an older version closed must not lock it in.
  const paysSuspense = paysFromSuspense(batch, venture_id, child)
  if (!paysSuspense || account.status !== 'CLOSED') requireActive(account)
  const client = batch.client(venture_id, account.client_id) ?? refuse('client_not_found')
  if (direction === 'OUTBOUND' && !paysSuspense) requireUnblocked(client, 'The client', 'cannot send money')
  const parent = parentOf(batch, venture_id, child)
  const beneficiary = beneficiaryOf(batch, account, order.beneficiary_id)
  if (direction === 'OUTBOUND' && beneficiary === undefined) refuse('beneficiary_required')
  const receiver = beneficiary?.receiver_account_id ? batch.account(venture_id, beneficiary.receiver_account_id) : undefined

  const today = todayUtc(now)
  const transfer = derive(order, { account, client, bank, beneficiary, receiver, parent }, { id, now, today })
  const paid = transfer.receiver_account_id === null ? undefined : batch.client(venture_id, receiver?.client_id ?? '')
  if (paid !== undefined) requireUnblocked(paid, 'The client of the receiving account', 'cannot receive an internal transfer')
  if (parent !== undefined) requireParentCovers(batch, transfer, parent)
  if (countedWhen(transfer) === 'created') {
    batch.touchAccount(account)
    countAgainstLimits(account, transfer, fromNumeric(transfer.debit_amount), today)
  }
  batch.add(transfer)
  batch.recordMove(moveOf(transfer, { from: null, actor: 'venture', update: {}, now: transfer.created_at }))
  batch.emit('transfer.created', transfer)
  return shown(Transfer, transfer)
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
function decideUpdate(batch: Batch, { venture_id, transfer_id, update, actor, now }: UpdateCommand): Transfer {
  const transfer = batch.transfer(venture_id, transfer_id) ?? refuse('transfer_not_found')
  const { status, ...fields } = update
  requirePastSignature(fields, now)
  if (status === undefined) return annotate(batch, transfer, fields, now.toISOString())
  requireMove(batch, transfer, status, update)
  move(batch, { transfer, to: status, actor, update, now: now.toISOString() })
  return shown(Transfer, transfer)
}

const clockTolerance_ms = 5 * 60_000

/** Clocks differ by a little, but nobody signs in the future. */
function requirePastSignature({ signed_at }: Pick<TransferUpdate, 'signed_at'>, now: Date): void {
  if (signed_at != null && Date.parse(signed_at) > now.getTime() + clockTolerance_ms)
    refuseField('signed_at', 'must not be more than five minutes in the future')
}

function annotate(batch: Batch, transfer: TransferRow, fields: Omit<TransferUpdate, 'status'>, now: string): Transfer {
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
  Object.assign(transfer, Object.fromEntries(changes), { updated_at: now, sequence: transfer.sequence + 1 })
  batch.emit('transfer.updated', transfer)
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
    return client !== undefined && blockOfClient(client) !== undefined
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
    uncleared: isAuthorisation(transfer) && transfer.direction === 'OUTBOUND' && !isHoldUsed(transfer),
  }
}

type MoveRequest = { transfer: TransferRow; to: TransferStatus; actor: Actor; update: TransferUpdate; now: string }

function move(batch: Batch, { transfer, to, actor, update, now }: MoveRequest): void {
  const from = transfer.status
  const back = goesBack(transfer, to)
  const moving = withRelatedRows(batch, { transfer, from, to, now })
  const { parent, origin } = moving
  if (!back) moveMoney(moving)
  const { status: _, ...fields } = update
  batch.touchTransfer(transfer)
  const changes: Partial<TransferRow> = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (to === 'SIGNED' && !back) Object.assign(changes, { signed_at: fields.signed_at ?? transfer.signed_at ?? now })
  Object.assign(transfer, changes, standingAfter(transfer, to), { updated_at: now, sequence: transfer.sequence + 1 })
  batch.recordMove(moveOf(transfer, { from, actor, update, now }))
  batch.emit(eventOf(from, to), transfer, from)
  if (to === 'COMPLETED' && parent !== undefined && takesBack(transfer, parent) && isReturned(batch, parent)) {
    for (const returned of [parent, mirroredBy(parent, origin)]) announceReturn(batch, returned)
  }
  for (const authorisation of [transfer, parent]) completeIfUsed(batch, authorisation, now)
}

/** Nothing of a returned transfer changes, but its followers learn that all of its money went back. */
function announceReturn(batch: Batch, transfer: TransferRow | undefined): void {
  if (transfer === undefined) return
  batch.touchTransfer(transfer)
  transfer.sequence += 1
  batch.emit('transfer.returned', transfer)
}

/** The service completes an authorisation when nothing of its hold is left. */
function completeIfUsed(batch: Batch, transfer: TransferRow | undefined, now: string): void {
  const to = transfer === undefined ? undefined : nextToCompletion(transfer)
  if (transfer === undefined || to === undefined) return
  move(batch, { transfer, to, actor: 'service', update: { status_reason: 'Nothing of the hold is left.' }, now })
}

function withRelatedRows(batch: Batch, moving: { transfer: TransferRow; from: TransferStatus; to: TransferStatus; now: string }) {
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
    actor,
    reason: update.status_reason ?? null,
    reason_code: update.status_reason_code ?? null,
    third_party_status: update.third_party_status ?? null,
    created_at: now,
  }
}

function eventOf(from: TransferStatus, to: TransferStatus): EventType {
  if (to === 'COMPLETED') return 'transfer.completed'
  if (from === 'TO_RETURN' && to === 'REJECTED') return 'transfer.returned'
  return isTerminal(to) ? 'transfer.failed' : 'transfer.status_changed'
}
