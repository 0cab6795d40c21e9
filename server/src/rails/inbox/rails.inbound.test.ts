// Payments and direct debits of other banks: each is booked once, and what is not accepted goes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantly, theirBic, theirIban } from '../../testing/testing.otherbank.ts'
import { openRails } from '../../testing/testing.rails.ts'
import type { Loose } from '../../testing/testing.ts'
import { makeIban } from '../../values/iban.ts'

const rails = await openRails()
const { other, bank, venture, rows, outcomesOf, openCases, lastCase, decided, takeIn, booksAreRight } = rails

const open = (balance?: string) => venture.openAccount(balance === undefined ? {} : { balance })
const arrivedOn = async ({ id }: { id: string }): Promise<Loose[]> =>
  rows(`select * from transfers where account_id = $1 and direction = 'INBOUND' order by id`, id)
const stranger = makeIban('LT', '3250099999999999')
const sentOfType = async (type: string): Promise<Loose[]> =>
  (await other.received()).filter((read) => read.type === type).map(({ message }) => message)

test('a payment is credited to the account that its IBAN names, with what its message says', async () => {
  const account = await open()
  const file = other.pay([
    {
      tx_id: 'PAY-1',
      creditor_iban: account.account_number,
      amount: 123_4500n,
      remittance: ['Invoice 7 of October'],
      debtor: {
        name: 'Charles Babbage',
        address: { street: 'Devonshire Street', building: '1', town: 'London', postal_code: 'W1', country: 'GB' },
      },
    },
  ])
  await takeIn()
  assert.deepEqual(await outcomesOf(file), [[1, 'applied']])
  const [transfer] = await arrivedOn(account)
  assert.deepEqual(
    [transfer.status, transfer.method, transfer.credit_amount, transfer.dr_name, transfer.dr_iban, transfer.dr_bank_bic, transfer.purpose],
    ['COMPLETED', 'SEPA', '123.45', 'Charles Babbage', theirIban, theirBic, 'Invoice 7 of October'],
  )
  assert.deepEqual([transfer.dr_address, transfer.dr_city, transfer.dr_country_code], ['Devonshire Street 1', 'London', 'GBR'])
  const [claim] = await rows('select sender, kind, tx_id, booked_as from inbound_claims where id = $1', transfer.id)
  assert.deepEqual(claim, { sender: theirBic, kind: 'pacs.008', tx_id: 'PAY-1', booked_as: 'transfer' })
  // The same payment in another message, and another payment with its id.
  const again = other.pay([{ tx_id: 'PAY-1', creditor_iban: account.account_number, amount: 123_4500n }])
  const differs = other.pay([{ tx_id: 'PAY-1', creditor_iban: account.account_number, amount: 1_0000n }])
  const elsewhere = other.pay([{ tx_id: 'PAY-1', creditor_iban: account.account_number, debtor_bic: 'BNPAFRPPXXX', amount: 1_0000n }])
  await takeIn()
  assert.deepEqual(
    [await outcomesOf(again), await outcomesOf(differs), await outcomesOf(elsewhere)],
    [[[1, 'known']], [[1, 'case']], [[1, 'applied']]],
  )
  assert.equal((await venture.balances(account))[0], '124.45')
  await booksAreRight()
})

test('a payment that somebody has reported by hand is not booked again, and can still be given back', async () => {
  const account = await open()
  const report = {
    sender: theirBic,
    kind: 'pacs.008',
    tx_id: 'BY-HAND',
    iban: account.account_number,
    amount: '5.00',
    currency: 'EUR',
    rail: 'SEPA',
  }
  const { status, text } = await bank.admin.post('/operator/inbound-payments', report)
  assert.equal(status, 201, text)
  const file = other.pay([{ tx_id: 'BY-HAND', creditor_iban: account.account_number, amount: 5_0000n }])
  await takeIn()
  assert.deepEqual(await outcomesOf(file), [[1, 'known']])
  assert.equal((await venture.balances(account))[0], '5.00')
  assert.equal((await rows(`select * from rail_received where tx_id = 'BY-HAND'`)).length, 1)
})

