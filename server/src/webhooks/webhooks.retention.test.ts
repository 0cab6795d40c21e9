import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../testing/testing.receiver.ts'
import { type Bank, openBank, type VentureCaller } from '../testing/testing.ts'
import { deliveryPruning } from './webhooks.retention.ts'

const day_ms = 86_400_000

/** Deletes what is old enough; returns how many rows each step deleted. */
async function prune({ database }: Bank, days = 30): Promise<number[]> {
  const deleted: number[] = []
  for await (const count of deliveryPruning(database, { days }).steps()) deleted.push(count)
  return deleted
}

async function openEndpoint(venture: VentureCaller) {
  const receiver = await openReceiver()
  return { receiver, endpoint: (await venture.post('/webhook-endpoints', { url: receiver.url })).body }
}

/** The id of a delivery that was created this many days ago. */
function idOf(days: number, count = 0): string {
  const hex = (Date.now() - days * day_ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(count).padStart(12, '0')}`
}

/** Inserts deliveries of a given age, delivered on `delivered` if set. */
async function insertOld(
  { owner }: Bank,
  { venture }: VentureCaller,
  endpoint_id: string,
  { count = 1, created, status, delivered }: { count?: number; created: number; status: string; delivered?: number },
): Promise<void> {
  const at = (days: number) => new Date(Date.now() - days * day_ms).toISOString()
  await owner.query(
    `insert into webhook_deliveries (venture_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, attempts, tries, created_at, delivered_at)
     select $1, id, $2, gen_random_uuid(), 'client.created', gen_random_uuid(), 1, $4, '[]', 1, $5, $6 from unnest($3::uuid[]) as made (id)`,
    [
      venture.id,
      endpoint_id,
      Array.from({ length: count }, (_, number) => idOf(created, number)),
      status,
      at(created),
      delivered === undefined ? null : at(delivered),
    ],
  )
}

async function left({ owner }: Bank): Promise<string[]> {
  const { rows } = await owner.query(
    `select status || ' ' || date_part('day', now() - created_at) as what from webhook_deliveries order by id`,
  )
  return rows.map(({ what }) => what)
}

test('deliveries are deleted 30 days after they succeeded; undelivered ones and recent ones stay', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const { endpoint } = await openEndpoint(venture)
  await insertOld(bank, venture, endpoint.id, { created: 400, status: 'DELIVERED', delivered: 399 })
  await insertOld(bank, venture, endpoint.id, { created: 300, status: 'FAILED' })
  await insertOld(bank, venture, endpoint.id, { created: 200, status: 'PENDING' })
  // Redelivered manually, long after it was created.
  await insertOld(bank, venture, endpoint.id, { created: 100, status: 'DELIVERED', delivered: 10 })
  await insertOld(bank, venture, endpoint.id, { created: 31, status: 'DELIVERED', delivered: 31 })
  await insertOld(bank, venture, endpoint.id, { created: 29, status: 'DELIVERED', delivered: 29 })
  assert.deepEqual(await prune(bank), [2])
  assert.deepEqual(await left(bank), ['FAILED 300', 'PENDING 200', 'DELIVERED 100', 'DELIVERED 29'])
  assert.deepEqual(await prune(bank), [0])
  assert.deepEqual(await prune(bank, 9), [2])
  assert.deepEqual(await left(bank), ['FAILED 300', 'PENDING 200'])
})

test('deliveries of all ventures are deleted, in steps of a thousand, past those that stay', async () => {
  const bank = await openBank()
  const [one, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const [first, second] = [await openEndpoint(one), await openEndpoint(other)]
  await insertOld(bank, one, first.endpoint.id, { count: 1_500, created: 50, status: 'FAILED' })
  await insertOld(bank, one, first.endpoint.id, { count: 1_200, created: 40, status: 'DELIVERED', delivered: 40 })
  await insertOld(bank, other, second.endpoint.id, { count: 3, created: 40, status: 'DELIVERED', delivered: 40 })
  // In the order of the ventures, which were created one after the other.
  assert.deepEqual(await prune(bank), [0, 500, 700, 3])
  assert.equal(await bank.count('webhook_deliveries'), 1_500)
})

test('real deliveries are kept, and an endpoint goes on where it was after its old deliveries were deleted', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const { receiver, endpoint } = await openEndpoint(venture)
  await venture.registerClient()
  await bank.runDeliveries()
  assert.deepEqual(await prune(bank), [0])
  const old = idOf(31)
  const { rows } = await bank.owner.query(
    `update webhook_deliveries set id = $1, created_at = now() - interval '31 days', delivered_at = now() - interval '31 days' returning id`,
    [old],
  )
  assert.equal(rows.length, 1)
  assert.deepEqual(await prune(bank), [1])
  await venture.registerClient()
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 2)
  assert.equal((await venture.get(`/webhook-endpoints/${endpoint.id}/deliveries/${old}`)).problem.code, 'delivery_not_found')
})

test('two instances delete at the same time without waiting for each other', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const { endpoint } = await openEndpoint(venture)
  await insertOld(bank, venture, endpoint.id, { count: 2_500, created: 40, status: 'DELIVERED', delivered: 40 })
  // Rows that another instance is deleting.
  await bank.owner.query('begin')
  await bank.owner.query(
    `select from webhook_deliveries where venture_id = $1
       and id in (select id from webhook_deliveries where venture_id = $1 order by id limit 100) for update`,
    [venture.venture.id],
  )
  const deleted = (await prune(bank)).reduce((sum, count) => sum + count, 0)
  assert.equal(deleted, 2_400)
  await bank.owner.query('rollback')
  assert.deepEqual(await prune(bank), [100])
})
