// What the bank's people report about money from outside, and decide about waiting money, with four-eyes approval and without: booked once, decided
// once, and only through the case.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openFirstCase } from '../../cases/cases.ts'
import { connector, ManagedVenture, operator, toSent } from '../../testing/testing.managed.ts'
import { openBanker } from '../../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../../testing/testing.ts'
import { checkInvariants } from '../../verify/verify.ts'
import { openTransfers, updateTransfer } from '../orders/transfers.orders.ts'
import { reportInboundPayment } from './transfers.inbound.ts'

const bank = await openBank({ fourEyes: true })
const transfers = openTransfers(bank.database, bank.config.bank, openFirstCase)
const [maker, checker, third] = [await openBanker(bank, 'admin'), await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]
const alone = new Caller(await bank.openInstance({ fourEyes: false }), maker.headers)
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id
const unknownIban = 'FR1420041010050500013M02606'

const message = (kind = 'pacs.008') => ({ sender: 'COBADEFF', kind, tx_id: randomUUID() })

const inboundTo = (iban: string, changes: object = {}) => ({
  ...message(),
  kind: 'pacs.008' as const,
  iban,
  amount: '30.00',
  currency: 'EUR',
  rail: 'SEPA' as const,
  dr_name: 'Grace Hopper',
  dr_iban: 'DE89370400440532013000',
  ...changes,
})

const debitOf = (account_id: string, changes: object = {}) => ({
  ...message('chargeback'),
  venture_id,
  account_id,
  amount: '12.00',
  transfer_type: 'ADJUSTMENT',
  method: 'SEPA',
  explanation: 'Chargeback',
  ...changes,
})

async function accountThatIs(
  status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED',
  changes: { balance?: string; client_id?: string } = {},
): Promise<Loose> {
  const account = await venture.openAccount(changes)
  const action = { ACTIVE: undefined, SUSPENDED: 'freeze', CLOSED: 'close' }[status]
  if (action !== undefined) assert.equal((await venture.post(`/accounts/${account.id}/${action}`)).status, 200)
  return account
}

const approve = ({ id }: Loose, by: Caller = checker) => by.post(`/operator/approvals/${id}/approve`)

async function requested(asked: Promise<Answer>): Promise<Loose> {
  const { status, body, text } = await asked
  assert.deepEqual([status, body.state, body.maker_id], [202, 'PENDING', maker.id], text)
  return body
}

/** Reports or decides with two people, and returns the outcome. */
async function together(path: string, body: object): Promise<Loose> {
  const { status, body: approval, text } = await approve(await requested(maker.post(path, body)))
  assert.deepEqual([status, approval.state], [200, 'APPROVED'], text)
  return approval.result
}

const report = (body: object): Promise<Loose> => together('/operator/inbound-payments', body)

async function refused(asked: Promise<Answer>, status: number, code: string): Promise<Loose> {
  const answer = await asked
  assert.deepEqual([answer.status, answer.problem?.code], [status, code], answer.text)
  return answer.problem
}

const caseOf = async (resource_id: string): Promise<Loose> => {
  const { body } = await bank.admin.get(`/operator/cases?resource_id=${resource_id}`)
  assert.equal(body.length, 1)
  return (await bank.admin.get(`/operator/cases/${body[0].id}`)).body
}

const decide = async (by: Caller, resource_id: string, decision: object): Promise<Answer> =>
  by.post(`/operator/cases/${(await caseOf(resource_id)).id}/decisions`, decision)

const statusOf = async (id: string): Promise<string> => (await venture.get(`/transfers/${id}`)).body.status
const claims = () => bank.count('inbound_claims')
const approvals = () => bank.count('approvals')

