// The worker: interrupted work continues, waiting transfers have a delay or a case, and several workers cooperate.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFirstCase } from '../cases/cases.ts'
import { createLog } from '../platform/log.ts'
import { connector, ManagedVenture } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'
import { createTransfer, openTransfers, type Transfers } from '../transfers/transfers.ts'
import { Refusal } from '../values/refusals.ts'
import { checkInvariants } from '../verify/verify.ts'
import { caseOpener } from './processing.cases.ts'
import type { Answer } from './processing.exchange.ts'
import type { ScreeningOutcome } from './processing.planner.ts'
import { Processing } from './processing.worker.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id

const confirmed: Answer = { status: 'COMPLETED', third_party_status: 'ACSC' }
let outcome: ScreeningOutcome = 'CLEAR'
let answer: Answer | undefined = confirmed

const hour_ms = 3_600_000

const openAnother = (): Transfers => openTransfers(bank.database, bank.config.bank, openFirstCase)

/** A worker whose clock is some hours ahead. Each has its own batches, like another instance of the service. */
function open(hours = 0, transfers = openAnother(), ask = async () => answer): Processing {
  return new Processing({
    database: bank.database,
    transfers,
    screener: { screen: async (all) => all.map(() => ({ outcome, companions: [] })) },
    exchange: { carries: () => true, exchange: (payments) => Promise.all(payments.map(() => ask())) },
    openCaseFor: caseOpener(transfers),
    log: createLog('silent'),
    now: () => new Date(Date.now() + hours * hour_ms),
  })
}

