// How lists show transfers.
import type { Transfer } from '@vostro/sdk'
import { money } from './words.ts'

type Amounts = Pick<Transfer, 'direction' | 'debit_amount' | 'debit_currency' | 'credit_amount' | 'credit_currency'>

/** The amount credited to or debited from the account: `+30.00 EUR`, `−30.00 EUR`. */
export function signedAmount({ direction, debit_amount, debit_currency, credit_amount, credit_currency }: Amounts): string {
  return direction === 'INBOUND' ? money(`+${credit_amount}`, credit_currency) : money(`-${debit_amount}`, debit_currency)
}

type Parties = Pick<Transfer, 'direction' | 'cr_name' | 'dr_name'>

/** The payee of an outbound transfer, the payer of an inbound one. */
export const counterpartyOf = ({ direction, cr_name, dr_name }: Parties): string => (direction === 'INBOUND' ? dr_name : cr_name) ?? '–'
