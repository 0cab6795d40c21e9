// Recalls have a state of their own: answers change it, and the money comes back only as a return.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { theirBic } from '../../testing/testing.otherbank.ts'
import { openRails } from '../../testing/testing.rails.ts'
import type { Loose } from '../../testing/testing.ts'
import { lockRow, untilBlocked } from '../../testing/testing.waits.ts'

const rails = await openRails()
const { other, bank, venture, rows, outcomesOf, lastCase, decide, decided, sent, takeIn, booksAreRight, statusOf } = rails
const someone = await rails.payer('10000.00')

const recall = ({ id }: { id: string }, body: object = { reason: 'DUPL' }) => venture.post(`/transfers/${id}/recalls`, body)
const recalls = async ({ id }: { id: string }): Promise<Loose[]> => (await venture.get(`/transfers/${id}/recalls`)).body
const sentOfType = async (type: string): Promise<Loose[]> =>
  (await other.received()).filter((read) => read.type === type).map(({ message }) => message)

test('a payment is recalled once at a time, and the answer changes the recall alone', async () => {
  const { transfer, payment } = await sent(someone)
  const { status, body } = await recall(transfer, { reason: 'DUPL', information: 'Paid twice' })
  assert.equal(status, 201)
  assert.deepEqual([body.state, body.direction, body.reason, body.answer_reason], ['REQUESTED', 'OUT', 'DUPL', null])
  const second = await recall(transfer)
  assert.deepEqual([second.status, second.problem.code], [409, 'recall_pending'])
  await bank.runSending()
  const [request] = (await sentOfType('camt.056.001.08')).slice(-1)
  const [asked] = request.transactions
  assert.deepEqual(
    [
      asked.cancellation_id,
      asked.original_tx_id,
      asked.original_message_id,
      asked.original_amount,
      asked.reasons[0].code,
      asked.reasons[0].information,
    ],
    [body.case_reference, payment.tx_id, payment.message_id, 10_0000n, 'DUPL', ['Paid twice']],
  )
  const [pending, refused] = [other.answerRecall(payment, 'PDCR'), other.answerRecall(payment, 'RJCR', 'CUST')]
  await takeIn()
  assert.deepEqual([await outcomesOf(pending), await outcomesOf(refused)], [[[1, 'noted']], [[1, 'applied']]])
  assert.deepEqual(
    (await recalls(transfer)).map(({ state, answer_reason }) => [state, answer_reason]),
    [['REFUSED', 'CUST']],
  )
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
  const repeated = [other.answerRecall(payment, 'RJCR'), other.answerRecall(payment, 'ACCR')]
  const unknown = other.answerRecall({ ...payment, tx_id: 'NOBODY' }, 'RJCR')
  await takeIn()
  assert.deepEqual([await outcomesOf(repeated[0] ?? ''), await outcomesOf(repeated[1] ?? '')], [[[1, 'known']], [[1, 'case']]])
  assert.deepEqual(await outcomesOf(unknown), [[1, 'case']])
  // It may be recalled again, and the money comes back as a return.
  assert.equal((await recall(transfer)).status, 201)
  other.answerRecall(payment, 'ACCR')
  await takeIn()
  assert.deepEqual([(await recalls(transfer)).at(-1)?.state, await statusOf(transfer)], ['ACCEPTED', 'SENT_TO_CLEAR'])
  other.giveBack([payment], { reason: 'FOCR' })
  await takeIn()
  assert.equal(await statusOf(transfer), 'COMPLETED')
  const late = await recall(transfer)
  assert.deepEqual([late.status, late.problem.code], [409, 'recall_not_possible'])
  await booksAreRight()
})

test('what was not sent to another bank, was rejected, or is of another venture is not recalled', async () => {
  const { account_id, beneficiary_id } = someone
  const unsent = await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '10.00' })
  const packed = await recall(unsent)
  assert.deepEqual([packed.status, packed.problem.code], [409, 'recall_not_possible'])
  const { transfer, payment } = await sent(someone)
  other.answer([payment], 'RJCT', { reason: 'AC01' })
  await takeIn()
  const rejected = await recall(transfer)
  assert.deepEqual([rejected.status, rejected.problem?.code], [409, 'recall_not_possible'])
  const open = await bank.registerVenture()
  const foreign = await open.post(`/transfers/${transfer.id}/recalls`, { reason: 'DUPL' })
  assert.deepEqual([foreign.status, foreign.problem.code], [404, 'transfer_not_found'])
  const account = await open.openAccount({ balance: '10.00' })
  const { id: payee } = await open.addBeneficiary(account.client_id)
  const own = await open.createTransfer({ account_id: account.id, beneficiary_id: payee, debit_amount: '1.00' })
  const unmanaged = await open.post(`/transfers/${own.id}/recalls`, { reason: 'DUPL' })
  assert.deepEqual([unmanaged.status, unmanaged.problem.code], [409, 'recall_not_possible'])
  assert.equal((await recall(transfer, { reason: 'AC04' })).problem.code, 'invalid_request')
  assert.equal(await bank.count('recalls'), (await rows(`select * from recalls where direction = 'OUT'`)).length)
})

