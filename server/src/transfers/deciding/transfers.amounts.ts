// Amounts of a transfer: the amount on the account's side, the amount on the other side, and the exchange rate between them.
import type { Quote } from '../../rates/rates.ts'
import {
  convert,
  convertDown,
  decimalsRule,
  deriveRate,
  formatMoney,
  fromNumeric,
  type Money,
  matchesRate,
  moneyText,
  parseMoney,
  parseRate,
  shareOf,
} from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import type { TransferDirection } from '../life/transfers.status.ts'

export type Amounts = {
  debit_amount: string
  debit_currency: string
  credit_amount: string
  credit_currency: string
  exchange_rate: string | null
  fx_fee_amount: string | null
}

const maxAmount: Money = 10n ** 19n

/** The names of the fields of each side, as constants: building them from parts for each lookup would cost more than everything else here. */
export const sideFields = {
  debit: { amount: 'debit_amount', currency: 'debit_currency' },
  credit: { amount: 'credit_amount', currency: 'credit_currency' },
} as const

type AmountContext = {
  direction: TransferDirection
  /** The currency of the account. */
  currency: string
  /** The currency of the receiving account, if the other side is an account of the same venture. */
  otherCurrency: string | undefined
  /** The bank's rates, for an order without one; undefined if the venture processes its own transfers. */
  rates: readonly Quote[] | undefined
}

/** `quoted`: the rate is the bank's. */
export function amountsOf(
  given: TransferOrder,
  { direction, currency, otherCurrency, rates }: AmountContext,
): { amounts: Amounts; quoted: boolean } {
  const quote = rates === undefined ? undefined : quoteFor(given, { direction, currency, otherCurrency, rates })
  const order = quote === undefined ? given : { ...given, exchange_rate: quote.rate, fx_fee_amount: feeAt(quote, given, currency) }
  const [own, other] = direction === 'OUTBOUND' ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const)
  const ownCurrency = order[sideFields[own].currency] ?? currency
  if (ownCurrency !== currency) {
    refuse('currency_mismatch', { detail: `The account is in ${currency}, so ${own}_currency must be ${currency}, not ${ownCurrency}.` })
  }
  const foreign = order[sideFields[other].currency] ?? otherCurrency ?? currency
  if (otherCurrency !== undefined && foreign !== otherCurrency) {
    refuse('currency_mismatch', {
      detail: `The receiving account is in ${otherCurrency}, so ${other}_currency must be ${otherCurrency}, not ${foreign}.`,
    })
  }
  const requested = { own: amount(order, sideFields[own].amount, currency), other: amount(order, sideFields[other].amount, foreign) }
  if (requested.own === undefined && requested.other === undefined) refuseField('debit_amount', 'or credit_amount is required')
  const fee = requestedFee(order, { direction, currency, foreign })
  const rate =
    order.exchange_rate == null ? undefined : (parseRate(order.exchange_rate) ?? refuseField('exchange_rate', 'must be greater than zero'))
  const { ownAmount, otherAmount, exchange_rate } =
    foreign === currency
      ? sameCurrency(requested, { rate, own, currency })
      : differentCurrencies(requested, { rate, own, currency, foreign, quoted: quote !== undefined })
  const [ownText, otherText] = [formatMoney(ownAmount, currency), formatMoney(otherAmount, foreign)]
  const amounts = {
    debit_amount: own === 'debit' ? ownText : otherText,
    credit_amount: own === 'credit' ? ownText : otherText,
    debit_currency: own === 'debit' ? currency : foreign,
    credit_currency: own === 'credit' ? currency : foreign,
    exchange_rate,
    fx_fee_amount: fee === undefined ? null : formatMoney(fee, currency),
  }
  return { amounts, quoted: quote !== undefined }
}

/** The bank's rate for an OUTBOUND order in two currencies with neither a rate nor the other amount. Rates are never inverted. */
function quoteFor(
  { credit_currency, credit_amount, exchange_rate }: TransferOrder,
  { direction, currency, otherCurrency, rates }: AmountContext & { rates: readonly Quote[] },
): Quote | undefined {
  const foreign = credit_currency ?? otherCurrency ?? currency
  if (direction === 'INBOUND' || foreign === currency || exchange_rate != null || credit_amount != null) return undefined
  return (
    rates.find(({ from_currency, to_currency }) => from_currency === currency && to_currency === foreign) ??
    refuse('rate_missing', { detail: `The bank has no valid rate from ${currency} to ${foreign} now.` })
  )
}

function feeAt({ margin }: Quote, order: TransferOrder, currency: string): string {
  if (order.fx_fee_amount != null) return order.fx_fee_amount
  return formatMoney(shareOf(amount(order, 'debit_amount', currency) ?? 0n, margin, currency), currency)
}

