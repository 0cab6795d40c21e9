import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openReceiver, type Receiver } from '../testing/testing.receiver.ts'
import { openBank, type VentureCaller } from '../testing/testing.ts'

const bank = await openBank()

async function openEndpoint(venture: VentureCaller, changes: object = {}) {
  const receiver = await openReceiver()
  const { status, body } = await venture.post('/webhook-endpoints', { url: receiver.url, ...changes })
  assert.equal(status, 201)
  return { receiver, endpoint: body, path: `/webhook-endpoints/${body.id}` }
}

const typesOf = ({ arrivals }: Receiver) => arrivals.map(({ event }) => event.type)

/** Makes all waiting deliveries due. */
async function makeDue(endpoint_id: string): Promise<void> {
  await bank.owner.query(
    `update webhook_deliveries set next_attempt_at = now(), planned_at = now() where endpoint_id = $1 and next_attempt_at is not null`,
    [endpoint_id],
  )
  await bank.owner.query('update webhook_progress set next_due_at = now() where endpoint_id = $1 and next_due_at is not null', [
    endpoint_id,
  ])
}

/** Waiting deliveries do not become due by themselves during a test, however busy the machine. */
async function planLater(endpoint_id: string): Promise<void> {
  const later = `date_trunc('milliseconds', now() + interval '1 hour')`
  await bank.owner.query(
    `update webhook_deliveries set next_attempt_at = ${later}, planned_at = ${later} where endpoint_id = $1 and next_attempt_at is not null`,
    [endpoint_id],
  )
}

