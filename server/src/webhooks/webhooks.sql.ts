// The statements about endpoints, as the API uses them.
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters, given, pageOf } from '../platform/http/lists.ts'
import { Delivery, type DeliveryList, WebhookEndpoint, type WebhookEndpointList } from './webhooks.schemas.ts'

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
  tx.send(write`insert into webhook_progress (venture_id, endpoint_id) values (${row.venture_id}, ${row.id})`)
}

export const selectEndpoint = ({ venture_id, id }: EndpointKey) =>
  read<WebhookEndpoint>`select ${columns} from webhook_endpoints where venture_id = ${venture_id} and id = ${id}`

const filters: Filters<WebhookEndpointList> = { status: equals(fragment`status`) }

export function selectEndpoints(database: Database, venture_id: string, query: WebhookEndpointList): Promise<WebhookEndpoint[]> {
  const conditions = [fragment`venture_id = ${venture_id}`, ...given(query, filters)]
  return database.rows(read<WebhookEndpoint>`select ${columns} from webhook_endpoints ${pageOf(query, conditions)}`)
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

/**
 * What was waiting for another attempt is tried at once, and the run of failures begins anew. A round that is under way has nothing more to
 * say: it was about the endpoint as it was.
 */
export function beginAnew(tx: Tx, { venture_id, id }: EndpointKey): void {
  tx.send(write`
    update webhook_progress set failing_since = null, failed_at = null, waking = true, lease = null
    where venture_id = ${venture_id} and endpoint_id = ${id}`)
}

/** Test events that wait for their time are tried now: whoever sends another one is trying to find out what is wrong. */
export function hurryTests(tx: Tx, { venture_id, id }: EndpointKey): void {
  tx.send(write`
    update webhook_deliveries set next_attempt_at = now(), woken = true
    where venture_id = ${venture_id} and endpoint_id = ${id} and resource_id = ${id} and event_type = 'webhook_endpoint.test'
      and status = 'PENDING' and next_attempt_at is not null`)
}

/** Something of the endpoint is due now. */
export function callCourier(tx: Tx, { venture_id, id }: EndpointKey): void {
  tx.send(write`
    update webhook_progress set next_due_at = least(next_due_at, now()) where venture_id = ${venture_id} and endpoint_id = ${id}`)
}

/** One after another for each venture, so that requests at the same moment do not all see the last free place. */
export async function countEndpoints(tx: Tx, venture_id: string): Promise<number> {
  await tx.rows(write`select pg_advisory_xact_lock(hashtextextended(${venture_id}, 0))`)
  const counted = await tx.first(read<{ count: number }>`
    select count(*)::int as count from webhook_endpoints where venture_id = ${venture_id}`)
  return counted?.count ?? 0
}

const deliveryFilters: Filters<DeliveryList> = { status: equals(fragment`status`), event_id: equals(fragment`event_id`) }

export function selectDeliveries(database: Database, endpoint: EndpointKey, query: DeliveryList): Promise<Delivery[]> {
  const own = fragment`venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id}`
  const conditions = [own, ...given(query, deliveryFilters)]
  return database.rows(read<Delivery>`select ${deliveryColumns} from webhook_deliveries ${pageOf(query, conditions)}`)
}

export function selectDelivery(reader: Reader, endpoint: EndpointKey, id: string): Promise<Delivery | undefined> {
  return reader.first(read<Delivery>`
    select ${deliveryColumns} from webhook_deliveries
    where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} and id = ${id}`)
}

/** On its way again, as if for the first time. The courier sees to it that an earlier event of the resource goes first. */
export function sendAgain(tx: Tx, endpoint: EndpointKey, id: string): Promise<Delivery | undefined> {
  return tx.first(write<Delivery>`
    update webhook_deliveries set status = 'PENDING', tries = 0, begun = begun + 1, planned_at = null, woken = false, delivered_at = null, next_attempt_at = now()
    where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} and id = ${id}
    returning ${deliveryColumns}`)
}

/** Some of the failed ones at a time. */
export function sendFailedAgain(tx: Tx, endpoint: EndpointKey, since: string, most: number): Promise<number> {
  return tx.run(write`
    update webhook_deliveries set status = 'PENDING', tries = 0, begun = begun + 1, planned_at = null, woken = false, next_attempt_at = now()
    where (venture_id, id) in (
      select venture_id, id from webhook_deliveries
      where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} and status = 'FAILED' and created_at >= ${since}
      order by id limit ${most})`)
}

/** Some rows of a deleted endpoint. */
export function forgetDeliveries(tx: Tx, endpoint: EndpointKey, most: number): Promise<number> {
  return tx.run(write`
    delete from webhook_deliveries where (venture_id, id) in (
      select venture_id, id from webhook_deliveries
      where venture_id = ${endpoint.venture_id} and endpoint_id = ${endpoint.id} limit ${most})`)
}
