// Finds what a courier has to send: new events for an endpoint and deliveries that are due again, grouped into chains. A chain contains
// the events of one resource and is sent in order; different chains are sent concurrently.
import { firstData, firstDataOf, type StoredEvent, unpack } from '../events/events.ts'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Attempt } from './webhooks.schemas.ts'

type EventPart = {
  event_id: string
  event_type: string
  resource_id: string
  sequence: number
  timestamp: string
  actor: string | null
  actor_id: string | null
  data: string
}

export type PendingDelivery = EventPart & {
  id: string
  /** Not stored in the table of deliveries yet. */
  fresh: boolean
  attempts: Attempt[]
  tries: number
  /** How often it was queued: once automatically, and once for each manual redelivery. */
  begun: number
  /** Retried before its planned time. */
  woken: boolean
}

/** The position of an event in the order of events. */
export type Position = { era: number; xid: string; event_id: string }

export type Endpoint = { venture_id: string; endpoint_id: string }
export type Lease = Endpoint & { lease: string }

export type Progress = Position &
  Endpoint & {
    url: string
    event_types: string[] | null
    secret: string
    previous_secret: string | null
    previous_secret_until: string | null
    waking: boolean
  }

/** The current state of an endpoint, if this courier still has its lease. */
export function findProgress(database: Database, { venture_id, endpoint_id, lease }: Lease) {
  return database.first(read<Progress>`
    select progress.venture_id, progress.endpoint_id, progress.era, progress.xid::text as xid, progress.event_id, progress.waking,
      endpoint.url, endpoint.event_types, endpoint.secret, endpoint.previous_secret, endpoint.previous_secret_until
    from webhook_progress progress join webhook_endpoints endpoint
      on endpoint.venture_id = progress.venture_id and endpoint.id = progress.endpoint_id
    where progress.venture_id = ${venture_id} and progress.endpoint_id = ${endpoint_id}
      and progress.lease = ${lease} and endpoint.status = 'ACTIVE'`)
}

export const maxDue = 128
const maxPerResource = 8

/** `ids` are the due deliveries, `resources` their resources. */
export type Due = { ids: string[]; resources: string[]; chains: PendingDelivery[][] }

/**
 * Finds the pending deliveries of all resources that have a due delivery, earliest event first. If the earliest delivery of a resource is
 * not due, the resource has no chain: a later delivery, which was redelivered manually, has to wait for it.
 */
export async function findDue(database: Database, { venture_id, endpoint_id }: Endpoint): Promise<Due> {
  const at = now().toISOString()
  const due = await database.rows(read<{ id: string; resource_id: string }>`
    select id, resource_id from webhook_deliveries
    where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and next_attempt_at <= ${at}
    order by next_attempt_at limit ${maxDue}`)
  if (due.length === 0) return { ids: [], resources: [], chains: [] }
  const ids = due.map(({ id }) => id)
  const resources = [...new Set(due.map(({ resource_id }) => resource_id))]
  const rows = await database.rows(read<Stored<PendingDelivery>>`
    select delivery.id, delivery.event_id, delivery.event_type, delivery.resource_id, delivery.sequence, delivery.attempts, delivery.tries,
      delivery.begun, delivery.woken and delivery.planned_at is not null and delivery.planned_at > ${at} as woken, false as fresh, event.timestamp, event.actor, event.actor_id,
      event.data::text as data, ${firstDataOf(venture_id)} as first
    from unnest(${resources}::uuid[]) as about (resource_id)
    cross join lateral (
      select * from webhook_deliveries
      where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and resource_id = about.resource_id and status = 'PENDING'
      order by sequence limit ${maxPerResource}) as delivery
    join events event on event.venture_id = delivery.venture_id and event.id = delivery.event_id and event.venture_id = ${venture_id}`)
  const isDue = new Set(ids)
  return { ids, resources, chains: chainsOf(rows.map(unpacked)).filter(([first]) => first !== undefined && isDue.has(first.id)) }
}

/** With the text of its data as it is stored. */
type Stored<Part extends EventPart> = Part & Pick<StoredEvent, 'first'>

/** With the text of its data as it was shown. */
function unpacked<Part extends EventPart>({ first, ...part }: Stored<Part>): Part {
  const { event_type: type, timestamp, data } = part as unknown as Part
  const isPacked = data.startsWith('[')
  return { ...part, data: isPacked ? JSON.stringify(unpack({ type, timestamp, data: JSON.parse(data), first })) : data } as unknown as Part
}

type NewEventRow = EventPart & Position & { wanted: boolean }

