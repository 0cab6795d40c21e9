// This bank asks others about payees, over real TLS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../../config.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { closedAddress } from '../../testing/testing.standin.ts'
import { type Bank, type Loose, openBank } from '../../testing/testing.ts'
import { askingOver, certificateFolder, makeCertificates, openRouting, type Question } from '../../testing/testing.vop.ts'

const { server, client, stranger, expired } = makeCertificates()
const folder = certificateFolder()
const outside = 'DE89370400440532013000'

type Said = Parameters<typeof openRouting>[2]
let say: Said = () => ({ body: { partyNameMatch: 'MTCH' } })
const routing = await openRouting(server, client, (question) => say(question))
const bank = await openBank(askingOver(folder, routing.url, client, server))
const venture = await ManagedVenture.open(bank)

async function asked(
  body: object,
  answer: Said,
  { by = venture }: { by?: ManagedVenture } = {},
): Promise<{ body: Loose; questions: Question[] }> {
  const before = routing.asked.length
  say = answer
  const { status, body: answered, text } = await by.post('/payee-verifications', { name: 'Ada Lovelace', iban: outside, ...body })
  assert.equal(status, 201, text)
  return { body: answered, questions: routing.asked.slice(before) }
}

const resultOf = ({ body: { result, matched_name, reason } }: { body: Loose }) => [result, matched_name, reason]
const exchanges = async (of: Bank = bank): Promise<Loose[]> => (await of.owner.query(`select * from vop_exchanges order by id`)).rows

