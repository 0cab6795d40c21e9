import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alpha3Codes, alpha3ToAlpha2 } from '../values/country.ts'
import { bbanLengthOf, makeIban } from '../values/iban.ts'
import { accountShape } from './accounts.number.ts'

test('the part after the bank code has letters where the country requires them', () => {
  const shapes: [string, string, string][] = [
    ['LT', '99990', '0'.repeat(11)],
    ['GB', 'VOST', '0'.repeat(14)],
    ['GB', 'VO', `AA${'0'.repeat(14)}`],
    ['IT', 'X', '0'.repeat(22)],
    ['BR', '99999999', `${'0'.repeat(15)}AA`],
    ['MU', 'VOST', `${'0'.repeat(19)}AAA`],
  ]
  for (const [country, code, shape] of shapes) assert.equal(accountShape({ country, code }), shape, country)
  assert.equal(accountShape({ country: 'US', code: '1' }), undefined)
  assert.equal(accountShape({ country: 'NO', code: '999999' }), undefined, 'too little is left')
})

test('every country that has IBANs can be the country of a bank', () => {
  const countries = alpha3Codes.map((code) => alpha3ToAlpha2(code) ?? '').filter((country) => bbanLengthOf(country) !== undefined)
  assert.ok(countries.length > 80)
  for (const country of countries) {
    const shape = accountShape({ country, code: '' }) ?? assert.fail(country)
    assert.ok(makeIban(country, shape))
  }
})
