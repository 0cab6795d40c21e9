// Rows are sealed before and after their tables are distributed, and in each shard in the order of the worker that has it, also after the shard has moved. What the
// owner of the tables does to a row on a worker is found by `npm run verify` and named.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { serviceRole } from '../../server/src/platform/database/database.connections.ts'
import { openPrimary } from '../../server/src/platform/database/database.primary.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { beginChecking } from '../../server/src/platform/distribute/distribute.checking.ts'
import { move } from '../../server/src/platform/distribute/distribute.move.ts'
import { distribute } from '../../server/src/platform/distribute/distribute.ts'
import { createLog } from '../../server/src/platform/log.ts'
import type { Cluster } from '../../server/src/testing/testing.cluster.ts'
import { Sealing } from '../../server/src/verify/verify.sealing.ts'
import { checkSeals } from '../../server/src/verify/verify.ts'
import { startLoad } from '../faults/load/load.ts'
import { broughtBack } from './cluster.back.ts'
import { others } from './cluster.move.ts'
import type { Options, Scene } from './cluster.types.ts'

type Damage = { table: string; was: 'changed' | 'removed' | 'inserted'; statement: (shard: string) => string }

/** What an owner does to one row of a shard; `$1` is its id. An inserted row takes the place of another one, in its transaction. */
const damages: readonly Damage[] = [
  { table: 'entries', was: 'changed', statement: (shard) => `update ${shard} set amount = amount + 1 where id = $1` },
  { table: 'transfer_moves', was: 'removed', statement: (shard) => `delete from ${shard} where id = $1` },
  {
    table: 'events',
    was: 'inserted',
    statement: (shard) => `insert into ${shard} select * from json_populate_recordset(null::${shard}, (
      select json_agg(jsonb_build_object('id', $2::uuid) || to_jsonb(event) - 'id') from ${shard} event where id = $1))`,
  },
  { table: 'policies', was: 'changed', statement: (shard) => `update ${shard} set card_fee = card_fee + 0.01 where id_of_version = $1` },
]

export const sealed =
  (options: Options) =>
  async (scene: Scene): Promise<void> => {
    const { context, cluster, setup } = scene
    const { broken, notes } = context.results
    const [ownerUrl, serviceUrl] = [cluster.coordinator.url('owner'), cluster.coordinator.url('service')]
    const [venture] = setup.world.ventures
    if (venture === undefined) throw new Error('there is no venture')

    const work = async () => {
      const load = startLoad(context, setup, { clients: 8 })
      await sleep(3_000)
      await load.stop()
    }
    const mustFit = async (what: string) => {
      await seal(serviceUrl)
      const misfits = await misfitsIn(serviceUrl)
      if (misfits.length > 0) broken.push(`${what}: ${misfits.length} rows do not fit, such as ${misfits[0]}`)
      const unsealed = await unsealedIn(cluster)
      if (unsealed !== 0) broken.push(`${what}: ${unsealed} rows are in no seal`)
      notes.push(`${what}: ${await sealsIn(cluster)}`)
      context.say(notes.at(-1) ?? '')
    }
    const mustBeFound = async (when: string) => {
      for (const damage of damages) {
        context.results.faults++
        const { id, found } = await withDamage(cluster, venture.id, damage, () => misfitsIn(serviceUrl))
        const named = found.filter(
          (text) => text.includes(`"table":"${damage.table}"`) && text.includes(`"was":"${damage.was}"`) && text.includes(id),
        )
        if (found.length !== 1 || named.length !== 1)
          broken.push(`${when}, a row of ${damage.table} was ${damage.was}: found ${found.length === 0 ? 'nothing' : found.join('; ')}`)
      }
      notes.push(`${when}: ${damages.map(({ table, was }) => `${table} ${was}`).join(', ')}: each is named`)
    }

    await setup.bank.caller.must({
      method: 'PUT',
      path: `/api/v1/ventures/${venture.id}/policy`,
      key: setup.bank.adminKey,
      body: { card_fee: '0.1' },
    })
    await work()
    await mustFit('on one server')
    // These rows are not sealed when the tables are distributed.
    await work()
    await setup.bank.killService()
    await untilAlone(cluster)
    await distribute(ownerUrl)
    await setup.bank.start()
    await mustFit('when the tables are distributed')
    await work()
    await mustFit('on two workers')
    await mustBeFound('on two workers')

    const from = await cluster.placeOf('events', venture.id)
    const to = cluster.workers.find(({ port }) => port !== from.worker.port)
    await move(ownerUrl, { venture_id: venture.id, to: `127.0.0.1:${to?.port}` }, others)
    await work()
    await mustFit('after a move')
    await mustBeFound('after a move')
    await move(ownerUrl, { venture_id: venture.id, to: `127.0.0.1:${from.worker.port}` }, others)
    await work()
    await mustFit('after the move back')
    await movedOtherwise(scene, venture.id, work)
    await mustFit('after they have got numbers of that era')
    await setup.bank.killService()
    await untilAlone(cluster)
    await broughtBack(scene, options)
    await setup.bank.start()
  }

