import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MessageReader, writeMessage } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { read } from '../../platform/database/sql.ts'
import { createLog } from '../../platform/log.ts'
import { DifferentFile, FileTooLarge } from '../../rails/rails.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { addDays, isTargetDay, nextTargetDay, todayUtc } from '../../values/calendar.ts'
import { simulatedBic } from './sandbox.bank.answers.ts'
import { countTransactions, findPaymentIn } from './sandbox.bank.sql.ts'
import { fileOf, fileWith, ours, someCredits, someDebits } from './sandbox.bank.testing.ts'
import { SimulatedBank } from './sandbox.bank.ts'

const { admin, database, config, owner, stranger, registerVenture } = await openBank()
const reader = new MessageReader()
const log = createLog('silent')
const bank = new SimulatedBank({ database, log, bank: config.bank })
after(async () => {
  await bank.close()
  await reader.close()
})

const limit = 64 * 1024 * 1024

/** Reads and puts away all waiting files, as messages. */
async function take(): Promise<Loose[]> {
  const messages: Loose[] = []
  for (const name of await bank.list()) {
    messages.push(await reader.read(await bank.read(name, limit)))
    await bank.putAway(name, 'taken')
  }
  return messages
}

let number = 0
const nextId = (start: string) => `${start}-${++number}`

test('a file is handed over once, and waits with its answers until they are put away', async () => {
  const [message_id, tx_id] = [nextId('M'), nextId('T')]
  const file = fileOf('pacs.008.001.08', someCredits(message_id, { tx_id, amount: '1.00', instant: true }))
  let woken = 0
  const stop = bank.watch(() => woken++)
  await bank.send(file)
  assert.equal(woken, 1)
  stop()
  // After a crash, the same file arrives again.
  await bank.send(file)
  assert.equal(woken, 1)
  await assert.rejects(bank.send(fileWith(file.name, Buffer.from('other bytes'))), DifferentFile)

  const [name = '', ...others] = await bank.list()
  assert.deepEqual(others, [])
  await assert.rejects(bank.read(name, 10), FileTooLarge)
  const answer = await reader.read(await bank.read(name, limit))
  assert.ok(answer.type === 'pacs.002.001.10')
  assert.equal(answer.message.group?.original_message_id, message_id)
  assert.deepEqual(
    answer.message.transactions.map(({ original_tx_id, status }) => [original_tx_id, status]),
    [[tx_id, 'ACSC']],
  )
  assert.deepEqual(await bank.list(), [name])
  await bank.putAway(name, 'failed')
  await bank.putAway(name, 'taken')
  assert.deepEqual(await bank.list(), [])
  await assert.rejects(bank.read('nothing.xml', limit), /no file nothing.xml/)
})

test('a message id that comes again in another file is answered as before, and settles nothing', async () => {
  const [message_id, tx_id] = [nextId('M'), nextId('T')]
  const payments = someCredits(message_id, { tx_id, amount: '2.00', instant: true })
  await bank.send(fileOf('pacs.008.001.08', payments))
  const [first] = await bank.list()
  const bytes = Buffer.from(await bank.read(first ?? '', limit))
  await bank.send(fileOf('pacs.008.001.08', payments, `${message_id}-again.xml`))
  const [, second] = await bank.list()
  assert.ok(second, 'the second file has an answer')
  assert.ok(bytes.equals(await bank.read(second, limit)))
  assert.equal((await take()).length, 2)
  const [count] = (await countTransactions(database)).filter((counted) => counted.tx_id === tx_id)
  assert.deepEqual([count?.presented, count?.settled, Number(count?.amount)], [1, 1, 2])
})

test('a payment that is sent in two messages is counted twice, and settles once', async () => {
  const tx_id = nextId('T')
  for (let time = 0; time < 2; time++) {
    await bank.send(fileOf('pacs.008.001.08', someCredits(nextId('M'), { tx_id, amount: '3.00', instant: true })))
  }
  const statuses = (await take()).map(({ message }) => message.transactions[0].status)
  assert.deepEqual(statuses, ['ACSC', 'RJCT'])
  const [count] = (await countTransactions(database)).filter((counted) => counted.tx_id === tx_id)
  assert.deepEqual([count?.presented, count?.settled], [2, 1])
})

