// Payments between two accounts of the bank: both halves, crashes between them, and money that comes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companion } from '../platform/companions.ts'
import { createLog } from '../platform/log.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { deliverOnUs, onUsJobs } from '../transfers/facts/transfers.onus.ts'
import { onUsReturn } from '../transfers/life/transfers.jobs.ts'
import { checkInvariants } from '../verify/verify.ts'
import type { OpenCaseFor } from './processing.cases.ts'
import { type Answer, type DeliverOnUs, type Exchange, withOnUs } from './processing.exchange.ts'
import { Processing } from './processing.worker.ts'

const bank = await openBank()
const [paying, receiving] = [await ManagedVenture.open(bank), await ManagedVenture.open(bank)]
const { transfers } = paying
await bank.admin.put('/operator/rates', { from_currency: 'EUR', to_currency: 'USD', rate: '1.1', margin: '0' })

const noCase: OpenCaseFor = () => companion({ name: 'nothing', acquire: async (_tx, rows) => rows.map(() => 'granted' as const) }, {})
const sentOutside: string[] = []
const outside: Exchange = {
  carries: () => true,
  exchange: async (payments) =>
    payments.map(({ id }): Answer => {
      sentOutside.push(id)
      return { status: 'COMPLETED', third_party_status: 'ACSC' }
    }),
}

const delivering: DeliverOnUs = (payment) => deliverOnUs(transfers, payment)

function open(deliver = delivering, exchange = withOnUs(deliver, outside, createLog('silent')), now = () => new Date()): Processing {
  return new Processing({
    database: bank.database,
    transfers,
    openCaseFor: noCase,
    log: createLog('silent'),
    screener: { screen: async (all) => all.map(() => ({ outcome: 'CLEAR', companions: [] })) },
    exchange,
    now,
  })
}
const processing = open()

type Pair = { payer: Loose; payee: Loose; beneficiary_id: string }

async function openPair(changes: Record<string, unknown> = {}): Promise<Pair> {
  const payer = await paying.openAccount({ balance: '100.00' })
  const payee = await receiving.openAccount(changes)
  const { id: beneficiary_id } = await paying.addBeneficiary(payer.client_id, { iban: payee.account_number })
  return { payer, payee, beneficiary_id }
}

const order = ({ payer, beneficiary_id }: Pair, changes: object = {}): Promise<Loose> =>
  paying.createTransfer({ account_id: payer.id, beneficiary_id, debit_amount: '10.00', purpose: 'Rent', ...changes })

const statusOf = async (venture: ManagedVenture, { id }: { id: string }) => (await venture.get(`/transfers/${id}`)).body.status
const receivedBy = async ({ payee }: Pair): Promise<Loose[]> => (await receiving.get(`/accounts/${payee.id}/transfers`)).body

const passing = async (): Promise<string> => {
  const { rows } = await bank.owner.query(
    `select coalesce(sum(amount), 0)::float8 as sum from entries where system_account like 'settlement:ON_US:%'`,
  )
  return Number(rows[0].sum).toFixed(2)
}

async function assertSound(): Promise<void> {
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
}

test('a payment to an account of another venture is credited there, and never leaves the bank', async () => {
  for (const changes of [{}, { is_instant: true }, { method: 'SWIFT' }]) {
    const pair = await openPair()
    const sent = await order(pair, changes)
    await processing.runDue()
    assert.equal(await statusOf(paying, sent), 'COMPLETED')
    const [received, ...more] = await receivedBy(pair)
    assert.deepEqual(more, [])
    assert.ok(received, 'nothing was received')
    assert.deepEqual(
      [received.status, received.direction, received.credit_amount, received.purpose],
      ['COMPLETED', 'INBOUND', '10.00', 'Rent'],
    )
    assert.deepEqual([received.dr_iban, received.dr_name, received.method], [pair.payer.account_number, sent.dr_name, sent.method])
    assert.deepEqual(await paying.balances(pair.payer), ['90.00', '0.00', '90.00'])
    assert.deepEqual(await receiving.balances(pair.payee), ['10.00', '0.00', '10.00'])
  }
  assert.equal(await passing(), '0.00')
  assert.deepEqual(sentOutside, [])
  await assertSound()
})

