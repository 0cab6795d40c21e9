// What the bank can send: an order that no active rail carries is refused, instead of being reserved and left. OPEN ventures are not concerned.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openFirstCase } from '../../cases/cases.ts'
import { Participations } from '../../schemes/schemes.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { changeRail } from '../../testing/testing.participations.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { Refusal } from '../../values/refusals.ts'
import { createTransfer, openTransfers } from '../transfers.ts'

const bank = await openBank()
const managed = await ManagedVenture.open(bank)
const german = { iban: 'DE89370400440532013000' }
const wired = { iban: null, account_number: '12345678', bic: 'CHASUS33' }
const domestic = { iban: null, account_number: '12345678', routing_number: '021000021' }

const euros = await managed.openAccount({ balance: '1000.00' })
const toGermany = { account_id: euros.id, beneficiary_id: (await managed.addBeneficiary(euros.client_id, german)).id }
const abroad = { account_id: euros.id, beneficiary_id: (await managed.addBeneficiary(euros.client_id, wired)).id }
const order = (fields: object = {}) => ({ unique_reference: randomUUID(), debit_amount: '10.00', ...toGermany, ...fields })
const post = (fields: object = {}) => managed.post('/transfers', order(fields))
const codeOf = ({ status, problem }: { status: number; problem?: Loose }) => [status, problem?.['code']]

/** A bank outside the sandbox, where nobody carries what no rail carries. */
const outside = openTransfers(
  bank.database,
  bank.config.bank,
  openFirstCase,
  new Participations({ database: bank.database, carriesOthers: false }),
)
async function outcomeOf(fields: object): Promise<string> {
  const actor = { kind: 'venture', id: randomUUID() } as const
  const made = createTransfer(outside, { venture_id: managed.venture.id, order: order(fields) as never, actor })
  return made.then(
    ({ method }) => method,
    (error) => (error instanceof Refusal ? error.code : Promise.reject(error)),
  )
}

test('a derived method without a participation is refused, and one that the order names is left to people', async () => {
  assert.equal(await outcomeOf({}), 'SEPA')
  assert.equal(await outcomeOf(abroad), 'method_not_available')
  assert.equal(await outcomeOf({ ...abroad, method: 'SWIFT' }), 'SWIFT')
  const usa = await managed.addBeneficiary(euros.client_id, domestic)
  assert.equal(await outcomeOf({ ...toGermany, beneficiary_id: usa.id }), 'method_not_available')
})

test('in the sandbox, stand-ins carry what no rail carries', async () => {
  const { status, body, text } = await post(abroad)
  assert.deepEqual([status, body?.method], [201, 'SWIFT'], text)
})

test('what is ordered as instant is instant, or refused', async () => {
  assert.equal((await post({ is_instant: true })).body.method, 'INST')
  for (const fields of [{ ...abroad }, { debit_amount: '1000000000.00' }]) {
    const { status, problem } = await post({ is_instant: true, ...fields })
    assert.equal(status, 422, JSON.stringify(fields))
    assert.match(problem.detail, /INST/)
  }
  const named = await post({ is_instant: true, method: 'SEPA' })
  assert.deepEqual(codeOf(named), [422, 'transfer_method_invalid'])
  assert.match(named.problem.detail, /SEPA is not instant/)
})

test('in an OPEN venture, an order that cannot be instant takes another method', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  const account = await venture.openAccount({ client_id: client['id'] })
  const { id: beneficiary_id } = await venture.addBeneficiary(client['id'], wired)
  const order = { account_id: account['id'], beneficiary_id, debit_amount: '10.00', is_instant: true }
  assert.equal((await venture.createTransfer(order)).method, 'SWIFT')
  assert.equal((await venture.createTransfer({ ...order, method: 'SWIFT' })).method, 'SWIFT')
})

test('the bounds of the bank are within those of the scheme', async () => {
  await changeRail(bank, 'SEPA', { smallest: '1.00', largest: '500.00' })
  assert.equal((await post({ method: 'SEPA', debit_amount: '1.00' })).status, 201)
  for (const debit_amount of ['0.99', '500.01']) {
    const { status, problem } = await post({ method: 'SEPA', debit_amount })
    assert.deepEqual([status, problem?.code], [422, 'transfer_method_invalid'], debit_amount)
    assert.match(problem.detail, /at least 1\.00 EUR and at most 500\.00 EUR/)
  }
  // Without a method, another one that fits is taken.
  assert.equal((await post({ debit_amount: '500.01' })).body.method, 'SWIFT')
  // What other banks have sent is booked, whatever it is.
  await managed.receive(euros, '0.50')
  await changeRail(bank, 'SEPA', { smallest: null, largest: '999999999.99' })
})

test('an order settles by the calendar of its rail', async () => {
  const days = { weekend: [6, 7], closed: [] }
  const admin = bank.admin
  const year = new Date().getUTCFullYear()
  for (const each of [year, year + 1]) assert.equal((await admin.put(`/operator/calendars/LOCAL/${each}`, days)).status, 200)
  await changeRail(bank, 'SEPA', { lead_days: 5 })
  const later = await post({ method: 'SEPA' })
  await changeRail(bank, 'SEPA', { lead_days: 1 })
  const sooner = await post({ method: 'SEPA' })
  assert.ok(later.body.settlement_date > sooner.body.settlement_date, `${later.body.settlement_date} ${sooner.body.settlement_date}`)
})

test('a rail that is suspended or has ended takes no orders; incoming money and payments within the bank go on', async () => {
  const neighbour = await managed.openAccount()
  const inside = await managed.addBeneficiary(euros.client_id, { iban: neighbour.account_number })
  await changeRail(bank, 'INST', { state: 'SUSPENDED' })
  assert.deepEqual(codeOf(await post({ is_instant: true })), [409, 'rail_suspended'])
  assert.deepEqual(codeOf(await post({ method: 'INST' })), [409, 'rail_suspended'])
  const stays = await post({ is_instant: true, beneficiary_id: inside.id })
  assert.deepEqual([stays.status, stays.body?.method], [201, 'INST'], stays.text)
  await changeRail(bank, 'INST', { state: 'ENDED' })
  assert.deepEqual(codeOf(await post({ is_instant: true })), [422, 'method_not_available'])
  await changeRail(bank, 'SEPA', { state: 'SUSPENDED' })
  assert.deepEqual(codeOf(await post({ method: 'SEPA' })), [409, 'rail_suspended'])
  assert.deepEqual(codeOf(await post()), [409, 'rail_suspended'])
  assert.deepEqual(codeOf(await managed.post('/transfers/dry-run', order({ method: 'SEPA' }))), [200, undefined])
  await managed.receive(euros, '5.00')
  await changeRail(bank, 'SEPA', { state: 'ACTIVE' })
  await changeRail(bank, 'INST', { state: 'ACTIVE' })
  assert.equal((await post()).body.method, 'SEPA')
  assert.equal((await post({ is_instant: true })).body.method, 'INST')
})

test('an OPEN venture orders whatever the bank takes part in', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  const account = await venture.openAccount({ client_id: client['id'] })
  const { id: beneficiary_id } = await venture.addBeneficiary(client['id'], german)
  await changeRail(bank, 'SEPA', { state: 'SUSPENDED', largest: '1.00' })
  const created = await venture.createTransfer({ account_id: account['id'], beneficiary_id, debit_amount: '10.00' })
  await changeRail(bank, 'SEPA', { state: 'ACTIVE', largest: '999999999.99' })
  assert.equal(created.method, 'SEPA')
})
