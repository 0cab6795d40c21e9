// Every file is read once and applied once, and a bad file delays no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageReader, reasonCodes, writeMessage } from '../../iso20022/iso20022.ts'
import { operator } from '../../testing/testing.managed.ts'
import { theirBic, theirIban } from '../../testing/testing.otherbank.ts'
import { applyingOf, openRails } from '../../testing/testing.rails.ts'
import type { Loose } from '../../testing/testing.ts'
import type { FileExchange } from '../exchange/rails.exchange.ts'
import { type Applying, conclude } from './rails.apply.ts'
import { Inbox } from './rails.inbox.ts'

const rails = await openRails()
const { other, bank, venture, rows, show, statusOf, railStateOf, messageOf, outcomesOf, openCases, lastCase, decide, decided, sent } = rails
const { takeIn, sendOut, booksAreRight } = rails
const someone = await rails.payer('100000.00')

test('an answer ends a payment, and its words are kept', async () => {
  const paid = await sent(someone, { debit_amount: '20.00' })
  const refused = await sent(someone, { debit_amount: '30.00' })
  const before = await venture.balances({ id: someone.account_id })
  other.answer([paid.payment], 'ACSP')
  await takeIn()
  assert.deepEqual([await statusOf(paid.transfer), await railStateOf(paid.transfer)], ['ACCEPTED', 'ACCEPTED'])
  const file = other.answer([paid.payment], 'ACSC')
  const refusal = other.answer([refused.payment], 'RJCT', { reason: 'AC04' })
  await takeIn()
  assert.deepEqual([await statusOf(paid.transfer), await railStateOf(paid.transfer)], ['COMPLETED', 'SETTLED'])
  const { status, status_reason_code, third_party_status } = await show(refused.transfer)
  assert.deepEqual([status, status_reason_code, third_party_status], ['REJECTED', 'AC04', 'RJCT'])
  assert.equal(await railStateOf(refused.transfer), 'REJECTED')
  assert.deepEqual(await outcomesOf(file), [[1, 'applied']])
  assert.equal((await messageOf(refusal)).state, 'APPLIED')
  assert.ok(other.exchange.taken.includes(file))
  const [current, reserved] = await venture.balances({ id: someone.account_id })
  assert.deepEqual([Number(before[0]) - Number(current), Number(before[1]) - Number(reserved)], [20, 50])
  await booksAreRight()
})

test('what is bad in a message becomes a case, and the rest of it is applied', async () => {
  const [good, wrong] = [await sent(someone), await sent(someone)]
  const unknown = { ...good.payment, tx_id: 'NOBODY', end_to_end_id: 'NOBODY' }
  const before = (await openCases('message')).length
  const file = other.answer([unknown, good.payment], 'ACSC')
  const amount = other.answer([wrong.payment], 'ACSC', { amount: '10.01' })
  const currency = other.answer([wrong.payment], 'ACSC', { amount: '10.00', currency: 'USD' })
  const status = other.answer([wrong.payment], 'XXXX')
  const unsentMessage = other.answer([{ ...wrong.payment, message_id: 'ANOTHER' }], 'ACSC')
  await takeIn()
  assert.deepEqual(await outcomesOf(file), [
    [1, 'case'],
    [2, 'applied'],
  ])
  for (const each of [amount, currency, status, unsentMessage]) assert.deepEqual(await outcomesOf(each), [[1, 'case']])
  assert.deepEqual([await statusOf(good.transfer), await statusOf(wrong.transfer)], ['COMPLETED', 'SENT_TO_CLEAR'])
  const cases = (await openCases('message')).slice(before)
  assert.deepEqual(cases.map(({ payload }) => payload.problem).sort(), [
    'other_amount',
    'other_currency',
    'unknown_reference',
    'unknown_reference',
    'unknown_status',
  ])
  other.answer([wrong.payment], 'ACSC', { amount: '10.00' })
  await takeIn()
  assert.equal(await statusOf(wrong.transfer), 'COMPLETED')
  await booksAreRight()
})

