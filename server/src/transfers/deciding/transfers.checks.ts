// Why a command is refused: the state of accounts and clients, open cases, signatures, and reserved operations.
import { type Actor, isVentures } from '../../platform/actor.ts'
import { railOf } from '../../schemes/schemes.ts'
import { catalogue, either, type RefusalCode, refuse } from '../../values/refusals.ts'
import { reservationOf } from '../../ventures/ventures.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { type Block, blockOf, goesBack, movesOf } from '../life/transfers.guards.ts'
import { awaitsScheme } from '../life/transfers.methods.ts'
import type { TransferUpdate } from '../life/transfers.schemas.ts'
import { isTerminal, type TransferStatus, typeGroups, waitingStatus } from '../life/transfers.status.ts'
import type { Batch, BatchAccount, BatchClient } from './transfers.batch.ts'
import type { Authority } from './transfers.commands.ts'
import { requireSigner } from './transfers.signing.ts'
import { blockFor, blockOfClient, circumstancesOf, processing } from './transfers.standing.ts'

export function requireUnblocked(client: BatchClient, who: string, consequence: string): void {
  const block = blockOfClient(client)
  if (block !== undefined) refuse('client_blocked', { detail: `${who} is ${block} and ${consequence}.` })
}

export function requireActive({ status: current_status }: BatchAccount): void {
  if (current_status === 'ACTIVE') return
  const remedy = current_status === 'CLOSED' ? 'Use another account.' : 'Activate it first.'
  refuse('account_not_active', { detail: `The account is ${current_status}, not ACTIVE. ${remedy}`, current_status })
}

/** A move into or out of CREDIT_TECH_BALANCE needs its case in the same command: such money waits if and only if it has an open case. */
export function needsCase(transfer: TransferRow, to: TransferStatus): boolean {
  const { direction, exempt, parent_transaction_id, status } = transfer
  const arrived = direction === 'INBOUND' && exempt && parent_transaction_id === null
  return arrived && !isTerminal(status) && (to === waitingStatus) !== (status === waitingStatus)
}

/** While the case is undecided, the bank's people can only hold a transfer under review, or return it to its review. Waiting money cannot move. */
const stillUnderReview: readonly TransferStatus[] = ['ON_HOLD', 'REVIEW']

/** Whether a move of a transfer that has an open case needs the decision of the case. */
export function isDecidedByCase({ status }: Pick<TransferRow, 'status'>, to: TransferStatus): boolean {
  return status === waitingStatus || !stillUnderReview.includes(to)
}

export function requireNoCase(batch: Batch, transfer: TransferRow, to: TransferStatus): void {
  if (needsCase(transfer, to) || (batch.isUndecided(transfer) && isDecidedByCase(transfer, to)))
    refuse('decided_by_case', { current_status: transfer.status })
}

/** Waiting money is credited only after the account has been activated, because only then is its client verified. */
export function requireActivated(batch: Batch, { venture_id, account_id, status }: TransferRow, to: TransferStatus): void {
  if (status !== waitingStatus || to === 'TO_RETURN') return
  const account = batch.account(venture_id, account_id)
  if (account?.status === 'PENDING') requireActive(account)
}

/** Only the client's side signs what it ordered; even two people of the bank together cannot. But they may release a signed order from ON_HOLD. */
function isTheirSignature(transfer: TransferRow, to: TransferStatus, actor: Actor): boolean {
  return transfer.managed && to === 'SIGNED' && actor.kind === 'operator' && !goesBack(transfer, to)
}

export function requireOwnSignature(transfer: TransferRow, to: TransferStatus, actor: Actor): void {
  if (isTheirSignature(transfer, to, actor) && !isTerminal(transfer.status)) refuse('not_yours_to_sign')
}

export function requireAllowedSigner(batch: Batch, transfer: TransferRow, actor: Actor): void {
  const policy = batch.policy(transfer.venture_id)
  if (policy === undefined) throw new Error(`the policy of the venture ${transfer.venture_id} is not in the batch`)
  requireSigner(transfer, policy, actor)
}

