import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameBic, parseBic } from './bic.ts'

test('a BIC has eight or eleven characters and is upper-cased', () => {
  const table: [text: string, bic: string][] = [
    ['DEUTDEFF', 'DEUTDEFF'],
    ['deutdeff500', 'DEUTDEFF500'],
    ['BNPAFRPPXXX', 'BNPAFRPPXXX'],
    ['NEDSZAJJ', 'NEDSZAJJ'],
    ['CHASUS33', 'CHASUS33'],
    ['UNCRIT2B912', 'UNCRIT2B912'],
    ['PCBKXKPR', 'PCBKXKPR'],
  ]
  for (const [text, bic] of table) assert.equal(parseBic(text), bic)
})

test('text without the structure of a BIC is refused', () => {
  const lengths = ['', 'DEUT', 'DEUTDE', 'DEUTDEF', 'DEUTDEFF5', 'DEUTDEFF50', 'DEUTDEFF5000']
  const characters = ['DEU1DEFF', '1234DEFF', 'DEUTD1FF', 'DEUT DEFF', ' DEUTDEFF', 'DEUTDEFF ', 'DEUTDEFF\n', 'DEUT-DEFF', 'DEUTDEFF5!0']
  for (const text of [...lengths, ...characters]) assert.equal(parseBic(text), undefined, JSON.stringify(text))
})

test('a BIC with an unknown country is refused', () => {
  for (const text of ['DEUTXXFF', 'DEUTZZFF', 'DEUTUKFF', 'DEUTEUFF', 'DEUTYUFF']) assert.equal(parseBic(text), undefined, text)
})

test('non-ASCII letters whose upper case is ASCII are refused', () => {
  for (const text of ['ıbanıtmm', 'BANKESMſ', 'DEUTDEß', 'BAN\u212aDEFF', 'ＤEUTDEFF']) assert.equal(parseBic(text), undefined, text)
})

test('a BIC without a branch is the head office', () => {
  assert.ok(isSameBic('COBADEFF', 'COBADEFFXXX') && isSameBic('COBADEFFXXX', 'COBADEFF') && isSameBic('COBADEFF500', 'COBADEFF500'))
  for (const other of ['COBADEFF500', 'COBADEFD', 'DEUTDEFFXXX']) assert.ok(!isSameBic('COBADEFF', other), other)
})
