import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { beginEra } from '../../events/events.ts'
import { findTestServer, notOnCluster, urlOf } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { selectVenture } from '../../ventures/ventures.sql.ts'
import { processEnvironment } from '../config.ts'
import { claimed, kindOf, places, reasons, tablesAt } from '../database/database.tables.ts'
import { move, readMove } from './distribute.move.ts'
import { distribute } from './distribute.ts'

const run = promisify(execFile)

/** What the command changes: constraints, triggers, tables, and the right to log in. */
const shape = `select
  (select json_agg(conname order by conname) from pg_constraint) as constraints,
  (select json_agg(tgname order by tgname, tgrelid) from pg_trigger) as triggers,
  (select json_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as tables,
  (select rolcanlogin from pg_roles where rolname = 'vostro_service') as login`

test('a PostgreSQL without Citus is told what is missing, and nothing changes', { skip: notOnCluster('citus') }, async () => {
  const bank = await openBank()
  const { rows } = await bank.owner.query<{ name: string }>('select current_database() as name')
  const url = urlOf(findTestServer().ownerUrl, rows[0]?.name ?? '')
  const before = (await bank.owner.query(shape)).rows
  await assert.rejects(distribute(url), {
    name: 'StartupError',
    message: /^This PostgreSQL does not run Citus, .* Nothing was changed\.$/,
  })
  await assert.rejects(move(url, 'balance', { beginEra, selectVenture }), {
    name: 'StartupError',
    message: /^This PostgreSQL does not run Citus, .* Nothing was changed\.$/,
  })
  assert.deepEqual((await bank.owner.query(shape)).rows, before)

  const refusals: [string[], RegExp][] = [
    [[], /^This PostgreSQL does not run Citus/],
    [['move', '--balance'], /^This PostgreSQL does not run Citus/],
    [['move'], /^npm run distribute -- move --venture ID --to HOST:PORT /],
    [['remove'], /^There is no "remove"\.\n\nnpm run distribute /],
  ]
  for (const [flags, text] of refusals) {
    const failed = await run('node', [new URL('../../distribute.ts', import.meta.url).pathname, ...flags], {
      env: { ...processEnvironment(), DATABASE_URL: url },
    }).catch((error: unknown) => error as { code: number; stderr: string })
    assert.ok('code' in failed)
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, text)
  }
})

test('a move is that of a venture to a worker, or of as many shards as are needed, and nothing else', () => {
  const venture_id = '0198c6f2-0000-7000-8000-00000000000a'
  assert.deepEqual(readMove(['--venture', venture_id.toUpperCase(), '--to', 'worker2:5432']), { venture_id, to: 'worker2:5432' })
  assert.equal(readMove(['--balance']), 'balance')
  for (const flags of [
    ['--venture', venture_id],
    ['--to', 'worker2:5432'],
    ['--venture', 'acme', '--to', 'worker2:5432'],
    ['--balance', '--to', 'worker2:5432'],
    ['--balance', '--venture', venture_id, '--to', 'worker2:5432'],
    ['--loud'],
    ['worker2'],
  ])
    assert.throws(() => readMove(flags), { name: 'StartupError', message: /npm run distribute -- move --balance/ }, flags.join(' '))
})

test('a database that cannot be reached is named', async () => {
  await assert.rejects(distribute('postgres://vostro@127.0.0.1:1/vostro'), {
    name: 'StartupError',
    message: /^The database cannot be reached: 127\.0\.0\.1, port 1: /,
  })
})

test('the places of tables', () => {
  assert.deepEqual(tablesAt('everywhere'), ['ventures', 'event_era'])
  assert.equal(kindOf('events'), 'shards')
  assert.equal(kindOf('jobs'), 'coordinator')
  assert.equal(kindOf('transfer_references'), 'coordinator')
  assert.equal(claimed['transfer_references'], 'unique_reference')
  assert.equal(
    tablesAt('shards').length + tablesAt('everywhere').length + Object.keys(claimed).length + Object.keys(reasons).length,
    Object.keys(places).length,
  )
})
