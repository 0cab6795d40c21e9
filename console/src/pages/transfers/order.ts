// What somebody has typed into the form of a new transfer, as an order.
import type { TransferOrder } from '@vostro/sdk'

export type Typed = {
  account_id: string
  beneficiary_id: string
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
  ...{ account_id: '', beneficiary_id: '', amount: '', side: 'debit', currency: '', purpose: '', reference: '', date: '' },
  ...{ isInstant: false, isPayeeAccepted: false },
}

/** `1,234.5` and `1 234.50` as `1234.5`; undefined if it is no amount yet. */
export function amountOf(typed: string): string | undefined {
  const text = typed.replaceAll(/[\s,']/g, '')
  return /^\d{1,15}(\.\d{1,4})?$/.test(text) && /[1-9]/.test(text) ? text : undefined
}

/** Undefined until there is enough to ask about. */
export function orderOf(typed: Typed, accountCurrency: string | undefined): TransferOrder | undefined {
  const amount = amountOf(typed.amount)
  if (typed.account_id === '' || typed.beneficiary_id === '' || amount === undefined || typed.reference.trim() === '') return undefined
  const currency = typed.currency.trim().toUpperCase()
  const isExchange = currency !== '' && accountCurrency !== undefined && currency !== accountCurrency
  return {
    ...{ account_id: typed.account_id, beneficiary_id: typed.beneficiary_id, unique_reference: typed.reference.trim() },
    ...(typed.side === 'credit' && isExchange ? { credit_amount: amount } : { debit_amount: amount }),
    ...(isExchange && { debit_currency: accountCurrency, credit_currency: currency }),
    ...(typed.purpose.trim() !== '' && { purpose: typed.purpose.trim() }),
    ...(typed.date !== '' && { settlement_date: typed.date }),
    ...(typed.isInstant && { is_instant: true }),
    ...(typed.isPayeeAccepted && { payee_check_accepted: true }),
  }
}

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
