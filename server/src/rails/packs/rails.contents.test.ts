// The content of payments in their messages, and which payments no message could carry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMessage } from '../../iso20022/iso20022.ts'
import { firstBook, isInstant, type Rail } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { type CollectionMandate, composeCreditTransfer, composeDirectDebit, receivedAt } from './rails.contents.ts'
import { storedContent, writePack } from './rails.kinds.ts'
import { settlesOn } from './rails.pack.ts'
import { nextAttempt, paymentStates } from './rails.payments.ts'

const accepted = '2026-11-16T09:29:59.123Z'

/** A payment from Vilnius to Berlin; collections go the other way. */
const payment = {
  id: '0198a000-0000-7000-8000-0000000000a1',
  unique_reference: 'INV-1',
  direction: 'OUTBOUND',
  method: 'SEPA',
  transfer_type: 'PAYMENT',
  settlement_date: '2026-11-17',
  credit_amount: '12.34',
  debit_amount: '12.34',
  credit_currency: 'EUR',
  debit_currency: 'EUR',
  purpose: 'Invoice 1',
  dr_name: 'Ada Lovelace',
  dr_iban: 'LT601010012345678901',
  dr_bank_bic: 'VOSTLT21XXX',
  dr_address: 'Gedimino pr. 1',
  dr_city: 'Vilnius',
  dr_country_code: 'LTU',
  dr_postal_code: '01100',
  cr_name: 'Müller & Söhne',
  cr_iban: 'DE89370400440532013000',
  cr_bank_bic: null,
  cr_address: null,
  cr_city: null,
  cr_country_code: null,
  cr_postal_code: null,
  category_purpose_code: null,
  purpose_code: null,
  structured_reference: null,
  structured_reference_issuer: null,
} as unknown as TransferRow

const swiss = 'CH9300762011623852957'

const faults: [string, Partial<TransferRow>, string][] = [
  ['no IBAN of the payee', { cr_iban: null }, 'iban_missing'],
  ['a name without a letter that the scheme carries', { cr_name: '汉字' }, 'name_missing'],
  ['no name', { dr_name: null }, 'name_missing'],
  ['an amount that is too large', { credit_amount: '1000000000.00' }, 'amount_too_large'],
  ['another currency', { credit_currency: 'USD' }, 'currency_not_carried'],
  ['a bank outside the EEA, and a payer without a town', { cr_iban: swiss, dr_city: null }, 'address_incomplete'],
  ['a bank outside the EEA, and a payer without a country', { cr_iban: swiss, dr_country_code: null }, 'address_incomplete'],
  ['a bank that the rail does not reach', { cr_bank_bic: 'MARKDEFFXXX' }, 'bank_unreachable'],
  ['an IBAN that is none', { cr_iban: 'DE00' }, 'message_invalid'],
]

for (const [what, changes, code] of faults)
  test(`no message carries ${what}`, () => {
    const composed = composeCreditTransfer({ ...payment, ...changes }, new Set(['COBADEFF']))
    assert.ok('fault' in composed)
    assert.equal(composed.fault.code, code)
    assert.match(composed.fault.reason, /\.$/)
  })

const fine: [string, Partial<TransferRow>, object][] = [
  ['the text in characters of the scheme', {}, { creditor: { name: 'Muller + Sohne' }, remittance: ['Invoice 1'] }],
  ['its own reference if banks can carry it', {}, { end_to_end_id: 'INV-1', tx_id: '0198a0000000700080000000000000a1' }],
  [
    'else its transaction id',
    { unique_reference: 'a reference with more than 35 characters' },
    { end_to_end_id: '0198a0000000700080000000000000a1' },
  ],
  [
    "the creditor's reference instead of words",
    { structured_reference: 'RF18539007547034', structured_reference_issuer: 'ISO' },
    { references: [{ type: 'SCOR', issuer: 'ISO', reference: 'RF18539007547034' }] },
  ],
  [
    'codes of the lists and no others',
    { purpose_code: 'SALA', category_purpose_code: 'not a code' },
    { purpose: 'SALA', payment_type: { service_level: 'SEPA' } },
  ],
  [
    'an instant payment as such',
    { method: 'INST', created_at: accepted, updated_at: accepted },
    { accepted_at: accepted, payment_type: { service_level: 'SEPA', local_instrument: 'INST' } },
  ],
  ['no address without a town', { dr_city: null }, { debtor: { name: 'Ada Lovelace' } }],
  ['a bank that the rail reaches', { cr_bank_bic: 'cobadeff' }, { creditor_bic: 'COBADEFF' }],
]

for (const [what, changes, expected] of fine)
  test(`a message says ${what}`, () => {
    const composed = composeCreditTransfer({ ...payment, ...changes }, new Set(['COBADEFF']))
    assert.ok('content' in composed, JSON.stringify(composed))
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual(composed.content[field as keyof typeof composed.content], value, field)
  })

test('one with no address but the lines keeps none, and one within the EEA needs none', () => {
  const composed = composeCreditTransfer({ ...payment, dr_city: null, dr_country_code: null }, undefined)
  assert.ok('content' in composed)
  assert.equal(composed.content.debtor.address, undefined)
})

