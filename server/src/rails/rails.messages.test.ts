// Which messages are about a transfer, and in which order messages are listed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { theirIban } from '../testing/testing.otherbank.ts'
import { openRails } from '../testing/testing.rails.ts'
import type { Loose } from '../testing/testing.ts'

const rails = await openRails()
const { other, bank, venture, sent, takeIn, sendOut, decided, lastCase } = rails
const someone = await rails.payer('100000.00')

/** The files of the messages about a transfer, in the order in which they were exchanged. */
async function filesOf({ id }: { id: string }): Promise<string[]> {
  const { status, body, text } = await bank.admin.get(`/operator/messages?transfer_id=${id}`)
  assert.equal(status, 200, text)
  return body.map(({ file }: Loose) => file).toReversed()
}

const typeOf = async (file: string | undefined): Promise<string> => (await rails.messageOf(file ?? '')).type

const fileOf = ({ message_id }: { message_id: string }): string => `${message_id}.xml`

test('a payment has the message that it left in, and what other banks said about it', async () => {
  const { account_id, beneficiary_id } = someone
  const orders = await Promise.all([1, 2].map(() => venture.createTransfer({ account_id, beneficiary_id, debit_amount: '11.00' })))
  const [one, another] = orders as [Loose, Loose]
  assert.deepEqual(await filesOf(one), [])
  await sendOut()
  const [payment, unlike] = [await other.payment(one), await other.payment(another)]
  assert.equal(payment.message_id, unlike.message_id)
  const accepted = other.answer([payment, unlike], 'ACSP')
  await takeIn()
  const settled = other.answer([payment], 'ACSC')
  await takeIn()
  // It adds nothing, but it is about the payment.
  const repeated = other.answer([payment], 'ACSC')
  await takeIn()
  const returned = other.giveBack([payment])
  await takeIn()
  assert.deepEqual(await filesOf(one), [fileOf(payment), accepted, settled, repeated, returned])
  assert.deepEqual(await filesOf(another), [fileOf(payment), accepted])
  const { body: transfers } = await venture.get(`/transfers?account_id=${account_id}&direction=INBOUND&limit=1`)
  assert.equal(transfers[0].parent_transaction_id, one.id)
  assert.deepEqual(await filesOf(transfers[0]), [returned])
  assert.deepEqual(await filesOf({ id: randomUUID() }), [])
})

test('a payment whose message was refused whole has the next one, too', async () => {
  const { transfer, payment } = await sent(someone)
  const refused = other.answerMessage(payment, 'RJCT')
  await takeIn()
  const again = await other.payment(transfer)
  assert.notEqual(again.message_id, payment.message_id)
  assert.deepEqual(await filesOf(transfer), [fileOf(payment), refused, fileOf(again)])
})

test('a payment that waits for its message has none', async () => {
  const { account_id, beneficiary_id } = someone
  const transfer = await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '11.00' })
  await bank.runProcessing()
  assert.deepEqual(await filesOf(transfer), [])
  await sendOut()
  assert.equal((await filesOf(transfer)).length, 1)
})

test('a payment that left its pack is not in the message of the pack', async () => {
  const { transfer, payment } = await sent(someone)
  await bank.owner.query(`update rail_payments set state = 'DROPPED' where transfer_id = $1`, [transfer.id])
  assert.deepEqual(await filesOf(transfer), [])
  await bank.owner.query(`update rail_payments set state = 'SENT' where transfer_id = $1`, [transfer.id])
  assert.deepEqual(await filesOf(transfer), [fileOf(payment)])
})

test('a payment of another bank has the message that it arrived in, and the request to give it back', async () => {
  const account = await venture.openAccount()
  const paid = other.pay([
    { tx_id: 'ABOUT-1', creditor_iban: account.account_number, amount: 5_0000n },
    { tx_id: 'ABOUT-2', creditor_iban: account.account_number, amount: 6_0000n },
  ])
  await takeIn()
  const recall = other.recall({ tx_id: 'ABOUT-1' })
  await takeIn()
  const { body } = await venture.get(`/transfers?account_id=${account.id}`)
  const byAmount = (amount: string) => body.find(({ credit_amount }: Loose) => credit_amount === amount)
  assert.deepEqual(await filesOf(byAmount('5.00')), [paid, recall])
  assert.deepEqual(await filesOf(byAmount('6.00')), [paid])
})

