import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRoutingNumber } from './routing-number.ts'

const real = ['021000021', '011401533', '026009593', '111000025', '121000358', '122105155', '091000019', '322271627', '000000518']

test('routing numbers of known banks are accepted unchanged', () => {
  for (const text of real) assert.equal(parseRoutingNumber(text), text)
})

test('anything but nine digits is refused', () => {
  for (const text of [
    '',
    '02100002',
    '0210000210',
    '02100002A',
    ' 021000021',
    '021000021\n',
    '021-000-021',
    '٠٢١٠٠٠٠٢١',
    '０２１００００２１',
  ]) {
    assert.equal(parseRoutingNumber(text), undefined, JSON.stringify(text))
  }
})

test('first digits that were never assigned are refused, even with a correct checksum', () => {
  for (let prefix = 0; prefix < 100; prefix++) {
    const start = `${String(prefix).padStart(2, '0')}000001`
    const sum = [...start].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
    const text = `${start}${(10 - (sum % 10)) % 10}`
    const assigned = prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80
    assert.equal(parseRoutingNumber(text), assigned ? text : undefined, text)
  }
  assert.equal(parseRoutingNumber('000000000'), undefined)
})

test('one wrong digit is always detected', () => {
  fc.assert(
    fc.property(fc.constantFrom(...real), fc.nat(8), fc.integer({ min: 1, max: 9 }), (text, at, shift) => {
      const wrong = text.slice(0, at) + ((Number(text[at]) + shift) % 10) + text.slice(at + 1)
      assert.equal(parseRoutingNumber(wrong), undefined, wrong)
    }),
  )
})
