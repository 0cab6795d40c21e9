import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partAbout, prettyXml } from './xml.ts'

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

test('of many payments, the one with the transaction id is shown', () => {
  const one = '<CdtTrfTxInf><PmtId><TxId>a1</TxId></PmtId></CdtTrfTxInf>'
  const other = '<CdtTrfTxInf><PmtId><TxId>b2</TxId></PmtId></CdtTrfTxInf>'
  assert.equal(partAbout(`<Document>${one}${other}</Document>`, 'b2'), other)
  assert.equal(partAbout(`<Document>${one}${other}</Document>`, 'c3'), undefined)
  // Other banks use their own transaction ids, but a message with one payment is unambiguous.
  assert.equal(partAbout(`<Document>${one}</Document>`, 'c3'), one)
  const answer = '<TxInfAndSts><OrgnlTxId>a1</OrgnlTxId><TxSts>ACSC</TxSts></TxInfAndSts>'
  assert.equal(partAbout(`<Document>${answer}<TxInfAndSts><OrgnlTxId>b2</OrgnlTxId></TxInfAndSts></Document>`, 'a1'), answer)
  assert.equal(partAbout('<Document><Stmt/></Document>', 'a1'), undefined)
})
