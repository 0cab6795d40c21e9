import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf } from './xml.ts'

test('an answer names the message and the payments that it is about', () => {
  const xml = `<FIToFIPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId></OrgnlGrpInfAndSts>
    <TxInfAndSts><OrgnlEndToEndId>A&amp;B</OrgnlEndToEndId><OrgnlTxId>t1</OrgnlTxId><TxSts>ACSC</TxSts></TxInfAndSts>
    <TxInfAndSts><OrgnlTxId>t2</OrgnlTxId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf></TxInfAndSts></FIToFIPmtStsRpt>`
  assert.deepEqual(answerOf(xml), {
    message_id: 'M1',
    type: 'pacs.008.001.08',
    status: undefined,
    reason: undefined,
    transactions: [
      { tx_id: 't1', end_to_end_id: 'A&B', status: 'ACSC', reason: undefined },
      { tx_id: 't2', end_to_end_id: undefined, status: 'RJCT', reason: 'AC01' },
    ],
  })
  assert.equal(answerOf('<Document><A/></Document>'), undefined)
})