test('a payment that has ended is answered again without effect, and a contradiction is a break', async () => {
  const [paid, refused] = [await sent(someone), await sent(someone)]
  other.answer([paid.payment], 'ACSC')
  other.answer([refused.payment], 'RJCT', { reason: 'AC01' })
  await takeIn()
  const same = [other.answer([paid.payment], 'ACSC'), other.answer([paid.payment], 'ACSP'), other.answer([refused.payment], 'RJCT')]
  await takeIn()
  for (const file of same) assert.deepEqual(await outcomesOf(file), [[1, 'known']])
  const house = await rails.houseBalances()
  const contradiction = other.answer([paid.payment], 'RJCT', { reason: 'AC04' })
  await takeIn()
  assert.deepEqual(await outcomesOf(contradiction), [[1, 'break']])
  assert.deepEqual(await rails.houseBalances(), house)
  const open = await lastCase('break')
  const { body: shownCase } = await bank.admin.get(`/operator/cases/${open.id}`)
  assert.deepEqual([shownCase.subject.kind, shownCase.allowed_decisions], ['CONTRADICTED', ['match']])
  assert.equal(shownCase.subject.account_id, someone.account_id)
  assert.deepEqual([shownCase.subject.payment.id, shownCase.payload.payment.id], [paid.transfer.id, paid.transfer.id])
  // The same contradiction again is the same break.
  const again = other.answer([paid.payment], 'RJCT', { reason: 'AC04' })
  await takeIn()
  assert.deepEqual(await outcomesOf(again), [[1, 'known']])
  await decided(open, 'match')
  const late = other.answer([refused.payment], 'ACSC')
  await takeIn()
  assert.deepEqual(await outcomesOf(late), [[1, 'break']])
  assert.deepEqual([await statusOf(refused.transfer), await railStateOf(refused.transfer)], ['REJECTED', 'SETTLED'])
  assert.deepEqual(await rails.houseBalances(), {
    ...house,
    'breaks:EUR': -10,
    'settlement:SEPA:EUR': (house['settlement:SEPA:EUR'] ?? 0) + 10,
  })
  await booksAreRight()
  await decided(await lastCase('break'), 'write_off')
  await booksAreRight()
})

test('a message that the scheme refuses whole frees its payments, which leave again as another attempt', async () => {
  const { account_id, beneficiary_id } = someone
  const orders = await Promise.all([1, 2].map(() => venture.createTransfer({ account_id, beneficiary_id, debit_amount: '11.00' })))
  await sendOut()
  const [first, second] = await Promise.all(orders.map((order) => other.payment(order)))
  assert.ok(first && second)
  assert.equal(first.message_id, second.message_id)
  // The totals that the other bank reports must match what was sent.
  const wrong = other.answerMessage(first, 'RJCT', { original_count: 3 })
  await bank.runInbox()
  assert.deepEqual(await outcomesOf(wrong), [[0, 'case']])
  const file = other.answerMessage(first, 'RJCT', { original_count: 2, reasons: [{ originator_bic: theirBic, code: 'FF01' }] })
  await bank.runInbox()
  assert.deepEqual(
    (await outcomesOf(file)).map(([, outcome]) => outcome),
    ['applied', 'applied', 'applied'],
  )
  const [pack] = await rows('select state, reason from rail_packs where message_id = $1', first.message_id)
  assert.deepEqual(pack, { state: 'REFUSED', reason: 'FF01' })
  for (const order of orders) assert.deepEqual([await statusOf(order), await railStateOf(order)], ['TO_RESEND', 'REFUSED'])
  await sendOut()
  const again = await Promise.all(orders.map((order) => other.payment(order)))
  assert.notEqual(again[0]?.message_id, first.message_id)
  assert.deepEqual(
    again.map(({ tx_id }) => tx_id),
    [first.tx_id, second.tx_id],
  )
  // An answer about the first attempt cannot end the second.
  const old = other.answer([first], 'RJCT', { reason: 'AC01' })
  const settled = other.answerMessage(again[0] as (typeof again)[number], 'ACSC', { original_count: 2 })
  await takeIn()
  assert.deepEqual(await outcomesOf(old), [[1, 'known']])
  for (const order of orders) assert.deepEqual([await statusOf(order), await railStateOf(order)], ['COMPLETED', 'SETTLED'])
  assert.equal((await outcomesOf(settled)).length, 3)
  await booksAreRight()
})