test('one message with good and bad payments: the good ones are booked', async () => {
  const account = await open()
  const { account_number: creditor_iban } = account
  const dollars = other.pay([{ creditor_iban, currency: 'USD', amount: 1_0000n }])
  other.pay([{ tx_id: 'TAKEN', creditor_iban, amount: 3_0000n }])
  await takeIn()
  const file = other.pay([
    { creditor_iban, amount: 1_0000n },
    { tx_id: 'TAKEN', creditor_iban, amount: 4_0000n },
    { creditor_iban: stranger, amount: 2_0000n },
  ])
  await takeIn()
  assert.deepEqual(await outcomesOf(file), [
    [1, 'applied'],
    [2, 'case'],
    [3, 'applied'],
  ])
  assert.equal((await venture.balances(account))[0], '4.00')
  assert.deepEqual(await outcomesOf(dollars), [[1, 'case']])
  const about = (await openCases('message')).find(({ payload }) => `${payload.message_id}.xml` === dollars)
  assert.equal(about.payload.code, 'transfer_method_invalid')
})

test('an instant payment is answered: what no account can take is refused, and nothing is booked', async () => {
  const account = await open()
  const frozen = await open()
  await venture.post(`/accounts/${frozen.id}/freeze`)
  const closed = await open()
  await venture.post(`/accounts/${closed.id}/close`)
  const house = await rails.houseBalances()
  const targets: [string, string, string | undefined][] = [
    [account.account_number, 'ACCP', undefined],
    [stranger, 'RJCT', 'AC01'],
    [closed.account_number, 'RJCT', 'AC04'],
    [frozen.account_number, 'RJCT', 'AC06'],
  ]
  for (const [creditor_iban, status, code] of targets) {
    const tx_id = other.next('INST')
    const file = other.pay([{ tx_id, creditor_iban, amount: 7_0000n, ...instantly() }])
    await takeIn()
    assert.deepEqual(await outcomesOf(file), [[1, status === 'ACCP' ? 'applied' : 'refused']])
    const answer = (await sentOfType('pacs.002.001.10')).at(-1)
    const [said] = answer.transactions
    assert.deepEqual(
      [said.status, said.reasons?.[0]?.code, said.original_tx_id, said.original_message_type],
      [status, code, tx_id, 'pacs.008.001.08'],
    )
    assert.equal(`${said.original_message_id}.xml`, file)
  }
  const [transfer] = await arrivedOn(account)
  assert.deepEqual([transfer.method, transfer.status], ['INST', 'ACCEPTED'])
  assert.deepEqual(await rails.houseBalances(), house)
  await booksAreRight()
})

test('an instant payment that does not say who pays is refused, and nothing is booked', async () => {
  const account = await open()
  const instant = { payment_type: { service_level: 'SEPA', local_instrument: 'INST' } }
  const house = await rails.houseBalances()
  const british = { debtor_iban: makeIban('GB', 'BUKB20201555555555') }
  const address = { street: 'Devonshire Street', building: '1', town: 'London', country: 'GB' }
  const rows: [object, string | undefined][] = [
    [{ debtor: { name: 'NOTPROVIDED' } }, 'RR02'],
    [{ debtor: { name: '.' } }, 'RR02'],
    [{ debtor_iban: undefined }, 'RR01'],
    [british, 'RR02'],
    [{ ...british, debtor: { name: 'Charles Babbage', address } }, undefined],
  ]
  for (const [said, code] of rows) {
    const accepted_at = new Date().toISOString()
    const file = other.pay([{ creditor_iban: account.account_number, amount: 7_0000n, ...instant, accepted_at, ...said }])
    await takeIn()
    assert.deepEqual(await outcomesOf(file), [[1, code === undefined ? 'applied' : 'refused']], JSON.stringify(said))
    const [answer] = (await sentOfType('pacs.002.001.10')).at(-1).transactions
    assert.deepEqual([answer.status, answer.reasons?.[0]?.code], [code === undefined ? 'ACCP' : 'RJCT', code])
  }
  assert.equal((await arrivedOn(account)).length, 1)
  assert.deepEqual(await rails.houseBalances(), house)
  await booksAreRight()
})

