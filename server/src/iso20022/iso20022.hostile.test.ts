// Hostile files. Each is refused with its reason, and the next file is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { samples } from './iso20022.testing.ts'
import { faults, limits, type MessageType, messageTypes, writeMessage } from './iso20022.ts'
import type { FaultReason, MessageFault } from './xml/iso20022.faults.ts'
import { readMessage, validateMessage } from './xml/iso20022.read.ts'

const text = (type: MessageType) => writeMessage(type, samples[type] as never).toString()
const payments = text('pacs.008.001.08')
const body = payments.slice(payments.indexOf('<Document'))
const [transaction = ''] = /<CdtTrfTxInf>.*?<\/CdtTrfTxInf>/s.exec(payments) ?? []

/** A message with this many transactions, which states their number. */
function many(times: number): string {
  return payments
    .replace(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/s, transaction.repeat(times))
    .replace(/<NbOfTxs>\d+/, `<NbOfTxs>${times}`)
    .replace(/(<TtlIntrBkSttlmAmt Ccy="EUR">)[^<]*/, `$1${((times * 1234) / 100).toFixed(2)}`)
}

function changed(xml: string, from: string | RegExp, to: string): string {
  const other = xml.replace(from, to)
  assert.notEqual(other, xml, `${from} is not in the message`)
  return other
}

const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join('')
const nested = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
const inDocument = (content: string) => `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08">${content}</Document>`

type Hostile = { file: string | Uint8Array; reason: FaultReason; says?: RegExp }