test('a payment that the scheme knows from an earlier attempt keeps its money until people know more', async () => {
  const { transfer, payment } = await sent(someone)
  other.answerMessage(payment, 'RJCT', { reasons: [{ originator_bic: theirBic, code: 'FF01' }] })
  await takeIn()
  const again = await other.payment(transfer)
  assert.notEqual(again.message_id, payment.message_id)
  const before = await venture.balances({ id: someone.account_id })
  const file = other.answer([again], 'RJCT', { reason: 'AM05' })
  await takeIn()
  assert.deepEqual([await outcomesOf(file), await statusOf(transfer)], [[[1, 'case']], 'SENT_TO_CLEAR'])
  assert.equal((await lastCase('message')).payload.problem, 'repetition')
  assert.deepEqual(await venture.balances({ id: someone.account_id }), before)
  await booksAreRight()
})

test('answers about the whole message reach each payment that has none of its own', async () => {
  const { transfer, payment } = await sent(someone)
  other.answerMessage(payment, 'RCVD')
  await takeIn()
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
  other.answerMessage(payment, 'ACSP')
  await takeIn()
  assert.equal(await statusOf(transfer), 'ACCEPTED')
  const unknown = [other.answerMessage({ ...payment, message_id: 'NOBODY' }, 'ACSC'), other.answerMessage(payment, 'XXXX')]
  await takeIn()
  for (const file of unknown) assert.deepEqual(await outcomesOf(file), [[0, 'case']])
})

test('a payment comes back once, before or after it was settled', async () => {
  const [early, late] = [await sent(someone, { debit_amount: '15.00' }), await sent(someone, { debit_amount: '15.00' })]
  const [before] = await venture.balances({ id: someone.account_id })
  other.answer([late.payment], 'ACSC')
  await takeIn()
  const files = [early, late].map(({ payment }) => other.giveBack([payment]))
  await takeIn()
  for (const file of files) assert.deepEqual(await outcomesOf(file), [[1, 'applied']])
  for (const { transfer } of [early, late])
    assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['COMPLETED', 'RETURNED'])
  assert.equal((await venture.balances({ id: someone.account_id }))[0], before)
  const settled = other.answer([early.payment], 'ACSC')
  const twice = other.giveBack([late.payment])
  await takeIn()
  assert.deepEqual(await outcomesOf(settled), [[1, 'known']])
  assert.deepEqual(await outcomesOf(twice), [[1, 'case']])
  assert.equal((await venture.balances({ id: someone.account_id }))[0], before)
  await booksAreRight()
})

test('a return says why: the child, its parent, their histories and their events', async () => {
  const { transfer, payment } = await sent(someone, { debit_amount: '15.00' })
  other.answer([payment], 'ACSC')
  await takeIn()
  other.giveBack([payment], { reason: 'MD07' })
  await takeIn()
  const [{ id }] = await rows('select id from transfers where parent_transaction_id = $1', transfer.id)
  const expected = ['COMPLETED', reasonCodes.MD07.words, 'MD07']
  for (const one of [transfer, { id }]) {
    const { status, status_reason, status_reason_code } = await rails.show(one)
    assert.deepEqual([status, status_reason, status_reason_code], expected)
    const { to_status, reason, reason_code } = (await venture.get(`/transfers/${one.id}/history`)).body.at(-1)
    assert.deepEqual([to_status, reason, reason_code], expected)
  }
  const eventsOf = async (one: { id: string }) => (await venture.get(`/events?resource_id=${one.id}`)).body
  const told = async (one: { id: string }, type: string) => (await eventsOf(one)).find((event: Loose) => event.type === type).data.object
  assert.equal((await told({ id }, 'transfer.completed')).status_reason_code, 'MD07')
  assert.equal((await told(transfer, 'transfer.returned')).status_reason_code, 'MD07')
  await booksAreRight()
})

test('a part that comes back says why, too', async () => {
  const { transfer, payment } = await sent(someone, { debit_amount: '15.00' })
  other.answer([payment], 'ACSC')
  await takeIn()
  other.giveBack([payment], { amount: '14.00', charges: '1.00', reason: 'FOCR' })
  await takeIn()
  assert.deepEqual((await rails.show(transfer)).status_reason_code, 'FOCR')
  const types = (await venture.get(`/events?resource_id=${transfer.id}`)).body.map(({ type }: Loose) => type)
  assert.ok(types.includes('transfer.updated') && !types.includes('transfer.returned'), types.join())
  await booksAreRight()
})

