// Each day of the request log is a partition, created in advance, dropped after seven days, and protected from changes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { now } from '../platform/clock.ts'
import { fragment, read, write } from '../platform/database/sql.ts'
import { between } from '../platform/http/lists.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'
import { addDays } from '../values/calendar.ts'
import { requestLogDays } from './requests.retention.ts'

const bank = await openBank({ requestLog: true })
const venture = await bank.registerVenture()
const dropping = requestLogDays(bank.database, { isOn: true, pause_ms: 1 })

const today = () => now().toISOString().slice(0, 10)

/** The days that have a partition. */
async function days(): Promise<string[]> {
  const { rows } = await bank.owner.query<{ name: string }>(
    `select relname as name from pg_class where relispartition and relkind = 'r' and relname ~ '^requests_' order by 1`,
  )
  return rows.map(({ name }) => name.replace('requests_', '').replaceAll('_', '-'))
}

async function keepDays(): Promise<number> {
  let dropped = 0
  for await (const count of dropping.steps()) dropped += count
  return dropped
}

async function advance(by: string): Promise<void> {
  const { status, text } = await bank.admin.post('/sandbox/clock', { advance: by })
  assert.equal(status, 200, text)
}

/** Sends a request, and returns the days for which the venture then has log rows. */
async function request(): Promise<string[]> {
  await venture.get('/venture')
  await turn()
  await bank.services.requests.flush()
  const { rows } = await bank.owner.query<{ day: string }>(
    `select distinct (at at time zone 'UTC')::date::text as day from requests where venture_id = $1 order by 1`,
    [venture.venture.id],
  )
  return rows.map(({ day }) => day)
}

const nameOf = (day: string) => `requests_${day.replaceAll('-', '_')}`

const around = (day: string) => [-1, 0, 1, 2, 3].map((distance) => addDays(day, distance))

test('the first request makes the days around today, and rows are where their ids say', async () => {
  assert.deepEqual(await days(), [])
  const first = today()
  assert.deepEqual(await request(), [first])
  assert.deepEqual(await days(), around(first))
  const { rows } = await bank.owner.query('select distinct tableoid::regclass::text as name from requests')
  assert.deepEqual(rows, [{ name: nameOf(first) }])
  const { rows: bounds } = await bank.owner.query(
    `select first_id_of($1::date)::text as first, first_id_of('1970-01-01')::text as zero, first_id_of('2026-11-16')::text as known`,
    [first],
  )
  assert.equal(Number.parseInt(bounds[0].first.replaceAll('-', '').slice(0, 12), 16), Date.parse(`${first}T00:00:00Z`))
  assert.deepEqual(bounds[0].zero, '00000000-0000-7000-8000-000000000000')
  assert.equal(
    bounds[0].known,
    `${Date.parse('2026-11-16')
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`,
  )
})

test('several instances make the same days at the same time', async () => {
  await advance('P1D')
  const ahead = around(today()).at(-1) ?? ''
  assert.ok(!(await days()).includes(ahead))
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: urlOf(findTestServer().ownerUrl, bank.owner.database ?? '') })
      await client.connect()
      after(() => client.end())
      return client
    }),
  )
  const answers = await Promise.all(clients.map((client) => client.query('select make_request_days()::text as last')))
  assert.deepEqual(
    answers.map(({ rows }) => rows[0].last),
    clients.map(() => ahead),
  )
  assert.equal((await days()).at(-1), ahead)
})

test('a row stays for seven days, and its day is dropped then', async () => {
  const kept = await request()
  await advance('P7D')
  assert.deepEqual(await request(), [...kept, today()])
  await keepDays()
  assert.deepEqual(await request(), [addDays(today(), -7), today()])
  const first = (await days())[0] ?? ''
  assert.ok(first >= addDays(today(), -7), first)
  await advance('P1D')
  assert.equal(await keepDays(), 1)
  assert.deepEqual(await request(), [addDays(today(), -1), today()])
  assert.equal(await keepDays(), 0)
})

test('after a long jump of the clock the log goes on, and everything old is dropped', async () => {
  await advance('P200D')
  assert.equal((await request()).at(-1), today())
  const before = (await days()).length
  assert.equal(await keepDays(), before - 5)
  assert.deepEqual([await days(), await request()], [around(today()), [today()]])
})

