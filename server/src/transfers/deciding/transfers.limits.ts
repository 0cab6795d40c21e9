// Limits: how much an account may send per day, month and year (UTC). A transfer stores what it counts, so that exactly this amount is
// given back if it fails.
import { formatMoney, fromNumeric, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import type { TransferType } from '../life/transfers.status.ts'
import { feeOf } from './transfers.amounts.ts'
import type { BatchAccount } from './transfers.batch.ts'

/** When a debit counts. Every type with which a client spends money does. A clearing counts only what exceeds the hold that it takes over. */
const countingTypes: Record<TransferType, 'created' | 'reserved' | 'never'> = {
  FEE: 'never',
  PAYMENT: 'created',
  PAYMENT_CANCELLATION: 'never',
  PAYMENT_RETURN: 'never',
  FEE_CANCELLATION: 'never',
  CCY_EXCHANGE: 'never',
  ADJUSTMENT: 'never',
  PAYMENT_TECHNICAL_REVERSAL: 'never',
  PAYMENT_REVERSAL: 'never',
  CARD_AUTH: 'created',
  CARD_ADVICE: 'created',
  CARD_REVERSAL: 'never',
  FX_POSITION_CLOSING: 'never',
  CARD_CLEARING: 'reserved',
}

export function countedWhen({
  direction,
  transfer_type,
}: Pick<TransferRow, 'direction' | 'transfer_type'>): 'created' | 'reserved' | 'never' {
  return direction === 'OUTBOUND' ? countingTypes[transfer_type] : 'never'
}

const monthOf = (date: string): string => date.slice(0, 7)
const yearOf = (date: string): string => date.slice(0, 4)

/** Counts an amount of a transfer, or refuses if a limit would be exceeded. Touch the account and the transfer first. */
export function countAgainstLimits(account: BatchAccount, transfer: TransferRow, amount: Money, today: string): void {
  startNewPeriods(account, today)
  requireWithinLimits(account, amount)
  account.used_day += amount
  account.used_month += amount
  account.used_year += amount
  transfer.counted_amount = amount
  transfer.counted_on = account.used_on
}

/** The limits of an account and their use, in the periods that it last counted in. */
const periodsOf = (account: BatchAccount) =>
  [
    { period: 'day', name: 'Daily', limit: account.daily_limit, used: account.used_day },
    { period: 'month', name: 'Monthly', limit: account.monthly_limit, used: account.used_month },
    { period: 'year', name: 'Yearly', limit: account.yearly_limit, used: account.used_year },
  ] as const

/** What is left of an account's limits on a day. */
export function limitsLeft(account: BatchAccount, today: string) {
  const now = { ...account }
  startNewPeriods(now, today)
  return periodsOf(now).map(({ period, limit, used }) => ({
    period,
    limit: limit === null ? null : formatMoney(limit, account.currency),
    used: formatMoney(used, account.currency),
    left: limit === null ? null : formatMoney(subtractDownToZero(limit, used), account.currency),
  }))
}

function requireWithinLimits(account: BatchAccount, amount: Money): void {
  for (const { period, name, limit, used } of periodsOf(account)) {
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
}

/** The part of an authorisation's hold that counts: a fee is held too, but does not count. */
export function countedHold(authorisation: TransferRow): Money {
  return subtractDownToZero(authorisation.hold, feeOf(authorisation))
}

/**
 * Counts a clearing that took over part of an authorisation's hold. What the authorisation counted for that part moves to the clearing and
 * stays on its day; anything above that part counts today.
 */
export function countClearing(
  account: BatchAccount,
  clearing: TransferRow,
  { authorisation, part }: { authorisation: TransferRow | undefined; part: Money },
  today: string,
): void {
  const amount = fromNumeric(clearing.debit_amount)
  const covered = smaller(part, amount)
  if (amount > covered && !clearing.exempt) countAgainstLimits(account, clearing, amount - covered, today)
  if (authorisation === undefined) return
  giveBack(account, authorisation, part - covered, today)
  const authorised_amount = smaller(covered, authorisation.counted_amount)
  if (authorised_amount > 0n) Object.assign(clearing, { authorised_amount, authorised_on: authorisation.counted_on })
  countLess(authorisation, authorised_amount)
}

/** Gives back up to an amount of what a transfer counts, in the periods that are still current, its own part first. Touch both first. */
export function giveBack(account: BatchAccount, transfer: TransferRow, amount: Money, today: string): void {
  const { counted_on, authorised_on } = transfer
  const own = smaller(amount, transfer.counted_amount)
  const authorised = smaller(amount - own, transfer.authorised_amount)
  if (counted_on !== null && own > 0n) subtractFromUsage(account, own, counted_on, today)
  if (authorised_on !== null && authorised > 0n) subtractFromUsage(account, authorised, authorised_on, today)
  countLess(transfer, own)
  transfer.authorised_amount -= authorised
  if (transfer.authorised_amount === 0n) transfer.authorised_on = null
}

/** Gives back everything that a transfer counts. */
export function giveBackAll(account: BatchAccount, transfer: TransferRow, today: string): void {
  giveBack(account, transfer, transfer.counted_amount + transfer.authorised_amount, today)
}

function countLess(transfer: TransferRow, amount: Money): void {
  transfer.counted_amount -= amount
  if (transfer.counted_amount === 0n) transfer.counted_on = null
}

function subtractFromUsage(account: BatchAccount, amount: Money, counted_on: string, today: string): void {
  startNewPeriods(account, today)
  const { used_on } = account
  if (counted_on === used_on) account.used_day = subtractDownToZero(account.used_day, amount)
  if (monthOf(counted_on) === monthOf(used_on)) account.used_month = subtractDownToZero(account.used_month, amount)
  if (yearOf(counted_on) === yearOf(used_on)) account.used_year = subtractDownToZero(account.used_year, amount)
}

/** Resets the usage when a period begins, only once: at midnight, a command of yesterday may be decided after one of today. */
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

function smaller(a: Money, b: Money): Money {
  return a < b ? a : b
}