async function paid(tx_id: string, amount = 25_0000n): Promise<Loose> {
  const account = await venture.openAccount()
  other.pay([{ tx_id, creditor_iban: account.account_number, amount }])
  await takeIn()
  return account
}

test('a payment that another bank wants back is a case, and goes back as a return, or is refused', async () => {
  const account = await paid('WANTED')
  const wrong = [other.recall({ tx_id: 'NOBODY' }), other.recall({ tx_id: 'WANTED', amount: '1.00' })]
  const file = other.recall({ tx_id: 'WANTED', amount: '25.00', cancellation_id: 'CXL-1' })
  await takeIn()
  for (const each of wrong) assert.deepEqual(await outcomesOf(each), [[1, 'case']])
  assert.deepEqual(await outcomesOf(file), [[1, 'applied']])
  const open = await lastCase('recall')
  const { body } = await bank.admin.get(`/operator/cases/${open.id}`)
  assert.deepEqual(
    [body.allowed_decisions, body.subject.recall.state, body.payload.from_bic],
    [['accept', 'refuse'], 'REQUESTED', theirBic],
  )
  assert.ok(Date.parse(body.due_at) > Date.now() + 15 * 86_400_000)
  const again = other.recall({ tx_id: 'WANTED', cancellation_id: 'CXL-1' })
  await takeIn()
  assert.deepEqual(await outcomesOf(again), [[1, 'known']])
  await decided(open, 'accept')
  await rails.sendOut()
  const returned = (await sentOfType('pacs.004.001.09'))
    .flatMap(({ transactions }) => transactions)
    .find(({ original_tx_id }: Loose) => original_tx_id === 'WANTED')
  assert.deepEqual([returned.amount, returned.reasons[0].code], [25_0000n, 'FOCR'])
  const [back] = await rows(`select id from transfers where account_id = $1 and transfer_type = 'PAYMENT_RETURN'`, account.id)
  other.answer([await other.payment(back)], 'ACSC')
  await takeIn()
  assert.equal((await venture.balances(account))[0], '0.00')
  await booksAreRight()
})

test('a recall is refused with a reason of the scheme, or because the client has spent the money', async () => {
  const account = await paid('KEPT')
  other.recall({ tx_id: 'KEPT' })
  await takeIn()
  const open = await lastCase('recall')
  const wrong = await decide(open, 'refuse', { reason: 'DUPL' })
  assert.deepEqual([wrong.status, wrong.problem.code], [422, 'decision_details_invalid'])
  await bank.owner.query(`update accounts set account_name = account_name where id = $1`, [account.id])
  await decided(open, 'refuse', { reason: 'CUST' })
  await bank.runSending()
  const [answer] = (await sentOfType('camt.029.001.09')).slice(-1)
  const [said] = answer.transactions
  assert.deepEqual([said.status, said.reasons[0].code, said.original_tx_id], ['RJCR', 'CUST', 'KEPT'])
  assert.equal(
    (await rows(`select state from recalls where transfer_id in (select id from transfers where account_id = $1)`, account.id))[0].state,
    'REFUSED',
  )
  const spent = await paid('SPENT', 30_0000n)
  const { id: beneficiary_id } = await venture.addBeneficiary(spent.client_id)
  await venture.createTransfer({ account_id: spent.id, beneficiary_id, debit_amount: '30.00' })
  await rails.sendOut()
  other.recall({ tx_id: 'SPENT' })
  await takeIn()
  const tooLate = await decide(await lastCase('recall'), 'accept')
  assert.equal(tooLate.problem.code, 'insufficient_funds')
  await decided(await lastCase('recall'), 'refuse', { reason: 'AM04' })
  await booksAreRight()
})

test('a recall that somebody else holds is waited for, and nobody waits because of it', async () => {
  await paid('HELD')
  const { account_id, beneficiary_id } = someone
  other.recall({ tx_id: 'HELD' })
  await takeIn()
  const open = await lastCase('recall')
  const { recall } = (await bank.admin.get(`/operator/cases/${open.id}`)).body.subject
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'recalls', recall.id, 'update')
  const accepted = decided(open, 'accept')
  assert.ok(await untilBlocked(bank.owner, accepted))
  await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '1.00' })
  assert.ok(await untilBlocked(bank.owner, accepted), 'the transfer was created meanwhile')
  await bank.owner.query('rollback')
  await accepted
  await booksAreRight()
})

test('money that waits for its account, or for nobody, goes back when it is recalled', async () => {
  const account = await venture.openAccount()
  await venture.post(`/accounts/${account.id}/freeze`)
  other.pay([{ tx_id: 'WAITS', creditor_iban: account.account_number, amount: 9_0000n }])
  await takeIn()
  other.recall({ tx_id: 'WAITS' })
  await takeIn()
  await decided(await lastCase('recall'), 'accept')
  const [transfer] = await rows(`select status from transfers where account_id = $1 and direction = 'INBOUND'`, account.id)
  assert.equal(transfer.status, 'REJECTED')
  await rails.sendOut()
  const returned = (await sentOfType('pacs.004.001.09'))
    .flatMap(({ transactions }) => transactions)
    .find(({ original_tx_id }: Loose) => original_tx_id === 'WAITS')
  assert.equal(returned.reasons[0].code, 'FOCR')
  await booksAreRight()
})
