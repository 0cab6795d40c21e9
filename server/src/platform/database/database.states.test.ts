// Every change of a deciding row adds a line, in the same statement.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBank } from '../../testing/testing.ts'
import { bankId } from '../idempotency/idempotency.ts'
import { withLines } from './database.states.ts'
import type { Tx } from './database.ts'
import { columnsOf, read, stated } from './sql.ts'

const { database, owner } = await openBank()

type Line = { venture_id: string; table_name: string; hash: string | null }

async function linesOf(row_id: string): Promise<Line[]> {
  const { rows } = await owner.query('select venture_id, table_name, hash from row_states where row_id = $1 order by version', [row_id])
  return rows
}

const someone = () => ({ id: randomUUID(), email: `${randomUUID()}@example.com`, at: '2026-11-19T08:00:00.000Z' })

const insert = ({ id, email, at }: ReturnType<typeof someone>) => stated`
  insert into users (id, email, name, password_hash, status, created_at, updated_at)
  values (${id}, ${email}, 'Ada', '$argon2id$', 'ACTIVE', ${at}, ${at})
  on conflict (email) do nothing`

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.transaction(work)

test('a row that is inserted, changed and deleted has a line for each', async () => {
  const person = someone()
  assert.equal(await inTransaction((tx) => tx.run(insert(person))), 1)
  assert.equal(await inTransaction((tx) => tx.run(insert({ ...person, id: randomUUID() }))), 0)
  const change = (status: string) => stated`update users set status = ${status} where id = ${person.id}`
  assert.equal(await inTransaction((tx) => tx.run(change('DISABLED'))), 1)
  assert.equal(await inTransaction((tx) => tx.run(change('ACTIVE'))), 1)
  const [first, second, third, ...more] = await linesOf(person.id)
  assert.deepEqual(more, [])
  assert.deepEqual([first?.venture_id, first?.table_name], [bankId, 'users'])
  assert.match(first?.hash ?? '', /^[0-9a-f]{64}$/)
  assert.notEqual(second?.hash, first?.hash)
  assert.equal(third?.hash, first?.hash, 'the hash depends on columns that decide nothing')
  const joined = (tx: Tx) =>
    tx.run(stated`
    insert into memberships (user_id, venture_id, role, created_at) values (${person.id}, ${bankId}, 'auditor', ${person.at})
    on conflict (user_id, venture_id) do update set role = excluded.role`)
  assert.equal(await inTransaction(joined), 1)
  assert.equal(await inTransaction(joined), 1)
  assert.equal(await inTransaction((tx) => tx.run(stated`delete from memberships where user_id = ${person.id}`)), 1)
  const memberships = (await linesOf(person.id)).filter(({ table_name }) => table_name === 'memberships')
  assert.deepEqual(
    memberships.map(({ hash }) => hash !== null),
    [true, true, false],
  )
})

test('a statement returns what it returned without lines, and its columns may have the name of their table', async () => {
  const person = someone()
  await inTransaction((tx) => tx.run(insert(person)))
  const columns = columnsOf({ properties: { id: {}, created_at: {} } })
  const found = await inTransaction((tx) =>
    tx.rows(stated<{ id: string; created_at: string }>`
      update users person set name = 'Grace' from (select 1) as other where person.id = ${person.id} returning ${columns}`),
  )
  assert.deepEqual(found, [{ id: person.id, created_at: person.at }])
  const named = await inTransaction((tx) =>
    tx.rows(stated<{ email: string }>`update users set name = 'Joan' where id = ${person.id} returning users.email`),
  )
  assert.deepEqual(named, [{ email: person.email }])
  assert.equal((await linesOf(person.id)).length, 3)
})

test('what is rolled back leaves no line', async () => {
  const person = someone()
  const failed = inTransaction(async (tx) => {
    await tx.run(insert(person))
    throw new Error('not this one')
  })
  await assert.rejects(failed, /not this one/)
  assert.deepEqual(await linesOf(person.id), [])
})

test('of changes that wait for each other, the last one has the last line', async () => {
  const person = someone()
  await inTransaction((tx) => tx.run(insert(person)))
  const { promise: changed, resolve: hasChanged } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const rename = (name: string) => stated`update users set name = ${name} where id = ${person.id}`
  const second = Promise.withResolvers<void>()
  // This transaction has the smaller number, but changes the row after the other one.
  const later = inTransaction(async (tx) => {
    await tx.rows(read`select pg_current_xact_id()::text as xid`)
    second.resolve()
    await changed
    return tx.run(rename('Last'))
  })
  await second.promise
  const earlier = inTransaction(async (tx) => {
    await tx.run(rename('First'))
    hasChanged()
    await released
  })
  await changed
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await owner.query(waiting)).rowCount === 0);
  release()
  await Promise.all([earlier, later])
  const lines = await linesOf(person.id)
  const again = await inTransaction(async (tx) => {
    await tx.run(rename('Last'))
    return undefined
  }).then(() => linesOf(person.id))
  assert.equal(lines.length, 3)
  assert.equal(again.at(-1)?.hash, lines.at(-1)?.hash)
  assert.notEqual(lines[1]?.hash, lines[2]?.hash)
})

test('a table without states is refused', () => {
  assert.throws(() => withLines('update clients set blocked = true'), /no lines are kept for the rows of clients/)
  assert.throws(() => withLines('select 1'), /no lines are kept for the rows of this statement/)
})
