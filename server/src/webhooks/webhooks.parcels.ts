// What a courier carries: the events an endpoint has not had yet and the deliveries that are due again, in chains. Each chain holds
// events of one resource in their order and is delivered one after another; chains are delivered side by side.
import { uuidv7 } from 'uuidv7'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import type { Attempt } from './webhooks.schemas.ts'

type EventPart = { event_id: string; event_type: string; resource_id: string; sequence: number; timestamp: string; data: string }

export type Parcel = EventPart & {
  id: string
  /** Not in the table of deliveries yet. */
  fresh: boolean
  attempts: Attempt[]
  tries: number
  /** How often it was sent on its way: once by itself, and by hand. */
  begun: number
  /** Tried before its time. */
  woken: boolean
}

/** The place of an event in the order of events. */
export type Position = { xid: string; event_id: string }

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

/** What an endpoint looks like now, if it is still ours to deliver to. */
export function findProgress(database: Database, { venture_id, endpoint_id, lease }: Lease) {
  return database.first(read<Progress>`
    select progress.venture_id, progress.endpoint_id, progress.xid::text as xid, progress.event_id, progress.waking,
      endpoint.url, endpoint.event_types, endpoint.secret, endpoint.previous_secret, endpoint.previous_secret_until
    from webhook_progress progress join webhook_endpoints endpoint
      on endpoint.venture_id = progress.venture_id and endpoint.id = progress.endpoint_id
    where progress.venture_id = ${venture_id} and progress.endpoint_id = ${endpoint_id}
      and progress.lease = ${lease} and endpoint.status = 'ACTIVE'`)
}

export const mostDue = 128
const mostOfResource = 8

/** `ids` are the deliveries that are due, `resources` those they are about. */
export type Due = { ids: string[]; resources: string[]; chains: Parcel[][] }

/**
 * The open deliveries of those resources of which one is due, earliest event first. Those whose earliest is not due have no chain:
 * a later one, sent again by hand, has to wait for it.
 */
export async function findDue(database: Database, { venture_id, endpoint_id }: Endpoint): Promise<Due> {
  const due = await database.rows(read<{ id: string; resource_id: string }>`
    select id, resource_id from webhook_deliveries
    where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and next_attempt_at <= now()
    order by next_attempt_at limit ${mostDue}`)
  if (due.length === 0) return { ids: [], resources: [], chains: [] }
  const ids = due.map(({ id }) => id)
  const resources = [...new Set(due.map(({ resource_id }) => resource_id))]
  const rows = await database.rows(read<Parcel>`
    select delivery.id, delivery.event_id, delivery.event_type, delivery.resource_id, delivery.sequence, delivery.attempts, delivery.tries,
      delivery.begun, delivery.woken and delivery.planned_at is not null and delivery.planned_at > now() as woken, false as fresh, event.timestamp, event.data::text as data
    from unnest(${resources}::uuid[]) as about (resource_id)
    cross join lateral (
      select * from webhook_deliveries
      where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and resource_id = about.resource_id and status = 'PENDING'
      order by sequence limit ${mostOfResource}) as delivery
    join events event on event.venture_id = delivery.venture_id and event.id = delivery.event_id`)
  const isDue = new Set(ids)
  return { ids, resources, chains: chainsOf(rows).filter(([first]) => first !== undefined && isDue.has(first.id)) }
}

type FreshRow = EventPart & Position & { wanted: boolean }

/** Everything behind the endpoint's place, up to a point at which no event of a resource is left behind that comes before one taken. */
export async function findFresh(database: Database, progress: Progress, most: number): Promise<{ rows: FreshRow[]; end: Position }> {
  const { venture_id, endpoint_id, event_types, xid, event_id } = progress
  for (let limit = most; ; limit *= 2) {
    const rows = await database.rows(read<FreshRow>`
      select event.id as event_id, event.xid::text as xid, event.type as event_type, event.resource_id, event.sequence, event.timestamp,
        wanted.wanted, case when wanted.wanted then event.data::text else '' end as data
      from events event cross join lateral (
        select case when event.type = 'webhook_endpoint.test' then event.resource_id = ${endpoint_id}
          else ${event_types}::text[] is null or event.type = any(${event_types}) end
          and not pg_visible_in_snapshot(event.xid, (
            select since from webhook_progress where venture_id = ${venture_id} and endpoint_id = ${endpoint_id})) as wanted) as wanted
      where event.venture_id = ${venture_id} and (event.xid, event.id) > (${xid}::xid8, ${event_id}::uuid)
        and event.xid < pg_snapshot_xmin(pg_current_snapshot())
      order by event.xid, event.id limit ${limit}`)
    const end = await withoutGaps(database, progress, rows)
    const last = rows[end - 1]
    if (last !== undefined) return { rows: rows.slice(0, end), end: { xid: last.xid, event_id: last.event_id } }
    // Nothing yet; or the first event waits for one that lies further back than was read.
    if (rows.length < limit) return { rows: [], end: progress }
  }
}

/**
 * How many of the rows can be taken. The order of transactions is not always that of a resource's events: one that began earlier may have
 * waited for another and so have the later event. Such an event is left until the one before it is among the rows.
 */
async function withoutGaps(database: Database, { venture_id, xid, event_id }: Progress, rows: readonly FreshRow[]): Promise<number> {
  const name = (resource_id: string, sequence: number) => `${resource_id}/${sequence}`
  const places = new Map(rows.map(({ resource_id, sequence }, place) => [name(resource_id, sequence), place]))
  const alone = rows.filter(({ resource_id, sequence }) => sequence > 1 && !places.has(name(resource_id, sequence - 1)))
  const behind =
    alone.length === 0
      ? []
      : await database.rows(read<{ resource_id: string; sequence: number }>`
          select before.resource_id, before.sequence
          from unnest(${alone.map(({ resource_id }) => resource_id)}::uuid[], ${alone.map(({ sequence }) => sequence - 1)}::int[])
            as before (resource_id, sequence)
          cross join lateral (
            select xid, id from events
            where venture_id = ${venture_id} and resource_id = before.resource_id and sequence = before.sequence limit 1) as event
          where (event.xid, event.id) > (${xid}::xid8, ${event_id}::uuid)`)
  for (const { resource_id, sequence } of behind) places.set(name(resource_id, sequence), Number.POSITIVE_INFINITY)
  let end = rows.length
  for (let place = 0; place < end; place++) {
    const row = rows[place] as FreshRow
    // Not known: it was handed over before.
    const before = places.get(name(row.resource_id, row.sequence - 1)) ?? -1
    if (before >= end) {
      end = place
      place = -1
    }
  }
  return end
}

export function parcelsOf(rows: readonly FreshRow[]): Parcel[] {
  return rows
    .filter(({ wanted }) => wanted)
    .map((row) => ({ ...row, id: uuidv7(), fresh: true, attempts: [], tries: 0, begun: 1, woken: false }))
}

/** Of these resources, those of which a delivery is open: what is new of them has to wait. */
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

export function chainsOf(parcels: readonly Parcel[]): Parcel[][] {
  const chains = new Map<string, Parcel[]>()
  for (const parcel of parcels.toSorted((a, b) => a.sequence - b.sequence)) {
    const chain = chains.get(parcel.resource_id)
    if (chain === undefined) chains.set(parcel.resource_id, [parcel])
    else chain.push(parcel)
  }
  return [...chains.values()]
}
