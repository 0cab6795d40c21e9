import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withCheck } from '../platform/distribute/distribute.checking.ts'
import { firstIdAt } from '../platform/ids.ts'
import { shownEvents } from '../testing/testing.events.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import { openBank } from '../testing/testing.ts'
import { changingColumns } from '../transfers/life/transfers.columns.ts'
import { Transfer } from '../transfers/life/transfers.schemas.ts'
import { transferStatuses } from '../transfers/life/transfers.status.ts'
import { editionsOf, pack, unpack } from './events.packing.ts'
import type { Event } from './events.ts'

const names = Object.keys(Transfer.properties)
const changing = names.filter((name) => name in changingColumns)
/** The edition in which events are currently written. */
const newest = editionsOf('transfer').length

test('the newest edition has the fields of a transfer in their order, those that can change, and all statuses', () => {
  const { names: packed, changing: packedChanges, statuses } = editionsOf('transfer').at(-1) ?? assert.fail()
  assert.deepEqual(packed, names, 'add an edition in events.packing.ts')
  assert.deepEqual(packedChanges.toSorted(), changing.toSorted(), 'add an edition in events.packing.ts')
  assert.deepEqual(statuses, transferStatuses, 'add an edition in events.packing.ts')
})

type Given = Pick<Event, 'id' | 'type' | 'timestamp' | 'sequence' | 'data'>

/** An id with the time of its event. */
const idAt = (timestamp: string) => firstIdAt(new Date(timestamp))

/** How an event reads that was stored after the first event of its resource. */
function readBack(event: Given, first: Given): { text: string; stored: string } {
  const stored = pack(event)
  const data = unpack({ ...event, data: JSON.parse(stored), first: stored.startsWith('[-') ? JSON.parse(pack(first)) : null })
  return { text: JSON.stringify(data), stored }
}

const time = (text: string) => fc.date({ min: new Date(`${text}T00:00:00Z`), max: new Date(`${text}T23:59:59Z`), noInvalidDate: true })
const status = fc.oneof(fc.constantFrom(...transferStatuses), fc.string(), fc.constant(null))
/** Values of the fields that every transfer has. */
const value = fc.oneof(fc.constant(null), fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constantFrom('[1]', '2026-11-17'))

const details = fc.record({ end_to_end_id: fc.string(), agents: fc.array(fc.record({ name: fc.string() })) }, { requiredKeys: [] })
const values = fc.tuple(...names.map((name) => (name === 'status' ? status : name === 'details' ? details : value)))

/** A transfer, and the same transfer with other values in the fields that can change. */
const twice = fc
  .record({
    fields: values,
    others: values,
    at: time('2026-11-01'),
    later: time('2026-11-30'),
  })
  .map(({ fields, others, at, later }) => {
    const times = { created_at: at.toISOString(), updated_at: at.toISOString() }
    const object = { ...Object.fromEntries(names.map((name, place) => [name, fields[place]])), ...times }
    const changes = Object.fromEntries(changing.map((name) => [name, others[names.indexOf(name)]]))
    return { object, changed: { ...object, ...changes, updated_at: later.toISOString() }, at: at.toISOString(), later: later.toISOString() }
  })

test('what is read is what was written, byte for byte', () => {
  const property = fc.property(twice, status, ({ object, changed, at, later }, previous_status) => {
    const first = {
      id: idAt(at),
      type: 'transfer.created',
      timestamp: at,
      sequence: 1,
      data: { object, previous_status: null },
    } as unknown as Given
    assert.equal(readBack(first, first).text, JSON.stringify(first.data))
    const next = {
      id: idAt(later),
      type: 'transfer.updated',
      timestamp: later,
      sequence: 2,
      data: { object: changed, previous_status },
    } as unknown as Given
    const { text, stored } = readBack(next, first)
    assert.equal(text, JSON.stringify(next.data))
    assert.ok(stored.startsWith(`[-${newest}`))
  })
  fc.assert(property, { numRuns: 300 })
})

const filled = Object.fromEntries(names.filter((name) => name !== 'details').map((name) => [name, `some ${name}`]))
const whole = { ...filled, id: 'x', created_at: '2026-11-30T23:59:00.000Z' }
const created: Given = {
  id: idAt('2026-11-30T23:59:00.000Z'),
  type: 'transfer.created',
  timestamp: '2026-11-30T23:59:00.000Z',
  sequence: 1,
  data: { object: whole, previous_status: null },
}

test('the details of a transfer are stored once, and a transfer without them shows none', () => {
  const plain = { ...filled, id: 'x', created_at: '2026-11-30T23:59:00.000Z' }
  for (const details of [{}, { details: { end_to_end_id: 'INVOICE-7', agents: [{ role: 'instructing', bic: 'COBADEFF' }] } }]) {
    const first = { ...created, data: { object: { ...plain, ...details }, previous_status: null } } as Given
    const next = { ...first, type: 'transfer.updated', sequence: 2 } as Given
    assert.equal(readBack(first, first).text, JSON.stringify(first.data))
    const { text, stored } = readBack(next, first)
    assert.equal(text, JSON.stringify(next.data))
    assert.ok(stored.startsWith('[-') && !stored.includes('INVOICE-7'), stored)
  }
})

