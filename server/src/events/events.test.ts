import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { someOnboarding, somePerson } from '../testing/testing.people.ts'
import { type Arrival, openReceiver } from '../testing/testing.receiver.ts'
import { findTestServer, notOnCluster, urlOf } from '../testing/testing.server.ts'
import { type Answer, openBank, type VentureCaller } from '../testing/testing.ts'
import type { Event } from './events.ts'

const bank = await openBank()

const ids = (events: { id: string }[]) => events.map(({ id }) => id)

/** Opens a separate transaction that can write an event and stay open. */
async function openTransaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(findTestServer().ownerUrl, bank.owner.database ?? '') })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return client
}

const insert = (client: pg.Client, { venture }: VentureCaller, resource_id: string, sequence: number) =>
  client.query(
    `insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data)
     values (1, $1, $2, 'client.updated', $3, $4, now(), $5)`,
    [venture.id, randomUUID(), resource_id, sequence, JSON.stringify({ object: { id: resource_id }, previous_status: null })],
  )

async function end(client: pg.Client, how: 'commit' | 'rollback'): Promise<void> {
  await client.query(how)
  await client.end()
}

test('events are listed newest first, filtered by type, resource and time, and can be read one by one', async () => {
  const venture = await bank.registerVenture()
  const [ada, bob] = [await venture.registerClient(), await venture.registerClient()]
  await venture.put(`/clients/${ada.id}`, { city: 'Lyon' })
  const all = (await venture.get('/events')).body
  const by = { actor: 'venture', actor_id: (await venture.get('/venture/keys')).body[0].id }
  assert.deepEqual(
    all.map(({ data, timestamp: _, id: __, ...rest }: Event) => ({ ...rest, id: data.object.id })),
    [
      { type: 'client.updated', sequence: 2, venture_id: venture.venture.id, id: ada.id, ...by },
      { type: 'client.created', sequence: 1, venture_id: venture.venture.id, id: bob.id, ...by },
      { type: 'client.created', sequence: 1, venture_id: venture.venture.id, id: ada.id, ...by },
    ],
  )
  const [newest, middle, oldest] = ids(all)
  assert.deepEqual(ids((await venture.get('/events?type=client.created')).body), [middle, oldest])
  assert.deepEqual(ids((await venture.get(`/events?resource_id=${ada.id}`)).body), [newest, oldest])
  assert.deepEqual(ids((await venture.get(`/events?date_from=${all[0].timestamp}&date_to=2099-01-01`)).body).includes(newest ?? ''), true)
  assert.deepEqual((await venture.get('/events?date_to=2020-01-01')).body, [])
  const first = await venture.get('/events?limit=2')
  assert.deepEqual(ids(first.body), [newest, middle])
  assert.equal(first.headers['link'], `</api/v1/events?limit=2&after=${middle}>; rel="next"`)
  assert.deepEqual(ids((await venture.get(`/events?after=${middle}`)).body), [oldest])
  assert.deepEqual((await venture.get(`/events/${oldest}`)).body, all[2])
})

test('an event contains the resource as it was at that moment', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ city: 'Paris' })
  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  const [updated, created] = (await venture.get(`/events?resource_id=${client.id}`)).body
  assert.deepEqual(created.data.object, client)
  assert.deepEqual(updated.data.object, (await venture.get(`/clients/${client.id}`)).body)
})

test('invalid list parameters and events of other ventures are refused', async () => {
  const [venture, other] = [await bank.registerVenture(), await bank.registerVenture()]
  await other.registerClient()
  const [foreign] = ids((await other.get('/events')).body)
  for (const query of [
    'type=nothing',
    'resource_id=7',
    'since=yesterday',
    'since=NOWHERE',
    'limit=0',
    'limit=101',
    'date_from=tomorrow',
    'color=red',
  ]) {
    const { status, problem } = await venture.get(`/events?${query}`)
    assert.equal(status, 400, query)
    assert.equal(problem.code, 'invalid_request')
  }
  for (const query of [`since=start&after=${foreign}`, 'since=start&offset=1', `since=now&after=${foreign}`]) {
    assert.equal((await venture.get(`/events?${query}`)).problem.errors[0].field, 'since')
  }
  for (const path of [`/events/${foreign}`, `/events/${randomUUID()}`, `/events?since=${foreign}`, `/events?since=${randomUUID()}`]) {
    const { status, problem } = await venture.get(path)
    assert.equal(status, 404)
    assert.equal(problem.code, 'event_not_found')
  }
  assert.deepEqual((await venture.get('/events')).body, [])
})

