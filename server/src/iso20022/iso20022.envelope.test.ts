// A document in an envelope: a business application header before it, under a root of any name.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { enveloped, MessageFault, MessageReader } from './iso20022.ts'

const reader = new MessageReader()
const golden = readFileSync(new URL('./golden/pacs.008.001.08.xml', import.meta.url))
/** As it is written here. */
const document = Buffer.from(golden.toString().replace(/^<\?xml[^>]*\?>\s*/, '<?xml version="1.0" encoding="UTF-8"?>\n'))
const header = {
  root: 'RequestPayload',
  from_bic: 'VOSTLT21XXX',
  to_bic: 'CSMXDEFFXXX',
  business_service: 'sct & more',
  message_id: 'VOSTLT2120261116S000000000001',
  type: 'pacs.008.001.08',
  created_at: '2026-11-16T09:30:00.123Z',
} as const

const faultOf = async (text: string): Promise<string> =>
  reader.read(Buffer.from(text)).then(
    () => assert.fail('it was read'),
    (error) => (error instanceof MessageFault ? `${error.reason}: ${error.message}` : Promise.reject(error)),
  )

test('what is in an envelope is read like the document alone', async () => {
  assert.deepEqual(await reader.read(enveloped(document, header)), await reader.read(document))
  assert.equal(await reader.validate(enveloped(document, { ...header, business_service: null })), 'pacs.008.001.08')
})

test('an envelope may declare its namespaces at its root, with prefixes, and have one of its own', async () => {
  const inside = document.toString().replace(/^.*\n/, '')
  const prefixed = inside
    .replace(/ xmlns="[^"]*"/, '')
    .replaceAll(/<(\/?)(\w)/g, '<$1doc:$2')
    .replace('<doc:Document', '<doc:Document')
  const text =
    `<x:Envelope xmlns:x="urn:csm:envelope" xmlns:doc="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08" ` +
    `xmlns:h="urn:iso:std:iso:20022:tech:xsd:head.001.001.01"><h:AppHdr><h:MsgDefIdr>pacs.008.001.08</h:MsgDefIdr></h:AppHdr>\n  ${prefixed}</x:Envelope>`
  assert.deepEqual(await reader.read(Buffer.from(text)), await reader.read(document))
})

test('a header must name the type of its document', async () => {
  const text = enveloped(document, header).toString()
  assert.match(await faultOf(text.replace('<MsgDefIdr>pacs.008.001.08', '<MsgDefIdr>pacs.009.001.08')), /^invalid: .*names pacs\.009/)
  assert.match(await faultOf(text.replace(/<MsgDefIdr>.*<\/MsgDefIdr>/, '')), /^invalid: .*names no type/)
  assert.match(await faultOf(text.replace('head.001.001.02', 'camt.001.001.02')), /^invalid: .*not a head\.001\.001/)
})

test('anything else around a document is refused', async () => {
  const text = enveloped(document, header).toString()
  const inside = document.toString().replace(/^.*\n/, '')
  for (const other of [
    text.replace(/<AppHdr.*<\/AppHdr>/, ''),
    text.replace('</RequestPayload>', '<More/></RequestPayload>'),
    text.replace('</RequestPayload>', `${inside}</RequestPayload>`),
    `<Outer>${text.replace(/^.*\n/, '')}</Outer>`,
  ])
    assert.match(await faultOf(other), /^unknown_type: /)
  assert.match(await faultOf(text.replace('<CdtTrfTxInf>', '<CdtTrfTxInf><Unknown/>')), /^invalid: /)
})

test('the reader is closed', async () => reader.close())