test('money that waits in suspense goes back as a return, and comes to the house if the scheme refuses it', async () => {
  const account = await open()
  await venture.post(`/accounts/${account.id}/freeze`)
  const file = other.pay([{ tx_id: 'GOES-BACK', end_to_end_id: 'E-9', creditor_iban: account.account_number, amount: 33_0000n }])
  await takeIn()
  await decided(await lastCase('suspended'), 'return')
  const [transfer] = await arrivedOn(account)
  assert.equal(transfer.status, 'REJECTED')
  await rails.sendOut()
  const [message] = (await sentOfType('pacs.004.001.09')).slice(-1)
  assert.ok(message, 'no return has left the bank')
  const [back] = message.transactions
  assert.deepEqual(
    [back.original_tx_id, back.original_end_to_end_id, back.original_amount, back.amount, back.reasons[0].code, back.original.debtor_iban],
    ['GOES-BACK', 'E-9', 33_0000n, 33_0000n, 'MS03', theirIban],
  )
  assert.equal(`${back.original_message_id}.xml`, file)
  await booksAreRight()
  // The job may run twice, but the return leaves once.
  await bank.owner.query(
    `insert into jobs (id, kind, venture_id, payload, due_at) values (gen_random_uuid(), 'give-back', $1, $2, now())`,
    [venture.venture.id, JSON.stringify({ venture_id: venture.venture.id, id: transfer.id })],
  )
  await rails.sendOut()
  assert.equal(
    (await sentOfType('pacs.004.001.09'))
      .flatMap(({ transactions }) => transactions)
      .filter(({ original_tx_id }: Loose) => original_tx_id === 'GOES-BACK').length,
    1,
  )
  const house = await rails.houseBalances()
  const seen = await other.payment(transfer)
  const refusal = other.answer([seen], 'RJCT', { reason: 'AC01' })
  await takeIn()
  assert.deepEqual(await outcomesOf(refusal), [[1, 'applied']])
  const [unapplied] = await rows(`select * from unapplied_payments where reason = 'RETURN_REFUSED'`)
  assert.deepEqual([unapplied.amount, unapplied.status, unapplied.dr_iban, unapplied.rail], ['33.00', 'OPEN', theirIban, 'SEPA'])
  assert.equal((await rails.houseBalances())['suspense:EUR'], (house['suspense:EUR'] ?? 0) + 33)
  assert.ok((await openCases('unapplied')).some(({ resource_id }) => resource_id === unapplied.id))
  const again = other.answer([seen], 'RJCT', { reason: 'AC01' })
  await takeIn()
  assert.deepEqual(await outcomesOf(again), [[1, 'known']])
  await booksAreRight()
})

test('a return of the house is settled, or its message refused whole and sent again', async () => {
  other.pay([{ tx_id: 'STRANGER-1', creditor_iban: stranger, amount: 44_0000n }])
  await takeIn()
  const [unapplied] = await rows(`select * from unapplied_payments where amount = 44 and status in ('OPEN', 'RETURNING')`)
  if (unapplied.status === 'OPEN')
    await decided(
      (await openCases('unapplied')).find(({ resource_id }) => resource_id === unapplied.id),
      'return',
    )
  await rails.sendOut()
  const first = await other.payment(unapplied)
  const [message] = (await sentOfType('pacs.004.001.09')).slice(-1)
  assert.equal(message.transactions.at(-1).reasons[0].code, 'AC01')
  other.answerMessage(first, 'RJCT', { reasons: [{ originator_bic: theirBic, code: 'FF01' }] })
  await takeIn()
  const second = await other.payment(unapplied)
  assert.notEqual(second.message_id, first.message_id)
  other.answer([second], 'ACSP')
  other.answer([second], 'ACSC')
  await takeIn()
  assert.equal(await rails.railStateOf(unapplied), 'SETTLED')
  await booksAreRight()
})

