// SQL statements for the routes of endpoints and deliveries.
import { now } from '../platform/clock.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { type AllDeliveryList, Delivery, type DeliveryList, WebhookEndpoint, type WebhookEndpointList } from './webhooks.schemas.ts'

export type EndpointKey = { venture_id: string; id: string }

export type EndpointRow = WebhookEndpoint & {
  secret: string
  previous_secret: string | null
  previous_secret_until: string | null
  sequence: number
}

const columns = columnsOf(WebhookEndpoint)
const deliveryColumns = columnsOf(Delivery)

export function insertEndpoint(tx: Tx, row: EndpointRow): void {
  tx.send(write`
    insert into webhook_endpoints (venture_id, id, url, description, event_types, status, secret, created_at, updated_at, sequence)
    values (${row.venture_id}, ${row.id}, ${row.url}, ${row.description}, ${row.event_types}, ${row.status}, ${row.secret},
      ${row.created_at}, ${row.updated_at}, ${row.sequence})`)
  tx.send(write`
    insert into webhook_progress (venture_id, endpoint_id, era, since_era)
    select ${row.venture_id}::uuid, ${row.id}::uuid, era, era from event_era`)
}

export const selectEndpoint = ({ venture_id, id }: EndpointKey) =>
  read<WebhookEndpoint>`select ${columns} from webhook_endpoints where venture_id = ${venture_id} and id = ${id}`

const filters: Filters<WebhookEndpointList> = { status: equals(fragment`status`) }

export function selectEndpoints(database: Database, venture_id: string, query: WebhookEndpointList): Promise<WebhookEndpoint[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns,
    select: (what, rest) => fragment`select ${what} from webhook_endpoints where venture_id = ${venture_id} and ${rest}`,
  })
}

export function lockEndpoint(tx: Tx, { venture_id, id }: EndpointKey): Promise<EndpointRow | undefined> {
  return tx.first(read<EndpointRow>`
    select ${columns}, secret, previous_secret, previous_secret_until, sequence from webhook_endpoints
    where venture_id = ${venture_id} and id = ${id} for update`)
}

export function writeEndpoint(tx: Tx, row: EndpointRow): void {
  tx.send(write`
    update webhook_endpoints set url = ${row.url}, description = ${row.description}, event_types = ${row.event_types}, status = ${row.status},
      disabled_reason = ${row.disabled_reason}, secret = ${row.secret}, previous_secret = ${row.previous_secret},
      previous_secret_until = ${row.previous_secret_until}, updated_at = ${row.updated_at}, sequence = ${row.sequence}
    where venture_id = ${row.venture_id} and id = ${row.id}`)
}

export function deleteEndpoint(tx: Tx, { venture_id, id }: EndpointKey): Promise<number> {
  return tx.run(write`delete from webhook_endpoints where venture_id = ${venture_id} and id = ${id}`)
}

/** An endpoint whose position or start is a transaction number that this cluster has not reached yet. */
export const endpointFromTheFuture = read`
  select from webhook_progress
  where venture_id in (select id from ventures) and (
    (era = (select era from event_era) and xid > pg_snapshot_xmax(pg_current_snapshot()))
    or (since_era = (select era from event_era) and pg_snapshot_xmax(since) > pg_snapshot_xmax(pg_current_snapshot())))
  limit 1`

/**
 * Retries waiting deliveries immediately and resets the run of failures. Takes the lease away from a running round, because its results are
 * about the endpoint before the change.
 */
export function resetFailures(tx: Tx, { venture_id, id }: EndpointKey): void {
  tx.send(write`
    update webhook_progress set failing_since = null, failed_at = null, waking = true, lease = null
    where venture_id = ${venture_id} and endpoint_id = ${id}`)
}

/** Retries test events immediately, because sending another one means that a person is looking for a problem. */
export function retryTestEvents(tx: Tx, { venture_id, id }: EndpointKey): void {
  tx.send(write`
    update webhook_deliveries set next_attempt_at = ${now().toISOString()}, woken = true
    where venture_id = ${venture_id} and endpoint_id = ${id} and resource_id = ${id} and event_type = 'webhook_endpoint.test'
      and status = 'PENDING' and next_attempt_at is not null`)
}

/** Lets couriers know that a delivery of the endpoint is due now. */
export function markDueNow(tx: Tx, { venture_id, id }: EndpointKey): void {
  tx.send(write`
    update webhook_progress set next_due_at = least(next_due_at, ${now().toISOString()}) where venture_id = ${venture_id} and endpoint_id = ${id}`)
}

