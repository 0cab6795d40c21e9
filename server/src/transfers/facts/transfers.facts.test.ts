// Facts of the scheme are booked once, whatever the state of the account: payments that arrive, payments that come back, and debits that
// cannot be refused. Money that no account can take waits in the house's books.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { actOnAccount } from '../../accounts/accounts.ts'
import { openFirstCase } from '../../cases/cases.ts'
import { enqueueHold, updateClient } from '../../clients/clients.ts'
import type { Actor, By } from '../../platform/actor.ts'
import { connector, ManagedVenture, operator } from '../../testing/testing.managed.ts'
import { Caller, type Loose, openBank, type VentureCaller } from '../../testing/testing.ts'
import { houseId } from '../../ventures/ventures.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import { createTransfer, openTransfers, updateTransfer } from '../orders/transfers.orders.ts'
import { collectBreak, writeOffBreak } from './transfers.breaks.ts'
import { applyWaiting } from './transfers.inbound.ts'
import { applyUnapplied, returnUnapplied } from './transfers.unapplied.ts'

const bank = await openBank()
const transfers = openTransfers(bank.database, bank.config.bank, openFirstCase)
const unknownIban = 'FR1420041010050500013M02606'

afterEach(async () => assert.deepEqual(await bank.wrongBooks(), []))

type Managed = { venture: ManagedVenture; client: Loose; account: Loose; other: Loose }

/** A venture whose transfers the bank processes, with two accounts of one client. */
async function openManaged({ balance, ...changes }: { balance?: string; [field: string]: unknown } = {}): Promise<Managed> {
  const venture = await ManagedVenture.open(bank)
  const client = await venture.verifiedClient()
  const account = await venture.openAccount({ client_id: client.id, ...changes })
  const other = await venture.openAccount({ client_id: client.id })
  if (balance !== undefined) await venture.deposit(account.id, balance)
  return { venture, client, account, other }
}

const setStatus = (account: Loose, status: string) =>
  bank.owner.query(`update accounts set status = $2, closed_date = $3 where id = $1`, [
    account.id,
    status,
    status === 'CLOSED' ? new Date() : null,
  ])

const block = (client: Loose) => bank.owner.query('update clients set blocked = true where id = $1', [client.id])

const debtOf = async (account: Loose) =>
  (await bank.owner.query('select debt::text from accounts where id = $1', [account.id])).rows[0].debt

const message = (changes: object = {}) => ({ sender: 'COBADEFF', kind: 'pacs.008' as const, tx_id: randomUUID(), ...changes })

const inboundTo = (iban: string, changes: object = {}) => ({
  ...message(),
  iban,
  amount: '30.00',
  currency: 'EUR',
  rail: 'SEPA',
  dr_name: 'Grace Hopper',
  dr_iban: 'DE89370400440532013000',
  purpose: 'Invoice 7',
  ...changes,
})

const debitOf = ({ venture, account }: Managed, amount: string, changes: object = {}) => ({
  ...message({ kind: 'chargeback' }),
  venture_id: venture.venture.id,
  account_id: account.id,
  amount,
  transfer_type: 'ADJUSTMENT',
  method: 'SEPA',
  explanation: 'Chargeback',
  ...changes,
})

async function made(path: string, body?: object): Promise<Loose> {
  const answer = await bank.admin.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body
}

async function refused(path: string, body: object | undefined, status: number, code: string): Promise<Loose> {
  const answer = await bank.admin.post(path, body)
  assert.deepEqual([answer.status, answer.problem?.code], [status, code], answer.text)
  return answer.problem
}

const caseOf = async (resource_id: string): Promise<Loose> => (await bank.admin.get(`/operator/cases?resource_id=${resource_id}`)).body[0]

const decisionsOf = async (resource_id: string) => `/operator/cases/${(await caseOf(resource_id)).id}/decisions`

/** Decides the case about a resource. */
const decide = async (resource_id: string, decision: string, details?: object) =>
  bank.admin.post(await decisionsOf(resource_id), { decision, ...(details === undefined ? {} : { details }) })

async function decided(resource_id: string, decision: string, details?: object): Promise<void> {
  const { status, body, text } = await decide(resource_id, decision, details)
  assert.deepEqual([status, body.state, body.decision], [200, 'DECIDED', decision], text)
}

type Refused = readonly [decision: string, details: object | undefined, status: number, code: string]

async function undecided(resource_id: string, ...[decision, details, status, code]: Refused): Promise<Loose> {
  const answer = await decide(resource_id, decision, details)
  assert.deepEqual([answer.status, answer.problem?.code], [status, code], answer.text)
  return answer.problem
}

const unappliedOf = async (id: string): Promise<Loose> => (await bank.admin.get(`/operator/unapplied-payments/${id}`)).body
const breakOf = async (id: string): Promise<Loose> => (await bank.admin.get(`/operator/breaks/${id}`)).body

async function houseBalances(): Promise<Record<string, string>> {
  const { rows } = await bank.owner.query(
    `select system_account, sum(amount)::text as sum from entries where venture_id = $1 group by system_account having sum(amount) <> 0`,
    [houseId],
  )
  return Object.fromEntries(rows.map(({ system_account, sum }) => [system_account, sum]))
}

/** What an action changes in the house's books. */
async function houseChange(action: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await houseBalances()
  await action()
  const after = await houseBalances()
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes = [...names].map((name): [string, number] => [name, Number(after[name] ?? 0) - Number(before[name] ?? 0)])
  return Object.fromEntries(changes.filter(([, change]) => change !== 0))
}

const movesOf = async (id: string): Promise<Loose[]> =>
  (
    await bank.owner.query('select to_status, actor, forced, debt_change::float from transfer_moves where transfer_id = $1 order by id', [
      id,
    ])
  ).rows

/** An outbound payment of the client that the bank's rails have moved through these statuses. */
async function payment({ venture, client, account }: Managed, amount: string, statuses: string): Promise<Loose> {
  const beneficiary = await venture.addBeneficiary(client.id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, unique_reference: randomUUID(), debit_amount: amount }
  const transfer = await createTransfer(transfers, {
    venture_id: venture.venture.id,
    order,
    actor: { kind: 'venture', id: null },
  })
  await walk(venture, transfer.id, statuses)
  return transfer
}

async function walk({ venture }: VentureCaller, transfer_id: string, statuses: string, forced = false): Promise<void> {
  for (const status of statuses.split(' ').filter((word) => word !== '') as TransferStatus[])
    await updateTransfer(transfers, { venture_id: venture.id, transfer_id, update: { status }, actor: connector, forced })
}

const sent = 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR'

