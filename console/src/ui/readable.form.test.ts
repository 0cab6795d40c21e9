import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from './readable.form.ts'

test('values are told apart by name and form', () => {
  assert.equal(formOf('created_at', '2027-02-20T09:00:00.834Z'), 'time')
  assert.equal(formOf('settlement_date', '2027-02-22'), 'day')
  assert.equal(formOf('account_id', '01a206fd-76cd-72cc-9b80-3b478687d1a8'), 'id')
  assert.equal(formOf('cr_iban', 'DE38001756905898937146'), 'iban')
  assert.equal(formOf('debit_amount', '33.60'), 'amount')
  assert.equal(formOf('amount', 'much'), 'text')
  assert.equal(formOf('status', 'REVIEW'), 'state')
  assert.equal(formOf('kyc_status', 'VALIDATED'), 'word')
  assert.equal(formOf('scopes', ['read', 'sign']), 'list')
  assert.equal(formOf('scopes', []), 'nothing')
  assert.equal(formOf('rules', [{ kind: 'sum' }]), 'object')
  assert.equal(formOf('is_instant', false), 'yes')
  assert.equal(formOf('purpose', null), 'nothing')
  assert.equal(formOf('purpose', 'Rent'), 'text')
})
