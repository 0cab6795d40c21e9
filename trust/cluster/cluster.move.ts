// Shards move to other workers under load: refusals change nothing, every row stays as it is, and followers pass over nothing.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginEra } from '../../server/src/events/events.ts'
import { aloneKey } from '../../server/src/platform/database/database.ts'
import { type Move, move, type Others } from '../../server/src/platform/distribute/distribute.move.ts'
import type { Cluster } from '../../server/src/testing/testing.cluster.ts'
import { selectVenture } from '../../server/src/ventures/ventures.sql.ts'
import { startLoad } from '../faults/load/load.ts'
import { startFollowers } from './cluster.followers.ts'
import type { Scene } from './cluster.types.ts'

/** As the command does. */
export const others: Others = { beginEra, selectVenture }

type Places = { era: number; workers: Record<string, number> }

/** The era, and how many shards of events each worker has. */
async function placesIn({ coordinator }: Cluster): Promise<Places> {
  return coordinator.asOwner(async (client) => {
    const { rows: eras } = await client.query<{ era: number }>('select era from event_era')
    const { rows } = await client.query<{ name: string; count: number }>(
      `select nodename || ':' || nodeport as name, count(shardid)::int as count from pg_dist_node
       left join (pg_dist_placement join pg_dist_shard using (shardid)) on pg_dist_placement.groupid = pg_dist_node.groupid
         and logicalrelid = 'events'::regclass where pg_dist_node.groupid <> 0 group by 1 order by 1`,
    )
    return { era: eras[0]?.era ?? 0, workers: Object.fromEntries(rows.map(({ name, count }) => [name, count])) }
  })
}

async function workerOf(cluster: Cluster, venture_id: string): Promise<string> {
  return `127.0.0.1:${(await cluster.placeOf('events', venture_id)).worker.port}`
}

/** A shard that is being read stays behind. Readers do not block the move. */
async function beingRead(cluster: Cluster, venture_id: string, act: () => Promise<void>): Promise<void> {
  const { shard, worker } = await cluster.placeOf('idempotency_keys', venture_id)
  await worker.asOwner(async (client) => {
    await client.query('begin')
    await client.query(`select count(*) from ${shard}`)
    await act()
    await client.query('rollback')
  })
}

/** How many triggers the shards of the tables have that need the same ones everywhere. */
async function triggersIn({ coordinator }: Cluster): Promise<string[]> {
  return coordinator.asOwner(async (client) => {
    const found = new Set<string>()
    for (const table of ['events', 'entries', 'transfer_moves', 'webhook_progress']) {
      const { rows } = await client.query<{ result: string }>(
        `select result from run_command_on_shards($1, $$ select string_agg(regexp_replace(tgname, '_[0-9]+$', ''), ', ' order by tgname) from pg_trigger where tgrelid = '%s'::regclass and not tgisinternal $$)`,
        [table],
      )
      for (const { result } of rows) found.add(`${table}: ${result}`)
    }
    return [...found].sort()
  })
}

