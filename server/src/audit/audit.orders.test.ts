// Payments that the bank orders, over HTTP and with four-eyes approval on: one person requests, another sees what would be done, and exactly that is
// done.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank({ fourEyes: true })
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id
const [carol, dan] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]
const [alice, bob] = [await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]
const adminKey = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id })
const account = await venture.openAccount({ balance: '1000.00' })
const beneficiary = await venture.addBeneficiary(account.client_id, { name: 'Charles Babbage', iban: 'DE89370400440532013000' })
const payment = () => ({
  account_id: account.id,
  beneficiary_id: beneficiary.id,
  unique_reference: randomUUID(),
  debit_amount: '12.50',
  purpose: 'Rent of May',
})

const one = async (sql: string, ...values: unknown[]) => (await bank.owner.query(sql, values)).rows[0]
const codeOf = ({ status, problem }: Answer) => [status, problem?.code]
const decide = (approval: Loose, by: Caller, app = bank.app) =>
  new Caller(app, by.headers).post(`/operator/approvals/${approval['id']}/approve`)

async function asked(answer: Promise<Answer>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.deepEqual([status, body?.state], [202, 'PENDING'], text)
  return body
}

/** Everything that a request could have stored, apart from approvals. */
async function picture(): Promise<string> {
  const tables = [
    'transfers',
    'transfer_references',
    'transfer_moves',
    'entries',
    'events',
    'clients',
    'accounts',
    'beneficiaries',
    'mandates',
  ]
  const texts = tables.map((name) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t) as ${name}`)
  return JSON.stringify(await one(`select ${texts.join(', ')}`))
}

async function nothingHappens<Result>(act: () => Promise<Result>): Promise<Result> {
  const pictured = await picture()
  const result = await act()
  assert.equal(await picture(), pictured)
  return result
}

test('nobody at the bank orders a payment alone, however small, and the second person sees what would leave', async () => {
  const order = payment()
  await nothingHappens(async () => {
    assert.deepEqual(codeOf(await adminKey.post('/transfers', order)), [403, 'person_needed'])
    assert.equal(await one('select from approvals where reference = $1', order.unique_reference), undefined)
  })
  const approval = await nothingHappens(() => asked(alice.actingFor(venture_id).post('/transfers', order)))
  assert.deepEqual(approval['subject'], {
    account_id: account.id,
    payer: `${(await venture.get(`/clients/${account.client_id}`)).body.first_name} ${(await venture.get(`/clients/${account.client_id}`)).body.last_name}`,
    payer_account: account.account_number,
    payee: 'Charles Babbage',
    payee_account: 'DE89370400440532013000',
    payee_bic: null,
    payee_bank: null,
    amount: '12.50',
    currency: 'EUR',
    credit_amount: null,
    credit_currency: null,
    purpose: 'Rent of May',
    settlement_date: null,
    changes: [],
  })
  assert.match(approval['subject_hash'], /^[0-9a-f]{64}$/)
  assert.deepEqual(codeOf(await decide(approval, alice)), [409, 'own_approval'])
  const { body } = await decide(approval, bob)
  assert.deepEqual([body.state, body.reason_code, body.result.id], ['APPROVED', null, approval['resource_id']])
  assert.deepEqual([body.result.status, body.result.authentication, body.result.approval_id], ['CREATED', 'BANK', approval['id']])
  const { body: seen } = await venture.get(`/transfers/${approval['resource_id']}`)
  assert.deepEqual([seen.authentication, seen.approval_id, seen.signed_at], ['BANK', approval['id'], null])
  await nothingIsBroken()
})

test('what would be refused is refused to the maker, and nobody is asked', async () => {
  const { rowCount: before } = await bank.owner.query('select from approvals')
  await nothingHappens(async () => {
    const order = { ...payment(), beneficiary_id: randomUUID() }
    assert.deepEqual(codeOf(await alice.actingFor(venture_id).post('/transfers', order)), [422, 'beneficiary_invalid'])
  })
  assert.equal((await bank.owner.query('select from approvals')).rowCount, before)
})

test('an order above sign_above that two people of the bank agree on waits for nobody else', async () => {
  const other = await ManagedVenture.open(bank)
  const policy = await asked(carol.put(`/ventures/${other.venture.id}/policy`, { sign_above: '1.00' }))
  assert.equal((await decide(policy, dan)).body.state, 'APPROVED')
  const from = await other.openAccount({ balance: '10.00' })
  const to = await other.addBeneficiary(from.client_id)
  const order = { account_id: from.id, beneficiary_id: to.id, unique_reference: randomUUID(), debit_amount: '5.00' }
  const approval = await asked(alice.actingFor(other.venture.id).post('/transfers', order))
  assert.equal((await decide(approval, bob)).body.result.status, 'CREATED')
  const { body: own } = await other.post('/transfers', { ...order, unique_reference: randomUUID() })
  assert.deepEqual([own.status, own.authentication, own.approval_id], ['TO_SIGN', null, null])
  const sign = { status: 'SIGNED' }
  await nothingHappens(async () => {
    for (const by of [alice.actingFor(other.venture.id), new Caller(bank.app, { ...adminKey.headers, 'vostro-venture': other.venture.id })])
      assert.deepEqual(codeOf(await by.put(`/transfers/${own.id}`, sign)), [403, 'not_yours_to_sign'])
  })
  const { body: transitions } = await alice.actingFor(other.venture.id).get(`/transfers/${own.id}/transitions`)
  const signed = transitions.find(({ status }: Loose) => status === 'SIGNED')
  assert.deepEqual([signed.allowed, signed.blocked_by], [false, 'not_yours_to_sign'])
  assert.equal((await other.put(`/transfers/${own.id}`, sign)).body.status, 'SIGNED')
})

test('a beneficiary that has changed since is not paid', async () => {
  const values = [
    ['iban', 'FR7630006000011234567890189'],
    ['name', 'Charles B. Thief'],
    ['bic', 'COBADEFFXXX'],
  ] as const
  for (const [column, value] of values) {
    const known = await venture.addBeneficiary(account.client_id)
    const approval = await asked(alice.actingFor(venture_id).post('/transfers', { ...payment(), beneficiary_id: known.id }))
    await bank.owner.query(`update beneficiaries set ${column} = $1 where id = $2`, [value, known.id])
    const { body } = await nothingHappens(() => decide(approval, bob))
    assert.deepEqual([body.state, body.reason_code, body.result], ['FAILED', 'resource_changed', null], column)
  }
})

test('an approval whose subject somebody has changed in the database is not carried out', async () => {
  const approval = await asked(alice.actingFor(venture_id).post('/transfers', payment()))
  await bank.owner.query(`update approvals set subject = (subject::jsonb || '{"payee": "Grace"}')::json where id = $1`, [approval['id']])
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(
    broken.map(({ name }) => name),
    ['approvals are as two people made them', 'rows that decide are as their last lines say'],
  )
  const { body } = await nothingHappens(() => decide(approval, bob))
  assert.equal(body.state, 'FAILED')
  await bank.owner.query('update approvals set subject = $2 where id = $1', [approval['id'], JSON.stringify(approval['subject'])])
})

test('two people who decide on two instances at once carry it out once', async () => {
  const instance = await bank.openInstance({ fourEyes: true })
  for (let round = 0; round < 5; round++) {
    const order = payment()
    const approval = await asked(alice.actingFor(venture_id).post('/transfers', order))
    const answers = await Promise.all([decide(approval, bob), decide(approval, carol, instance)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], answers.map(({ text }) => text).join())
    assert.equal((await one('select count(*)::int from transfers where unique_reference = $1', order.unique_reference)).count, 1)
  }
})

test('a dry run says what becomes of an order that two people agree on', async () => {
  for (const by of [alice.actingFor(venture_id), venture]) {
    const { status, body, text } = await nothingHappens(() => by.post('/transfers/dry-run', payment()))
    assert.equal(status, 200, text)
    assert.deepEqual([body.accepted, body.refusal], [true, null])
  }
  const { body } = await venture.post('/transfers/dry-run', { ...payment(), transfer_type: 'FEE' })
  assert.deepEqual([body.accepted, body.refusal.code], [false, 'reserved_to_bank'])
})

test('the bank orders one payment at a time', async () => {
  const bulk = { transfers: [payment(), payment()] }
  await nothingHappens(async () => {
    for (const by of [adminKey, alice.actingFor(venture_id)])
      assert.deepEqual(codeOf(await by.post('/transfers/bulk', bulk)), [403, 'approval_required'])
  })
  assert.equal((await venture.post('/transfers/bulk', bulk)).body.created, 2)
  const open = await bank.registerVenture()
  const own = await open.openAccount({ balance: '10.00' })
  const known = await open.addBeneficiary(own.client_id)
  const theirs = { account_id: own.id, beneficiary_id: known.id, unique_reference: randomUUID(), debit_amount: '1.00' }
  assert.equal((await alice.actingFor(open.venture.id).post('/transfers/bulk', { transfers: [theirs] })).body.created, 1)
})

test('a fee that two people order is booked with their approval, and one that cannot be booked is refused before anybody is asked', async () => {
  const fee = () => ({ ...payment(), transfer_type: 'FEE', debit_amount: '3.00' })
  const [, before] = await venture.balances(account)
  const approval = await nothingHappens(() => asked(alice.actingFor(venture_id).post('/transfers', fee())))
  const { body } = await decide(approval, bob)
  assert.deepEqual([body.state, body.result.status], ['APPROVED', 'COMPLETED'], JSON.stringify(body))
  const booked = await one('select sum(amount)::text as sum from entries where cause_id = $1 and account_id is null', body.result.id)
  assert.equal(booked.sum, '3.00')
  assert.equal((await venture.balances(account))[1], before, 'nothing is left on hold')

  const approvals = await bank.count('approvals')
  const poor = { ...fee(), debit_amount: '100000.00' }
  const refused = await nothingHappens(() => alice.actingFor(venture_id).post('/transfers', poor))
  assert.deepEqual(codeOf(refused), [422, 'insufficient_funds'])
  assert.equal(await bank.count('approvals'), approvals)

  const later = await asked(alice.actingFor(venture_id).post('/transfers', { ...fee(), settlement_date: '2099-05-04' }))
  assert.equal((await decide(later, bob)).body.result.status, 'CREATED', 'it waits for its day')
})

test('all of this breaks no invariant', nothingIsBroken)

async function nothingIsBroken(): Promise<void> {
  // Tests change rows by hand, which leaves no line.
  const byHand = 'rows that decide are as their last lines say'
  const broken = (await checkInvariants(bank.owner)).filter(({ name, violations }) => violations > 0 && name !== byHand)
  assert.deepEqual(broken, [])
}