for (const state of ['ACTIVE', 'SUSPENDED', 'CLOSED', 'unknown'] as const) {
  test(`a payment for an account that is ${state} is booked once, when a second person has approved it`, async () => {
    const iban = state === 'unknown' ? unknownIban : (await accountThatIs(state)).account_number
    const payment = inboundTo(iban)
    const [before, requests] = [await claims(), await approvals()]
    await refused(bank.admin.post('/operator/inbound-payments', payment), 403, 'person_needed')
    const approval = await requested(maker.post('/operator/inbound-payments', payment))
    assert.deepEqual([approval.action, approval.payload], ['report-inbound-payment', payment])
    assert.deepEqual([await claims(), await approvals()], [before, requests + 1])
    // The head office is the same bank, so the message is the same; a message waits once, however it is reported.
    const again = [payment, { ...payment, sender: 'cobadeffxxx', amount: '31.00' }]
    for (const one of again)
      assert.equal((await refused(third.post('/operator/inbound-payments', one), 409, 'approval_pending')).approval_id, approval.id)
    const { sender, kind, tx_id } = payment
    const other = debitOf((await accountThatIs('ACTIVE')).id, { sender, kind, tx_id })
    await refused(third.post('/operator/forced-debits', other), 409, 'approval_pending')
    await refused(approve(approval, maker), 409, 'own_approval')
    const { body: approved } = await approve(approval)
    const booked = approved.result
    assert.deepEqual([approved.state, booked.booked_as], ['APPROVED', state === 'CLOSED' || state === 'unknown' ? 'unapplied' : 'transfer'])
    assert.equal(await claims(), before + 1)
    for (const one of again)
      assert.equal((await refused(maker.post('/operator/inbound-payments', one), 409, 'inbound_payment_booked')).existing_id, booked.id)
    await refused(maker.post('/operator/forced-debits', other), 409, 'inbound_payment_booked')
    assert.deepEqual([await claims(), await approvals()], [before + 1, requests + 1])
    if (state === 'ACTIVE') assert.equal(await statusOf(booked.id), 'RECEIVED')
    else assert.equal((await caseOf(booked.id)).state, 'OPEN')
  })

  test(`without four eyes, a payment for an account that is ${state} is booked at once, and once`, async () => {
    const iban = state === 'unknown' ? unknownIban : (await accountThatIs(state)).account_number
    const payment = inboundTo(iban)
    const { status, body, text } = await alone.post('/operator/inbound-payments', payment)
    assert.equal(status, 201, text)
    const again = await refused(alone.post('/operator/inbound-payments', payment), 409, 'inbound_payment_booked')
    assert.equal(again.existing_id, body.id)
    if (state !== 'ACTIVE') assert.equal((await caseOf(body.id)).state, 'OPEN')
  })
}

test('a report that cannot be booked is refused at once, and nobody is asked to approve it', async () => {
  const account = await accountThatIs('ACTIVE')
  const open = await bank.registerVenture()
  const before = [await approvals(), await claims(), await bank.count('entries')]
  const inbound = (changes: object) => maker.post('/operator/inbound-payments', inboundTo(account.account_number, changes))
  await refused(inbound({ amount: '0.00' }), 400, 'invalid_request')
  await refused(inbound({ amount: '1.001' }), 400, 'invalid_request')
  await refused(inbound({ currency: 'USD' }), 422, 'transfer_method_invalid')
  const debit = (changes: object) => maker.post('/operator/forced-debits', debitOf(account.id, changes))
  await refused(debit({ venture_id: randomUUID() }), 404, 'venture_not_found')
  await refused(debit({ venture_id: open.venture.id }), 409, 'venture_not_managed')
  await refused(debit({ account_id: randomUUID() }), 404, 'account_not_found')
  // Only the rules of transfers refuse this one.
  await refused(debit({ transfer_type: 'PAYMENT_RETURN', method: null }), 422, 'parent_invalid')
  const back = { ...message('pacs.004'), venture_id, transfer_id: randomUUID() }
  await refused(maker.post('/operator/returned-payments', back), 404, 'transfer_not_found')
  const payout = { venture_id, account_id: account.id, beneficiary_id: randomUUID() }
  await refused(maker.post('/operator/pay-outs', payout), 404, 'beneficiary_not_found')
  assert.deepEqual([await approvals(), await claims(), await bank.count('entries')], before)
})

test('what a rail has booked meanwhile makes the approval fail, and is booked once', async () => {
  const suspended = await accountThatIs('SUSPENDED')
  for (const iban of [suspended.account_number, unknownIban]) {
    const payment = inboundTo(iban)
    const approval = await requested(maker.post('/operator/inbound-payments', payment))
    const before = await claims()
    const booked = await reportInboundPayment(transfers, payment, { actor: connector })
    const { body: failed } = await approve(approval)
    assert.deepEqual([failed.state, failed.result, await claims()], ['FAILED', null, before + 1])
    assert.match(failed.reason, new RegExp(booked.id))
    assert.equal((await caseOf(booked.id)).state, 'OPEN')
  }
})

