import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWords, moneyInWords, padded, typedForm, written } from './amount.words.ts'

test('amounts are said in words', () => {
  for (const [amount, words] of [
    ['0', 'zero'],
    ['1', 'one'],
    ['15', 'fifteen'],
    ['40', 'forty'],
    ['99', 'ninety-nine'],
    ['100', 'one hundred'],
    ['115', 'one hundred fifteen'],
    ['1500', 'one thousand five hundred'],
    ['1000000', 'one million'],
    ['20000300', 'twenty million three hundred'],
    ['1001001001001', 'one trillion one billion one million one thousand one'],
    ['1.5', 'one and a half'],
    ['1.50', 'one and a half'],
    ['0.50', '50/100'],
    ['0.015', '15/1000'],
    ['2.25', 'two and 25/100'],
    ['100.05', 'one hundred and 5/100'],
    ['3.00', 'three'],
  ] as const)
    assert.equal(inWords(amount), words)
})

test('money is said in words, one of it and several', () => {
  assert.equal(moneyInWords('1', 'EUR'), 'one euro')
  assert.equal(moneyInWords('1.5', 'EUR'), 'one and a half euros')
  assert.equal(moneyInWords('1500', 'EUR'), 'one thousand five hundred euros')
  assert.equal(moneyInWords('2', 'USD'), 'two US dollars')
  assert.equal(moneyInWords('1.234', 'KWD'), 'one and 234/1000 Kuwaiti dinars')
  assert.equal(moneyInWords('1500', 'JPY'), 'one thousand five hundred Japanese yen')
})

test('amounts are written as people do where they live, to the last digit', () => {
  assert.equal(written('1500.50', 'en'), '1,500.50')
  assert.equal(written('1500.50', 'de'), '1.500,50')
  assert.equal(written('1500.50', 'fr'), '1\u202f500,50')
  assert.equal(written('1500.50', 'ar-EG'), '١٬٥٠٠٫٥٠')
  assert.equal(written('999999999999999.9999', 'en'), '999,999,999,999,999.9999')
  assert.equal(typedForm('1500.50', 'de'), '1500,50')
  assert.equal(typedForm('1500', 'ar-EG'), '١٥٠٠')
  assert.equal(written('1234567.50', 'en-IN'), '12,34,567.50')
})

test('digits and marks that are not read are not written', () => {
  assert.equal(written('1234567.50', 'bn'), '12,34,567.50')
  assert.equal(typedForm('1500.50', 'my'), '1500.50')
  assert.equal(typedForm('1500.50', 'en-u-nu-thai'), '1500.50')
  assert.equal(written('1234567.50', 'ff-Adlm'), '1234567.50')
})

test('amounts get the decimals of their currency', () => {
  assert.deepEqual([padded('1.5', 2), padded('1500', 2), padded('1500', 0), padded('1.234', 3)], ['1.50', '1500.00', '1500', '1.234'])
})
