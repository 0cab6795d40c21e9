// Events, for tests that look into the database.
import type pg from 'pg'
import { withCheck } from '../platform/distribute/distribute.checking.ts'
import { shownData } from '../verify/verify.events.ts'
import { turnTriggersOff, wantsCluster } from './testing.server.ts'

/** The table of events with their data as shown, for FROM. */
export const shownEvents = `(
  select venture_id, id, type, resource_id, sequence, timestamp, era, xid, actor, actor_id, ${shownData.strings[0]} as data from events event) as events`

/** Runs a statement as a restored dump does: without triggers, one of which numbers the events on a cluster. */
export async function asRestored(owner: pg.Client, text: string, values: unknown[]): Promise<void> {
  await owner.query('begin')
  if (wantsCluster()) await turnTriggersOff(owner)
  await owner.query(text, values)
  await owner.query('commit')
}

/** Runs a statement about events that a cluster cannot run on its shards. */
// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of the rows, as with those of pg.
export async function queryEvents<Row extends object = any>(owner: pg.Client, text: string, values: unknown[]): Promise<{ rows: Row[] }> {
  return { rows: await withCheck(owner, (check) => check<Row>({ text, values })) }
}
