// Deletes deliveries some time after they succeeded. Failed and pending deliveries are kept: they can be sent again.
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { write } from '../platform/database/sql.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { Pruning } from '../platform/retention.ts'
import { listVentureIds } from '../ventures/ventures.ts'

/** How many deliveries a step looks at. */
const stepSize = 1_000
const day_ms = 86_400_000

export function deliveryPruning(database: Database, { days }: { days: number }): Pruning {
  return { name: 'webhook deliveries', steps: () => pruneDeliveries(database, new Date(now().getTime() - days * day_ms)) }
}

/** Walks along the ids, which contain their creation time, so that kept deliveries are looked at only once. */
async function* pruneDeliveries(database: Database, until: Date): AsyncIterable<number> {
  for (const venture_id of await listVentureIds(database)) {
    for (let after: string | null = firstIdAt(new Date(0)); after !== null; ) {
      const from: string = after
      const { deleted, last } = await database.transaction((tx) => pruneStep(tx, { venture_id, after: from, until }))
      yield deleted
      after = last
    }
  }
}

type Step = { venture_id: string; after: string; until: Date }

/** `last`: where the next step continues; null if there is nothing left to look at. */
async function pruneStep(tx: Tx, { venture_id, after, until }: Step): Promise<{ deleted: number; last: string | null }> {
  const done = await tx.first(write<{ deleted: number; seen: number; last: string | null }>`
    with step as materialized (
      select id, status, delivered_at from webhook_deliveries
      where venture_id = ${venture_id} and id > ${after} and id < ${firstIdAt(until)}
      order by id limit ${stepSize} for update skip locked),
    deleted as (
      delete from webhook_deliveries
      where venture_id = ${venture_id} and id in (select id from step where status = 'DELIVERED' and delivered_at < ${until.toISOString()})
      returning id)
    select (select count(*) from deleted)::int as deleted, (select count(*) from step)::int as seen,
      (select id from step order by id desc limit 1) as last`)
  const { deleted = 0, seen = 0, last = null } = done ?? {}
  return { deleted, last: seen === stepSize ? last : null }
}