/** The order of a venture's events, as text. */
async function orderOf({ coordinator }: Cluster, venture_id: string): Promise<string[]> {
  return coordinator.asOwner(async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select concat_ws(' ', era, xid, id) as line from events where venture_id = $1 order by era, xid, id`,
      [venture_id],
    )
    return rows.map(({ line }) => line)
  })
}

export async function moved(scene: Scene): Promise<void> {
  const { context, cluster, setup } = scene
  const { broken, notes } = context.results
  const ownerUrl = cluster.coordinator.url('owner')
  const workers = cluster.workers.map(({ port }) => `127.0.0.1:${port}`)
  const [venture] = setup.world.ventures
  if (venture === undefined) throw new Error('there is no venture')

  const mustRefuse = async (what: string, wanted: Move, text: RegExp) => {
    const before = JSON.stringify(await placesIn(cluster))
    const refused = await move(ownerUrl, wanted, others).then(
      () => 'it was moved',
      (error: Error) => error.message,
    )
    if (!text.test(refused)) broken.push(`${what}: ${refused}`)
    if (JSON.stringify(await placesIn(cluster)) !== before) broken.push(`${what}: something was changed`)
    context.results.faults++
  }
  const elsewhere = async (): Promise<Move> => {
    const from = await workerOf(cluster, venture.id)
    return { venture_id: venture.id, to: workers.find((name) => name !== from) ?? '' }
  }
  const nowhere = { venture_id: venture.id, to: '127.0.0.1:1' }
  await mustRefuse('to no worker', nowhere, /^There is no worker 127\.0\.0\.1:1\. There are \S+, \S+\. Nothing was changed\.$/)
  const nobody = { venture_id: randomUUID(), to: workers[0] ?? '' }
  await mustRefuse('no venture', nobody, /^There is no venture [0-9a-f-]+\. Nothing was changed\.$/)
  await cluster.coordinator.asOwner(async (client) => {
    await client.query('select pg_advisory_lock_shared($1)', [aloneKey])
    await mustRefuse('beside a transaction', await elsewhere(), /^A transaction of Vostro did not end within ten seconds: try again\./)
  })
  await cluster.workers[0]?.asOwner(async (client) => {
    await client.query(`begin; create table prepared_for_a_test (); prepare transaction 'citus_0_0_0_0'`)
    await mustRefuse(
      'a transaction is prepared',
      await elsewhere(),
      /has 1 prepared transactions that it has not ended yet: .* Nothing was changed\.$/,
    )
    await client.query(`rollback prepared 'citus_0_0_0_0'`)
  })

  const triggers = await triggersIn(cluster)
  const following = startFollowers(scene)
  const load = startLoad(context, setup, { clients: 16 })
  const mustMove = async (what: string, wanted: Move) => {
    const [before, events] = [await placesIn(cluster), await orderOf(cluster, venture.id)]
    const { moved, era } = await move(ownerUrl, wanted, others)
    const after = await placesIn(cluster)
    if (moved === 0 || era !== before.era + 1 || after.era !== era)
      broken.push(`${what}: ${moved} were moved, in era ${era} after ${before.era}`)
    const lines = new Set(await orderOf(cluster, venture.id))
    const changed = events.filter((line) => !lines.has(line))
    if (changed.length > 0) broken.push(`${what}: ${changed.length} of ${events.length} events have another place, such as ${changed[0]}`)
    const there = await triggersIn(cluster)
    if (there.join('; ') !== triggers.join('; '))
      broken.push(`${what}: the shards have the triggers ${there.join('; ')} instead of ${triggers.join('; ')}`)
    notes.push(`${what}: ${moved} shards of each table; shards of each worker: ${Object.values(after.workers).join(', ')}`)
    context.say(notes.at(-1) ?? '')
    await sleep(2_000)
  }
  try {
    await sleep(2_000)
    await beingRead(cluster, venture.id, async () => {
      await mustMove('move of a shard that somebody reads', await elsewhere())
      await mustRefuse(
        'back, while somebody reads it',
        await elsewhere(),
        /^The leftovers of an earlier move cannot be removed yet, .* Nothing was changed\.$/,
      )
    })
    for (let turn = 0; turn < 3; turn++) await mustMove(`move of a venture ${turn + 1}`, await elsewhere())
    await mustMove('a last move of a venture', await elsewhere())
    await mustMove('spread evenly', 'balance')
  } finally {
    await load.stop()
  }
  await following.end()
  const again = await move(ownerUrl, 'balance', others)
  if (again.moved !== 0) broken.push('spread evenly again, something was moved')
  const inEra = await cluster.coordinator.asOwner(async (client) => {
    const { rows } = await client.query<{ eras: number }>('select count(distinct era)::int as eras from events where venture_id = $1', [
      venture.id,
    ])
    return rows[0]?.eras ?? 0
  })
  notes.push(`triggers on all shards: ${triggers.join('; ')}`)
  notes.push(`events of the venture that was moved are of ${inEra} eras`)
  if (inEra < 2) broken.push('nothing was written between the moves')
  await setup.bank.untilReady()
}
