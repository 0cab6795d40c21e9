// Lists events: newest first like every list, or oldest first for followers, who must not miss any.
import type { Actor } from '../platform/actor.ts'
import type { Database } from '../platform/database/database.ts'
import { columnsOf, every, type Fragment, fixed, fragment, read } from '../platform/database/sql.ts'
import { between, equals, type Filters, given, usualLimit } from '../platform/http/lists.ts'
import { inTime, readList, refuseTooBroad } from '../platform/http/pieces.ts'
import { refuse } from '../values/refusals.ts'
import { type EventPlace, ended, isAfter } from './events.changes.ts'
import { firstData, type StoredEvent, unpack } from './events.packing.ts'
import { Event, type EventList } from './events.schemas.ts'

/** The columns of an event, named `event`, without the data of the first event of its resource. */
export const ownColumns = columnsOf(Event, 'event')

/** The same with that data. */
export const eventColumns = fixed`${ownColumns}, ${firstData} as first`

export type EventRow = Omit<Event, 'data'> & StoredEvent

/** Builds an event with its fields in the right order. */
export function eventOf({ first, data, ...event }: EventRow): Event {
  return { ...event, data: unpack({ ...event, data, first }) }
}

/** Only the bank sees which of its people caused an event. */
export function shownTo(viewer: Pick<Actor, 'kind'>): (event: Event) => Event {
  return (event) => (event.actor === 'operator' && viewer.kind !== 'operator' ? { ...event, actor_id: null } : event)
}

export async function getEvent(database: Database, venture_id: string, id: string, viewer: Actor): Promise<Event> {
  const row = await database.first(
    read<EventRow>`select ${eventColumns} from events event where event.venture_id = ${venture_id} and event.id = ${id}`,
  )
  return shownTo(viewer)(eventOf(row ?? refuse('event_not_found')))
}

/** `since` is not a filter: it selects another order. */
const filters: Filters<Omit<EventList, 'since'>> = {
  type: equals(fragment`type`),
  resource_id: equals(fragment`resource_id`),
  ...between(fragment`timestamp`),
}

export async function listEvents(database: Database, venture_id: string, query: EventList, viewer: Actor): Promise<Event[]> {
  return (await findEvents(database, venture_id, query)).map(eventOf).map(shownTo(viewer))
}

async function findEvents(database: Database, venture_id: string, { since, ...query }: EventList): Promise<EventRow[]> {
  const own = fragment`venture_id = ${venture_id}`
  const conditions = [own, ...given(query, filters)]
  if (since !== undefined) return followEvents(database, venture_id, { ...query, since }, conditions)
  return readList(database, {
    venture_id,
    query,
    filters,
    columns: eventColumns,
    select: (what, rest) => fragment`select ${what} from events event where ${own} and ${rest}`,
  })
}

/**
 * Returns events in the order of the transactions that wrote them, and only those below the oldest running transaction. An event that is
 * committed later also comes later in this order, so a follower that has seen an event has seen all events before it. No transaction of an
 * earlier era is still running, so all of its events are returned. The newest event in the list is not a safe starting point: its
 * transaction may have begun after others that are still running. So `now` returns the last event in this order.
 */
async function followEvents(
  database: Database,
  venture_id: string,
  { since, after, offset, limit = usualLimit, ...query }: EventList & { since: string },
  conditions: Fragment[],
): Promise<EventRow[]> {
  const other = after === undefined ? (offset === undefined ? undefined : 'offset') : 'after'
  if (other !== undefined) {
    const errors = [{ field: 'since', message: `cannot be used together with ${other}` }]
    refuse('invalid_request', { detail: `Use since or ${other}, not both.`, errors })
  }
  const isPlace = since !== 'start' && since !== 'now'
  const wanted = isPlace ? [...conditions, isAfter(await placeOf(database, venture_id, since))] : conditions
  const end = since === 'now' ? fragment`order by era desc, xid desc, id desc limit 1` : fragment`order by era, xid, id limit ${limit + 1}`
  const events = await database.list(venture_id, (lists) =>
    inTime(() =>
      lists.rows(read<EventRow>`
        select ${eventColumns} from events event
        where ${every(wanted)} and ${ended}
        ${end}`),
    ),
  )
  return events ?? refuseTooBroad({ since, ...query })
}

async function placeOf(database: Database, venture_id: string, id: string): Promise<EventPlace> {
  const place = await database.first(read<EventPlace>`
    select era, xid::text as xid, id from events where venture_id = ${venture_id} and id = ${id}`)
  return place ?? refuse('event_not_found')
}
