// Money is an integer number of ten-thousandths, so sums are exact and one scale works for every currency. Only a conversion by an
// exchange rate rounds.
import { Decimal } from 'decimal.js'
import { decimalsOf } from './currency.ts'

export type Money = bigint

/** An exchange rate as stored: a positive decimal with at most ten decimals and no trailing zeros. */
export type Rate = string

const scale = 4
const moneyPattern = /^(0|[1-9]\d{0,14})(?:\.(\d{1,4}))?$/
const one = 10n ** BigInt(scale)
const numericPattern = /^-?\d+(?:\.\d{1,4})?$/
const ratePattern = /^(0|[1-9]\d{0,14})(\.\d{1,10})?$/

/** Parses an amount of the API. An amount with more decimals than its currency is refused, not rounded, even if they are zeros. */
export function parseMoney(text: string, currency: string): Money | undefined {
  const found = moneyPattern.exec(text)
  if (found === null) return undefined
  const [, whole = '', decimals = ''] = found
  return decimals.length > decimalsOf(currency) ? undefined : BigInt(whole + decimals.padEnd(scale, '0'))
}

/** Formats with exactly the currency's number of decimals. An amount that has more is a bug. */
export function formatMoney(money: Money, currency: string): string {
  const text = toNumeric(money)
  const decimals = decimalsOf(currency)
  const end = text.length - scale + decimals
  if (/[1-9]/.test(text.slice(end))) throw new RangeError(`${text} has more decimals than ${currency}`)
  return text.slice(0, decimals === 0 ? end - 1 : end)
}

/** The amount with its currency, for messages. */
export function moneyText(money: Money, currency: string): string {
  return `${formatMoney(money, currency)} ${currency}`
}

/** The end of a sentence that says why `parseMoney` refused a well-formed amount. */
export function decimalsRule(currency: string): string {
  const decimals = decimalsOf(currency)
  return decimals === 0
    ? `must be a whole number, because ${currency} has no decimals`
    : `must have at most ${decimals} decimals in ${currency}`
}

/**
 * Formats an amount for people in their language: €12.50 in English, 12,50 € in French. `amount` is a result of `formatMoney` and is never
 * converted to a number, so no digit is lost.
 */
export function localizeMoney(amount: string, currency: string, locale: string): string {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(amount as `${number}`)
}

/** Parses PostgreSQL's text of a numeric with at most four decimals. Any other text would lose money, so it is a bug. */
export function fromNumeric(text: string): Money {
  if (!numericPattern.test(text)) throw new RangeError(`${text} is not an amount`)
  const point = text.indexOf('.')
  if (point === -1) return BigInt(text) * one
  const decimals = text.length - point - 1
  const digits = text.slice(0, point) + text.slice(point + 1)
  return BigInt(decimals === scale ? digits : digits + '0'.repeat(scale - decimals))
}

export function toNumeric(money: Money): string {
  const digits = String(money < 0n ? -money : money).padStart(scale + 1, '0')
  return `${money < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

// An amount times a rate has at most 15 + 15 digits before the point and 14 after it, so with 60 digits every product is exact.
const Fx = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -60, toExpPos: 60 })

/** Parses a rate from the API or from PostgreSQL. */
export function parseRate(text: string): Rate | undefined {
  if (!ratePattern.test(text)) return undefined
  const rate = new Fx(text)
  return rate.isZero() ? undefined : rate.toFixed()
}

/** Rounds half to even, to the smallest unit of the target currency. */
export function convert(amount: Money, rate: Rate, toCurrency: string): Money {
  return fromNumeric(new Fx(toNumeric(amount)).times(rate).toDecimalPlaces(decimalsOf(toCurrency)).toFixed(scale))
}

/** What the bank pays for an amount at its own rate: rounded down, so nobody gains by exchanging back and forth. */
export function convertDown(amount: Money, rate: Rate, toCurrency: string): Money {
  return fromNumeric(new Fx(toNumeric(amount)).times(rate).toDecimalPlaces(decimalsOf(toCurrency), Decimal.ROUND_DOWN).toFixed(scale))
}

/** A share of an amount, such as a fee of 0.005, rounded half up to the smallest unit of the currency. */
export function shareOf(amount: Money, share: string, currency: string): Money {
  const exact = new Fx(toNumeric(amount)).times(share)
  return fromNumeric(exact.toDecimalPlaces(decimalsOf(currency), Decimal.ROUND_HALF_UP).toFixed(scale))
}

type Exchange = { debit: Money; credit: Money }

/** Whether the credit is the debit times the rate, within one smallest unit of the credit currency. */
export function matchesRate({ debit, credit, creditCurrency, rate }: Exchange & { creditCurrency: string; rate: Rate }): boolean {
  const difference = new Fx(toNumeric(debit)).times(rate).minus(toNumeric(credit)).abs()
  return difference.lessThanOrEqualTo(toNumeric(minorUnit(creditCurrency)))
}

/** The rate between two positive amounts, to ten decimals; undefined if it is too small or too large. */
export function deriveRate({ debit, credit }: Exchange): Rate | undefined {
  if (debit <= 0n || credit <= 0n) throw new RangeError('a rate lies between two amounts above zero')
  return parseRate(new Fx(credit.toString()).dividedBy(debit.toString()).toDecimalPlaces(10).toFixed())
}

const minorUnits = [10_000n, 1_000n, 100n, 10n, 1n] as const

/** The smallest amount of a currency, such as a cent. */
export function minorUnit(currency: string): Money {
  return minorUnits[decimalsOf(currency)] ?? 1n
}
