// Limits: which debits count, and that exactly the counted amount is given back.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type Loose, openBank, type VentureCaller } from '../../testing/testing.ts'
import { refusedOrder, screening, sending, walk } from '../../testing/testing.walks.ts'

const bank = await openBank()

afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
})

async function open(changes: object = {}) {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '1000.00', ...changes })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id }
  return { venture, account, order }
}

async function usage({ id }: { id: string }): Promise<string[]> {
  const { rows } = await bank.owner.query('select used_day, used_month, used_year from accounts where id = $1', [id])
  return ['used_day', 'used_month', 'used_year'].map((column) => Number(rows[0][column]).toFixed(2))
}

const each = (amount: string) => [amount, amount, amount]

test('payments over every method, authorisations and advices count when they are created', async () => {
  const { venture, account, order } = await open({ daily_limit: '80.00' })
  const neighbour = await venture.openAccount()
  const near = await venture.addBeneficiary(account.client_id, { iban: neighbour.account_number })
  const far = await venture.addBeneficiary(account.client_id, { account_number: '12345678', routing_number: '021000021' })
  const orders: object[] = [
    ...['SEPA', 'INST', 'SWIFT', 'SDD'].map((method) => ({ method })),
    { method: 'DOMESTIC', beneficiary_id: far.id, credit_currency: 'USD', exchange_rate: '1.1' },
    ...['INTERNAL', 'SDD_INTERNAL'].map((method) => ({ method, beneficiary_id: near.id })),
    ...['CARD_AUTH', 'CARD_ADVICE'].map((transfer_type) => ({ transfer_type })),
  ]
  for (const [index, more] of orders.entries()) {
    assert.deepEqual(await usage(account), each((index * 10).toFixed(2)))
    if (index < 8) await venture.createTransfer({ ...order, debit_amount: '10.00', ...more })
  }
  for (const more of orders) await refusedOrder(venture, { ...order, debit_amount: '0.01', ...more }, 'limit_exceeded')
  for (const transfer_type of ['FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING', 'CARD_CLEARING'])
    await venture.createTransfer({ ...order, debit_amount: '10.00', transfer_type })
  assert.deepEqual(await usage(account), each('80.00'))
})

async function authorise({ venture, order }: { venture: VentureCaller; order: object }, more: object = {}): Promise<Loose> {
  const authorisation = await venture.createTransfer({ ...order, transfer_type: 'CARD_AUTH', debit_amount: '50.00', ...more })
  await walk(venture, authorisation, 'RESERVED')
  return authorisation
}

test('a clearing counts only what it asks above the hold, when it takes the hold over', async () => {
  const { venture, account, order } = await open({ daily_limit: '60.00' })
  const authorisation = await authorise({ venture, order })
  const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: authorisation.id }
  const tooMuch = await venture.createTransfer({ ...clearing, debit_amount: '60.01' })
  assert.deepEqual(await usage(account), each('50.00'))
  const { status, problem } = await venture.put(`/transfers/${tooMuch.id}`, { status: 'RESERVED' })
  assert.deepEqual([status, problem?.code, problem?.period, problem?.used], [422, 'limit_exceeded', 'day', '50.00'])
  assert.equal(problem.detail, 'Daily limit exceeded: 10.01 EUR requested, 10.00 EUR left of 60.00 EUR.')
  const within = await venture.createTransfer({ ...clearing, debit_amount: '60.00' })
  await walk(venture, within, 'RESERVED')
  assert.deepEqual(await usage(account), each('60.00'))
  await walk(venture, within, 'COMPLETED')
  assert.deepEqual(await usage(account), each('60.00'))
})

test('a clearing without an authorisation counts in full', async () => {
  const { venture, account, order } = await open({ daily_limit: '60.00' })
  const first = await venture.createTransfer({ ...order, transfer_type: 'CARD_CLEARING', debit_amount: '40.00' })
  const second = await venture.createTransfer({ ...order, transfer_type: 'CARD_CLEARING', debit_amount: '40.00' })
  await walk(venture, first, 'RESERVED')
  assert.equal((await venture.put(`/transfers/${second.id}`, { status: 'RESERVED' })).problem?.code, 'limit_exceeded')
  await walk(venture, first, 'CANCELLED')
  assert.deepEqual(await usage(account), each('0.00'))
  await walk(venture, second, 'RESERVED')
})

