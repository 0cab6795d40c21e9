// The schemas of webhook endpoints and deliveries in requests and responses.
import { type Static, Type } from 'typebox'
import { eventTypes } from '../events/events.ts'
import {
  Body,
  Choice,
  GivenTime,
  Id,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  Url,
} from '../platform/http/schemas.ts'

const EventTypes = Type.Array(Choice(eventTypes), {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'The types of events to send; null for all.',
})

const Status = Choice(['ACTIVE', 'DISABLED'])

const fields = {
  id: Id,
  venture_id: Id,
  url: Type.String(),
  description: Nullable(Type.String()),
  event_types: Nullable(Type.Array(Type.String())),
  status: Status,
  disabled_reason: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookEndpoint = Resource('WebhookEndpoint', fields)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const WebhookEndpointWithSecret = Resource('WebhookEndpointWithSecret', {
  ...fields,
  secret: Type.String({ description: 'The secret that signs deliveries. It is shown only once.' }),
})
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

export const NewWebhookEndpoint = Body('NewWebhookEndpoint', {
  url: Url,
  description: OptionalField(ShortText),
  event_types: OptionalField(EventTypes),
})
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointUpdate = Body('WebhookEndpointUpdate', {
  url: Type.Optional(Url),
  description: OptionalField(ShortText),
  event_types: OptionalField(EventTypes),
  status: Type.Optional(Status),
})
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>

export const WebhookEndpointList = Query({ status: Type.Optional(Status), ...Paging })
export type WebhookEndpointList = Static<typeof WebhookEndpointList>

export const Attempt = Resource('DeliveryAttempt', {
  at: Timestamp,
  response_status: Nullable(Type.Integer({ description: 'Null if there was no response.' })),
  duration_ms: Type.Integer(),
  response_body: Nullable(Type.String({ description: 'The first 1,024 characters of the response.' })),
  failure: Nullable(
    Type.String({ description: 'Why there was no response, or why the response was not accepted; null if the event was delivered.' }),
  ),
})
export type Attempt = Static<typeof Attempt>

const DeliveryStatus = Choice(['PENDING', 'DELIVERED', 'FAILED'])

export const Delivery = Resource('WebhookDelivery', {
  id: Id,
  endpoint_id: Id,
  event_id: Id,
  event_type: Type.String(),
  resource_id: Id,
  status: DeliveryStatus,
  attempts: Type.Array(Attempt),
  next_attempt_at: Nullable({
    ...Timestamp,
    description: 'Null while an earlier event of the same resource must be delivered first, and when there are no more attempts.',
  } as typeof Timestamp),
  created_at: Timestamp,
  delivered_at: Nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryList = Query({
  status: Type.Optional(DeliveryStatus),
  event_id: Type.Optional(Id),
  ...Paging,
})
export type DeliveryList = Static<typeof DeliveryList>

export const FailedSince = Body('FailedSince', { since: GivenTime })
export const Redelivered = Resource('Redelivered', {
  redelivered: Type.Integer({ description: 'The number of deliveries that are sent again.' }),
})
