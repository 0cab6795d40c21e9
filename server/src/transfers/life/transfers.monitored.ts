// The payments that transaction monitoring covers.
import { fromNumeric, type Money } from '../../values/money.ts'
import type { TransferRow } from './transfers.columns.ts'
import { methods } from './transfers.methods.ts'
import { type TransferMethod, transferMethods } from './transfers.status.ts'

type Monitored = Pick<TransferRow, 'managed' | 'transfer_type' | 'method'>

/** The rails that the rules cover: cards have rules of their own. */
export const monitoredMethods: readonly TransferMethod[] = transferMethods.filter((method) => methods[method].address !== 'card')

/** Whether the rules cover a transfer. */
export function isMonitored({ managed, transfer_type, method }: Monitored): boolean {
  return managed && transfer_type === 'PAYMENT' && monitoredMethods.includes(method)
}

/** The amount in the currency of the account. */
export function amountOnAccount({ direction, debit_amount, credit_amount }: AmountsOf): Money {
  return fromNumeric(direction === 'OUTBOUND' ? debit_amount : credit_amount)
}

type AmountsOf = Pick<TransferRow, 'direction' | 'debit_amount' | 'credit_amount'>

/** The destination of the money: an IBAN, or an account number with the code of its bank; null if neither is known. */
export function payeeOf({ cr_iban, cr_account_id, cr_bank_bic }: Pick<TransferRow, 'cr_iban' | 'cr_account_id' | 'cr_bank_bic'>) {
  return cr_iban ?? (cr_account_id === null ? null : `${cr_account_id} ${cr_bank_bic ?? ''}`)
}
