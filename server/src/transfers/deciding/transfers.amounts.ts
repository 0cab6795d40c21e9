// What a transfer moves: the account's own amount, the amount on the other side, and the rate between them.
import { agrees, convert, deriveRate, formatMoney, type Money, parseMoney, parseRate } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import type { TransferDirection } from '../life/transfers.status.ts'
import type { TransferOrder } from '../transfers.schemas.ts'

export type Amounts = {
  debit_amount: string
  debit_currency: string
  credit_amount: string
  credit_currency: string
  exchange_rate: string | null
  fx_fee_amount: string | null
}

const most: Money = 10n ** 19n

type Setting = {
  direction: TransferDirection
  /** The currency of the account. */
  currency: string
  /** The currency of the other side where it is known beforehand: that of the receiving account. */
  otherCurrency: string | undefined
}

export function amountsOf(order: TransferOrder, { direction, currency, otherCurrency }: Setting): Amounts {
  const [own, other] = direction === 'OUTBOUND' ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const)
  const ownCurrency = order[`${own}_currency`] ?? currency
  if (ownCurrency !== currency) {
    refuse('currency_mismatch', { detail: `The account is in ${currency}, so ${own}_currency must be ${currency}.` })
  }
  const foreign = order[`${other}_currency`] ?? otherCurrency ?? currency
  if (otherCurrency !== undefined && foreign !== otherCurrency) {
    refuse('currency_mismatch', { detail: `The receiving account is in ${otherCurrency}, so ${other}_currency must be ${otherCurrency}.` })
  }
  const given = { own: amount(order, `${own}_amount`, currency), other: amount(order, `${other}_amount`, foreign) }
  if (given.own === undefined && given.other === undefined) refuseField('debit_amount', 'or credit_amount is required')
  const fee = feeOf(order, direction, currency)
  const rate =
    order.exchange_rate == null ? undefined : (parseRate(order.exchange_rate) ?? refuseField('exchange_rate', 'must be above zero'))
  const { ownAmount, otherAmount, exchange_rate } =
    foreign === currency ? sameCurrency(given, rate) : exchanged(given, { rate, own, currency, foreign })
  const shown = { [own]: formatMoney(ownAmount, currency), [other]: formatMoney(otherAmount, foreign) }
  return {
    debit_amount: shown['debit'] ?? '',
    credit_amount: shown['credit'] ?? '',
    debit_currency: own === 'debit' ? currency : foreign,
    credit_currency: own === 'credit' ? currency : foreign,
    exchange_rate,
    fx_fee_amount: fee === undefined ? null : formatMoney(fee, currency),
  }
}

type Given = { own: Money | undefined; other: Money | undefined }
type Agreed = { ownAmount: Money; otherAmount: Money; exchange_rate: string | null }

function sameCurrency({ own, other }: Given, rate: string | undefined): Agreed {
  const ownAmount = own ?? other ?? 0n
  const otherAmount = other ?? ownAmount
  if (ownAmount !== otherAmount) refuse('amount_mismatch', { detail: 'In one currency both amounts are the same.' })
  if (rate !== undefined && rate !== '1') refuse('amount_mismatch', { detail: 'In one currency the exchange rate is 1.' })
  return { ownAmount, otherAmount, exchange_rate: rate ?? null }
}

function exchanged(
  given: Given,
  { rate, own, currency, foreign }: { rate: string | undefined; own: 'debit' | 'credit'; currency: string; foreign: string },
): Agreed {
  if (given.own === undefined) refuse('amount_mismatch', { detail: `Between currencies ${own}_amount is required.` })
  const ownAmount = given.own
  if (given.other === undefined) {
    if (rate === undefined) refuse('amount_mismatch', { detail: 'Between currencies both amounts or one and exchange_rate are required.' })
    // The rate is what one unit of the debit currency is worth in the credit currency.
    if (own === 'credit') refuse('amount_mismatch', { detail: 'Between currencies an inbound transfer needs both amounts.' })
    const otherAmount = convert(ownAmount, rate, foreign)
    if (otherAmount <= 0n || otherAmount >= most) refuse('amount_mismatch', { detail: 'The exchanged amount is out of range.' })
    return { ownAmount, otherAmount, exchange_rate: rate }
  }
  const otherAmount = given.other
  const [debit, credit] = own === 'debit' ? [ownAmount, otherAmount] : [otherAmount, ownAmount]
  if (rate === undefined) {
    const exchange_rate =
      deriveRate({ debit, credit }) ?? refuse('amount_mismatch', { detail: 'No exchange rate can be derived from these amounts.' })
    return { ownAmount, otherAmount, exchange_rate }
  }
  if (!agrees({ debit, credit, creditCurrency: own === 'debit' ? foreign : currency, rate })) {
    refuse('amount_mismatch', { detail: 'credit_amount is not debit_amount times exchange_rate.' })
  }
  return { ownAmount, otherAmount, exchange_rate: rate }
}

type AmountField = 'debit_amount' | 'credit_amount' | 'fx_fee_amount'

function amount(order: TransferOrder, field: AmountField, currency: string): Money | undefined {
  const parsed = decimal(order, field, currency)
  if (parsed === 0n) refuseField(field, 'must be above zero')
  return parsed
}

function feeOf(order: TransferOrder, direction: TransferDirection, currency: string): Money | undefined {
  const fee = decimal(order, 'fx_fee_amount', currency)
  if (fee !== undefined && fee > 0n && direction === 'INBOUND') refuseField('fx_fee_amount', 'is for outbound transfers only')
  return fee
}

function decimal(order: TransferOrder, field: AmountField, currency: string): Money | undefined {
  const text = order[field]
  if (text == null) return undefined
  return parseMoney(text, currency) ?? refuseField(field, `has more decimals than ${currency} has`)
}
