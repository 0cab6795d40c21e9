// The bookings of card payments: each change books its difference, in its own transaction.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readMigrations } from '../platform/database/migrate.ts'
import { notOnCluster, turnTriggersOff } from '../testing/testing.server.ts'
import { expect, Shop } from '../testing/testing.shop.ts'
import { openBank } from '../testing/testing.ts'

const bank = await openBank()
await bank.listen()
afterEach(async () => assert.deepEqual(await bank.wrongBooks(), []))

/** The balances when this much is payable. */
const books = (payable: string) => (payable === '0' ? {} : { 'settlement:CARD:EUR': `-${payable}`, 'payable:EUR': payable })

test('a payment is booked when it is paid, and a refund books the difference', async () => {
  const shop = await Shop.open(bank)
  const payment = await shop.order('25.00')
  assert.deepEqual(await bank.systemBalances(shop.venture), {})
  await shop.try(payment)
  assert.deepEqual(await bank.systemBalances(shop.venture), books('25.00'))
  expect(await shop.refund(payment, '10.00'), 200)
  assert.deepEqual(await bank.systemBalances(shop.venture), books('15.00'))
  expect(await shop.refund(payment, '15.00'), 200)
  assert.deepEqual(await bank.systemBalances(shop.venture), {})
  const { rows } = await bank.owner.query(
    `select distinct cause_kind, cause_id from entries where venture_id = $1 and system_account is not null`,
    [shop.venture.venture.id],
  )
  assert.deepEqual(rows, [{ cause_kind: 'payment', cause_id: payment.id }])
})

test('reading a payment again books nothing', async () => {
  const shop = await Shop.open(bank)
  const payment = await shop.sell('25.00')
  const before = await bank.count('entries')
  await shop.refresh(payment)
  assert.equal(await bank.count('entries'), before)
})

test('a refund made by hand at the gateway is booked when we learn of it, and once', async () => {
  const shop = await Shop.open(bank)
  const payment = await shop.sell('25.00')
  assert.equal((await shop.byHand('refund', payment, 400)).refunded_amount, '4.00')
  assert.deepEqual(await bank.systemBalances(shop.venture), books('21.00'))
  expect(await shop.refund(payment, '1.00'), 200)
  assert.deepEqual(await bank.systemBalances(shop.venture), books('20.00'))
})

test('a reversal takes the booking back, ours and one made by hand', async () => {
  const shop = await Shop.open(bank)
  const [ours, theirs] = [await shop.sell('25.00'), await shop.sell('5.00')]
  assert.equal(expect(await shop.cancel(ours), 200).status, 'CANCELED')
  assert.deepEqual(await bank.systemBalances(shop.venture), books('5.00'))
  assert.equal((await shop.byHand('reverse', theirs)).status, 'CANCELED')
  assert.deepEqual(await bank.systemBalances(shop.venture), {})
})

test('a payment that fails books nothing, and is booked if it is paid late', async () => {
  const shop = await Shop.open(bank)
  const payment = await shop.order('25.00')
  assert.equal((await shop.try(payment, 'lost')).status, 'REFUSED')
  assert.deepEqual(await bank.systemBalances(shop.venture), {})
  assert.equal((await shop.try(payment)).status, 'PAID')
  assert.deepEqual(await bank.systemBalances(shop.venture), books('25.00'))
})

test('currencies are booked apart, with their decimals', async () => {
  const shop = await Shop.open(bank)
  await shop.sell('25.00')
  await shop.sell('700', 'JPY')
  assert.deepEqual(await bank.systemBalances(shop.venture), {
    ...books('25.00'),
    'settlement:CARD:JPY': '-700',
    'payable:JPY': '700',
  })
})

test('the migration books the payments that exist', { skip: notOnCluster('migrations') }, async () => {
  const shop = await Shop.open(bank)
  const [partly, wholly] = [await shop.sell('25.00'), await shop.sell('5.00')]
  expect(await shop.refund(partly, '10.00'), 200)
  expect(await shop.refund(wholly, '5.00'), 200)
  await shop.cancel(await shop.sell('3.00'))
  await shop.order('9.00')
  const { text } = (await readMigrations()).find(({ name }) => name.endsWith('_bank_side.sql')) ?? assert.fail()
  const [booking = assert.fail()] = /^with booked[^;]+;/m.exec(text) ?? []
  await bank.owner.query('begin')
  await turnTriggersOff(bank.owner)
  await bank.owner.query(`delete from entries where cause_kind = 'payment'`)
  await bank.owner.query('set local session_replication_role = origin')
  await bank.owner.query(booking)
  await bank.owner.query('commit')
  assert.deepEqual(await bank.systemBalances(shop.venture), books('15.00'))
  const { rows } = await bank.owner.query(
    `select count(*)::int as entries, count(distinct journal_id)::int as journals, bool_and(substr(id::text, 15, 1) = '7') as v7
     from entries where venture_id = $1`,
    [shop.venture.venture.id],
  )
  assert.deepEqual(rows, [{ entries: 2, journals: 1, v7: true }])
})
