// The months of events: each has its own partition, which is created ahead of time and which `npm run archive` takes out of the database.
// Nothing depends on how often this runs, because later events have a partition too.
import type { Database } from '../platform/database/database.ts'
import { fixed, read, write } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { type Pruning, persistently } from '../platform/retention.ts'

/**
 * The kinds of resources whose events stay in the database when their month is archived, because responses are built from them: the history
 * of a client's verification consists of the client's events.
 */
export const keptKinds: readonly string[] = ['client']

/**
 * The smallest id of an event that cannot have been archived. Resources with smaller ids may have lost their first events to an archive.
 */
export const archivedBefore = fixed`coalesce(
  (select first_id_of((max(month) + interval '1 month')::date) from event_archives), '00000000-0000-0000-0000-000000000000'::uuid)`

/**
 * For a snapshot, before its first statement: no month is archived while a snapshot reads events. Archiving rewrites the rows that the
 * database keeps, and an older snapshot would not see the new ones.
 */
export const keepMonths = read`lock table events in access share mode`

/** The same where the months of a distributed database are archived from, without locks on its shards. Reading no row locks the table. */
export const keepMonthsHere = read`select from events where venture_id = ${bankId} and false`

/** Creates the partitions of this month and the next one. */
export function eventMonths(database: Database, { pause_ms = 500 } = {}): Pruning {
  async function* steps(): AsyncIterable<number> {
    yield* persistently(pause_ms, async () => {
      await database.transaction((tx) => tx.first(write`select make_event_months()`))
      return false
    })
  }
  return { name: 'months of events', done: 'made', steps }
}