/** What the rules for reserved operations look at. A move that is not in the table of moves does not count as one. */
export function subjectOf(batch: Batch, transfer: TransferRow, update: TransferUpdate) {
  const { status: from, on_hold_from, on_hold_by_bank, ordered_by_bank, sent } = transfer
  const frozen = isStoppedByBank(batch, transfer)
  const to = update.status
  const isMove = to !== undefined && to !== from && !isTerminal(from)
  return { move: isMove ? { from, to, on_hold_from, on_hold_by_bank, sent, frozen } : undefined, ordered_by_bank, update }
}

/** Whether the bank has blocked the money of a transfer by marking the account or its client. This does not affect a transfer that was sent. */
function isStoppedByBank(batch: Batch, transfer: TransferRow): boolean {
  const { venture_id, account_id, direction, sent, exempt } = transfer
  if (direction === 'INBOUND' || sent) return false
  const account = batch.account(venture_id, account_id)
  const client = batch.client(venture_id, account?.client_id ?? '')
  if (exempt) return client !== undefined && blockFor(transfer, client) !== undefined
  return account?.frozen_by_bank === true || client?.stopped_by_bank === true
}

/** The code of a refusal for a possible move that is reserved or needs the decision of a case. */
export function reservedMove(batch: Batch, transfer: TransferRow, status: TransferStatus, by: Authority): RefusalCode | undefined {
  if (!isVentures(by.actor) && needsCase(transfer, status)) return 'decided_by_case'
  if (isLeftToRails(transfer, status, by.actor)) return 'sent_by_rails'
  if (isTheirSignature(transfer, status, by.actor)) return 'not_yours_to_sign'
  return transfer.managed ? reservationOf('updateTransfer', subjectOf(batch, transfer, { status }), by)?.code : undefined
}

/**
 * A payment over a rail becomes sent together with its place in a message. Moved by hand, it would be in no message and would wait forever
 * for an answer. An instant payment that we have accepted waits for the clearing system's word: nobody else knows whether its money is there.
 */
export function isLeftToRails(transfer: TransferRow, to: TransferStatus, actor: Actor): boolean {
  const { managed, on_us, method, sent } = transfer
  if (!managed || on_us || actor.kind !== 'operator') return false
  return (
    (to === 'SENT_TO_CLEAR' && !sent && railOf(method) !== undefined) || awaitsScheme(transfer) || awaitsScheme({ ...transfer, status: to })
  )
}

/**
 * Once a payment between two accounts of the bank is sent, its other half may be booked at any moment. Only the exchange knows, so only the
 * exchange says whether it was settled.
 */
export function requireExchange({ on_us, direction, sent }: TransferRow, to: TransferStatus, actor: Actor): void {
  if (on_us && direction === 'OUTBOUND' && sent && (isTerminal(to) || to === 'TO_RESEND') && actor.kind !== 'connector')
    refuse('settled_on_us')
}

/**
 * The bank neither processes what a disabled venture ordered nor credits what arrives for it. Sent payments settle or come back, packed
 * ones can be unpacked, and the bank's own payments, fees and cards continue.
 */
export function requireProcessing(batch: Batch, transfer: TransferRow, to: TransferStatus): void {
  const { managed, venture_id, account_id, status, direction, transfer_type, ordered_by_bank, sent } = transfer
  if (!managed || sent || !processing.has(to) || goesBack(transfer, to)) return
  if (batch.account(venture_id, account_id)?.venture_active !== false) return
  const unpacked = to === 'READY_TO_CLEAR' && (status === 'SENT_TO_PACK' || status === 'PACKED')
  const hasComeBack = transfer.exempt && transfer.parent_transaction_id !== null
  const isVentureOrder = (direction === 'INBOUND' && !hasComeBack) || !ordered_by_bank
  if (typeGroups[transfer_type] === 'payment' && isVentureOrder && !unpacked) refuse('venture_disabled')
}

export function requireMove(batch: Batch, transfer: TransferRow, to: TransferStatus, { third_party_status }: TransferUpdate): void {
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