test('an endpoint is created with its secret, and later responses do not contain it', async () => {
  const venture = await bank.registerVenture()
  const created = await venture.post('/webhook-endpoints', {
    url: 'https://example.com/hooks',
    description: 'Production',
    event_types: ['transfer.completed'],
  })
  assert.equal(created.status, 201)
  assert.match(created.body.secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.equal(created.headers['location'], `/api/v1/webhook-endpoints/${created.body.id}`)
  const { secret, ...endpoint } = created.body
  assert.deepEqual(endpoint, {
    id: endpoint.id,
    venture_id: venture.venture.id,
    url: 'https://example.com/hooks',
    description: 'Production',
    event_types: ['transfer.completed'],
    status: 'ACTIVE',
    disabled_reason: null,
    created_at: endpoint.created_at,
    updated_at: endpoint.created_at,
  })
  assert.deepEqual((await venture.get(`/webhook-endpoints/${endpoint.id}`)).body, endpoint)
  assert.deepEqual((await venture.get('/webhook-endpoints')).body, [endpoint])
  assert.ok(!(await venture.get('/webhook-endpoints')).text.includes(secret))
})

test('a url is stored as it is called, and the same url in another form changes nothing', async () => {
  const venture = await bank.registerVenture()
  const { body: endpoint } = await venture.post('/webhook-endpoints', { url: 'HTTPS://Example.COM:443/a/../hooks?q=é' })
  assert.equal(endpoint.url, 'https://example.com/hooks?q=%C3%A9')
  const path = `/webhook-endpoints/${endpoint.id}`
  const same = await venture.put(path, { url: 'https://EXAMPLE.com/hooks?q=é' })
  assert.deepEqual([same.status, same.body.updated_at], [200, endpoint.updated_at])
  assert.equal((await venture.put(path, { url: 'https://example.com/b/./c' })).body.url, 'https://example.com/b/c')
  // Each of these letters takes six characters once it is encoded.
  const long = { url: `https://example.com/${'é'.repeat(2_000)}` }
  for (const { problem } of [await venture.post('/webhook-endpoints', long), await venture.put(path, long)]) {
    const message = 'must have at most 2048 characters after normalisation'
    assert.deepEqual([problem.status, problem.code, problem.errors], [400, 'invalid_request', [{ field: 'url', message }]])
  }
})

test('an invalid endpoint is refused and nothing is stored', async () => {
  const strict = await bank.openInstance({ webhookAllowPrivateNetwork: false })
  const venture = await bank.registerVenture()
  const before = await bank.count('webhook_endpoints')
  const bodies = [
    {},
    { url: 7 },
    { url: '' },
    { url: `https://example.com/${'a'.repeat(2_048)}` },
    { url: 'https://example.com/', event_types: [] },
    { url: 'https://example.com/', event_types: ['nothing.happened'] },
    { url: 'https://example.com/', event_types: ['transfer.created', 'transfer.created'] },
    { url: 'https://example.com/', description: '' },
    { url: 'https://example.com/', secret: 'whsec_AAAA' },
    { url: 'https://example.com/', status: 'ACTIVE' },
    { url: 'https://example.com/', venture_id: venture.venture.id },
  ]
  for (const body of bodies) {
    const answer = await venture.post('/webhook-endpoints', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.problem.code, 'invalid_request')
  }
  const urls = [
    'not a url',
    'ftp://example.com/',
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://a:b@example.com/',
  ]
  for (const url of urls) {
    const answer = await strict.inject({
      method: 'POST',
      url: '/api/v1/webhook-endpoints',
      headers: { 'x-api-key': venture.venture.api_key },
      payload: { url },
    })
    assert.equal(answer.statusCode, 422, url)
    assert.equal(answer.json().code, 'endpoint_url_refused')
    assert.equal(answer.json().errors[0].field, 'url')
  }
  assert.equal(await bank.count('webhook_endpoints'), before)
})

test('the refusals for an endpoint of another venture and for an unknown one are the same', async () => {
  const [owner, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const { path } = await openEndpoint(owner)
  await owner.post(`${path}/test`)
  await bank.runDeliveries()
  const [delivery] = (await owner.get(`${path}/deliveries`)).body
  for (const at of [path, `/webhook-endpoints/${randomUUID()}`]) {
    const answers = [
      await other.get(at),
      await other.put(at, { description: 'Mine' }),
      await other.delete(at),
      await other.post(`${at}/rotate-secret`),
      await other.post(`${at}/test`),
      await other.get(`${at}/deliveries`),
      await other.get(`${at}/deliveries/${delivery.id}`),
      await other.post(`${at}/deliveries/${delivery.id}/redeliver`),
      await other.post(`${at}/redeliver-failed`, { since: '2026-01-01T00:00:00Z' }),
    ]
    for (const { status, problem } of answers) {
      assert.equal(status, 404)
      assert.equal(problem.code, 'endpoint_not_found')
    }
  }
  for (const answer of [
    await owner.get(`${path}/deliveries/${randomUUID()}`),
    await owner.post(`${path}/deliveries/${randomUUID()}/redeliver`),
  ]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.problem.code, 'delivery_not_found')
  }
  assert.equal((await owner.get(path)).body.description, null)
})

test('a delivery is found only through its own endpoint', async () => {
  const [owner, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const [own, second, foreign] = [await openEndpoint(owner), await openEndpoint(owner), await openEndpoint(other)]
  await owner.post(`${own.path}/test`)
  await bank.runDeliveries()
  const [delivery] = (await owner.get(`${own.path}/deliveries`)).body
  for (const [caller, path] of [
    [owner, second.path],
    [other, foreign.path],
  ] as const) {
    const at = `${path}/deliveries/${delivery.id}`
    for (const { status, problem } of [await caller.get(at), await caller.post(`${at}/redeliver`)]) {
      assert.deepEqual([status, problem?.code], [404, 'delivery_not_found'])
    }
    assert.deepEqual((await caller.get(`${path}/deliveries`)).body, [])
  }
  await bank.runDeliveries()
  assert.equal(own.receiver.arrivals.length, 1)
})

test('new events are delivered with a signature and the body of the event, and earlier events are not delivered', async () => {
  const venture = await bank.registerVenture()
  await venture.registerClient()
  const { receiver, endpoint } = await openEndpoint(venture)
  const client = await venture.registerClient()
  await bank.runDeliveries()
  assert.deepEqual(typesOf(receiver), ['client.created'])
  const [{ headers, body, event }] = receiver.arrivals as [Receiver['arrivals'][number]]
  assert.deepEqual(event, (await venture.get(`/events/${event.id}`)).body)
  assert.deepEqual(event.data, { object: client, previous_status: null })
  assert.equal(headers['webhook-id'], event.id)
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>), event)
})

