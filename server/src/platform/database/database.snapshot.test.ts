// A snapshot shows a single point in time, and is not kept longer than it is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../testing/testing.ts'
import { Snapshot } from './database.snapshot.ts'
import { Database } from './database.ts'
import { read } from './sql.ts'

const bank = await openBank()
const { database } = bank
const { limits } = database
const ventures = read<{ count: number }>`select count(*)::int as count from ventures`

async function counted(snapshot: Snapshot): Promise<number> {
  return (await snapshot.first(ventures))?.count ?? 0
}

test('a snapshot does not see what was committed after it began, and the next one does', async () => {
  const snapshot = await database.snapshot('a')
  const before = await counted(snapshot)
  await bank.registerVenture()
  assert.equal(await counted(snapshot), before)
  await snapshot.close()
  await snapshot.close()
  await assert.rejects(counted(snapshot), /has ended/)
  const next = await database.snapshot('a')
  assert.equal(await counted(next), before + 1)
  await next.close()
})

test('a snapshot writes nothing', async () => {
  const last = async () => (await bank.owner.query('select last_value, is_called from rail_message_numbers')).rows
  const before = await last()
  const snapshot = await database.snapshot('a')
  await assert.rejects(snapshot.rows(read`select nextval('rail_message_numbers')`))
  await snapshot.close()
  assert.deepEqual(await last(), before)
})

test('a venture has one snapshot at a time, others have theirs, and lists do not wait for them', async () => {
  const [one, other] = [await database.snapshot('a'), await database.snapshot('b')]
  let isOpen = false
  const waiting = database.snapshot('a').then((snapshot) => {
    isOpen = true
    return snapshot
  })
  assert.equal((await database.list('a', (lists) => lists.rows(ventures))).length, 1)
  await counted(other)
  assert.equal(isOpen, false)
  await one.close()
  await (await waiting).close()
  await other.close()
})

for (const [what, changes] of [
  ['is not read', { snapshotPause_ms: 20 }],
  ['takes too long', { snapshot_ms: 20 }],
] as const) {
  test(`a snapshot that ${what} ends by itself, tells it, and gives its place back once`, async () => {
    let left = 0
    const snapshot = await Snapshot.open(database.connections, () => left++, { ...limits, ...changes })
    await new Promise<void>((resolve) => {
      snapshot.onExpired = resolve
    })
    assert.equal(left, 1)
    await assert.rejects(counted(snapshot), /has ended/)
    await snapshot.close()
    assert.equal(left, 1)
  })
}

test('a snapshot that nobody has closed does not keep the service from stopping', async () => {
  const own = new Database({ url: database.url })
  const snapshot = await own.snapshot('a')
  await own.close()
  await assert.rejects(counted(snapshot), /has ended/)
})
