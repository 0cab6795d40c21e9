import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { encodeAmount } from './definitions/iso20022.simple.ts'
import { samples } from './iso20022.testing.ts'
import { type CreditTransfer, findTransactionFault, type Message, messageTypes, writeMessage } from './iso20022.ts'
import { readMessage } from './xml/iso20022.read.ts'

/** The golden files are indented for people; white space between elements means nothing. */
const golden = async (type: string) => await readFile(new URL(`./golden/${type}.xml`, import.meta.url), 'utf8')
const withoutIndent = (xml: string) =>
  xml
    .trim()
    .replace(/>\n\s*</g, '><')
    .replace('?><', '?>\n<')

for (const type of messageTypes)
  test(`${type} is written as in its golden file, and the golden file is read as the message`, async () => {
    const file = await golden(type)
    assert.equal(writeMessage(type, samples[type] as never).toString(), withoutIndent(file))
    assert.deepEqual(await readMessage(Buffer.from(file)).catch((error) => error), { type, message: samples[type] })
  })

test('every address of a golden file has a town and a country, and at most two lines', async () => {
  let addresses = 0
  for (const type of messageTypes)
    for (const [, address = ''] of (await golden(type)).matchAll(/<PstlAdr>(.*?)<\/PstlAdr>/gs)) {
      addresses++
      assert.match(address, /<TwnNm>.+<\/TwnNm>\s*<Ctry>[A-Z]{2}<\/Ctry>/, type)
      assert.ok([...address.matchAll(/<AdrLine>/g)].length <= 2, type)
    }
  assert.ok(addresses >= 15, `looked at only ${addresses} addresses`)
})

const payments = samples['pacs.008.001.08']
const [payment] = payments.transactions as [CreditTransfer]

/** Why the payment cannot be written with these changes. */
function faultWith(changes: Partial<CreditTransfer>): string {
  const changed = { ...payment, ...changes }
  const fault = findTransactionFault('pacs.008.001.08', changed)
  assert.throws(() => writeMessage('pacs.008.001.08', { ...payments, transactions: [changed] }), {
    name: 'MessageFault',
    reason: fault?.reason,
  })
  return fault?.message ?? ''
}

test('what the schema or the schemes forbid is not written, and the fault says where and why', () => {
  assert.equal(findTransactionFault('pacs.008.001.08', payment), undefined)
  const town = { country: 'LT', lines: ['Gedimino pr. 1'] }
  assert.match(
    faultWith({ debtor: { name: 'Ada', address: town } }),
    /CdtTrfTxInf\[1\]\/Dbtr\/PstlAdr: an address needs a town and a country\.$/,
  )
  assert.match(
    faultWith({ debtor: { name: 'Ada', address: { town: 'Vilnius', lines: ['Gedimino pr. 1'] } } }),
    /needs a town and a country/,
  )
  const three = { town: 'Vilnius', country: 'LT', lines: ['1', '2', '3'] }
  assert.match(faultWith({ debtor: { name: 'Ada', address: three } }), /AdrLine: it may occur at most 2 times/)
  const both = { town: 'Vilnius', country: 'LT', street: 'Gedimino pr.', lines: ['1'] }
  assert.match(faultWith({ debtor: { name: 'Ada', address: both } }), /either lines, or a street/)
  assert.match(faultWith({ debtor: { name: 'A'.repeat(71) } }), /Nm: it must have 1 to 70 characters/)
  assert.match(faultWith({ debtor: { name: 'Müller' } }), /Dbtr\/Nm: "Müller" has characters that the schemes do not allow/)
  assert.match(faultWith({ debtor: { name: '' } }), /must have 1 to 70 characters/)
  assert.match(faultWith({ remittance: ['one', 'two'] }), /RmtInf\/Ustrd: it may occur at most 1 times/)
  assert.match(faultWith({ remittance: ['x'.repeat(141)] }), /must have 1 to 140 characters/)
  assert.match(faultWith({ tx_id: 'x'.repeat(36) }), /PmtId\/TxId: it must have 1 to 35 characters/)
  assert.match(faultWith({ tx_id: undefined as never }), /PmtId\/TxId: it is required/)
  assert.match(faultWith({ debtor: undefined as never }), /Dbtr: it is required/)
  assert.match(faultWith({ amount: -1_0000n }), /IntrBkSttlmAmt: "-1\.0000" must not be negative/)
  assert.match(faultWith({ amount: 0n }), /IntrBkSttlmAmt: it must be above zero/)
  assert.match(faultWith({ currency: 'XYZ' }), /"XYZ" is not a currency/)
  assert.match(faultWith({ debtor_iban: 'LT60 1010' }), /DbtrAcct\/Id\/IBAN: .* must be an IBAN/)
  assert.match(faultWith({ debtor_account: '12345' }), /only one of several possible values/)
  assert.match(faultWith({ creditor_bic: 'COBA' }), /CdtrAgt\/FinInstnId\/BICFI: "COBA" must be a BIC/)
  assert.match(faultWith({ charge_bearer: 'OURS' as never }), /ChrgBr: "OURS" must be one of DEBT, CRED, SHAR, SLEV/)
  assert.match(faultWith({ accepted_at: '2026-11-16T10:00:00' }), /AccptncDtTm: .* must be a time/)
  assert.match(faultWith({ settlement_date: '2026-02-30' }), /IntrBkSttlmDt: "2026-02-30" must be a date/)
  assert.match(faultWith({ uetr: 'x' }), /UETR: "x" must be a UUID of version 4/)
})