/** Finds the events after the endpoint's position, up to a point where no resource has an earlier event beyond that point. */
export async function findNewEvents(
  database: Database,
  progress: Progress,
  initialLimit: number,
): Promise<{ rows: NewEventRow[]; end: Position }> {
  const { venture_id, endpoint_id, event_types, era, xid, event_id } = progress
  for (let limit = initialLimit; ; limit *= 2) {
    const rows = await database.rows(read<Stored<NewEventRow>>`
      select event.id as event_id, event.era, event.xid::text as xid, event.type as event_type, event.resource_id, event.sequence, event.timestamp,
        event.actor, event.actor_id, wanted.wanted, case when wanted.wanted then event.data::text else '' end as data, case when wanted.wanted then ${firstData} end as first
      from events event cross join lateral (
        select case when event.type = 'webhook_endpoint.test' then event.resource_id = ${endpoint_id}
          else ${event_types}::text[] is null or event.type = any(${event_types}) end
          and (event.era > created.since_era or not pg_visible_in_snapshot(event.xid, created.since)) as wanted
        from webhook_progress created where created.venture_id = ${venture_id} and created.endpoint_id = ${endpoint_id}) as wanted
      where event.venture_id = ${venture_id} and (event.era, event.xid, event.id) > (${era}::int, ${xid}::xid8, ${event_id}::uuid)
        and (event.era, event.xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))
      order by event.era, event.xid, event.id limit ${limit}`)
    const end = await countWithoutGaps(database, progress, rows)
    const last = rows[end - 1]
    if (last !== undefined)
      return { rows: rows.slice(0, end).map(unpacked), end: { era: last.era, xid: last.xid, event_id: last.event_id } }
    // Either there is nothing, or the first event waits for an event beyond the rows read so far.
    if (rows.length < limit) return { rows: [], end: progress }
  }
}

/**
 * How many of the rows can be taken. The order of transactions can differ from the order of a resource's events: a transaction that started
 * earlier may have waited for another one and written the later event. Such an event waits until the rows include its predecessor.
 */
async function countWithoutGaps(
  database: Database,
  { venture_id, era, xid, event_id }: Progress,
  rows: readonly NewEventRow[],
): Promise<number> {
  const keyOf = (resource_id: string, sequence: number) => `${resource_id}/${sequence}`
  const places = new Map(rows.map(({ resource_id, sequence }, place) => [keyOf(resource_id, sequence), place]))
  const withoutPredecessor = rows.filter(({ resource_id, sequence }) => sequence > 1 && !places.has(keyOf(resource_id, sequence - 1)))
  const stillToCome =
    withoutPredecessor.length === 0
      ? []
      : await database.rows(read<{ resource_id: string; sequence: number }>`
          select before.resource_id, before.sequence
          from unnest(${withoutPredecessor.map(({ resource_id }) => resource_id)}::uuid[], ${withoutPredecessor.map(({ sequence }) => sequence - 1)}::int[])
            as before (resource_id, sequence)
          cross join lateral (
            select era, xid, id from events
            where venture_id = ${venture_id} and resource_id = before.resource_id and sequence = before.sequence limit 1) as event
          where (event.era, event.xid, event.id) > (${era}::int, ${xid}::xid8, ${event_id}::uuid)`)
  for (const { resource_id, sequence } of stillToCome) places.set(keyOf(resource_id, sequence), Number.POSITIVE_INFINITY)
  let end = rows.length
  for (let place = 0; place < end; place++) {
    const row = rows[place] as NewEventRow
    // A predecessor that was not found was already delivered.
    const before = places.get(keyOf(row.resource_id, row.sequence - 1)) ?? -1
    if (before >= end) {
      end = place
      place = -1
    }
  }
  return end
}

export function newDeliveries(rows: readonly NewEventRow[]): PendingDelivery[] {
  return rows
    .filter(({ wanted }) => wanted)
    .map((row) => ({ ...row, id: uuidv7(), fresh: true, attempts: [], tries: 0, begun: 1, woken: false }))
}

/** Those of the resources that have a pending delivery. Their new events have to wait. */
export async function findOpen(
  database: Database,
  { venture_id, endpoint_id }: Endpoint,
  resources: readonly string[],
): Promise<Set<string>> {
  if (resources.length === 0) return new Set()
  const rows = await database.rows(read<{ resource_id: string }>`
    select about.resource_id from unnest(${resources}::uuid[]) as about (resource_id)
    cross join lateral (
      select from webhook_deliveries
      where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and status = 'PENDING' and resource_id = about.resource_id
      order by sequence limit 1) as open`)
  return new Set(rows.map(({ resource_id }) => resource_id))
}

export function chainsOf(deliveries: readonly PendingDelivery[]): PendingDelivery[][] {
  const chains = new Map<string, PendingDelivery[]>()
  for (const delivery of deliveries.toSorted((a, b) => a.sequence - b.sequence)) {
    const chain = chains.get(delivery.resource_id)
    if (chain === undefined) chains.set(delivery.resource_id, [delivery])
    else chain.push(delivery)
  }
  return [...chains.values()]
}