test('a follower sees every event once, oldest first', async () => {
  const venture = await bank.registerVenture()
  for (let count = 0; count < 5; count++) await venture.registerClient()
  const seen: string[] = []
  await bank.othersEnded()
  for (let path = '/events?since=start&limit=2'; path !== ''; ) {
    const { body, headers } = await venture.get(path)
    seen.push(...ids(body))
    path = /<\/api\/v1(.*)>/.exec(headers['link'] ?? '')?.[1] ?? ''
  }
  assert.deepEqual(seen, ids((await venture.get('/events')).body).reverse())
  assert.deepEqual((await venture.get(`/events?since=${seen.at(-1)}`)).body, [])
  await venture.registerClient()
  await bank.othersEnded()
  assert.equal((await venture.get(`/events?since=${seen.at(-1)}`)).body.length, 1)
})

test('a follower misses no event that commits late, and gets no later event before it', async () => {
  const venture = await bank.registerVenture()
  const late = await openTransaction()
  const resource = randomUUID()
  await insert(late, venture, resource, 1)
  await venture.registerClient()
  // The list shows all committed events. A follower first waits for events that may still come before them.
  assert.equal((await venture.get('/events')).body.length, 1)
  assert.deepEqual((await venture.get('/events?since=start')).body, [])
  await end(late, 'commit')
  await bank.othersEnded()
  const followed = (await venture.get('/events?since=start')).body
  assert.deepEqual(
    followed.map(({ type }: { type: string }) => type),
    ['client.updated', 'client.created'],
  )
})

test('a follower that begins now misses no event that commits late, though the newest in the list is after it', async () => {
  const venture = await bank.registerVenture()
  assert.deepEqual((await venture.get('/events?since=now')).body, [])
  for (let count = 0; count < 3; count++) await venture.registerClient()
  await bank.othersEnded()
  const [newest] = (await venture.get('/events?limit=1')).body
  const now = (await venture.get('/events?since=now&limit=100')).body
  assert.deepEqual(now, [newest])
  assert.deepEqual((await venture.get(`/events?since=now&resource_id=${newest.data.object.id}`)).body, [newest])
  assert.deepEqual((await venture.get(`/events?since=now&resource_id=${randomUUID()}`)).body, [])

  const late = await openTransaction()
  await insert(late, venture, randomUUID(), 1)
  await venture.registerClient()
  assert.notDeepEqual((await venture.get('/events?limit=1')).body, [newest])
  assert.deepEqual((await venture.get('/events?since=now')).body, [newest])
  await end(late, 'commit')
  await bank.othersEnded()
  const followed = (await venture.get(`/events?since=${newest.id}`)).body
  assert.deepEqual(
    followed.map(({ type }: { type: string }) => type),
    ['client.updated', 'client.created'],
  )
  assert.deepEqual((await venture.get('/events?since=now')).body, followed.slice(1))
})

test('a transaction that rolls back delays a follower only while it is open', { skip: notOnCluster('numbers') }, async () => {
  const venture = await bank.registerVenture()
  const late = await openTransaction()
  await venture.registerClient()
  assert.deepEqual((await venture.get('/events?since=start')).body, [])
  await end(late, 'rollback')
  await bank.othersEnded()
  assert.equal((await venture.get('/events?since=start')).body.length, 1)
})

test('a webhook gets the events of a resource in order even if the transaction that started first wrote the later event', {
  skip: notOnCluster('numbers'),
}, async () => {
  const venture = await bank.registerVenture()
  const receiver = await openReceiver()
  await venture.post('/webhook-endpoints', { url: receiver.url })
  const resource = randomUUID()
  const [early, between, later] = [await openTransaction(), await openTransaction(), await openTransaction()]
  await insert(later, venture, resource, 1)
  await end(later, 'commit')
  await insert(early, venture, resource, 2)
  await end(early, 'commit')
  // An open transaction holds back the first event, so the second one has to wait for it.
  await bank.runDeliveries({ afterOthers: false })
  assert.equal(receiver.arrivals.length, 0)
  await end(between, 'rollback')
  await bank.runDeliveries()
  assert.deepEqual(
    receiver.arrivals.map(({ event }: Arrival) => event.sequence),
    [1, 2],
  )
})

test('a webhook misses no event that commits late', async () => {
  const venture = await bank.registerVenture()
  const receiver = await openReceiver()
  await venture.post('/webhook-endpoints', { url: receiver.url })
  const types = () => receiver.arrivals.map(({ event }: Arrival) => event.type).sort()
  // The committed event starts the courier, which must not skip the open transaction.
  await venture.registerClient()
  await bank.othersEnded()
  const late = await openTransaction()
  await insert(late, venture, randomUUID(), 1)
  await venture.registerClient()
  await bank.runDeliveries({ afterOthers: false })
  assert.deepEqual(types(), ['client.created'])
  await end(late, 'commit')
  await bank.runDeliveries()
  assert.deepEqual(types(), ['client.created', 'client.created', 'client.updated'])
})