test('a forced debit takes the account below zero, credits repay it, and the account can then be closed', async () => {
  const managed = await openManaged({ balance: '20.00' })
  const { venture, account } = managed
  const booked = await made('/operator/forced-debits', debitOf(managed, '50.00'))
  assert.deepEqual([booked.booked_as, booked.venture_id, booked.sender], ['transfer', venture.venture.id, 'COBADEFFXXX'])
  assert.deepEqual(await venture.balances(account), ['-30.00', '0.00', '-30.00'])
  assert.equal(await debtOf(account), '30.00')
  const { body: transfer } = await venture.get(`/transfers/${booked.id}`)
  assert.deepEqual([transfer.status, transfer.unique_reference, transfer.debit_amount], ['COMPLETED', booked.id, '50.00'])
  const moves = await movesOf(booked.id)
  assert.deepEqual(
    moves.map(({ to_status, actor, forced, debt_change }) => [to_status, actor, forced, debt_change]),
    [
      ['CREATED', 'operator', false, 0],
      ['RESERVED', 'operator', true, 30],
      ['COMPLETED', 'operator', true, 0],
    ],
  )
  const { rows: events } = await bank.owner.query(
    `select data, sequence from events where type = 'account.overdrawn' and resource_id = $1`,
    [account.id],
  )
  assert.equal(events.length, 1)
  // The hold was released from a balance that was too small: at this moment the account fell into debt.
  const { current_balance, reserved_balance, available_balance } = events[0].data.object
  assert.deepEqual([current_balance, reserved_balance, available_balance], ['20.00', '50.00', '-30.00'])

  const closing = await venture.post(`/accounts/${account.id}/close`)
  assert.deepEqual([closing.status, closing.problem.code], [409, 'account_not_empty'])
  assert.match(closing.problem.detail, /owes 30\.00 EUR/)

  await venture.deposit(account.id, '10.00')
  assert.deepEqual([await venture.balances(account), await debtOf(account)], [['-20.00', '0.00', '-20.00'], '20.00'])
  // The bank writes the rest off.
  const order = { account_id: account.id, unique_reference: randomUUID(), direction: 'INBOUND', transfer_type: 'ADJUSTMENT' } as const
  await createTransfer(transfers, {
    venture_id: venture.venture.id,
    order: { ...order, credit_amount: '20.00' },
    actor: operator,
    approved: true,
    steps: 'to completion',
  })
  assert.deepEqual([await venture.balances(account), Number(await debtOf(account))], [['0.00', '0.00', '0.00'], 0])
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
})

test('nothing is reserved while there is debt, but what holds its money completes', async () => {
  const managed = await openManaged({ balance: '100.00' })
  const { venture, account } = managed
  const held = await payment(managed, '60.00', sent)
  const waiting = await payment(managed, '1.00', '')
  await made('/operator/forced-debits', debitOf(managed, '70.00'))
  assert.deepEqual(await venture.balances(account), ['30.00', '60.00', '-30.00'])
  assert.equal(await debtOf(account), '30.00')
  await assert.rejects(walk(venture, waiting.id, 'RESERVED'), { code: 'insufficient_funds' })
  await assert.doesNotReject(walk(venture, held.id, 'COMPLETED'), 'what holds its money completes')
  assert.deepEqual([await venture.balances(account), await debtOf(account)], [['-30.00', '0.00', '-30.00'], '30.00'])
  // After exact repayment, one cent can be reserved only once it is there.
  await venture.deposit(account.id, '30.99')
  await assert.rejects(walk(venture, waiting.id, 'RESERVED'), { code: 'insufficient_funds' })
  await venture.deposit(account.id, '0.01')
  await walk(venture, waiting.id, 'RESERVED')
  assert.deepEqual([await venture.balances(account), Number(await debtOf(account))], [['1.00', '1.00', '0.00'], 0])
})

test('a clearing takes over the hold of its authorisation on an account in debt, and forced it asks for nothing above', async () => {
  const managed = await openManaged({ balance: '50.00', daily_limit: '45.00' })
  const { venture, account } = managed
  const venture_id = venture.venture.id
  const card = { account_id: account.id, direction: 'OUTBOUND', method: 'CARD' } as const
  const create = (order: object, more: object = {}) =>
    createTransfer(transfers, {
      venture_id,
      order: { ...card, unique_reference: randomUUID(), ...order } as never,
      actor: connector,
      ...more,
    })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const authorise = { transfer_type: 'CARD_AUTH', debit_amount: '40.00', beneficiary_id: beneficiary.id }
  const authorisation = await create(authorise, { steps: ['RESERVED'] })
  await made('/operator/forced-debits', debitOf(managed, '30.00'))
  assert.equal(await debtOf(account), '20.00')
  const clearing = { transfer_type: 'CARD_CLEARING', parent_transaction_id: authorisation.id }
  await create({ ...clearing, debit_amount: '15.00' }, { steps: ['RESERVED', 'COMPLETED'] })
  assert.deepEqual(await venture.balances(account), ['5.00', '25.00', '-20.00'])
  await assert.rejects(create({ ...clearing, debit_amount: '32.00' }, { steps: ['RESERVED'] }), { code: 'insufficient_funds' })
  // 7.00 above the hold, which would also exceed the daily limit.
  await create({ ...clearing, debit_amount: '32.00' }, { steps: ['RESERVED', 'COMPLETED'], forced: true })
  assert.deepEqual([await venture.balances(account), await debtOf(account)], [['-27.00', '0.00', '-27.00'], '27.00'])
  const { body } = await venture.get(`/transfers/${authorisation.id}`)
  assert.equal(body.status, 'COMPLETED')
})