test('payments settle at the cycle, and what it returns comes with the next one', async () => {
  const [one, other] = [nextId('T'), nextId('T')]
  await bank.send(fileOf('pacs.008.001.08', someCredits(nextId('M'), { tx_id: one, amount: '4.00' }, { tx_id: other, amount: '4.05' })))
  assert.deepEqual(await take(), [])
  const cycle = async () => (await admin.post('/sandbox/bank/cycle')).body.payments
  assert.equal(await cycle(), 2)
  const [settled] = await take()
  assert.deepEqual(
    settled.message.transactions.map(({ original_tx_id, status }: Loose) => [original_tx_id, status]),
    [
      [one, 'ACSC'],
      [other, 'ACSC'],
    ],
  )
  assert.equal(await cycle(), 1)
  const [returned] = await take()
  assert.deepEqual([returned.type, returned.message.transactions[0].original_tx_id], ['pacs.004.001.09', other])
  assert.equal(await cycle(), 0)
})

test('a cycle follows by itself', async () => {
  const running = new SimulatedBank({ database, log, bank: config.bank })
  try {
    running.start()
    const { promise, resolve } = Promise.withResolvers<void>()
    await running.send(fileOf('pacs.008.001.08', someCredits(nextId('M'), { tx_id: nextId('T'), amount: '5.00' })))
    running.watch(() => void running.list().then(({ length }) => length > 0 && resolve()))
    await promise
    assert.equal((await take())[0].message.transactions[0].status, 'ACSC')
  } finally {
    await running.close()
  }
})

test('a file that is no valid message is refused, and the next one is read', async () => {
  const message_id = nextId('M')
  const valid = writeMessage('pacs.008.001.08', someCredits(message_id, { tx_id: nextId('T'), amount: '6.00', instant: true }))
  const wrong = Buffer.from(valid.toString().replace('<NbOfTxs>1<', '<NbOfTxs>2<'))
  await bank.send(fileWith(`${message_id}-wrong.xml`, wrong))
  const [refused] = await take()
  assert.deepEqual(
    [refused.message.group.original_message_id, refused.message.group.status, refused.message.group.reasons[0].code],
    [message_id, 'RJCT', 'FF01'],
  )
  // Nothing in it identifies the message.
  await bank.send(fileWith(nextId('noise'), Buffer.from('<!DOCTYPE x><x/>')))
  assert.deepEqual(await take(), [])
  await bank.send(fileWith(`${message_id}.xml`, valid))
  assert.equal((await take())[0].message.transactions[0].status, 'ACSC')
})

test('somebody pays us over SEPA: the message arrives, and the account of our bank has the money', async () => {
  const { body: before } = await admin.get('/sandbox/bank')
  const order = { iban: 'LT601010012345678901', amount: '30', name: 'Žuvėdra & Co', purpose: 'Thank you', end_to_end_id: 'INV-7' }
  const { status, body } = await admin.post('/sandbox/bank/payments', order)
  assert.equal(status, 201)
  assert.deepEqual(
    [body.direction, body.kind, body.rail, body.amount, body.state, body.debtor, body.creditor_iban, body.purpose],
    ['IN', 'CREDIT_TRANSFER', 'SEPA', '30.00', 'SETTLED', 'Zuvedra + Co', 'LT601010012345678901', 'Thank you'],
  )
  const [{ type, message }] = await take()
  assert.equal(type, 'pacs.008.001.08')
  assert.deepEqual([message.instructing_bic, message.instructed_bic], [simulatedBic, ours])
  const [payment] = message.transactions
  assert.deepEqual(
    [payment.tx_id, payment.end_to_end_id, payment.amount, payment.creditor_iban, payment.debtor.name, payment.remittance],
    [body.tx_id, 'INV-7', 30_0000n, 'LT601010012345678901', 'Zuvedra + Co', ['Thank you']],
  )
  const { body: state } = await admin.get('/sandbox/bank')
  assert.equal(Number(state.balance) - Number(before.balance), 30)
  assert.deepEqual(state.payments[0], body)
  assert.equal(state.counts.SETTLED, before.counts.SETTLED + 1)
})

test('an instant payment to us settles when we accept it, and the bank says so', async () => {
  const { body } = await admin.post('/sandbox/bank/payments', { iban: 'LT601010012345678901', amount: '31.00', rail: 'INST' })
  assert.equal(body.state, 'WAITING')
  const [{ message }] = await take()
  assert.equal(message.transactions[0].payment_type.local_instrument, 'INST')
  const transactions = [{ original_tx_id: body.tx_id, status: 'ACSC' }]
  await bank.send(fileOf('pacs.002.001.10', { message_id: nextId('A'), created_at: now().toISOString(), transactions }))
  assert.equal((await findPaymentIn(database, body.tx_id))?.state, 'SETTLED')
  const [{ type, message: said }] = await take()
  assert.deepEqual([type, said.transactions[0].original_tx_id, said.transactions[0].status], ['pacs.002.001.10', body.tx_id, 'ACSC'])
})

