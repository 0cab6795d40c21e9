import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyCodes, decimalsOf } from './currency.ts'
import {
  convert,
  convertDown,
  deriveRate,
  formatMoney,
  fromNumeric,
  localizeMoney,
  type Money,
  matchesRate,
  parseMoney,
  parseRate,
  shareOf,
  toNumeric,
} from './money.ts'

const currency = fc.constantFrom(...currencyCodes)
const largest = 10n ** 15n - 1n

/** The smallest unit of a currency in ten-thousandths. */
const unit = (code: string): Money => 10n ** BigInt(4 - decimalsOf(code))

/** A valid amount of a currency, with the currency. */
const amount = currency.chain((code) =>
  fc.record({
    code: fc.constant(code),
    money: fc.bigInt(1n, largest * 10n ** BigInt(decimalsOf(code))).map((units) => units * unit(code)),
  }),
)
const anyMoney = fc.bigInt(-(largest * 10_000n), largest * 10_000n)
const rate = fc
  .bigInt(1n, 10n ** 16n)
  .map((digits) => parseRate(`${digits / 10n ** 10n}.${String(digits % 10n ** 10n).padStart(10, '0')}`) ?? '1')

test('amounts are parsed to the ten-thousandth', () => {
  const table: [text: string, code: string, money: Money][] = [
    ['0', 'EUR', 0n],
    ['0.01', 'EUR', 100n],
    ['10', 'EUR', 100_000n],
    ['10.0', 'EUR', 100_000n],
    ['10.00', 'EUR', 100_000n],
    ['10.5', 'EUR', 105_000n],
    ['10', 'JPY', 100_000n],
    ['1.234', 'KWD', 12_340n],
    ['1.2345', 'CLF', 12_345n],
    ['0.0001', 'CLF', 1n],
    ['999999999999999.99', 'EUR', 9_999_999_999_999_999_900n],
    ['999999999999999.9999', 'UYW', 9_999_999_999_999_999_999n],
  ]
  for (const [text, code, money] of table) assert.equal(parseMoney(text, code), money, `${text} ${code}`)
})

test('anything but a plain decimal of the currency is refused and never rounded', () => {
  const euros = ['', ' ', '.', '-1', '+1', '01', '00', '1.', '.5', '1.000', '1.005', '1,00', '1 000', '1e3', '0x10', 'NaN', 'Infinity']
  for (const text of [...euros, '1000000000000000', '1.00\n', '\n1', '١', '１', '1_000', '1.0.0']) {
    assert.equal(parseMoney(text, 'EUR'), undefined, JSON.stringify(text))
  }
  const others: [text: string, code: string][] = [
    ['10.0', 'JPY'],
    ['10.5', 'JPY'],
    ['1.2345', 'KWD'],
    ['1.23456', 'CLF'],
  ]
  for (const [text, code] of others) assert.equal(parseMoney(text, code), undefined, `${text} ${code}`)
})

test('amounts are formatted with exactly the decimals of their currency', () => {
  const table: [money: Money, code: string, text: string][] = [
    [0n, 'EUR', '0.00'],
    [100n, 'EUR', '0.01'],
    [100_000n, 'EUR', '10.00'],
    [-100n, 'EUR', '-0.01'],
    [-30_000n, 'EUR', '-3.00'],
    [0n, 'JPY', '0'],
    [100_000n, 'JPY', '10'],
    [-100_000n, 'JPY', '-10'],
    [12_340n, 'KWD', '1.234'],
    [12_345n, 'CLF', '1.2345'],
  ]
  for (const [money, code, text] of table) assert.equal(formatMoney(money, code), text)
})

test('formatting an amount with more decimals than its currency throws an error', () => {
  assert.throws(() => formatMoney(1n, 'EUR'), RangeError)
  assert.throws(() => formatMoney(-100_001n, 'JPY'), RangeError)
  assert.throws(() => formatMoney(100_000n, 'XXX'), RangeError)
  assert.throws(() => parseMoney('1', 'XXX'), RangeError)
})

test('formatting and parsing return the same amount', () => {
  fc.assert(fc.property(amount, ({ code, money }) => assert.equal(parseMoney(formatMoney(money, code), code), money)))
})

test('parsing keeps every digit, however many there are', () => {
  const digits = fc.tuple(fc.bigInt(0n, largest), fc.nat(9999)).map(([whole, part]) => ({ whole, part }))
  fc.assert(
    fc.property(digits, ({ whole, part }) =>
      assert.equal(parseMoney(`${whole}.${String(part).padStart(4, '0')}`, 'CLF'), whole * 10_000n + BigInt(part)),
    ),
  )
})