test('an event of another month than the creation is stored whole', () => {
  const later = { ...created, type: 'transfer.updated', sequence: 2 }
  const [november, december, nextYear] = ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-11-30T23:59:59.999Z'] as const
  for (const [timestamp, drawn, isShort] of [
    [november, november, true],
    // The id decides in which month the event is kept.
    [november, december, false],
    [december, december, false],
    [nextYear, nextYear, false],
  ] as const) {
    const event = { ...later, id: idAt(drawn), timestamp }
    assert.equal(pack(event).startsWith('[-'), isShort, timestamp)
    assert.equal(readBack(event, created).text, JSON.stringify(created.data))
  }
})

test('an event after a first one from before this form shows the fields of today', () => {
  const { mandate_id: _, ...old } = created.data.object as Record<string, unknown>
  const object = { ...filled, mandate_id: null, id: 'x', created_at: '2026-11-30T23:59:00.000Z', status: 'RESERVED' }
  const event = { ...created, type: 'transfer.status_changed', sequence: 2, data: { object, previous_status: 'CREATED' } }
  const data = unpack({ ...event, data: JSON.parse(pack(event)), first: { object: old, previous_status: null } })
  assert.equal(JSON.stringify(data), JSON.stringify(event.data))
})

test('what has other fields, and other resources, are stored as they are shown', () => {
  const { id, ...rest } = created.data.object as Record<string, unknown>
  const withOther = { ...created, data: { object: { id, ...rest, secret_plan: 'none' }, previous_status: null } } as Given
  const inOtherOrder = { ...created, data: { object: { ...rest, id }, previous_status: null } } as Given
  const withList = { ...created, data: { object: { ...created.data.object, purpose: ['a'] }, previous_status: null } } as Given
  const withoutDetails = { ...created, data: { object: { ...whole, details: null }, previous_status: null } } as Given
  const withPlace = { ...created, data: { object: { ...whole, status: 7 }, previous_status: null } } as Given
  const ofClient = { ...created, type: 'client.created' }
  for (const event of [withOther, inOtherOrder, withList, withoutDetails, withPlace, ofClient])
    assert.equal(pack(event), JSON.stringify(event.data))
})

test('data of an edition that this version does not know, or without its first event, is an error and never half an answer', () => {
  const { type, timestamp } = created
  assert.throws(() => unpack({ type, timestamp, data: [9, 'CREATED'], first: null }), /unknown edition 9/)
  assert.throws(() => unpack({ type, timestamp, data: [-1, 'CREATED'], first: null }), /has no first event/)
})

test('every reader gets an event as it happened: by id, in lists, as a follower, as a webhook and in SQL', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const receiver = await openReceiver()
  await venture.post('/webhook-endpoints', {
    url: receiver.url,
    event_types: ['transfer.created', 'transfer.status_changed', 'transfer.updated'],
  })
  const account = await venture.openAccount({ balance: '10.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', purpose: 'Grüße "🙂" \\ [2]' }
  const transfer = await venture.createTransfer(order)
  const shown = [{ object: transfer, previous_status: null as string | null }]
  for (const change of [{ status: 'RESERVED' }, { status_reason: 'Because' }, { status: 'READY_FOR_SCREENING' }]) {
    const { body } = await venture.put(`/transfers/${transfer.id}`, change)
    shown.push({ object: body, previous_status: 'status' in change ? (shown.at(-1)?.object['status'] ?? null) : null })
  }
  const { rows } = await bank.owner.query('select id, data::text as data from events where resource_id = $1 order by sequence', [
    transfer.id,
  ])
  assert.deepEqual(
    rows.map(({ data }) => /^\[-?\d+,/.exec(data)?.[0]),
    [`[${newest},`, `[-${newest},`, `[-${newest},`, `[-${newest},`],
  )
  await bank.othersEnded()
  const texts = shown.map((data) => JSON.stringify(data))
  const textOf = ({ data }: Event) => JSON.stringify(data)
  const oneByOne = []
  for (const { id } of rows) oneByOne.push((await venture.get(`/events/${id}`)).body)
  assert.deepEqual(oneByOne.map(textOf), texts)
  const list = await venture.get(`/events?resource_id=${transfer.id}`)
  assert.deepEqual(list.body.map(textOf).reverse(), texts)
  const followed = await venture.get(`/events?since=start&resource_id=${transfer.id}`)
  assert.deepEqual(followed.body.map(textOf), texts)
  await bank.runDeliveries()
  const arrived = receiver.arrivals.map(({ event }) => event as unknown as Event).filter(({ data }) => data.object?.id === transfer.id)
  assert.deepEqual(arrived.map(textOf), texts)
  const statement = { text: `select data from ${shownEvents} where resource_id = $1 order by sequence`, values: [transfer.id] }
  const inSql = await withCheck(bank.owner, (check) => check<{ data: object }>(statement))
  assert.deepEqual(
    inSql.map(({ data }) => data),
    shown,
  )
})

test('lists by type find the rare types and the frequent one', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '10.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const { id } = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  await venture.put(`/transfers/${id}`, { status: 'RESERVED' })
  for (const type of ['transfer.status_changed', 'transfer.created', 'account.activated']) {
    const { body } = await venture.get(`/events?type=${type}&resource_id=${type.startsWith('transfer') ? id : account.id}`)
    assert.deepEqual(
      body.map((event: Event) => event.type),
      [type],
    )
  }
  await bank.owner.query('set enable_seqscan = off; set enable_bitmapscan = off')
  const plan = await bank.owner.query(
    `explain (costs off) select id from events where venture_id = $1 and type = 'account.activated' order by id desc limit 10`,
    [venture.venture.id],
  )
  assert.match(JSON.stringify(plan.rows), /_by_type on events_\d{4}_\d\d/)
})
