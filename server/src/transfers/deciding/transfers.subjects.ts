// What a second person at the bank sees before approving an order or a move.
import { changesOf, subjectOf } from '../../audit/audit.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import type { TransferOrder, TransferUpdate } from '../life/transfers.schemas.ts'

/** Payer, payee and amounts. The day is part of it only if the order names one: otherwise the payment leaves as soon as it is approved. */
export function orderSubject(transfer: TransferRow, { settlement_date }: Pick<TransferOrder, 'settlement_date'>): object {
  return subjectOf({ ...payment(transfer), settlement_date: settlement_date ?? null })
}

export function moveSubject(transfer: TransferRow, { signed_hash: _, ...update }: TransferUpdate): object {
  const fields = Object.keys(update) as (keyof typeof update)[]
  return subjectOf({ ...payment(transfer), changes: changesOf<object>(fields as never[], transfer, { ...transfer, ...update }) })
}

function payment(transfer: TransferRow) {
  const { account_id, debit_amount, debit_currency, credit_amount, credit_currency } = transfer
  const isExchanged = credit_currency !== debit_currency
  return {
    account_id,
    payer: transfer.dr_name,
    payer_account: transfer.dr_iban ?? transfer.dr_account_id,
    payee: transfer.cr_name,
    payee_account: transfer.cr_iban ?? transfer.cr_account_id,
    payee_bic: transfer.cr_bank_bic,
    payee_bank: transfer.cr_bank_name,
    amount: debit_amount,
    currency: debit_currency,
    credit_amount: isExchanged ? credit_amount : null,
    credit_currency: isExchanged ? credit_currency : null,
    purpose: transfer.purpose,
  }
}