test('sums are exact', () => {
  assert.equal(formatMoney((parseMoney('0.1', 'EUR') ?? 0n) + (parseMoney('0.2', 'EUR') ?? 0n), 'EUR'), '0.30')
  const cents = Array.from({ length: 1_000 }, () => parseMoney('999999999999999.99', 'EUR') ?? 0n)
  assert.equal(
    formatMoney(
      cents.reduce((sum, money) => sum + money, 0n),
      'EUR',
    ),
    '999999999999999990.00',
  )
  fc.assert(
    fc.property(fc.array(anyMoney), (list) => {
      const sum = list.reduce((total, money) => total + fromNumeric(toNumeric(money)), 0n)
      assert.equal(
        list.reduceRight((rest, money) => rest - money, sum),
        0n,
      )
    }),
  )
})

test('amounts survive a round trip through PostgreSQL', () => {
  const table: [text: string, money: Money][] = [
    ['12.5000', 125_000n],
    ['-3.0000', -30_000n],
    ['0.0000', 0n],
    ['-0.0001', -1n],
    ['9999999999999999999.9999', 99_999_999_999_999_999_999_999n],
  ]
  for (const [text, money] of table) {
    assert.equal(fromNumeric(text), money)
    assert.equal(toNumeric(money), text)
  }
  // PostgreSQL queries often write the sum over no rows as a bare 0.
  assert.equal(fromNumeric('0'), 0n)
  assert.equal(fromNumeric('7'), 70_000n)
  assert.equal(fromNumeric('-7.5'), -75_000n)
  for (const text of ['', 'NaN', 'Infinity', '1.00000', '1e3', '.5', '1.', '--1', '1 ', '0x1'])
    assert.throws(() => fromNumeric(text), RangeError)
  fc.assert(fc.property(anyMoney, (money) => assert.equal(fromNumeric(toNumeric(money)), money)))
})

test('rates are positive, have up to ten decimals and lose trailing zeros', () => {
  const table: [text: string, rate: string | undefined][] = [
    ['1', '1'],
    ['1.0', '1'],
    ['1.1000000000', '1.1'],
    ['0.0000000001', '0.0000000001'],
    ['149.95', '149.95'],
    ['999999999999999.9999999999', '999999999999999.9999999999'],
    ['0', undefined],
    ['0.0000000000', undefined],
    ['-1', undefined],
    ['+1', undefined],
    ['1.00000000001', undefined],
    ['1e-3', undefined],
    ['01', undefined],
    ['.5', undefined],
    ['1.', undefined],
    ['', undefined],
    ['Infinity', undefined],
    ['1\n', undefined],
  ]
  for (const [text, expected] of table) assert.equal(parseRate(text), expected, text)
})

test('a conversion rounds half to even, to the smallest unit of the target currency', () => {
  const table: [text: string, from: string, rate: string, to: string, result: string][] = [
    ['100.00', 'EUR', '1.1', 'USD', '110.00'],
    ['100.00', 'EUR', '160.555', 'JPY', '16056'],
    ['1.00', 'EUR', '0.125', 'USD', '0.12'],
    ['1.00', 'EUR', '0.135', 'USD', '0.14'],
    ['1.00', 'EUR', '0.1250000001', 'USD', '0.13'],
    ['1.00', 'EUR', '2.5', 'JPY', '2'],
    ['1.00', 'EUR', '3.5', 'JPY', '4'],
    ['1000', 'JPY', '0.0062345', 'EUR', '6.23'],
    ['1.00', 'EUR', '0.3345', 'KWD', '0.334'],
    ['0.01', 'EUR', '0.1', 'USD', '0.00'],
    ['999999999999999.99', 'EUR', '1', 'USD', '999999999999999.99'],
  ]
  for (const [text, from, by, to, result] of table) {
    assert.equal(formatMoney(convert(parseMoney(text, from) ?? 0n, by, to), to), result, `${text} ${from} × ${by} in ${to}`)
  }
})

test('a conversion is within half a unit of the exact product, however large', () => {
  fc.assert(
    fc.property(amount, rate, currency, ({ money }, by, to) => {
      const [whole = '', decimals = ''] = by.split('.')
      const exact = money * BigInt(whole + decimals.padEnd(10, '0'))
      const difference = convert(money, by, to) * 10n ** 10n - exact
      assert.ok(2n * (difference < 0n ? -difference : difference) <= unit(to) * 10n ** 10n)
    }),
  )
})

test('what the bank gives at its own rate is rounded down, to the smallest unit of the target currency', () => {
  for (const [given, rate, to, result] of [
    ['1.00', '0.006', 'EUR', '0.00'],
    ['2.00', '0.006', 'EUR', '0.01'],
    ['1.00', '1.999', 'JPY', '1'],
    ['100.00', '1.0825', 'USD', '108.25'],
  ] as const)
    assert.equal(formatMoney(convertDown(fromNumeric(given), rate, to), to), result)
})

