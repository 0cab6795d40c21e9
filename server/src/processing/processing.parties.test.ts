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

const plain: Partial<TransferRow> = {
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
}

/** The other side of a payment that names neither a client nor a beneficiary of ours. */
function unverifiedOf(changes: Partial<TransferRow>): unknown {
  const transfer = { ...plain, ...changes } as TransferRow
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

const named: Partial<TransferRow> = {
  direction: 'INBOUND',
  ordered_by_bank: true,
  purpose: 'Rent',
  structured_reference: 'RF18539007547034',
  cr_name: 'Mortimer Grimshade',
  cr_iban: 'LT601010012345678901',
  dr_iban: 'DE89370400440532013000',
  details: {
    end_to_end_id: 'INVOICE-7',
    holder_name: 'M. Grimshade',
    initiating_party: { name: 'Payroll Services', country_code: 'FRA' },
    ultimate_debtor: { name: 'Luigi Menabrea', lei: '529900T8BM49AURSDO55' },
    ultimate_creditor: { bic: 'BNPAFRPP' },
    agents: [
      { role: 'previous_1', name: 'First Bank' },
      { role: 'intermediary_1', bic: 'BCITITMM', name: 'Middle Bank' },
      { role: 'intermediary_2', bic: 'DEUTDEFF' },
    ],
    additional_remittance: ['Second floor', 'Third floor'],
    instructions: ['Phone the payee'],
  },
}

test('every party, bank and text of the message is compared, each under the name of its field', () => {
  const transfer = { ...plain, ...named } as TransferRow
  const { parties, texts = [], locations = [] } = subjectOfTransfer(transfer, policy, { owner: client })
  assert.deepEqual(
    parties.map(({ party, name }) => [party, name]),
    [
      ['creditor', 'Mortimer Grimshade'],
      ['debtor', 'One'],
      ['holder_name', 'M. Grimshade'],
      ['initiating_party', 'Payroll Services'],
      ['ultimate_debtor', 'Luigi Menabrea'],
      ['ultimate_creditor', 'BNPAFRPP'],
      ['previous_1', 'First Bank'],
      ['intermediary_1', 'Middle Bank'],
      ['intermediary_2', 'DEUTDEFF'],
    ],
  )
  const [, , , initiator, ultimate] = parties
  assert.deepEqual(initiator?.details, { unverified: { by: 'other_bank', countries: ['FR'] } })
  assert.deepEqual(ultimate?.details, { identifiers: ['529900T8BM49AURSDO55'], unverified: { by: 'other_bank', countries: [] } })
  assert.deepEqual(
    texts.map(({ party, text }) => [party, text]),
    [
      ['purpose', 'Rent'],
      ['structured_reference', 'RF18539007547034'],
      ['end_to_end_id', 'INVOICE-7'],
      ['additional_remittance', 'Second floor'],
      ['additional_remittance', 'Third floor'],
      ['instructions', 'Phone the payee'],
    ],
  )
  assert.deepEqual(
    locations.map(({ party, country }) => [party, country]),
    [
      ['debtor_bank', 'DE'],
      ['intermediary_1', 'IT'],
      ['intermediary_2', 'DE'],
    ],
  )
  // One clearing holds in all fields of payments between these two accounts, and in no others.
  const refs = new Set([...parties.slice(2), ...texts].map(({ ref }) => ref))
  assert.deepEqual([...refs], ['a DE89370400440532013000'])
})

test('the holder is compared once if the message names the client or what the transfer says', () => {
  for (const holder_name of ['Mortimer Grimshade', 'One']) {
    const transfer = { ...plain, direction: 'OUTBOUND', details: { holder_name } } as TransferRow
    assert.deepEqual(
      subjectOfTransfer(transfer, policy, { owner: client }).parties.filter(({ party }) => party === 'holder_name'),
      [],
    )
  }
})
