// A column that is not declared in a response schema stays private: every table gets one here, every route is called, and no response,
// event or delivery contains it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank } from '../testing/testing.ts'
import { Case } from './matrix/matrix.cases.ts'
import { Fixtures } from './matrix/matrix.fixtures.ts'
import { nameOf } from './matrix/matrix.names.ts'
import { rowOf } from './matrix/matrix.rows.ts'
import { openWatch } from './matrix/matrix.watch.ts'

const column = 'planted_private_column'
const bank = await openBank()
await bank.listen()

const { rows: tables } = await bank.owner.query<{ name: string }>(
  `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'migrations'`,
)
for (const { name } of tables) await bank.owner.query(`alter table ${name} add ${column} text default '${column}'`)

const own = await Fixtures.open(bank)
const looked = { routes: 0, own: 0, keys: 0, pairs: 0, malformed: 0, labels: 0, claims: 0, cursors: 0, filters: 0, anybodys: 0 }
const world = { bank, own, foreign: own, watch: await openWatch(bank), looked }

test('no route shows a new private column', async () => {
  const showing: string[] = []
  let routes = 0
  for (const route of bank.app.routeTable) {
    const row = rowOf(route)
    for (const make of row?.makers ?? []) {
      if (row === undefined) continue
      const it = new Case(world, route, { row, make, query: undefined })
      const answer = await it.send(await it.requestOf(own))
      it.assertWorked(answer, nameOf(route))
      if (`${JSON.stringify(answer.headers)}${answer.text}`.includes(column)) showing.push(nameOf(route))
    }
    routes++
  }
  assert.deepEqual(showing, [])
  assert.ok(routes >= 80, `only ${routes} routes were called`)
})

test('no event shows a new private column, of whatever type', async () => {
  const { rows: found } = await bank.owner.query<{ types: string[]; showing: string[] }>(
    `select array_agg(distinct type) as types, coalesce(array_agg(distinct type) filter (where data::text like '%${column}%'), '{}') as showing
     from events`,
  )
  const { types = [], showing } = found[0] ?? {}
  assert.deepEqual(showing, [])
  assert.ok(types.length >= 15, `only events of ${types.length} types were looked at: ${types}`)
})

test('no delivery shows a new private column', async () => {
  await bank.runDeliveries()
  const { rows: found } = await bank.owner.query(
    `select count(*)::int as count from webhook_deliveries where attempts::text like '%${column}%'`,
  )
  assert.deepEqual(found, [{ count: 0 }])
})

test('the rows have the column', async () => {
  for (const name of ['clients', 'accounts', 'transfers', 'payments', 'webhook_endpoints']) {
    const { rows: found } = await bank.owner.query(`select to_json(r)::text like '%${column}%' as has from ${name} r limit 1`)
    assert.deepEqual(found, [{ has: true }], name)
  }
})
