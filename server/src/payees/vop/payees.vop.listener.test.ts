// Other banks ask about accounts in this one, over real TLS.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { makeCertificate } from '../../testing/testing.certificates.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { certificateFolder, listeningFor, makeCertificates, sendTo } from '../../testing/testing.vop.ts'
import { makeIban } from '../../values/iban.ts'
import { houseId } from '../../ventures/ventures.ts'
import { mostNames } from './payees.vop.answer.ts'

const { server, client, stranger, expired } = makeCertificates()
const other = makeCertificate('other.test')
const bank = await openBank(listeningFor(certificateFolder(), server, [client, other, expired]))
const { listener } = bank.services.vop
assert.ok(listener)
const url = await listener.start()
after(() => listener.stop())

const venture = await ManagedVenture.open(bank)
const account = await venture.openAccount()
const [iban, asking] = [account.account_number, 'COBADEFFXXX']

const headersNow = (id: string = randomUUID()) => ({
  'content-type': 'application/json',
  'x-request-id': id,
  'x-request-timestamp': new Date().toISOString(),
})

const questionOf = (party: object, { about = iban, from = asking } = {}) => ({
  party,
  partyAccount: { iban: about },
  partyAgent: { financialInstitutionId: { bicfi: bank.config.bank.bic } },
  requestingAgent: { financialInstitutionId: { bicfi: from } },
})

const tls = { ca: server.cert, cert: client.cert, key: client.key }

const send = (body: object | string, changes: object = {}) => sendTo(url, { headers: headersNow(), body, tls, ...changes })

async function answered(party: object, about?: { about?: string; from?: string }): Promise<Loose> {
  const { status, body, text } = await send(questionOf(party, about))
  assert.equal(status, 200, text)
  return body
}

const exchanges = async (): Promise<Loose[]> => (await bank.owner.query(`select * from vop_exchanges order by id`)).rows

test('a name is answered as the payee check does, and the holder is named only for a close match', async () => {
  assert.deepEqual(await answered({ name: 'Lovelace Ada' }), { partyNameMatch: 'MTCH' })
  assert.deepEqual(await answered({ name: 'A. Lovelace' }), { partyNameMatch: 'CMTC', matchedName: 'Ada Lovelace' })
  assert.deepEqual(await answered({ name: 'Charles Babbage' }), { partyNameMatch: 'NMTC' })
  assert.deepEqual(await answered({ name: '山田' }), { partyNameMatch: 'NOAP' })
  const client = await venture.registerClient({ last_name: 'Müller-Jäger' })
  await bank.owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [client.id])
  const { account_number: about } = await venture.openAccount({ client_id: client.id })
  for (const name of ['Ada Müller-Jäger', 'Ada Mueller Jaeger', 'Ada Muller Jaeger'])
    assert.deepEqual(await answered({ name }, { about }), { partyNameMatch: 'MTCH' }, name)
})

test('an account that is closed, unknown or of a venture with books of its own is not verified', async () => {
  const unable = { partyNameMatch: 'NOAP' }
  const { country, code } = bank.config.bank
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { about: makeIban(country, `${code}00000000001`) }), unable)
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { about: 'DE89370400440532013000' }), unable)
  const closed = await venture.openAccount()
  assert.equal((await venture.post(`/accounts/${closed.id}/close`)).status, 200)
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { about: closed.account_number }), unable)
  const open = await bank.registerVenture()
  const theirs = await open.openAccount()
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { about: theirs.account_number }), unable)
})

test('no id is verified: clients are people', async () => {
  const lei = { organisationId: { lei: '5299000J2N45DDNE4Y28' } }
  assert.deepEqual(await answered({ identification: lei }), { partyIdMatch: 'NOAP' })
  assert.deepEqual(await answered({ identification: { privateId: { others: [{ identification: '7' }] } } }), { partyIdMatch: 'NOAP' })
  assert.deepEqual(await answered({ name: 'Ada Lovelace', identification: lei }), { partyNameMatch: 'MTCH', partyIdMatch: 'NOAP' })
})

