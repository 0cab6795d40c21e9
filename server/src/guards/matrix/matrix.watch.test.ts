import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../../testing/testing.ts'
import { Fixtures } from './matrix.fixtures.ts'
import { openWatch } from './matrix.watch.ts'

const bank = await openBank()
await bank.listen()
const own = await Fixtures.open(bank)
const foreign = await Fixtures.open(bank)
const watch = await openWatch(bank)
const { owner } = bank

test('the watch notices each row that is inserted, changed or deleted, and whose it is', async () => {
  const { client_id, venture_id } = own.ids
  const before = await watch.position()
  await owner.query("update clients set city = 'Vilnius' where id = $1", [client_id])
  await owner.query('create table planted (venture_id uuid, word text)')
  await owner.query('create trigger watch after insert or update or delete on planted for each row execute function watch.note()')
  await owner.query("insert into planted values ($1, 'one')", [venture_id])
  await owner.query('delete from planted')
  const changes = await watch.changesSince(before, own)
  assert.deepEqual(
    changes.map((change) => change.split(':')[0]),
    ['UPDATE clients', 'INSERT planted', 'DELETE planted'],
  )
  assert.match(changes[0] ?? '', /Vilnius/)
  assert.deepEqual(await watch.changesSince(before, foreign), [])
  assert.deepEqual(await watch.changesSince(await watch.position(), own), [])
})

test('a row without a venture_id belongs to the venture that it names', async () => {
  await owner.query('create table unowned (payload text)')
  await owner.query('create trigger watch after insert or update or delete on unowned for each row execute function watch.note()')
  const before = await watch.position()
  await owner.query('insert into unowned values ($1)', [`a job for ${own.ids.account_id}`])
  assert.equal((await watch.changesSince(before, own)).length, 1)
  assert.deepEqual(await watch.changesSince(before, foreign), [])
})

test('what is written as it was, a time of last use, and what is rolled back are no changes', async () => {
  const before = await watch.position()
  await owner.query('update clients set city = city where id = $1', [own.ids.client_id])
  await owner.query('update api_keys set last_used_at = now() where venture_id = $1', [own.ids.venture_id])
  await owner.query('begin')
  await owner.query("update clients set city = 'Kaunas' where id = $1", [own.ids.client_id])
  await owner.query('rollback')
  assert.deepEqual(await watch.changesSince(before, own), [])
})