test('more decimals than the currency has are a bug of the caller', () => {
  const message = { ...payments, transactions: [{ ...payment, amount: 12_3450n }] }
  assert.throws(() => writeMessage('pacs.008.001.08', message), /12\.3450 has more decimals than EUR/)
})

test('an amount has 18 digits at most, however many of them are decimals', () => {
  assert.equal(encodeAmount(1_234_567_890_123_456_7800n, 'EUR'), '1234567890123456.78')
  assert.throws(() => encodeAmount(12_345_678_901_234_567_8900n, 'EUR'), /must have at most 18 digits/)
  assert.equal(encodeAmount(123_456_789_012_345_678_0000n, 'JPY'), '123456789012345678')
})

test('one message has one currency', () => {
  const transactions = [payment, { ...payment, currency: 'USD' }]
  assert.throws(() => writeMessage('pacs.008.001.08', { ...payments, transactions }), { reason: 'sum_differs' })
})

test('a message needs a transaction, unless it is an answer about a whole message', () => {
  assert.throws(() => writeMessage('pacs.008.001.08', { ...payments, transactions: [] }), /there are no transactions/)
  assert.throws(() => writeMessage('camt.056.001.08', { ...samples['camt.056.001.08'], transactions: [] }), /TxInf: it is required/)
  const answer = { ...samples['pacs.002.001.10'], transactions: [] }
  assert.ok(!writeMessage('pacs.002.001.10', answer).includes('TxInfAndSts'))
})

test('statements carry any letters, and add up', async () => {
  const statements = samples['camt.053.001.08']
  assert.doesNotThrow(() => writeMessage('camt.053.001.08', statements))
  const read = await readMessage(writeMessage('camt.053.001.08', statements)).catch((error) => error)
  assert.deepEqual(read, { type: 'camt.053.001.08', message: statements })
  const [statement] = statements.statements as [Message<'camt.053.001.08'>['statements'][number]]
  const [opening, closing] = statement.balances
  assert.ok(opening && closing)
  const written = (balances: typeof statement.balances) => () =>
    writeMessage('camt.053.001.08', { ...statements, statements: [{ ...statement, balances }] })
  assert.throws(written([opening, { ...closing, amount: closing.amount + 100n }]), {
    reason: 'balances_differ',
    message: /should close at -12\.55 EUR, but states -12\.54 EUR/,
  })
  assert.throws(written([opening]), { reason: 'invalid', message: /needs an opening and a closing booked balance/ })
  assert.throws(written([opening, { ...closing, currency: 'USD' }]), { reason: 'balances_differ', message: /an amount in USD/ })
  const withControl = { ...statement, information: 'one\u0000two' }
  assert.throws(() => writeMessage('camt.053.001.08', { ...statements, statements: [withControl] }), /contains a control character/)
})

test('a message has 5,000 transactions at most, in all of its lists together', () => {
  const many = (times: number) => ({ ...payments, transactions: Array.from({ length: times }, () => payment) })
  assert.doesNotThrow(() => writeMessage('pacs.008.001.08', many(5_000)))
  assert.throws(() => writeMessage('pacs.008.001.08', many(5_001)), { reason: 'too_many_transactions', message: /occurs 5001 times/ })
  const orders = samples['pain.001.001.09']
  const [instruction] = orders.instructions
  assert.ok(instruction)
  const [order] = instruction.transactions
  assert.ok(order)
  const half = { ...instruction, transactions: Array.from({ length: 2_501 }, () => order) }
  assert.throws(() => writeMessage('pain.001.001.09', { ...orders, instructions: [half, half] }), { reason: 'too_many_transactions' })
})

test('the same message always becomes the same bytes', () => {
  for (const type of messageTypes)
    assert.deepEqual(writeMessage(type, samples[type] as never), writeMessage(type, structuredClone(samples[type]) as never))
})
