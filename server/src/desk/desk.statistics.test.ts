// The statistics of a venture.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMember } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { getStatistics } from './desk.statistics.ts'

const bank = await openBank()

const nothing = { transfers: 0, transfers_to_sign: 0, failed_deliveries: 0, disabled_endpoints: 0, clients_in_verification: 0 }

test('a new venture has nothing to show, and nothing that waits', async () => {
  const venture = await bank.registerVenture()
  const { status, body } = await venture.get('/statistics')
  assert.equal(status, 200)
  assert.match(body.since, /^\d{4}-\d\d-\d\d$/)
  assert.deepEqual(body, {
    since: body.since,
    balances: [],
    balances_truncated: false,
    transfers_by_status: [],
    volumes: [],
    transfers_truncated: false,
    attention: nothing,
  })
})

/** An account with 6.00 EUR after a deposit and a payment, 1.50 of it reserved, and an account in dollars. */
async function openVenture() {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '10.00' })
  await venture.openAccount({ currency: 'USD', client_id: account.client_id })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id }
  const paid = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  await venture.post(`/sandbox/transfers/${paid.id}/settle`, { outcome: 'COMPLETED' })
  const reserved = await venture.createTransfer({ ...order, debit_amount: '1.50' })
  await venture.put(`/transfers/${reserved.id}`, { status: 'RESERVED' })
  const held = await venture.createTransfer({ ...order, debit_amount: '1.00' })
  await venture.put(`/transfers/${held.id}`, { status: 'ON_HOLD' })
  return { venture, paid, held }
}

test('balances are added up by currency, and transfers counted by status, day, currency and direction', async () => {
  const { venture, paid } = await openVenture()
  const { body } = await venture.get('/statistics')
  assert.deepEqual(body.balances, [
    { currency: 'EUR', accounts: 1, current_balance: '6.00', reserved_balance: '1.50', available_balance: '4.50' },
    { currency: 'USD', accounts: 1, current_balance: '0.00', reserved_balance: '0.00', available_balance: '0.00' },
  ])
  assert.deepEqual(body.transfers_by_status, [
    { status: 'COMPLETED', count: 2 },
    { status: 'ON_HOLD', count: 1 },
    { status: 'RESERVED', count: 1 },
  ])
  const date = paid.created_at.slice(0, 10)
  const volumes = body.volumes.filter((volume: Loose) => volume.date === date)
  assert.ok(
    volumes.some(({ direction, currency, amount }: Loose) => direction === 'OUTBOUND' && currency === 'EUR' && amount === '4.00'),
    JSON.stringify(body.volumes),
  )
  const got = body.volumes.filter(({ direction }: Loose) => direction === 'INBOUND')
  assert.deepEqual(
    got.map(({ currency, count, amount }: Loose) => ({ currency, count, amount })),
    [{ currency: 'EUR', count: 1, amount: '10.00' }],
  )
})

/** A client who is not verified, and a disabled endpoint with many failed deliveries. */
async function leaveWaiting(venture: VentureCaller): Promise<void> {
  await venture.registerClient()
  const { body: endpoint } = await venture.post('/webhook-endpoints', { url: 'https://example.com/hooks' })
  await venture.put(`/webhook-endpoints/${endpoint.id}`, { status: 'DISABLED' })
  await bank.owner.query(
    `insert into webhook_deliveries (venture_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, attempts, tries, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'client.created', $1, 1, 'FAILED', '[]', 10, now() from generate_series(1, 103)`,
    [venture.venture.id, endpoint.id],
  )
}

test('what waits for somebody is counted', async () => {
  const { venture } = await openVenture()
  await leaveWaiting(venture)
  const { body } = await venture.get('/statistics')
  // Counts end at 100.
  assert.deepEqual(body.attention, {
    transfers: 1,
    transfers_to_sign: 0,
    failed_deliveries: 100,
    disabled_endpoints: 1,
    clients_in_verification: 1,
  })
})

test('only the given days count', async () => {
  const { venture, paid } = await openVenture()
  const id = `01900000${paid.id.slice(8)}`
  // An old transfer, without its related rows.
  await bank.owner.query(
    `insert into transfers select (json_populate_record(null::transfers, (to_jsonb(transfers) ||
       jsonb_build_object('id', $2::text, 'unique_reference', $2::text, 'created_at', '2024-06-09T00:00:00Z'))::json)).*
     from transfers where venture_id = $1 and id = $3`,
    [venture.venture.id, id, paid.id],
  )
  for (const days of [1, 30, 90]) {
    const { body } = await venture.get(`/statistics?days=${days}`)
    assert.ok(
      body.volumes.every(({ date }: Loose) => date >= body.since),
      `${days}`,
    )
    assert.ok(body.transfers_by_status.every(({ status, count }: Loose) => status !== 'COMPLETED' || count <= 2))
  }
})

test('only the newest are read, and the figures say so', async () => {
  const { venture } = await openVenture()
  const { database } = bank
  const figures = await getStatistics(database, venture.venture.id, 30, { most: 1, mostWaiting: 100 })
  assert.deepEqual([figures.balances_truncated, figures.transfers_truncated], [true, true])
  assert.deepEqual(
    figures.balances.map(({ currency, accounts }) => [currency, accounts]),
    [['USD', 1]],
  )
  const all = await getStatistics(database, venture.venture.id, 30, { most: 4, mostWaiting: 100 })
  assert.deepEqual([all.balances_truncated, all.transfers_truncated], [false, false])
})

test('the figures are those of the own venture', async () => {
  const { venture } = await openVenture()
  await leaveWaiting(venture)
  const other = await bank.registerVenture()
  const { body } = await other.get('/statistics')
  assert.deepEqual([body.balances, body.transfers_by_status, body.volumes, body.attention], [[], [], [], nothing])
})

test('a wrong number of days is refused, and so are keys without the scope read', async () => {
  const venture = await bank.registerVenture()
  for (const days of ['0', '91', '-1', '1.5', 'x', '']) {
    const { status, problem } = await venture.get(`/statistics?days=${days}`)
    assert.deepEqual([status, problem.code], [400, 'invalid_request'], days)
  }
  assert.equal((await venture.get('/statistics?day=3')).problem.code, 'invalid_request')
  const { body } = await venture.post('/venture/keys', { name: 'Transfers', scopes: ['transfers'] })
  assert.equal((await new Caller(bank.app, { 'x-api-key': body.api_key }).get('/statistics')).problem.code, 'forbidden')
  assert.equal((await (await openMember(bank, venture.venture.id, 'viewer')).get('/statistics')).status, 200)
  assert.equal((await bank.stranger.get('/statistics')).problem.code, 'unauthorized')
})
