// The messages between banks about payees, read and written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isLatin,
  isRequestId,
  isVopTime,
  readAnswer,
  readQuestion,
  vopTime,
  writeAnswer,
  writeError,
  writeQuestion,
} from './payees.vop.wire.ts'

const [iban, from] = ['DE89370400440532013000', 'VOSTLT21XXX']
const agents = {
  partyAgent: { financialInstitutionId: { bicfi: 'COBADEFFXXX' } },
  requestingAgent: { financialInstitutionId: { bicfi: from } },
}
const withParty = (party: object): object => ({ party, partyAccount: { iban }, ...agents })

test('a question has the names of the scheme, and leaves out what it does not have', () => {
  assert.deepEqual(writeQuestion({ iban, from, to: 'COBADEFFXXX', name: 'Ada Lovelace' }), withParty({ name: 'Ada Lovelace' }))
  assert.deepEqual(Object.keys(writeQuestion({ iban, from, name: 'Ada' })), ['party', 'partyAccount', 'requestingAgent'])
  for (const [identification, organisationId] of [
    [{ scheme: 'LEI', value: '5299000J2N45DDNE4Y28' }, { lei: '5299000J2N45DDNE4Y28' }],
    [{ scheme: 'BIC', value: 'COBADEFF' }, { anyBIC: 'COBADEFF' }],
    [{ scheme: 'TXID', value: 'DE123456789' }, { others: [{ identification: 'DE123456789', schemeNameCode: 'TXID' }] }],
    [{ scheme: 'COID', value: 'HRB 1', issuer: 'Kiel' }, { others: [{ identification: 'HRB 1', schemeNameCode: 'COID', issuer: 'Kiel' }] }],
  ] as const) {
    const written = writeQuestion({ iban, from, to: 'COBADEFFXXX', identification })
    assert.deepEqual(written, withParty({ identification: { organisationId } }))
    assert.deepEqual(readQuestion(written), { iban, from, to: 'COBADEFFXXX', name: undefined, identification })
  }
})

test('a question is read as it was written, whatever it has besides', () => {
  const more = { unstructuredRemittanceInformation: ['Invoice 7'], version: 2 }
  const read = readQuestion({ ...withParty({ name: 'Ada', more: true }), ...more })
  assert.deepEqual(read, { iban, from, to: 'COBADEFFXXX', name: 'Ada', identification: undefined })
  assert.equal(readQuestion(withParty({ identification: { privateId: { others: [] } } })).identification, 'other')
  assert.equal(readQuestion(withParty({ identification: { organisationId: { others: [] } } })).identification, 'other')
  const unknown = { organisationId: { others: [{ identification: '7', schemeNameCode: 'ZZZZ' }] } }
  assert.equal(readQuestion(withParty({ identification: unknown })).identification, 'other')
  assert.equal(readQuestion(withParty({ name: 'x'.repeat(140) })).name?.length, 140)
})

test('what is not a question is refused', () => {
  for (const body of [
    null,
    [],
    'Ada',
    {},
    withParty({}),
    withParty({ name: '' }),
    withParty({ name: '  ' }),
    withParty({ name: 7 }),
    withParty({ name: 'x'.repeat(141) }),
    { ...withParty({ name: 'Ada' }), partyAccount: { iban: 'DE88370400440532013000' } },
    { ...withParty({ name: 'Ada' }), partyAccount: {} },
    { ...withParty({ name: 'Ada' }), requestingAgent: undefined },
    { ...withParty({ name: 'Ada' }), requestingAgent: { financialInstitutionId: { bicfi: 'BANK' } } },
    { ...withParty({ name: 'Ada' }), partyAgent: { financialInstitutionId: { bicfi: 'BANK' } } },
    withParty({ identification: { organisationId: { others: [{ identification: 'x'.repeat(257), schemeNameCode: 'TXID' }] } } }),
  ])
    assert.throws(() => readQuestion(body), JSON.stringify(body))
})

const answer = (result: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE', matched_name: string | null = null) => ({
  result,
  matched_name,
  reason: result === 'NOT_POSSIBLE' ? ('not_applicable' as const) : null,
})

test('an answer tells the name of the holder only for a close match', () => {
  for (const [given, written] of [
    [answer('MATCH'), { partyNameMatch: 'MTCH' }],
    [answer('CLOSE_MATCH', 'Ada Lovelace'), { partyNameMatch: 'CMTC', matchedName: 'Ada Lovelace' }],
    [answer('NO_MATCH'), { partyNameMatch: 'NMTC' }],
    [answer('NOT_POSSIBLE'), { partyNameMatch: 'NOAP' }],
  ] as const) {
    assert.deepEqual(writeAnswer({ name: given }), written)
    assert.deepEqual(readAnswer(written, 'name'), given)
  }
  assert.deepEqual(writeAnswer({ id: answer('NOT_POSSIBLE') }), { partyIdMatch: 'NOAP' })
  assert.deepEqual(readAnswer({ partyIdMatch: 'NMTC' }, 'id'), answer('NO_MATCH'))
  assert.deepEqual(
    readAnswer({ partyNameMatch: 'MTCH', matchedName: 'Ada Lovelace' }, 'name'),
    answer('MATCH'),
    'no name without a close match',
  )
})

test('an answer to something else, without a name or with an unknown word is none', () => {
  for (const [body, asked] of [
    [{}, 'name'],
    [null, 'name'],
    [{ partyIdMatch: 'MTCH' }, 'name'],
    [{ partyNameMatch: 'MTCH' }, 'id'],
    [{ partyIdMatch: 'CMTC' }, 'id'],
    [{ partyNameMatch: 'CMTC' }, 'name'],
    [{ partyNameMatch: 'CMTC', matchedName: ' ' }, 'name'],
    [{ partyNameMatch: 'CMTC', matchedName: 'x'.repeat(141) }, 'name'],
    [{ partyNameMatch: 'MATCH' }, 'name'],
    [{ partyNameMatch: ['MTCH'] }, 'name'],
  ] as const)
    assert.throws(() => readAnswer(body, asked), JSON.stringify(body))
})

test('times are in UTC with milliseconds, ids are UUIDs, and names are Latin', () => {
  assert.match(vopTime(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  for (const good of [vopTime(), '2026-11-20T00:30:00.000Z', '2026-11-20T01:30:00.000+01:00']) assert.ok(isVopTime(good), good)
  for (const bad of ['', '2026-11-20T00:30:00Z', '2026-13-20T00:30:00.000Z', '2026-11-20', 'now']) assert.ok(!isVopTime(bad), bad)
  assert.ok(isRequestId('6F9619FF-8B86-4011-B42D-00CF4FC964FF'))
  for (const bad of ['', '7', '6F9619FF8B86D011B42D00CF4FC964FF']) assert.ok(!isRequestId(bad), bad)
  for (const latin of ['Ada Lovelace', 'Łukasz Żółć', "O'Connor-Ñ, 2."]) assert.ok(isLatin(latin), latin)
  for (const other of ['山田', 'Иван', 'Аda Lovelace']) assert.ok(!isLatin(other), other)
  assert.deepEqual(writeError(500, 'No.'), { type: 'about:blank', status: 500, detail: 'No.' })
})
