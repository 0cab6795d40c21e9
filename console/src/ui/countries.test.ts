import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries, countryOf } from './countries.ts'

test('countries have names', () => {
  assert.equal(countryOf('LTU'), 'Lithuania')
  assert.equal(countryOf('XKX'), 'Kosovo')
  assert.equal(countryOf('ZZZ'), 'ZZZ')
  assert.ok(countries.length > 240)
  for (const { value, label } of countries) assert.ok(/^[A-Z]{3}$/.test(value) && !/^[A-Z]{2,3}$/.test(label), value)
})