test('a venture can never force: there is no such field, and both the deciding code and the database refuse', async () => {
  const managed = await openManaged()
  const { venture, account } = managed
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '5.00', unique_reference: randomUUID() }
  for (const field of ['forced', 'door', 'steps', 'managed', 'exempt'])
    assert.equal((await venture.post('/transfers', { ...order, [field]: true })).problem.code, 'invalid_request', field)
  const venture_id = venture.venture.id
  const key: Actor = { kind: 'venture', id: null }
  await assert.rejects(createTransfer(transfers, { venture_id, order, actor: key, forced: true }), /only the bank's side/)
  // A person of the bank cannot force anything alone.
  await assert.rejects(createTransfer(transfers, { venture_id, order, actor: operator, forced: true }), { code: 'approval_required' })
  const { id: transfer_id } = await createTransfer(transfers, { venture_id, order, actor: key })
  const update = { status: 'SIGNED' } as const
  const forced = (actor: Actor) => updateTransfer(transfers, { venture_id, transfer_id, update, actor, forced: true })
  await assert.rejects(forced(key), /only the bank's side/)
  await assert.rejects(forced(operator), { code: 'not_yours_to_sign' })
  const open = await bank.registerVenture()
  const theirs = { ...order, account_id: (await open.openAccount()).id, unique_reference: randomUUID() }
  await assert.rejects(createTransfer(transfers, { venture_id: open.venture.id, order: theirs, actor: connector, forced: true }), {
    code: 'venture_not_managed',
  })
  await assert.rejects(bank.owner.query('update accounts set reserved_balance = 1 where id = $1', [account.id]), /accounts_check/)
  const insert = `insert into transfer_moves (venture_id, id, transfer_id, from_status, to_status, actor, created_at, forced, debt_change)
    values ($1, gen_random_uuid(), $2, 'CREATED', 'RESERVED', $3, now(), $4, $5)`
  for (const [actor, forced, debt_change] of [
    ['venture', true, 0],
    ['user', true, 0],
    ['connector', false, 1],
  ])
    await assert.rejects(
      bank.owner.query(insert, [venture_id, transfer_id, actor, forced, debt_change]),
      /transfer_moves_(forced|debt)_check/,
    )
})

test('forced debits are refused for ventures that process themselves, unknown accounts, wrong amounts and wrong parents', async () => {
  const managed = await openManaged()
  const open = await bank.registerVenture()
  const theirs = await open.openAccount()
  await refused(
    '/operator/forced-debits',
    debitOf(managed, '1.00', { venture_id: open.venture.id, account_id: theirs.id }),
    409,
    'venture_not_managed',
  )
  await refused('/operator/forced-debits', debitOf(managed, '1.00', { venture_id: randomUUID() }), 404, 'venture_not_found')
  await refused('/operator/forced-debits', debitOf(managed, '1.00', { account_id: randomUUID() }), 404, 'account_not_found')
  await refused('/operator/forced-debits', debitOf(managed, '0.00'), 400, 'invalid_request')
  await refused('/operator/forced-debits', debitOf(managed, '1.001'), 400, 'invalid_request')
  await refused('/operator/forced-debits', debitOf(managed, '1.00', { transfer_type: 'PAYMENT' }), 400, 'invalid_request')
  await refused(
    '/operator/forced-debits',
    debitOf(managed, '1.00', { transfer_type: 'PAYMENT_RETURN', method: null }),
    422,
    'parent_invalid',
  )
  assert.deepEqual(await managed.venture.balances(managed.account), ['0.00', '0.00', '0.00'])
})

test('an active account receives a payment, and the same message is booked once', async () => {
  const { venture, account } = await openManaged()
  const report = inboundTo(account.account_number)
  const booked = await made('/operator/inbound-payments', report)
  assert.deepEqual([booked.booked_as, booked.venture_id], ['transfer', venture.venture.id])
  const { body: transfer } = await venture.get(`/transfers/${booked.id}`)
  assert.deepEqual(
    [transfer.status, transfer.unique_reference, transfer.direction, transfer.method, transfer.credit_amount, transfer.cr_iban],
    ['RECEIVED', booked.id, 'INBOUND', 'SEPA', '30.00', account.account_number],
  )
  assert.deepEqual([transfer.dr_name, transfer.dr_iban, transfer.dr_bank_bic], ['Grace Hopper', 'DE89370400440532013000', 'COBADEFF'])
  assert.deepEqual(
    (await movesOf(booked.id)).map(({ to_status, actor }) => [to_status, actor]),
    [
      ['CREATED', 'operator'],
      ['RECEIVED', 'operator'],
    ],
  )
  const again = await refused('/operator/inbound-payments', { ...report, amount: '31.00' }, 409, 'inbound_payment_booked')
  assert.deepEqual([again.booked_as, again.existing_id, again.existing_venture_id], ['transfer', booked.id, venture.venture.id])
  // The head office is the same bank, and the kind has one spelling. Another bank's message is another message.
  await refused('/operator/inbound-payments', { ...report, sender: 'cobadeffxxx' }, 409, 'inbound_payment_booked')
  for (const kind of ['PACS.008', 'pacs008', 'pacs.008.001.08', 'pacs.004', 'x'])
    assert.deepEqual(
      (await refused('/operator/inbound-payments', { ...report, kind }, 400, 'invalid_request')).errors.map(({ field }: Loose) => field),
      ['kind'],
    )
  assert.notEqual((await made('/operator/inbound-payments', { ...report, sender: 'DEUTDEFF' })).id, booked.id)
  assert.deepEqual((await bank.admin.get(`/operator/inbound-payments/${booked.id}`)).body, booked)
  const { body: list } = await bank.admin.get('/operator/inbound-payments?booked_as=transfer&limit=2')
  assert.deepEqual(list[1], booked)
  assert.equal((await bank.admin.get(`/operator/inbound-payments/${randomUUID()}`)).problem.code, 'inbound_payment_not_found')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-60.00', 'suspense:EUR': '60.00' })
})

for (const [state, decision, status, balance] of [
  ['SUSPENDED', 'apply', 'COMPLETED', '30.00'],
  ['SUSPENDED', 'return', 'REJECTED', '0.00'],
  ['PENDING', 'return', 'REJECTED', '0.00'],
] as const) {
  test(`money for an account that is ${state} waits for a decision: ${decision}`, async () => {
    const { venture, account } = await openManaged()
    await setStatus(account, state)
    const report = inboundTo(account.account_number)
    const { id } = await made('/operator/inbound-payments', report)
    await refused('/operator/inbound-payments', report, 409, 'inbound_payment_booked')
    assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'CREDIT_TECH_BALANCE')
    await decided(id, decision)
    assert.equal((await venture.get(`/transfers/${id}`)).body.status, status)
    assert.deepEqual(await venture.balances(account), [balance, '0.00', balance])
    for (const again of ['apply', 'return']) await undecided(id, again, undefined, 409, 'case_decided')
  })
}

test('money for an account that was never activated is applied once the account is activated', async () => {
  const { venture, account } = await openManaged()
  await setStatus(account, 'PENDING')
  const { id } = await made('/operator/inbound-payments', inboundTo(account.account_number))
  const { allowed_decisions } = (await bank.admin.get(`/operator/cases/${(await caseOf(id)).id}`)).body
  assert.deepEqual(allowed_decisions, ['return'])
  await undecided(id, 'apply', undefined, 422, 'decision_not_offered')
  // A caller with an outdated view of the account is refused by the transfer itself.
  const scan: TransferStatus[] = ['READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_SCANNING', 'AML_APPROVED']
  const findNothing = async () => ({ steps: scan, companions: [] })
  const apply = applyWaiting(transfers, { venture_id: venture.venture.id, id }, findNothing, { actor: operator, approved: true })
  await assert.rejects(apply, { code: 'account_not_active' })
  assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'CREDIT_TECH_BALANCE')
  assert.equal((await venture.post(`/accounts/${account.id}/activate`)).status, 200)
  await decided(id, 'apply')
  assert.deepEqual(await venture.balances(account), ['30.00', '0.00', '30.00'])
})

test('a payment for a closed account, an unknown one, one in another currency or one of an open venture is kept in the house, once', async () => {
  const { account, other } = await openManaged()
  await setStatus(account, 'CLOSED')
  const open = await (await bank.registerVenture()).openAccount()
  const cases = [
    ['ACCOUNT_CLOSED', inboundTo(account.account_number)],
    ['ACCOUNT_UNKNOWN', inboundTo(unknownIban)],
    ['ACCOUNT_UNKNOWN', inboundTo(open.account_number)],
    ['CURRENCY_MISMATCH', inboundTo(other.account_number, { currency: 'USD', rail: 'SWIFT' })],
  ] as const
  for (const [reason, report] of cases) {
    const { currency, rail } = report
    let booked: Loose
    const change = await houseChange(async () => {
      booked = await made('/operator/inbound-payments', report)
    })
    assert.deepEqual(change, { [`settlement:${rail}:${currency}`]: -30, [`suspense:${currency}`]: 30 })
    assert.deepEqual([booked.booked_as, booked.venture_id], ['unapplied', houseId])
    const nothing = await houseChange(async () => {
      const again = await refused('/operator/inbound-payments', report, 409, 'inbound_payment_booked')
      assert.deepEqual([again.booked_as, again.existing_id], ['unapplied', booked.id])
    })
    assert.deepEqual(nothing, {})
    const { body } = await bank.admin.get(`/operator/unapplied-payments/${booked.id}`)
    assert.deepEqual(
      [body.status, body.reason, body.rail, body.amount, body.currency, body.iban, body.dr_name, body.client_id],
      ['OPEN', reason, rail, '30.00', currency, report.iban, 'Grace Hopper', null],
    )
    const { body: waiting } = await bank.admin.get('/operator/unapplied-payments?status=OPEN&limit=1')
    assert.equal(waiting[0].id, booked.id)
  }
})

test('one message reported many times at once, by several instances, is booked once', async () => {
  const { venture, account } = await openManaged()
  const suspended = await openManaged()
  await setStatus(suspended.account, 'SUSPENDED')
  const elsewhere = new Caller(await bank.openInstance(), bank.admin.headers)
  for (const iban of [account.account_number, suspended.account.account_number, unknownIban]) {
    const report = inboundTo(iban)
    const before = await bank.count('inbound_claims')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? elsewhere : bank.admin).post('/operator/inbound-payments', report)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 11 }, () => 409)])
    const [booked] = answers.filter(({ status }) => status === 201)
    for (const { problem } of answers.filter(({ status }) => status === 409)) assert.equal(problem.existing_id, booked?.body.id)
    assert.equal(await bank.count('inbound_claims'), before + 1)
  }
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-30.00', 'suspense:EUR': '30.00' })
})

