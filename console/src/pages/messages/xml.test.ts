import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf, meaningOf, railOf, shortType } from './message-words.ts'
import { answerOf, prettyXml } from './xml.ts'

test('a message gets one line for each element', () => {
  const xml = '<?xml version="1.0"?><Document xmlns="urn:x"><A><B>1 &amp; 2</B><C Ccy="EUR">2.00</C><D/></A></Document>'
  assert.equal(
    prettyXml(xml),
    [
      '<?xml version="1.0"?>',
      '<Document xmlns="urn:x">',
      '  <A>',
      '    <B>1 &amp; 2</B>',
      '    <C Ccy="EUR">2.00</C>',
      '    <D/>',
      '  </A>',
      '</Document>',
    ].join('\n'),
  )
  assert.equal(prettyXml(prettyXml(xml)), prettyXml(xml))
  assert.equal(prettyXml('<A><B>'), '<A>\n  <B>')
  assert.equal(prettyXml('no xml'), 'no xml')
})

test('an answer names the message and the payments that it is about', () => {
  const xml = `<FIToFIPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId></OrgnlGrpInfAndSts>
    <TxInfAndSts><OrgnlEndToEndId>A&amp;B</OrgnlEndToEndId><OrgnlTxId>t1</OrgnlTxId><TxSts>ACSC</TxSts></TxInfAndSts>
    <TxInfAndSts><OrgnlTxId>t2</OrgnlTxId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf></TxInfAndSts></FIToFIPmtStsRpt>`
  assert.deepEqual(answerOf(xml), {
    ...{ message_id: 'M1', type: 'pacs.008.001.08', status: undefined, reason: undefined },
    transactions: [
      { tx_id: 't1', end_to_end_id: 'A&B', status: 'ACSC', reason: undefined },
      { tx_id: 't2', end_to_end_id: undefined, status: 'RJCT', reason: 'AC01' },
    ],
  })
  assert.equal(answerOf('<Document><A/></Document>'), undefined)
})

test('a message is called by its type, its rail and its size', () => {
  assert.equal(shortType('pacs.008.001.08'), 'pacs.008')
  assert.equal(meaningOf('camt.053.001.08'), 'A statement')
  assert.deepEqual(['VOSTLT2120270219I000000000068', 'VOSTLT2120270219Q000000000068', 'X', null].map(railOf), [
    'INST',
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual([815, 2439, 12_345_678].map(bytesOf), ['815 B', '2.4 kB', '12.3 MB'])
})