test('the payee of a payment within the bank is told what another bank would have told', async () => {
  const pair = await openPair()
  const said = { purpose_code: 'RENT', category_purpose_code: 'SALA', structured_reference: 'RF18539007547034' }
  const ultimate_debtor = { name: 'Luigi Menabrea' }
  const sent = await order(pair, { ...said, details: { ultimate_debtor } })
  await processing.runDue()
  const [received] = await receivedBy(pair)
  const { purpose_code, category_purpose_code, structured_reference, details } = received ?? assert.fail('nothing was received')
  assert.deepEqual({ purpose_code, category_purpose_code, structured_reference }, said)
  const end_to_end_id = sent.unique_reference.length <= 35 ? sent.unique_reference : sent.id.replaceAll('-', '')
  assert.deepEqual(details, { end_to_end_id, holder_name: sent.cr_name, ultimate_debtor })
  assert.deepEqual((await paying.get(`/transfers/${sent.id}`)).body.details, { ultimate_debtor })
  const named = await order(pair, { details: { end_to_end_id: 'RENT-11' } })
  await processing.runDue()
  assert.equal((await receivedBy(pair))[0]?.details.end_to_end_id, 'RENT-11')
  assert.equal(await statusOf(paying, named), 'COMPLETED')
  await assertSound()
})

test('without an exchange with other banks only payments within the bank are sent', async () => {
  const alone = open(delivering, withOnUs(delivering, undefined, createLog('silent')))
  const pair = await openPair()
  const { id: elsewhere } = await paying.addBeneficiary(pair.payer.client_id)
  const inside = [await order(pair), await order(pair, { is_instant: true })]
  const others = [await order(pair, { beneficiary_id: elsewhere }), await order(pair, { beneficiary_id: elsewhere, is_instant: true })]
  await alone.runDue()
  const statuses = (sent: readonly Loose[]) => Promise.all(sent.map((each) => statusOf(paying, each)))
  assert.deepEqual(await statuses(inside), ['COMPLETED', 'COMPLETED'])
  assert.deepEqual(await statuses(others), ['SENT_TO_PACK', 'READY_TO_CLEAR'])
  // Once there is one, they continue.
  const later = () => new Date(Date.now() + 60_000)
  await open(delivering, withOnUs(delivering, outside, createLog('silent')), later).runDue()
  assert.deepEqual(await statuses(others), ['COMPLETED', 'COMPLETED'])
  assert.deepEqual(sentOutside.splice(0).sort(), others.map(({ id }) => id).sort())
  await assertSound()
})

test('the receiver gets the currency that was sent', async () => {
  const pair = await openPair({ currency: 'USD' })
  const sent = await order(pair, { credit_currency: 'USD' })
  await processing.runDue()
  assert.equal(await statusOf(paying, sent), 'COMPLETED')
  assert.deepEqual(await receiving.balances(pair.payee), ['11.00', '0.00', '11.00'])
  await assertSound()
})

test('accounts of ventures with books of their own are in another bank, as far as this one knows', async () => {
  const books = await bank.registerVenture()
  const theirs = await books.openAccount()
  const payer = await paying.openAccount({ balance: '100.00' })
  const { id: beneficiary_id } = await paying.addBeneficiary(payer.client_id, { iban: theirs.account_number })
  const sent = await paying.createTransfer({ account_id: payer.id, beneficiary_id, debit_amount: '10.00' })
  await processing.runDue()
  assert.equal(await statusOf(paying, sent), 'COMPLETED')
  assert.deepEqual(sentOutside.splice(0), [sent.id])
  assert.deepEqual(await books.balances(theirs), ['0.00', '0.00', '0.00'])
})

test('killed between the two halves, nothing is lost and nothing is booked twice', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  let killed = 0
  const dying = open(async (payment) => {
    await deliverOnUs(transfers, payment)
    killed++
    throw new Error('killed after the first half')
  })
  await dying.runDue()
  assert.ok(killed > 0)
  assert.equal(await statusOf(paying, sent), 'SENT_TO_CLEAR')
  assert.deepEqual(await paying.balances(pair.payer), ['100.00', '10.00', '90.00'], 'the money of the payer is on hold')
  assert.equal((await receivedBy(pair)).length, 1)
  assert.equal(await passing(), '-10.00')
  await assertSound()
  // The receiver may have spent it, or even closed the account, before the payer's half follows.
  await processing.runDue()
  assert.equal(await statusOf(paying, sent), 'COMPLETED')
  assert.equal((await receivedBy(pair)).length, 1)
  assert.deepEqual(await receiving.balances(pair.payee), ['10.00', '0.00', '10.00'])
  assert.equal(await passing(), '0.00')
  await assertSound()
})

test('a payment that cannot be delivered holds up no other one', async () => {
  const pairs = [await openPair(), await openPair()]
  const sent = await Promise.all(pairs.map((pair) => order(pair)))
  const troubled = open((payment) => (payment.id === sent[0].id ? Promise.reject(new Error('trouble')) : deliverOnUs(transfers, payment)))
  await troubled.runDue()
  assert.deepEqual([await statusOf(paying, sent[0]), await statusOf(paying, sent[1])], ['SENT_TO_CLEAR', 'COMPLETED'])
  await processing.runDue()
  assert.equal(await statusOf(paying, sent[0]), 'COMPLETED')
})

