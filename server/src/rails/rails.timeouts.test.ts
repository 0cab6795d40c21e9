// Instant payments without an answer in time: the money is kept or given back, and a late answer leaves the books right.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantly, theirIban } from '../testing/testing.otherbank.ts'
import { openRails } from '../testing/testing.rails.ts'
import type { Loose } from '../testing/testing.ts'

const rails = await openRails()
const { other, bank, venture, rows, show, statusOf, railStateOf, outcomesOf, lastCase, decided, takeIn, booksAreRight } = rails
const someone = await rails.payer('10000.00')

const instant = () => rails.sent(someone, { is_instant: true })
const agree = async (instant_timeout: 'hold' | 'restore') => {
  const { status, text } = await bank.admin.put(`/ventures/${venture.venture.id}/policy`, { instant_timeout })
  assert.equal(status, 200, text)
}

/** Ten seconds pass. */
async function timePasses({ id }: { id: string }): Promise<void> {
  await bank.owner.query(
    `update rail_payments set updated_at = updated_at - interval '11 seconds', content = coalesce(jsonb_set(content::jsonb, '{accepted_at}',
       to_jsonb((content ->> 'accepted_at')::timestamptz - interval '11 seconds')), content::jsonb) where transfer_id = $1`,
    [id],
  )
  await bank.owner.query(
    `update rail_packs set delivered_at = delivered_at - interval '11 seconds' where id in (select pack_id from rail_payments where transfer_id = $1)`,
    [id],
  )
  await bank.runInbox()
  await bank.runSending()
}
const questions = async (): Promise<Loose[]> =>
  (await other.received()).filter(({ type }) => type === 'pacs.028.001.03').flatMap(({ message }: Loose) => message.transactions)

test('an answer in time ends the payment, and nobody is asked', async () => {
  const { transfer, payment } = await instant()
  await bank.runInbox()
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
  other.answer([payment], 'ACSC')
  await takeIn()
  assert.equal(await statusOf(transfer), 'COMPLETED')
  assert.deepEqual(await questions(), [])
})

test('hold: without an answer the money is kept, the other bank is asked once, and its answer ends the payment', async () => {
  await agree('hold')
  const [paid, refused] = [await instant(), await instant()]
  const before = await venture.balances({ id: someone.account_id })
  for (const { transfer } of [paid, refused]) await timePasses(transfer)
  for (const { transfer } of [paid, refused]) {
    assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['SOME_PROBLEMS', 'UNKNOWN'])
    await timePasses(transfer)
  }
  assert.deepEqual(
    (await questions()).map(({ original_tx_id }) => original_tx_id),
    [paid.payment.tx_id, refused.payment.tx_id],
  )
  assert.deepEqual(await venture.balances({ id: someone.account_id }), before)
  other.answer([paid.payment], 'ACSP')
  other.answer([paid.payment], 'ACSC')
  other.answer([refused.payment], 'RJCT', { reason: 'AB05' })
  await takeIn()
  assert.deepEqual([await statusOf(paid.transfer), await railStateOf(paid.transfer)], ['COMPLETED', 'SETTLED'])
  assert.deepEqual([await statusOf(refused.transfer), (await show(refused.transfer)).status_reason_code], ['REJECTED', 'AB05'])
  await booksAreRight()
})

test('restore: the client has the money back at once, and a late no changes nothing', async () => {
  await agree('restore')
  const [, reserved] = await venture.balances({ id: someone.account_id })
  const { transfer, payment } = await instant()
  await timePasses(transfer)
  const { status, third_party_status } = await show(transfer)
  assert.deepEqual([status, third_party_status, await railStateOf(transfer)], ['REJECTED', 'TIMEOUT', 'UNKNOWN'])
  assert.equal((await venture.balances({ id: someone.account_id }))[1], reserved)
  const history = (await venture.get(`/transfers/${transfer.id}/history`)).body.map(({ to_status }: Loose) => to_status)
  assert.deepEqual(history.slice(-3), ['SENT_TO_CLEAR', 'SOME_PROBLEMS', 'REJECTED'])
  const file = other.answer([payment], 'RJCT', { reason: 'AB05' })
  await takeIn()
  assert.deepEqual([await outcomesOf(file), await railStateOf(transfer)], [[[1, 'applied']], 'REJECTED'])
  await booksAreRight()
})

async function late(): Promise<Loose> {
  const { transfer, payment } = await instant()
  await timePasses(transfer)
  const file = other.answer([payment], 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(file), await statusOf(transfer), await railStateOf(transfer)], [[[1, 'break']], 'REJECTED', 'SETTLED'])
  return { transfer, payment, open: await lastCase('break') }
}

