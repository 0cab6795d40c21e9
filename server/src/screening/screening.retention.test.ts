// Old versions lose their entries, and nothing that is still needed is deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestList } from '../testing/testing.lists.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { versionPruning } from './screening.retention.ts'

const bank = await openBank()

async function prune(days = 30): Promise<number> {
  let deleted = 0
  for await (const count of versionPruning(bank.database, { days }).steps()) deleted += count
  return deleted
}

/** Makes everything that happened to the list this many days older. */
const age = (list: TestList, days: number) =>
  bank.owner.query(
    `update watchlist_versions set imported_at = imported_at - make_interval(days => $2), replaced_at = replaced_at - make_interval(days => $2)
     where watchlist_id = $1`,
    [list.list.id, days],
  )

const entriesOf = async ({ id }: Loose) =>
  Number((await bank.owner.query('select count(*) from watchlist_entries where version_id = $1', [id])).rows[0].count)

test('the entries of a version are deleted some time after it was replaced, and those of the active one are kept', async () => {
  const list = await TestList.open(bank)
  const { body: unused } = await list.import('Nobody At All')
  const old = await list.publish('Orlin Vashtree', 'Kesper Dromgold')
  const active = await list.publish('Orlin Vashtree', 'Kesper Dromgold', 'Zelda Quillfeather')
  await age(list, 29)
  assert.equal(await prune(), 0)
  await age(list, 2)
  assert.equal(await prune(), 3)
  assert.deepEqual([await entriesOf(unused), await entriesOf(old), await entriesOf(active)], [0, 0, 3])
  const { body: versions } = await bank.admin.get(`${list.path}/versions`)
  assert.deepEqual(
    versions.map(({ id, active: isActive, deleted_at, replaced_at }: Loose) => [id, isActive, deleted_at !== null, replaced_at !== null]),
    [
      [active.id, true, false, false],
      [old.id, false, true, true],
      [unused.id, false, true, false],
    ],
  )
  assert.equal(await prune(), 0)

  const refused = await list.activate(old, { force: true })
  assert.deepEqual([refused.status, refused.problem?.code], [409, 'watchlist_version_deleted'])
  const { status, body: again } = await list.import('Orlin Vashtree', 'Kesper Dromgold')
  assert.deepEqual([status, again.id === old.id], [201, false])
  assert.equal((await list.activate(again, { force: true })).status, 200)
})

test('a version that was active until now is kept, however long ago it was imported', async () => {
  const list = await TestList.open(bank)
  const first = await list.publish('Orlin Vashtree')
  await age(list, 400)
  await list.publish('Orlin Vashtree', 'Kesper Dromgold')
  assert.equal(await prune(), 0)
  assert.equal((await list.activate(first, { force: true })).status, 200)
})

test('the database refuses to delete entries of a version that is not marked', async () => {
  const list = await TestList.open(bank)
  const { id } = await list.publish('Orlin Vashtree')
  await assert.rejects(bank.owner.query('delete from watchlist_entries where version_id = $1', [id]), /kept until it is marked/)
  await assert.rejects(bank.owner.query('update watchlist_entries set kind = $$vessel$$'))
  await assert.rejects(bank.owner.query('truncate watchlist_entries'))
})
