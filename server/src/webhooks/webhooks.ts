// Webhook endpoints: where a venture receives its events. Couriers are notified of every change of an endpoint.

import { type Event, emit, emitOne, recordResend, recordResends, requireEvent } from '../events/events.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { write } from '../platform/database/sql.ts'
import { maxUrlLength } from '../platform/http/schemas.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import { checkTarget } from '../platform/outgoing/outgoing.ts'
import { makeSecret } from '../platform/standard-webhooks.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { findEndpointsBy } from './webhooks.find.ts'
import { rotation_ms } from './webhooks.schedule.ts'
import {
  type AllDeliveryList,
  Delivery,
  type DeliveryList,
  type NewWebhookEndpoint,
  WebhookEndpoint,
  type WebhookEndpointList,
  type WebhookEndpointUpdate,
  type WebhookEndpointWithSecret,
} from './webhooks.schemas.ts'
import {
  countEndpoints,
  deleteDeliveries,
  deleteEndpoint,
  type EndpointKey,
  type EndpointRow,
  endpointFromTheFuture,
  insertEndpoint,
  lockEndpoint,
  markDueNow,
  queueAgain,
  queueFailedAgain,
  resetFailures,
  retryTestEvents,
  selectDeliveries,
  selectDeliveriesOfAll,
  selectDelivery,
  selectEndpoint,
  selectEndpoints,
  writeEndpoint,
} from './webhooks.sql.ts'
import { countUndelivered } from './webhooks.statistics.ts'

export { countUndelivered, Delivery, endpointFromTheFuture, findEndpointsBy }

/** The notification channel for changes of endpoints. */
export const endpointsChanged = 'vostro_webhooks'

/** `allowPrivate`: whether endpoints may be in private networks and use plain http. */
export type Webhooks = { database: Database; allowPrivate: boolean }

export async function createEndpoint(
  webhooks: Webhooks,
  venture_id: string,
  input: NewWebhookEndpoint,
  companions?: Companions,
): Promise<WebhookEndpointWithSecret> {
  const url = await normaliseTarget(webhooks, input.url)
  const at = now().toISOString()
  const row: EndpointRow = {
    id: uuidv7(),
    venture_id,
    url,
    description: input.description ?? null,
    event_types: input.event_types ?? null,
    status: 'ACTIVE',
    disabled_reason: null,
    created_at: at,
    updated_at: at,
    secret: makeSecret(),
    previous_secret: null,
    previous_secret_until: null,
    sequence: 0,
  }
  return webhooks.database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      tx.evidence = selectEndpoint(row)
      if ((await countEndpoints(tx, venture_id)) >= maxEndpoints) {
        const detail = `A venture can have at most ${maxEndpoints} webhook endpoints. Delete one that is no longer needed.`
        refuse('endpoint_limit', { detail, limit: maxEndpoints })
      }
      insertEndpoint(tx, row)
      return { ...shown(WebhookEndpoint, row), secret: row.secret }
    }),
  )
}

/** Enough for the systems of a venture, and too few to block the couriers for other ventures. */
const maxEndpoints = 16

/** The URL as stored and shown: exactly what is called. Refuses one that cannot be called. */
async function normaliseTarget({ allowPrivate }: Webhooks, text: string): Promise<string> {
  const message = await checkTarget(text, { allowPrivate })
  if (message !== undefined) refuse('endpoint_url_refused', { detail: `url ${message}.`, errors: [{ field: 'url', message }] })
  const { href } = new URL(text)
  // Percent-encoding may have made it longer.
  return href.length <= maxUrlLength ? href : refuseField('url', `must have at most ${maxUrlLength} characters after normalisation`)
}

export function listEndpoints({ database }: Webhooks, venture_id: string, query: WebhookEndpointList): Promise<WebhookEndpoint[]> {
  return selectEndpoints(database, venture_id, query)
}

export async function getEndpoint({ database }: Webhooks, key: EndpointKey): Promise<WebhookEndpoint> {
  return (await database.first(selectEndpoint(key))) ?? refuse('endpoint_not_found')
}

/** An update that changes nothing writes nothing. */
export async function updateEndpoint(
  webhooks: Webhooks,
  key: EndpointKey,
  given: WebhookEndpointUpdate,
  companions?: Companions,
): Promise<WebhookEndpoint> {
  const update = given.url === undefined ? given : { ...given, url: await normaliseTarget(webhooks, given.url) }
  const change = async (tx: Tx): Promise<WebhookEndpoint> => {
    const row = (await lockEndpoint(tx, key)) ?? refuse('endpoint_not_found')
    const next = { ...row, ...update }
    if (fields.every((field) => JSON.stringify(next[field]) === JSON.stringify(row[field]))) return shown(WebhookEndpoint, row)
    if (next.url !== row.url || (next.status === 'ACTIVE' && row.status === 'DISABLED')) resetFailures(tx, key)
    return shown(
      WebhookEndpoint,
      await changeEndpoint(tx, row, {
        ...update,
        disabled_reason: next.status === 'DISABLED' ? (row.disabled_reason ?? 'Disabled by the venture.') : null,
      }),
    )
  }
  return webhooks.database.transaction((tx) => accompanied(tx, companions, () => change(tx)))
}

const fields = ['url', 'description', 'event_types', 'status'] as const

