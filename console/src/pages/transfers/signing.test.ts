import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type Signed, signedHashOf } from './signing.ts'

const seen: Signed = {
  id: 'a',
  debit_amount: '1.00',
  debit_currency: 'EUR',
  credit_amount: '1.00',
  credit_currency: 'EUR',
  cr_name: 'Zoë',
  cr_iban: 'DE89370400440532013000',
  cr_account_id: null,
  cr_bank_bic: null,
  cr_bank_name: null,
  settlement_date: '2027-01-04',
}

test('the hash is that of the guide: one field in each line, and an empty line for null', async () => {
  const lines = ['a', '1.00', 'EUR', '1.00', 'EUR', 'Zoë', 'DE89370400440532013000', '', '', '', '2027-01-04']
  assert.equal(await signedHashOf(seen), createHash('sha256').update(lines.join('\n')).digest('hex'))
})
