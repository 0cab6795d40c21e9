// Money is a whole number of ten-thousandths, so that sums are exact and every currency fits one scale. Nothing is ever rounded,
// except by an exchange rate.
import { Decimal } from 'decimal.js'
import { decimalsOf } from './currency.ts'

export type Money = bigint

/** A rate as it is written and stored: a decimal above zero with at most ten decimals and no idle zeros. */
export type Rate = string

const scale = 4
const moneyPattern = /^(0|[1-9]\d{0,14})(?:\.(\d{1,4}))?$/
const numericPattern = /^-?\d+(?:\.(\d{1,4}))?$/
const ratePattern = /^(0|[1-9]\d{0,14})(\.\d{1,10})?$/

/** Reads an amount as the API takes it. More decimals than the currency has are refused, even zeros, rather than rounded away. */
export function parseMoney(text: string, currency: string): Money | undefined {
  const found = moneyPattern.exec(text)
  if (found === null) return undefined
  const [, whole = '', decimals = ''] = found
  return decimals.length > decimalsOf(currency) ? undefined : BigInt(whole + decimals.padEnd(scale, '0'))
}

/** Writes exactly the currency's number of decimals. An amount that has more of them was never one of this currency: a bug. */
export function formatMoney(money: Money, currency: string): string {
  const text = toNumeric(money)
  const decimals = decimalsOf(currency)
  const end = text.length - scale + decimals
  if (/[1-9]/.test(text.slice(end))) throw new RangeError(`${text} has more decimals than ${currency}`)
  return text.slice(0, decimals === 0 ? end - 1 : end)
}

/** As people read it: an amount with its currency. */
export function moneyText(money: Money, currency: string): string {
  return `${formatMoney(money, currency)} ${currency}`
}

/** What is wrong with an amount that `parseMoney` does not read although it has the form of one, as the end of a sentence about it. */
export function decimalsRule(currency: string): string {
  const decimals = decimalsOf(currency)
  return decimals === 0
    ? `must be a whole number, because ${currency} has no decimals`
    : `must have at most ${decimals} decimals in ${currency}`
}

/**
 * Writes an amount for people, with the currency's symbol where their language puts it: €12.50 in English, 12,50 € in French. `amount` is as
 * `formatMoney` writes it and never becomes a number, so every digit of it is kept.
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

/** Reads PostgreSQL's text of a numeric with at most four decimals. Anything else would lose money, so it is a bug. */
export function fromNumeric(text: string): Money {
  const found = numericPattern.exec(text)
  if (found === null) throw new RangeError(`${text} is not an amount`)
  const [, decimals = ''] = found
  return BigInt(text.replace('.', '') + '0'.repeat(scale - decimals.length))
}

export function toNumeric(money: Money): string {
  const digits = String(money < 0n ? -money : money).padStart(scale + 1, '0')
  return `${money < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

// An amount times a rate has at most 15 + 15 digits before the point and 14 after it, so 60 digits keep every product exact.
const Fx = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -60, toExpPos: 60 })

/** Reads a rate as the API takes it, or as PostgreSQL writes it. */
export function parseRate(text: string): Rate | undefined {
  if (!ratePattern.test(text)) return undefined
  const rate = new Fx(text)
  return rate.isZero() ? undefined : rate.toFixed()
}

/** Rounds half to even, to the smallest unit of the currency that comes out. */
export function convert(amount: Money, rate: Rate, toCurrency: string): Money {
  return fromNumeric(new Fx(toNumeric(amount)).times(rate).toDecimalPlaces(decimalsOf(toCurrency)).toFixed(scale))
}

type Exchange = { debit: Money; credit: Money }

/** Whether the credit is the debit times the rate, give or take one smallest unit of the credit's currency. */
export function agrees({ debit, credit, creditCurrency, rate }: Exchange & { creditCurrency: string; rate: Rate }): boolean {
  const difference = new Fx(toNumeric(debit)).times(rate).minus(toNumeric(credit)).abs()
  return difference.lessThanOrEqualTo(toNumeric(minorUnit(creditCurrency)))
}

/** The rate between two amounts above zero, to ten decimals; undefined when it is too small or too large to be written so. */
export function deriveRate({ debit, credit }: Exchange): Rate | undefined {
  if (debit <= 0n || credit <= 0n) throw new RangeError('a rate lies between two amounts above zero')
  return parseRate(new Fx(credit.toString()).dividedBy(debit.toString()).toDecimalPlaces(10).toFixed())
}

const minorUnits = [10_000n, 1_000n, 100n, 10n, 1n] as const

/** The smallest amount of a currency, such as a cent. */
export function minorUnit(currency: string): Money {
  return minorUnits[decimalsOf(currency)] ?? 1n
}