test('a collection that comes back says why', async () => {
  const account = await venture.openAccount()
  const mandate = { scheme: 'CORE', sequence_type: 'RCUR', debtor_name: 'Grace Hopper', debtor_iban: theirIban, signed_on: '2026-01-15' }
  const { body } = await venture.post('/mandates', {
    account_id: account.id,
    reference: 'M-WHY',
    creditor_id: 'DE98ZZZ09999999999',
    ...mandate,
  })
  const collection = await venture.createTransfer({ account_id: account.id, mandate_id: body.id, credit_amount: '25.00' })
  await sendOut()
  const payment = await other.payment(collection)
  other.answer([payment], 'ACSC')
  await takeIn()
  other.giveBack([payment], { reason: 'MD01' })
  await takeIn()
  const [{ id }] = await rows('select id from transfers where parent_transaction_id = $1', collection.id)
  for (const one of [collection, { id }]) assert.equal((await rails.show(one)).status_reason_code, 'MD01')
  await booksAreRight()
})

test('a collection comes back once, even to an account that is closed', async () => {
  const account = await venture.openAccount()
  const mandate = { scheme: 'CORE', sequence_type: 'RCUR', debtor_name: 'Grace Hopper', debtor_iban: theirIban, signed_on: '2026-01-15' }
  const { body } = await venture.post('/mandates', {
    account_id: account.id,
    reference: 'M-TWICE',
    creditor_id: 'DE98ZZZ09999999999',
    ...mandate,
  })
  const collect = async () => {
    const collection = await venture.createTransfer({ account_id: account.id, mandate_id: body.id, credit_amount: '25.00' })
    await sendOut()
    const payment = await other.payment(collection)
    other.answer([payment], 'ACSC')
    await takeIn()
    return payment
  }
  const [before, after] = [await collect(), await collect()]
  const first = other.giveBack([before])
  await takeIn()
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const spent = await sent({ account_id: account.id, beneficiary_id }, { debit_amount: '25.00' })
  other.answer([spent.payment], 'ACSC')
  await takeIn()
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
  const house = await rails.houseBalances()
  const second = other.giveBack([after], { return_id: 'ONCE' })
  await takeIn()
  const again = other.giveBack([after], { return_id: 'ONCE' })
  const twice = [other.giveBack([before]), other.giveBack([after])]
  await takeIn()
  for (const file of [first, second]) assert.deepEqual(await outcomesOf(file), [[1, 'applied']])
  assert.deepEqual(await outcomesOf(again), [[1, 'known']])
  for (const file of twice) assert.deepEqual(await outcomesOf(file), [[1, 'case']])
  assert.equal((await lastCase('message')).payload.problem, 'already_returned')
  assert.equal((await rails.houseBalances())['receivable:EUR'], (house['receivable:EUR'] ?? 0) - 25)
  await booksAreRight()
})

test('a return that people have given up is not sent again when its message is refused', async () => {
  const account = await venture.openAccount()
  other.pay([{ tx_id: 'GIVEN-UP', creditor_iban: account.account_number, amount: 21_0000n }])
  await takeIn()
  const [paid] = await rows('select id from transfers where account_id = $1', account.id)
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: theirIban })
  const order = { account_id: account.id, beneficiary_id, parent_transaction_id: paid.id, debit_amount: '21.00' }
  const back = await venture.createTransfer({ ...order, transfer_type: 'PAYMENT_RETURN' })
  await sendOut()
  const seen = await other.payment(back)
  await venture.move(back.id, { status: 'REJECTED', third_party_status: 'RJCT' }, { actor: operator, approved: true })
  assert.equal((await venture.balances(account))[2], '21.00')
  other.answerMessage(seen, 'RJCT', { reasons: [{ originator_bic: theirBic, code: 'FF01' }] })
  await takeIn()
  assert.deepEqual([await statusOf(back), await railStateOf(back)], ['REJECTED', 'REJECTED'])
  assert.equal((await other.payment(back)).message_id, seen.message_id)
  await booksAreRight()
})