test('the public package refuses a changed byte, a stale timestamp, a shortened signature and another secret', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint } = await openEndpoint(venture)
  await venture.registerClient()
  await bank.runDeliveries()
  const [{ body, headers }] = receiver.arrivals as [Receiver['arrivals'][number]]
  const signed = headers as Record<string, string>
  const webhook = new Webhook(endpoint.secret)
  webhook.verify(body, signed)
  const signature = signed['webhook-signature'] ?? ''
  assert.throws(() => webhook.verify(body.replace('client', 'Client'), signed))
  assert.throws(() => webhook.verify(body, { ...signed, 'webhook-timestamp': String(Number(signed['webhook-timestamp']) - 600) }))
  assert.throws(() => webhook.verify(body, { ...signed, 'webhook-signature': signature.slice(0, -4) }))
  assert.throws(() => webhook.verify(body, { ...signed, 'webhook-id': randomUUID() }))
  assert.throws(() => new Webhook('whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz').verify(body, signed))
})

test('an endpoint with event types gets only those', async () => {
  const venture = await bank.registerVenture()
  const { receiver, path } = await openEndpoint(venture, { event_types: ['client.updated'] })
  const client = await venture.registerClient()
  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  await bank.runDeliveries()
  assert.deepEqual(typesOf(receiver), ['client.updated'])
  assert.equal((await venture.put(path, { event_types: null })).body.event_types, null)
  await venture.registerClient()
  await bank.runDeliveries()
  assert.deepEqual(typesOf(receiver), ['client.updated', 'client.created'])
})

test('a test event is sent to its endpoint only, whatever its event types', async () => {
  const venture = await bank.registerVenture()
  const tested = await openEndpoint(venture, { event_types: ['transfer.completed'] })
  const other = await openEndpoint(venture)
  const sent = await venture.post(`${tested.path}/test`)
  assert.equal(sent.status, 200)
  assert.equal(sent.body.type, 'webhook_endpoint.test')
  await bank.runDeliveries()
  assert.deepEqual(
    tested.receiver.arrivals.map(({ event }) => event),
    [sent.body],
  )
  assert.deepEqual(other.receiver.arrivals, [])
  assert.ok(!JSON.stringify(sent.body).includes('whsec_'))
})

test('after a rotation, deliveries have both signatures for a day and then only the new one', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  const rotated = await venture.post(`${path}/rotate-secret`)
  assert.equal(rotated.status, 200)
  assert.notEqual(rotated.body.secret, endpoint.secret)
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  const [first] = receiver.arrivals as [Receiver['arrivals'][number]]
  for (const secret of [endpoint.secret, rotated.body.secret])
    new Webhook(secret).verify(first.body, first.headers as Record<string, string>)
  await bank.owner.query(`update webhook_endpoints set previous_secret_until = now() - interval '1 second' where id = $1`, [endpoint.id])
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  const second = receiver.arrivals[1] as Receiver['arrivals'][number]
  new Webhook(rotated.body.secret).verify(second.body, second.headers as Record<string, string>)
  assert.throws(() => new Webhook(endpoint.secret).verify(second.body, second.headers as Record<string, string>))
})

test('a deleted endpoint gets no more deliveries, and its stored deliveries are deleted', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.registerClient()
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 1)
  assert.equal((await venture.delete(path)).status, 204)
  await venture.registerClient()
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 1)
  assert.equal((await venture.get(path)).status, 404)
  await bank.runJobs()
  const { rows } = await bank.owner.query('select from webhook_deliveries where endpoint_id = $1', [endpoint.id])
  assert.deepEqual(rows, [])
})

test('an attempt is recorded with its response, its duration and the time of the next one', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 503
  receiver.answer = 'x'.repeat(2_000)
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  const [pending] = (await venture.get(`${path}/deliveries?status=PENDING`)).body
  assert.deepEqual(await venture.get(`${path}/deliveries/${pending.id}`).then(({ body }) => body), pending)
  assert.equal(pending.endpoint_id, endpoint.id)
  assert.equal(pending.event_type, 'webhook_endpoint.test')
  assert.equal(pending.attempts.length, 1)
  const [{ at, duration_ms, ...attempt }] = pending.attempts
  assert.deepEqual(attempt, { response_status: 503, response_body: 'x'.repeat(1_024), failure: 'The answer was 503, not 2xx.' })
  assert.ok(duration_ms >= 0 && Date.parse(pending.next_attempt_at) > Date.parse(at))
  receiver.status = 204
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  const [delivered] = (await venture.get(`${path}/deliveries?status=DELIVERED`)).body
  assert.equal(delivered.id, pending.id)
  assert.deepEqual(
    delivered.attempts.map(({ response_status }: { response_status: number }) => response_status),
    [503, 204],
  )
  assert.equal(delivered.next_attempt_at, null)
  assert.deepEqual((await venture.get(`${path}/deliveries?status=PENDING`)).body, [])
})

