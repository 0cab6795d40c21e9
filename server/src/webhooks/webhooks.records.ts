// How a courier writes down what became of its deliveries.
import type { Tx } from '../platform/database.ts'
import { read, write } from '../platform/sql.ts'
import type { Parcel, Position } from './webhooks.parcels.ts'

export type Standing = Parcel & { status: 'PENDING' | 'DELIVERED' | 'FAILED'; next_attempt_at: string | null; delivered_at: string | null }

type Endpoint = { venture_id: string; endpoint_id: string }

/** Undefined when another instance has taken over. */
export function lockProgress(tx: Tx, { venture_id, endpoint_id, owner }: Endpoint & { owner: string }) {
  return tx.first(read<{ failing_since: string | null; waking: boolean }>`
    select failing_since, waking from webhook_progress
    where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and lease_owner = ${owner} for update`)
}

export function writeProgress(
  tx: Tx,
  { venture_id, endpoint_id }: Endpoint,
  { xid, event_id, failing_since, waking }: Position & { failing_since: string | null; waking: boolean },
): void {
  tx.send(write`
    update webhook_progress set xid = ${xid}::xid8, event_id = ${event_id}, failing_since = ${failing_since}, waking = ${waking}
    where venture_id = ${venture_id} and endpoint_id = ${endpoint_id}`)
}

export function insertDeliveries(tx: Tx, { venture_id, endpoint_id }: Endpoint, standings: readonly Standing[], now: number): void {
  const rows = standings.filter(({ fresh }) => fresh)
  if (rows.length === 0) return
  tx.send(write`
    insert into webhook_deliveries (venture_id, endpoint_id, created_at, id, event_id, event_type, resource_id, sequence, status, attempts, tries,
      next_attempt_at, planned_at, delivered_at)
    select ${venture_id}::uuid, ${endpoint_id}::uuid, ${new Date(now).toISOString()}::timestamptz, made.* from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ event_id }) => event_id)}::uuid[],
      ${rows.map(({ event_type }) => event_type)}::text[],
      ${rows.map(({ resource_id }) => resource_id)}::uuid[],
      ${rows.map(({ sequence }) => sequence)}::int[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ attempts }) => JSON.stringify(attempts))}::json[],
      ${rows.map(({ tries }) => tries)}::int[],
      ${rows.map(({ next_attempt_at }) => next_attempt_at)}::timestamptz[],
      ${rows.map(({ planned_at }) => planned_at)}::timestamptz[],
      ${rows.map(({ delivered_at }) => delivered_at)}::timestamptz[]
    ) as made`)
}

/** What was sent again by hand in the meantime stays as the hand left it. */
export function updateDeliveries(tx: Tx, { venture_id }: Endpoint, standings: readonly Standing[]): void {
  const rows = standings.filter(({ fresh }) => !fresh)
  if (rows.length === 0) return
  tx.send(write`
    update webhook_deliveries delivery set status = made.status, attempts = made.attempts, tries = made.tries,
      next_attempt_at = made.next_attempt_at, planned_at = made.planned_at, delivered_at = made.delivered_at
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ attempts }) => JSON.stringify(attempts))}::json[],
      ${rows.map(({ tries }) => tries)}::int[],
      ${rows.map(({ next_attempt_at }) => next_attempt_at)}::timestamptz[],
      ${rows.map(({ planned_at }) => planned_at)}::timestamptz[],
      ${rows.map(({ delivered_at }) => delivered_at)}::timestamptz[],
      ${rows.map(({ begun }) => begun)}::int[]
    ) as made (id, status, attempts, tries, next_attempt_at, planned_at, delivered_at, begun)
    where delivery.venture_id = ${venture_id} and delivery.id = made.id and delivery.begun = made.begun`)
}

/** Of each resource the earliest open delivery has a time for its next attempt, and the others have none. */
export function putInOrder(tx: Tx, { venture_id, endpoint_id }: Endpoint, resources: readonly string[]): void {
  if (resources.length === 0) return
  tx.send(write`
    update webhook_deliveries delivery set next_attempt_at = case when earliest then coalesce(next_attempt_at, now()) end
    from (
      select id, row_number() over (partition by resource_id order by sequence) = 1 as earliest from webhook_deliveries
      where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and status = 'PENDING' and resource_id = any(${resources})) as place
    where delivery.venture_id = ${venture_id} and delivery.id = place.id and earliest = (next_attempt_at is null)`)
}

const mostWoken = 2_000

/** Makes deliveries that wait for their time due now, so many at a time; tells whether there are more. */
export async function wakeSome(tx: Tx, { venture_id, endpoint_id }: Endpoint): Promise<boolean> {
  const woken = await tx.run(write`
    update webhook_deliveries set next_attempt_at = now()
    where (venture_id, id) in (
      select venture_id, id from webhook_deliveries
      where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and next_attempt_at > now()
      order by next_attempt_at limit ${mostWoken})`)
  return woken === mostWoken
}