test('credited money that is given back leaves as a return that names the payment', async () => {
  const account = await open()
  other.pay([{ tx_id: 'CREDITED', creditor_iban: account.account_number, amount: 21_0000n }])
  await takeIn()
  const [paid] = await arrivedOn(account)
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: theirIban })
  const back = await venture.createTransfer({
    account_id: account.id,
    beneficiary_id,
    transfer_type: 'PAYMENT_RETURN',
    parent_transaction_id: paid.id,
    debit_amount: '21.00',
  })
  await rails.sendOut()
  const seen = await other.payment(back)
  assert.equal(seen.message_type, 'pacs.004.001.09')
  const returned = (await sentOfType('pacs.004.001.09'))
    .flatMap(({ transactions }) => transactions)
    .find(({ return_id }: Loose) => return_id === seen.tx_id)
  assert.deepEqual([returned.original_tx_id, returned.reasons[0].code], ['CREDITED', 'CUST'])
  other.answer([seen], 'RJCT', { reason: 'AC04' })
  await takeIn()
  assert.deepEqual([await rails.statusOf(back), (await venture.balances(account))[0]], ['REJECTED', '21.00'])
  await booksAreRight()
})

test('a direct debit is paid when it is due, refused if the account cannot pay, and answered', async () => {
  const account = await open('50.00')
  const poor = await open('1.00')
  const closed = await open()
  await venture.post(`/accounts/${closed.id}/close`)
  const file = other.collect([
    { tx_id: 'DD-OK', debtor_iban: account.account_number, amount: 20_0000n },
    { tx_id: 'DD-POOR', debtor_iban: poor.account_number, amount: 20_0000n },
    { tx_id: 'DD-NOBODY', debtor_iban: stranger, amount: 20_0000n },
    { tx_id: 'DD-CLOSED', debtor_iban: closed.account_number, amount: 20_0000n },
  ])
  await takeIn()
  assert.deepEqual(await outcomesOf(file), [
    [1, 'applied'],
    [2, 'applied'],
    [3, 'refused'],
    [4, 'refused'],
  ])
  const answers = (await sentOfType('pacs.002.001.10')).flatMap(({ transactions }) => transactions)
  const codes = Object.fromEntries(
    answers.map(({ original_tx_id, status, reasons }: Loose) => [original_tx_id, [status, reasons?.[0]?.code]]),
  )
  assert.deepEqual(
    [codes['DD-POOR'], codes['DD-NOBODY'], codes['DD-CLOSED'], codes['DD-OK']],
    [['RJCT', 'AM04'], ['RJCT', 'AC01'], ['RJCT', 'AC04'], undefined],
  )
  assert.deepEqual([(await venture.balances(account))[0], (await venture.balances(poor))[0]], ['30.00', '1.00'])
  const [debit] = await rows(`select * from transfers where account_id = $1 and method = 'SDD'`, account.id)
  assert.deepEqual([debit.status, debit.direction, debit.cr_name, debit.cr_iban], ['COMPLETED', 'OUTBOUND', 'Muller + Sohne', theirIban])
  const again = other.collect([{ tx_id: 'DD-OK', debtor_iban: account.account_number, amount: 20_0000n }])
  const differs = other.collect([{ tx_id: 'DD-OK', debtor_iban: account.account_number, amount: 21_0000n }])
  await takeIn()
  assert.deepEqual([await outcomesOf(again), await outcomesOf(differs)], [[[1, 'known']], [[1, 'case']]])
  // The client asks for the money back.
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: theirIban })
  const refund = await venture.createTransfer({
    account_id: account.id,
    direction: 'INBOUND',
    transfer_type: 'PAYMENT_RETURN',
    parent_transaction_id: debit.id,
    credit_amount: '20.00',
    beneficiary_id,
  })
  await rails.sendOut()
  const seen = await other.payment(refund)
  assert.equal(seen.message_type, 'pacs.004.001.09')
  other.answer([seen], 'ACSC')
  await takeIn()
  assert.equal((await venture.balances(account))[0], '50.00')
  await booksAreRight()
})