test('after ten attempts a delivery has failed, and it can be redelivered alone or with all failed ones since a time', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.post(`${path}/test`)
  await venture.registerClient()
  for (let round = 0; round < 12; round++) {
    await makeDue(endpoint.id)
    await bank.runDeliveries()
  }
  const failed = (await venture.get(`${path}/deliveries?status=FAILED`)).body
  assert.deepEqual(
    failed.map(({ attempts }: { attempts: object[] }) => attempts.length),
    [10, 10],
  )
  receiver.status = 200
  receiver.arrivals = []
  const again = await venture.post(`${path}/deliveries/${failed[0].id}/redeliver`)
  assert.equal(again.body.status, 'PENDING')
  await bank.runDeliveries()
  assert.deepEqual(
    receiver.arrivals.map(({ event }) => event.id),
    [failed[0].event_id],
  )
  assert.deepEqual((await venture.post(`${path}/redeliver-failed`, { since: '2099-01-01T00:00:00Z' })).body, { redelivered: 0 })
  assert.deepEqual((await venture.post(`${path}/redeliver-failed`, { since: '2020-01-01T00:00:00Z' })).body, { redelivered: 1 })
  await bank.runDeliveries()
  assert.deepEqual(
    receiver.arrivals.map(({ event }) => event.id),
    [failed[0].event_id, failed[1].event_id],
  )
  // A delivered event can be redelivered too.
  await venture.post(`${path}/deliveries/${failed[0].id}/redeliver`)
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 3)
  for (const body of [{}, { since: 'yesterday' }, { since: null }, { since: '2020-01-01T00:00:00Z', all: true }]) {
    assert.equal((await venture.post(`${path}/redeliver-failed`, body)).problem.code, 'invalid_request')
  }
})

test('events of a resource arrive in order, and a failed one delays only its own resource', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint } = await openEndpoint(venture)
  const [first, second] = [await venture.registerClient(), await venture.registerClient()]
  for (const city of ['Lyon', 'Nice', 'Metz']) {
    await venture.put(`/clients/${first.id}`, { city })
    await venture.put(`/clients/${second.id}`, { city })
  }
  const sequences = (id: string) => receiver.arrivals.filter(({ event }) => event.data.object.id === id).map(({ event }) => event.sequence)
  receiver.onArrival = ({ event }) => {
    receiver.status = event.data.object.id === first.id && event.sequence === 2 ? 500 : 200
  }
  await bank.runDeliveries()
  assert.deepEqual(sequences(first.id), [1, 2])
  assert.deepEqual(sequences(second.id), [1, 2, 3, 4])
  // Later events of the resource wait too.
  await venture.put(`/clients/${first.id}`, { city: 'Brest' })
  await bank.runDeliveries()
  assert.deepEqual(sequences(first.id), [1, 2])
  receiver.onArrival = () => {
    receiver.status = 200
  }
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  assert.deepEqual(sequences(first.id), [1, 2, 2, 3, 4, 5])
})

test('a delivery that has failed for good no longer delays its resource', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint } = await openEndpoint(venture)
  const client = await venture.registerClient()
  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  receiver.onArrival = ({ event }) => {
    receiver.status = event.sequence === 1 ? 500 : 200
  }
  for (let round = 0; round < 11; round++) {
    await bank.runDeliveries()
    await makeDue(endpoint.id)
  }
  assert.deepEqual(
    receiver.arrivals.map(({ event }) => event.sequence),
    [...Array(10).fill(1), 2],
  )
})

test('the first success after an outage wakes the waiting deliveries', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  for (let count = 0; count < 5; count++) await venture.registerClient()
  await bank.runDeliveries()
  await bank.owner.query(`update webhook_progress set failing_since = now() - interval '1 minute' where endpoint_id = $1`, [endpoint.id])
  receiver.status = 200
  receiver.arrivals = []
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 6)
  assert.deepEqual((await venture.get(`${path}/deliveries?status=PENDING`)).body, [])
})

