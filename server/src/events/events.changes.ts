// What has changed in a venture, in the order of followers, without the data. For readers that only need to know that something has
// changed.
import type { Database } from '../platform/database/database.ts'
import { type Fragment, fixed, fragment, read } from '../platform/database/sql.ts'

/** The position of a follower. */
export type EventPlace = { era: number; xid: string; id: string }

type Change = { type: string; resource_id: string; place: EventPlace }
type Row = EventPlace & Omit<Change, 'place'>

/** Events that no running transaction can still precede. */
export const ended = fixed`(era, xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))`

/** The position of the last event that a follower could have; undefined if there is none. */
export async function lastEventPlace(database: Database, venture_id: string): Promise<EventPlace | undefined> {
  return database.first(read<EventPlace>`
    select era, xid::text as xid, id from events where venture_id = ${venture_id} and ${ended}
    order by events.era desc, events.xid desc, events.id desc limit 1`)
}

/** At most `limit` changes after a position, oldest first. */
export async function listChanges(
  database: Database,
  venture_id: string,
  { after, limit }: { after: EventPlace | undefined; limit: number },
): Promise<Change[]> {
  const rows = await database.rows(read<Row>`
    select type, resource_id, era, xid::text as xid, id from events
    where venture_id = ${venture_id} and ${isAfter(after)} and ${ended}
    order by events.era, events.xid, events.id limit ${limit}`)
  return rows.map(({ type, resource_id, ...place }) => ({ type, resource_id, place }))
}

/** The condition for events that a follower at a position has not seen yet. */
export function isAfter(place: EventPlace | undefined): Fragment {
  return place === undefined ? fragment`true` : fragment`(era, xid, id) > (${place.era}::int, ${place.xid}::xid8, ${place.id}::uuid)`
}
