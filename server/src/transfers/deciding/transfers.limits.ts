// Limits: how much an account may send in a day, a month and a year, counted in UTC.
import { formatMoney, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import type { BatchAccount } from './transfers.batch.ts'

const monthOf = (date: string): string => date.slice(0, 7)
const yearOf = (date: string): string => date.slice(0, 4)

/** Counts an amount and returns the day on which it counts, or refuses it if it would exceed a limit. Touch the account first. */
export function countAgainstLimits(account: BatchAccount, amount: Money, today: string): string {
  startNewPeriods(account, today)
  const periods = [
    { period: 'day', name: 'Daily', limit: account.daily_limit, used: account.used_day },
    { period: 'month', name: 'Monthly', limit: account.monthly_limit, used: account.used_month },
    { period: 'year', name: 'Yearly', limit: account.yearly_limit, used: account.used_year },
  ]
  for (const { period, name, limit, used } of periods) {
    if (limit === null || used + amount <= limit) continue
    const { currency } = account
    const left = moneyText(subtractDownToZero(limit, used), currency)
    refuse('limit_exceeded', {
      detail: `${name} limit exceeded: ${moneyText(amount, currency)} requested, ${left} left of ${moneyText(limit, currency)}.`,
      limit: formatMoney(limit, currency),
      period,
      used: formatMoney(used, currency),
    })
  }
  account.used_day += amount
  account.used_month += amount
  account.used_year += amount
  return account.used_on
}

/** Subtracts the amount of a transfer that ended without completion, from those periods that are still running. */
export function subtractFromUsage(account: BatchAccount, amount: Money, counted_on: string, today: string): void {
  startNewPeriods(account, today)
  const { used_on } = account
  if (counted_on === used_on) account.used_day = subtractDownToZero(account.used_day, amount)
  if (monthOf(counted_on) === monthOf(used_on)) account.used_month = subtractDownToZero(account.used_month, amount)
  if (yearOf(counted_on) === yearOf(used_on)) account.used_year = subtractDownToZero(account.used_year, amount)
}

/** Starts new periods at zero, each only once: at midnight, a command from yesterday may be decided after one from today. */
function startNewPeriods(account: BatchAccount, today: string): void {
  if (today <= account.used_on) return
  account.used_day = 0n
  if (monthOf(account.used_on) !== monthOf(today)) account.used_month = 0n
  if (yearOf(account.used_on) !== yearOf(today)) account.used_year = 0n
  account.used_on = today
}

function subtractDownToZero(used: Money, amount: Money): Money {
  return used > amount ? used - amount : 0n
}