/** Writes a changed endpoint, notifies the couriers, and emits an event if it becomes disabled. */
export async function changeEndpoint(tx: Tx, row: EndpointRow, changes: Partial<EndpointRow>): Promise<EndpointRow> {
  const disabled = changes.status === 'DISABLED' && row.status === 'ACTIVE'
  const saved = { ...row, ...changes, updated_at: now().toISOString(), sequence: row.sequence + (disabled ? 1 : 0) }
  writeEndpoint(tx, saved)
  await notifyCouriers(tx, row.id)
  if (disabled) {
    const { venture_id, sequence } = saved
    emit(tx, {
      venture_id,
      type: 'webhook_endpoint.disabled',
      object: shown(WebhookEndpoint, saved),
      sequence,
      previous_status: row.status,
    })
  }
  return saved
}

async function notifyCouriers(tx: Tx, endpoint_id: string): Promise<void> {
  await tx.rows(write`select pg_notify(${endpointsChanged}, ${endpoint_id})`)
}

/** A job deletes the deliveries, because there may be millions of them. */
export async function removeEndpoint({ database }: Webhooks, key: EndpointKey, companions?: Companions): Promise<void> {
  const remove = async (tx: Tx): Promise<EndpointKey> => {
    if ((await deleteEndpoint(tx, key)) === 0) refuse('endpoint_not_found')
    await notifyCouriers(tx, key.id)
    await enqueue(tx, 'webhooks.forget', key)
    return key
  }
  await database.transaction((tx) => accompanied(tx, companions, () => remove(tx)))
}

/** For a day, deliveries have both signatures, so that the receiver can switch at any time. */
export function rotateSecret({ database }: Webhooks, key: EndpointKey, companions?: Companions): Promise<WebhookEndpointWithSecret> {
  const rotate = async (tx: Tx): Promise<WebhookEndpointWithSecret> => {
    const row = (await lockEndpoint(tx, key)) ?? refuse('endpoint_not_found')
    const previous_secret_until = new Date(now().getTime() + rotation_ms).toISOString()
    const saved = await changeEndpoint(tx, row, { secret: makeSecret(), previous_secret: row.secret, previous_secret_until })
    return { ...shown(WebhookEndpoint, saved), secret: saved.secret }
  }
  return database.transaction((tx) => accompanied(tx, companions, () => rotate(tx)))
}

/** Emits an event for this endpoint only, whatever its event types. */
export function testEndpoint({ database }: Webhooks, key: EndpointKey, companions?: Companions): Promise<Event> {
  const send = async (tx: Tx): Promise<Event> => {
    const row = (await lockEndpoint(tx, key)) ?? refuse('endpoint_not_found')
    requireActive(row)
    const sequence = row.sequence + 1
    writeEndpoint(tx, { ...row, sequence })
    retryTestEvents(tx, key)
    markDueNow(tx, key)
    return emitOne(tx, { venture_id: key.venture_id, type: 'webhook_endpoint.test', object: shown(WebhookEndpoint, row), sequence })
  }
  return database.transaction((tx) => accompanied(tx, companions, () => send(tx)))
}

function requireActive({ status, disabled_reason }: WebhookEndpoint): void {
  if (status === 'ACTIVE') return
  refuse('endpoint_disabled', { detail: `The webhook endpoint is disabled: ${disabled_reason} Set its status to ACTIVE first.` })
}

export async function listDeliveries(webhooks: Webhooks, endpoint: EndpointKey, query: DeliveryList): Promise<Delivery[]> {
  const deliveries = await selectDeliveries(webhooks.database, endpoint, query)
  if (deliveries.length === 0) await getEndpoint(webhooks, endpoint)
  return deliveries
}

export function listDeliveriesOfAllEndpoints({ database }: Webhooks, venture_id: string, query: AllDeliveryList): Promise<Delivery[]> {
  return selectDeliveriesOfAll(database, venture_id, query)
}

export async function getDelivery(webhooks: Webhooks, endpoint: EndpointKey, id: string): Promise<Delivery> {
  const delivery = await selectDelivery(webhooks.database, endpoint, id)
  if (delivery === undefined) await getEndpoint(webhooks, endpoint)
  return delivery ?? refuse('delivery_not_found')
}

export function redeliver({ database }: Webhooks, endpoint: EndpointKey, delivery_id: string, companions?: Companions): Promise<Delivery> {
  const restart = async (tx: Tx): Promise<Delivery> => {
    requireActive((await lockEndpoint(tx, endpoint)) ?? refuse('endpoint_not_found'))
    const delivery = (await queueAgain(tx, endpoint, delivery_id)) ?? refuse('delivery_not_found')
    const event = { venture_id: endpoint.venture_id, id: delivery.event_id }
    await requireEvent(tx, event)
    markDueNow(tx, endpoint)
    await recordResend(tx, event)
    return delivery
  }
  return database.transaction((tx) => accompanied(tx, companions, () => restart(tx)))
}

const chunkSize = 2_000

export async function redeliverFailed(
  { database }: Webhooks,
  endpoint: EndpointKey,
  since: string,
  companions?: Companions,
): Promise<number> {
  const restartSome = async (tx: Tx): Promise<{ count: number }> => {
    requireActive((await lockEndpoint(tx, endpoint)) ?? refuse('endpoint_not_found'))
    markDueNow(tx, endpoint)
    const event_ids = await queueFailedAgain(tx, endpoint, since, chunkSize)
    await recordResends(tx, endpoint.venture_id, event_ids)
    return { count: event_ids.length }
  }
  for (let redelivered = 0, first = true; ; first = false) {
    const { count } = await database.transaction((tx) => accompanied(tx, first ? companions : undefined, () => restartSome(tx)))
    redelivered += count
    if (count < chunkSize) return redelivered
  }
}

export function webhookJobs(database: Database): Handlers {
  return {
    'webhooks.forget': {
      async run(endpoint: EndpointKey) {
        while ((await database.transaction((tx) => deleteDeliveries(tx, endpoint, chunkSize))) === chunkSize);
      },
    },
  }
}