test('a report that cannot be true is refused, and nothing is booked', async () => {
  const { account } = await openManaged()
  const iban = account.account_number
  const before = [await bank.count('inbound_claims'), await bank.count('entries')]
  await refused('/operator/inbound-payments', inboundTo(iban, { amount: '0.00' }), 400, 'invalid_request')
  await refused('/operator/inbound-payments', inboundTo(iban, { amount: '1.001' }), 400, 'invalid_request')
  await refused('/operator/inbound-payments', inboundTo(iban, { rail: 'CARD' }), 400, 'invalid_request')
  await refused('/operator/inbound-payments', inboundTo(iban, { sender: 'NOBODY' }), 400, 'invalid_request')
  await refused('/operator/inbound-payments', inboundTo(iban, { tx_id: '' }), 400, 'invalid_request')
  await refused('/operator/inbound-payments', inboundTo(iban, { currency: 'USD' }), 422, 'transfer_method_invalid')
  assert.deepEqual([await bank.count('inbound_claims'), await bank.count('entries')], before)
})

test('an unapplied payment is applied to an account, returned, and decided once', async () => {
  const { venture, account } = await openManaged()
  const venture_id = venture.venture.id
  const keep = async () => (await made('/operator/inbound-payments', inboundTo(unknownIban))).id as string
  const first = await keep()
  const change = await houseChange(async () => {
    await decided(first, 'apply', { venture_id, account_id: account.id })
    const applied = await unappliedOf(first)
    assert.deepEqual([applied.status, applied.applied_venture_id], ['APPLIED', venture_id])
    const { body } = await venture.get(`/transfers/${applied.transfer_id}`)
    assert.deepEqual([body.status, body.credit_amount, body.dr_name, body.unique_reference], ['RECEIVED', '30.00', 'Grace Hopper', body.id])
  })
  // The house returns the money to the rail, and the venture receives it from there.
  assert.deepEqual(change, { 'settlement:SEPA:EUR': 30, 'suspense:EUR': -30 })
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-30.00', 'suspense:EUR': '30.00' })
  const second = await keep()
  assert.deepEqual(await houseChange(() => decided(second, 'return')), { 'settlement:SEPA:EUR': 30, 'suspense:EUR': -30 })
  assert.equal((await unappliedOf(second)).status, 'RETURNING')
  for (const id of [first, second]) {
    const application = { venture_id, account_id: account.id }
    await undecided(id, 'apply', application, 409, 'case_decided')
    await undecided(id, 'return', undefined, 409, 'case_decided')
    // The payment itself can be decided only once, too.
    await assert.rejects(applyUnapplied(transfers, id, application, { actor: connector }), { code: 'unapplied_payment_decided' })
    await assert.rejects(returnUnapplied(transfers, id, { actor: connector }), { code: 'unapplied_payment_decided' })
  }
  await assert.rejects(returnUnapplied(transfers, randomUUID(), { actor: connector }), { code: 'unapplied_payment_not_found' })
  const third = await keep()
  const some = (index: number) => (index % 2 ? decide(third, 'return') : decide(third, 'apply', { venture_id, account_id: account.id }))
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => some(index)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)])
})

test('an unapplied payment is not given to a wrong account', async () => {
  const { venture, account, other } = await openManaged()
  const venture_id = venture.venture.id
  const { id } = await made('/operator/inbound-payments', inboundTo(unknownIban))
  const open = await bank.registerVenture()
  const theirs = await open.openAccount()
  await undecided(id, 'apply', { venture_id: open.venture.id, account_id: theirs.id }, 409, 'venture_not_managed')
  await undecided(id, 'apply', { venture_id, account_id: theirs.id }, 404, 'account_not_found')
  await setStatus(account, 'SUSPENDED')
  await undecided(id, 'apply', { venture_id, account_id: account.id }, 409, 'account_not_active')
  const payout = { name: 'Ada Lovelace', iban: 'DE89370400440532013000' }
  const { allowed } = await undecided(id, 'pay_out', payout, 422, 'decision_not_offered')
  assert.deepEqual(allowed, ['apply', 'return'])
  for (const [details, field] of [
    [undefined, 'details.venture_id'],
    [{ venture_id }, 'details.account_id'],
    [{ venture_id, account_id: 'mine' }, 'details.account_id'],
    [{ venture_id, account_id: other.id, iban: payout.iban }, 'details.iban'],
  ] as const) {
    const { errors } = await undecided(id, 'apply', details, 422, 'decision_details_invalid')
    assert.equal(errors[0].field, field)
  }
  const unwanted = await undecided(id, 'return', { venture_id }, 422, 'decision_details_invalid')
  assert.deepEqual(unwanted.errors, [{ field: 'details', message: 'is not a field of the decision return' }])
  assert.equal((await bank.admin.get(`/operator/unapplied-payments/${randomUUID()}`)).problem.code, 'unapplied_payment_not_found')
  assert.deepEqual([(await unappliedOf(id)).status, (await caseOf(id)).state], ['OPEN', 'OPEN'])
})

const returnOf = ({ venture }: Managed, { id }: Loose, changes: object = {}) => ({
  ...message({ kind: 'pacs.004' }),
  venture_id: venture.venture.id,
  transfer_id: id,
  ...changes,
})

test('a payment that comes back is credited to a suspended account of a blocked client, in parts too, and not beyond what was sent', async () => {
  const managed = await openManaged({ balance: '100.00' })
  const { venture, account, client } = managed
  const paid = await payment(managed, '40.00', `${sent} COMPLETED`)
  const open = await payment(managed, '1.00', sent)
  await setStatus(account, 'SUSPENDED')
  await block(client)
  const report = returnOf(managed, paid, { amount: '15.00' })
  const booked = await made('/operator/returned-payments', report)
  assert.equal(booked.booked_as, 'transfer')
  const { body } = await venture.get(`/transfers/${booked.id}`)
  assert.deepEqual(
    [body.status, body.transfer_type, body.parent_transaction_id, body.credit_amount],
    ['COMPLETED', 'PAYMENT_RETURN', paid.id, '15.00'],
  )
  assert.deepEqual(await venture.balances(account), ['75.00', '1.00', '74.00'])
  await refused('/operator/returned-payments', report, 409, 'inbound_payment_booked')
  await refused('/operator/returned-payments', returnOf(managed, paid, { amount: '25.01' }), 422, 'parent_invalid')
  await refused('/operator/returned-payments', returnOf(managed, paid, { amount: '40.01' }), 422, 'parent_invalid')
  await refused('/operator/returned-payments', returnOf(managed, open), 422, 'parent_invalid')
  await refused('/operator/returned-payments', returnOf(managed, booked), 422, 'parent_invalid')
  await refused('/operator/returned-payments', returnOf(managed, { id: randomUUID() }), 404, 'transfer_not_found')
  const other = await bank.registerVenture()
  await refused('/operator/returned-payments', returnOf(managed, paid, { venture_id: other.venture.id }), 409, 'venture_not_managed')
  await made('/operator/returned-payments', returnOf(managed, paid, { amount: '25.00' }))
  assert.deepEqual(await venture.balances(account), ['100.00', '1.00', '99.00'])
})

