// Which details count as true: only those that the bank has verified are passed on as facts; everything else is unverified, with its source.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partyOfBeneficiary, partyOfClient, subjectOfTransfer, type TransferRow } from './processing.parties.ts'

const client = {
  id: 'c',
  first_name: 'Mortimer',
  middle_name: null,
  last_name: 'Grimshade',
  date_of_birth: '1991-04-13',
  nationality: 'LVA',
  birth_country: 'EST',
  country_code: 'CYP',
  kyc_status: 'VALIDATED' as const,
}

test('only of a client who is verified the bank knows something, and never the address, which the venture may change', () => {
  const verified = { kind: 'person', birth_date: '1991-04-13', countries: ['LV', 'EE'] }
  assert.deepEqual(partyOfClient(client).details, { ...verified, unverified: { by: 'venture', countries: ['CY'] } })
  assert.deepEqual(partyOfClient({ ...client, country_code: 'LVA' }).details, verified)
  const unverified = { by: 'venture', ...verified, countries: ['LV', 'EE', 'CY'] }
  for (const kyc_status of ['NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'DECLINED'] as const)
    assert.deepEqual(partyOfClient({ ...client, kyc_status }).details, { unverified }, kyc_status)
})

const beneficiary = {
  name: 'Mortimer Grimshade',
  beneficiary_type: 'COMPANY' as const,
  iban: 'DE89370400440532013000',
  account_number: null,
  country_code: 'NZL',
  bic: null,
  swift_code: null,
}

test('of a beneficiary nothing is verified', () => {
  assert.deepEqual(partyOfBeneficiary(beneficiary).details, { unverified: { by: 'venture', kind: 'organisation', countries: ['NZ'] } })
})

const policy = { version: 0, screen_threshold: '0.85', block_threshold: '0.97', lists: null, screen_peps: false }

/** The other side of a payment that names neither a client nor a beneficiary of ours. */
function unverifiedOf(changes: Partial<TransferRow>): unknown {
  const transfer = {
    id: 't',
    venture_id: 'v',
    account_id: 'a',
    direction: 'OUTBOUND',
    method: 'SEPA',
    ordered_by_bank: false,
    on_us: false,
    dr_name: 'One',
    dr_iban: null,
    dr_account_id: null,
    dr_bank_bic: null,
    dr_country_code: 'FRA',
    cr_name: 'Other',
    cr_iban: null,
    cr_account_id: null,
    cr_bank_bic: null,
    cr_country_code: 'NZL',
    purpose: null,
    structured_reference: null,
    structured_reference_issuer: null,
    ...changes,
  } as TransferRow
  const details = subjectOfTransfer(transfer, policy, {}).parties.map(({ details }) => details)
  const [own, other] = details
  assert.deepEqual([own?.kind, own?.countries, other?.kind, other?.countries], [undefined, undefined, undefined, undefined])
  assert.equal(own?.unverified?.by, other?.unverified?.by)
  return other?.unverified
}

test('what a payment says of its sides is unverified, with the sender as its source', () => {
  assert.deepEqual(unverifiedOf({}), { by: 'venture', countries: ['NZ'] })
  assert.deepEqual(unverifiedOf({ direction: 'INBOUND', method: 'SDD' }), { by: 'venture', countries: ['FR'] })
  assert.deepEqual(unverifiedOf({ ordered_by_bank: true }), { by: 'bank', countries: ['NZ'] })
  assert.deepEqual(unverifiedOf({ ordered_by_bank: true, direction: 'INBOUND' }), { by: 'other_bank', countries: ['FR'] })
  assert.deepEqual(unverifiedOf({ ordered_by_bank: true, method: 'SDD' }), { by: 'other_bank', countries: ['NZ'] })
  assert.deepEqual(unverifiedOf({ ordered_by_bank: true, direction: 'INBOUND', on_us: true }), { by: 'venture', countries: ['FR'] })
})
