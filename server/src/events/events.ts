// Events: what happened to a resource, frozen as at that moment and written in the transaction of its cause.
import { uuidv7 } from 'uuidv7'
import type { Database, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import type { Shown } from '../platform/http/shown.ts'
import { Event } from './events.schemas.ts'
import { type EventType, eventTypes } from './events.types.ts'

export type { EventType }
export { Event, eventTypes }

/** Whether events have numbers of transactions that are still to come here: those who follow events would then not see the new ones. */
export async function comesFromAnotherCluster(database: Database): Promise<boolean> {
  // The last event of each venture, found by jumping from venture to venture in the index: reading all events would take too long.
  const found = await database.first(read`
    with recursive last as (
      (select venture_id, xid from events order by venture_id desc, xid desc limit 1)
      union all
      select next.venture_id, next.xid from last cross join lateral (
        select venture_id, xid from events where venture_id < last.venture_id order by venture_id desc, xid desc limit 1
      ) as next
    )
    select from last where xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`)
  return found !== undefined
}

export type NewEvent = {
  venture_id: string
  type: EventType
  /** The resource as the API shows it. */
  object: Shown<{ id: string }>
  /** Rises by one with each event of the resource; the resource's row counts it. */
  sequence: number
  previous_status?: string
}

/** Writes events; nothing in the transaction may depend on their being there, for they travel with its COMMIT. */
export function emit(tx: Tx, ...events: NewEvent[]): void {
  insertEvents(tx, events.map(eventOf))
}

/** Writes one event and tells what it is. */
export function emitOne(tx: Tx, event: NewEvent): Event {
  const made = eventOf(event)
  insertEvents(tx, [made])
  return made
}

function eventOf({ venture_id, type, object, sequence, previous_status }: NewEvent): Event {
  const data = { object, previous_status: previous_status ?? null }
  return { id: uuidv7(), type, timestamp: new Date().toISOString(), venture_id, sequence, data }
}

function insertEvents(tx: Tx, events: readonly Event[]): void {
  // One of our own rows is what proves a commit whose answer was lost.
  tx.evidence ??= read`select id from events where venture_id = ${events[0]?.venture_id} and id = ${events[0]?.id}`
  tx.send(write`
    insert into events (venture_id, id, type, resource_id, sequence, timestamp, data)
    select * from unnest(
      ${events.map(({ venture_id }) => venture_id)}::uuid[],
      ${events.map(({ id }) => id)}::uuid[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ data }) => data.object.id)}::uuid[],
      ${events.map(({ sequence }) => sequence)}::int[],
      ${events.map(({ timestamp }) => timestamp)}::timestamptz[],
      ${events.map(({ data }) => JSON.stringify(data))}::json[]
    )`)
}