test('what comes back to a closed account stays the money of the client: applied to another account, or paid out', async () => {
  const managed = await openManaged({ balance: '40.00' })
  const { venture, account, other, client } = managed
  const venture_id = venture.venture.id
  const paid = await payment(managed, '40.00', `${sent} COMPLETED`)
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
  const report = returnOf(managed, paid, { amount: '10.00' })
  let booked: Loose
  const change = await houseChange(async () => {
    booked = await made('/operator/returned-payments', report)
  })
  assert.deepEqual(change, { 'settlement:SEPA:EUR': -10, 'suspense:EUR': 10 })
  await refused('/operator/returned-payments', report, 409, 'inbound_payment_booked')
  const body = await unappliedOf(booked.id)
  assert.deepEqual(
    [body.reason, body.client_id, body.client_venture_id, body.parent_transaction_id, body.iban],
    ['ACCOUNT_CLOSED', client.id, venture_id, paid.id, account.account_number],
  )
  const stranger = await openManaged()
  const theirs = { venture_id: stranger.venture.venture.id, account_id: stranger.account.id }
  await undecided(booked.id, 'apply', theirs, 409, 'client_mismatch')
  const { allowed } = await undecided(booked.id, 'return', undefined, 422, 'decision_not_offered')
  assert.deepEqual(allowed, ['apply', 'pay_out'])
  await undecided(booked.id, 'apply', { venture_id, account_id: account.id }, 409, 'account_not_active')
  await decided(booked.id, 'apply', { venture_id, account_id: other.id })
  assert.equal((await unappliedOf(booked.id)).status, 'APPLIED')

  await refused('/operator/returned-payments', returnOf(managed, paid, { amount: '30.01' }), 422, 'parent_invalid')
  const rest = await made('/operator/returned-payments', returnOf(managed, paid, { amount: '30.00' }))
  await refused('/operator/returned-payments', returnOf(managed, paid, { amount: '0.01' }), 422, 'parent_invalid')
  const payout = { name: 'Ada Lovelace', iban: 'DE89370400440532013000' }
  const out = await houseChange(async () => {
    await undecided(rest.id, 'pay_out', { ...payout, iban: 'DE 89' }, 422, 'decision_details_invalid')
    const { errors } = await undecided(rest.id, 'pay_out', { ...payout, iban: 'XX1' }, 422, 'invalid_iban')
    assert.equal(errors[0].field, 'details.iban')
    await undecided(rest.id, 'pay_out', { ...payout, name: 'Mallory' }, 422, 'beneficiary_invalid')
    await bank.owner.query('update clients set is_blacklisted = true where id = $1', [client.id])
    await undecided(rest.id, 'pay_out', payout, 422, 'decision_not_offered')
    await bank.owner.query('update clients set is_blacklisted = false where id = $1', [client.id])
    await decided(rest.id, 'pay_out', { ...payout, iban: payout.iban.toLowerCase() })
    const paidOut = await unappliedOf(rest.id)
    assert.deepEqual([paidOut.status, paidOut.payout_name, paidOut.payout_iban], ['PAID_OUT', payout.name, payout.iban])
  })
  assert.deepEqual(out, { 'settlement:SEPA:EUR': 30, 'suspense:EUR': -30 })
  await undecided(rest.id, 'pay_out', payout, 409, 'case_decided')
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
})

test('what no SEPA payment can carry is applied to an account, and not paid out', async () => {
  const managed = await openManaged({ balance: '40.00', currency: 'USD' })
  const { venture, account } = managed
  const paid = await payment(managed, '40.00', `${sent} COMPLETED`)
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
  const booked = await made('/operator/returned-payments', returnOf(managed, paid))
  const payout = { name: 'Ada Lovelace', iban: 'DE89370400440532013000' }
  const { allowed } = await undecided(booked.id, 'pay_out', payout, 422, 'decision_not_offered')
  assert.deepEqual([allowed, (await unappliedOf(booked.id)).status], [['apply'], 'OPEN'])

  const euros = await openManaged({ balance: '40.00' })
  const back = await payment(euros, '40.00', `${sent} COMPLETED`)
  assert.equal((await euros.venture.post(`/accounts/${euros.account.id}/close`)).status, 200)
  const { id } = await made('/operator/returned-payments', returnOf(euros, back))
  await bank.owner.query(`update clients set first_name = '愛', middle_name = null, last_name = '李' where id = $1`, [euros.client.id])
  const { detail } = await undecided(id, 'pay_out', { ...payout, name: '愛 李' }, 422, 'beneficiary_invalid')
  assert.match(detail, /no letter or digit/)
  assert.equal((await unappliedOf(id)).status, 'OPEN')
})

test('a forced debit on a closed account is a receivable of the house and a break, which is written off or collected once', async () => {
  const managed = await openManaged()
  const { venture, account, other } = managed
  await setStatus(account, 'CLOSED')
  const open = async (changes: object = {}) => {
    const booked = await made('/operator/forced-debits', debitOf(managed, '12.00', changes))
    assert.deepEqual([booked.booked_as, booked.venture_id], ['break', houseId])
    return booked.id as string
  }
  const card = { transfer_type: 'CARD_CLEARING', method: 'CARD' }
  const first = await open()
  assert.deepEqual(await houseChange(async () => open(card)), { 'receivable:EUR': -12, 'settlement:CARD:EUR': 12 })
  const body = await breakOf(first)
  assert.deepEqual([body.status, body.kind, body.rail, body.amount, body.account_id], ['OPEN', 'FORCED_DEBIT', null, '12.00', account.id])
  assert.deepEqual(await houseChange(() => decided(first, 'write_off')), { 'receivable:EUR': 12, 'adjustments:EUR': -12 })
  assert.equal((await breakOf(first)).status, 'WRITTEN_OFF')
  await undecided(first, 'write_off', undefined, 409, 'case_decided')
  const overSepa = { rail: 'SEPA', ...message() } as const
  await undecided(first, 'collect', overSepa, 409, 'case_decided')
  await assert.rejects(writeOffBreak(transfers, first, { actor: connector }), { code: 'break_decided' })
  await assert.rejects(collectBreak(transfers, first, overSepa, { actor: connector }), { code: 'break_decided' })

  const second = await open()
  for (const details of [undefined, {}, { rail: 'SEPA', account_id: other.id }]) {
    const { errors } = await undecided(second, 'collect', details, 422, 'decision_details_invalid')
    assert.equal(errors[0].field, 'details.account_id')
  }
  await undecided(second, 'collect', { account_id: randomUUID() }, 404, 'account_not_found')
  await undecided(second, 'collect', { account_id: other.id }, 422, 'insufficient_funds')
  const stranger = await venture.openAccount()
  await undecided(second, 'collect', { account_id: stranger.id }, 409, 'client_mismatch')
  await venture.deposit(other.id, '20.00')
  assert.deepEqual(
    await houseChange(async () => {
      await decided(second, 'collect', { account_id: other.id })
      const collected = await breakOf(second)
      assert.equal(collected.status, 'COLLECTED')
      assert.equal((await venture.get(`/transfers/${collected.transfer_id}`)).body.status, 'COMPLETED')
    }),
    { 'receivable:EUR': 12, 'adjustments:EUR': -12 },
  )
  assert.deepEqual(await venture.balances(other), ['8.00', '0.00', '8.00'])

  const third = await open()
  assert.deepEqual(await houseChange(() => decided(third, 'collect', overSepa)), {
    'receivable:EUR': 12,
    'settlement:SEPA:EUR': -12,
  })
  const { collected_over, collection_id } = await breakOf(third)
  assert.equal(collected_over, 'SEPA')
  const claimed = (await bank.admin.get(`/operator/inbound-payments/${collection_id}`)).body
  assert.deepEqual([claimed.booked_as, claimed.tx_id, claimed.venture_id], ['collection', overSepa.tx_id, houseId])
  assert.equal((await bank.admin.get(`/operator/breaks/${randomUUID()}`)).problem.code, 'break_not_found')
  assert.equal((await bank.admin.get('/operator/breaks?status=COLLECTED')).body[0].id, third)
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
})

