import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alpha2ToAlpha3, alpha3Codes, alpha3ToAlpha2, parseAlpha3 } from './country.ts'

test('a country is parsed in either case and upper-cased', () => {
  for (const text of ['FRA', 'fra', 'Fra']) assert.equal(parseAlpha3(text), 'FRA')
})

test('an invalid alpha-3 code is refused', () => {
  for (const text of ['', 'FR', 'FRAN', 'XXX', 'ZZZ', 'YUG', 'EUR', ' FRA', 'FRA ', 'FRA\n', '250', 'constructor']) {
    assert.equal(parseAlpha3(text), undefined, JSON.stringify(text))
  }
})

test('non-ASCII letters whose upper case is ASCII are refused', () => {
  for (const text of ['ıta', 'uſa', 'ruß', '\u212aOR', 'ＦＲＡ']) assert.equal(parseAlpha3(text), undefined, text)
})

test('Kosovo is XKX and XK, and nothing else', () => {
  assert.equal(parseAlpha3('xkx'), 'XKX')
  assert.equal(alpha3ToAlpha2('XKX'), 'XK')
  assert.equal(alpha2ToAlpha3('XK'), 'XKX')
  assert.equal(parseAlpha3('XKK'), undefined)
})

test('the 249 countries of ISO 3166-1 and Kosovo translate both ways', () => {
  assert.equal(alpha3Codes.length, 250)
  for (const code of alpha3Codes) {
    const alpha2 = alpha3ToAlpha2(code) ?? ''
    assert.match(`${alpha2} ${code}`, /^[A-Z]{2} [A-Z]{3}$/)
    assert.equal(alpha2ToAlpha3(alpha2), code)
  }
  assert.deepEqual(['DZ', 'GB', 'CH', 'SS', 'CW', 'PS'].map(alpha2ToAlpha3), ['DZA', 'GBR', 'CHE', 'SSD', 'CUW', 'PSE'])
  for (const code of ['UK', 'EU', 'fr', '', '__proto__']) assert.equal(alpha2ToAlpha3(code), undefined, code)
})