test('somebody collects from us: it settles on the due date unless we refuse it', async () => {
  const today = todayUtc(now())
  const order = { iban: 'LT601010012345678901', amount: '32.00', scheme: 'B2B', mandate_reference: 'M-7' }
  const { status, body } = await admin.post('/sandbox/bank/direct-debits', order)
  assert.equal(status, 201)
  assert.deepEqual([body.direction, body.kind, body.state, body.due_on], ['IN', 'DIRECT_DEBIT', 'WAITING', nextTargetDay(today)])
  const [{ type, message }] = await take()
  assert.equal(type, 'pacs.003.001.08')
  const [debit] = message.transactions
  assert.deepEqual(
    [debit.mandate_reference, debit.payment_type.local_instrument, debit.debtor_iban, debit.collection_date, debit.amount],
    ['M-7', 'B2B', 'LT601010012345678901', body.due_on, 32_0000n],
  )
  await admin.post('/sandbox/bank/cycle')
  assert.equal((await findPaymentIn(database, body.tx_id))?.state, 'WAITING')
  const transactions = [{ original_tx_id: body.tx_id, status: 'RJCT', reasons: [{ code: 'AM04' }] }]
  await bank.send(fileOf('pacs.002.001.10', { message_id: nextId('A'), created_at: now().toISOString(), transactions }))
  assert.equal((await findPaymentIn(database, body.tx_id))?.state, 'REJECTED')
})

test('a direct debit of ours is accepted, and settles on its day', async () => {
  const later = nextTargetDay(addDays(todayUtc(now()), 3))
  await bank.send(fileOf('pacs.003.001.08', someDebits(nextId('M'), later, { tx_id: nextId('T'), amount: '33.00' })))
  assert.deepEqual(
    (await take()).map(({ message }) => message.transactions[0].status),
    ['ACSP'],
  )
  await admin.post('/sandbox/bank/cycle')
  assert.deepEqual(await take(), [])
})

test('another bank recalls what it has paid us, once, and learns our answer', async () => {
  const { body: payment } = await admin.post('/sandbox/bank/payments', { iban: 'LT601010012345678901', amount: '34.00' })
  await take()
  const recall = (bank_payment_id: string) => admin.post('/sandbox/bank/recalls', { bank_payment_id, reason: 'TECH' })
  const { status, body } = await recall(payment.id)
  assert.deepEqual([status, body.bank_payment_id, body.reason, body.state], [201, payment.id, 'TECH', 'REQUESTED'])
  const [{ type, message }] = await take()
  assert.equal(type, 'camt.056.001.08')
  const [request] = message.transactions
  assert.deepEqual([request.original_tx_id, request.original_amount, request.reasons[0].code], [payment.tx_id, 34_0000n, 'TECH'])

  const again = await recall(payment.id)
  assert.deepEqual([again.status, again.problem.code], [409, 'sandbox_payment_not_recallable'])
  const refused = { message_id: nextId('N'), from_bic: ours, to_bic: simulatedBic, created_at: now().toISOString(), status: 'RJCR' }
  await bank.send(
    fileOf('camt.029.001.09', {
      ...refused,
      transactions: [{ original_tx_id: payment.tx_id, status: 'RJCR', reasons: [{ code: 'CUST' }] }],
    }),
  )
  const rows = await database.rows(read<{ state: string }>`select state from sandbox_bank_recalls where tx_id = ${payment.tx_id}`)
  assert.deepEqual(rows, [{ state: 'REFUSED' }])
})

test('what was not paid to us, or has not settled, is not recalled', async () => {
  const { body: waiting } = await admin.post('/sandbox/bank/payments', { iban: 'LT601010012345678901', amount: '35.00', rail: 'INST' })
  await take()
  for (const [bank_payment_id, status, code] of [
    ['51b00000-0000-4000-8000-999999999999', 404, 'sandbox_payment_not_found'],
    [waiting.id, 409, 'sandbox_payment_not_recallable'],
  ]) {
    const answer = await admin.post('/sandbox/bank/recalls', { bank_payment_id })
    assert.deepEqual([answer.status, answer.problem.code], [status, code])
  }
  assert.deepEqual(await take(), [])
})