test('a pack that is answered before its delivery is noted is asked about what was not answered', async () => {
  const { account_id, beneficiary_id } = someone
  const orders = await Promise.all([1, 2].map(() => venture.createTransfer({ account_id, beneficiary_id, debit_amount: '11.00' })))
  const send = other.exchange.send.bind(other.exchange)
  other.exchange.send = async (file) => {
    await send(file)
    throw new Error('killed')
  }
  await sendOut()
  other.exchange.send = send
  const [first, second] = await Promise.all(orders.map((order) => other.payment(order)))
  assert.ok(first && second)
  assert.equal(first.message_id, second.message_id)
  other.send('pacs.002.001.10', {
    message_id: other.next('PART'),
    created_at: '2026-11-16T09:30:00Z',
    instructing_bic: theirBic,
    group: { original_message_id: first.message_id, original_message_type: first.message_type, status: 'PART' },
    transactions: [{ original_tx_id: first.tx_id, original_end_to_end_id: first.end_to_end_id, status: 'ACSC' }],
  })
  await takeIn()
  const [pack] = await rows('select state, delivered_at from rail_packs where message_id = $1', first.message_id)
  assert.equal(pack.state, 'ACKNOWLEDGED')
  assert.notEqual(pack.delivered_at, null)
  await bank.owner.query(`update rail_packs set delivered_at = delivered_at - interval '25 hours' where message_id = $1`, [
    first.message_id,
  ])
  await bank.runSending()
  const asked = (await other.received()).flatMap(({ type, message }) => (type === 'pacs.028.001.03' ? message.transactions : []))
  assert.deepEqual(
    asked.map(({ original_tx_id }) => original_tx_id),
    [second.tx_id],
  )
  assert.equal((await lastCase('delivery')).payload.message_id, first.message_id)
})

test('a return of another amount is a case, unless the other bank has kept a charge', async () => {
  const { transfer, payment } = await sent(someone, { debit_amount: '15.00' })
  other.answer([payment], 'ACSC')
  await takeIn()
  const wrong = [
    other.giveBack([payment], { amount: '15.01' }),
    other.giveBack([payment], { amount: '14.00' }),
    other.giveBack([payment], { amount: '14.00', charges: '0.99' }),
    other.giveBack([payment], { original_amount: '16.00' }),
    other.giveBack([payment], { currency: 'USD' }),
    other.giveBack([{ ...payment, tx_id: 'NOBODY' }]),
  ]
  await takeIn()
  for (const file of wrong) assert.deepEqual(await outcomesOf(file), [[1, 'case']])
  const charged = other.giveBack([payment], { amount: '14.00', charges: '1.00', reason: 'FOCR' })
  await takeIn()
  assert.deepEqual(await outcomesOf(charged), [[1, 'applied']])
  const [child] = await rows('select credit_amount, transfer_type from transfers where parent_transaction_id = $1', transfer.id)
  assert.deepEqual(child, { credit_amount: '14.00', transfer_type: 'PAYMENT_RETURN' })
  await booksAreRight()
})

test('a refused file and a transaction that became a case are tried again, or dropped by two people', async () => {
  const { transfer, payment } = await sent(someone)
  const file = other.answer([payment], 'ACSC', { amount: '99.00' })
  other.exchange.put('not XML', 'bad.xml')
  await takeIn()
  const about = (await openCases('message')).filter(
    ({ payload }) => payload.file === 'bad.xml' || payload.message_id === `${file.slice(0, -4)}`,
  )
  const [transaction, bad] = [about.find(({ payload }) => payload.position === 1), about.find(({ payload }) => payload.file === 'bad.xml')]
  const { body: shownCase } = await bank.admin.get(`/operator/cases/${bad.id}`)
  assert.deepEqual([shownCase.allowed_decisions, shownCase.subject.message.reason], [['retry', 'drop'], 'malformed'])
  for (const each of [transaction, bad]) {
    const { status, problem } = await decide(each, 'retry')
    assert.deepEqual([status, problem.code], [409, 'message_not_applied'])
  }
  await decided(bad, 'drop')
  await decided(transaction, 'drop')
  assert.deepEqual(await outcomesOf(file), [[1, 'dropped']])
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
  // What was missing is now there.
  const early = other.answer([payment], 'ACSC')
  await bank.owner.query(`update rail_payments set state = 'PACKED' where transfer_id = $1`, [transfer.id])
  await bank.runInbox()
  assert.deepEqual(await outcomesOf(early), [[1, 'case']])
  await bank.owner.query(`update rail_payments set state = 'SENT' where transfer_id = $1`, [transfer.id])
  await decided(await lastCase('message'), 'retry')
  assert.deepEqual(await outcomesOf(early), [[1, 'applied']])
  assert.equal(await statusOf(transfer), 'COMPLETED')
  // A file that an older version could not read.
  const name = other.answer([payment], 'ACSC')
  await bank.runInbox()
  const { id } = await messageOf(name)
  await bank.owner.query('delete from rail_applied where message_id = $1', [id])
  await bank.owner.query(
    `update rail_messages set state = 'REFUSED', reason = 'unknown_type', type = null, message_id = null, sender = null where id = $1`,
    [id],
  )
  await bank.owner.query(
    `insert into cases (id, venture_id, kind, resource_id, payload, severity, due_at, state, created_at, updated_at, sequence)
     values (gen_random_uuid(), 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'message', $1, $2, 'NORMAL', now(), 'OPEN', now(), now(), 1)`,
    [id, JSON.stringify({ rail_message_id: id })],
  )
  const [reopened] = await rows(`select id from cases where resource_id = $1 and state = 'OPEN'`, id)
  await decided(reopened, 'retry')
  assert.equal((await messageOf(name)).state, 'RECEIVED')
  await bank.runInbox()
  assert.deepEqual([(await messageOf(name)).state, await outcomesOf(name)], ['APPLIED', [[1, 'known']]])
  await booksAreRight()
})