test('restore: a late yes is a break of the house, which debits the client or is written off', async () => {
  await agree('restore')
  const before = await rails.houseBalances()
  const [current] = await venture.balances({ id: someone.account_id })
  const first = await late()
  const booked = { ...before, 'breaks:EUR': -10, 'settlement:INST:EUR': (before['settlement:INST:EUR'] ?? 0) + 10 }
  assert.deepEqual(await rails.houseBalances(), booked)
  const { body } = await bank.admin.get(`/operator/cases/${first.open.id}`)
  assert.deepEqual([body.subject.kind, body.allowed_decisions], ['LATE_SETTLEMENT', ['debit_client', 'write_off']])
  assert.deepEqual([body.subject.payment.id, body.subject.payment.status], [first.transfer.id, 'REJECTED'], 'the case names its payment')
  await booksAreRight()
  const again = other.answer([first.payment], 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(again), await rails.houseBalances()], [[[1, 'known']], booked])
  await decided(first.open, 'debit_client')
  assert.equal(Number(current) - Number((await venture.balances({ id: someone.account_id }))[0]), 10)
  const second = await late()
  await decided(second.open, 'write_off')
  assert.equal(Number(current) - Number((await venture.balances({ id: someone.account_id }))[0]), 10)
  const { 'breaks:EUR': left = 0 } = await rails.houseBalances()
  assert.equal(left, before['breaks:EUR'] ?? 0)
  assert.deepEqual(
    (await rows(`select status from breaks where kind = 'LATE_SETTLEMENT' order by id`)).map(({ status }) => status),
    ['COLLECTED', 'WRITTEN_OFF'],
  )
  await booksAreRight()
})

test('restore: the client is debited even into debt', async () => {
  await agree('restore')
  const poor = await rails.payer('10.00')
  const { transfer, payment } = await rails.sent(poor, { is_instant: true })
  await timePasses(transfer)
  const spent = await rails.sent(poor, { debit_amount: '10.00' })
  other.answer([spent.payment], 'ACSC')
  other.answer([payment], 'ACSC')
  await takeIn()
  await decided(await lastCase('break'), 'debit_client')
  assert.equal((await venture.balances({ id: poor.account_id }))[2], '-10.00')
  await booksAreRight()
})

test('restore: what is settled late and comes back leaves nothing, in either order', async () => {
  await agree('restore')
  const before = await rails.houseBalances()
  const balances = await venture.balances({ id: someone.account_id })
  const first = await late()
  const back = other.giveBack([first.payment])
  await takeIn()
  assert.deepEqual([await outcomesOf(back), await railStateOf(first.transfer)], [[[1, 'applied']], 'RETURNED'])
  assert.equal((await rows('select state, decision from cases where id = $1', first.open.id))[0].decision, 'collect')
  assert.deepEqual(await rails.houseBalances(), before)
  const second = await instant()
  await timePasses(second.transfer)
  const backFirst = other.giveBack([second.payment])
  await takeIn()
  const yes = other.answer([second.payment], 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(backFirst), await outcomesOf(yes)], [[[1, 'applied']], [[1, 'known']]])
  assert.deepEqual(await rails.houseBalances(), before)
  assert.deepEqual(await venture.balances({ id: someone.account_id }), balances)
  const third = await late()
  await decided(third.open, 'write_off')
  const tooLate = other.giveBack([third.payment])
  await takeIn()
  assert.deepEqual(await outcomesOf(tooLate), [[1, 'case']])
  await booksAreRight()
})

test('restore: what is settled late and comes back in the same moment leaves nothing, whichever is applied first', async () => {
  await agree('restore')
  const before = await rails.houseBalances()
  const breaks = await rails.openCases('break')
  const given = []
  for (let count = 0; count < 6; count++) given.push(await instant())
  for (const { transfer } of given) await timePasses(transfer)
  // Files that arrive together are applied concurrently.
  for (const { payment } of given) {
    other.answer([payment], 'ACSC')
    other.giveBack([payment])
  }
  await takeIn()
  for (const { transfer } of given) assert.equal(await railStateOf(transfer), 'RETURNED')
  assert.deepEqual(await rails.houseBalances(), before)
  assert.deepEqual(await rails.openCases('break'), breaks)
  await booksAreRight()
})

test('an instant payment whose message is refused is rejected, and is not sent again', async () => {
  const { transfer, payment } = await instant()
  other.answerMessage(payment, 'RJCT', { reasons: [{ code: 'FF01' }] })
  await takeIn()
  assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['REJECTED', 'REJECTED'])
})

