// Records the results of deliveries. `at` is the time at which a round is recorded.
import type { Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import type { Endpoint, Lease, PendingDelivery, Position } from './webhooks.pending.ts'

/** `wait_ms` is the time until the next attempt; null if there is none or an earlier event of the resource comes first. */
export type DeliveryState = PendingDelivery & { status: 'PENDING' | 'DELIVERED' | 'FAILED'; wait_ms: number | null }

/** How long every attempt has failed, and how long ago the last one failed. */
export type Failing = { failing_for_ms: number | null; failed_ago_ms: number | null }

/** Undefined if the lease was lost. */
export function lockProgress(
  tx: Tx,
  { venture_id, endpoint_id, lease }: Lease,
  at: string,
): Promise<(Failing & { waking: boolean }) | undefined> {
  return tx.first(read<Failing & { waking: boolean }>`
    select waking, extract(epoch from (${at}::timestamptz - failing_since))::float8 * 1000 as failing_for_ms,
      extract(epoch from (${at}::timestamptz - failed_at))::float8 * 1000 as failed_ago_ms
    from webhook_progress where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and lease = ${lease} for update`)
}

type NewProgress = Position & { at: string; run: 'failing' | 'new run' | 'ended' | 'unchanged'; waking: boolean }

/** Must be sent last, because it reads the deliveries written before. */
export function writeProgress(tx: Tx, { venture_id, endpoint_id }: Endpoint, { at, era, xid, event_id, run, waking }: NewProgress): void {
  tx.send(write`
    update webhook_progress set era = ${era}, xid = ${xid}::xid8, event_id = ${event_id}, waking = ${waking},
      failing_since = case ${run} when 'failing' then coalesce(failing_since, ${at}) when 'new run' then ${at} when 'ended' then null
        else failing_since end,
      failed_at = case when ${run} in ('failing', 'new run') then ${at}::timestamptz when ${run} = 'ended' then null else failed_at end,
      next_due_at = (
        select next_attempt_at from webhook_deliveries
        where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and next_attempt_at is not null
        order by next_attempt_at limit 1)
    where venture_id = ${venture_id} and endpoint_id = ${endpoint_id}`)
}

export function insertDeliveries(tx: Tx, { venture_id, endpoint_id }: Endpoint, states: readonly DeliveryState[], at: string): void {
  const rows = states.filter(({ fresh }) => fresh)
  if (rows.length === 0) return
  tx.send(write`
    insert into webhook_deliveries (venture_id, endpoint_id, created_at, id, event_id, event_type, resource_id, sequence, status, attempts, tries,
      next_attempt_at, planned_at, delivered_at)
    select ${venture_id}::uuid, ${endpoint_id}::uuid, ${at}::timestamptz, id, event_id, event_type, resource_id, sequence, status, attempts, tries,
      ${at}::timestamptz + wait_ms * interval '1 millisecond', ${at}::timestamptz + wait_ms * interval '1 millisecond',
      case when status = 'DELIVERED' then ${at}::timestamptz end
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ event_id }) => event_id)}::uuid[],
      ${rows.map(({ event_type }) => event_type)}::text[],
      ${rows.map(({ resource_id }) => resource_id)}::uuid[],
      ${rows.map(({ sequence }) => sequence)}::int[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ attempts }) => JSON.stringify(attempts))}::json[],
      ${rows.map(({ tries }) => tries)}::int[],
      ${rows.map(({ wait_ms }) => wait_ms)}::int[]
    ) as made (id, event_id, event_type, resource_id, sequence, status, attempts, tries, wait_ms)`)
}

/** A distributed database cannot add times inside CASE. */
const later = (at: string, wait_ms: number | null): string | null =>
  wait_ms === null ? null : new Date(Date.parse(at) + wait_ms).toISOString()

/** Skips deliveries that were redelivered manually in the meantime. A woken delivery that failed goes back to its planned time. */
export function updateDeliveries(tx: Tx, { venture_id }: Endpoint, states: readonly DeliveryState[], at: string): void {
  const rows = states.filter(({ fresh }) => !fresh)
  if (rows.length === 0) return
  tx.send(write`
    update webhook_deliveries delivery set status = made.status, attempts = made.attempts, tries = made.tries,
      next_attempt_at = case when made.back then delivery.planned_at else made.due_at end,
      planned_at = case when made.back then delivery.planned_at else made.due_at end,
      woken = made.back, delivered_at = case when made.status = 'DELIVERED' then ${at}::timestamptz end
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ attempts }) => JSON.stringify(attempts))}::json[],
      ${rows.map(({ tries }) => tries)}::int[],
      ${rows.map(({ wait_ms }) => later(at, wait_ms))}::timestamptz[],
      ${rows.map(({ woken, status }) => woken && status === 'PENDING')}::boolean[],
      ${rows.map(({ begun }) => begun)}::int[]
    ) as made (id, status, attempts, tries, due_at, back, begun)
    where delivery.venture_id = ${venture_id} and delivery.id = made.id and delivery.begun = made.begun`)
}

/** Only the earliest pending delivery of a resource has a time for its next attempt. */
export function scheduleEarliest(
  tx: Tx,
  { venture_id, endpoint_id }: Endpoint,
  { ids, resources, at }: { ids: readonly string[]; resources: readonly string[]; at: string },
): void {
  if (resources.length === 0) return
  tx.send(write`
    with earliest as (
      select open.id, open.next_attempt_at from unnest(${resources}::uuid[]) as about (resource_id)
      cross join lateral (
        select id, next_attempt_at from webhook_deliveries
        where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and resource_id = about.resource_id and status = 'PENDING'
        order by sequence limit 1) as open)
    update webhook_deliveries set next_attempt_at = case when id in (select id from earliest) then ${at}::timestamptz end
    where venture_id = ${venture_id} and status = 'PENDING' and (
      id in (select id from earliest where next_attempt_at is null)
      or (id = any(${ids}) and next_attempt_at is not null and id not in (select id from earliest)))`)
}

const maxWoken = 2_000

/** Makes waiting deliveries due now, a limited number at a time and each only once. Returns whether there may be more. */
export async function wakeDeliveries(tx: Tx, { venture_id, endpoint_id }: Endpoint, at: string): Promise<boolean> {
  const woken = await tx.run(write`
    update webhook_deliveries set next_attempt_at = ${at}, woken = true
    where (venture_id, id) in (
      select venture_id, id from webhook_deliveries
      where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and next_attempt_at > ${at} and not woken
      order by next_attempt_at limit ${maxWoken})`)
  return woken === maxWoken
}