function openContext(): Applying {
  return applyingOf(bank)
}

/** An instance of the inbox whose exchange or database fails at a given point. */
function inbox(exchange: Partial<FileExchange> = {}): Inbox {
  const bound = Object.fromEntries(
    (['send', 'list', 'read', 'putAway', 'close'] as const).map((name) => [name, other.exchange[name].bind(other.exchange)]),
  ) as unknown as FileExchange
  return new Inbox({
    ...openContext(),
    reader: new MessageReader(),
    exchange: { ...bound, ...exchange },
    applyStatement: async () => ({ outcome: 'APPLIED' }),
    allowedSenders: async () => [theirBic],
  })
}

test('a crash at any point loses nothing and repeats nothing', async () => {
  const { transfer, payment } = await sent(someone)
  const [before] = await venture.balances({ id: someone.account_id })
  const file = other.answer([payment], 'ACSC')
  const fails = async () => {
    throw new Error('killed')
  }
  await inbox({ read: fails }).runDue()
  assert.equal(await messageOf(file), undefined)
  // Killed after storing the file and before putting it away.
  await inbox({ putAway: fails }).runDue()
  assert.deepEqual([(await messageOf(file)).state, await other.exchange.list()], ['APPLIED', [file]])
  assert.equal(await statusOf(transfer), 'COMPLETED')
  await inbox().runDue()
  assert.deepEqual(await other.exchange.list(), [])
  assert.ok(other.exchange.taken.includes(file))
  // Killed after storing the file and before applying anything.
  const returned = other.giveBack([payment])
  await inbox().runDue()
  const { id } = await messageOf(returned)
  await bank.owner.query(`update rail_messages set state = 'RECEIVED' where id = $1`, [id])
  await inbox().runDue()
  assert.equal((await messageOf(returned)).state, 'APPLIED')
  assert.equal((await rows('select * from rail_applied where message_id = $1', id)).length, 1)
  assert.equal((await venture.balances({ id: someone.account_id }))[0], before)
  // Killed after refusing the file and before putting it away: there is one case.
  const bad = other.exchange.put('<nothing/>', 'refused-twice.xml')
  await inbox({ putAway: fails }).runDue()
  await inbox().runDue()
  assert.ok(other.exchange.failed.includes(bad))
  assert.equal((await openCases('message')).filter(({ payload }) => payload.file === bad).length, 1)
  await booksAreRight()
})

test('large files are read one by one, and in their place', async () => {
  const { payment } = await sent(someone)
  const large = Buffer.alloc(5 * 1024 * 1024, 'x')
  const names = ['one', 'two', 'three'].map((name) => other.exchange.put(large, `large-${name}.xml`))
  const small = other.answer([payment], 'ACSC')
  const order: string[] = []
  let [reading, most] = [0, 0]
  await inbox({
    async read(name, limit) {
      const bytes = await other.exchange.read(name, limit)
      most = Math.max(most, ++reading)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return bytes
    },
    async putAway(name, where) {
      if (names.includes(name)) reading--
      order.push(name)
      await other.exchange.putAway(name, where)
    },
  }).runDue()
  assert.deepEqual(order, [small, ...names])
  // The small one is read first, and not counted.
  assert.equal(most, 2)
  for (const name of names) assert.equal((await messageOf(name)).reason, 'malformed')
  assert.deepEqual(await outcomesOf(small), [[1, 'applied']])
})

