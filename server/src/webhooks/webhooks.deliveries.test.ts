// The list of deliveries of all endpoints.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../testing/testing.receiver.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

const idsOf = ({ body }: Answer): string[] => body.map(({ id }: Loose) => id)

/** A venture with two endpoints, one of which accepts nothing, and two clients, whose events go to both. */
async function openVenture() {
  const venture = await bank.registerVenture()
  const [good, bad] = [await openReceiver(), await openReceiver()]
  bad.status = 500
  const [reached, unreached] = [
    (await venture.post('/webhook-endpoints', { url: good.url })).body,
    (await venture.post('/webhook-endpoints', { url: bad.url })).body,
  ]
  const [first, second] = [await venture.registerClient(), await venture.registerClient()]
  await bank.runDeliveries()
  return { venture, reached, unreached, first, second }
}

test('deliveries of all endpoints are listed together, newest first, page by page', async () => {
  const { venture, reached, unreached } = await openVenture()
  const all = await venture.get('/webhook-deliveries')
  assert.equal(all.status, 200)
  assert.equal(all.body.length, 4)
  assert.deepEqual(idsOf(all), idsOf(all).toSorted().toReversed())
  const each = await Promise.all([reached, unreached].map(({ id }) => venture.get(`/webhook-endpoints/${id}/deliveries`)))
  assert.deepEqual(new Set(idsOf(all)), new Set(each.flatMap(idsOf)))
  const page = await venture.get('/webhook-deliveries?limit=3')
  assert.deepEqual(idsOf(page), idsOf(all).slice(0, 3))
  const next = page.headers['link']?.match(/^<\/api\/v1(.*)>; rel="next"$/)?.[1] ?? ''
  assert.deepEqual(idsOf(await venture.get(next)), idsOf(all).slice(3))
})

test('the list is narrowed by status, endpoint, event and resource, and by several of them', async () => {
  const { venture, reached, unreached, first, second } = await openVenture()
  const { body: all } = await venture.get('/webhook-deliveries')
  const expect = async (query: Record<string, string>, matches: (delivery: Loose) => boolean, count: number) => {
    const found = await venture.get(`/webhook-deliveries?${new URLSearchParams(query)}`)
    assert.deepEqual(found.body, all.filter(matches), JSON.stringify(query))
    assert.equal(found.body.length, count, JSON.stringify(query))
  }
  const { event_id } = all[0]
  await expect({ status: 'DELIVERED' }, ({ endpoint_id }) => endpoint_id === reached.id, 2)
  await expect({ status: 'PENDING' }, ({ endpoint_id }) => endpoint_id === unreached.id, 2)
  await expect({ status: 'FAILED' }, () => false, 0)
  await expect({ endpoint_id: unreached.id }, ({ endpoint_id }) => endpoint_id === unreached.id, 2)
  await expect({ event_id }, (delivery) => delivery.event_id === event_id, 2)
  await expect({ resource_id: first.id }, ({ resource_id }) => resource_id === first.id, 2)
  await expect(
    { resource_id: second.id, status: 'PENDING' },
    ({ resource_id, status }) => resource_id === second.id && status === 'PENDING',
    1,
  )
  await expect(
    { resource_id: first.id, event_id: all.find(({ resource_id }: Loose) => resource_id === second.id).event_id },
    () => false,
    0,
  )
  for (const name of ['endpoint_id', 'event_id', 'resource_id']) await expect({ [name]: unknownId }, () => false, 0)
})

test('deliveries of another venture are never listed, whatever the filter', async () => {
  const { venture, unreached, first } = await openVenture()
  const { body } = await venture.get('/webhook-deliveries')
  const other = await bank.registerVenture()
  const { event_id, id } = body[0]
  for (const query of ['', `endpoint_id=${unreached.id}`, `event_id=${event_id}`, `resource_id=${first.id}`, 'status=PENDING', 'limit=1']) {
    const answer = await other.get(`/webhook-deliveries?${query}`)
    assert.deepEqual([answer.status, answer.body], [200, []], query)
  }
  assert.deepEqual((await other.get(`/webhook-deliveries?after=${id}`)).body, [])
})

test('invalid filters are refused, and so are keys without the scope', async () => {
  const venture = await bank.registerVenture()
  for (const query of [
    'status=LOST',
    'endpoint_id=1',
    'event_id=x',
    'resource_id=',
    'limit=0',
    'limit=101',
    'colour=red',
    `after=${unknownId}&offset=1`,
  ]) {
    const { status, problem } = await venture.get(`/webhook-deliveries?${query}`)
    assert.deepEqual([status, problem.code], [400, 'invalid_request'], query)
  }
  const { body } = await venture.post('/venture/keys', { name: 'Clients', scopes: ['clients'] })
  const { problem } = await new Caller(bank.app, { 'x-api-key': body.api_key }).get('/webhook-deliveries')
  assert.equal(problem.code, 'forbidden')
})