test('several instances deliver a payment once', async () => {
  const pairs = [await openPair(), await openPair(), await openPair()]
  const sent = await Promise.all(pairs.map((pair) => order(pair)))
  const other = open((payment) => deliverOnUs(receiving.transfers, payment))
  await Promise.all([processing.runDue(), other.runDue(), processing.runDue()])
  await processing.runDue()
  for (const [index, pair] of pairs.entries()) {
    assert.equal(await statusOf(paying, sent[index]), 'COMPLETED')
    assert.equal((await receivedBy(pair)).length, 1)
    assert.deepEqual(await receiving.balances(pair.payee), ['10.00', '0.00', '10.00'])
  }
  await assertSound()
})

test('a closed account and one in another currency reject the payment', async () => {
  const closed = await openPair()
  const toClosed = await order(closed)
  assert.equal((await receiving.post(`/accounts/${closed.payee.id}/close`)).status, 200)
  const dollars = await openPair({ currency: 'USD' })
  const toDollars = await order(dollars)
  await processing.runDue()
  for (const [sent, code, pair] of [
    [toClosed, 'AC04', closed],
    [toDollars, 'AM03', dollars],
  ] as const) {
    const { body } = await paying.get(`/transfers/${sent.id}`)
    assert.deepEqual([body.status, body.status_reason_code, body.third_party_status], ['REJECTED', code, 'RJCT'])
    assert.deepEqual(await paying.balances(pair.payer), ['100.00', '0.00', '100.00'])
    assert.deepEqual(await receivedBy(pair), [])
  }
  await assertSound()
})

test('an account that was closed after it had received the money does not reject it', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  const dying = open(async (payment) => {
    await deliverOnUs(transfers, payment)
    throw new Error('killed after the first half')
  })
  await dying.runDue()
  const [received] = await receivedBy(pair)
  await receiving.process(received, 'TO_RETURN', 'REJECTED')
  assert.equal((await receiving.post(`/accounts/${pair.payee.id}/close`)).status, 200)
  await assertSound()
  await processing.runDue()
  assert.equal(await statusOf(paying, sent), 'COMPLETED')
  await bank.runJobs()
  assert.deepEqual(await paying.balances(pair.payer), ['100.00', '0.00', '100.00'])
  assert.equal(await passing(), '0.00')
  await assertSound()
})

test('a suspended account receives into suspense; if two people return the money, the payer gets it back once', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  assert.equal((await receiving.post(`/accounts/${pair.payee.id}/freeze`)).status, 200)
  await processing.runDue()
  assert.equal(await statusOf(paying, sent), 'COMPLETED')
  const [received] = await receivedBy(pair)
  assert.equal(received.status, 'CREDIT_TECH_BALANCE')
  assert.equal(await bank.count('cases'), 1)
  await assertSound()
  const { rows } = await bank.owner.query(`select * from cases where resource_id = $1`, [received.id])
  assert.equal(rows[0].kind, 'suspended')
  const decided = await bank.admin.post(`/operator/cases/${rows[0].id}/decisions`, { decision: 'return' })
  assert.equal(decided.status, 200, decided.text)
  assert.equal(await passing(), '10.00', 'under way')
  await assertSound()
  await bank.runJobs()
  assert.equal(await passing(), '0.00')
  assert.deepEqual(await paying.balances(pair.payer), ['100.00', '0.00', '100.00'])
  const { body: children } = await paying.get(`/accounts/${pair.payer.id}/transfers?transfer_type=PAYMENT_RETURN`)
  assert.deepEqual(
    children.map(({ status, parent_transaction_id }: Loose) => [status, parent_transaction_id]),
    [['COMPLETED', sent.id]],
  )
  await assertSound()
})

test('a return of what was credited goes back to the payer, as a child of the payment', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  await processing.runDue()
  const [received] = await receivedBy(pair)
  const { id: beneficiary_id } = await receiving.addBeneficiary(pair.payee.client_id, { iban: pair.payer.account_number })
  const returned = { account_id: pair.payee.id, beneficiary_id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: received.id }
  const back = await receiving.createTransfer({ ...returned, debit_amount: '4.00' })
  await processing.runDue()
  assert.equal(await statusOf(receiving, back), 'COMPLETED')
  assert.deepEqual(await paying.balances(pair.payer), ['94.00', '0.00', '94.00'])
  assert.deepEqual(await receiving.balances(pair.payee), ['6.00', '0.00', '6.00'])
  const { body: children } = await paying.get(`/accounts/${pair.payer.id}/transfers?transfer_type=PAYMENT_RETURN`)
  assert.deepEqual(
    children.map(({ parent_transaction_id, credit_amount }: Loose) => [parent_transaction_id, credit_amount]),
    [[sent.id, '4.00']],
  )
  assert.deepEqual(sentOutside, [])
  await assertSound()
})