test('another payment under an id that has been booked is a case, no matter who booked it', async () => {
  const [account, second] = [await open(), await open()]
  const { account_number: creditor_iban } = account
  const together = other.pay([
    { tx_id: 'ONE-ID', creditor_iban, amount: 5_0000n },
    { tx_id: 'ONE-ID', creditor_iban, amount: 7_0000n },
  ])
  const report = { sender: theirBic, kind: 'pacs.008', tx_id: 'HAND-OTHER', iban: creditor_iban, amount: '5.00', currency: 'EUR' }
  const { status, text } = await bank.admin.post('/operator/inbound-payments', { ...report, rail: 'SEPA' })
  assert.equal(status, 201, text)
  const byHand = other.pay([{ tx_id: 'HAND-OTHER', creditor_iban, amount: 9_0000n }])
  const unknown = { ...report, tx_id: 'HAND-STRANGER', iban: stranger, rail: 'SEPA' }
  assert.equal((await bank.admin.post('/operator/inbound-payments', unknown)).status, 201)
  const toHouse = other.pay([{ tx_id: 'HAND-STRANGER', creditor_iban: stranger, amount: 9_0000n }])
  other.pay([{ tx_id: 'REUSED', creditor_iban, amount: 3_0000n }])
  await takeIn()
  const elsewhere = other.pay([{ tx_id: 'REUSED', creditor_iban: second.account_number, amount: 3_0000n }])
  const debit = other.collect([{ tx_id: 'REUSED-DD', debtor_iban: creditor_iban, amount: 1_0000n }])
  await takeIn()
  const otherDebit = other.collect([{ tx_id: 'REUSED-DD', debtor_iban: second.account_number, amount: 1_0000n }])
  await takeIn()
  assert.deepEqual((await outcomesOf(together)).map(([, outcome]) => outcome).sort(), ['applied', 'case'])
  assert.deepEqual(await outcomesOf(debit), [[1, 'applied']])
  for (const file of [byHand, toHouse, elsewhere, otherDebit]) assert.deepEqual(await outcomesOf(file), [[1, 'case']], file)
  const about = (await openCases('message')).filter(({ payload }) => ['REUSED', 'REUSED-DD'].includes(payload.tx_id))
  assert.deepEqual(
    about.map(({ payload }) => payload.problem),
    ['other_account', 'other_account'],
  )
  assert.equal((await venture.balances(second))[0], '0.00')
  await booksAreRight()
})

