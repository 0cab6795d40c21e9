// What other banks would do: pay money in, and settle, reject or return a transfer. Each status change is an ordinary move.
import { randomUUID } from 'node:crypto'
import { findAccounts } from '../accounts/accounts.ts'
import { type Actor, theService } from '../platform/actor.ts'
import { arrivesOver, methods } from '../transfers/life/transfers.methods.ts'
import type { Transfer, TransferOrder } from '../transfers/life/transfers.schemas.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'
import {
  type BookedFact,
  createTransfer,
  findWalk,
  getTransfer,
  type InboundReport,
  type TransferCompanions,
  type Transfers,
  updateTransfer,
} from '../transfers/transfers.ts'
import { makeIban } from '../values/iban.ts'
import { decimalsRule, parseMoney } from '../values/money.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import type { Venture } from '../ventures/ventures.ts'
import { settlingDeposit } from './bank/sandbox.bank.deposits.ts'

export const settlements = ['COMPLETED', 'REJECTED', 'RETURNED'] as const
export type Settlement = (typeof settlements)[number]

/** Brings money in from another bank. Injected, because other folders may not use it. */
export type ReportInbound = (
  transfers: Transfers,
  report: InboundReport,
  by: { actor: Actor; companions?: TransferCompanions },
) => Promise<BookedFact>

/** Processes a transfer as far as possible now. Injected for the same reason. */
export type ProcessNow = (transfer: { venture_id: string; id: string }) => Promise<void>

/** The bank that receives the sandbox's payments. */
export type SandboxBank = { transfers: Transfers; reportInboundPayment: ReportInbound; processNow: ProcessNow }

type Owner = Pick<Venture, 'id' | 'control'>
type Deposit = { amount: string; actor: Actor; companions: TransferCompanions }

/** Pays money in as a real inbound transfer. If the bank processes the venture's transfers, it arrives by IBAN, as from any other bank. */
export async function deposit(bank: SandboxBank, venture: Owner, account_id: string, given: Deposit): Promise<Transfer> {
  const { amount, actor, companions } = given
  const { transfers } = bank
  if (venture.control === 'MANAGED') return depositByIban(bank, venture, account_id, given)
  const order: TransferOrder = {
    account_id,
    unique_reference: `SANDBOX-${randomUUID()}`,
    direction: 'INBOUND',
    credit_amount: amount,
    purpose: 'Sandbox deposit',
    dr_name: 'Sandbox',
  }
  const { id } = await createTransfer(transfers, { venture_id: venture.id, order, actor, companions })
  return completeDeposit(bank, venture, id)
}

/** Who pays deposits in. A payment without an account of its payer would wait for a person. */
const payer = { name: 'Sandbox', iban: makeIban('LT', '9998000000000001') }

const theSandboxBank: Actor = { kind: 'connector', id: null }

async function depositByIban(bank: SandboxBank, venture: Owner, account_id: string, { amount, companions }: Deposit): Promise<Transfer> {
  const { transfers, reportInboundPayment } = bank
  const [account = refuse('account_not_found')] = await findAccounts(transfers.database, [{ venture_id: venture.id, id: account_id }])
  const { account_number: iban, currency, status } = account
  const closed = () =>
    refuse('account_not_active', { detail: 'The account is CLOSED, not ACTIVE. Use another account.', current_status: 'CLOSED' })
  if (status === 'CLOSED') closed()
  const money = parseMoney(amount, currency) ?? refuseField('amount', decimalsRule(currency))
  const rail = arrivesOver(money, currency) ?? refuse('transfer_method_invalid')
  const tx_id = randomUUID().replaceAll('-', '')
  const settling = await settlingDeposit(transfers.database, { rail, tx_id, amount: money, currency, iban, payer })
  const report: InboundReport = {
    iban,
    amount,
    currency,
    rail,
    sender: 'SANDBOXXXXX',
    kind: 'pacs.008',
    tx_id,
    purpose: 'Sandbox deposit',
    dr_name: payer.name,
    dr_iban: payer.iban,
  }
  const { id, booked_as } = await reportInboundPayment(transfers, report, {
    actor: theSandboxBank,
    companions: [...(companions ?? []), ...settling],
  })
  if (booked_as !== 'transfer') closed()
  return completeDeposit(bank, venture, id)
}

