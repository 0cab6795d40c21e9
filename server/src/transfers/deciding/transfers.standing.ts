// What surrounds a transfer, and which moves are therefore possible now.
import type { Money } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { type Circumstances, goesBack } from '../life/transfers.guards.ts'
import { statusList, type TransferStatus } from '../life/transfers.status.ts'
import type { Batch, BatchAccount, BatchClient } from './transfers.batch.ts'
import { costOf, isHoldUsed } from './transfers.money.ts'
import { hasComeIn, isAuthorisation, requireParentCovers, takesFromSuspense } from './transfers.parents.ts'

/** Whether a transfer pays out its parent's frozen money, which takes nothing from the account. */
export function paysFromSuspense(
  batch: Batch,
  venture_id: string,
  child: Pick<TransferRow, 'direction' | 'transfer_type' | 'parent_transaction_id'>,
): boolean {
  const { direction, parent_transaction_id } = child
  return direction === 'OUTBOUND' && takesFromSuspense(child, batch.transfer(venture_id, parent_transaction_id ?? ''))
}

/** Why a client can neither send money nor receive an internal transfer; undefined if the client can. */
export function blockOfClient({ blocked, is_blacklisted, kyc_status }: BatchClient): string | undefined {
  if (blocked) return 'blocked'
  if (is_blacklisted) return 'blacklisted'
  return kyc_status === 'DECLINED' ? 'DECLINED by its verification' : undefined
}

/** Why a block of the client stops a transfer. Nothing stops a fact. Only sanctions stop a pay-out, because it has not happened yet. */
export function blockFor(transfer: TransferRow, client: BatchClient): string | undefined {
  if (!transfer.exempt) return blockOfClient(client)
  return isClientPayout(transfer) && client.is_blacklisted ? 'blacklisted' : undefined
}

/** Whether a transfer pays the balance of a suspended account to its client. */
function isClientPayout({ exempt, direction, transfer_type, beneficiary_id }: TransferRow): boolean {
  return exempt && direction === 'OUTBOUND' && transfer_type === 'PAYMENT' && beneficiary_id !== null
}

export function circumstancesOf(batch: Batch, transfer: TransferRow): Circumstances {
  const { venture_id, account_id, receiver_account_id, parent_transaction_id } = transfer
  const account = batch.account(venture_id, account_id)
  const receiver = batch.account(venture_id, receiver_account_id ?? '')
  const isBlocked = (owner: BatchAccount | undefined) => {
    const client = batch.client(venture_id, owner?.client_id ?? '')
    return client !== undefined && blockFor(transfer, client) !== undefined
  }
  // Paying out frozen money books nothing on the account; releasing a hold or using it up takes nothing from the client.
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

/** A transfer with everything that decides which moves are possible now. */
export type StandingNow = {
  transfer: TransferRow
  circumstances: Circumstances
  account: BatchAccount
  /** What a hold would take from the account. */
  needed: Money
  /** Whether enough of the parent is left for it. */
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

export const processing: ReadonlySet<TransferStatus> = new Set([
  ...statusList('TO_SIGN SIGNED TO_RESERVE RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED'),
  ...statusList('READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED'),
])

/** Facts about a parent are booked regardless of orders on the same parent. So an order may no longer fit; then it cannot move further. */
export function requireStillCovered(batch: Batch, transfer: TransferRow, to: TransferStatus): void {
  if (!transfer.managed || hasComeIn(transfer) || transfer.sent || !processing.has(to) || goesBack(transfer, to)) return
  const parent = batch.transfer(transfer.venture_id, transfer.parent_transaction_id ?? '')
  if (parent !== undefined) requireParentCovers(batch, transfer, parent, 'firm')
}

/** Whether a child's move depends on its siblings. */
export function needsSiblings(to: TransferStatus): boolean {
  return processing.has(to)
}