/** An instant payment that times out before the other bank could be reached. From now on the bank can be. */
async function outOfReach(): Promise<Loose> {
  const { account_id, beneficiary_id } = someone
  const send = other.exchange.send.bind(other.exchange)
  other.exchange.send = async () => {
    throw new Error('unreachable')
  }
  try {
    const transfer = await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '10.00', is_instant: true })
    await rails.sendOut()
    await timePasses(transfer)
    return transfer
  } finally {
    other.exchange.send = send
  }
}

test('restore: after ten seconds the account is whole again, also if the message has not left; then it does not leave any more', async () => {
  await agree('restore')
  const before = await venture.balances({ id: someone.account_id })
  const transfer = await outOfReach()
  assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['REJECTED', 'UNKNOWN'])
  assert.deepEqual(await venture.balances({ id: someone.account_id }), before)
  await rails.sendOut()
  assert.equal((await other.payments()).filter(({ tx_id }) => tx_id === transfer.id.replaceAll('-', '')).length, 0)
  // It may have been handed over at that moment: a late yes is a fact.
  const sent = await sentAs(transfer)
  const [{ message_id }] = await rows('select message_id from rail_packs where id = $1', sent.pack_id)
  const { tx_id, end_to_end_id } = sent
  const seen = { message_id, message_type: 'pacs.008.001.08', tx_id, end_to_end_id, amount: 10_0000n, currency: 'EUR' }
  const file = other.answer([seen], 'ACSC')
  await takeIn()
  assert.deepEqual([await outcomesOf(file), await railStateOf(transfer)], [[[1, 'break']], 'SETTLED'])
  await decided(await lastCase('break'), 'write_off')
  await booksAreRight()
})

test('restore: what could not be sent in time is not sent at all; hold sends it', async () => {
  const { account_id, beneficiary_id } = someone
  const before = await venture.balances({ id: account_id })
  for (const [timeout, status, code] of [
    ['restore', 'INVALID', 'time_over'],
    ['hold', 'SENT_TO_CLEAR', null],
  ] as const) {
    await agree(timeout)
    const transfer = await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '10.00', is_instant: true })
    await bank.runProcessing()
    await bank.owner.query(
      `update transfers set created_at = created_at - interval '11 seconds', updated_at = updated_at - interval '11 seconds' where id = $1`,
      [transfer.id],
    )
    await bank.runSending()
    await bank.owner.query(`update transfers set created_at = created_at + interval '11 seconds' where id = $1`, [transfer.id])
    const { status: now, status_reason_code } = await show(transfer)
    assert.deepEqual([now, status_reason_code], [status, code])
    if (timeout === 'restore') assert.deepEqual(await venture.balances({ id: account_id }), before)
    else other.answer([await other.payment(transfer)], 'RJCT', { reason: 'AB05' })
    await takeIn()
  }
  await booksAreRight()
})

test('the ten seconds count from the order, and not from the message', async () => {
  await agree('restore')
  const { transfer } = await instant()
  const { content } = await sentAs(transfer)
  assert.equal(content.accepted_at, (await show(transfer)).created_at)
})

test('restore: a late return of less than was paid is for people, because the house has paid all of it', async () => {
  await agree('restore')
  const first = await late()
  const house = await rails.houseBalances()
  const back = other.giveBack([first.payment], { amount: '9.00', charges: '1.00', reason: 'FOCR' })
  await takeIn()
  assert.deepEqual([await outcomesOf(back), await rails.houseBalances()], [[[1, 'case']], house])
  assert.deepEqual((await rows('select state from cases where id = $1', first.open.id))[0], { state: 'OPEN' })
  await decided(first.open, 'write_off')
  await booksAreRight()
})

test('a return over INST is no instant payment: nobody is asked within seconds, and people hear of it like of a pack', async () => {
  await agree('restore')
  const account = await venture.openAccount()
  const tx_id = other.next('INST')
  const file = other.pay([{ tx_id, creditor_iban: account.account_number, amount: 8_0000n, ...instantly() }])
  await takeIn()
  const seen = {
    message_id: file.slice(0, -4),
    message_type: 'pacs.008.001.08',
    tx_id,
    end_to_end_id: 'INVOICE-7',
    amount: 8_0000n,
    currency: 'EUR',
  }
  other.answer([seen], 'ACSC')
  await takeIn()
  const [paid] = await rows(`select id from transfers where account_id = $1 and method = 'INST'`, account.id)
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: theirIban })
  const order = { account_id: account.id, beneficiary_id, parent_transaction_id: paid.id, debit_amount: '8.00' }
  const back = await venture.createTransfer({ ...order, transfer_type: 'PAYMENT_RETURN' })
  await rails.sendOut()
  const { message_id } = await other.payment(back)
  const asked = (await questions()).length
  await timePasses(back)
  assert.deepEqual([await statusOf(back), (await questions()).length], ['SENT_TO_CLEAR', asked])
  await bank.owner.query(`update rail_packs set delivered_at = delivered_at - interval '25 hours' where message_id = $1`, [message_id])
  await bank.runSending()
  assert.deepEqual([await statusOf(back), await railStateOf(back)], ['SOME_PROBLEMS', 'UNKNOWN'])
  assert.equal((await lastCase('delivery')).payload.message_id, message_id)
  await booksAreRight()
})