test('a name is asked about with our certificate, and every result comes back', async () => {
  for (const [said, result] of [
    [{ partyNameMatch: 'MTCH' }, ['MATCH', null, null]],
    [{ partyNameMatch: 'MTCH', matchedName: 'Ada Lovelace' }, ['MATCH', null, null]],
    [{ partyNameMatch: 'CMTC', matchedName: 'Ada King' }, ['CLOSE_MATCH', 'Ada King', null]],
    [{ partyNameMatch: 'NMTC' }, ['NO_MATCH', null, null]],
    [{ partyNameMatch: 'NOAP' }, ['NOT_POSSIBLE', null, 'not_applicable']],
  ] as const)
    assert.deepEqual(resultOf(await asked({}, () => ({ body: said }))), result)
  const { questions } = await asked({ bic: 'cobadeffxxx' }, () => ({ body: { partyNameMatch: 'MTCH' } }))
  const [question] = questions
  assert.deepEqual([questions.length, question?.path, question?.client.subject.CN], [1, '/vop/v1/payee-verifications', 'routing.test'])
  assert.deepEqual(question?.body, {
    party: { name: 'Ada Lovelace' },
    partyAccount: { iban: outside },
    partyAgent: { financialInstitutionId: { bicfi: 'COBADEFFXXX' } },
    requestingAgent: { financialInstitutionId: { bicfi: bank.config.bank.bic } },
  })
  assert.match(String(question?.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assert.match(String(question?.headers['x-request-timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const row = (await exchanges()).at(-1)
  assert.deepEqual(
    [row.venture_id, row.direction, row.request_id, row.bic, row.account_id, row.result, row.id_result],
    [venture.venture.id, 'ASKED', question?.headers['x-request-id'], 'COBADEFFXXX', null, 'MATCH', null],
  )
  assert.ok(!JSON.stringify(row).includes('Lovelace'))
})

test('an id is asked about apart from the name', async () => {
  const answer: Said = ({ body }) => ({ body: body.party.name === undefined ? { partyIdMatch: 'NMTC' } : { partyNameMatch: 'MTCH' } })
  const { body, questions } = await asked({ identification: { scheme: 'TXID', value: 'DE123456789', issuer: 'BZSt' } }, answer)
  assert.deepEqual([body.result, body.id_result], ['MATCH', 'NO_MATCH'])
  assert.deepEqual(body.identification, { scheme: 'TXID', value: 'DE123456789', issuer: 'BZSt' })
  assert.deepEqual((await venture.get(`/payee-verifications/${body.id}`)).body, body)
  assert.deepEqual(
    questions.map(({ body }) => body.party).toSorted((a, b) => Object.keys(a).join().localeCompare(Object.keys(b).join())),
    [
      { identification: { organisationId: { others: [{ identification: 'DE123456789', schemeNameCode: 'TXID', issuer: 'BZSt' }] } } },
      { name: 'Ada Lovelace' },
    ],
  )
  assert.deepEqual((await asked({ identification: { scheme: 'LEI', value: '5299000j2n45ddne4y28' } }, answer)).body.identification, {
    scheme: 'LEI',
    value: '5299000J2N45DDNE4Y28',
    issuer: null,
  })
  assert.deepEqual((await asked({}, answer)).body.id_result, null)
})

test('an id or a BIC of a wrong form is refused', async () => {
  const before = routing.asked.length
  for (const body of [
    { bic: 'BANK' },
    { bic: 'COBAZZFF' },
    { identification: { scheme: 'LEI', value: '7' } },
    { identification: { scheme: 'BIC', value: 'COBAZZFF' } },
    { identification: { scheme: 'BIC', value: 'COBADEFF', issuer: 'SWIFT' } },
    { identification: { scheme: 'PASSPORT', value: '7' } },
    { identification: { scheme: 'TXID', value: ' ' } },
    { identification: { scheme: 'TXID', value: 'x'.repeat(257) } },
    { identification: 'TXID' },
  ])
    assert.equal(
      (await venture.post('/payee-verifications', { name: 'Ada', iban: outside, ...body })).problem?.code,
      'invalid_request',
      JSON.stringify(body),
    )
  assert.equal(routing.asked.length, before)
})

test('an account in this bank is not asked about elsewhere, and its holder has no id', async () => {
  const { account_number: iban } = await venture.openAccount()
  const { body, questions } = await asked({ iban, identification: { scheme: 'TXID', value: '7' } }, () => 'never')
  assert.deepEqual([body.result, body.id_result, questions.length], ['MATCH', 'NOT_POSSIBLE', 0])
})

test('a name that is not Latin is asked nowhere', async () => {
  const { body, questions } = await asked({ name: 'Иван Петров' }, () => 'never')
  assert.deepEqual([body.result, body.reason, questions.length], ['NOT_POSSIBLE', 'name_unreadable', 0])
})

const impossible = ['NOT_POSSIBLE', null, 'no_answer']

test('what is not an answer to the question makes the verification impossible', async () => {
  for (const said of [
    { status: 500, body: { partyNameMatch: 'MTCH' } },
    { status: 400, body: { type: 'about:blank', code: 'FORMAT_ERROR' } },
    { status: 302, headers: { location: 'https://example.com' }, body: '' },
    { body: '' },
    { body: '{' },
    { body: '[]' },
    { body: 'null' },
    { body: {} },
    { body: { partyNameMatch: 'YES' } },
    { body: { partyNameMatch: 'CMTC' } },
    { body: { partyIdMatch: 'MTCH' } },
    { body: { partyNameMatch: 'CMTC', matchedName: 'x'.repeat(141) } },
    { body: `{"partyNameMatch":"MTCH","partyNameMatch":"NMTC"}` },
    { body: { partyNameMatch: 'MTCH', more: 'x'.repeat(20_000) } },
    { headers: { 'x-request-id': '6f9619ff-8b86-4011-b42d-00cf4fc964ff' }, body: { partyNameMatch: 'MTCH' } },
  ])
    assert.deepEqual(resultOf(await asked({}, () => said)), impossible, JSON.stringify(said).slice(0, 200))
  const row = (await exchanges()).at(-1)
  assert.deepEqual([row.answered_at, row.result, row.id_result], [null, null, null], 'that it was asked is kept')
})

test('a bank that is silent for longer than the scheme allows is given up', async () => {
  assert.deepEqual(resultOf(await asked({}, () => 'never')), impossible)
})

test('the answer of a stranger does not count, and our certificate must be good', async () => {
  const over = async (changes: Pick<Config, 'vopVia'>): Promise<unknown> => {
    const other = await openBank(changes)
    return resultOf(await asked({}, () => ({ body: { partyNameMatch: 'MTCH' } }), { by: await ManagedVenture.open(other) }))
  }
  const before = routing.asked.length
  assert.deepEqual(
    await over(askingOver(certificateFolder(), routing.url, client, stranger)),
    impossible,
    'the service is not who we trust',
  )
  assert.deepEqual(await over(askingOver(certificateFolder(), routing.url, stranger, server)), impossible, 'the service does not trust us')
  const old = await openRouting(expired, client, () => ({ body: { partyNameMatch: 'MTCH' } }))
  assert.deepEqual(await over(askingOver(certificateFolder(), old.url, client, expired)), impossible, 'its certificate has expired')
  const closed = (await closedAddress()).replace('http:', 'https:')
  assert.deepEqual(await over(askingOver(certificateFolder(), closed, client, server)), impossible, 'nobody is there')
  assert.equal(routing.asked.length, before)
  assert.deepEqual(old.asked, [])
})

test('the expiry of our certificate is in the metrics', async () => {
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  assert.match(text, /^vop_certificate_expires_seconds\{of="client"\} [1-9]/m)
  assert.equal((await bank.admin.get('/operator/health')).body.vop, null)
})
