// Moves: each one with its bookings, its record and its event.
import { decidingSequence } from '../../audit/audit.ts'
import type { EventType } from '../../events/events.ts'
import { type Actor, isVentures, theService } from '../../platform/actor.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { requireUnreserved } from '../../ventures/ventures.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { goesBack, nextOf, standingAfter } from '../life/transfers.guards.ts'
import type { TransferUpdate } from '../life/transfers.schemas.ts'
import { isTerminal, type TransferStatus } from '../life/transfers.status.ts'
import type { Batch } from './transfers.batch.ts'
import {
  requireActivated,
  requireAllowedSigner,
  requireExchange,
  requireMove,
  requireNoCase,
  requireOwnSignature,
  requireProcessing,
  subjectOf,
} from './transfers.checks.ts'
import type { Authority, MoveReason } from './transfers.commands.ts'
import { moveMoney, nextToCompletion, recordDebt } from './transfers.money.ts'
import { isReturned, mirroredBy, takesBack } from './transfers.parents.ts'
import { signedHashOf } from './transfers.signing.ts'
import { requireStillCovered } from './transfers.standing.ts'

type Steps = { transfer: TransferRow; by: Authority; update: TransferUpdate; now: Date; forced: boolean; with_case: boolean }

/** Makes several moves as one change with one event. If the rate has expired, the transfer ends instead. */
export function takeSteps(batch: Batch, { transfer, by, update, now, forced, with_case }: Steps, steps: readonly TransferStatus[]): void {
  const changed_from = transfer.status
  for (const [index, to] of steps.entries()) {
    // The first move of an update was already checked together with its fields.
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

/** The bank's rate holds only briefly. Otherwise a venture could delay a transfer, watch the market and then choose. */
function isRateExpired(transfer: TransferRow, to: TransferStatus, now: Date): boolean {
  if (transfer.rate_until === null || now.getTime() <= Date.parse(transfer.rate_until)) return false
  return goesBack(transfer, to) ? !transfer.on_hold_by_bank : to === 'RESERVED'
}

/** Not every status leads to REJECTED, but every status before RESERVED leads to TO_RESERVE, and ON_HOLD to TO_CANCEL; both lead to REJECTED. */
function expireRate(batch: Batch, transfer: TransferRow, changed_from: TransferStatus, now: string): void {
  const status_reason = 'The exchange rate has expired. Order the transfer again.'
  const update = { status_reason, status_reason_code: 'rate_expired' }
  const request = { transfer, actor: theService, update, now, forced: false }
  const via = (['REJECTED', 'TO_RESERVE', 'TO_CANCEL'] as const).find((status) => nextOf(transfer).includes(status))
  if (via !== undefined && via !== 'REJECTED') move(batch, { ...request, to: via })
  move(batch, { ...request, to: 'REJECTED', changed_from })
}

type MoveRequest = {
  transfer: TransferRow
  to: TransferStatus
  actor: Actor
  update: TransferUpdate
  now: string
  forced: boolean
  /** The status before the change that ends with this move. Without it, more moves of the same change follow. */
  changed_from?: TransferStatus
}

export function move(batch: Batch, { transfer, to, actor, update, now, forced, changed_from }: MoveRequest): void {
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
  // Ids count up within a millisecond. Skipping one keeps the venture from counting the scans before a review, which are hidden from it.
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

/** `why`: the reason that another bank gave. */
type CameBack = Pick<MoveRequest, 'actor' | 'now'> & { isWhole: boolean; why: MoveReason }

/** A transfer whose money comes back stays COMPLETED. Its event says why, and whether all of its money went back. */
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

export function moveOf(
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