test('authorisation and clearings together give back exactly what was counted', async () => {
  const { venture, account, order } = await open()
  const authorisation = await authorise({ venture, order })
  const child = (transfer_type: string, debit_amount: string) =>
    venture.createTransfer({ ...order, transfer_type, parent_transaction_id: authorisation.id, debit_amount })
  const first = await child('CARD_CLEARING', '20.00')
  await walk(venture, first, 'RESERVED')
  assert.deepEqual(await usage(account), each('50.00'))
  // The cancelled clearing gives back its part; the authorisation keeps the rest.
  await walk(venture, first, 'CANCELLED')
  assert.deepEqual(await usage(account), each('30.00'))
  await walk(venture, await child('CARD_REVERSAL', '5.00'), 'COMPLETED')
  assert.deepEqual(await usage(account), each('25.00'))
  const second = await child('CARD_CLEARING', '10.00')
  await walk(venture, second, 'RESERVED')
  await walk(venture, authorisation, 'CANCELLED')
  assert.deepEqual(await usage(account), each('10.00'))
  await walk(venture, second, 'COMPLETED')
  assert.deepEqual(await usage(account), each('10.00'))
})

test('a clearing above the hold gives back both parts, each on its own day', async () => {
  const { venture, account, order } = await open()
  const authorisation = await authorise({ venture, order })
  const today = new Date().toISOString().slice(0, 10)
  const lastYear = `${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`
  // As if the authorisation had been made last year.
  await bank.owner.query('update transfers set counted_on = $2 where id = $1', [authorisation.id, lastYear])
  await bank.owner.query('update accounts set used_on = $2 where id = $1', [account.id, lastYear])
  const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: authorisation.id, debit_amount: '70.00' }
  const above = await venture.createTransfer(clearing)
  await walk(venture, above, 'RESERVED')
  assert.deepEqual(await usage(account), each('20.00'))
  const { rows } = await bank.owner.query(
    'select counted_on::text, counted_amount, authorised_on::text, authorised_amount from transfers where id = $1',
    [above.id],
  )
  const [{ counted_on, counted_amount, authorised_on, authorised_amount }] = rows
  assert.deepEqual([counted_on, Number(counted_amount), authorised_on, Number(authorised_amount)], [today, 20, lastYear, 50])
  await venture.createTransfer({ ...order, debit_amount: '5.00' })
  await walk(venture, above, 'CANCELLED')
  assert.deepEqual(await usage(account), each('5.00'))
})

test('fees do not count, also when a clearing divides amount and fee in another way', async () => {
  const { venture, account, order } = await open()
  const dollars = { credit_currency: 'USD', exchange_rate: '1.1' }
  const authorisation = await authorise({ venture, order }, { ...dollars, fx_fee_amount: '5.00' })
  assert.deepEqual(await usage(account), each('50.00'))
  const clearing = { ...order, ...dollars, transfer_type: 'CARD_CLEARING', parent_transaction_id: authorisation.id }
  const other = await venture.createTransfer({ ...clearing, debit_amount: '45.00', fx_fee_amount: '10.00' })
  await walk(venture, other, 'RESERVED')
  assert.deepEqual(await usage(account), each('45.00'))
  await walk(venture, other, 'CANCELLED')
  assert.deepEqual(await usage(account), each('0.00'))
})

test('a transfer of an older version, which does not say what it counted, gives back its whole amount', async () => {
  const { venture, account, order } = await open()
  const old = await venture.createTransfer({ ...order, debit_amount: '30.00' })
  const done = await venture.createTransfer({ ...order, debit_amount: '20.00' })
  await bank.owner.query('update transfers set counted_amount = null, edition = 1 where id = any($1)', [[old.id, done.id]])
  await walk(venture, old, 'CANCELLED')
  assert.deepEqual(await usage(account), each('20.00'))
  await walk(venture, done, `${sending} COMPLETED`)
  assert.deepEqual(await usage(account), each('20.00'))
})

test('an authorisation of an older version, which was not counted, gives nothing back', async () => {
  const { venture, account, order } = await open()
  const authorisation = await authorise({ venture, order })
  await bank.owner.query('update transfers set counted_amount = null, counted_on = null, edition = 1 where id = $1', [authorisation.id])
  await bank.owner.query('update accounts set used_day = 0, used_month = 0, used_year = 0 where id = $1', [account.id])
  await venture.createTransfer({ ...order, debit_amount: '7.00' })
  const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: authorisation.id }
  const first = await venture.createTransfer({ ...clearing, debit_amount: '20.00' })
  await walk(venture, first, 'RESERVED')
  assert.deepEqual(await usage(account), each('7.00'))
  await walk(venture, first, 'CANCELLED')
  await walk(venture, authorisation, 'CANCELLED')
  assert.deepEqual(await usage(account), each('7.00'))
})

test('an internal payment counts for the payer only', async () => {
  const { venture, account } = await open()
  const to = await venture.openAccount({ daily_limit: '1.00' })
  const inside = await venture.addBeneficiary(account.client_id, { iban: to.account_number })
  const paid = await venture.createTransfer({ account_id: account.id, beneficiary_id: inside.id, debit_amount: '20.00' })
  await walk(venture, paid, `RESERVED ${screening} COMPLETED`)
  assert.deepEqual([await usage(account), await usage(to)], [each('20.00'), each('0.00')])
})