test('what is collected over a rail names its message, and no message is booked twice', async () => {
  const managed = await openManaged()
  await setStatus(managed.account, 'CLOSED')
  const owed = async () => (await made('/operator/forced-debits', debitOf(managed, '12.00'))).id as string
  const [one, other] = [await owed(), await owed()]
  const { errors } = await undecided(one, 'collect', { rail: 'SEPA', kind: 'pacs.008' }, 422, 'decision_details_invalid')
  assert.deepEqual(errors, [
    { field: 'details.sender', message: 'is required with details.rail' },
    { field: 'details.tx_id', message: 'is required with details.rail' },
  ])
  await undecided(one, 'collect', { rail: 'SEPA', ...message({ kind: 'pacs.004' }) }, 422, 'decision_details_invalid')
  const unwanted = await undecided(one, 'collect', { account_id: managed.other.id, ...message() }, 422, 'decision_details_invalid')
  assert.deepEqual(
    unwanted.errors.map(({ field }: Loose) => field),
    ['details.sender', 'details.kind', 'details.tx_id'],
  )
  const arrived = inboundTo(unknownIban)
  await made('/operator/inbound-payments', arrived)
  const { sender, kind, tx_id } = arrived
  await undecided(one, 'collect', { rail: 'SEPA', sender, kind, tx_id }, 409, 'inbound_payment_booked')
  const paid = message()
  await decided(one, 'collect', { rail: 'SEPA', ...paid })
  await undecided(other, 'collect', { rail: 'SEPA', ...paid }, 409, 'inbound_payment_booked')
  const again = await refused('/operator/inbound-payments', { ...arrived, ...paid }, 409, 'inbound_payment_booked')
  assert.equal(again.booked_as, 'collection')
  assert.equal((await breakOf(other)).status, 'OPEN')
})

test('nothing is collected from a frozen account or from a blacklisted client', async () => {
  const managed = await openManaged()
  const { venture, account, other, client } = managed
  await venture.deposit(other.id, '50.00')
  await setStatus(account, 'CLOSED')
  const { id } = await made('/operator/forced-debits', debitOf(managed, '12.00'))
  await setStatus(other, 'SUSPENDED')
  await undecided(id, 'collect', { account_id: other.id }, 409, 'account_not_active')
  await setStatus(other, 'ACTIVE')
  await bank.owner.query('update clients set is_blacklisted = true where id = $1', [client.id])
  await undecided(id, 'collect', { account_id: other.id }, 409, 'client_sanctioned')
  assert.deepEqual([(await breakOf(id)).status, await venture.balances(other)], ['OPEN', ['50.00', '0.00', '50.00']])
  // A client who is only blocked still owes the money.
  await bank.owner.query('update clients set is_blacklisted = false, blocked = true where id = $1', [client.id])
  await decided(id, 'collect', { account_id: other.id })
})