/** Takes a lock per venture, so concurrent requests do not all see the same last free place. */
export async function countEndpoints(tx: Tx, venture_id: string): Promise<number> {
  await tx.rows(write`select pg_advisory_xact_lock(hashtextextended(${venture_id}, 0))`)
  const counted = await tx.first(read<{ count: number }>`
    select count(*)::int as count from webhook_endpoints where venture_id = ${venture_id}`)
  return counted?.count ?? 0
}

const deliveryFilters: Filters<DeliveryList> = { status: equals(fragment`status`), event_id: equals(fragment`event_id`) }

export function selectDeliveries(database: Database, endpoint: EndpointKey, query: DeliveryList): Promise<Delivery[]> {
  const { venture_id, id } = endpoint
  return readList(database, {
    venture_id,
    query,
    filters: deliveryFilters,
    columns: deliveryColumns,
    select: (what, rest) =>
      fragment`select ${what} from webhook_deliveries where venture_id = ${venture_id} and endpoint_id = ${id} and ${rest}`,
  })
}

/**
 * Deliveries of all endpoints. The index for the deliveries of an event begins with the endpoint; a venture has few endpoints, and they are
 * looked up first, as are the events of a resource.
 */
export async function selectDeliveriesOfAll(database: Database, venture_id: string, query: AllDeliveryList): Promise<Delivery[]> {
  const { event_id, resource_id } = query
  const endpoints = (event_id ?? resource_id) ? await database.rows(selectEndpointIds(venture_id)) : []
  const events = resource_id === undefined ? [] : await database.rows(selectEventIds(venture_id, resource_id))
  const toEndpoints = fragment`endpoint_id = any(${endpoints.map(({ id }) => id)})`
  const filters: Filters<AllDeliveryList> = {
    ...deliveryFilters,
    endpoint_id: equals(fragment`endpoint_id`),
    event_id: (id) => fragment`event_id = ${id} and ${toEndpoints}`,
    resource_id: () => fragment`event_id = any(${events.map(({ id }) => id)}) and ${toEndpoints}`,
  }
  return readList(database, {
    venture_id,
    query,
    filters,
    columns: deliveryColumns,
    select: (what, rest) => fragment`select ${what} from webhook_deliveries where venture_id = ${venture_id} and ${rest}`,
    ordered: ['endpoint_id'],
  })
}

const selectEndpointIds = (venture_id: string) => read<{ id: string }>`select id from webhook_endpoints where venture_id = ${venture_id}`

const selectEventIds = (venture_id: string, resource_id: string) => read<{ id: string }>`
  select id from events where venture_id = ${venture_id} and resource_id = ${resource_id} order by sequence desc limit 500`

export function selectDelivery(reader: Reader, endpoint: EndpointKey, id: string): Promise<Delivery | undefined> {
  return reader.first(read<Delivery>`
    select ${deliveryColumns} from webhook_deliveries
    where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} and id = ${id}`)
}

/** Queues a delivery as if for the first time. The courier ensures that earlier events of the resource are sent first. */
export function queueAgain(tx: Tx, endpoint: EndpointKey, id: string): Promise<Delivery | undefined> {
  return tx.first(write<Delivery>`
    update webhook_deliveries set status = 'PENDING', tries = 0, begun = begun + 1, planned_at = null, woken = false, delivered_at = null, next_attempt_at = ${now().toISOString()}
    where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} and id = ${id}
    returning ${deliveryColumns}`)
}

/** Queues a limited number of failed deliveries whose events were not archived, and returns them, in order for each resource. */
export async function queueFailedAgain(tx: Tx, endpoint: EndpointKey, since: string, limit: number): Promise<string[]> {
  const queued = await tx.rows(write<{ event_id: string; sequence: number }>`
    update webhook_deliveries set status = 'PENDING', tries = 0, begun = begun + 1, planned_at = null, woken = false, next_attempt_at = ${now().toISOString()}
    where (venture_id, id) in (
      select venture_id, id from webhook_deliveries delivery
      where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} and status = 'FAILED' and created_at >= ${since}
        and exists (select from events event where event.venture_id = delivery.venture_id and event.id = delivery.event_id)
      order by id limit ${limit})
    returning event_id, sequence`)
  return queued.sort((a, b) => a.sequence - b.sequence).map(({ event_id }) => event_id)
}

/** Deletes a limited number of deliveries of a deleted endpoint. */
export function deleteDeliveries(tx: Tx, endpoint: EndpointKey, limit: number): Promise<number> {
  return tx.run(write`
    delete from webhook_deliveries where (venture_id, id) in (
      select venture_id, id from webhook_deliveries
      where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} limit ${limit})`)
}
