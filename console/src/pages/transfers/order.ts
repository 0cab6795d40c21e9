// What somebody has typed into the form of a new transfer, as an order.
import type { TransferOrder } from '@vostro/sdk'
import { isAmount } from '../../ui/amounts.ts'

export type Typed = {
  account_id: string
  beneficiary_id: string
  /** What was understood of it. */
  amount: string
  /** Which amount was typed: what the account gives, or what the payee gets. */
  side: 'debit' | 'credit'
  /** Of the payee, if it is another one than that of the account. */
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

/** Undefined until there is enough to ask about. */
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

/** Whether the payee gets another currency than that of the account. */
function isExchangeOf({ currency }: Typed, accountCurrency: string | undefined): boolean {
  return currency.trim() !== '' && accountCurrency !== undefined && currency.trim().toUpperCase() !== accountCurrency
}

/** The currency of the amount that was typed. */
export const currencyOfAmount = (typed: Typed, accountCurrency: string | undefined): string | undefined =>
  typed.side === 'credit' && isExchangeOf(typed, accountCurrency) ? typed.currency : accountCurrency

/** A reference that nobody else has. */
export const newReference = (): string => `T-${crypto.randomUUID().slice(0, 8).toUpperCase()}`

const waits: Record<string, string> = {
  signature: 'a signature',
  sending_day: 'the day on which it is sent',
  funds: 'enough money on the account',
  screening: 'the screening',
  review: 'a person at the bank, who looks at it',
  other_bank: 'the other bank',
  bank: 'a person at the bank',
  venture: 'you, because the venture moves its transfers itself',
}

export const waitInWords = (wait: string): string => waits[wait] ?? wait
