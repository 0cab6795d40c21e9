// What other banks would do: pay money in, and settle, reject or return a transfer. Each status change is an ordinary move.
import { randomUUID } from 'node:crypto'
import type { AccountKey } from '../accounts/accounts.ts'
import {
  createTransfer,
  findWalk,
  getTransfer,
  methods,
  type Transfer,
  type TransferCompanions,
  type TransferOrder,
  type TransferStatus,
  type Transfers,
  updateTransfer,
} from '../transfers/transfers.ts'
import { refuse } from '../values/refusals.ts'

export const settlements = ['COMPLETED', 'REJECTED', 'RETURNED'] as const
export type Settlement = (typeof settlements)[number]

/** Pays money in as a real inbound transfer. */
export async function deposit(
  transfers: Transfers,
  { venture_id, id: account_id }: AccountKey,
  amount: string,
  companions?: TransferCompanions,
): Promise<Transfer> {
  const order: TransferOrder = {
    account_id,
    unique_reference: `SANDBOX-${randomUUID()}`,
    direction: 'INBOUND',
    credit_amount: amount,
    purpose: 'Sandbox deposit',
    dr_name: 'Sandbox',
  }
  const { id } = await createTransfer(transfers, venture_id, order, companions)
  return completeDeposit(transfers, venture_id, id)
}

export function completeDeposit(transfers: Transfers, venture_id: string, id: string): Promise<Transfer> {
  return walk(transfers, venture_id, id, 'COMPLETED')
}

/** The type of transfer that takes back an outbound one. The others hold money only, or are booked on the venture's own accounts. */
const returnTypes: Partial<Record<Transfer['transfer_type'], Transfer['transfer_type']>> = {
  PAYMENT: 'PAYMENT_RETURN',
  PAYMENT_CANCELLATION: 'PAYMENT_RETURN',
  PAYMENT_RETURN: 'PAYMENT_RETURN',
  PAYMENT_REVERSAL: 'PAYMENT_RETURN',
  PAYMENT_TECHNICAL_REVERSAL: 'PAYMENT_RETURN',
  FEE: 'FEE_CANCELLATION',
  CARD_CLEARING: 'CARD_REVERSAL',
}

/** Walks a transfer to its final status. */
export async function settle(transfers: Transfers, venture_id: string, id: string, outcome: Settlement): Promise<Transfer> {
  if (outcome !== 'RETURNED') return walk(transfers, venture_id, id, outcome)
  const { direction, method, transfer_type } = await getTransfer(transfers, venture_id, id)
  if (direction === 'OUTBOUND' && methods[method].internal) {
    refuse('transfer_method_invalid', {
      detail: `An ${method} transfer is returned from the receiving account: it cannot be settled as RETURNED here.`,
    })
  }
  if (direction === 'INBOUND') {
    await walk(transfers, venture_id, id, 'TO_RETURN')
    return walk(transfers, venture_id, id, 'REJECTED')
  }
  const returnType = returnTypes[transfer_type]
  if (returnType === undefined) {
    refuse('parent_invalid', { detail: `A ${transfer_type} has nothing to return: it cannot be settled as RETURNED.` })
  }
  const sent = await walk(transfers, venture_id, id, 'COMPLETED')
  const back = await createTransfer(transfers, venture_id, {
    account_id: sent.account_id,
    unique_reference: `SANDBOX-${randomUUID()}`,
    direction: 'INBOUND',
    method: sent.method,
    transfer_type: returnType,
    parent_transaction_id: id,
    // The same amounts in the opposite direction, so that the account gets back what it paid.
    debit_amount: sent.credit_amount,
    debit_currency: sent.credit_currency,
    credit_amount: sent.debit_amount,
    credit_currency: sent.debit_currency,
    dr_name: sent.cr_name,
  })
  await walk(transfers, venture_id, back.id, 'COMPLETED')
  return getTransfer(transfers, venture_id, id)
}

async function walk(transfers: Transfers, venture_id: string, transfer_id: string, to: TransferStatus): Promise<Transfer> {
  const statuses = await findWalk(transfers, venture_id, transfer_id, to)
  if (statuses === undefined) {
    const { status } = await getTransfer(transfers, venture_id, transfer_id)
    refuse('transfer_transition_not_allowed', { detail: `The transfer is ${status} and cannot reach ${to} from there.` })
  }
  for (const status of statuses) {
    await updateTransfer(transfers, { venture_id, transfer_id, update: { status, third_party_status: 'SANDBOX' }, actor: 'service' })
  }
  return getTransfer(transfers, venture_id, transfer_id)
}