const caseOf = async ({ pack_id }: Loose): Promise<Loose> => {
  const [found] = await rows('select * from cases where resource_id = $1', pack_id)
  assert.ok(found, 'nobody has a case')
  return found
}
const packOf = async ({ pack_id }: Loose): Promise<Loose> => (await bank.admin.get(`/operator/packs/${pack_id}`)).body
const sentAs = async ({ id }: Loose): Promise<Loose> => (await rows('select * from rail_payments where transfer_id = $1', id))[0]

test('without an answer people get a case, which an answer closes', async () => {
  await agree('hold')
  const { transfer, payment } = await instant()
  await timePasses(transfer)
  const sent = await sentAs(transfer)
  const { state, reason } = await packOf(sent)
  assert.deepEqual([state, reason], ['UNKNOWN', 'no_answer'])
  const open = await caseOf(sent)
  assert.deepEqual([open.kind, open.state, open.payload.unanswered], ['delivery', 'OPEN', 1])
  // Delivered again, it could be carried out long after its time.
  assert.deepEqual((await bank.admin.get(`/operator/cases/${open.id}`)).body.allowed_decisions, ['declare_not_sent'])
  other.answer([payment], 'PDNG')
  await takeIn()
  assert.equal((await caseOf(sent)).state, 'OPEN')
  other.answer([payment], 'ACSC')
  await takeIn()
  const { state: now, decision, comment } = await caseOf(sent)
  assert.deepEqual([now, decision, comment], ['DECIDED', 'close', 'The other bank has answered.'])
  assert.deepEqual([(await packOf(sent)).state, await statusOf(transfer)], ['ACKNOWLEDGED', 'COMPLETED'])
  await booksAreRight()
})

test('declared not sent, an instant payment is rejected and does not leave again; a late yes is a break', async () => {
  await agree('hold')
  const before = await venture.balances({ id: someone.account_id })
  const { transfer, payment } = await instant()
  await timePasses(transfer)
  const sent = await sentAs(transfer)
  await decided(await caseOf(sent), 'declare_not_sent')
  await bank.runSending()
  await bank.runProcessing()
  await bank.runSending()
  const { status, status_reason } = await show(transfer)
  assert.deepEqual([status, status_reason], ['REJECTED', 'The message of the payment was not sent.'])
  assert.deepEqual([await railStateOf(transfer), (await packOf(sent)).state], ['REJECTED', 'NOT_SENT'])
  assert.equal((await rows('select 1 from rail_payments where transfer_id = $1', transfer.id)).length, 1)
  assert.deepEqual(await venture.balances({ id: someone.account_id }), before)
  const file = other.answer([payment], 'ACSC')
  await takeIn()
  assert.deepEqual(await outcomesOf(file), [[1, 'break']])
  await decided(await lastCase('break'), 'debit_client')
  await booksAreRight()
})

test('declared not sent after the client has got the money back, nothing but the payment on its rail changes', async () => {
  await agree('restore')
  const { transfer } = await instant()
  await timePasses(transfer)
  const before = await venture.balances({ id: someone.account_id })
  await decided(await caseOf(await sentAs(transfer)), 'declare_not_sent')
  await bank.runSending()
  assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['REJECTED', 'REJECTED'])
  assert.deepEqual(await venture.balances({ id: someone.account_id }), before)
  await booksAreRight()
})

test('a payment that times out before it is handed over waits in an unknown pack once it is', async () => {
  await agree('hold')
  const transfer = await outOfReach()
  const sent = await sentAs(transfer)
  assert.deepEqual([(await packOf(sent)).state, (await caseOf(sent)).state, await statusOf(transfer)], ['SEALED', 'OPEN', 'SOME_PROBLEMS'])
  await rails.sendOut()
  assert.equal((await packOf(sent)).state, 'UNKNOWN')
  other.answer([await other.payment(transfer)], 'RJCT', { reason: 'AB05' })
  await takeIn()
  assert.deepEqual([await statusOf(transfer), (await caseOf(sent)).state], ['REJECTED', 'DECIDED'])
  await booksAreRight()
})