test('a return that the scheme did not take leaves once more if people decide so', async () => {
  const account = await open()
  await venture.post(`/accounts/${account.id}/freeze`)
  other.pay([{ tx_id: 'BACK-TWICE', creditor_iban: account.account_number, amount: 34_0000n }])
  await takeIn()
  await decided(await lastCase('suspended'), 'return')
  await rails.sendOut()
  let [returned] = await arrivedOn(account)
  const seen = []
  for (let count = 0; count < 2; count++) {
    seen.push(await other.payment(returned))
    other.answer(seen.slice(-1), 'RJCT', { reason: 'AC01' })
    await takeIn()
    const open = await lastCase('unapplied')
    ;[returned] = await rows('select * from unapplied_payments where id = $1', open.resource_id)
    assert.deepEqual([returned.reason, returned.amount], ['RETURN_REFUSED', '34.00'])
    await decided(open, 'return')
    await rails.sendOut()
  }
  const last = await other.payment(returned)
  const sent = (await sentOfType('pacs.004.001.09')).flatMap(({ transactions }) => transactions)
  const named = sent.filter(({ original_tx_id }: Loose) => original_tx_id === 'BACK-TWICE')
  assert.deepEqual(
    named.map(({ return_id, amount }: Loose) => [return_id, amount]),
    [...seen, last].map(({ tx_id }) => [tx_id, 34_0000n]),
  )
  other.answer([last], 'ACSC')
  await takeIn()
  assert.equal(await rails.railStateOf(returned), 'SETTLED')
  await booksAreRight()
})

test("a client's money that could not be paid out stays the client's", async () => {
  const payer = await rails.payer('12.00')
  const { payment } = await rails.sent(payer, { debit_amount: '12.00' })
  other.answer([payment], 'ACSC')
  await takeIn()
  assert.equal((await venture.post(`/accounts/${payer.account_id}/close`)).status, 200)
  other.giveBack([payment])
  await takeIn()
  const details = { name: 'Ada Lovelace', iban: theirIban }
  const first = await lastCase('unapplied')
  await decided(first, 'pay_out', details)
  await rails.sendOut()
  other.answer([await other.payment({ id: first.resource_id })], 'RJCT', { reason: 'AC01' })
  await takeIn()
  const again = await lastCase('unapplied')
  assert.notEqual(again.resource_id, first.resource_id)
  const { body } = await bank.admin.get(`/operator/cases/${again.id}`)
  assert.deepEqual([body.subject.reason, body.subject.client_id], ['RETURN_REFUSED', payer.account.client_id])
  assert.deepEqual(body.allowed_decisions, ['apply', 'pay_out'])
  await booksAreRight()
  await decided(again, 'pay_out', details)
  await rails.sendOut()
  assert.equal((await other.payment({ id: again.resource_id })).amount, 12_0000n)
  await booksAreRight()
})

test('what other banks write is stored without characters that hide or reorder it', async () => {
  const account = await open()
  const file = other.pay([{ creditor_iban: account.account_number, amount: 2_0000n }])
  const text = Buffer.from(await other.exchange.read(file, 1_000_000)).toString()
  const strange = text
    .replace('Charles Babbage', '\u202ECharles&#10;&#9;Bab\u2066bage')
    .replace('For the engine', ' For\u200F&#13;the engine')
  other.exchange.put(strange, file)
  await takeIn()
  const [transfer] = await arrivedOn(account)
  assert.deepEqual([transfer.dr_name, transfer.purpose], ['Charles Babbage', 'For the engine'])
})

test('what came back over one rail and is paid out over another is booked on both', async () => {
  const payer = await rails.payer('12.00')
  const { payment } = await rails.sent(payer, { debit_amount: '12.00', is_instant: true })
  other.answer([payment], 'ACSC')
  await takeIn()
  assert.equal((await venture.post(`/accounts/${payer.account_id}/close`)).status, 200)
  other.giveBack([payment])
  await takeIn()
  const open = await lastCase('unapplied')
  await decided(open, 'pay_out', { name: 'Ada Lovelace', iban: theirIban })
  await rails.sendOut()
  assert.equal((await other.payment({ id: open.resource_id })).amount, 12_0000n)
  const booked = await rows(
    `select system_account, amount::numeric(10, 2)::text as amount from entries where cause_id = $1 and system_account like 'settlement:%' order by 1`,
    open.resource_id,
  )
  assert.deepEqual(
    booked.map(({ system_account, amount }) => [system_account, amount]),
    [
      ['settlement:INST:EUR', '-12.00'],
      ['settlement:SEPA:EUR', '12.00'],
    ],
  )
  await booksAreRight()
})