const hostile: Record<string, Hostile> = {
  'an empty file': { file: '', reason: 'empty' },
  'a DOCTYPE': { file: `<!DOCTYPE Document>${body}`, reason: 'doctype' },
  'a DOCTYPE in lower case': { file: `<!doctype Document>${body}`, reason: 'doctype' },
  'an external entity': {
    file: `<!DOCTYPE Document [<!ENTITY secret SYSTEM "file:///etc/passwd">]>${body.replace('Ada Lovelace', '&secret;')}`,
    reason: 'doctype',
  },
  'a billion laughs': {
    file: `<!DOCTYPE Document [<!ENTITY l0 "ha">${laughs}]>${body.replace('Ada Lovelace', '&l9;')}`,
    reason: 'doctype',
  },
  'a DOCTYPE after a comment that quotes the end of one': { file: `<!-- > --><!DOCTYPE Document>${body}`, reason: 'doctype' },
  'an entity that nobody declared': { file: changed(payments, 'Ada Lovelace', '&secret;'), reason: 'malformed', says: /secret/ },
  'UTF-16 with a mark': { file: Buffer.from(`\ufeff${payments}`, 'utf16le'), reason: 'not_utf8' },
  'UTF-16 without a mark': { file: Buffer.from(body, 'utf16le'), reason: 'not_utf8' },
  'UTF-16 that it declares': { file: Buffer.from(payments.replace('UTF-8', 'UTF-16'), 'utf16le'), reason: 'not_utf8' },
  'UTF-8 that it calls UTF-16': { file: changed(payments, 'UTF-8', 'UTF-16'), reason: 'not_utf8', says: /It declares the encoding UTF-16/ },
  'another encoding': { file: changed(payments, 'UTF-8', 'ISO-8859-1'), reason: 'not_utf8', says: /ISO-8859-1/ },
  'UTF-7, whose DOCTYPE nobody would see': { file: `<?xml version="1.0" encoding="UTF-7"?>+ADw-!DOCTYPE+AD4-${body}`, reason: 'not_utf8' },
  'an encoding far behind the beginning': {
    file: changed(payments, ' encoding="UTF-8"', `${' '.repeat(300)}encoding="UTF-16"`),
    reason: 'malformed',
    says: /must declare XML 1\.0/,
  },
  'bytes that are no UTF-8': { file: Buffer.concat([Buffer.from(payments.slice(0, 600)), Buffer.from([0xc3, 0x28])]), reason: 'not_utf8' },
  'overlong UTF-8': { file: Buffer.concat([Buffer.from([0xc0, 0xbc]), Buffer.from(body)]), reason: 'not_utf8' },
  'XML 1.1': { file: changed(payments, 'version="1.0"', 'version="1.1"'), reason: 'malformed', says: /XML 1\.0/ },
  'a processing instruction': { file: changed(payments, '<GrpHdr>', '<?php evil() ?><GrpHdr>'), reason: 'instruction' },
  'a style sheet': { file: changed(payments, '<Document', '<?xml-stylesheet href="http://127.0.0.1/x"?><Document'), reason: 'instruction' },
  'a file that ends too early': { file: payments.slice(0, -'</Document>'.length), reason: 'malformed', says: /Line 2: / },
  'a file that ends inside a tag': { file: payments.slice(0, payments.indexOf('<Dbtr>') + 3), reason: 'malformed' },
  'a file that ends inside a comment': { file: `${payments.slice(0, 500)}<!-- `, reason: 'malformed' },
  'something after the end': { file: `${payments}<Document/>`, reason: 'malformed' },
  'no XML at all': { file: 'MsgId;Amount\n1;12.34', reason: 'malformed' },
  '100,000 levels': { file: inDocument(nested(100_000)), reason: 'too_deep', says: /more than 64 levels/ },
  '100,000 levels that never end': { file: '<a>'.repeat(100_000), reason: 'too_deep' },
  '65 levels inside what is skipped': {
    file: changed(payments, '</RmtInf></CdtTrfTxInf>', `</RmtInf><SplmtryData>${nested(65)}</SplmtryData></CdtTrfTxInf>`),
    reason: 'too_deep',
  },
  'a million elements and more': { file: inDocument('<a/>'.repeat(limits.nodes + 1)), reason: 'too_complex' },
  'a million attributes and more': {
    file: inDocument(`<a ${Array.from({ length: 1_500 }, (_, index) => `a${index}=""`).join(' ')}/>`.repeat(700)),
    reason: 'too_complex',
  },
  'a million comments and more': { file: inDocument('<!---->'.repeat(limits.nodes + 1)), reason: 'too_complex' },
  'a tag that never ends': { file: changed(payments, '<Document ', `<Document ${'a'.repeat(20_000)}="" `), reason: 'too_complex' },
  '65 MB': { file: Buffer.alloc(65 * 1024 * 1024, '<'), reason: 'too_large', says: /68157440 bytes/ },
  '5,001 transactions': { file: many(5_001), reason: 'too_many_transactions', says: /CdtTrfTxInf occurs more than 5000 times/ },
  '5,001 transactions with a prefix': {
    file: `<x:Document xmlns:x="urn:x">${'<x:Ntry/>'.repeat(5_001)}</x:Document>`,
    reason: 'too_many_transactions',
  },
  'another version': {
    file: payments.replaceAll('pacs.008.001.08', 'pacs.008.001.12'),
    reason: 'unknown_type',
    says: /pacs\.008\.001\.12/,
  },
  'no namespace': { file: changed(payments, / xmlns="[^"]*"/, ''), reason: 'unknown_type', says: /no namespace/ },
  'another document': { file: '<html xmlns="http://www.w3.org/1999/xhtml"></html>', reason: 'unknown_type' },
  'a root with another name': { file: payments.replaceAll('Document', 'Dokument'), reason: 'unknown_type' },
  'an element that the message does not have': {
    file: changed(payments, '<ChrgBr>', '<Evil>1</Evil><ChrgBr>'),
    reason: 'invalid',
    says: /Evil/,
  },
  'elements in another order': {
    file: changed(payments, /(<NbOfTxs>.*?<\/NbOfTxs>)(<TtlIntr.*?<\/TtlIntrBkSttlmAmt>)/, '$2$1'),
    reason: 'invalid',
  },
  'an element of another namespace': { file: changed(payments, '<ChrgBr>', '<ChrgBr xmlns="urn:x">'), reason: 'invalid' },
  'an attribute that it does not have': { file: changed(payments, '<ChrgBr>', '<ChrgBr a="b">'), reason: 'invalid', says: /attribute 'a'/ },
  'another type for an element': {
    file: changed(payments, '<Dbtr>', '<Dbtr xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Skipped">'),
    reason: 'invalid',
  },
  'nothing instead of a value': {
    file: changed(payments, '<ChrgBr>SLEV', '<ChrgBr xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true">'),
    reason: 'invalid',
  },
  'a payment without an id': { file: changed(payments, /<TxId>.*?<\/TxId>/, ''), reason: 'invalid' },
  'a debtor without a name': { file: changed(payments, '<Nm>Ada Lovelace</Nm>', ''), reason: 'invalid', says: /Nm/ },
  'a relative namespace in what is skipped': {
    file: changed(payments, '</RmtInf></CdtTrfTxInf>', '</RmtInf><SplmtryData><x:a xmlns:x="here"/></SplmtryData></CdtTrfTxInf>'),
    reason: 'malformed',
  },
  'an id that is too long': { file: changed(payments, '<TxId>', `<TxId>${'x'.repeat(36)}`), reason: 'invalid' },
  'an amount without a currency': {
    file: changed(payments, '<IntrBkSttlmAmt Ccy="EUR">', '<IntrBkSttlmAmt>'),
    reason: 'invalid',
    says: /Ccy/,
  },
  'a currency that does not exist': { file: payments.replaceAll('"EUR"', '"XYZ"'), reason: 'invalid', says: /"XYZ" is not a currency/ },
  'more decimals than a cent': {
    file: changed(payments, '>12.34<', '>12.345<'),
    reason: 'invalid',
    says: /CdtTrfTxInf\[1\]\/IntrBkSttlmAmt: "12\.345" has more decimals than EUR/,
  },
  'a negative amount': { file: changed(payments, '>12.34<', '>-12.34<'), reason: 'invalid' },
  'no number': { file: changed(payments, '>12.34<', '>NaN<'), reason: 'invalid' },
  'an exponent': { file: changed(payments, '>12.34<', '>1e2<'), reason: 'invalid' },
  'an amount of 18 digits': { file: changed(payments, '>12.34<', '>123456789012345678<'), reason: 'invalid', says: /at most 15 digits/ },
  'a day that does not exist': { file: changed(payments, '>2026-11-16<', '>2026-02-30<'), reason: 'invalid' },
  'a wrong number': {
    file: changed(payments, '<NbOfTxs>2<', '<NbOfTxs>3<'),
    reason: 'number_differs',
    says: /NbOfTxs: it is 3, but there are 2\.$/,
  },
  'a wrong total': {
    file: changed(payments, '>512.34<', '>512.35<'),
    reason: 'sum_differs',
    says: /it is 512\.35 EUR, but the sum is 512\.34 EUR/,
  },
  'a total in another currency': { file: changed(payments, '"EUR">512.34<', '"USD">512.34<'), reason: 'sum_differs', says: /512\.34 USD/ },
  'amounts in two currencies': {
    file: changed(payments, '<IntrBkSttlmAmt Ccy="EUR">12.34<', '<IntrBkSttlmAmt Ccy="USD">12.34<'),
    reason: 'sum_differs',
  },
  'a wrong control sum': {
    file: changed(payments, '</NbOfTxs>', '</NbOfTxs><CtrlSum>512.3401</CtrlSum>'),
    reason: 'sum_differs',
    says: /CtrlSum: it is 512\.3401, but the sum is 512\.34\.$/,
  },
  'a wrong number of orders in one of several instructions': {
    file: changed(text('pain.001.001.09'), /(<PmtInf>.*?<NbOfTxs>)2/s, '$11'),
    reason: 'number_differs',
  },
  'a wrong sum of orders': { file: changed(text('pain.001.001.09'), '<CtrlSum>1012.34', '<CtrlSum>1012.00'), reason: 'sum_differs' },
  'a wrong sum of direct debits': {
    file: changed(text('pacs.003.001.08'), '<TtlIntrBkSttlmAmt Ccy="EUR">25.00', '<TtlIntrBkSttlmAmt Ccy="EUR">52.00'),
    reason: 'sum_differs',
  },
  'a wrong sum of returns': {
    file: changed(text('pacs.004.001.09'), '<TtlRtrdIntrBkSttlmAmt Ccy="EUR">12', '<TtlRtrdIntrBkSttlmAmt Ccy="EUR">13'),
    reason: 'sum_differs',
  },
  'a wrong number of recalls': { file: changed(text('camt.056.001.08'), '<NbOfTxs>1', '<NbOfTxs>2'), reason: 'number_differs' },
  'a wrong sum of recalls': { file: changed(text('camt.056.001.08'), '<CtrlSum>12.34', '<CtrlSum>12.35'), reason: 'sum_differs' },
  'a wrong number of entries': { file: changed(text('camt.053.001.08'), '<NbOfNtries>3', '<NbOfNtries>4'), reason: 'number_differs' },
  'a wrong sum of debits': {
    file: changed(text('camt.053.001.08'), /(<TtlDbtNtries>.*?<Sum>)512\.34/s, '$1512.33'),
    reason: 'sum_differs',
  },
  'balances that do not add up': {
    file: changed(text('camt.053.001.08'), '<Amt Ccy="EUR">12.55<', '<Amt Ccy="EUR">12.54<'),
    reason: 'balances_differ',
  },
}

for (const [name, { file, reason, says = /./ }] of Object.entries(hostile))
  test(`refused: ${name}`, async () => {
    const bytes = typeof file === 'string' ? Buffer.from(file) : file
    const fault: MessageFault = await readMessage(bytes).then(
      () => assert.fail('it was read'),
      (error) => error,
    )
    assert.deepEqual([fault.name, fault.reason], ['MessageFault', reason], fault.message)
    assert.ok(fault.message.startsWith(faults[reason]))
    assert.match(fault.message, says)
    assert.ok(fault.message.length < 700, 'the reason is not the file')
    assert.equal((await readMessage(Buffer.from(payments))).type, 'pacs.008.001.08')
  })

test('validation alone refuses what the schema refuses, too', async () => {
  await assert.rejects(validateMessage(Buffer.from(changed(payments, '<ChrgBr>', '<Evil/><ChrgBr>'))), { reason: 'invalid' })
  await assert.rejects(validateMessage(Buffer.from(`<!DOCTYPE a>${body}`)), { reason: 'doctype' })
})

test('every reason to refuse a file is shown by a file', () => {
  const shown = new Set(Object.values(hostile).map(({ reason }) => reason))
  // Failing processes are tested with the processes.
  assert.deepEqual(
    Object.keys(faults).filter((reason) => !shown.has(reason as FaultReason)),
    ['unreadable'],
  )
})

test('a damaged file is either read or refused, and never anything else', async () => {
  const files = messageTypes.map((type) => Buffer.from(text(type)))
  const pieces = [
    '',
    '<',
    '>',
    '</',
    '/>',
    '&',
    '&#x0;',
    '"',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE a [',
    '<?',
    'xmlns=""',
    '\0',
    '\u{1F600}',
    '-',
    '9'.repeat(40),
  ]
  const damage = fc.record({
    file: fc.constantFrom(...files),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(60),
    piece: fc.constantFrom(...pieces),
  })
  let [read, refused] = [0, 0]
  const property = fc.asyncProperty(damage, async ({ file, at, cut, piece }) => {
    const place = Math.floor(at * file.length)
    const damaged = Buffer.concat([file.subarray(0, place), Buffer.from(piece), file.subarray(place + cut)])
    const result = await readMessage(damaged).catch((error) => error)
    if (result instanceof Error) assert.equal(result.name, 'MessageFault', result.stack ?? '')
    result instanceof Error ? refused++ : read++
  })
  await fc.assert(property, { numRuns: 1_000 })
  assert.ok(refused > 500 && read > 0, `${refused} refused, ${read} read`)
})

test('5,000 transactions are read', async () => {
  const { type, message } = await readMessage(Buffer.from(many(5_000)))
  assert.ok(type === 'pacs.008.001.08')
  assert.equal(message.transactions.length, 5_000)
})
