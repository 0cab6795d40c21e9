// Resends: each reaches its followers exactly once, even if several are made at the same time.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openReceiver } from '../testing/testing.receiver.ts'
import { openBank, type VentureCaller } from '../testing/testing.ts'
import { untilBlocked } from '../testing/testing.waits.ts'

const bank = await openBank()

async function openVenture() {
  const venture = await bank.registerVenture()
  await venture.post('/payment-links', { amount: '1.00', currency: 'EUR' })
  const [event] = (await venture.get('/events')).body
  return { venture, event }
}

const numbersSince = async (venture: VentureCaller, since: number | string) =>
  (await venture.get(`/events/resends?since_number=${since}`)).body.map(({ number }: { number: number }) => number)

test('a resent event is listed, newest first or oldest first after a number, also if the venture has no webhook endpoint', async () => {
  const { venture, event } = await openVenture()
  assert.deepEqual((await venture.get('/events/resends')).body, [])
  const { status, body: first } = await venture.post(`/events/${event.id}/resend`)
  assert.deepEqual([status, first.number, first.event_id], [200, 1, event.id])
  for (const number of [2, 3]) assert.equal((await venture.post(`/events/${event.id}/resend`)).body.number, number)
  const listed = (await venture.get('/events/resends')).body
  assert.deepEqual(
    listed.map(({ number }: { number: number }) => number),
    [3, 2, 1],
  )
  assert.deepEqual(listed.at(-1), first)
  assert.deepEqual(await numbersSince(venture, 0), [1, 2, 3])
  assert.deepEqual(await numbersSince(venture, 2), [3])
  assert.deepEqual(await numbersSince(venture, 3), [])
  assert.deepEqual((await venture.get(`/events/resends?event_id=${randomUUID()}`)).body, [])
  assert.equal((await venture.get(`/events/resends?event_id=${event.id}&since_number=1`)).body.length, 2)
  const page = await venture.get('/events/resends?since_number=0&limit=2')
  assert.equal(page.body.length, 2)
  assert.equal(page.headers['link'], '</api/v1/events/resends?since_number=2&limit=2>; rel="next"')
  // The list of events does not repeat the event.
  assert.equal((await venture.get('/events?type=payment_link.created')).body.length, 1)
})

test('a delivery that is repeated is a resend', async () => {
  const { venture } = await openVenture()
  const receiver = await openReceiver()
  const { body: endpoint } = await venture.post('/webhook-endpoints', { url: receiver.url })
  await venture.post('/payment-links', { amount: '2.00', currency: 'EUR' })
  await bank.runDeliveries()
  const [delivery] = (await venture.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body
  assert.equal((await venture.post(`/webhook-endpoints/${endpoint.id}/deliveries/${delivery.id}/redeliver`)).status, 200)
  const resends = (await venture.get('/events/resends?since_number=0')).body
  assert.deepEqual(
    resends.map(({ event_id }: { event_id: string }) => event_id),
    [delivery.event_id],
  )
  const refused = await venture.post(`/webhook-endpoints/${endpoint.id}/deliveries/${randomUUID()}/redeliver`)
  assert.equal(refused.problem?.code, 'delivery_not_found')
  assert.deepEqual(await numbersSince(venture, 0), [1])
})

test('failed deliveries that are repeated together are resends, those of each resource in order', async () => {
  const { venture } = await openVenture()
  const receiver = await openReceiver()
  receiver.status = 500
  const { body: endpoint } = await venture.post('/webhook-endpoints', { url: receiver.url })
  const links: string[] = []
  for (let count = 0; count < 3; count++) links.push((await venture.post('/payment-links', { amount: '2.00', currency: 'EUR' })).body.id)
  for (const id of links) await venture.put(`/payment-links/${id}`, { active: false })
  await bank.runDeliveries()
  // As after ten attempts.
  await bank.owner.query("update webhook_deliveries set status = 'FAILED', next_attempt_at = null where endpoint_id = $1", [endpoint.id])
  const path = `/webhook-endpoints/${endpoint.id}`
  assert.equal((await venture.get(`${path}/deliveries?status=FAILED`)).body.length, 6)
  assert.deepEqual((await venture.post(`${path}/redeliver-failed`, { since: '2099-01-01T00:00:00Z' })).body, { redelivered: 0 })
  assert.deepEqual(await numbersSince(venture, 0), [])
  assert.deepEqual((await venture.post(`${path}/redeliver-failed`, { since: '2020-01-01T00:00:00Z' })).body, { redelivered: 6 })
  const resends: { number: number; event_id: string }[] = (await venture.get('/events/resends?since_number=0')).body
  assert.deepEqual(
    resends.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6],
  )
  const events = await Promise.all(resends.map(async ({ event_id }) => (await venture.get(`/events/${event_id}`)).body))
  for (const id of links) {
    const ofLink = events.filter(({ data }) => data.object.id === id)
    assert.deepEqual(
      ofLink.map(({ sequence }) => sequence),
      [1, 2],
    )
  }
})

test('a number that is visible has no number before it that becomes visible later', async () => {
  const { venture, event } = await openVenture()
  const slow = bank.owner
  await slow.query('begin')
  // Like a resend that already has its number, in a transaction that takes long.
  await slow.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [venture.venture.id])
  await slow.query('insert into event_resends values ($1, $2, 1, $3, now())', [venture.venture.id, randomUUID(), event.id])
  const second = venture.post(`/events/${event.id}/resend`)
  assert.ok(await untilBlocked(slow, second))
  assert.deepEqual(await numbersSince(venture, 0), [])
  await slow.query('commit')
  assert.equal((await second).body.number, 2)
  assert.deepEqual(await numbersSince(venture, 0), [1, 2])
})

test('only events of the venture can be sent again, and a wrong place is refused', async () => {
  const [{ venture, event }, { venture: other }] = [await openVenture(), await openVenture()]
  for (const id of [event.id, randomUUID()]) {
    const { status, problem } = await other.post(`/events/${id}/resend`)
    assert.deepEqual([status, problem?.code], [404, 'event_not_found'])
  }
  assert.deepEqual((await other.get('/events/resends')).body, [])
  for (const wrong of ['start', '-1', '1.5', '2147483648', '0&offset=1', `0&after=${event.id}`]) {
    const { status, problem } = await venture.get(`/events/resends?since_number=${wrong}`)
    assert.deepEqual([status, problem?.code], [400, 'invalid_request'], wrong)
  }
})
