// What restoring a logical dump does to the order of events: the rows have numbers that the cluster has not reached yet.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aloneKey } from '../platform/database/database.ts'
import { asRestored } from '../testing/testing.events.ts'
import { somePerson } from '../testing/testing.people.ts'
import { openReceiver, type Receiver } from '../testing/testing.receiver.ts'
import { type Bank, openBank, VentureCaller } from '../testing/testing.ts'
import { endpointFromTheFuture } from '../webhooks/webhooks.ts'
import { emit, keepEra, type NewEvent } from './events.ts'

const future = '900000000000'

const start = ({ database }: Bank) => keepEra(database, { numbers: [endpointFromTheFuture] })

async function currentEra({ owner }: Bank): Promise<number> {
  return (await owner.query('select era from event_era')).rows[0].era
}

/** An event of the current era, with a transaction number that this cluster has not reached. */
async function insertFromTheFuture({ owner }: Bank, { venture }: VentureCaller, xid = future): Promise<string> {
  const id = randomUUID()
  await asRestored(
    owner,
    `insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data, xid)
     select era, $1, $2, 'client.created', $2, 1, now(), $3, $4 from event_era`,
    [venture.id, id, JSON.stringify({ object: { id }, previous_status: null }), xid],
  )
  return id
}

async function follow(bank: Bank, venture: VentureCaller, since = 'start'): Promise<string[]> {
  await bank.othersEnded()
  return (await venture.get(`/events?since=${since}&limit=100`)).body.map(({ id }: { id: string }) => id)
}

const arrived = ({ arrivals }: Receiver) => arrivals.map(({ event }) => event.id)

/** Waits until `command` is waiting for the locks of other transactions, in this many transactions of its own. */
async function waitUntilBlocked({ owner }: Bank, command: Promise<unknown>, transactions = 1): Promise<void> {
  let over = false
  const end = () => {
    over = true
  }
  command.then(end, end)
  const waiting = `
    select from pg_locks join pg_database on pg_database.oid = database
    where not granted and locktype = 'advisory' and datname = current_database()`
  while (!over) {
    if ((await owner.query(waiting)).rows.length >= transactions) return
    await sleep(2)
  }
  assert.fail('the command did not wait')
}

test('an event of another cluster begins another era, whichever venture has it, and only once', async () => {
  const bank = await openBank()
  assert.equal(await start(bank), undefined)
  const ventures = []
  for (let count = 0; count < 3; count++) ventures.push(await bank.registerVenture())
  for (const venture of ventures) await venture.registerClient()
  assert.equal(await start(bank), undefined)
  let era = 1
  for (const venture of ventures) {
    await insertFromTheFuture(bank, venture)
    assert.equal(await start(bank), ++era)
    assert.equal(await start(bank), undefined)
    assert.equal(await currentEra(bank), era)
  }
})

test('after a restore, followers miss nothing, repeat nothing, and see earlier eras first', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  await venture.registerClient()
  await insertFromTheFuture(bank, venture, '900000000001')
  const last = await insertFromTheFuture(bank, venture, '900000000002')
  await start(bank)
  const restored = await follow(bank, venture)
  assert.equal(restored.length, 3)
  assert.equal(restored.at(-1), last)
  await venture.registerClient()
  await venture.registerClient()
  const since = await follow(bank, venture, last)
  assert.equal(since.length, 2)
  assert.deepEqual(await follow(bank, venture), [...restored, ...since])
  assert.deepEqual(await follow(bank, venture, restored[0]), [...restored.slice(1), ...since])
  assert.deepEqual(await follow(bank, venture, since[0]), since.slice(1))
  assert.deepEqual(await follow(bank, venture, since[1]), [])
})

test('after a restore, an endpoint gets the events that it had not got, and all new ones, each once', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  await venture.registerClient()
  const receiver = await openReceiver()
  await venture.post('/webhook-endpoints', { url: receiver.url })
  await venture.registerClient()
  const beforeRestore = await insertFromTheFuture(bank, venture)
  await start(bank)
  await venture.registerClient()
  await bank.runDeliveries()
  const [first, ...wanted] = await follow(bank, venture)
  assert.equal(wanted[1], beforeRestore)
  assert.equal(wanted.length, 3)
  assert.deepEqual(arrived(receiver).sort(), wanted.toSorted())
  await venture.registerClient()
  await bank.runDeliveries()
  assert.deepEqual(arrived(receiver).sort(), (await follow(bank, venture, first)).toSorted())
})