/**
 * Citus moves a shard to a worker that counts from further below, without `npm run distribute`. Seals begin another era; rows that were written before it are named
 * until somebody has looked at them, and nothing else is.
 */
async function movedOtherwise({ context, cluster }: Scene, venture_id: string, work: () => Promise<void>): Promise<void> {
  const { broken, notes } = context.results
  const serviceUrl = cluster.coordinator.url('service')
  const from = await cluster.placeOf('events', venture_id)
  const to = cluster.workers.find(({ port }) => port !== from.worker.port)
  await from.worker.asOwner((client) =>
    client.query('do $$ begin for number in 1..100000 loop perform pg_current_xact_id(); commit; end loop; end $$'),
  )
  await seal(serviceUrl)
  await work()
  await seal(serviceUrl)
  const era = await eraIn(cluster)
  await cluster.coordinator.asOwner((client) =>
    client.query(`select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'block_writes')`, [
      from.shard.replace(/.*_/, ''),
      from.worker.port,
      to?.port,
    ]),
  )
  await work()
  await seal(serviceUrl)
  if ((await eraIn(cluster)) !== era + 1) broken.push('a shard was moved otherwise, and no other era has begun')
  const between = await misfitsIn(serviceUrl)
  const strange = between.filter((text) => !text.includes('"was":"inserted"'))
  if (strange.length > 0) broken.push(`a shard was moved otherwise, and ${strange.length} rows are named, such as ${strange[0]}`)
  await work()
  await seal(serviceUrl)
  const later = await misfitsIn(serviceUrl)
  if (later.length !== between.length) broken.push(`rows of the next era are named: ${later.length} instead of ${between.length}`)
  notes.push(`a shard was moved otherwise: era ${era + 1} has begun, and ${later.length} rows from before it are named`)
  for (const [table, rows] of Map.groupBy(later.map(parsed), (row) => row.table)) {
    const { shard, worker } = await cluster.placeOf(table, venture_id)
    await worker.asOwner(async (client) => {
      await client.query('set citus.enable_manual_changes_to_shards to on; set session_replication_role = replica')
      await client.query(`update ${shard} set era = $2, xid = pg_current_xact_id() where id = any($1::uuid[])`, [
        rows.map(({ id }) => id),
        await eraIn(cluster),
      ])
    })
  }
}

const parsed = (misfit: string) => JSON.parse(misfit) as { table: string; id: string }

export async function eraIn({ coordinator }: Cluster): Promise<number> {
  return coordinator.asOwner(async (client) => (await client.query<{ era: number }>('select era from event_era')).rows[0]?.era ?? 0)
}

async function seal(url: string): Promise<void> {
  const database = new Database({ url })
  try {
    await database.findPlacement()
    // What has just ended may still be running for a worker.
    for (let time = 0; time < 2; time++) {
      await new Sealing({ database, log: createLog('silent'), every_ms: 60_000 }).runDue()
      await sleep(500)
    }
  } finally {
    await database.close()
  }
}

