// The events of given resources, in pages, for an export that contains all of them.
import type { Actor } from '../platform/actor.ts'
import type { Reader } from '../platform/database/database.ts'
import { fragment, read } from '../platform/database/sql.ts'
import { type EventRow, eventOf, ownColumns, shownTo } from './events.list.ts'
import { firstDataOf } from './events.packing.ts'
import type { Event } from './events.schemas.ts'

/** At most `limit` events of each resource, oldest first. `after`: only those with a greater sequence. */
export type EventsOf = { venture_id: string; resource_ids: readonly string[]; after?: number | undefined; limit: number }

export async function listEventsOf(
  reader: Pick<Reader, 'rows'>,
  { venture_id, resource_ids, after, limit }: EventsOf,
  viewer: Pick<Actor, 'kind'>,
): Promise<(Event & { resource_id: string })[]> {
  const rest = after === undefined ? fragment`true` : fragment`event.sequence > ${after}`
  const rows = await reader.rows(read<EventRow & { resource_id: string }>`
    select event.* from unnest(${resource_ids}::uuid[]) as resource (id)
    cross join lateral (
      select ${ownColumns}, ${firstDataOf(venture_id)} as first, event.resource_id from events event
      where event.venture_id = ${venture_id} and event.resource_id = resource.id and ${rest}
      order by event.sequence limit ${limit}
    ) as event`)
  return rows.map(({ resource_id, ...row }) => ({ resource_id, ...shownTo(viewer)(eventOf(row)) }))
}