test('an endpoint that began, or stands, at a number of another cluster begins another era and misses nothing', async () => {
  for (const change of ["xid = '900000000000'", "since = '900000000000:900000000000:'"]) {
    const bank = await openBank()
    const venture = await bank.registerVenture()
    const receiver = await openReceiver()
    await venture.post('/webhook-endpoints', { url: receiver.url })
    await bank.owner.query(`update webhook_progress set ${change}`)
    assert.equal(await start(bank), 2, change)
    assert.equal(await start(bank), undefined, change)
    await venture.registerClient()
    await bank.runDeliveries()
    assert.deepEqual(arrived(receiver), await follow(bank, venture), change)
    assert.equal(receiver.arrivals.length, 1, change)
  }
})

test('an endpoint created in a later era gets no event of the eras before it', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const last = await insertFromTheFuture(bank, venture)
  await start(bank)
  const receiver = await openReceiver()
  await venture.post('/webhook-endpoints', { url: receiver.url })
  await venture.registerClient()
  await bank.runDeliveries()
  assert.deepEqual(arrived(receiver), await follow(bank, venture, last))
})

test('an era begins only when no transaction of the era before it is running', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const last = await insertFromTheFuture(bank, venture)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const object = { id: randomUUID() } as NewEvent['object']
  const writing = bank.database.transaction(async (tx) => {
    emit(tx, { venture_id: venture.venture.id, type: 'client.created', object, sequence: 1 })
    begin()
    await released
  })
  await begun
  const starting = start(bank)
  // The transaction must end, whatever happens.
  await waitUntilBlocked(bank, starting).finally(release)
  await writing
  assert.equal(await starting, 2)
  await venture.registerClient()
  const { rows } = await bank.owner.query('select era from events order by era, xid')
  assert.deepEqual(
    rows.map(({ era }) => era),
    [1, 1, 2],
  )
  assert.equal((await follow(bank, venture, last)).length, 1)
})

test('a writer that waits for another era to begin writes in that era', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  await bank.owner.query('begin')
  await bank.owner.query('select pg_advisory_xact_lock($1)', [aloneKey])
  await bank.owner.query('update event_era set era = era + 1')
  const writing = venture.registerClient()
  const creating = venture.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' })
  await waitUntilBlocked(bank, Promise.race([writing, creating]))
  await bank.owner.query('commit')
  await writing
  assert.equal((await creating).status, 201)
  assert.deepEqual((await bank.owner.query('select era from events')).rows, [{ era: 2 }])
  assert.deepEqual((await bank.owner.query('select era, since_era from webhook_progress')).rows, [{ era: 2, since_era: 2 }])
})

test('a writer that waits too long for another era is told that the service is unavailable', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const hurried = new VentureCaller(await bank.openInstance({ databaseWait_ms: 5_000 }), venture.venture)
  await bank.owner.query('begin')
  await bank.owner.query('select pg_advisory_xact_lock($1)', [aloneKey])
  const { status, problem } = await hurried.post('/clients/person', somePerson())
  assert.deepEqual([status, problem.code], [503, 'unavailable'])
  await bank.owner.query('rollback')
  assert.equal((await hurried.post('/clients/person', somePerson())).status, 201)
})

test('two instances that start together begin one era', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  await insertFromTheFuture(bank, venture)
  // A lock of another transaction lets all of them notice the numbers before one of them acts.
  await bank.owner.query('select pg_advisory_lock_shared($1)', [aloneKey])
  const starting = Promise.all([start(bank), start(bank), start(bank)])
  await waitUntilBlocked(bank, starting, 3)
  await bank.owner.query('select pg_advisory_unlock_shared($1)', [aloneKey])
  const begun = await starting
  assert.deepEqual(
    begun.filter((era) => era !== undefined),
    [2],
  )
  assert.equal(await currentEra(bank), 2)
})

test('a follower reads no event beyond those that it gets', async () => {
  const { owner } = await openBank()
  await owner.query('set enable_seqscan = off; set enable_bitmapscan = off')
  const { rows } = await owner.query(
    `explain (costs off) select id from events where venture_id = $1 and (era, xid, id) > (1, '5'::xid8, $1)
       and (era, xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot())) order by era, xid, id limit 1`,
    [randomUUID()],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /Index Only Scan using events_\d{4}_\d\d_in_eras/)
  assert.match(plan, /Index Cond: .*ROW\(era, xid, id\) > .*ROW\(era, xid\) < /)
  // The partitions are merged without sorting any of them.
  assert.doesNotMatch(plan.replace('Sort Key', ''), /Sort|Filter/)
})
