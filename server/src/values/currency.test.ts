import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes, decimalsOf, isCurrency, numericOf, parseCurrency } from './currency.ts'

test('currencies have the decimals and numeric codes of ISO 4217', () => {
  const table: [code: string, numeric: string, decimals: number][] = [
    ['EUR', '978', 2],
    ['USD', '840', 2],
    ['GBP', '826', 2],
    ['DZD', '012', 2],
    ['ALL', '008', 2],
    ['MGA', '969', 2],
    ['MRU', '929', 2],
    ['HUF', '348', 2],
    ['IDR', '360', 2],
    ['JPY', '392', 0],
    ['KRW', '410', 0],
    ['XOF', '952', 0],
    ['ISK', '352', 0],
    ['KWD', '414', 3],
    ['BHD', '048', 3],
    ['TND', '788', 3],
    ['CLF', '990', 4],
    ['UYW', '927', 4],
  ]
  for (const [code, numeric, decimals] of table) {
    assert.ok(isCurrency(code), code)
    assert.equal(numericOf(code), numeric, code)
    assert.equal(decimalsOf(code), decimals, code)
  }
})

test('the newest currencies are included and withdrawn ones are not', () => {
  for (const code of ['SLE', 'VED', 'ZWG', 'XCG', 'XAD']) assert.ok(isCurrency(code), code)
  for (const code of ['SLL', 'ZWL', 'ANG', 'CUC', 'HRK', 'BGN', 'BYR', 'STD', 'MRO', 'DEM']) assert.ok(!isCurrency(code), code)
})

test('metals, test codes and units without a minor unit are not currencies', () => {
  for (const code of ['XXX', 'XTS', 'XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XBA']) assert.ok(!isCurrency(code), code)
})

test('every currency has three letters and a unique numeric code', () => {
  assert.equal(currencyCodes.length, 165)
  assert.equal(new Set(currencyCodes.map(numericOf)).size, 165)
  for (const code of currencyCodes) assert.match(`${code} ${numericOf(code)} ${decimalsOf(code)}`, /^[A-Z]{3} \d{3} [0234]$/)
})

test('a currency is parsed in either case and upper-cased', () => {
  for (const text of ['EUR', 'eur', 'eUr']) assert.equal(parseCurrency(text), 'EUR')
  for (const text of ['', 'EU', 'EURO', ' EUR', 'EUR\n', 'XXX', 'uſd', 'constructor']) assert.equal(parseCurrency(text), undefined, text)
})

test('the decimals of an unknown currency throw an error', () => {
  for (const code of ['', 'eur', 'XXX', '__proto__']) {
    assert.equal(isCurrency(code), false)
    assert.throws(() => decimalsOf(code), RangeError)
    assert.throws(() => numericOf(code), RangeError)
  }
})
