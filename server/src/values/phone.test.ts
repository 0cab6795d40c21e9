import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePhone } from './phone.ts'

test('international numbers become E.164, however they are spaced', () => {
  const table: [text: string, phone: string][] = [
    ['+33612345678', '+33612345678'],
    ['+33 6 12 34 56 78', '+33612345678'],
    ['+1 (213) 373-4253', '+12133734253'],
    ['+44 20.7183.8750', '+442071838750'],
    ['+447700900123', '+447700900123'],
    ['+213551234567', '+213551234567'],
    ['+38344123456', '+38344123456'],
    ['+390612345678', '+390612345678'],
    ['+44 (0) 20 7183 8750', '+442071838750'],
  ]
  for (const [text, phone] of table) assert.equal(parsePhone(text), phone, text)
})

test('numbers that are not in international format are refused', () => {
  for (const text of [
    '',
    '+',
    '0612345678',
    '0033612345678',
    '33612345678',
    '++33612345678',
    ' +33612345678',
    '+33612345678\n',
    'tel:+33612345678',
  ]) {
    assert.equal(parsePhone(text), undefined, JSON.stringify(text))
  }
})

test('unknown countries and lengths that their country does not use are refused', () => {
  for (const text of ['+999123456789', '+0442071838750', '+3361234567', '+336123456789', '+1234567890', '+49', `+33${'6'.repeat(30)}`]) {
    assert.equal(parsePhone(text), undefined, text)
  }
})

test('extensions, letters, words around a number and digits of other scripts are refused', () => {
  const around = ['+12133734253 ext. 5', '+12133734253;ext=4', '+12133734253x4', '+1-800-FLOWERS', 'call +12133734253 now']
  for (const text of [...around, '+１２１３３７３４２５３', '＋12133734253', '+٣٣٦١٢٣٤٥٦٧٨'])
    assert.equal(parsePhone(text), undefined, text)
})

test('a number that loses a zero each time it is parsed is refused', () => {
  assert.equal(parsePhone('+430000000000000'), undefined)
  assert.equal(parsePhone('+43 0 1 5880800'), '+4315880800')
})

test('parsing a parsed number returns it unchanged', () => {
  const digits = fc.bigInt(10n ** 6n, 10n ** 15n - 1n).map((number) => `+${number}`)
  fc.assert(
    fc.property(digits, (text) => {
      const phone = parsePhone(text)
      if (phone === undefined) return
      assert.match(phone, /^\+[1-9]\d{4,16}$/)
      assert.equal(parsePhone(phone), phone)
    }),
  )
})