test('orders that make no sense are refused, and nothing is sent', async () => {
  const iban = 'LT601010012345678901'
  const saturday = Array.from({ length: 7 }, (_, index) => addDays(todayUtc(now()), index + 1)).find((day) => !isTargetDay(day))
  const refused: readonly (readonly [string, object, string])[] = [
    ['payments', { iban: 'LT001010012345678901', amount: '1.00' }, 'iban'],
    ['payments', { iban, amount: '0.00' }, 'amount'],
    ['payments', { iban, amount: '1.001' }, 'amount'],
    ['payments', { iban, amount: '1000000000.00' }, 'amount'],
    ['payments', { iban, amount: '1.00', payer_iban: 'XX0012345' }, 'payer_iban'],
    ['payments', { iban, amount: '1.00', name: '…' }, 'name'],
    ['payments', { iban, amount: '1.00', payee_name: '…' }, 'payee_name'],
    ['payments', { iban, amount: '1.00', purpose: '…' }, 'purpose'],
    ['payments', { iban, amount: '1.00', rail: 'SWIFT' }, 'rail'],
    ['direct-debits', { iban: 'LT001010012345678901', amount: '1.00' }, 'iban'],
    ['direct-debits', { iban, amount: '-1.00' }, 'amount'],
    ['direct-debits', { iban, amount: '1.00', name: '…' }, 'name'],
    ['direct-debits', { iban, amount: '1.00', payer_name: '…' }, 'payer_name'],
    ['direct-debits', { iban, amount: '1.00', purpose: '…' }, 'purpose'],
    ['direct-debits', { iban, amount: '1.00', collection_date: '2020-01-02' }, 'collection_date'],
    ['direct-debits', { iban, amount: '1.00', collection_date: saturday }, 'collection_date'],
    ['recalls', { bank_payment_id: '51b00000-0000-4000-8000-999999999999', reason: 'AC01' }, 'reason'],
  ]
  for (const [path, body, field] of refused) {
    const { status, problem } = await admin.post(`/sandbox/bank/${path}`, body)
    assert.deepEqual([status, problem.errors?.[0]?.field], [400, field], JSON.stringify([body, problem]))
  }
  assert.deepEqual(await take(), [])
})

test('the statement of the day begins where the one before ended, and shows every entry once', async () => {
  const dayEnd = async () => (await admin.post('/sandbox/bank/day-end')).body.statements
  const [first] = await dayEnd()
  const [{ message }] = await take()
  const [statement] = message.statements
  assert.equal(statement.entries.length, first.entries)
  assert.ok(first.entries > 0)
  assert.equal(statement.sequence, first.sequence)

  await bank.send(fileOf('pacs.008.001.08', someCredits(nextId('M'), { tx_id: nextId('T'), amount: '7.00', instant: true })))
  await take()
  const [second] = await dayEnd()
  assert.deepEqual([second.sequence, second.opening, second.entries], [first.sequence + 1, first.closing, 1])
  assert.equal(Number(second.closing), Number(second.opening) - 7)
  const [third] = await dayEnd()
  assert.deepEqual([third.sequence, third.entries, third.closing], [second.sequence + 1, 0, second.closing])
  const { body: state } = await admin.get('/sandbox/bank')
  assert.deepEqual([state.balance, state.last_statement], [third.closing, third.sequence])
  await take()
})

test('statements that are made at the same moment do not share an entry or a number', async () => {
  // Leftovers of earlier tests go on a statement of their own.
  await bank.endDay()
  await Promise.all(
    Array.from({ length: 4 }, () =>
      bank.send(fileOf('pacs.008.001.08', someCredits(nextId('M'), { tx_id: nextId('T'), amount: '8.00', instant: true }))),
    ),
  )
  await take()
  // No statement is made before all of them have begun.
  await owner.query('begin; lock table sandbox_bank_entries in exclusive mode')
  const ended = Promise.all(Array.from({ length: 4 }, () => bank.endDay()))
  const waiting = `
    select count(distinct pid)::int from pg_locks
    where not granted and database = (select oid from pg_database where datname = current_database())`
  await eventually(async () => (await owner.query(waiting)).rows[0].count === 4)
  await owner.query('commit')
  await assert.doesNotReject(ended, 'each has a number of its own')
  const made = await ended
  const statements = made.flatMap(({ statements: each }) => each).sort((one, other) => one.sequence - other.sequence)
  assert.equal(
    statements.reduce((sum, { entries }) => sum + entries, 0),
    4,
  )
  for (const [index, { sequence, opening }] of statements.entries()) {
    const before = statements[index - 1]
    if (before) assert.deepEqual([sequence, opening], [before.sequence + 1, before.closing])
  }
  await take()
})

test('only the people of the bank see and move the simulated bank', async () => {
  const venture = await registerVenture()
  for (const caller of [stranger, venture]) {
    for (const path of ['cycle', 'day-end', 'payments', 'direct-debits', 'recalls']) {
      const { status } = await caller.post(`/sandbox/bank/${path}`, { iban: 'LT601010012345678901', amount: '1.00' })
      assert.ok(status === 401 || status === 403, `${path}: ${status}`)
    }
    const { status } = await caller.get('/sandbox/bank')
    assert.ok(status === 401 || status === 403)
  }
  assert.deepEqual(await take(), [])
})