test('what is booked for a closed account passes the same checks as on an open one', async () => {
  const managed = await openManaged({ balance: '30.00' })
  const { venture, account, client } = managed
  const venture_id = venture.venture.id
  const beneficiary_id = (await venture.addBeneficiary(client.id, { iban: 'DE89370400440532013000' })).id
  const by = { actor: operator, approved: true }
  const order = (transfer_type: string, debit_amount: string, changes: object = {}) =>
    venture.order({ account_id: account.id, beneficiary_id, direction: 'OUTBOUND', transfer_type, debit_amount, ...changes } as never, by)
  const fee = await order('FEE', '5.00')
  const authorisation = await order('CARD_AUTH', '5.00')
  await walk(venture, authorisation.id, 'RESERVED')
  const clearing = await order('CARD_CLEARING', '5.00', { parent_transaction_id: authorisation.id })
  await walk(venture, clearing.id, 'RESERVED COMPLETED')
  const arrived = await venture.receive(account, '5.00')
  const back = await order('PAYMENT_RETURN', '5.00', { parent_transaction_id: arrived.id })
  await walk(venture, back.id, `${sent} COMPLETED`)
  const neighbour = await venture.openAccount()
  const outside = await payment(managed, '5.00', `${sent} COMPLETED`)
  const to = await venture.addBeneficiary(client.id, { iban: neighbour.account_number })
  const between = await venture.createTransfer({ account_id: account.id, beneficiary_id: to.id, debit_amount: '5.00' })
  await walk(venture, between.id, 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED COMPLETED')
  await order('FEE', '10.00')

  const returned = (transfer: Loose, changes: object = {}) =>
    ['/operator/returned-payments', { venture_id, transfer_id: transfer.id, ...changes }] as const
  const forced = (changes: object) =>
    ['/operator/forced-debits', { venture_id, account_id: account.id, amount: '12.00', explanation: 'x', ...changes }] as const
  const wrong = [
    returned(fee),
    returned(back),
    returned(between),
    returned(authorisation, { transfer_type: 'CARD_REVERSAL' }),
    returned(clearing, { transfer_type: 'PAYMENT_RETURN' }),
    returned(outside, { transfer_type: 'CARD_REVERSAL' }),
    returned(outside, { amount: '5.01' }),
    forced({ transfer_type: 'PAYMENT_RETURN' }),
    forced({ transfer_type: 'PAYMENT_RETURN', parent_transaction_id: randomUUID() }),
    forced({ transfer_type: 'PAYMENT_REVERSAL', parent_transaction_id: arrived.id, amount: '0.01' }),
    forced({ transfer_type: 'CARD_REVERSAL', method: 'SEPA' }),
    forced({ transfer_type: 'CARD_CLEARING', method: 'SDD_INTERNAL' }),
    forced({ transfer_type: 'ADJUSTMENT', method: 'INTERNAL' }),
  ] as const
  const codes = async () => {
    const answers = []
    for (const [path, body] of wrong) answers.push(await bank.admin.post(path, { ...message(), ...body }))
    return answers.map(({ status, problem }) => [status, problem?.code])
  }
  const open = await codes()
  assert.deepEqual([...new Set(open.map(([status]) => status))], [422], JSON.stringify(open))
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
  assert.deepEqual(await houseChange(async () => assert.deepEqual(await codes(), open)), {})
  const card = await made('/operator/returned-payments', { ...message(), ...returned(clearing, { transfer_type: 'CARD_REVERSAL' })[1] })
  assert.equal(card.booked_as, 'unapplied')
  assert.equal((await made('/operator/returned-payments', { ...message(), ...returned(outside)[1] })).booked_as, 'unapplied')
})

test("what the scheme has done comes before what a venture has only ordered, and the venture's order then goes no further", async () => {
  const managed = await openManaged()
  const { venture, account, client } = managed
  const arrived = await venture.receive(account, '30.00')
  const debtor = await venture.addBeneficiary(client.id, { iban: 'DE89370400440532013000' })
  const order = { account_id: account.id, beneficiary_id: debtor.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: arrived.id }
  const [large, small] = [
    await venture.createTransfer({ ...order, debit_amount: '20.00' }),
    await venture.createTransfer({ ...order, debit_amount: '10.00' }),
  ]
  await walk(venture, large.id, 'RESERVED')
  const reversal = { transfer_type: 'PAYMENT_REVERSAL', parent_transaction_id: arrived.id, method: null }
  await made('/operator/forced-debits', debitOf(managed, '15.00', reversal))
  await assert.rejects(walk(venture, large.id, 'READY_FOR_SCREENING'), { code: 'parent_invalid' })
  await refused('/operator/forced-debits', debitOf(managed, '15.01', reversal), 422, 'parent_invalid')
  const another = await venture.post('/transfers', { ...order, debit_amount: '0.01', unique_reference: randomUUID() })
  assert.equal(another.problem.code, 'parent_invalid')
  // It can still be ended, and what still fits continues.
  await walk(venture, large.id, 'CANCELLED')
  await walk(venture, small.id, sent)
  await refused('/operator/forced-debits', debitOf(managed, '5.01', reversal), 422, 'parent_invalid')
  await made('/operator/forced-debits', debitOf(managed, '5.00', reversal))
  await walk(venture, small.id, 'COMPLETED')
})

test('what the scheme has done comes before what was ordered, by the venture or by two people of the bank', async () => {
  const ways: readonly By[] = [{ actor: { kind: 'venture', id: null } }, { actor: operator, approved: true }]
  for (const by of ways) {
    const managed = await openManaged()
    const { venture, account, client } = managed
    const arrived = await venture.receive(account, '30.00')
    const debtor = await venture.addBeneficiary(client.id, { iban: 'DE89370400440532013000' })
    const order = { account_id: account.id, beneficiary_id: debtor.id, parent_transaction_id: arrived.id, debit_amount: '30.00' }
    const returned = await venture.order({ ...order, transfer_type: 'PAYMENT_RETURN' }, by)
    await walk(venture, returned.id, 'RESERVED')
    const reversal = { transfer_type: 'PAYMENT_REVERSAL', parent_transaction_id: arrived.id, method: null }
    await made('/operator/forced-debits', debitOf(managed, '30.00', reversal))
    await assert.rejects(walk(venture, returned.id, 'READY_FOR_SCREENING'), { code: 'parent_invalid' })
    await walk(venture, returned.id, 'CANCELLED')
    assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
  }
})

test('what has arrived is booked and applied, whatever its debtor and however large', async () => {
  const { venture, account } = await openManaged()
  const venture_id = venture.venture.id
  for (const changes of [{ dr_iban: 'AE070331234567890123456' }, { dr_iban: 'DE00' }, { amount: '1000000000.00' }]) {
    const booked = await made('/operator/inbound-payments', inboundTo(account.account_number, changes))
    assert.equal((await venture.get(`/transfers/${booked.id}`)).body.status, 'RECEIVED')
    const kept = await made('/operator/inbound-payments', inboundTo(unknownIban, changes))
    assert.equal(kept.booked_as, 'unapplied')
    await decided(kept.id, 'apply', { venture_id, account_id: account.id })
    const { transfer_id } = await unappliedOf(kept.id)
    await walk(venture, transfer_id, 'READY_FOR_SCREENING AML_SCANNING AML_APPROVED COMPLETED')
  }
  const applicable = await made('/operator/inbound-payments', inboundTo(unknownIban))
  await setStatus(account, 'SUSPENDED')
  await undecided(applicable.id, 'apply', { venture_id, account_id: account.id }, 409, 'account_not_active')
  await setStatus(account, 'ACTIVE')
  // An order is not a fact.
  const order = { account_id: account.id, direction: 'INBOUND', method: 'SEPA', credit_amount: '1.00' } as const
  await assert.rejects(venture.order({ ...order, dr_iban: 'DE00' }), { code: 'invalid_iban' })
  await assert.rejects(venture.order({ ...order, dr_iban: 'AE070331234567890123456' }), { code: 'transfer_method_invalid' })
  await assert.rejects(venture.order({ ...order, credit_amount: '1000000000.00' }), { code: 'transfer_method_invalid' })
})

test('spaces around the id of a message or its sender make no other message; case does', async () => {
  const { account } = await openManaged()
  const report = inboundTo(account.account_number, { tx_id: `A b ${randomUUID()}` })
  const booked = await made('/operator/inbound-payments', { ...report, sender: ` ${report.sender} `, tx_id: ` ${report.tx_id}  ` })
  assert.deepEqual([booked.sender, booked.tx_id], ['COBADEFFXXX', report.tx_id])
  for (const tx_id of [report.tx_id, ` ${report.tx_id}`, `${report.tx_id} `])
    await refused('/operator/inbound-payments', { ...report, tx_id }, 409, 'inbound_payment_booked')
  await made('/operator/inbound-payments', { ...report, tx_id: report.tx_id.toUpperCase() })
  for (const tx_id of ['', ' ', 'x'.repeat(129), 'ä'])
    await refused('/operator/inbound-payments', { ...report, tx_id }, 400, 'invalid_request')
})

test('a forced debit reaches a suspended account of a blocked client; an ordinary order does not', async () => {
  const managed = await openManaged({ balance: '10.00', daily_limit: '1.00' })
  const { venture, account, client } = managed
  await setStatus(account, 'SUSPENDED')
  await block(client)
  await made('/operator/forced-debits', debitOf(managed, '15.00'))
  assert.deepEqual(await venture.balances(account), ['-5.00', '0.00', '-5.00'])
  const beneficiary = await venture.addBeneficiary(client.id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, unique_reference: randomUUID(), debit_amount: '1.00' }
  const create = (by: By) => createTransfer(transfers, { venture_id: venture.venture.id, order, ...by })
  await assert.rejects(create({ actor: { kind: 'venture', id: null } }), { code: 'account_not_active' })
  await assert.rejects(create({ actor: operator, approved: true }), { code: 'account_not_active' })
})

test('a forced debit reaches an account that was never activated, and credits repay it', async () => {
  const managed = await openManaged()
  const { venture, account } = managed
  await setStatus(account, 'PENDING')
  const { id } = await made('/operator/forced-debits', debitOf(managed, '5.00'))
  assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['-5.00', '0.00', '-5.00'])
  assert.equal((await venture.post(`/accounts/${account.id}/activate`)).status, 200)
  await venture.receive(account, '8.00')
  assert.deepEqual([await venture.balances(account), await debtOf(account)], [['3.00', '0.00', '3.00'], '0.00'])
})

test("a blocked client's balance is paid out to the client itself, and nobody stops it on the way", async () => {
  const managed = await openManaged({ balance: '80.00', daily_limit: '1.00' })
  const { venture, account, client } = managed
  const own = await venture.addBeneficiary(client.id, { name: 'ada  LOVELACE', iban: 'DE89370400440532013000' })
  const someone = await venture.addBeneficiary(client.id)
  const order = { venture_id: venture.venture.id, account_id: account.id, beneficiary_id: own.id }
  await block(client)
  await refused('/operator/pay-outs', order, 409, 'account_not_suspended')
  await setStatus(account, 'SUSPENDED')
  await refused('/operator/pay-outs', { ...order, beneficiary_id: someone.id }, 422, 'beneficiary_invalid')
  await refused('/operator/pay-outs', { ...order, beneficiary_id: randomUUID() }, 404, 'beneficiary_not_found')
  await refused('/operator/pay-outs', { ...order, account_id: randomUUID() }, 404, 'account_not_found')
  const another = await venture.openAccount()
  const theirs = await venture.addBeneficiary(another.client_id, { name: 'Ada Lovelace', iban: 'DE89370400440532013000' })
  await refused('/operator/pay-outs', { ...order, beneficiary_id: theirs.id }, 422, 'beneficiary_invalid')
  const open = await bank.registerVenture()
  await refused('/operator/pay-outs', { ...order, venture_id: open.venture.id }, 409, 'venture_not_managed')
  await bank.owner.query('update clients set is_blacklisted = true where id = $1', [client.id])
  await refused('/operator/pay-outs', order, 409, 'client_sanctioned')
  await bank.owner.query('update clients set is_blacklisted = false where id = $1', [client.id])
  const paid = await made('/operator/pay-outs', order)
  assert.deepEqual([paid.status, paid.debit_amount, paid.cr_iban, paid.method], ['RESERVED', '80.00', own.iban, 'SEPA'])
  assert.deepEqual(await venture.balances(account), ['80.00', '80.00', '0.00'])
  await refused('/operator/pay-outs', order, 422, 'insufficient_funds')
  await walk(venture, paid.id, 'READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR COMPLETED')
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
})

