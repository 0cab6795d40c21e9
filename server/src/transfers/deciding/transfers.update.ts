// Decides updates: moves of a transfer, and notes on it.
import { decidingSequence, requireSequence } from '../../audit/audit.ts'
import { type Actor, isBanksSide, isVentures } from '../../platform/actor.ts'
import { shown } from '../../platform/http/shown.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { requireUnreserved } from '../../ventures/ventures.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { Transfer, type TransferUpdate } from '../life/transfers.schemas.ts'
import { isTerminal } from '../life/transfers.status.ts'
import type { Batch } from './transfers.batch.ts'
import { isLeftToRails, requireNoCase, requireOwnSignature, subjectOf } from './transfers.checks.ts'
import type { UpdateCommand } from './transfers.commands.ts'
import { takeSteps } from './transfers.moves.ts'
import { requireSameHash } from './transfers.signing.ts'
import { moveSubject } from './transfers.subjects.ts'

/** Moves a transfer to another status, or only updates its other fields. */
export function decideUpdate(batch: Batch, command: UpdateCommand): Transfer {
  const { venture_id, transfer_id, update, now, forced = false, steps = [], with_case = false, finding = false, ...by } = command
  const transfer = batch.transfer(venture_id, transfer_id) ?? refuse('transfer_not_found')
  const { status, ...fields } = update
  requireSequence(transfer, by.sequence)
  // No approval is requested that would fail. For ventures, the reserved move is refused first.
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

const isHeldByVenture = ({ managed, status, on_hold_by_bank }: TransferRow): boolean => managed && status === 'ON_HOLD' && !on_hold_by_bank

/** The bank takes over a hold of the venture: from then on only the bank can release it. The status stays, so this is not a move. */
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

const clockTolerance_ms = 5 * 60_000

/** Clocks may differ a little, but a signature cannot lie in the future. */
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
