// Events: a change of a resource, with the resource after the change, written in the transaction of the change.
import { uuidv7 } from 'uuidv7'
import type { Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import type { Shown } from '../platform/http/shown.ts'
import { keepEra } from './events.era.ts'
import { Event } from './events.schemas.ts'
import { type EventType, eventTypes } from './events.types.ts'

export type { EventType }
export { Event, eventTypes, keepEra }

export type NewEvent = {
  venture_id: string
  type: EventType
  /** The resource as shown by the API. */
  object: Shown<{ id: string }>
  /** Increases by one with each event of the resource; the row of the resource stores it. */
  sequence: number
  previous_status?: string
}

/** Writes events. They are sent together with COMMIT, so later statements of the transaction must not depend on them. */
export function emit(tx: Tx, ...events: NewEvent[]): void {
  insertEvents(tx, events.map(eventOf))
}

/** Writes one event and returns it. */
export function emitOne(tx: Tx, event: NewEvent): Event {
  const written = eventOf(event)
  insertEvents(tx, [written])
  return written
}

function eventOf({ venture_id, type, object, sequence, previous_status }: NewEvent): Event {
  const data = { object, previous_status: previous_status ?? null }
  return { id: uuidv7(), type, timestamp: new Date().toISOString(), venture_id, sequence, data }
}

function insertEvents(tx: Tx, events: readonly Event[]): void {
  // If the response to COMMIT is lost, this row proves that the transaction was committed.
  tx.evidence ??= read`select id from events where venture_id = ${events[0]?.venture_id} and id = ${events[0]?.id}`
  tx.send(write`
    insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data)
    select (select era from event_era), * from unnest(
      ${events.map(({ venture_id }) => venture_id)}::uuid[],
      ${events.map(({ id }) => id)}::uuid[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ data }) => data.object.id)}::uuid[],
      ${events.map(({ sequence }) => sequence)}::int[],
      ${events.map(({ timestamp }) => timestamp)}::timestamptz[],
      ${events.map(({ data }) => JSON.stringify(data))}::json[]
    )`)
}