/** All tables except events, whose partitions are parts of it. */
async function tables(): Promise<string[]> {
  const { rows } = await bank.owner.query(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'events'
       and not exists (select from pg_inherits where inhrelid = pg_class.oid and inhparent = 'events'::regclass) order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** The contents of each table as text. */
async function snapshot(): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const name of await tables()) {
    const { rows } = await bank.owner.query(`select coalesce(string_agg(row::text, ' ' order by row::text), '') as text from ${name} row`)
    contents[name] = rows[0].text
  }
  return contents
}

/** One action for each type of event that a venture can cause. Each works only once. */
async function openActions(): Promise<Record<string, () => Promise<Answer>>> {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  const account = await venture.openAccount({ balance: '10.00', client_id: client.id })
  const fresh = { client_id: client.id, account_name: 'Second', account_type: 'CURRENT', currency: 'EUR' }
  const [pending, empty] = [(await venture.post('/accounts', fresh)).body, await venture.openAccount()]
  const beneficiary = await venture.addBeneficiary(client.id)
  const payee = { client_id: client.id, name: 'Mary', beneficiary_type: 'PERSON', iban: 'FR7630006000011234567890189' }
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
  const transfer = await venture.createTransfer(order)
  const amount = { amount: '5.00', currency: 'EUR', success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
  const endpoint = (await venture.post('/webhook-endpoints', { url: 'https://hooks.example/' })).body
  return {
    'venture.updated': () => bank.admin.put(`/ventures/${venture.venture.id}`, { name: 'Another' }),
    'client.created': () => venture.post('/clients/person', somePerson()),
    'client.updated': () => venture.put(`/clients/${client.id}`, { city: 'Lyon' }),
    'onboarding.submitted': () => venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding),
    'beneficiary.created': () => venture.post('/beneficiaries', payee),
    'beneficiary.updated': () => venture.put(`/beneficiaries/${beneficiary.id}`, { display: false }),
    'account.created': () => venture.post('/accounts', fresh),
    'account.updated': () => venture.put(`/accounts/${account.id}`, { account_name: 'Renamed' }),
    'account.activated': () => venture.post(`/accounts/${pending.id}/activate`),
    'account.frozen': () => venture.post(`/accounts/${account.id}/freeze`),
    'account.closed': () => venture.post(`/accounts/${empty.id}/close`),
    'transfer.updated': () => venture.put(`/transfers/${transfer.id}`, { status_reason: 'Because' }),
    'transfer.status_changed': () => venture.put(`/transfers/${transfer.id}`, { status: 'RESERVED' }),
    'transfer.failed': () => venture.put(`/transfers/${transfer.id}`, { status: 'CANCELLED' }),
    'payment.created': () => venture.post('/payments', amount),
    'payment_link.created': () => venture.post('/payment-links', amount),
    'webhook_endpoint.test': () => venture.post(`/webhook-endpoints/${endpoint.id}/test`),
    // Must come last, because it invalidates the key.
    'venture.key_rotated': () => venture.post('/venture/rotate-key'),
  }
}

type Statuses = Record<string, number>

async function statusesOf(actions: Record<string, () => Promise<Answer>>): Promise<Statuses> {
  const statuses: Statuses = {}
  for (const [type, action] of Object.entries(actions)) statuses[type] = (await action()).status
  return statuses
}

const allOf = (actions: object, status: number): Statuses => Object.fromEntries(Object.keys(actions).map((type) => [type, status]))

async function emitted(): Promise<{ id: string; type: string }[]> {
  return (await bank.owner.query('select id, type from events order by era, xid, id')).rows
}

test('a change whose event cannot be written does not happen', async () => {
  const actions = await openActions()
  const before = [await snapshot(), await emitted()]
  await bank.owner.query('alter table events add constraint no_new_events check (false) not valid')
  const results = await statusesOf(actions)
  const after = [await snapshot(), await emitted()]
  await bank.owner.query('alter table events drop constraint no_new_events')
  assert.deepEqual(results, allOf(actions, 500))
  assert.deepEqual(after, before)
  // All actions succeed now, so they failed before only because the events could not be written.
  const known = new Set(ids(await emitted()))
  for (const [type, status] of Object.entries(await statusesOf(actions))) assert.ok(status < 300, `${type}: ${status}`)
  const since = (await emitted()).filter(({ id }) => !known.has(id)).map(({ type }) => type)
  for (const type of Object.keys(actions)) assert.ok(since.includes(type), type)
})

test('a change that does not happen emits no event', { skip: notOnCluster('triggers') }, async () => {
  const actions = await openActions()
  const [before, known] = [await snapshot(), await emitted()]
  await bank.owner.query(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$`)
  // Deferred, so the trigger fails at COMMIT, after everything has been written.
  for (const table of await tables()) {
    await bank.owner.query(
      `create constraint trigger fails after insert or update on ${table} deferrable initially deferred for each row execute function fail()`,
    )
  }
  const results = await statusesOf(actions)
  await bank.owner.query('drop function fail cascade')
  assert.deepEqual(results, allOf(actions, 500))
  assert.deepEqual([await snapshot(), await emitted()], [before, known])
})
