// Events: a change of a resource, with the resource after the change. An event is written in the transaction of the change.

import { type Actor, currentActor } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import type { Shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { type EventPlace, lastEventPlace, listChanges } from './events.changes.ts'
import { beginEra, keepEra, startEra } from './events.era.ts'
import { findEventsBy } from './events.find.ts'
import { archivedBefore, eventMonths, keepMonths, keepMonthsHere, keptKinds } from './events.months.ts'
import { listEventsOf } from './events.of.ts'
import { type Edition, editionsOf, firstData, firstDataOf, pack, type StoredEvent, unpack } from './events.packing.ts'
import { EventResend, recordResend, recordResends, requireEvent } from './events.resends.ts'
import { Event } from './events.schemas.ts'
import { type EventType, eventTypes } from './events.types.ts'

export type { Edition, EventPlace, EventType, StoredEvent }
export {
  archivedBefore,
  beginEra,
  Event,
  EventResend,
  editionsOf,
  eventMonths,
  eventTypes,
  findEventsBy,
  firstData,
  firstDataOf,
  keepEra,
  keepMonths,
  keepMonthsHere,
  keptKinds,
  lastEventPlace,
  listChanges,
  listEventsOf,
  recordResend,
  recordResends,
  requireEvent,
  startEra,
  unpack,
}

export type NewEvent = {
  venture_id: string
  type: EventType
  /** The resource as shown by the API. */
  object: Shown<{ id: string }>
  /** Increases by one with each event of the resource. The row of the resource stores it. */
  sequence: number
  previous_status?: string
  /** Who caused it, if it was not the sender of the current request. */
  actor?: Actor
}

/** Writes events. They are sent together with COMMIT, so later statements of the transaction must not depend on them. */
export function emit(tx: Tx, ...events: NewEvent[]): void {
  insertEvents(tx, events.map(rowOf))
}

/** Writes one event and returns it. */
export function emitOne(tx: Tx, event: NewEvent): Event {
  const row = rowOf(event)
  insertEvents(tx, [row])
  return row.event
}

type EventRow = { event: Event; actor: Actor }

/** Ventures do not see which person of the bank caused an event; the row has it. */
function rowOf({ venture_id, type, object, sequence, previous_status, actor = currentActor() }: NewEvent): EventRow {
  const data = { object, previous_status: previous_status ?? null }
  const timestamp = now().toISOString()
  return { event: { id: uuidv7(), type, timestamp, venture_id, sequence, actor: actor.kind, actor_id: shownId(actor), data }, actor }
}

function shownId({ kind, id }: Actor): string | null {
  return kind === 'operator' ? null : id
}

function insertEvents(tx: Tx, rows: readonly EventRow[]): void {
  const events = rows.map(({ event }) => event)
  // If the response to COMMIT is lost, this row proves that the transaction was committed.
  tx.evidence ??= read`select id from events where venture_id = ${events[0]?.venture_id} and id = ${events[0]?.id}`
  // JSON.stringify writes no line breaks, and as an array element each of its many quotation marks would have to be escaped.
  tx.send(write`
    insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data, actor, actor_id)
    select (select era from event_era), * from unnest(
      ${events.map(({ venture_id }) => venture_id)}::uuid[],
      ${events.map(({ id }) => id)}::uuid[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ data }) => data.object.id)}::uuid[],
      ${events.map(({ sequence }) => sequence)}::int[],
      ${events.map(({ timestamp }) => timestamp)}::timestamptz[],
      string_to_array(${events.map(pack).join('\n')}, chr(10))::json[],
      ${rows.map(({ actor }) => actor.kind)}::text[],
      ${rows.map(({ actor }) => actor.id)}::uuid[]
    )`)
}
