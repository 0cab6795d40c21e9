// The schemas of webhook endpoints and deliveries.
import { type Static, Type } from 'typebox'
import { eventTypes } from '../events/events.ts'
import {
  Body,
  Choice,
  CreatedAt,
  described,
  GivenTime,
  Id,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  UpdatedAt,
  Url,
} from '../platform/http/schemas.ts'

const EventTypes = Type.Array(Choice(eventTypes), {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'The types of events to send; null for all.',
})

const Status = Choice(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: nothing is sent. An endpoint that becomes ACTIVE again receives the events it missed.',
})

const fields = {
  id: described(Id, 'The id of the endpoint. The service assigns it.'),
  venture_id: described(Id, 'The venture of the endpoint.'),
  url: Type.String({ description: 'The URL to which events are sent by POST.' }),
  description: Nullable(Type.String({ description: 'A note by the venture, or null.' })),
  event_types: Nullable(Type.Array(Type.String(), { description: 'The types of events that are sent; null for all.' })),
  status: Status,
  disabled_reason: Nullable(Type.String({ description: 'Why the endpoint is disabled, in words; null while it is active.' })),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
}

export const WebhookEndpoint = Resource('WebhookEndpoint', fields, 'Where a venture receives events.')
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const WebhookEndpointWithSecret = Resource('WebhookEndpointWithSecret', {
  ...fields,
  secret: Type.String({ description: 'The secret that signs deliveries. It is shown only once.' }),
})
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

export const NewWebhookEndpoint = Body('NewWebhookEndpoint', {
  url: described(Url, 'The URL to which events are sent by POST: https, or also http in the sandbox.'),
  description: OptionalField(described(ShortText, 'A note by the venture.')),
  event_types: OptionalField(EventTypes),
})
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointUpdate = Body('WebhookEndpointUpdate', {
  url: Type.Optional(described(Url, 'The URL to which events are sent from now on.')),
  description: OptionalField(described(ShortText, 'A note by the venture; null removes it.')),
  event_types: OptionalField(EventTypes),
  status: Type.Optional(Status),
})
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>

export const WebhookEndpointList = Query({
  status: Type.Optional(described(Status, 'Returns only endpoints with this status.')),
  ...Paging,
})
export type WebhookEndpointList = Static<typeof WebhookEndpointList>

export const Attempt = Resource('DeliveryAttempt', {
  at: described(Timestamp, 'When the attempt began, in UTC.'),
  response_status: Nullable(Type.Integer({ description: 'Null if there was no response.' })),
  duration_ms: Type.Integer({ description: 'How long the receiver took, in milliseconds.' }),
  response_body: Nullable(Type.String({ description: 'The first 1,024 characters of the response.' })),
  failure: Nullable(
    Type.String({ description: 'Why there was no response, or why it was not accepted; null if the event was delivered.' }),
  ),
})
export type Attempt = Static<typeof Attempt>

const DeliveryStatus = Choice(['PENDING', 'DELIVERED', 'FAILED'], {
  description: 'PENDING: another attempt will follow. DELIVERED: the receiver answered with 2xx. FAILED: there are no more attempts.',
})

export const Delivery = Resource('WebhookDelivery', {
  id: described(Id, 'The id of the delivery. The service assigns it.'),
  endpoint_id: described(Id, 'The endpoint.'),
  event_id: described(Id, 'The event. It is the `webhook-id` of every attempt.'),
  event_type: Type.String({ description: 'The type of the event.' }),
  resource_id: described(Id, 'The resource that the event is about.'),
  status: DeliveryStatus,
  attempts: Type.Array(Attempt, { description: 'All attempts so far, oldest first.' }),
  next_attempt_at: Nullable({
    ...Timestamp,
    description: 'Null while an earlier event of the same resource must be delivered first, and when there are no more attempts.',
  } as typeof Timestamp),
  created_at: CreatedAt,
  delivered_at: Nullable(described(Timestamp, 'When the receiver accepted it, in UTC; null until then.')),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryList = Query({
  status: Type.Optional(described(DeliveryStatus, 'Returns only deliveries with this status.')),
  event_id: Type.Optional(described(Id, 'Returns only deliveries of this event.')),
  ...Paging,
})
export type DeliveryList = Static<typeof DeliveryList>

export const AllDeliveryList = Query({
  endpoint_id: Type.Optional(described(Id, 'Returns only deliveries to this endpoint.')),
  resource_id: Type.Optional(described(Id, 'Returns only deliveries of the 500 newest events about this resource, such as a transfer.')),
  ...DeliveryList.properties,
})
export type AllDeliveryList = Static<typeof AllDeliveryList>

export const FailedSince = Body('FailedSince', {
  since: described(GivenTime, 'Deliveries that were created at or after this time are sent again.'),
})
export const Redelivered = Resource('Redelivered', {
  redelivered: Type.Integer({ description: 'The number of deliveries that are sent again.' }),
})