test('the log that is off makes no days, and drops the old ones', async () => {
  await advance('P9D')
  let dropped = 0
  for await (const count of requestLogDays(bank.database, { isOn: false }).steps()) dropped += count
  assert.equal(dropped, 3)
  assert.equal((await days()).at(-1), addDays(today(), -6))
})

test('dropping does not wait for those who read the log, and is tried again', async () => {
  await request()
  await advance('P8D')
  const reader = new pg.Client({ connectionString: urlOf(findTestServer().ownerUrl, bank.owner.database ?? '') })
  await reader.connect()
  try {
    await reader.query('begin')
    await reader.query('select from requests')
    const seen: number[] = []
    await assert.doesNotReject(async () => {
      for await (const count of dropping.steps()) {
        seen.push(count)
        if (seen.length === 2) await reader.query('commit')
      }
    })
    assert.deepEqual([seen.slice(0, 2), seen.at(-1)], [[0, 0], 1])
    await reader.query('begin')
    await reader.query('select from requests')
    await advance('P1D')
    await assert.rejects(
      async () => {
        for await (const count of dropping.steps()) assert.equal(count, 0)
      },
      { code: 'unavailable' },
    )
  } finally {
    await reader.end()
  }
})

test('nobody changes the log, not even the owner, in the table or in a day of it', async () => {
  await request()
  const day = nameOf(today())
  for (const table of ['requests', day])
    for (const statement of [`update ${table} set status = 200`, `delete from ${table}`, `truncate ${table}`])
      await assert.rejects(bank.owner.query(statement), { code: '23001' }, statement)
})

test('the service adds to the log and reads it, and has no other right', async () => {
  const day = nameOf(today())
  const refused = [
    write`update requests set status = 200`,
    write`delete from requests`,
    write`truncate requests`,
    write`alter table requests add planted text`,
    write`drop table requests`,
  ]
  for (const statement of refused)
    await assert.rejects(
      bank.database.transaction((tx) => tx.run(statement)),
      { code: '42501' },
      statement.text,
    )
  const { rows } = await bank.owner.query(
    `select privilege_type as right from information_schema.role_table_grants where grantee = 'vostro_service' and table_name = $1`,
    [day],
  )
  assert.deepEqual(rows, [])
  const { rows: functions } = await bank.owner.query(
    `select proname as name, prosecdef as definer, proconfig as config, has_function_privilege('public', oid, 'execute') as open
     from pg_proc where proname ~ '_request_days?$' order by 1`,
  )
  const path = 'search_path=pg_catalog, pg_temp'
  assert.deepEqual(functions, [
    { name: 'drop_request_day', definer: true, config: [path, 'lock_timeout=200ms'], open: false },
    { name: 'make_request_days', definer: true, config: [path], open: false },
  ])
})

test('a function of somebody else is not called in place of those that make and drop days', async () => {
  await bank.owner.query(`
    create schema planted;
    create function planted.to_char(date, text) returns text language sql as $$ select 'planted' $$;
    create function planted.bank_now() returns timestamptz language sql as $$ select now() + interval '900 days' $$`)
  const client = new pg.Client({ connectionString: urlOf(findTestServer().ownerUrl, bank.owner.database ?? '') })
  await client.connect()
  await client.query('set search_path = planted, pg_catalog, public')
  await client.query('select make_request_days(), drop_request_day()')
  await client.end()
  assert.deepEqual((await days()).slice(-5), around(today()))
})

test('a list leaves out the days that cannot have any of its rows', async () => {
  await request()
  const { date_from, date_to } = between(fragment`at`)
  const plan = await bank.database.rows(read<{ 'QUERY PLAN': string }>`
    explain select id from requests where venture_id = ${venture.venture.id} and ${date_from(`${today()}T12:00:00Z`)}
      and ${date_to(`${today()}T13:00:00Z`)} order by id desc limit 50`)
  const scanned = plan.map((line) => line['QUERY PLAN']).join('\n')
  assert.deepEqual(new Set(scanned.match(/requests_\d{4}_\d\d_\d\d(?!_)\b/g)), new Set([nameOf(today())]))
})
