// The columns of the trial balance: negative balances are debits, positive ones credits, and both have the same sum.
import type { TrialBalanceRow } from '@vostro/sdk'
import { isNegative, isZero, sizeOf, sumOf } from '../../ui/amounts.ts'

export type Line = { account: string; debit: string | undefined; credit: string | undefined }
export type Books = { venture_id: string; lines: Line[]; debits: string; credits: string }
export type Currency = { currency: string; books: Books[]; debits: string; credits: string; balanced: boolean }

/** By currency and venture. Accounts with a zero balance are left out. */
export function balancesOf(rows: readonly TrialBalanceRow[]): Currency[] {
  const shown = rows.filter(({ balance }) => !isZero(balance))
  return [...new Set(shown.map(({ currency }) => currency))].sort().map((currency) => {
    const mine = shown.filter((row) => row.currency === currency)
    const books = [...new Set(mine.map(({ venture_id }) => venture_id))].map((venture_id) => booksOf(venture_id, mine))
    const [debits, credits] = [sumOf(books.map((one) => one.debits)), sumOf(books.map((one) => one.credits))]
    return { currency, books, debits, credits, balanced: books.every((one) => one.debits === one.credits) }
  })
}

function booksOf(venture_id: string, rows: readonly TrialBalanceRow[]): Books {
  const lines = rows
    .filter((row) => row.venture_id === venture_id)
    .map(({ account, balance }) => {
      const amount = sizeOf(balance)
      return isNegative(balance) ? { account, debit: amount, credit: undefined } : { account, debit: undefined, credit: amount }
    })
  // Both sums have the currency's decimals, even if a side is empty.
  const none = sumOf(lines.flatMap(({ debit, credit }) => [debit ?? credit ?? '0', `-${debit ?? credit ?? '0'}`]))
  return {
    venture_id,
    lines,
    debits: sumOf([none, ...lines.flatMap(({ debit }) => debit ?? [])]),
    credits: sumOf([none, ...lines.flatMap(({ credit }) => credit ?? [])]),
  }
}
