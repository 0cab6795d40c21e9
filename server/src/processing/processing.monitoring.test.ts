// The rules of transaction monitoring, over the payments of a real database.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { someOnboarding } from '../testing/testing.people.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { makeIban } from '../values/iban.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id

beforeEach(() => setRules())

async function setRules(...rules: object[]): Promise<void> {
  const { status, text } = await bank.admin.put(`/ventures/${venture_id}/policy`, { rules })
  assert.equal(status, 200, text)
}

const openPayer = (client_id?: string) => venture.openAccount({ balance: '50000.00', ...(client_id === undefined ? {} : { client_id }) })

let payees = 0

/** A payment to a new payee, unless a beneficiary is named. */
async function pay(account: Loose, debit_amount: string, changes: Loose = {}): Promise<Loose> {
  const iban = makeIban('DE', `37040044${String(++payees).padStart(10, '0')}`)
  const beneficiary_id = changes.beneficiary_id ?? (await venture.addBeneficiary(account.client_id, { name: 'Somebody', iban })).id
  return venture.createTransfer({ account_id: account.id, debit_amount, ...changes, beneficiary_id })
}

/** What rules have found about a payment; undefined if none stopped it. */
async function alertsOf({ id }: Loose): Promise<Loose[] | undefined> {
  const { status } = (await venture.get(`/transfers/${id}`)).body
  const { body } = await bank.admin.get(`/operator/cases?resource_id=${id}&state=OPEN`)
  assert.deepEqual([status, body.length], body.length === 0 ? ['COMPLETED', 0] : ['REVIEW', 1])
  return body[0]?.payload.rules
}

test('without a rule everything passes, and what was paid is kept for the rules to come', async () => {
  const account = await openPayer()
  const [first] = [await pay(account, '100.00'), await pay(account, '200.00')]
  await bank.runProcessing()
  assert.equal(await alertsOf(first), undefined)
  const { rows } = await bank.owner.query(
    `select direction, sum(times)::int as payments, sum(amount)::text as amount from account_activity where account_id = $1
     group by direction order by direction`,
    [account.id],
  )
  assert.deepEqual(rows, [
    { direction: 'INBOUND', payments: 1, amount: '50000.0000' },
    { direction: 'OUTBOUND', payments: 2, amount: '300.0000' },
  ])
})

test('a case about a rule names the payments behind the sum', async () => {
  await setRules({ kind: 'sum', above: '1000', days: 7 })
  const account = await openPayer()
  const second = await openPayer(account.client_id)
  const [first, other, last] = [await pay(account, '400.00'), await pay(second, '500.00'), await pay(account, '200.00')]
  const stranger = await pay(await openPayer(), '10.00')
  await bank.runProcessing()
  const [of] = (await bank.admin.get(`/operator/cases?resource_id=${last.id}`)).body
  const { payments } = (await bank.admin.get(`/operator/cases/${of.id}`)).body.subject
  const ids = payments.map(({ id }: Loose) => id)
  for (const { id } of [first, other, last]) assert.ok(ids.includes(id), id)
  assert.ok(!ids.includes(stranger.id) && ids.length === 3, ids.join())
  assert.deepEqual(payments.map(({ debit_amount }: Loose) => debit_amount).sort(), ['200.00', '400.00', '500.00'])
})

test('payments that the venture has held until they were late count together', async () => {
  await setRules({ kind: 'sum', above: '1000', days: 7 }, { kind: 'just_below', threshold: '650', share: '0.1', count: 2, days: 7 })
  const account = await openPayer()
  const held = [await pay(account, '600.00'), await pay(account, '600.00')]
  for (const { id } of held) assert.equal((await venture.put(`/transfers/${id}`, { status: 'ON_HOLD' })).status, 200)
  const age = async (days: number) => {
    await bank.owner.query('update transfers set settlement_date = settlement_date - $2::int where id = any($1)', [
      held.map(({ id }) => id),
      days,
    ])
    await bank.owner.query(`update account_activity set day = day - $2::int where account_id = $1 and direction = 'OUTBOUND'`, [
      account.id,
      days,
    ])
  }
  // As if a month had passed.
  await age(40)
  for (const { id } of held) assert.equal((await venture.put(`/transfers/${id}`, { status: 'CREATED' })).status, 200)
  await bank.runProcessing()
  for (const each of held) {
    const kinds = (await alertsOf(each))?.map(({ rule }) => rule.kind)
    assert.deepEqual(kinds, ['sum', 'just_below'])
  }
  // The events of the transfers show the ordered day.
  await age(-40)
})

test('sums and counts are those of all accounts of the client, and payments that failed do not count', async () => {
  const account = await openPayer()
  const other = await openPayer(account.client_id)
  const cancelled = await pay(account, '500.00')
  await pay(other, '600.00')
  assert.equal((await venture.put(`/transfers/${cancelled.id}`, { status: 'CANCELLED' })).status, 200)
  await bank.runProcessing()
  await setRules({ kind: 'sum', above: '1000', days: 1 }, { kind: 'count', above: 2, days: 1 })
  const below = await pay(account, '400.00')
  await bank.runProcessing()
  assert.equal(await alertsOf(below), undefined)
  const above = await pay(account, '0.01')
  await bank.runProcessing()
  assert.deepEqual(
    (await alertsOf(above))?.map(({ rule, figures }) => [rule.kind, figures]),
    [
      ['sum', { sum: '1000.0100', payments: 3 }],
      ['count', { payments: 3, sum: '1000.0100' }],
    ],
  )
  // Other clients and incoming money have sums of their own.
  const stranger = await openPayer()
  const own = await pay(stranger, '900.00')
  await bank.runProcessing()
  assert.equal(await alertsOf(own), undefined)
})

