// Limits: how much an account may send in a day, a month and a year, counted in UTC.
import { formatMoney, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import type { BatchAccount } from './transfers.batch.ts'

const monthOf = (date: string): string => date.slice(0, 7)
const yearOf = (date: string): string => date.slice(0, 4)

/**
 * Counts an amount and tells on which day, or refuses it because one of the limits would be passed. The account must have been
 * touched.
 */
export function countAgainstLimits(account: BatchAccount, amount: Money, today: string): string {
  turnTo(account, today)
  const periods = [
    { period: 'day', name: 'Daily', limit: account.daily_limit, used: account.used_day },
    { period: 'month', name: 'Monthly', limit: account.monthly_limit, used: account.used_month },
    { period: 'year', name: 'Yearly', limit: account.yearly_limit, used: account.used_year },
  ]
  for (const { period, name, limit, used } of periods) {
    if (limit === null || used + amount <= limit) continue
    const { currency } = account
    const left = moneyText(less(limit, used), currency)
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

/** What ended without completion gives back in those periods that are still running. */
export function giveBack(account: BatchAccount, amount: Money, counted_on: string, today: string): void {
  turnTo(account, today)
  const { used_on } = account
  if (counted_on === used_on) account.used_day = less(account.used_day, amount)
  if (monthOf(counted_on) === monthOf(used_on)) account.used_month = less(account.used_month, amount)
  if (yearOf(counted_on) === yearOf(used_on)) account.used_year = less(account.used_year, amount)
}

/** Begins new periods at zero. None begins twice: at midnight a command of yesterday may be decided after one of today. */
function turnTo(account: BatchAccount, today: string): void {
  if (today <= account.used_on) return
  account.used_day = 0n
  if (monthOf(account.used_on) !== monthOf(today)) account.used_month = 0n
  if (yearOf(account.used_on) !== yearOf(today)) account.used_year = 0n
  account.used_on = today
}

function less(used: Money, amount: Money): Money {
  return used > amount ? used - amount : 0n
}
