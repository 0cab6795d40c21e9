// Direct debits of other banks, and debits that cannot be refused.
import type { By } from '../../platform/actor.ts'
import { debitRail } from '../../schemes/schemes.ts'
import { formatMoney } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { listManagedIds, requireManaged } from '../../ventures/ventures.ts'
import { partsOf } from '../life/transfers.details.ts'
import { isBookType } from '../life/transfers.flows.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { createTransfer, getTransfer, type Transfers } from '../orders/transfers.orders.ts'
import { bookBreak } from './transfers.breaks.ts'
import { authorityOf, claimOf, factOf, isClosed, type Origin } from './transfers.claims.ts'
import type { BookedFact, DebitReport, ForcedDebitReport } from './transfers.facts.schemas.ts'
import { findAccount, findAccountByNumber } from './transfers.facts.sql.ts'
import { amountOf } from './transfers.inbound.ts'
import { reasonOf } from './transfers.returns.ts'

/** Books a debit that the scheme has carried out, whether or not the account has the money. */
export async function forceDebit(
  transfers: Transfers,
  report: ForcedDebitReport,
  by: By,
  { said = {} }: Pick<Origin, 'said'> = {},
): Promise<BookedFact> {
  const { venture_id, account_id, amount, transfer_type, method, parent_transaction_id } = report
  const { database } = transfers
  await requireManaged(database, venture_id)
  const account = (await findAccount(database, venture_id, account_id)) ?? refuse('account_not_found')
  const money = amountOf(amount, account.currency)
  const fact = factOf(report, 'transfer', venture_id)
  const { id } = fact
  const order: TransferOrder = {
    account_id,
    unique_reference: id,
    direction: 'OUTBOUND',
    transfer_type,
    debit_amount: amount,
    purpose: report.explanation.slice(0, 140),
    ...(method == null ? {} : { method }),
    ...(parent_transaction_id == null ? {} : { parent_transaction_id }),
  }
  try {
    await createTransfer(transfers, {
      id,
      venture_id,
      order,
      details: partsOf(said).details,
      ...authorityOf(by),
      forced: true,
      steps: 'to completion',
      reason: reasonOf(report),
      companions: [claimOf(fact), ...(by.companions ?? [])],
    })
    return fact
  } catch (error) {
    if (!isClosed(error)) throw error
  }
  const parent = parent_transaction_id == null ? undefined : await getTransfer(transfers, venture_id, parent_transaction_id)
  return bookBreak(transfers, report, by, {
    rail: isBookType(transfer_type) ? null : (method ?? parent?.method ?? null),
    amount: formatMoney(money, account.currency),
    currency: account.currency,
    account_venture_id: venture_id,
    account_id,
    client_id: account.client_id,
    explanation: report.explanation,
  })
}

/** Receives a direct debit, which is screened now and paid on its due date. Refuses what the payer's bank would refuse. */
export async function reportDirectDebit(
  transfers: Transfers,
  report: DebitReport,
  by: By,
  { said = {} }: Pick<Origin, 'said'> = {},
): Promise<BookedFact> {
  const { iban, amount, currency, due_on, sender, kind: _kind, tx_id: _tx_id, ...creditor } = report
  const { database } = transfers
  const account = (await findAccountByNumber(database, await listManagedIds(database), iban)) ?? refuse('account_not_found')
  if (account.currency !== currency)
    refuse('transfer_method_invalid', { detail: `The account is in ${account.currency}, and the direct debit in ${currency}.` })
  const fact = factOf(report, 'transfer', account.venture_id)
  const { id } = fact
  const { codes, details } = partsOf(said)
  const order: TransferOrder = {
    ...creditor,
    ...codes,
    account_id: account.id,
    unique_reference: id,
    direction: 'OUTBOUND',
    method: debitRail,
    settlement_date: due_on,
    debit_amount: amount,
    debit_currency: account.currency,
    credit_currency: currency,
    cr_bank_bic: creditor.cr_bank_bic ?? sender,
  }
  await createTransfer(transfers, {
    id,
    venture_id: account.venture_id,
    order,
    details,
    ...authorityOf(by),
    door: 'debit',
    steps: ['RECEIVED'],
    companions: [claimOf(fact), ...(by.companions ?? [])],
  })
  return fact
}