type RequestedAmounts = { own: Money | undefined; other: Money | undefined }
type ResolvedAmounts = { ownAmount: Money; otherAmount: Money; exchange_rate: string | null }

type Terms = { rate: string | undefined; own: 'debit' | 'credit'; currency: string }

function sameCurrency(requested: RequestedAmounts, { rate, own, currency }: Terms): ResolvedAmounts {
  const ownAmount = requested.own ?? requested.other ?? 0n
  const otherAmount = requested.other ?? ownAmount
  if (ownAmount !== otherAmount) {
    const [debit, credit] = own === 'debit' ? [ownAmount, otherAmount] : [otherAmount, ownAmount]
    const texts = `debit_amount is ${moneyText(debit, currency)} and credit_amount is ${moneyText(credit, currency)}`
    mismatch(`${texts}, but in one currency both must be equal.`)
  }
  if (rate !== undefined && rate !== '1') mismatch(`Both amounts are in ${currency}, so exchange_rate must be 1 or left out, not ${rate}.`)
  return { ownAmount, otherAmount, exchange_rate: rate ?? null }
}

function differentCurrencies(
  requested: RequestedAmounts,
  { rate, own, currency, foreign, quoted }: Terms & { foreign: string; quoted: boolean },
): ResolvedAmounts {
  const [from, to] = own === 'debit' ? [currency, foreign] : [foreign, currency]
  if (requested.own === undefined) return mismatch(`A transfer from ${from} to ${to} needs ${own}_amount.`)
  const ownAmount = requested.own
  if (requested.other === undefined) {
    // The rate is what one unit of the debit currency is worth in the credit currency.
    if (own === 'credit') return mismatch(`An inbound transfer from ${from} to ${to} needs both debit_amount and credit_amount.`)
    if (rate === undefined)
      return mismatch(`A transfer from ${from} to ${to} needs credit_amount or exchange_rate in addition to debit_amount.`)
    const otherAmount = quoted ? convertDown(ownAmount, rate, foreign) : convert(ownAmount, rate, foreign)
    if (otherAmount <= 0n || otherAmount >= maxAmount) {
      const size = otherAmount <= 0n ? 'small' : 'large'
      // The venture cannot change the bank's rate.
      const remedy = quoted ? ` ${otherAmount <= 0n ? 'Increase' : 'Reduce'} debit_amount.` : ''
      const product = `${moneyText(ownAmount, currency)} times ${rate} is ${moneyText(otherAmount, foreign)}`
      mismatch(`${product}, which is too ${size}.${remedy}`)
    }
    return { ownAmount, otherAmount, exchange_rate: rate }
  }
  const otherAmount = requested.other
  const [debit, credit] = own === 'debit' ? [ownAmount, otherAmount] : [otherAmount, ownAmount]
  if (rate === undefined) {
    const exchange_rate =
      deriveRate({ debit, credit }) ??
      mismatch(
        `The rate from ${moneyText(debit, from)} to ${moneyText(credit, to)} is too small or too large for exchange_rate: check both amounts.`,
      )
    return { ownAmount, otherAmount, exchange_rate }
  }
  if (!matchesRate({ debit, credit, creditCurrency: to, rate })) {
    const product = moneyText(convert(debit, rate, to), to)
    mismatch(`${moneyText(debit, from)} times ${rate} is ${product}, but credit_amount is ${moneyText(credit, to)}.`)
  }
  return { ownAmount, otherAmount, exchange_rate: rate }
}

function mismatch(detail: string): never {
  refuse('amount_mismatch', { detail })
}

type AmountField = 'debit_amount' | 'credit_amount' | 'fx_fee_amount'

function amount(order: TransferOrder, field: AmountField, currency: string): Money | undefined {
  const parsed = decimal(order, field, currency)
  if (parsed === 0n) refuseField(field, 'must be greater than zero')
  return parsed
}

function requestedFee(
  order: TransferOrder,
  { direction, currency, foreign }: { direction: TransferDirection; currency: string; foreign: string },
): Money | undefined {
  const fee = decimal(order, 'fx_fee_amount', currency)
  if (fee === undefined || fee === 0n) return fee
  if (direction === 'INBOUND') refuseField('fx_fee_amount', 'is only allowed for outbound transfers')
  if (foreign === currency) refuseField('fx_fee_amount', `is only allowed between two currencies, and both amounts are in ${currency}`)
  return fee
}

/** The exchange fee of a transfer. */
export function feeOf({ fx_fee_amount }: Pick<Amounts, 'fx_fee_amount'>): Money {
  return fx_fee_amount === null ? 0n : fromNumeric(fx_fee_amount)
}

function decimal(order: TransferOrder, field: AmountField, currency: string): Money | undefined {
  const text = order[field]
  if (text == null) return undefined
  return parseMoney(text, currency) ?? refuseField(field, decimalsRule(currency))
}