test('an answer carries the id of the question and its own time, and is kept without the name', async () => {
  const id = randomUUID()
  const { headers } = await sendTo(url, { headers: headersNow(id), body: questionOf({ name: 'Grace Hopper' }), tls })
  assert.equal(headers['x-request-id'], id)
  assert.match(String(headers['x-response-timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const row = (await exchanges()).at(-1)
  const { venture_id, direction, request_id, bic, account_id, result, id_result } = row
  assert.deepEqual(
    { venture_id, direction, request_id, bic, account_id, result, id_result },
    {
      venture_id: venture.venture.id,
      direction: 'ANSWERED',
      request_id: id,
      bic: asking,
      account_id: account.id,
      result: 'NO_MATCH',
      id_result: null,
    },
  )
  assert.ok(!JSON.stringify(row).includes('Hopper'))
  await answered({ name: 'Ada Lovelace' }, { about: 'DE89370400440532013000' })
  const unknown = (await exchanges()).at(-1)
  assert.deepEqual([unknown.venture_id, unknown.account_id, unknown.result], [houseId, null, 'NOT_POSSIBLE'])
})

test('what is kept is not changed', async () => {
  await assert.rejects(bank.owner.query(`update vop_exchanges set result = 'MATCH'`), /are never changed or deleted/)
})

test('a repeated question is answered again', async () => {
  const headers = headersNow()
  const body = questionOf({ name: 'Ada Lovelace' })
  const [first, again] = [await sendTo(url, { headers, body, tls }), await sendTo(url, { headers, body, tls })]
  assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body])
})

const refusedFrom = async (changes: object, body: object | string = questionOf({ name: 'Ada Lovelace' })) => {
  const before = (await exchanges()).length
  const { status, body: said, headers } = await send(body, changes)
  assert.equal((await exchanges()).length, before, 'nothing is kept')
  assert.ok(said.type, JSON.stringify(said))
  return { status, code: said.code, headers }
}

test('what is not a question is refused, and nothing of it is repeated', async () => {
  const wrong = { status: 400, code: 'FORMAT_ERROR' }
  const shape = async (body: object | string, changes: object = {}) => {
    const { status, code } = await refusedFrom(changes, body)
    return { status, code }
  }
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    { party: {} },
    questionOf({}),
    questionOf({ name: 'x'.repeat(141) }),
    '{"party":{},"party":{}}',
  ])
    assert.deepEqual(await shape(body), wrong, JSON.stringify(body))
  const good = questionOf({ name: 'Ada Lovelace' })
  assert.deepEqual(await shape(good, { headers: { ...headersNow(), 'x-request-id': '7' } }), wrong)
  const late = { status: 400, code: 'TIMESTAMP_INVALID' }
  assert.deepEqual(await shape(good, { headers: { ...headersNow(), 'x-request-timestamp': 'now' } }), late)
  const { 'x-request-timestamp': _, ...timeless } = headersNow()
  assert.deepEqual(await shape(good, { headers: timeless }), late)
  assert.equal((await refusedFrom({ headers: { ...headersNow(), 'content-type': 'text/plain' } })).status, 415)
  assert.equal((await refusedFrom({}, questionOf({ name: 'Ada', more: 'x'.repeat(20_000) }))).status, 413)
  const secret = await send(questionOf({ name: ` ${'Secretname'.repeat(20)}` }))
  assert.ok(!secret.text.includes('Secretname'))
  assert.ok(!bank.logLines.join('').includes('Secretname'))
})

test('there is one path and one method', async () => {
  for (const path of ['/', '/api/v1/transfers', '/vop/v1/payee-verifications/', '/vop/v1/payee-verifications?x=1', '/metrics', '/healthz'])
    assert.equal((await refusedFrom({ path })).status, 404, path)
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await refusedFrom({ method })
    assert.deepEqual([status, headers.allow], [405, 'POST'], method)
  }
})

test('only a pinned certificate that is valid gets an answer', async () => {
  const ask = (certificate: object) =>
    sendTo(url, { headers: headersNow(), body: questionOf({ name: 'Ada Lovelace' }), tls: { ca: server.cert, ...certificate } })
  assert.equal((await ask(other)).status, 200)
  await assert.rejects(ask({}), 'without a certificate')
  await assert.rejects(ask(stranger), 'with an unknown one')
  await assert.rejects(ask(expired), 'with one that is pinned and has expired')
  // A pinned certificate vouches for nobody else.
  const issued = client.issue('issued.test')
  const { status, body } = await ask({ cert: `${issued.cert}${client.cert}`, key: issued.key })
  assert.deepEqual([status, body.code], [401, 'CLIENT_INVALID'])
  assert.ok((listener.figures.refused.get('tls') ?? 0) >= 3)
  assert.equal(listener.figures.refused.get('not_pinned'), 1)
})

