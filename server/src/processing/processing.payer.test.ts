// What a payment has to say about its payer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Payer, payerFault, payerGaps } from './processing.payer.ts'

const inside: Payer = { dr_name: 'Charles Babbage', dr_iban: 'DE89370400440532013000' }
const outside: Payer = {
  ...inside,
  dr_iban: 'GB33BUKB20201555555555',
  dr_address: 'Devonshire Street 1',
  dr_city: 'London',
  dr_country_code: 'GBR',
}

const rows: [what: string, payer: Payer, gaps: string[], code: string | undefined][] = [
  ['a name and an account in the EEA', inside, [], undefined],
  ['no account', { ...inside, dr_iban: null }, ['payer_account', 'payer_address'], 'RR01'],
  ['nothing', {}, ['payer_account', 'payer_name', 'payer_address'], 'RR01'],
  ['an address outside the EEA', outside, [], undefined],
  ['a town and a country', { ...outside, dr_address: null }, [], undefined],
  ['a street and a country', { ...outside, dr_city: null }, [], undefined],
  ['a country alone', { ...outside, dr_address: null, dr_city: null }, ['payer_address'], 'RR02'],
  ['no country', { ...outside, dr_country_code: null }, ['payer_address'], 'RR02'],
  ['an address that says nothing', { ...outside, dr_address: 'N/A', dr_city: '-' }, ['payer_address'], 'RR02'],
  ['Switzerland is outside', { ...inside, dr_iban: 'CH9300762011623852957' }, ['payer_address'], 'RR02'],
  ['an account that says nothing', { ...outside, dr_iban: '0000000000' }, ['payer_account'], 'RR01'],
]

for (const [what, payer, gaps, code] of rows)
  test(what, () => {
    assert.deepEqual([payerGaps(payer), payerFault(payer)], [gaps, code])
  })

test('a name that says nothing is missing, however it is written', () => {
  const names = ['', ' ', '.', '---', 'X', 'xxxx', 'NOTPROVIDED', 'Not provided', 'not-provided', 'N.O.T. P.R.O.V.I.D.E.D', 'N/A', 'n.a.']
  const disguised = [
    'ＮＯＴＰＲＯＶＩＤＥＤ',
    'NОTPRОVIDED',
    'N0TPR0VIDED',
    'NOT\u200bPROVIDED',
    'ΝΟΤΡROVIDED',
    '．',
    'Inconnu',
    'Nicht angegeben',
    'Okänd',
  ]
  for (const dr_name of [...names, ...disguised])
    assert.deepEqual(payerGaps({ ...inside, dr_name }), ['payer_name'], JSON.stringify(dr_name))
})

test('a short or foreign name is a name', () => {
  for (const dr_name of ['Bo', 'Na Li', '习近平', 'محمد', 'Иван', 'Ελένη', '3M', 'Anon Ltd', 'Null, Christopher', 'Provided Not Ltd'])
    assert.deepEqual(payerGaps({ ...inside, dr_name }), [], dr_name)
})