test('no other bank has sent back what never left the bank', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  await processing.runDue()
  const report = { sender: 'COBADEFF', kind: 'pacs.004', tx_id: sent.id, venture_id: paying.venture.id, transfer_id: sent.id }
  const { status, problem } = await bank.admin.post('/operator/returned-payments', report)
  assert.deepEqual([status, problem?.code], [409, 'settled_on_us'])
  assert.deepEqual(await paying.balances(pair.payer), ['90.00', '0.00', '90.00'])
})

test('a payment that names a parent goes to its own payee', async () => {
  const pair = await openPair()
  await order(pair)
  await processing.runDue()
  const [received] = await receivedBy(pair)
  const third = await paying.openAccount()
  const { id: beneficiary_id } = await receiving.addBeneficiary(pair.payee.client_id, { iban: third.account_number })
  const onward = await receiving.createTransfer({
    account_id: pair.payee.id,
    beneficiary_id,
    debit_amount: '4.00',
    parent_transaction_id: received.id,
  })
  await processing.runDue()
  assert.equal(await statusOf(receiving, onward), 'COMPLETED')
  assert.deepEqual(await paying.balances(third), ['4.00', '0.00', '4.00'])
  assert.deepEqual(await paying.balances(pair.payer), ['90.00', '0.00', '90.00'], 'the payer of the parent gets nothing')
  await assertSound()
})

test('a return waits for the half of the payer for as long as it takes', async () => {
  const { [onUsReturn]: job } = onUsJobs(transfers)
  assert.equal(job?.attempts, Number.POSITIVE_INFINITY, 'a dead job could be dropped, and the money with it')
})

test('money that comes back to a payer who has closed the account is kept by the house', async () => {
  const pair = await openPair()
  await order(pair, { debit_amount: '100.00' })
  await processing.runDue()
  const [received] = await receivedBy(pair)
  assert.equal((await paying.post(`/accounts/${pair.payer.id}/close`)).status, 200)
  const { id: beneficiary_id } = await receiving.addBeneficiary(pair.payee.client_id, { iban: pair.payer.account_number })
  const returned = { account_id: pair.payee.id, beneficiary_id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: received.id }
  const back = await receiving.createTransfer({ ...returned, debit_amount: '100.00' })
  await processing.runDue()
  assert.equal(await statusOf(receiving, back), 'COMPLETED')
  const { body: kept } = await bank.admin.get('/operator/unapplied-payments')
  assert.deepEqual([kept[0].amount, kept[0].reason, kept[0].client_id], ['100.00', 'ACCOUNT_CLOSED', pair.payer.client_id])
  assert.equal(await passing(), '0.00')
  await assertSound()
})

test('once sent, only the exchange says what has become of it', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  const silent = open(async () => undefined)
  await silent.runDue()
  assert.equal(await statusOf(paying, sent), 'SENT_TO_CLEAR')
  const together = { actor: { kind: 'operator', id: null }, approved: true } as const
  for (const status of ['COMPLETED', 'REJECTED', 'TO_RESEND'] as const)
    await assert.rejects(paying.move(sent.id, { status, third_party_status: 'RJCT' }, together), { code: 'settled_on_us' })
  await processing.runDue()
  assert.equal(await statusOf(paying, sent), 'COMPLETED')
  await assertSound()
})

test('verify finds money that one half has and the other has not', async () => {
  const pair = await openPair()
  const sent = await order(pair)
  await processing.runDue()
  const names = async () => (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0).map(({ name }) => name)
  await bank.owner.query('update transfers set credit_amount = 9 where id = $1', [sent.id])
  assert.ok((await names()).includes('what is sent within the bank is received'))
  await bank.owner.query('update transfers set credit_amount = 10.00 where id = $1', [sent.id])
  await assertSound()
  const payTo = (iban: string) => bank.owner.query('update transfers set cr_iban = $2 where id = $1', [sent.id, iban])
  await payTo('DE89370400440532013000')
  assert.ok((await names()).includes('what is sent within the bank is received'))
  await payTo(pair.payee.account_number)
  await assertSound()
  await bank.owner.query('update inbound_claims set tx_id = $2 where tx_id = $1', [`${paying.venture.id}/${sent.id}`, 'nobody'])
  assert.ok((await names()).includes('what is sent within the bank is received'))
  await bank.owner.query('update inbound_claims set tx_id = $1 where tx_id = $2', [`${paying.venture.id}/${sent.id}`, 'nobody'])
  await bank.owner.query(`update transfers set status = 'ACCEPTED' where id = $1`, [sent.id])
  assert.ok((await names()).includes('money within the bank adds up'))
})
