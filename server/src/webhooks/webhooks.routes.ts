// The HTTP routes of webhook endpoints and their deliveries.
import { Type } from 'typebox'
import { Event } from '../events/events.ts'
import { alone, changes, empowering, reads, secretsOf } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import {
  AllDeliveryList,
  Delivery,
  DeliveryList,
  FailedSince,
  NewWebhookEndpoint,
  Redelivered,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
} from './webhooks.schemas.ts'
import {
  createEndpoint,
  getDelivery,
  getEndpoint,
  listDeliveries,
  listDeliveriesOfAllEndpoints,
  listEndpoints,
  redeliver,
  redeliverFailed,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
  type Webhooks,
} from './webhooks.ts'

const tags = ['Webhooks']
const params = PathId('endpoint_id')
const deliveryParams = Type.Object({ ...PathId('endpoint_id').properties, ...PathId('delivery_id').properties })

export async function webhookRoutes(app: App, { webhooks }: { webhooks: Webhooks }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { endpoint_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.endpoint_id,
  })

  app.post(
    '/webhook-endpoints',
    {
      config: {
        access: empowering(secretsOf(changes('webhooks', alone("It only decides where the venture's events are sent.")))),
        audit: 'always',
        refusals: ['endpoint_limit', 'endpoint_url_refused'],
        creates: { answer: 'secret', location: ({ id }) => `/api/v1/webhook-endpoints/${id}` },
        another: { description: 'Another endpoint' },
        example: { body: { url: 'https://example.com/hooks', event_types: ['transfer.completed', 'transfer.failed'] } },
      },
      schema: {
        operationId: 'createWebhookEndpoint',
        tags,
        summary: 'Create a webhook endpoint',
        description:
          'The response contains the secret that signs deliveries, which is shown only once. The endpoint receives events from now on.',
        body: NewWebhookEndpoint,
        response: { 201: WebhookEndpointWithSecret },
      },
    },
    async (request) => createEndpoint(webhooks, request.venture.id, request.body, request.companions),
  )

  app.get(
    '/webhook-endpoints',
    {
      config: { access: reads('webhooks'), refusals: [] },
      schema: {
        operationId: 'listWebhookEndpoints',
        tags,
        summary: 'List webhook endpoints, newest first',
        description: 'Deleted endpoints are not listed. Secrets are never shown again.',
        querystring: WebhookEndpointList,
        response: { 200: Type.Array(WebhookEndpoint) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listEndpoints(webhooks, request.venture.id, request.query)),
  )

  app.get(
    '/webhook-endpoints/:endpoint_id',
    {
      config: { access: reads('webhooks'), refusals: ['endpoint_not_found'] },
      schema: {
        operationId: 'getWebhookEndpoint',
        tags,
        summary: 'Get a webhook endpoint',
        description: 'The endpoint, and the reason if it is disabled. The secret is never shown again.',
        params,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => getEndpoint(webhooks, keyOf(request)),
  )

  app.put(
    '/webhook-endpoints/:endpoint_id',
    {
      config: {
        access: changes('webhooks', alone("It only decides where the venture's events are sent.")),
        audit: 'people',
        refusals: ['endpoint_not_found', 'endpoint_url_refused'],
        example: { body: { description: 'The hooks of our shop' } },
      },
      schema: {
        operationId: 'updateWebhookEndpoint',
        tags,
        summary: 'Update a webhook endpoint',
        description:
          'A disabled endpoint receives nothing and loses nothing: once it is enabled again, it receives all events since then, in order.',
        params,
        body: WebhookEndpointUpdate,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => updateEndpoint(webhooks, keyOf(request), request.body, request.companions),
  )

  app.delete(
    '/webhook-endpoints/:endpoint_id',
    {
      config: {
        access: changes('webhooks', alone("It only decides where the venture's events are sent.")),
        audit: 'always',
        refusals: ['endpoint_not_found'],
        trial: { fresh: 'endpoint' },
      },
      schema: {
        operationId: 'deleteWebhookEndpoint',
        tags,
        summary: 'Delete a webhook endpoint',
        description: 'Deliveries to it stop at once.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeEndpoint(webhooks, keyOf(request), request.companions)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/rotate-secret',
    {
      config: {
        access: secretsOf(changes('webhooks', alone('It replaces the secret that signs deliveries.'))),
        audit: 'always',
        refusals: ['endpoint_not_found'],
        createsNothing: 'It replaces a secret. If the response is lost, rotate it again.',
      },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'The response contains the new secret, which is shown only once. For 24 hours, deliveries are signed with both secrets.',
        params,
        response: { 200: WebhookEndpointWithSecret },
      },
    },
    async (request) => rotateSecret(webhooks, keyOf(request), request.companions),
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/test',
    {
      config: {
        access: changes('webhooks', alone('It sends a test event.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'endpoint_disabled'],
        createsNothing: 'A test event may be sent again.',
      },
      schema: {
        operationId: 'testWebhookEndpoint',
        tags,
        summary: 'Send a test event',
        description: 'Sends a `webhook_endpoint.test` event to this endpoint only, whatever its `event_types`.',
        params,
        response: { 200: Event },
      },
    },
    async (request) => testEndpoint(webhooks, keyOf(request), request.companions),
  )

  app.get(
    '/webhook-endpoints/:endpoint_id/deliveries',
    {
      config: { access: reads('webhooks'), refusals: ['endpoint_not_found'] },
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'List the deliveries of a webhook endpoint, newest first',
        description: "Each delivery with all its attempts, and the beginning of the receiver's responses.",
        params,
        querystring: DeliveryList,
        response: { 200: Type.Array(Delivery) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listDeliveries(webhooks, keyOf(request), request.query)),
  )

  app.get(
    '/webhook-deliveries',
    {
      config: { access: reads('webhooks'), refusals: [] },
      schema: {
        operationId: 'listDeliveriesOfAllEndpoints',
        tags,
        summary: 'List the deliveries of all webhook endpoints, newest first',
        description: 'To find events that have not arrived, or everything sent about a resource.',
        querystring: AllDeliveryList,
        response: { 200: Type.Array(Delivery) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listDeliveriesOfAllEndpoints(webhooks, request.venture.id, request.query)),
  )

  app.get(
    '/webhook-endpoints/:endpoint_id/deliveries/:delivery_id',
    {
      config: { access: reads('webhooks'), refusals: ['endpoint_not_found', 'delivery_not_found'] },
      schema: {
        operationId: 'getWebhookDelivery',
        tags,
        summary: 'Get a delivery',
        description: 'The delivery with all its attempts, and the time of the next one.',
        params: deliveryParams,
        response: { 200: Delivery },
      },
    },
    async (request) => getDelivery(webhooks, keyOf(request), request.params.delivery_id),
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver',
    {
      config: {
        access: changes('webhooks', alone('It resends events that the venture already received.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'delivery_not_found', 'event_not_found', 'endpoint_disabled'],
        createsNothing: 'Redelivering again sends the event once more.',
      },
      schema: {
        operationId: 'redeliverWebhook',
        tags,
        summary: 'Redeliver an event',
        description:
          'Restarts the delivery, whatever its status. A pending earlier event of the same resource is sent first. Clients that follow resends ' +
          'also process the event again.',
        params: deliveryParams,
        response: { 200: Delivery },
      },
    },
    async (request) => redeliver(webhooks, keyOf(request), request.params.delivery_id, request.companions),
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/redeliver-failed',
    {
      config: {
        access: changes('webhooks', alone('It resends events that the venture already received.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'endpoint_disabled'],
        createsNothing: 'A repetition finds nothing to restart.',
        example: { body: { since: '2026-11-15T09:30:00Z' } },
      },
      schema: {
        operationId: 'redeliverFailedWebhooks',
        tags,
        summary: 'Redeliver all failed deliveries created since a given time',
        description:
          'For a receiver that was down for a long time. The endpoint must be ACTIVE; each delivery gets ten new attempts. Clients that follow ' +
          'resends also process the events again.',
        params,
        body: FailedSince,
        response: { 200: Redelivered },
      },
    },
    async (request) => ({ redelivered: await redeliverFailed(webhooks, keyOf(request), request.body.since, request.companions) }),
  )
}
