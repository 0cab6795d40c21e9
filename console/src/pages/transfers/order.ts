// Turns the form of a new transfer into an order.
import type { TransferOrder } from '@vostro/sdk'
import { isAmount } from '../../ui/amounts.ts'

export type Typed = {
  account_id: string
  beneficiary_id: string
  /** The amount as it was understood. */
  amount: string
  /** Whether the debit or the credit amount was typed. */
  side: 'debit' | 'credit'
  /** The payee's currency, if it differs from the account's. */
  currency: string
  purpose: string
  reference: string
  date: string
  isInstant: boolean
  isPayeeAccepted: boolean
}

export const nothingTyped: Typed = {
  account_id: '',
  beneficiary_id: '',
  amount: '',
  side: 'debit',
  currency: '',
  purpose: '',
  reference: '',
  date: '',
  isInstant: false,
  isPayeeAccepted: false,
}

/** Undefined until the form has enough for a dry run. */
export function orderOf(typed: Typed, accountCurrency: string | undefined): TransferOrder | undefined {
  const { amount } = typed
  if (typed.account_id === '' || typed.beneficiary_id === '' || !isAmount(amount) || typed.reference.trim() === '') return undefined
  const currency = typed.currency.trim().toUpperCase()
  const isExchange = isExchangeOf(typed, accountCurrency)
  return {
    account_id: typed.account_id,
    beneficiary_id: typed.beneficiary_id,
    unique_reference: typed.reference.trim(),
    ...(typed.side === 'credit' && isExchange ? { credit_amount: amount } : { debit_amount: amount }),
    ...(isExchange && { debit_currency: accountCurrency, credit_currency: currency }),
    ...(typed.purpose.trim() !== '' && { purpose: typed.purpose.trim() }),
    ...(typed.date !== '' && { settlement_date: typed.date }),
    ...(typed.isInstant && { is_instant: true }),
    ...(typed.isPayeeAccepted && { payee_check_accepted: true }),
  }
}

/** Whether the payee's currency differs from the account's. */
function isExchangeOf({ currency }: Typed, accountCurrency: string | undefined): boolean {
  return currency.trim() !== '' && accountCurrency !== undefined && currency.trim().toUpperCase() !== accountCurrency
}

export const currencyOfAmount = (typed: Typed, accountCurrency: string | undefined): string | undefined =>
  typed.side === 'credit' && isExchangeOf(typed, accountCurrency) ? typed.currency : accountCurrency

/** A unique reference. */
export const newReference = (): string => `T-${crypto.randomUUID().slice(0, 8).toUpperCase()}`

const waits: Record<string, string> = {
  signature: 'a signature',
  sending_day: 'its sending day',
  funds: 'sufficient funds',
  screening: 'screening',
  review: 'a review by the bank',
  other_bank: 'the other bank',
  bank: 'the bank',
  venture: 'you (the venture moves its own transfers)',
}

export const waitInWords = (wait: string): string => waits[wait] ?? wait
