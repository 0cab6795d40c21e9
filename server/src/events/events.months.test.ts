// Each month of events is a partition that is created ahead of time, is never missing, and protects its rows from changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { now } from '../platform/clock.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'
import { eventMonths } from './events.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const account = await venture.openAccount({ balance: '100.00' })

/** The partitions, with the months that they begin with and end before. */
async function months(): Promise<string[]> {
  const { rows } = await bank.owner.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on oid = inhrelid where inhparent = 'events'::regclass order by 1`,
  )
  return rows.map(({ name }) => name.replace('events_', '').replace('_', '-'))
}

const monthAfter = (count: number): string => {
  const at = now()
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count)).toISOString().slice(0, 7)
}

/** Moves the clock to the middle of a later month. */
async function advanceTo(count: number): Promise<void> {
  const days = Math.round((Date.parse(`${monthAfter(count)}-15`) - now().getTime()) / 86_400_000)
  const { status, text } = await bank.admin.post('/sandbox/clock', { advance: `P${days}D` })
  assert.equal(status, 200, text)
}

async function makeMonths(): Promise<void> {
  for await (const _ of eventMonths(bank.database, { pause_ms: 1 }).steps());
}

/** Does something that emits events. */
async function pay(): Promise<string> {
  return (await venture.deposit(account.id, '1.00')).id
}

/** The partitions that contain the events of a resource. */
async function placeOf(resource_id: string): Promise<string[]> {
  const { rows } = await bank.owner.query<{ name: string }>(
    `select distinct tableoid::regclass::text as name from events where resource_id = $1 order by 1`,
    [resource_id],
  )
  // In a distributed database, the number of the shard follows.
  return rows.map(({ name }) =>
    name
      .replace('events_', '')
      .replace(/_\d{6}$/, '')
      .replace('_', '-'),
  )
}

test('this month and the next one have partitions, and everything later has one, too', async () => {
  assert.deepEqual(await months(), [monthAfter(0), monthAfter(1), 'later'])
  assert.deepEqual(await placeOf(await pay()), [monthAfter(0)])
})

test('months are made once, by the first writer', async () => {
  const before = await months()
  await advanceTo(1)
  await Promise.all(Array.from({ length: 5 }, makeMonths))
  assert.deepEqual(await months(), [...before.slice(0, 2), monthAfter(1), 'later'])
  await makeMonths()
  assert.deepEqual(await months(), [...before.slice(0, 2), monthAfter(1), 'later'])
  assert.deepEqual(await placeOf(await pay()), [monthAfter(0)])
})

test('every partition is analysed when it has doubled, like the other tables that grow with every transfer', async () => {
  const { rows } = await bank.owner.query<{ name: string; reloptions: string[] | null }>(
    `select relname as name, reloptions from pg_class where oid in (
       select inhrelid from pg_inherits where inhparent = 'events'::regclass
       union all select unnest(array['transfers', 'transfer_moves', 'transfer_references', 'transfer_texts', 'entries']::regclass[]))`,
  )
  assert.equal(rows.length, (await months()).length + 5)
  for (const { name, reloptions } of rows) assert.deepEqual(reloptions, ['autovacuum_analyze_scale_factor=1'], name)
})

test('events of months that nobody made are taken all the same, and get a partition of their own later', async () => {
  const before = await months()
  await advanceTo(3)
  const early = await pay()
  assert.deepEqual(await placeOf(early), ['later'])
  await advanceTo(1)
  const late = await pay()
  assert.deepEqual(await placeOf(late), ['later'])
  await makeMonths()
  assert.deepEqual(await months(), [...before.slice(0, 3), monthAfter(0), monthAfter(1), 'later'])
  assert.deepEqual([await placeOf(early), await placeOf(late)], [[monthAfter(0)], [monthAfter(0)]])
  for (const id of [early, late]) {
    const { body } = await venture.get(`/events?resource_id=${id}`)
    assert.ok(body.length > 0)
    for (const event of body) assert.deepEqual((await venture.get(`/events/${event.id}`)).body, event)
  }
})

test('nothing of a partition can be changed, and the service cannot name one', async () => {
  for (const month of await months()) {
    const table = `events_${month.replace('-', '_')}`
    for (const statement of [`update ${table} set type = type`, `delete from ${table}`, `truncate ${table}`])
      await assert.rejects(bank.owner.query(statement), /never changed or deleted/, statement)
    const service = new pg.Client({ connectionString: urlOf(findTestServer().serviceUrl, String(bank.owner.database)) })
    await service.connect()
    await assert.rejects(service.query(`select from ${table}`), /permission denied/, table)
    await service.end()
  }
})

test('a long read of events does not keep them from being written, and months are made when it has ended', async () => {
  await advanceTo(1)
  const before = await months()
  await bank.owner.query('begin')
  await bank.owner.query('select count(*) from events')
  await assert.rejects(makeMonths())
  assert.deepEqual(await placeOf(await pay()), [monthAfter(0)])
  await bank.owner.query('commit')
  await makeMonths()
  assert.deepEqual(await months(), [...before.slice(0, -1), monthAfter(1), 'later'])
})
