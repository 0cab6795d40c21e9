import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, dayOf, endOfDay, grouped, ibanOf, money, words } from './words.ts'

test('amounts keep every digit', () => {
  assert.equal(grouped('1234567.50'), '1,234,567.50')
  assert.equal(grouped('-1000'), '−1,000')
  assert.equal(grouped('999.00'), '999.00')
  assert.equal(grouped('90071992547409931234.01'), '90,071,992,547,409,931,234.01')
  assert.equal(money('-0.10', 'EUR'), '−0.10 EUR')
})

test('a day ends a second before the next one, where the person is', () => {
  assert.equal(Date.parse(endOfDay('2026-03-28')), new Date(2026, 2, 29).getTime() - 1_000)
  assert.match(endOfDay('2026-12-31'), /Z$/)
})

test('names become words', () => {
  assert.equal(words('AML_APPROVED'), 'AML approved')
  assert.equal(words('READY_TO_CLEAR'), 'Ready to clear')
  assert.equal(words('SEPA'), 'SEPA')
  assert.equal(words('SDD_INTERNAL'), 'SDD internal')
})

test('counts and IBANs are written as people write them', () => {
  assert.equal(counted(1, 'transfer'), '1 transfer')
  assert.equal(counted(1200, 'entry', 'entries'), '1,200 entries')
  assert.equal(ibanOf('DE89370400440532013000'), 'DE89 3704 0044 0532 0130 00')
})

test('a day is the same day in every time zone', () => {
  assert.equal(dayOf('2026-11-16'), '16 Nov 2026')
})