test('a woken delivery that fails keeps its planned time', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  const client = await venture.registerClient()
  await bank.runDeliveries()
  await planLater(endpoint.id)
  const [before] = (await venture.get(`${path}/deliveries?status=PENDING`)).body
  receiver.onArrival = ({ event }) => {
    receiver.status = event.data.object.id === client.id ? 500 : 200
  }
  await bank.owner.query(`update webhook_progress set failing_since = now() - interval '1 minute' where endpoint_id = $1`, [endpoint.id])
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  const [after] = (await venture.get(`${path}/deliveries?status=PENDING`)).body
  assert.equal(after.attempts.length, 2)
  assert.equal(after.next_attempt_at, before.next_attempt_at)
})

test('410 Gone disables the endpoint with an event and a reason, and after enabling it gets the missed events', async () => {
  const venture = await bank.registerVenture()
  const { receiver, path } = await openEndpoint(venture)
  receiver.status = 410
  const client = await venture.registerClient()
  await bank.runDeliveries()
  const disabled = (await venture.get(path)).body
  assert.equal(disabled.status, 'DISABLED')
  assert.equal(disabled.disabled_reason, 'The receiver answered 410 Gone.')
  assert.equal((await bank.eventTypes(venture)).at(-1), 'webhook_endpoint.disabled')
  const [event] = (await venture.get('/events?type=webhook_endpoint.disabled')).body
  assert.deepEqual(event.data, { object: disabled, previous_status: 'ACTIVE' })

  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  receiver.status = 200
  receiver.arrivals = []
  await bank.runDeliveries()
  assert.deepEqual(receiver.arrivals, [])
  for (const answer of [
    await venture.post(`${path}/test`),
    await venture.post(`${path}/redeliver-failed`, { since: '2020-01-01T00:00:00Z' }),
  ]) {
    assert.equal(answer.status, 409)
    assert.equal(answer.problem.code, 'endpoint_disabled')
    assert.match(answer.problem.detail, /^The webhook endpoint is disabled: .+\. Set its status to ACTIVE first\.$/)
  }
  const enabled = (await venture.put(path, { status: 'ACTIVE' })).body
  assert.equal(enabled.disabled_reason, null)
  await bank.runDeliveries()
  assert.deepEqual(typesOf(receiver).toSorted(), ['client.created', 'client.updated', 'webhook_endpoint.disabled'])
})

test('five days without a success disable an endpoint', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.registerClient()
  await bank.runDeliveries()
  await bank.owner.query(`update webhook_progress set failing_since = now() - interval '119 hours' where endpoint_id = $1`, [endpoint.id])
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  assert.equal((await venture.get(path)).body.status, 'ACTIVE')
  await bank.owner.query(`update webhook_progress set failing_since = now() - interval '5 days' where endpoint_id = $1`, [endpoint.id])
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  const { status, disabled_reason } = (await venture.get(path)).body
  assert.deepEqual({ status, disabled_reason }, { status: 'DISABLED', disabled_reason: 'Every delivery failed for five days.' })
})

test('a venture can disable its endpoint and change its url, and an update that changes nothing writes nothing', async () => {
  const venture = await bank.registerVenture()
  const { path } = await openEndpoint(venture)
  const before = (await venture.get(path)).body
  assert.deepEqual((await venture.put(path, {})).body, before)
  assert.deepEqual((await venture.put(path, { url: before.url, status: 'ACTIVE', event_types: null })).body, before)
  const disabled = (await venture.put(path, { status: 'DISABLED', description: 'Off for now' })).body
  assert.equal(disabled.disabled_reason, 'Disabled by the venture.')
  const other = await openReceiver()
  await venture.registerClient()
  assert.equal((await venture.put(path, { url: other.url, status: 'ACTIVE', description: null })).body.description, null)
  await bank.runDeliveries()
  assert.deepEqual(typesOf(other).toSorted(), ['client.created', 'webhook_endpoint.disabled'])
  for (const update of [{ url: null }, { status: 'PAUSED' }, { event_types: [] }, { secret: 'whsec_AAAA' }]) {
    assert.equal((await venture.put(path, update)).problem.code, 'invalid_request')
  }
  assert.equal((await venture.put(path, { url: 'ftp://example.com' })).problem.code, 'endpoint_url_refused')
})