test('payments that come back and forced debits wait for a second person as well', async () => {
  const account = await accountThatIs('ACTIVE', { balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '40.00' }
  const paid = await venture.createTransfer(order)
  await venture.process(paid as { id: string }, ...toSent, 'COMPLETED')
  const back = { ...message('pacs.004'), venture_id, transfer_id: paid.id, amount: '40.00' }
  const first = await requested(maker.post('/operator/returned-payments', back))
  assert.deepEqual(await venture.balances(account), ['60.00', '0.00', '60.00'])
  // Another message about the same money: only one of the two can be true.
  const second = await requested(maker.post('/operator/returned-payments', { ...back, ...message('pacs.004') }))
  assert.equal((await approve(first)).body.result.booked_as, 'transfer')
  const { body: failed } = await approve(second)
  assert.deepEqual(
    [failed.state, /has not come back|has too little left|only/.test(failed.reason)],
    ['FAILED', true],
    String(failed.reason),
  )
  assert.deepEqual(await venture.balances(account), ['100.00', '0.00', '100.00'])
  assert.equal((await together('/operator/forced-debits', debitOf(account.id, { amount: '130.00' }))).booked_as, 'transfer')
  assert.deepEqual(await venture.balances(account), ['-30.00', '0.00', '-30.00'])
})

async function newPayout(): Promise<{ account: Loose; order: Loose }> {
  const account = await accountThatIs('SUSPENDED', { balance: '80.00' })
  const own = await venture.addBeneficiary(account.client_id, { name: 'Ada Lovelace', iban: 'DE89370400440532013000' })
  return { account, order: { venture_id, account_id: account.id, beneficiary_id: own.id } }
}

test('a second person approves the amount of a pay-out, and nothing else is paid', async () => {
  const { account, order } = await newPayout()
  await refused(bank.admin.post('/operator/pay-outs', order), 403, 'person_needed')
  const approval = await requested(maker.post('/operator/pay-outs', order))
  assert.deepEqual([approval.resource_id, approval.payload], [account.id, { ...order, amount: '80.00', currency: 'EUR' }])
  await refused(third.post('/operator/pay-outs', order), 409, 'approval_pending')
  await reportInboundPayment(transfers, inboundTo(account.account_number), { actor: connector })
  assert.equal((await alone.post(...(await decisionOf(account.id, 'apply')))).status, 200)
  assert.deepEqual(await venture.balances(account), ['110.00', '0.00', '110.00'])
  assert.deepEqual((await approve(approval)).body.result.debit_amount, '80.00')
  assert.deepEqual(await venture.balances(account), ['110.00', '80.00', '30.00'])
})

/** The path and the body that decide the case of money that waits for an account. */
async function decisionOf(account_id: string, decision: string): Promise<[string, object]> {
  const { body } = await bank.admin.get('/operator/cases?kind=suspended&state=OPEN')
  const { id } = body.find(({ payload }: Loose) => payload.account_id === account_id)
  return [`/operator/cases/${id}/decisions`, { decision }]
}

test('a pay-out fails if the account has changed, or if its client was blacklisted', async () => {
  const changed = await newPayout()
  const first = await requested(maker.post('/operator/pay-outs', changed.order))
  for (const action of ['activate', 'freeze']) assert.equal((await venture.post(`/accounts/${changed.account.id}/${action}`)).status, 200)
  const { body: failed } = await approve(first)
  assert.deepEqual([failed.state, /sequence/.test(failed.reason)], ['FAILED', true], String(failed.reason))

  const sanctioned = await newPayout()
  const second = await requested(maker.post('/operator/pay-outs', sanctioned.order))
  await bank.owner.query('update clients set is_blacklisted = true where id = $1', [sanctioned.account.client_id])
  assert.equal((await approve(second)).body.state, 'FAILED')
  for (const { account } of [changed, sanctioned]) assert.deepEqual(await venture.balances(account), ['80.00', '0.00', '80.00'])
})

test('notes of the venture do not keep two people from deciding', async () => {
  const { account, order } = await newPayout()
  const payout = await requested(maker.post('/operator/pay-outs', order))
  assert.equal((await venture.put(`/accounts/${account.id}`, { description: 'A note', daily_limit: '5.00' })).status, 200)
  const { body: paid } = await approve(payout)
  assert.deepEqual([paid.state, paid.result?.debit_amount], ['APPROVED', '80.00'], String(paid.reason))

  const waiting = await report(inboundTo((await accountThatIs('SUSPENDED')).account_number))
  const { body: returned } = await decide(maker, waiting.id, { decision: 'return' })
  const note = (id: string) => venture.put(`/transfers/${id}`, { status_reason: `note ${randomUUID()}` })
  assert.equal((await note(waiting.id)).status, 200)
  assert.equal((await approve(returned)).body.state, 'APPROVED')

  const from = await venture.openAccount({ balance: '50.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(from.client_id)
  const { id } = await venture.createTransfer({ account_id: from.id, beneficiary_id, debit_amount: '5.00' })
  await venture.process({ id }, 'RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'REVIEW')
  await note(id)
  const forVenture = maker.actingFor(venture_id)
  const rejected = await requested(forVenture.put(`/transfers/${id}`, { status: 'AML_REJECTED' }))
  for (let count = 0; count < 2; count++) await note(id)
  assert.equal((await approve(rejected)).body.state, 'APPROVED')
  assert.equal(await statusOf(id), 'AML_REJECTED')
})

test('two people decide about money that waits; the case shows what it is about and what can be decided', async () => {
  const account = await accountThatIs('SUSPENDED')
  for (const [decision, status] of [
    ['apply', 'COMPLETED'],
    ['return', 'REJECTED'],
  ] as const) {
    const { id } = await report(inboundTo(account.account_number))
    const open = await caseOf(id)
    assert.deepEqual([open.kind, open.venture_id, open.payload], ['suspended', venture_id, { account_id: account.id }])
    assert.deepEqual([open.subject.status, open.allowed_decisions], ['CREDIT_TECH_BALANCE', ['apply', 'return']])
    await refused(decide(bank.admin, id, { decision }), 403, 'person_needed')
    const approval = await requested(decide(maker, id, { decision, comment: 'Looked at it.' }))
    assert.deepEqual([await statusOf(id), (await caseOf(id)).state], ['CREDIT_TECH_BALANCE', 'OPEN'])
    assert.equal((await approve(approval)).body.state, 'APPROVED')
    const done = await caseOf(id)
    assert.deepEqual([done.state, done.decision, done.decided_by, done.comment], ['DECIDED', decision, checker.id, 'Looked at it.'])
    assert.deepEqual([done.subject.status, done.allowed_decisions], [status, []])
    await refused(decide(maker, id, { decision }), 409, 'case_decided')
  }
  assert.deepEqual(await venture.balances(account), ['30.00', '0.00', '30.00'])
})

test('the second person sees the details of a decision, and they are carried out', async () => {
  const account = await accountThatIs('ACTIVE')
  const { id } = await report(inboundTo(unknownIban))
  const details = { venture_id, account_id: account.id }
  const { errors } = await refused(decide(maker, id, { decision: 'apply', details: { venture_id } }), 422, 'decision_details_invalid')
  assert.deepEqual(errors, [{ field: 'details.account_id', message: 'is required' }])
  // A report that would be refused is not requested.
  const before = await approvals()
  const nobody = { venture_id, account_id: randomUUID() }
  await refused(decide(maker, id, { decision: 'apply', details: nobody }), 404, 'account_not_found')
  assert.equal(await approvals(), before)
  const approval = await requested(decide(maker, id, { decision: 'apply', details }))
  assert.deepEqual([approval.payload.decision, approval.payload.details], ['apply', details])
  assert.equal((await approve(approval)).body.state, 'APPROVED')
  const { body } = await bank.admin.get(`/operator/unapplied-payments/${id}`)
  assert.deepEqual([body.status, body.applied_venture_id], ['APPLIED', venture_id])
  assert.equal((await venture.get(`/transfers/${body.transfer_id}`)).body.account_id, account.id)
})

test('an effect that is refused makes the approval fail, and the case stays open for another decision', async () => {
  const closed = await accountThatIs('CLOSED')
  const other = await accountThatIs('ACTIVE', { balance: '12.00', client_id: closed.client_id })
  const { id, booked_as } = await together('/operator/forced-debits', debitOf(closed.id))
  assert.equal(booked_as, 'break')
  assert.deepEqual((await caseOf(id)).allowed_decisions, ['write_off', 'collect'])
  const approval = await requested(decide(maker, id, { decision: 'collect', details: { account_id: other.id } }))
  await together('/operator/forced-debits', debitOf(other.id, { amount: '5.00' }))
  const { body: failed } = await approve(approval)
  assert.deepEqual([failed.state, /Insufficient funds/.test(failed.reason)], ['FAILED', true], String(failed.reason))
  assert.deepEqual([(await caseOf(id)).state, (await caseOf(id)).subject.status], ['OPEN', 'OPEN'])
  assert.deepEqual(await venture.balances(other), ['7.00', '0.00', '7.00'])
  assert.equal((await approve(await requested(decide(maker, id, { decision: 'write_off' })))).body.state, 'APPROVED')
  assert.equal((await caseOf(id)).subject.status, 'WRITTEN_OFF')
})

test('a transfer that has changed since the first person decided makes the approval fail', async () => {
  const account = await accountThatIs('SUSPENDED')
  const { id } = await report(inboundTo(account.account_number))
  const approval = await requested(decide(maker, id, { decision: 'apply' }))
  await venture.move(id, { status_reason: 'The client has called.' })
  const { body: failed } = await approve(approval)
  assert.deepEqual([failed.state, (await caseOf(id)).state, await statusOf(id)], ['FAILED', 'OPEN', 'CREDIT_TECH_BALANCE'])
  assert.equal((await approve(await requested(decide(maker, id, { decision: 'return' })))).body.state, 'APPROVED')
})

test('of two people who decide or approve at once, one is successful, and there is one effect', async () => {
  const { id } = await report(inboundTo(unknownIban))
  const details = { venture_id, account_id: (await accountThatIs('ACTIVE')).id }
  const asked = await Promise.all([decide(maker, id, { decision: 'apply', details }), decide(third, id, { decision: 'return' })])
  assert.deepEqual(asked.map(({ status }) => status).sort(), [202, 409])
  const approval = asked.find(({ status }) => status === 202)?.body
  const deciders = approval.maker_id === maker.id ? [checker, third] : [checker, maker]
  const answers = await Promise.all(deciders.map((by) => approve(approval, by)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { rows } = await bank.owner.query("select count(*)::int from entries where cause_kind = 'unapplied' and cause_id = $1", [id])
  assert.equal(rows[0].count, 4, 'two lines when it arrived, and two when it left')

  const { body: single } = await alone.post('/operator/inbound-payments', inboundTo(unknownIban))
  const others = [
    alone,
    new Caller(alone.app, third.headers),
    new Caller(alone.app, checker.headers),
    new Caller(alone.app, bank.admin.headers),
  ]
  const decided = await Promise.all(others.map((by) => decide(by, single.id, { decision: 'return' })))
  assert.deepEqual(decided.map(({ status }) => status).sort(), [200, 409, 409, 409])
  for (const { status, problem } of decided) if (status === 409) assert.equal(problem.code, 'case_decided')
})

test('nothing but its case moves money that waits', async () => {
  const account = await accountThatIs('SUSPENDED')
  const { id: transfer_id } = await report(inboundTo(account.account_number))
  for (const by of [{ actor: connector }, { actor: operator }, { actor: operator, approved: true }])
    for (const status of ['ON_HOLD', 'MANUAL_ACTION', 'TO_RETURN', 'READY_FOR_SCREENING'] as const)
      await assert.rejects(updateTransfer(transfers, { venture_id, transfer_id, update: { status }, ...by }), { code: 'decided_by_case' })
  await refused(maker.actingFor(venture_id).put(`/transfers/${transfer_id}`, { status: 'ON_HOLD' }), 409, 'decided_by_case')
  const { body: moves } = await maker.actingFor(venture_id).get(`/transfers/${transfer_id}/transitions`)
  assert.ok(moves.length > 0 && moves.every(({ allowed, blocked_by }: Loose) => !allowed && blocked_by === 'decided_by_case'))
  await refused(venture.put(`/transfers/${transfer_id}`, { status: 'ON_HOLD' }), 403, 'reserved_to_bank')
  assert.deepEqual([await statusOf(transfer_id), (await caseOf(transfer_id)).state], ['CREDIT_TECH_BALANCE', 'OPEN'])
  // Money that an active account has received never waits without a case.
  const received = await report(inboundTo((await accountThatIs('ACTIVE')).account_number))
  const update = { status: 'CREDIT_TECH_BALANCE' } as const
  await assert.rejects(updateTransfer(transfers, { venture_id, transfer_id: received.id, update, actor: connector }), {
    code: 'decided_by_case',
  })
  const screened = ['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'COMPLETED'] as const
  assert.equal((await venture.process(received, ...screened)).status, 'COMPLETED')
})

test('a request with an Idempotency-Key that waits for a second person is answered again with its approval', async () => {
  const { order } = await newPayout()
  const sent: [string, object][] = [
    ['inbound-payments', inboundTo(unknownIban)],
    ['pay-outs', order],
  ]
  for (const [path, body] of sent) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const send = () => maker.send({ method: 'POST', url: `/api/v1/operator/${path}`, headers, payload: JSON.stringify(body) })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status, second.headers['idempotency-replayed']], [202, 202, 'true'], second.text)
    assert.deepEqual([second.body, second.headers['location']], [first.body, undefined])
    // The answer may be lost before it is stored.
    await bank.owner.query('update idempotency_keys set status = null, body = null where key = $1', [headers['idempotency-key']])
    const third = await send()
    assert.deepEqual([third.status, third.body.id, third.headers['location']], [202, first.body.id, undefined], third.text)
    assert.equal((await approve(first.body)).body.state, 'APPROVED')
  }
})

test('after all of this the books are right, and what waits has a case', async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
})