test('credit and debit match a rate within one smallest unit of the credit', () => {
  const table: [debit: string, rate: string, credit: string, creditCurrency: string, agreed: boolean][] = [
    ['100.00', '1.1', '110.00', 'USD', true],
    ['100.00', '1.1', '110.01', 'USD', true],
    ['100.00', '1.1', '109.99', 'USD', true],
    ['100.00', '1.1', '110.02', 'USD', false],
    ['100.00', '1.1', '109.98', 'USD', false],
    ['100.00', '1.10001', '110.01', 'USD', true],
    ['100.00', '1.10001', '109.99', 'USD', false],
    ['100.00', '160.555', '16055', 'JPY', true],
    ['100.00', '160.555', '16056', 'JPY', true],
    ['100.00', '160.555', '16057', 'JPY', false],
  ]
  for (const [debit, by, credit, creditCurrency, agreed] of table) {
    const exchange = { debit: parseMoney(debit, 'EUR') ?? 0n, credit: parseMoney(credit, creditCurrency) ?? 0n }
    assert.equal(matchesRate({ ...exchange, creditCurrency, rate: by }), agreed, `${debit} × ${by} = ${credit} ${creditCurrency}`)
  }
})

test('a converted amount matches its rate', () => {
  fc.assert(
    fc.property(amount, rate, currency, ({ money }, by, to) =>
      assert.ok(matchesRate({ debit: money, credit: convert(money, by, to), creditCurrency: to, rate: by })),
    ),
  )
})

test('a share of an amount is rounded half up to the smallest unit of its currency', () => {
  const cases: [amount: string, share: string, currency: string, fee: string][] = [
    ['101.00', '0.005', 'EUR', '0.51'],
    ['100.99', '0.005', 'EUR', '0.50'],
    ['0.90', '0.005', 'EUR', '0.00'],
    ['1.00', '0.005', 'EUR', '0.01'],
    ['150', '0.01', 'JPY', '2'],
    ['149', '0.01', 'JPY', '1'],
    ['1.000', '0.0005', 'KWD', '0.001'],
    ['999999999999999.99', '0.9999999999', 'EUR', '999999999899999.99'],
    ['12.34', '0', 'EUR', '0.00'],
    ['12.50', '0.014', 'EUR', '0.18'],
    ['12.46', '0.014', 'EUR', '0.17'],
    ['0.35', '0.014', 'EUR', '0.00'],
    ['0.36', '0.014', 'EUR', '0.01'],
    ['25', '0.02', 'JPY', '1'],
    ['24', '0.02', 'JPY', '0'],
    ['1.500', '0.001', 'TND', '0.002'],
    ['999999999999999.99', '0', 'EUR', '0.00'],
  ]
  for (const [amount, share, code, fee] of cases)
    assert.equal(formatMoney(shareOf(fromNumeric(amount), share, code), code), fee, `${share} of ${amount} ${code}`)
})

test('a rate is derived to ten decimals', () => {
  const table: [debit: Money, credit: Money, rate: string | undefined][] = [
    [1_000_000n, 1_100_000n, '1.1'],
    [1_000_000n, 1_000_000n, '1'],
    [30_000n, 10_000n, '0.3333333333'],
    [30_000n, 20_000n, '0.6666666667'],
    [1n, 10n ** 19n, undefined],
    [10n ** 19n, 1n, undefined],
  ]
  for (const [debit, credit, expected] of table) assert.equal(deriveRate({ debit, credit }), expected)
  assert.throws(() => deriveRate({ debit: 0n, credit: 1n }), RangeError)
  assert.throws(() => deriveRate({ debit: 1n, credit: -1n }), RangeError)
})

test('a derived rate matches everyday amounts', () => {
  const everyday = fc.bigInt(100n, 10_000_000n).map((cents) => cents * 100n)
  fc.assert(
    fc.property(everyday, everyday, (debit, credit) => {
      const by = deriveRate({ debit, credit })
      assert.ok(by !== undefined && matchesRate({ debit, credit, creditCurrency: 'EUR', rate: by }))
    }),
  )
})

test('amounts are localized for people in their language', () => {
  for (const [amount, code, locale, expected] of [
    ['12.50', 'EUR', 'en-GB', '€12.50'],
    ['1234.50', 'EUR', 'fr-DZ', '1\u202f234,50\u00a0€'],
    ['1234.50', 'DZD', 'fr-DZ', '1\u202f234,50\u00a0DA'],
    ['1234.50', 'DZD', 'ar-DZ', '\u200f1.234,50\u00a0د.ج.\u200f'],
    ['1000', 'JPY', 'en-GB', 'JP¥1,000'],
    ['0.500', 'KWD', 'en-GB', 'KWD\u00a00.500'],
    ['0.0001', 'CLF', 'en-GB', 'CLF\u00a00.0001'],
  ] as const) {
    assert.equal(localizeMoney(amount, code, locale), expected)
  }
})

test('localizing an amount keeps every digit', () => {
  const digitsOf = (text: string) => text.replace(/\D/g, '')
  fc.assert(
    fc.property(amount, fc.constantFrom('en-GB', 'fr-DZ', 'ar-DZ'), ({ code, money }, locale) => {
      const written = formatMoney(money, code)
      assert.equal(digitsOf(localizeMoney(written, code, locale)), digitsOf(written))
    }),
  )
})