async function pay(order: object = {}): Promise<Loose> {
  const payer = await venture.openAccount({ balance: '100.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(payer.client_id)
  return venture.createTransfer({ account_id: payer.id, beneficiary_id, debit_amount: '10.00', ...order })
}

const show = async ({ id }: { id: string }): Promise<Loose> => (await venture.get(`/transfers/${id}`)).body
const historyOf = async ({ id }: { id: string }): Promise<string> =>
  (await venture.get(`/transfers/${id}/history`)).body.map(({ to_status }: Loose) => to_status).join(' ')
const countOf = async (table: 'cases' | 'processing_delays', column: string, { id }: { id: string }): Promise<number> =>
  (await bank.owner.query(`select from ${table} where ${column} = $1`, [id])).rowCount ?? 0

const walk: readonly TransferStatus[] = [
  'RESERVED',
  'READY_FOR_SCREENING',
  'BLACKLIST_SCANNING',
  'AML_SCANNING',
  'AML_APPROVED',
  'READY_TO_CLEAR',
  'SENT_TO_PACK',
  'PACKED',
  'SENT_TO_CLEAR',
  'ACCEPTED',
  'COMPLETED',
]

test('what was interrupted in any status goes on, and makes no move twice', async () => {
  const interrupted: Loose[] = []
  for (const [index] of walk.entries()) {
    const transfer = await pay()
    await venture.process(transfer, ...walk.slice(0, index))
    interrupted.push(transfer)
  }
  const resent = await pay()
  await venture.process(resent, ...walk.slice(0, 9))
  await venture.move(resent.id, { status: 'TO_RESEND', third_party_status: 'RJCT' })
  const cancelled = await pay()
  await venture.process(cancelled, 'RESERVED', 'TO_CANCEL')
  await open().runDue()
  for (const transfer of interrupted) assert.equal(await historyOf(transfer), ['CREATED', ...walk].join(' '))
  assert.equal((await show(resent)).status, 'COMPLETED')
  assert.equal((await show(cancelled)).status, 'CANCELLED')
})

test('a worker that has started takes up at once what it is told of, and in its rounds what others have committed', async () => {
  const transfers = openAnother()
  const worker = new Processing({
    database: bank.database,
    transfers,
    openCaseFor: caseOpener(transfers),
    log: createLog('silent'),
    every_ms: 100,
    screener: { screen: async (all) => all.map(() => ({ outcome: 'CLEAR', companions: [] })) },
    exchange: { carries: () => true, exchange: async (payments) => payments.map(() => confirmed) },
  })
  const early = await pay()
  // The worker would also process the deposit that opens another account.
  const order = { account_id: early.account_id, beneficiary_id: early.beneficiary_id, debit_amount: '5.00' }
  worker.start()
  const told = await createTransfer(transfers, {
    venture_id,
    actor: connector,
    order: { ...order, unique_reference: `told ${early.id}` },
  })
  const unheard = await venture.createTransfer(order)
  for (const transfer of [early, told, unheard]) while ((await show(transfer)).status !== 'COMPLETED') await sleep(20)
  await worker.stop()
  const after = await pay()
  await sleep(300)
  assert.equal((await show(after)).status, 'CREATED')
})

test('two workers at the same time make no move twice', async () => {
  const orders: Loose[] = []
  for (let count = 0; count < 12; count++) orders.push(await pay())
  await Promise.all([open().runDue(), open().runDue()])
  for (const order of orders) assert.equal(await historyOf(order), ['CREATED', ...walk].join(' '))
})

test('what could not be written because the database was away is planned again in the next round', async () => {
  const transfer = await pay()
  const transfers = openAnother()
  const submit: Transfers['batches']['submit'] = async () => {
    throw new Refusal('outcome_unknown')
  }
  await open(0, { ...transfers, batches: { submit } as Transfers['batches'] }).runDue()
  assert.equal((await show(transfer)).status, 'CREATED')
  assert.equal(await countOf('processing_delays', 'transfer_id', transfer), 0)
  await open(0, transfers).runDue()
  assert.equal((await show(transfer)).status, 'COMPLETED')
})

test('an exchange that fails does not leave anything under way behind', async () => {
  const sent = await pay()
  await venture.process(sent, ...walk.slice(0, 9))
  const other = await pay({ is_instant: true })
  const failing = open(0, openAnother(), async () => {
    throw new Error('the exchange is away')
  })
  await assert.rejects(failing.runDue(), /away/)
  assert.deepEqual([(await show(sent)).status, (await show(other)).status], ['SENT_TO_CLEAR', 'SENT_TO_CLEAR'])
  await open().runDue()
  assert.deepEqual([(await show(sent)).status, (await show(other)).status], ['COMPLETED', 'COMPLETED'])
})

test('an order for a later day is looked at again on that day, and what waits for a person has no delay', async () => {
  const day = new Date(Date.now() + 20 * 24 * hour_ms).toISOString().slice(0, 10)
  const [later, hit] = [await pay({ settlement_date: day }), await pay()]
  outcome = 'HIT'
  await open().runDue()
  outcome = 'CLEAR'
  assert.deepEqual([(await show(later)).status, (await show(hit)).status], ['CREATED', 'REVIEW'])
  assert.equal(await countOf('processing_delays', 'transfer_id', later), 1)
  assert.equal(await countOf('processing_delays', 'transfer_id', hit), 0)
  assert.equal(await countOf('cases', 'resource_id', hit), 1)
  await open(24).runDue()
  assert.equal((await show(later)).status, 'CREATED')
  await open(21 * 24).runDue()
  assert.deepEqual([(await show(later)).status, (await show(hit)).status], ['COMPLETED', 'REVIEW'])
})

test('what waits for its day and is recalled meanwhile is cancelled at once, and not on that day', async () => {
  const day = new Date(Date.now() + 20 * 24 * hour_ms).toISOString().slice(0, 10)
  const [recalled, waiting] = [await pay({ settlement_date: day }), await pay({ settlement_date: day })]
  await open().runDue()
  for (const transfer of [recalled, waiting]) assert.equal(await countOf('processing_delays', 'transfer_id', transfer), 1)
  await venture.process(recalled, 'RESERVED', 'TO_CANCEL')
  await open().runDue()
  assert.deepEqual([(await show(recalled)).status, (await show(waiting)).status], ['CANCELLED', 'CREATED'])
})

test('money for an account that was suspended while it waited has a case', async () => {
  const account = await venture.openAccount()
  const order = { account_id: account.id, unique_reference: account.id, direction: 'INBOUND', credit_amount: '7.00' } as const
  const arrived = await createTransfer(venture.transfers, {
    venture_id,
    order: { ...order, dr_iban: 'DE89370400440532013000' },
    actor: connector,
    door: 'inbound',
  })
  await venture.post(`/accounts/${account.id}/freeze`)
  await open().runDue()
  assert.equal((await show(arrived)).status, 'CREDIT_TECH_BALANCE')
  assert.equal(await countOf('cases', 'resource_id', arrived), 1)
})

test('a return for which too little is left of its parent ends', async () => {
  const account = await venture.openAccount()
  const parent = await venture.receive(account, '100.00')
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id, transfer_type: 'PAYMENT_RETURN', direction: 'OUTBOUND' } as const
  const ordered = await venture.createTransfer({ ...order, parent_transaction_id: parent.id, debit_amount: '100.00' })
  const returned = await venture.order({ ...order, parent_transaction_id: parent.id, debit_amount: '60.00' })
  await open().runDue()
  const { status, status_reason_code } = await show(returned)
  assert.deepEqual([status, status_reason_code], ['REJECTED', 'parent_invalid'])
  assert.equal((await show(ordered)).status, 'COMPLETED')
})

test('a recalled payment waits for its end', async () => {
  const [refused, done] = [await pay({ is_instant: true }), await pay({ is_instant: true })]
  answer = undefined
  await open().runDue()
  for (const { id } of [refused, done]) await venture.move(id, { status: 'TO_CANCEL' })
  answer = { status: 'ACCEPTED', third_party_status: 'ACSP' }
  await open().runDue()
  assert.deepEqual([(await show(refused)).status, (await show(done)).status], ['TO_CANCEL', 'TO_CANCEL'])
  answer = { status: 'REJECTED', third_party_status: 'RJCT', reason_code: 'FOCR' }
  await open().runDue()
  const { status, status_reason_code, third_party_status } = await show(refused)
  assert.deepEqual([status, status_reason_code, third_party_status], ['CANCELLED', 'FOCR', 'RJCT'])
  answer = confirmed
})

test('an answer that is not news changes nothing, and a refusal ends the payment with its reason', async () => {
  const transfer = await pay({ is_instant: true })
  answer = { status: 'ACCEPTED', third_party_status: 'ACSP' }
  await open().runDue()
  const { sequence } = (await bank.owner.query('select sequence from transfers where id = $1', [transfer.id])).rows[0]
  await open().runDue()
  assert.equal((await bank.owner.query('select sequence from transfers where id = $1', [transfer.id])).rows[0].sequence, sequence)
  answer = { status: 'REJECTED', third_party_status: 'RJCT', reason_code: 'AC01', reason: 'No such account.' }
  await open().runDue()
  const { status, status_reason, status_reason_code } = await show(transfer)
  assert.deepEqual([status, status_reason, status_reason_code], ['REJECTED', 'No such account.', 'AC01'])
  answer = confirmed
})

test('no invariant is broken', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
