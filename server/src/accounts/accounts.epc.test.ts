import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { decodedQr } from '../testing/testing.qr.ts'
import { openBank } from '../testing/testing.ts'
import { epcText } from './accounts.epc.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED', first_name: 'Ελένη', last_name: 'Müller' })
const account = await venture.openAccount({ client_id: client.id })

const path = `/accounts/${account.id}/epc-qr`

test('the QR code has the elements of EPC069-12, version 002, in their order', async () => {
  const text = await venture.get(`${path}?amount=12.5&purpose=Rent%20for%20May&purpose_code=RENT&format=text`)
  assert.equal(text.status, 200, text.text)
  assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8')
  const { bic } = bank.config.bank
  const lines = ['BCD', '002', '1', 'SCT', bic, 'Ελένη Müller', account.account_number, 'EUR12.50', 'RENT', '', 'Rent for May']
  assert.deepEqual(text.text.split('\n'), lines)
  const image = await venture.get(`${path}?amount=12.5&purpose=Rent%20for%20May&purpose_code=RENT`)
  assert.equal(image.status, 200)
  assert.equal(image.headers['content-type'], 'image/svg+xml')
  assert.equal(decodedQr(image.text), text.text)
})

test('elements at the end that are not given are left out', async () => {
  const plain = await venture.get(`${path}?format=text`)
  assert.deepEqual(plain.text.split('\n').slice(4), [bank.config.bank.bic, 'Ελένη Müller', account.account_number])
  const referred = await venture.get(`${path}?structured_reference=rf18%205390%200754%207034&format=text`)
  assert.deepEqual(referred.text.split('\n').slice(7), ['', '', 'RF18539007547034'])
})

test('what a banking app would not accept is refused', async () => {
  for (const [query, field] of [
    ['amount=0', 'amount'],
    ['amount=0.001', 'amount'],
    ['amount=1000000000', 'amount'],
    ['amount=-5', 'amount'],
    ['structured_reference=RF19539007547034', 'structured_reference'],
    ['purpose_code=rent', 'purpose_code'],
    [`purpose=${'x'.repeat(141)}`, 'purpose'],
    [`purpose=${encodeURIComponent('Ж'.repeat(140))}`, 'purpose'],
    ['purpose=Rent&structured_reference=RF18539007547034', 'purpose'],
    ['format=png', 'format'],
    ['iban=DE89370400440532013000', 'iban'],
  ] as const) {
    const { status, problem, text } = await venture.get(`${path}?${query}`)
    assert.deepEqual([status, problem?.code, problem?.errors?.[0]?.field], [400, 'invalid_request', field], `${query}: ${text}`)
  }
  assert.equal((await venture.get(`${path}?amount=999999999.99`)).status, 200)
})

test('only an active account in euros that SEPA reaches has a QR code', async () => {
  const refused = async (id: string, pattern: RegExp) => {
    const { status, problem } = await venture.get(`/accounts/${id}/epc-qr`)
    assert.deepEqual([status, problem?.code], [409, 'epc_qr_not_possible'])
    assert.match(problem.detail, pattern)
  }
  await refused((await venture.openAccount({ currency: 'USD' })).id, /in USD/)
  const frozen = await venture.openAccount()
  assert.equal((await venture.post(`/accounts/${frozen.id}/freeze`)).status, 200)
  await refused(frozen.id, /SUSPENDED/)
  const unreachable = {
    account_number: 'BY13NBRB3600900000002Z00AB00',
    currency: 'EUR',
    status: 'ACTIVE',
    holder_name: 'A B',
    bic: 'X',
  } as const
  assert.throws(() => epcText(unreachable, {}), { code: 'epc_qr_not_possible' })
  const other = await bank.registerVenture()
  for (const answer of [await other.get(path), await venture.get(`/accounts/${randomUUID()}/epc-qr`)])
    assert.deepEqual([answer.status, answer.problem?.code], [404, 'account_not_found'])
})

test('the longest name fits, in any script', () => {
  const payee = { account_number: 'LT121000011101001000', currency: 'EUR', status: 'ACTIVE', bic: 'VOSTLT21XXX' } as const
  for (const letter of ['A', 'Ж', '山', '𠀀']) {
    const query = { amount: '999999999.99', purpose_code: 'RENT', structured_reference: 'RF45G72UUR' }
    const text = epcText({ ...payee, holder_name: letter.repeat(281) }, query)
    const name = Array.from(text.split('\n')[5] ?? '')
    assert.ok(name.length <= 70 && name.length >= 50 && name.every((each) => each === letter), `${name.length} of ${letter}`)
    assert.ok(Buffer.byteLength(text) <= 331)
  }
})