/** The service completes a deposit. If the bank processes the venture's transfers, the money may have to wait for a person or for the lists. */
export async function completeDeposit(
  { transfers, processNow }: SandboxBank,
  { id: venture_id, control }: Owner,
  id: string,
): Promise<Transfer> {
  if (control === 'OPEN') return walk(transfers, venture_id, id, 'COMPLETED')
  await processNow({ venture_id, id })
  return getTransfer(transfers, venture_id, id)
}

/** The type of transfer that takes back an outbound one. Other types only hold money, or are booked on the venture's own accounts. */
const returnTypes: Partial<Record<Transfer['transfer_type'], Transfer['transfer_type']>> = {
  PAYMENT: 'PAYMENT_RETURN',
  PAYMENT_CANCELLATION: 'PAYMENT_RETURN',
  PAYMENT_RETURN: 'PAYMENT_RETURN',
  PAYMENT_REVERSAL: 'PAYMENT_RETURN',
  PAYMENT_TECHNICAL_REVERSAL: 'PAYMENT_RETURN',
  FEE: 'FEE_CANCELLATION',
  CARD_CLEARING: 'CARD_REVERSAL',
}

/** Walks a transfer to its final status. The companions go with the first command: if it fails, nothing happens at all. */
export async function settle(
  transfers: Transfers,
  { id: venture_id, control }: Pick<Venture, 'id' | 'control'>,
  { transfer_id: id, outcome }: { transfer_id: string; outcome: Settlement },
  { actor, companions }: { actor: Actor; companions: TransferCompanions },
): Promise<Transfer> {
  if (control === 'MANAGED') {
    await getTransfer(transfers, venture_id, id)
    refuse('processed_by_bank')
  }
  const first = onlyOnce(companions)
  if (outcome !== 'RETURNED') return walk(transfers, venture_id, id, outcome, first)
  const { direction, method, transfer_type } = await getTransfer(transfers, venture_id, id)
  if (direction === 'OUTBOUND' && methods[method].internal) {
    refuse('transfer_method_invalid', {
      detail: `An ${method} transfer is returned from the receiving account: it cannot be settled as RETURNED here.`,
    })
  }
  if (direction === 'INBOUND') {
    await walk(transfers, venture_id, id, 'TO_RETURN', first)
    return walk(transfers, venture_id, id, 'REJECTED', first)
  }
  const returnType = returnTypes[transfer_type]
  if (returnType === undefined) {
    refuse('parent_invalid', { detail: `A ${transfer_type} has nothing to return: it cannot be settled as RETURNED.` })
  }
  const sent = await walk(transfers, venture_id, id, 'COMPLETED', first)
  const order: TransferOrder = {
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
  }
  const back = await createTransfer(transfers, { venture_id, order, actor, companions: first() })
  await walk(transfers, venture_id, back.id, 'COMPLETED')
  return getTransfer(transfers, venture_id, id)
}

type Next = () => TransferCompanions

/** Returns the companions at the first call only. */
function onlyOnce(companions: TransferCompanions): Next {
  let left = companions
  return () => {
    const given = left
    left = undefined
    return given
  }
}

const none: Next = () => undefined

async function walk(
  transfers: Transfers,
  venture_id: string,
  transfer_id: string,
  to: TransferStatus,
  companionsOf: Next = none,
): Promise<Transfer> {
  const statuses = await findWalk(transfers, venture_id, transfer_id, to)
  if (statuses === undefined) {
    const { status } = await getTransfer(transfers, venture_id, transfer_id)
    refuse('transfer_transition_not_allowed', { detail: `The transfer is ${status} and cannot reach ${to} from there.` })
  }
  for (const status of statuses) {
    const update = { status, third_party_status: 'SANDBOX' }
    await updateTransfer(transfers, { venture_id, transfer_id, update, actor: theService, companions: companionsOf() })
  }
  return getTransfer(transfers, venture_id, transfer_id)
}
