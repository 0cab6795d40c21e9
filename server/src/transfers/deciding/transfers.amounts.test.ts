// The bank's own rates: the bank never gives more than it got.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Quote } from '../../rates/rates.ts'
import { currencyCodes, decimalsOf } from '../../values/currency.ts'
import { formatMoney, fromNumeric, type Money } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import { amountsOf } from './transfers.amounts.ts'

/** The cost of an order at the bank's rate, and the amount it delivers; undefined if the order is refused. */
function exchange(debit: Money, quote: Quote): { cost: Money; credit: Money } | undefined {
  const { from_currency: currency, to_currency } = quote
  const order = { debit_amount: formatMoney(debit, currency) } as Parameters<typeof amountsOf>[0]
  try {
    const { amounts } = amountsOf(order, { direction: 'OUTBOUND', currency, otherCurrency: to_currency, rates: [quote] })
    return { cost: debit + fromNumeric(amounts.fx_fee_amount ?? '0'), credit: fromNumeric(amounts.credit_amount) }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

test('the credit at the rate of the bank is rounded down, and an order that would get nothing is refused', () => {
  const yen: Quote = { from_currency: 'JPY', to_currency: 'EUR', rate: '0.006', margin: '0' }
  assert.equal(exchange(fromNumeric('3'), yen)?.credit, fromNumeric('0.01'))
  const order = { debit_amount: '1' } as Parameters<typeof amountsOf>[0]
  assert.throws(() => amountsOf(order, { direction: 'OUTBOUND', currency: 'JPY', otherCurrency: 'EUR', rates: [yen] }), {
    code: 'amount_mismatch',
    message: '1 JPY times 0.006 is 0.00 EUR, which is too small. Increase debit_amount.',
  })
})

test('no sequence of exchanges there and back at the rates of the bank gains', () => {
  const scale = 10n ** 10n
  const decimal = (units: bigint) => `${units / scale}.${String(units % scale).padStart(10, '0')}`
  // Exchanging there and back yields at most what one started with. Rounding errors show best at exactly 1, with no margin and small amounts.
  const rates = fc.bigInt(1n, 10n ** 14n).chain((there) => {
    const most = 10n ** 20n / there
    return fc.tuple(fc.constant(there), fc.oneof(fc.constant(most), fc.bigInt(1n, most)))
  })
  const margin = fc.oneof(fc.constant(0n), fc.bigInt(0n, scale / 10n))
  const units = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 2_000n))
  const amounts = fc.array(fc.tuple(fc.boolean(), units), { minLength: 1, maxLength: 40 })
  const pair = fc.uniqueArray(fc.constantFrom(...currencyCodes), { minLength: 2, maxLength: 2 })
  let exchanged = 0
  fc.assert(
    fc.property(pair, rates, margin, margin, amounts, ([home = '', abroad = ''], [there, back], one, other, steps) => {
      const quotes: Record<'there' | 'back', Quote> = {
        there: { from_currency: home, to_currency: abroad, rate: decimal(there), margin: decimal(one) },
        back: { from_currency: abroad, to_currency: home, rate: decimal(back), margin: decimal(other) },
      }
      const unit = (code: string) => 10n ** BigInt(4 - decimalsOf(code))
      const start = 20_000n * unit(home)
      const purse = { there: start, back: 0n }
      for (const [goes, units] of steps) {
        const [from, to] = goes ? (['there', 'back'] as const) : (['back', 'there'] as const)
        const made = exchange(units * unit(quotes[from].from_currency), quotes[from])
        if (made === undefined || made.cost > purse[from]) continue
        purse[from] -= made.cost
        purse[to] += made.credit
        exchanged++
      }
      // Everything that is left abroad comes home in one piece, without a fee.
      const rest = purse.back === 0n ? undefined : exchange(purse.back, { ...quotes.back, margin: '0' })
      assert.ok(purse.there + (rest?.credit ?? 0n) <= start)
    }),
    // Rounding half up would turn one yen for a cent into two cents: at 0.006 there and 166.66 back.
    {
      examples: [
        [
          ['JPY', 'EUR'],
          [60_000_000n, 1_666_666_666_666n],
          0n,
          0n,
          [
            [true, 1n],
            [false, 1n],
          ],
        ],
      ],
    },
  )
  assert.ok(exchanged > 100, `only ${exchanged} exchanges were made`)
})