test('without TLS there is no answer', async () => {
  const plain = new Promise((resolve, reject) => {
    request(url.replace('https:', 'http:'), { method: 'POST' }, resolve).once('error', reject).end('{}')
  })
  await assert.rejects(plain)
})

test('a bank that tries many names for an account learns no more about it, and all others do', async () => {
  const { account_number: about, id } = await venture.openAccount()
  const from = 'GUESDEFFXXX'
  const names = Array.from({ length: mostNames }, (_, number) => `Guess Number${number}`)
  for (const name of names) assert.deepEqual(await answered({ name }, { about, from }), { partyNameMatch: 'NMTC' })
  // A name that was asked before is not a further one, and neither are other ways to write it.
  assert.deepEqual(await answered({ name: names[0]?.toUpperCase() }, { about, from }), { partyNameMatch: 'NMTC' })
  const cases = async () => (await bank.admin.get(`/operator/cases?kind=payee_guessing&resource_id=${id}&state=OPEN`)).body
  assert.deepEqual(await cases(), [])
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { about, from }), { partyNameMatch: 'NOAP' })
  assert.deepEqual(
    await answered({ name: 'Ada Lovelace' }, { about, from: 'GUESDEFF123' }),
    { partyNameMatch: 'NOAP' },
    'from a branch of it',
  )
  assert.deepEqual(await answered({ name: names[0] }, { about, from }), { partyNameMatch: 'NOAP' })
  assert.deepEqual(
    await answered({ name: 'Ada Lovelace' }, { about, from: 'COBADEFFXXX' }),
    { partyNameMatch: 'MTCH' },
    'from another bank',
  )
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { from }), { partyNameMatch: 'MTCH' }, 'about another account')
  const [found, ...more] = await cases()
  assert.deepEqual([found.venture_id, found.payload, more], [venture.venture.id, { from_bic: from, most_names: mostNames }, []])
  await bank.owner.query(`alter table vop_exchanges disable trigger vop_exchanges_are_kept`)
  // As if an hour had passed: ids contain the time.
  await bank.owner.query(
    `update vop_exchanges set id = (lpad(to_hex((extract(epoch from now() - interval '2 hours') * 1000)::bigint), 12, '0') ||
    substr(replace(id::text, '-', ''), 13))::uuid where account_id = $1`,
    [id],
  )
  await bank.owner.query(`alter table vop_exchanges enable trigger vop_exchanges_are_kept`)
  assert.deepEqual(await answered({ name: 'Ada Lovelace' }, { about, from }), { partyNameMatch: 'MTCH' }, 'an hour later')
  const closed = await bank.admin.post(`/operator/cases/${found.id}/decisions`, { decision: 'close' })
  assert.deepEqual([closed.status, closed.body.state], [200, 'DECIDED'])
})

test('names that are tried at the same time are counted one after the other', async () => {
  const { account_number: about } = await venture.openAccount()
  const tried = Array.from({ length: mostNames + 10 }, (_, number) =>
    answered({ name: `Guess Number${number}` }, { about, from: 'RACEDEFFXXX' }),
  )
  const results = (await Promise.all(tried)).map(({ partyNameMatch }) => partyNameMatch)
  assert.equal(results.filter((result) => result === 'NMTC').length, mostNames)
  assert.equal(results.filter((result) => result === 'NOAP').length, 10)
})

test('the listener is in the metrics and in the health of the service', async () => {
  const { status, vop } = (await bank.admin.get('/operator/health')).body
  assert.equal(status, 'GREEN')
  assert.ok(vop.answered > 0 && vop.refused > 0 && vop.certificate_expires_s > 3_600, JSON.stringify(vop))
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  assert.match(text, /^vop_answered_total\{result="MATCH"\} [1-9]/m)
  assert.match(text, /^vop_refused_total\{reason="path"\} 6$/m)
  assert.match(text, /^vop_answer_seconds_count [1-9]/m)
})