test('payments that are ordered at the same moment all see each other', async () => {
  await setRules({ kind: 'count', above: 2, days: 1 })
  const account = await openPayer()
  const payments = await Promise.all([1, 2, 3].map(() => pay(account, '1.00')))
  await bank.runProcessing()
  for (const payment of payments) assert.equal((await alertsOf(payment))?.length, 1)
})

test('a new payee is one to whom no payment of the client has completed', async () => {
  await setRules({ kind: 'new_payee', above: '100' })
  const account = await openPayer()
  const first = await pay(account, '100.01')
  await bank.runProcessing()
  assert.deepEqual((await alertsOf(first))?.[0].figures, { amount: '100.0100' })
  const { beneficiary_id } = first
  const small = await pay(account, '100.00', { beneficiary_id })
  await bank.runProcessing()
  assert.equal(await alertsOf(small), undefined)
  const known = await pay(account, '5000.00', { beneficiary_id })
  // The same IBAN under another name and from another account of the client is the same payee.
  const { iban } = (await venture.get(`/beneficiaries/${beneficiary_id}`)).body
  const again = await venture.addBeneficiary(account.client_id, { name: 'Somebody Else', iban })
  const elsewhere = await pay(await openPayer(account.client_id), '5000.00', { beneficiary_id: again.id })
  await bank.runProcessing()
  assert.deepEqual([await alertsOf(known), await alertsOf(elsewhere)], [undefined, undefined])
})

test('more than a client has declared for a month', async () => {
  await setRules({ kind: 'expected_volume' })
  const client = await venture.registerClient()
  // Outgoing up to 5,000, incoming up to 1,000.
  const submitted = await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  assert.equal(submitted.status, 201, submitted.text)
  await bank.owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [client.id])
  const account = await venture.openAccount({ client_id: client.id })
  const arrive = async (credit_amount: string) => {
    const order = { account_id: account.id, direction: 'INBOUND' as const, credit_amount, dr_iban: 'DE89370400440532013000' }
    return venture.process(await venture.order(order), 'RECEIVED')
  }
  const expected = await arrive('1000.00')
  await bank.runProcessing()
  assert.equal(await alertsOf(expected), undefined)
  const more = await arrive('0.01')
  const paid = await pay(account, '900.00')
  await bank.runProcessing()
  assert.deepEqual((await alertsOf(more))?.[0].figures, { sum: '1000.0100', payments: 2, expected: '1000.0000', days: 30 })
  assert.equal(await alertsOf(paid), undefined)
})

test('the country of the other party, of its account or of its bank', async () => {
  await setRules({ kind: 'country', countries: ['FRA', 'NLD'] })
  const account = await openPayer()
  const payee = async (changes: object) => (await venture.addBeneficiary(account.client_id, { name: 'Somebody', ...changes })).id
  const [german, french] = [
    await pay(account, '1.00'),
    await pay(account, '1.00', { beneficiary_id: await payee({ iban: 'FR1420041010050500013M02606' }) }),
  ]
  const order = { account_id: account.id, direction: 'INBOUND' as const, credit_amount: '1.00', dr_iban: 'DE89370400440532013000' }
  const arrived = await venture.process(await venture.order({ ...order, dr_bank_bic: 'ABNANL2A' }), 'RECEIVED')
  await bank.runProcessing()
  assert.equal(await alertsOf(german), undefined)
  assert.deepEqual((await alertsOf(french))?.[0].figures, { countries: 'FRA' })
  assert.deepEqual((await alertsOf(arrived))?.[0].figures, { countries: 'NLD' })
})

test('many payments just below a threshold', async () => {
  await setRules({ kind: 'just_below', threshold: '1000', share: '0.05', count: 3, days: 7 })
  const account = await openPayer()
  const other = await openPayer(account.client_id)
  const earlier = [await pay(account, '950.00'), await pay(other, '1000.00'), await pay(account, '949.99'), await pay(account, '1000.01')]
  await bank.runProcessing()
  for (const payment of earlier) assert.equal(await alertsOf(payment), undefined)
  const third = await pay(account, '999.99')
  await bank.runProcessing()
  assert.deepEqual((await alertsOf(third))?.[0].figures, { payments: 3, least: '950.0000', most: '1000.0000' })
})

test('a rule looks only at the payments of its own venture', async () => {
  await setRules({ kind: 'amount', above: '1' })
  const other = await ManagedVenture.open(bank)
  const account = await other.openAccount({ balance: '100.00' })
  const beneficiary = await other.addBeneficiary(account.client_id)
  const payment = await other.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '50.00' })
  await bank.runProcessing()
  assert.equal((await other.get(`/transfers/${payment.id}`)).body.status, 'COMPLETED')
})

test('an OPEN venture is not monitored', async () => {
  const open = await bank.registerVenture()
  const before = await bank.count('account_activity')
  const account = await open.openAccount({ balance: '100.00' })
  const beneficiary = await open.addBeneficiary(account.client_id)
  await open.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '50.00' })
  await bank.runProcessing()
  assert.equal(await bank.count('account_activity'), before)
  const { body } = await open.get('/transfers?direction=OUTBOUND')
  assert.equal(body[0].status, 'CREATED')
})

test('no invariant is broken', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
