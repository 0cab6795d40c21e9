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
        access: empowering(secretsOf(changes('webhooks', alone('It tells the venture what happens.')))),
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
          'The response contains the secret that signs deliveries. It is shown only once. Events that happen from now on are delivered.',
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
        description: 'The endpoint, and why it is disabled if it is. The secret is never shown again.',
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
        access: changes('webhooks', alone('It tells the venture what happens.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'endpoint_url_refused'],
        example: { body: { description: 'The hooks of our shop' } },
      },
      schema: {
        operationId: 'updateWebhookEndpoint',
        tags,
        summary: 'Update a webhook endpoint',
        description:
          'A disabled endpoint receives nothing and loses nothing: once it is enabled again, it gets everything that happened in the meantime, in order.',
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
        access: changes('webhooks', alone('It tells the venture what happens.')),
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
        createsNothing: 'It replaces a secret. Whoever lost the response has to replace it again.',
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
        access: changes('webhooks', alone('It sends a test.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'endpoint_disabled'],
        createsNothing: 'A test may be repeated.',
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
        description: 'Each delivery has all its attempts, with the beginning of what the receiver answered.',
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
        description: 'For whoever looks for what has not arrived, or for what was sent about a resource.',
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
        access: changes('webhooks', alone('It sends again what the venture was told.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'delivery_not_found', 'event_not_found', 'endpoint_disabled'],
        createsNothing: 'It restarts a delivery, which may be repeated.',
      },
      schema: {
        operationId: 'redeliverWebhook',
        tags,
        summary: 'Redeliver an event',
        description:
          'Restarts the delivery, whatever its status. An earlier event of the same resource that is still open is sent first. Those who follow ' +
          'resends take the event again, too.',
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
        access: changes('webhooks', alone('It sends again what the venture was told.')),
        audit: 'people',
        refusals: ['endpoint_not_found', 'endpoint_disabled'],
        createsNothing: 'It restarts deliveries, and finds nothing to restart the second time.',
        example: { body: { since: '2026-11-15T09:30:00Z' } },
      },
      schema: {
        operationId: 'redeliverFailedWebhooks',
        tags,
        summary: 'Redeliver all failed deliveries created since a given time',
        description:
          'For a receiver that was out of order for a long time. The endpoint must be ACTIVE; each delivery gets ten new attempts. Those who ' +
          'follow resends take the events again, too.',
        params,
        body: FailedSince,
        response: { 200: Redelivered },
      },
    },
    async (request) => ({ redelivered: await redeliverFailed(webhooks, keyOf(request), request.body.since, request.companions) }),
  )
}