test('several instances apply the same messages at once, each transaction once', async () => {
  const made = []
  for (let at = 0; at < 4; at++) made.push(await sent(someone))
  const payments = made.map(({ payment }) => payment)
  const [before] = await venture.balances({ id: someone.account_id })
  const files = [other.answer(payments, 'ACSP'), other.answer(payments, 'ACSC'), other.giveBack(payments), other.answer(payments, 'ACSC')]
  await Promise.all([inbox().runDue(), inbox().runDue(), inbox().runDue()])
  for (const file of files) assert.deepEqual([(await messageOf(file)).state, (await outcomesOf(file)).length], ['APPLIED', 4])
  for (const { transfer } of made) assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['COMPLETED', 'RETURNED'])
  assert.equal((await venture.balances({ id: someone.account_id }))[0], before)
  await booksAreRight()
})

test('a transaction that has been applied is not applied again', async () => {
  const { payment } = await sent(someone)
  const file = other.answer([payment], 'ACSP')
  await takeIn()
  const message = await messageOf(file)
  await assert.rejects(conclude(openContext(), { message, position: 1, again: undefined }, 'noted'), { code: 'resource_changed' })
  // Nor is one whose case has been decided meanwhile.
  await assert.rejects(conclude(openContext(), { message, position: 1, again: [] }, 'dropped'), { code: 'resource_changed' })
  assert.deepEqual(await outcomesOf(file), [[1, 'applied']])
})

const template = Buffer.from(
  writeMessage('pacs.002.001.10', {
    message_id: 'HOSTILE',
    created_at: '2026-11-16T09:30:00Z',
    instructing_bic: theirBic,
    transactions: [],
  }),
)
const text = template.toString()
const withTransaction = (inside: string) => text.replace('</GrpHdr>', `</GrpHdr>${inside}`)
const pay = (count: string, sum: string, iban: string) =>
  writeMessage('pacs.008.001.08', {
    message_id: 'DIFFERS',
    created_at: '2026-11-16T09:30:00Z',
    settlement_method: 'CLRG',
    instructing_bic: theirBic,
    transactions: [
      {
        tx_id: 'T-1',
        end_to_end_id: 'E-1',
        amount: 10_0000n,
        currency: 'EUR',
        charge_bearer: 'SLEV',
        debtor_bic: theirBic,
        debtor: { name: 'A' },
        creditor: { name: 'B' },
        creditor_iban: iban,
      },
    ],
  })
    .toString()
    .replace(/<NbOfTxs>1</, `<NbOfTxs>${count}<`)
    .replace(/(<TtlIntrBkSttlmAmt[^>]*>)[^<]*</, `$1${sum}<`)

const laughs = `<!DOCTYPE lolz [<!ENTITY a "lol">${[...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>`

