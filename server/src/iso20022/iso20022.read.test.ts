import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryMessage, samples } from './iso20022.testing.ts'
import { boundsOf, messageTypes, writeMessage } from './iso20022.ts'
import { readMessage, validateMessage } from './xml/iso20022.read.ts'

for (const type of messageTypes)
  test(`any ${type} is valid by our schema, and what is read back is what was written`, async () => {
    const property = fc.asyncProperty(arbitraryMessage(type), async (message) => {
      assert.deepEqual(await readMessage(writeMessage(type, message as never)), { type, message })
    })
    await fc.assert(property, { numRuns: 40, seed: 20022 })
  })

const payments = writeMessage('pacs.008.001.08', samples['pacs.008.001.08']).toString()
const answers = writeMessage('pacs.002.001.10', samples['pacs.002.001.10']).toString()
const statements = writeMessage('camt.053.001.08', samples['camt.053.001.08']).toString()

/** The message after a change of its XML, which must match. */
async function readChanged(xml: string, from: string | RegExp, to: string) {
  const changed = xml.replace(from, to)
  assert.notEqual(changed, xml)
  const { message } = await readMessage(Buffer.from(changed))
  // biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape.
  return message as any
}

test('other banks write the same values differently', async () => {
  const amounts = ['12.34000', '+12.34', '012.34', ' 12.34\n']
  for (const amount of amounts) {
    const read = await readChanged(payments, '<IntrBkSttlmAmt Ccy="EUR">12.34<', `<IntrBkSttlmAmt Ccy="EUR">${amount}<`)
    assert.equal(read.transactions[0].amount, 12_3400n, amount)
  }
  const whole = await readChanged(payments.replaceAll('512.34', '500.50'), '>12.34<', '>.5<')
  assert.equal(whole.transactions[0].amount, 5000n)
  const zoned = await readChanged(payments, '<IntrBkSttlmDt>2026-11-16<', '<IntrBkSttlmDt>2026-11-16+02:00<')
  assert.equal(zoned.settlement_date, '2026-11-16')
  const local = await readChanged(payments, '<CreDtTm>2026-11-16T09:30:00Z<', '<CreDtTm>2026-11-16T09:30:00<')
  assert.equal(local.created_at, '2026-11-16T09:30:00')
  const settled = await readChanged(answers, '<Dt>2026-11-16</Dt>', '<DtTm>2026-11-16T23:59:59.999+02:00</DtTm>')
  assert.equal(settled.transactions[0].settled_on, '2026-11-16')
  const notice = writeMessage('camt.054.001.08', samples['camt.054.001.08']).toString()
  const flag = await readChanged(notice, '<RvslInd>true<', '<RvslInd>1<')
  assert.equal(flag.notifications[0].entries[0].reversal, true)
})

test('prefixes, comments, CDATA, spaces, a byte order mark and a schema location change nothing', async () => {
  const expected = samples['pacs.008.001.08']
  const prefixed = payments.replace(/<(\/?)(\w)/g, '<$1iso:$2').replace('xmlns=', 'xmlns:iso=')
  const located = payments.replace(
    '<Document ',
    '<Document xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08 pacs.008.001.08.xsd" ',
  )
  const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
  const elsewhere = `${instance} xsi:schemaLocation="urn:x http://127.0.0.1:1/x.xsd" xsi:noNamespaceSchemaLocation="file:///etc/passwd"`
  const include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'
  const forms = [
    prefixed,
    located,
    payments.replace('<Document ', `<Document ${elsewhere} `),
    payments.replace('</RmtInf></CdtTrfTxInf>', `</RmtInf><SplmtryData>${include}</SplmtryData></CdtTrfTxInf>`),
    payments.replace('<GrpHdr>', '<!-- <!DOCTYPE is only a word here --><GrpHdr>'),
    payments.replace('<Nm>Ada Lovelace</Nm>', '<Nm><![CDATA[Ada]]> Love<!-- x -->lace</Nm>'),
    payments.replace('<Nm>Ada Lovelace</Nm>', '<Nm>&#65;da Lovelace</Nm>'),
    payments.replaceAll('><', '>\r\n\t<'),
    `\ufeff${payments}`,
    payments.replace(/^<\?xml[^>]*>\n/, ''),
    payments.replace('encoding="UTF-8"', "encoding='utf-8' standalone='yes'"),
  ]
  for (const form of forms) {
    assert.notEqual(form, payments)
    assert.deepEqual((await readMessage(Buffer.from(form))).message, expected, form.slice(0, 300))
  }
})

test('text is read as it was before it was escaped', async () => {
  const read = await readChanged(payments, 'Ada Lovelace', 'A &amp; B &lt;C&gt; &quot;D&quot; &#39;E&#39; &#x1F600;&#xA;&#13;é]]&gt;')
  assert.equal(read.transactions[0].debtor.name, 'A & B <C> "D" \'E\' 😀\n\ré]]>')
})

test('elements that are valid and not used are skipped, with whatever they contain', async () => {
  const rich = payments
    .replace('<ChrgBr>', '<InstdAmt Ccy="USD">13.00</InstdAmt><XchgRate>1.05</XchgRate><ChrgBr>')
    .replace('</Nm><PstlAdr>', '</Nm><PstlAdr><Dept>Sales</Dept>')
    .replace(
      '</RmtInf></CdtTrfTxInf>',
      '</RmtInf><SplmtryData><PlcAndNm>/a</PlcAndNm><Envlp><x:a xmlns:x="urn:x" b=">"><Nm>No</Nm><x:c/></x:a></Envlp></SplmtryData></CdtTrfTxInf>',
    )
  assert.ok(rich.includes('SplmtryData') && rich.includes('XchgRate') && rich.includes('Dept'))
  assert.deepEqual((await readMessage(Buffer.from(rich))).message, samples['pacs.008.001.08'])
})

test('a bank without a BIC is written as not provided, and read as unknown', async () => {
  const order = samples['pain.008.001.08']
  const xml = writeMessage('pain.008.001.08', order).toString()
  assert.ok(xml.includes('<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>'))
  assert.deepEqual((await readMessage(Buffer.from(xml))).message, order)
})

test('debits are negative, and the sign is not lost on the way', async () => {
  const {
    statements: [statement],
  } = samples['camt.053.001.08']
  assert.ok(statement)
  assert.deepEqual(boundsOf(statement).closing?.amount, -12_5500n)
  assert.match(statements, /<Amt Ccy="EUR">12\.55<\/Amt><CdtDbtInd>DBIT<\/CdtDbtInd>/)
  const previous = await readChanged(statements, '<Cd>OPBD</Cd>', '<Cd>PRCD</Cd>')
  assert.equal(boundsOf(previous.statements[0]).opening?.amount, 100_0000n)
})

test('validation alone gives the type', async () => {
  for (const type of messageTypes) assert.equal(await validateMessage(writeMessage(type, samples[type] as never)), type)
})