test('the service puts the unsent transfers of a frozen client on hold, and lets what was sent settle', async () => {
  const managed = await openManaged({ balance: '100.00' })
  const { venture, client } = managed
  const approved = 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED'
  const walks: Record<string, string> = {
    CREATED: '',
    AML_APPROVED: approved,
    PACKED: `${approved} READY_TO_CLEAR SENT_TO_PACK PACKED`,
    SENT_TO_CLEAR: sent,
    CANCELLED: 'CANCELLED',
  }
  const paid = new Map<string, string>()
  for (const [status, statuses] of Object.entries(walks)) paid.set(status, (await payment(managed, '1.00', statuses)).id)
  await block(client)
  await bank.database.transaction((tx) => enqueueHold(tx, { venture_id: venture.venture.id, client_id: client.id }))
  await bank.runJobs()
  const statuses: Record<string, string> = {}
  for (const [from, id] of paid) statuses[from] = (await venture.get(`/transfers/${id}`)).body.status
  assert.deepEqual(statuses, {
    CREATED: 'ON_HOLD',
    AML_APPROVED: 'ON_HOLD',
    PACKED: 'ON_HOLD',
    SENT_TO_CLEAR: 'SENT_TO_CLEAR',
    CANCELLED: 'CANCELLED',
  })
  const moves = await movesOf(paid.get('PACKED') ?? '')
  assert.deepEqual(
    moves.slice(-2).map(({ to_status, actor }) => [to_status, actor]),
    [
      ['READY_TO_CLEAR', 'service'],
      ['ON_HOLD', 'service'],
    ],
  )
  await walk(venture, paid.get('SENT_TO_CLEAR') ?? '', 'COMPLETED')
  // A second run finds nothing left to do.
  await bank.database.transaction((tx) => enqueueHold(tx, { venture_id: venture.venture.id, client_id: client.id }))
  await bank.runJobs()
  assert.equal((await movesOf(paid.get('PACKED') ?? '')).length, moves.length)
})

test('the bank’s mark on a client or an account stops the unsent transfers, of the account alone if only it was frozen', async () => {
  const managed = await openManaged({ balance: '100.00' })
  const { venture, client, account, other } = managed
  await venture.deposit(other.id, '100.00')
  const [mine, theirs] = [await payment(managed, '1.00', ''), await payment({ ...managed, account: other }, '1.00', '')]
  const statuses = () => Promise.all([mine, theirs].map(async ({ id }) => (await venture.get(`/transfers/${id}`)).body.status))
  await venture.put(`/clients/${client.id}`, { blocked: true })
  await bank.runJobs()
  assert.deepEqual(await statuses(), ['CREATED', 'CREATED'], 'the block of the venture is its own')
  await actOnAccount(venture.accounts, { venture_id: venture.venture.id, id: account.id }, 'freeze', { actor: operator })
  await bank.runJobs()
  assert.deepEqual(await statuses(), ['ON_HOLD', 'CREATED'])
  await updateClient(bank.database, venture.venture, client.id, { is_blacklisted: true }, { actor: operator })
  await bank.runJobs()
  assert.deepEqual(await statuses(), ['ON_HOLD', 'ON_HOLD'])
  const released = await venture.put(`/transfers/${mine.id}`, { status: 'CREATED' })
  assert.deepEqual([released.status, released.problem.code], [403, 'reserved_to_bank'])
  const own = await venture.addBeneficiary(client.id, { name: 'Ada Lovelace', iban: 'DE89370400440532013000' })
  const payout = { venture_id: venture.venture.id, account_id: account.id, beneficiary_id: own.id }
  await refused('/operator/pay-outs', payout, 409, 'client_sanctioned')
})

test('what comes back for a disabled venture is credited, and what arrives for it waits', async () => {
  const managed = await openManaged({ balance: '100.00' })
  const { venture, account } = managed
  const paid = await payment(managed, '40.00', `${sent} COMPLETED`)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  await made('/operator/returned-payments', returnOf(managed, paid))
  const { id } = await made('/operator/inbound-payments', inboundTo(account.account_number))
  await assert.rejects(walk(venture, id, 'READY_FOR_SCREENING'), { code: 'venture_disabled' })
  const { rows } = await bank.owner.query('select current_balance::text as balance from accounts where id = $1', [account.id])
  assert.equal(rows[0].balance, '100.00')
})

test('a deposit of the sandbox enters a managed account by its IBAN, and the service completes it', async () => {
  const { venture, account } = await openManaged()
  const transfer = await venture.deposit(account.id, '25.00')
  assert.deepEqual([transfer.status, transfer.unique_reference, transfer.cr_iban], ['COMPLETED', transfer.id, account.account_number])
  const moves = await movesOf(transfer.id)
  assert.deepEqual(
    moves.map(({ actor }) => actor),
    ['connector', 'connector', ...moves.slice(2).map(() => 'service')],
  )
  const { body } = await bank.admin.get(`/operator/inbound-payments/${transfer.id}`)
  assert.deepEqual([body.booked_as, body.sender, body.kind], ['transfer', 'SANDBOXXXXX', 'pacs.008'])
  assert.deepEqual(await venture.balances(account), ['25.00', '0.00', '25.00'])
  await setStatus(account, 'SUSPENDED')
  assert.equal((await venture.deposit(account.id, '5.00')).status, 'CREDIT_TECH_BALANCE')
  assert.deepEqual(await venture.balances(account), ['25.00', '0.00', '25.00'])
  const closed = await openManaged()
  await setStatus(closed.account, 'CLOSED')
  const answer = await closed.venture.post(`/sandbox/accounts/${closed.account.id}/deposits`, { amount: '1.00' })
  assert.equal(answer.problem.code, 'account_not_active')
  const missing = await venture.post(`/sandbox/accounts/${randomUUID()}/deposits`, { amount: '1.00' })
  assert.equal(missing.problem.code, 'account_not_found')
})

test('a report with an Idempotency-Key is answered again', async () => {
  const { account } = await openManaged()
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const send = (url: string, body: object) =>
    bank.admin.send({ method: 'POST', url: `/api/v1${url}`, headers, payload: JSON.stringify(body) })
  for (const iban of [account.account_number, unknownIban]) {
    headers['idempotency-key'] = randomUUID()
    const report = inboundTo(iban)
    const [first, second] = [await send('/operator/inbound-payments', report), await send('/operator/inbound-payments', report)]
    assert.deepEqual([first.status, second.status, second.headers['idempotency-replayed']], [201, 201, 'true'])
    assert.deepEqual(second.body, first.body)
    assert.equal(first.headers['location'], `/api/v1/operator/inbound-payments/${first.body.id}`)
  }
})