const collection = {
  ...payment,
  direction: 'INBOUND',
  method: 'SDD',
  dr_name: 'Grace Hopper',
  dr_iban: 'DE89370400440532013000',
  dr_bank_bic: null,
  cr_name: 'Ada Lovelace',
  cr_iban: 'LT601010012345678901',
  cr_bank_bic: 'VOSTLT21XXX',
} as TransferRow
const mandate: CollectionMandate = {
  mandate_reference: 'M-1',
  mandate_signed_on: '2026-01-15',
  creditor_id: 'DE98ZZZ09999999999',
  scheme: 'CORE',
  sequence_type: 'RCUR',
}

test('a collection names its mandate, and is not sent without one', () => {
  const composed = composeDirectDebit(collection, mandate, undefined)
  assert.ok('content' in composed, JSON.stringify(composed))
  const { payment_type, mandate_reference, collection_date, debtor, creditor } = composed.content
  assert.deepEqual(payment_type, { service_level: 'SEPA', local_instrument: 'CORE', sequence_type: 'RCUR' })
  assert.deepEqual([mandate_reference, collection_date, debtor.name, creditor.name], ['M-1', '2026-11-17', 'Grace Hopper', 'Ada Lovelace'])
  const without = composeDirectDebit(collection, undefined, undefined)
  assert.equal('fault' in without && without.fault.code, 'mandate_missing')
  const far = composeDirectDebit({ ...collection, dr_bank_bic: 'MARKDEFF' }, mandate, new Set(['COBADEFF']))
  assert.equal('fault' in far && far.fault.code, 'bank_unreachable')
})

test('the same pack always becomes the same bytes, for each kind of pack', () => {
  const header = {
    rail: 'SEPA',
    message_id: 'VOSTLT2120261116S000000000001',
    created_at: '2026-11-16T09:30:00.000Z',
    settlement_date: '2026-11-17',
  } as const
  const credit = composeCreditTransfer(payment, undefined)
  const debit = composeDirectDebit(collection, mandate, undefined)
  assert.ok('content' in credit && 'content' in debit)
  const returned = {
    return_id: 'R-1',
    original_tx_id: 'T-1',
    original_amount: 12_3400n,
    original_currency: 'EUR',
    reasons: [{ code: 'AC04' }],
  }
  for (const [kind, type, content] of [
    ['CREDIT_TRANSFER', 'pacs.008.001.08', credit.content],
    ['DIRECT_DEBIT', 'pacs.003.001.08', debit.content],
    ['RETURN', 'pacs.004.001.09', returned],
  ] as const) {
    // In the form in which the database returns it.
    const stored = { amount: '12.34', currency: 'EUR', content: JSON.parse(JSON.stringify(storedContent<typeof kind>(content as never))) }
    const from = { bic: 'VOSTLT21XXX', envelope: undefined }
    const rail = kind === 'DIRECT_DEBIT' ? 'SDD' : 'SEPA'
    const written = writePack({ ...header, rail, kind }, from, [stored])
    const message = {
      ...header,
      settlement_method: 'CLRG',
      instructing_bic: 'VOSTLT21XXX',
      transactions: [{ ...content, amount: 12_3400n, currency: 'EUR' }],
    }
    assert.deepEqual([written.type, written.bytes.toString()], [type, writeMessage(type, message as never).toString()])
    assert.deepEqual(writePack({ ...header, rail, kind }, from, [stored]).bytes, written.bytes)
  }
})

test('an attempt rises only after the one before did not happen', () => {
  const next = paymentStates.map((state) => [state, nextAttempt({ attempt: 3, state })])
  assert.deepEqual(Object.fromEntries(next), {
    COLLECTED: 'waiting',
    PACKED: 'waiting',
    SENT: 'spent',
    ACCEPTED: 'spent',
    SETTLED: 'spent',
    REJECTED: 'spent',
    RETURNED: 'spent',
    UNKNOWN: 'spent',
    REFUSED: 4,
    DROPPED: 3,
  })
  assert.equal(nextAttempt(undefined), 1)
})

test('a payment settles on its date, or on the first day that is left', () => {
  const at = new Date('2026-11-14T10:00:00Z')
  const on = (rail: Rail, settlement_date: string, now = at) => {
    const terms = firstBook.inForce(rail, now)
    assert.ok(terms !== undefined)
    return settlesOn(settlement_date, { ...terms, days: firstBook.daysOf(terms), instant: isInstant(rail) }, now)
  }
  assert.equal(on('SEPA', '2026-11-20'), '2026-11-20')
  assert.equal(on('SEPA', '2026-11-10'), '2026-11-16')
  // A Sunday.
  assert.equal(on('SEPA', '2026-11-22'), '2026-11-23')
  assert.equal(on('INST', '2026-11-20'), '2026-11-14')
})

test('an instant payment counts from its order, or from the end of what it has waited for', () => {
  const at = (seconds: number) => new Date(Date.parse(accepted) + seconds * 1_000).toISOString()
  for (const [waited_s, from_s] of [
    [0, 0],
    [10, 0],
    [10.001, 10.001],
    [3_600, 3_600],
  ] as const)
    assert.equal(receivedAt({ created_at: accepted, updated_at: at(waited_s) }), at(from_s))
})