test('no response is a failed attempt, and a redirect is not followed', async () => {
  const venture = await bank.registerVenture()
  const target = await openReceiver()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 302
  receiver.headers = { location: target.url }
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  assert.deepEqual(target.arrivals, [])
  const [{ attempts }] = (await venture.get(`${path}/deliveries`)).body
  assert.equal(attempts[0].failure, 'The answer was 302, not 2xx.')
  await bank.owner.query(`update webhook_endpoints set url = 'http://127.0.0.1:1/' where id = $1`, [endpoint.id])
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  const [{ attempts: both }] = (await venture.get(`${path}/deliveries`)).body
  assert.equal(both[1].response_status, null)
  assert.ok(both[1].failure.length > 0)
})

test('events of a venture without endpoints create no deliveries', async () => {
  const venture = await bank.registerVenture()
  const before = await bank.count('webhook_deliveries')
  await venture.registerClient()
  await bank.runDeliveries()
  assert.equal(await bank.count('webhook_deliveries'), before)
})

test('an endpoint that is enabled again during a round starts with no failures', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.registerClient()
  await bank.runDeliveries()
  await bank.owner.query(`update webhook_progress set failing_since = now() - interval '6 days' where endpoint_id = $1`, [endpoint.id])
  receiver.onArrival = async () => {
    receiver.onArrival = () => {}
    await venture.put(path, { status: 'DISABLED' })
    await venture.put(path, { status: 'ACTIVE' })
  }
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  assert.equal((await venture.get(path)).body.status, 'ACTIVE')
})

test('a delivery that is redelivered manually while it is being sent is sent once more', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  const [{ id }] = (await venture.get(`${path}/deliveries`)).body
  receiver.onArrival = async () => {
    receiver.onArrival = () => {
      receiver.status = 200
    }
    await venture.post(`${path}/deliveries/${id}/redeliver`)
  }
  await makeDue(endpoint.id)
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 3)
  assert.equal((await venture.get(`${path}/deliveries/${id}`)).body.status, 'DELIVERED')
})

test('a disabled venture gets no deliveries, and after enabling it gets the missed events', async () => {
  const venture = await bank.registerVenture()
  const { receiver } = await openEndpoint(venture)
  await venture.registerClient()
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  await bank.runDeliveries()
  assert.deepEqual(receiver.arrivals, [])
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'ACTIVE' })
  await bank.runDeliveries()
  assert.deepEqual(typesOf(receiver).toSorted(), ['client.created', 'venture.updated', 'venture.updated'])
})

test('the description "null" is stored as text', async () => {
  const venture = await bank.registerVenture()
  const { path } = await openEndpoint(venture)
  assert.equal((await venture.put(path, { description: 'null' })).body.description, 'null')
})

test('a late 410 from the old url does not disable an endpoint whose url has changed', async () => {
  const venture = await bank.registerVenture()
  const { receiver, path } = await openEndpoint(venture)
  const next = await openReceiver()
  receiver.status = 410
  receiver.onArrival = () => venture.put(path, { url: next.url })
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  assert.equal((await venture.get(path)).body.status, 'ACTIVE')
  assert.deepEqual(typesOf(next), ['webhook_endpoint.test'])
})

test('a delivery that always fails is woken at most once before each planned time, whatever else succeeds', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  const client = await venture.registerClient()
  await bank.runDeliveries()
  await planLater(endpoint.id)
  receiver.onArrival = ({ event }) => {
    receiver.status = event.data.object.id === client.id ? 500 : 200
  }
  for (let count = 0; count < 5; count++) {
    await bank.owner.query(`update webhook_progress set failing_since = now() - interval '1 minute' where endpoint_id = $1`, [endpoint.id])
    await venture.post(`${path}/test`)
    await bank.runDeliveries()
  }
  const [pending] = (await venture.get(`${path}/deliveries?status=PENDING`)).body
  assert.equal(pending.attempts.length, 2)
})

test('an attempt of a woken delivery counts if its planned time comes during the attempt', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.registerClient()
  await bank.runDeliveries()
  await bank.owner.query('update webhook_deliveries set woken = true, next_attempt_at = now() where endpoint_id = $1', [endpoint.id])
  await bank.owner.query('update webhook_progress set next_due_at = now() where endpoint_id = $1', [endpoint.id])
  receiver.onArrival = () => bank.owner.query('update webhook_deliveries set planned_at = now() where endpoint_id = $1', [endpoint.id])
  await bank.runDeliveries()
  const [{ attempts, next_attempt_at }] = (await venture.get(`${path}/deliveries`)).body
  assert.equal(attempts.length, 3)
  assert.ok(Date.parse(next_attempt_at) > Date.now())
})