/** Files that no bank should send, and why each is refused. */
const hostile: Record<string, { bytes: Uint8Array | string; reason: string }> = {
  empty: { bytes: '', reason: 'empty' },
  malformed: { bytes: text.replace('</Document>', ''), reason: 'malformed' },
  truncated: { bytes: text.slice(0, text.length / 2), reason: 'malformed' },
  doctype: { bytes: text.replace('<Document', '<!DOCTYPE Document><Document'), reason: 'doctype' },
  laughs: { bytes: text.replace('<Document', `${laughs}<Document`), reason: 'doctype' },
  external: { bytes: text.replace('<Document', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document'), reason: 'doctype' },
  utf16: { bytes: Buffer.from(text, 'utf16le'), reason: 'not_utf8' },
  levels: { bytes: withTransaction('<a>'.repeat(100_000) + '</a>'.repeat(100_000)), reason: 'too_deep' },
  invalid: { bytes: withTransaction('<Nonsense/>'), reason: 'invalid' },
  unknown: { bytes: text.replaceAll('pacs.002.001.10', 'pacs.002.001.99'), reason: 'unknown_type' },
  unexpected: {
    bytes: writeMessage('pacs.028.001.03', { message_id: 'Q', created_at: '2026-11-16T09:30:00Z', transactions: [] }),
    reason: 'not_expected',
  },
  stray: {
    bytes: writeMessage('pacs.002.001.10', {
      message_id: 'STRAY',
      created_at: '2026-11-16T09:30:00Z',
      instructing_bic: theirBic,
      instructed_bic: 'BNPAFRPPXXX',
      transactions: [],
    }),
    reason: 'not_for_us',
  },
  foreign: { bytes: text.replaceAll(theirBic, 'BNPAFRPPXXX'), reason: 'sender_not_allowed' },
  ours: { bytes: text.replaceAll(theirBic, 'VOSTLT21'), reason: 'sender_is_us' },
  through: {
    bytes: pay('1', '10.00', someone.account.account_number).replace(
      '<Dbtr>',
      '<InstgAgt><FinInstnId><BICFI>VOSTLT21XXX</BICFI></FinInstnId></InstgAgt><Dbtr>',
    ),
    reason: 'sender_is_us',
  },
  number: { bytes: pay('2', '10.00', someone.account.account_number), reason: 'number_differs' },
  sum: { bytes: pay('1', '11.00', someone.account.account_number), reason: 'sum_differs' },
  huge: { bytes: Buffer.alloc(65 * 1024 * 1024, 'x'), reason: 'too_large' },
}

test('hostile files are refused with a reason, nothing of them is applied, and the next file is read', async () => {
  const { transfer, payment } = await sent(someone)
  const [balances, applied] = [await venture.balances({ id: someone.account_id }), await bank.count('rail_applied')]
  for (const [name, { bytes }] of Object.entries(hostile)) other.exchange.put(bytes, `hostile-${name}.xml`)
  const file = other.answer([payment], 'ACSC')
  await bank.runInbox()
  const found: Record<string, string> = {}
  for (const name of Object.keys(hostile)) {
    const message = await messageOf(`hostile-${name}.xml`)
    assert.equal(message?.state, 'REFUSED', name)
    assert.ok(message.detail.length > 10, name)
    assert.ok(other.exchange.failed.includes(`hostile-${name}.xml`), name)
    found[name] = message.reason
  }
  assert.deepEqual(found, Object.fromEntries(Object.entries(hostile).map(([name, { reason }]) => [name, reason])))
  const cases = (await openCases('message')).filter(({ payload }) => payload.file?.startsWith('hostile-'))
  assert.equal(cases.length, Object.keys(hostile).length)
  assert.equal(await bank.count('rail_applied'), applied + 1)
  assert.deepEqual([await statusOf(transfer), await outcomesOf(file)], ['COMPLETED', [[1, 'applied']]])
  assert.equal(Number(balances[0]) - Number((await venture.balances({ id: someone.account_id }))[0]), 10)
  await booksAreRight()
})

test('the same message again is ignored, and another one with its id is refused', async () => {
  const { transfer, payment } = await sent(someone)
  const [name] = [other.answer([payment], 'ACSP')]
  const bytes = await other.exchange.read(name, 1_000_000)
  await takeIn()
  other.exchange.put(bytes, 'again.xml')
  other.exchange.put(Buffer.from(Buffer.from(bytes).toString().replace('ACSP', 'ACSC')), 'changed.xml')
  await takeIn()
  assert.ok(other.exchange.taken.includes('again.xml'))
  assert.equal(await messageOf('again.xml'), undefined)
  const changed: Loose | undefined = await messageOf('changed.xml')
  assert.deepEqual([changed?.state, changed?.reason], ['REFUSED', 'message_id_reused'])
  assert.ok(other.exchange.failed.includes('changed.xml'))
  assert.equal(await statusOf(transfer), 'ACCEPTED')
  const about = (await openCases('message')).find(({ payload }) => payload.file === 'changed.xml')
  const { status, problem } = await decide(about, 'retry')
  assert.deepEqual([status, problem.code], [409, 'message_not_applied'])
})

test('a file wakes the inbox', async () => {
  const { transfer, payment } = await sent(someone)
  const { inbox: running } = bank.services
  running?.start()
  other.answer([payment], 'ACSC')
  while ((await statusOf(transfer)) !== 'COMPLETED') await new Promise((resolve) => setTimeout(resolve, 20))
  await running?.stop()
})
