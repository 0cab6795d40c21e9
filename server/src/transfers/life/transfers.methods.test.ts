import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromNumeric, toNumeric } from '../../values/money.ts'
import { designMethods } from './transfers.design.ts'
import { amountFault, carriersOf, type Destination, methods, recorderOf } from './transfers.methods.ts'
import { type TransferMethod, transferMethods, transferTypes } from './transfers.status.ts'

test('every type has a method, and card types have only CARD', () => {
  for (const type of transferTypes) {
    assert.ok(carriersOf(type).length > 0, type)
    if (type.startsWith('CARD_')) assert.deepEqual(carriersOf(type), ['CARD'])
  }
})

test('each method has its own settlement account', () => {
  const accounts = transferMethods.map((method) => methods[method].settlement)
  assert.deepEqual(
    accounts,
    transferMethods.map((method) => `settlement:${method}`),
  )
})

test('each method has the types, the currencies and the largest amount of the design', () => {
  assert.deepEqual(designMethods.map(({ method }) => method).sort(), transferMethods.toSorted())
  for (const { method, currencies, exchanges, largest, types } of designMethods) {
    const rail = methods[method as TransferMethod]
    assert.deepEqual([...rail.carries].sort(), types.toSorted(), method)
    assert.deepEqual([rail.currencies, rail.exchanges], [currencies, exchanges], method)
    assert.equal(rail.largest === null ? null : toNumeric(rail.largest), largest === null ? null : `${largest}00`, method)
  }
})

test('only card money that is paid out is recorded by the service over a method that carries no order for it', () => {
  const recorded = transferMethods.flatMap((method) => [...methods[method].records].map((type) => `${method} ${type}`))
  assert.deepEqual(recorded, ['CARD PAYMENT'])
  assert.equal(recorderOf('PAYMENT'), 'CARD')
  assert.throws(() => recorderOf('FEE'), /no method records a FEE/)
})

test('an amount is checked against the currencies and the largest amount of a method', () => {
  const rail = { currencies: ['EUR'], exchanges: false, largest: fromNumeric('100.00') }
  const fault = (amount: string, currency: string, account_currency = currency, more: object = {}) =>
    amountFault({ ...rail, ...more }, { amount: fromNumeric(amount), currency, account_currency })
  assert.equal(fault('100.00', 'EUR'), undefined)
  assert.equal(fault('100.01', 'EUR'), 'amount')
  assert.equal(fault('1.00', 'USD'), 'currency')
  assert.equal(fault('1.00', 'EUR', 'USD'), 'currency')
  assert.equal(fault('1.00', 'EUR', 'USD', { exchanges: true }), undefined)
  assert.equal(fault('1.00', 'USD', 'EUR', { exchanges: true }), 'currency')
  assert.equal(fault('999999999999.99', 'USD', 'EUR', { currencies: 'any', exchanges: true, largest: null }), undefined)
})

// ——— What a beneficiary needs ———

const nothing = { iban: null, account_number: null, routing_number: null, bic: null, swift_code: null }
const ibans = { german: 'DE89370400440532013000', swiss: 'CH9300762011623852957', emirati: 'AE070331234567890123456' }
const beneficiaries: Record<string, Partial<Destination['beneficiary']>> = {
  'an IBAN of the EEA': { iban: ibans.german },
  'an IBAN of SEPA outside the EEA': { iban: ibans.swiss },
  'the same with a BIC': { iban: ibans.swiss, bic: 'UBSWCHZH80A' },
  'the same with a SWIFT code': { iban: ibans.swiss, swift_code: 'UBSWCHZH80A' },
  'an IBAN elsewhere': { iban: ibans.emirati, bic: 'BOMLAEAD' },
  'a bare account number': { account_number: '12345678' },
  'an account number with a BIC': { account_number: '12345678', bic: 'CHASUS33' },
  'an account number with a SWIFT code': { account_number: '12345678', swift_code: 'CHASUS33' },
  'an account number with a routing number': { account_number: '12345678', routing_number: '021000021' },
}
const sepaIban = ['an IBAN of the EEA', 'an IBAN of SEPA outside the EEA', 'the same with a BIC', 'the same with a SWIFT code']

/** Examples that satisfy each need of the design's table. */
const reached: Record<string, { outside: readonly string[]; inside: readonly string[] }> = {
  'IBAN of a SEPA country, outside the EEA also a BIC': {
    outside: sepaIban.filter((name) => name !== 'an IBAN of SEPA outside the EEA'),
    inside: sepaIban.filter((name) => name !== 'an IBAN of SEPA outside the EEA'),
  },
  'IBAN of a SEPA country': { outside: sepaIban, inside: sepaIban },
  'IBAN of a SEPA country, account of this venture': { outside: [], inside: sepaIban },
  'routing and account number': {
    outside: ['an account number with a routing number'],
    inside: ['an account number with a routing number'],
  },
  'IBAN, or account number with BIC, SWIFT code or routing number': {
    outside: Object.keys(beneficiaries).filter((name) => name !== 'a bare account number'),
    inside: Object.keys(beneficiaries).filter((name) => name !== 'a bare account number'),
  },
  'account of this venture': { outside: [], inside: Object.keys(beneficiaries) },
  '–': { outside: Object.keys(beneficiaries), inside: Object.keys(beneficiaries) },
}

test('each method reaches exactly the beneficiaries of the design', () => {
  for (const { method, beneficiary } of designMethods) {
    const reachedBy = (receiver_account_id: string | undefined) =>
      Object.entries(beneficiaries).flatMap(([name, details]) => {
        const destination = { beneficiary: { ...nothing, ...details }, paying_account_id: 'payer', receiver_account_id }
        return methods[method as TransferMethod].missing(destination) === undefined ? [name] : []
      })
    assert.deepEqual({ outside: reachedBy(undefined), inside: reachedBy('receiver') }, reached[beneficiary], method)
  }
})

test('an account cannot be paid from itself over an internal method', () => {
  for (const method of ['INTERNAL', 'SDD_INTERNAL'] as const) {
    const destination = { beneficiary: { ...nothing, iban: ibans.german }, paying_account_id: 'payer', receiver_account_id: 'payer' }
    assert.equal(methods[method].missing(destination), 'it is the paying account itself')
  }
})