/** As `npm run verify` does it, without the other invariants, which are checked in the end. */
async function misfitsIn(url: string): Promise<string[]> {
  const client = await openPrimary(url, 'cluster')
  try {
    await client.query(`set role ${serviceRole}`)
    await beginChecking(client)
    return (await checkSeals(client)).examples
  } finally {
    await client.end()
  }
}

const tables = [
  'entries',
  'transfer_moves',
  'events',
  'policies',
  'screenings',
  'screening_hits',
  'audit_log',
  'row_states',
  'rail_messages',
  'admin_key_steps',
  'participations',
  'calendar_years',
]

async function unsealedIn({ coordinator }: Cluster): Promise<number> {
  return coordinator.asOwner(async (client) => {
    const { rows } = await client.query<{ rows: number }>(
      `select (${tables.map((table) => `(select count(*) from ${table})`).join(' + ')})::int - (select sum(rows) from seals)::int as rows`,
    )
    return rows[0]?.rows ?? Number.NaN
  })
}

async function sealsIn({ coordinator }: Cluster): Promise<string> {
  return coordinator.asOwner(async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `select format('%s rows in %s seals, in era %s; the last one has %s strands and %s bytes of ranges, %s as they are stored', (select sum(rows) from seals),
         number + 1, (select era from event_era), (select count(*) from json_object_keys(ranges)), length(ranges::text), pg_column_size(ranges)) as text
       from seals order by number desc limit 1`,
    )
    return rows[0]?.text ?? ''
  })
}

/** Does it directly on the worker, with all triggers off, and takes it back after `look`. Returns the id of the row that is to be named. */
async function withDamage(
  cluster: Cluster,
  venture_id: string,
  { table, was, statement }: Damage,
  look: () => Promise<string[]>,
): Promise<{ id: string; found: string[] }> {
  const { shard, worker } = await cluster.placeOf(table, venture_id)
  const key = table === 'policies' ? `lpad(to_hex(version), 32, '0')::uuid` : 'id'
  return worker.asOwner(async (client) => {
    await client.query(
      'set citus.enable_manual_changes_to_shards to on; set citus.enable_ddl_propagation to off; set session_replication_role = replica',
    )
    const run = (text: string, values: unknown[] = []) => client.query(text, values)
    const { rows } = await run(
      `select ${key} as id, gen_random_uuid() as other from ${shard} where venture_id = $1 order by random() limit 1`,
      [venture_id],
    )
    const { id, other } = rows[0] as { id: string; other: string }
    const named = was === 'inserted' ? other : id
    await run(`create temporary table kept as select * from ${shard} where ${key} = '${id}'`)
    // A check that found the shard by the search path of its role would read this copy, which nobody has changed.
    await run(`create schema ${serviceRole}`)
    await run(`create table ${serviceRole}.${shard} as select * from ${shard}`)
    await run(`grant usage on schema ${serviceRole} to ${serviceRole}`)
    await run(`grant select on ${serviceRole}.${shard} to ${serviceRole}`)
    const text = statement(shard).replace('id_of_version', key)
    const { rowCount } = await run(text, text.includes('$2') ? [id, other] : [id])
    if (rowCount !== 1) throw new Error(`${text}: ${rowCount} rows`)
    try {
      return { id: named, found: await look() }
    } finally {
      await run(`delete from ${shard} where ${key} in ('${id}', '${other}')`)
      await run(`insert into ${shard} select * from kept`)
      await run('drop table kept')
      await run(`drop schema ${serviceRole} cascade`)
    }
  })
}

/** Connections of a process that was killed end a moment later. */
async function untilAlone({ coordinator }: Cluster): Promise<void> {
  const others = async (client: pg.Client) =>
    (await client.query(`select from pg_stat_activity where datname = current_database() and application_name like 'vostro%'`)).rowCount
  for (let look = 0; look < 100 && (await coordinator.asOwner(others)) !== 0; look++) await sleep(100)
}