test('what the bank keeps has its message, and so has what is applied after somebody has looked at it', async () => {
  const unknown = other.pay([{ tx_id: 'ABOUT-3', creditor_iban: theirIban, amount: 5_0000n }])
  await takeIn()
  const [unapplied] = (await bank.admin.get('/operator/unapplied-payments?limit=1')).body
  const [arrived, left, ...more] = await filesOf(unapplied)
  // No account here has the number, so the money has left again as a return.
  assert.deepEqual([arrived, await typeOf(left), more], [unknown, 'pacs.004.001.09', []])
  const { transfer, payment } = await sent(someone)
  const early = other.answer([{ ...payment, message_id: 'ANOTHER' }], 'ACSC')
  await takeIn()
  assert.deepEqual(await filesOf(transfer), [fileOf(payment)])
  await bank.owner.query('update rail_packs set message_id = $1 where message_id = $2', ['ANOTHER', payment.message_id])
  await decided(await lastCase('message'), 'retry')
  assert.deepEqual(await filesOf(transfer), [fileOf(payment), early])
})

test('messages in both directions are listed newest first, page by page', async () => {
  const whole: Loose[] = (await bank.admin.get('/operator/messages?limit=100')).body
  assert.ok(new Set(whole.map(({ direction }) => direction)).size === 2)
  const times = whole.map(({ created_at }) => created_at)
  assert.deepEqual(times, times.toSorted().toReversed())
  const paged: Loose[] = []
  let path: string | undefined = '/operator/messages?limit=3'
  while (path !== undefined) {
    const { body, headers }: Loose = await bank.admin.get(path)
    paged.push(...body)
    path = /<\/api\/v1([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
  }
  assert.deepEqual(paged, whole)
  assert.deepEqual((await bank.admin.get('/operator/messages?limit=3&offset=2')).body, whole.slice(2, 5))
  const { problem } = await bank.admin.get(`/operator/messages?offset=2&after=${whole[0].id}`)
  assert.deepEqual([problem.code, problem.errors[0].field], ['invalid_request', 'after'])
  assert.equal((await bank.admin.get('/operator/messages?transfer_id=1')).problem.code, 'invalid_request')
})

test('a payment has our own request to give it back, and our refusal to do so', async () => {
  const { transfer, payment } = await sent(someone)
  assert.equal((await venture.post(`/transfers/${transfer.id}/recalls`, { reason: 'DUPL' })).status, 201)
  await bank.runSending()
  const answered = other.answerRecall(payment, 'RJCR')
  await takeIn()
  // The payment may be recalled again.
  assert.equal((await venture.post(`/transfers/${transfer.id}/recalls`, { reason: 'DUPL' })).status, 201)
  const files = await filesOf(transfer)
  assert.deepEqual([files[0], files[2]], [fileOf(payment), answered])
  assert.deepEqual(await Promise.all(files.map(typeOf)), ['pacs.008.001.08', 'camt.056.001.08', 'camt.029.001.09', 'camt.056.001.08'])

  const account = await venture.openAccount()
  other.pay([{ tx_id: 'ASKED-BACK', creditor_iban: account.account_number, amount: 5_0000n, debtor_iban: theirIban }])
  await takeIn()
  const [arrived] = (await venture.get(`/transfers?account_id=${account.id}`)).body
  other.recall({ tx_id: 'ASKED-BACK' })
  await takeIn()
  await decided(await lastCase('recall'), 'refuse', { reason: 'CUST' })
  assert.deepEqual(await Promise.all((await filesOf(arrived)).map(typeOf)), ['pacs.008.001.08', 'camt.056.001.08', 'camt.029.001.09'])
})
