// Our payments that came back, and returns that the scheme refused.
import type { By } from '../../platform/actor.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { requireManaged } from '../../ventures/ventures.ts'
import type { MoveReason } from '../deciding/transfers.commands.ts'
import { partsOf, type Said, unlessEmpty } from '../life/transfers.details.ts'
import type { Transfer, TransferOrder } from '../life/transfers.schemas.ts'
import { createTransfer, getTransfer, type Transfers } from '../orders/transfers.orders.ts'
import type { Key } from '../writing/transfers.keys.ts'
import { selectTransferRows } from '../writing/transfers.rows.sql.ts'
import { authorityOf, claimOf, factOf, isClosed, type Origin, type Told } from './transfers.claims.ts'
import type { BookedFact, RefusedReturn, ReturnReport } from './transfers.facts.schemas.ts'
import { findAccount } from './transfers.facts.sql.ts'
import { amountOf } from './transfers.inbound.ts'
import { bookUnapplied, type Unapplied } from './transfers.unapplied.ts'

/** Books a payment of ours that came back. It is credited even to a suspended account and for a blocked client. */
export async function reportReturnedPayment(
  transfers: Transfers,
  report: Told<ReturnReport>,
  by: By,
  { on_us = false, said = {} }: Origin = {},
): Promise<BookedFact> {
  const { venture_id, transfer_id, transfer_type = 'PAYMENT_RETURN', amount } = report
  await requireManaged(transfers.database, venture_id)
  const sent = await getTransfer(transfers, venture_id, transfer_id)
  const account = (await findAccount(transfers.database, venture_id, sent.account_id)) ?? refuse('account_not_found')
  if (sent.direction !== 'OUTBOUND' || sent.status !== 'COMPLETED')
    refuse('parent_invalid', {
      detail: `The transfer is ${sent.direction} and ${sent.status}. Only a completed outbound transfer can come back.`,
    })
  if (!on_us) await requireOutside(transfers, { venture_id, id: transfer_id })
  const back = returnedAmounts(sent, amount)
  const fact = factOf(report, 'transfer', venture_id)
  const { id } = fact
  const order: TransferOrder = {
    account_id: sent.account_id,
    unique_reference: id,
    direction: 'INBOUND',
    transfer_type,
    parent_transaction_id: transfer_id,
    ...back,
  }
  try {
    await createTransfer(transfers, {
      id,
      venture_id,
      order,
      details: partsOf(said).details,
      ...authorityOf(by),
      steps: 'to completion',
      reason: reasonOf(report),
      on_us,
      companions: [claimOf(fact), ...(by.companions ?? [])],
    })
    return fact
  } catch (error) {
    if (!isClosed(error)) throw error
  }
  const details: Unapplied = {
    reason: 'ACCOUNT_CLOSED',
    rail: sent.method,
    amount: back.debit_amount,
    currency: sent.credit_currency,
    iban: account.account_number,
    dr_name: sent.cr_name,
    dr_iban: sent.cr_iban,
    dr_bank_bic: sent.cr_bank_bic,
    client_venture_id: venture_id,
    client_id: account.client_id,
    parent_transaction_id: transfer_id,
    said: unlessEmpty<Said>(said) ?? null,
  }
  return bookUnapplied(transfers, report, by, details, { sent, on_us })
}

export function reasonOf({ reason = null, reason_code = null }: Pick<ReturnReport, 'reason' | 'reason_code'>): MoveReason {
  return { status_reason: reason, status_reason_code: reason_code }
}

/** A payment that never left the bank can only come back from within. Otherwise the sender of the return would have nowhere to book it. */
async function requireOutside({ database }: Transfers, key: Key): Promise<void> {
  const [row] = await selectTransferRows(database, [key])
  if (row?.on_us) refuse('settled_on_us', { detail: 'The payment never left the bank, so no other bank can have sent it back.' })
}

/** The returned amount, outside and on the account. A partial amount has to be in the account's currency. */
function returnedAmounts({ debit_amount, debit_currency, credit_amount, credit_currency }: Transfer, amount: string | null | undefined) {
  const whole = {
    debit_amount: credit_amount,
    debit_currency: credit_currency,
    credit_amount: debit_amount,
    credit_currency: debit_currency,
  }
  if (amount == null) return whole
  const part = formatMoney(amountOf(amount, credit_currency), credit_currency)
  if (part === credit_amount) return whole
  if (fromNumeric(part) > fromNumeric(credit_amount))
    refuse('parent_invalid', { detail: `${part} ${credit_currency} requested, but only ${credit_amount} ${credit_currency} was sent.` })
  if (debit_currency !== credit_currency) refuseField('amount', 'must be left out: a payment in two currencies comes back as a whole')
  return { ...whole, debit_amount: part, credit_amount: part }
}

/** Books money of the house or a venture whose return the scheme refused. */
export function reportRefusedReturn(transfers: Transfers, { message, ...details }: RefusedReturn, by: By): Promise<BookedFact> {
  return bookUnapplied(transfers, message, by, { ...details, reason: 'RETURN_REFUSED' })
}