test('a delivery that is redelivered manually and then woken by a test event is delivered, and so are later ones', async () => {
  const venture = await bank.registerVenture()
  const { receiver, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  const [failed] = (await venture.get(`${path}/deliveries`)).body
  await venture.post(`${path}/deliveries/${failed.id}/redeliver`)
  await venture.post(`${path}/test`)
  receiver.status = 200
  await bank.runDeliveries()
  const statuses = (await venture.get(`${path}/deliveries`)).body.map(({ status }: { status: string }) => status)
  assert.deepEqual(statuses, ['DELIVERED', 'DELIVERED'])
  assert.deepEqual(
    bank.logLines.filter((line) => line.includes('a round of webhook deliveries failed')),
    [],
  )
})

test('a venture can have at most sixteen endpoints', async () => {
  const venture = await bank.registerVenture()
  const answers = await Promise.all(Array.from({ length: 20 }, () => venture.post('/webhook-endpoints', { url: 'https://example.com/' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(16).fill(201), ...Array(4).fill(409)])
  const refused = await venture.post('/webhook-endpoints', { url: 'https://example.com/' })
  assert.equal(refused.status, 409)
  assert.equal(refused.problem.code, 'endpoint_limit')
  assert.equal(refused.problem.detail, 'A venture can have at most 16 webhook endpoints. Delete one that is no longer needed.')
  const [first] = (await venture.get('/webhook-endpoints')).body
  await venture.delete(`/webhook-endpoints/${first.id}`)
  assert.equal((await venture.post('/webhook-endpoints', { url: 'https://example.com/' })).status, 201)
})

test('endpoints that hang do not block the deliveries of others', async () => {
  const venture = await bank.registerVenture()
  const { receiver } = await openEndpoint(venture)
  const slow = await openReceiver()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  slow.onArrival = () => released
  for (let count = 0; count < 3; count++) {
    const dead = await bank.registerVenture()
    for (let endpoint = 0; endpoint < 16; endpoint++) await dead.post('/webhook-endpoints', { url: slow.url })
    await bank.owner.query(`update webhook_progress set failing_since = now() where venture_id = $1`, [dead.venture.id])
    await dead.registerClient()
  }
  await venture.registerClient()
  const running = bank.runDeliveries()
  while (receiver.arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  release()
  await running
  assert.deepEqual(typesOf(receiver), ['client.created'])
})

test('a round that has lost its lease records nothing', async () => {
  const venture = await bank.registerVenture()
  const { receiver, endpoint, path } = await openEndpoint(venture)
  receiver.onArrival = () => bank.owner.query('update webhook_progress set lease = $2 where endpoint_id = $1', [endpoint.id, randomUUID()])
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  assert.deepEqual((await venture.get(`${path}/deliveries`)).body, [])
  receiver.onArrival = () => {}
  await bank.owner.query('update webhook_progress set lease = null where endpoint_id = $1', [endpoint.id])
  await bank.runDeliveries()
  assert.equal(receiver.arrivals.length, 2)
  assert.equal((await venture.get(`${path}/deliveries`)).body.length, 1)
})

test('a test event retries earlier waiting test events', async () => {
  const venture = await bank.registerVenture()
  const { receiver, path } = await openEndpoint(venture)
  receiver.status = 500
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  receiver.status = 200
  await venture.post(`${path}/test`)
  await bank.runDeliveries()
  assert.deepEqual(
    receiver.arrivals.map(({ event }) => event.sequence),
    [1, 1, 2],
  )
})

test('the metrics report waiting deliveries, their age, and open transactions that hold back events', async () => {
  const figure = async (name: string) => {
    const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    )
  }
  const pending = 'webhook_deliveries{status="PENDING"}'
  const before = await figure(pending)
  const venture = await bank.registerVenture()
  const { receiver, endpoint } = await openEndpoint(venture)
  receiver.status = 500
  await venture.registerClient()
  await bank.runDeliveries()
  assert.equal(await figure(pending), before + 1)
  await bank.owner.query(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 hour' where endpoint_id = $1 and next_attempt_at is not null`,
    [endpoint.id],
  )
  assert.ok((await figure('webhook_oldest_due_seconds')) >= 3600)

  await bank.owner.query('begin; select pg_current_xact_id()')
  await venture.registerClient()
  await venture.registerClient()
  assert.ok((await figure('events_open_transactions')) >= 3)
  await bank.owner.query('rollback')
})
