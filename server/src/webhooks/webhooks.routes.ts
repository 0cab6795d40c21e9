// The HTTP face of webhook endpoints and their deliveries.
import { Type } from 'typebox'
import { Event } from '../events/events.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { Id, PathId } from '../platform/http/schemas.ts'
import {
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
const deliveryParams = Type.Object({ endpoint_id: Id, delivery_id: Id })

export async function webhookRoutes(app: App, { webhooks }: { webhooks: Webhooks }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { endpoint_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.endpoint_id,
  })

  app.post(
    '/webhook-endpoints',
    {
      schema: {
        operationId: 'createWebhookEndpoint',
        tags,
        summary: 'Create a webhook endpoint',
        description: 'The answer holds the secret that signs deliveries, once. Events that happen from now on are delivered.',
        body: NewWebhookEndpoint,
        response: { 201: WebhookEndpointWithSecret },
      },
    },
    async (request, reply) => {
      const endpoint = await createEndpoint(webhooks, request.venture.id, request.body)
      return reply.code(201).header('location', `/api/v1/webhook-endpoints/${endpoint.id}`).send(endpoint)
    },
  )

  app.get(
    '/webhook-endpoints',
    {
      schema: {
        operationId: 'listWebhookEndpoints',
        tags,
        summary: 'List webhook endpoints, newest first',
        querystring: WebhookEndpointList,
        response: { 200: Type.Array(WebhookEndpoint) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listEndpoints(webhooks, request.venture.id, request.query)),
  )

  app.get(
    '/webhook-endpoints/:endpoint_id',
    { schema: { operationId: 'getWebhookEndpoint', tags, summary: 'Get a webhook endpoint', params, response: { 200: WebhookEndpoint } } },
    async (request) => getEndpoint(webhooks, keyOf(request)),
  )

  app.put(
    '/webhook-endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'updateWebhookEndpoint',
        tags,
        summary: 'Change, disable or enable a webhook endpoint',
        description:
          'While it is disabled nothing is sent and nothing is lost: enabled again, it gets everything that happened meanwhile, in order.',
        params,
        body: WebhookEndpointUpdate,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => updateEndpoint(webhooks, keyOf(request), request.body),
  )

  app.delete(
    '/webhook-endpoints/:endpoint_id',
    {
      schema: {
        operationId: 'deleteWebhookEndpoint',
        tags,
        summary: 'Delete a webhook endpoint',
        description: 'Deliveries stop at once.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeEndpoint(webhooks, keyOf(request))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Rotate the secret',
        description: 'The answer holds the new secret, once. For 24 hours deliveries carry a signature of each of the two.',
        params,
        response: { 200: WebhookEndpointWithSecret },
      },
    },
    async (request) => rotateSecret(webhooks, keyOf(request)),
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/test',
    {
      schema: {
        operationId: 'testWebhookEndpoint',
        tags,
        summary: 'Send a test event',
        description: 'An event `webhook_endpoint.test`, for this endpoint alone and whatever types it names.',
        params,
        response: { 200: Event },
      },
    },
    async (request) => testEndpoint(webhooks, keyOf(request)),
  )

  app.get(
    '/webhook-endpoints/:endpoint_id/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'List deliveries of an endpoint, newest first',
        params,
        querystring: DeliveryList,
        response: { 200: Type.Array(Delivery) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listDeliveries(webhooks, keyOf(request), request.query)),
  )

  app.get(
    '/webhook-endpoints/:endpoint_id/deliveries/:delivery_id',
    { schema: { operationId: 'getWebhookDelivery', tags, summary: 'Get a delivery', params: deliveryParams, response: { 200: Delivery } } },
    async (request) => getDelivery(webhooks, keyOf(request), request.params.delivery_id),
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver',
    {
      schema: {
        operationId: 'redeliverWebhook',
        tags,
        summary: 'Deliver once more',
        description:
          'Whatever became of it: the delivery begins anew. An earlier event of the same resource that is still open goes first.',
        params: deliveryParams,
        response: { 200: Delivery },
      },
    },
    async (request) => redeliver(webhooks, keyOf(request), request.params.delivery_id),
  )

  app.post(
    '/webhook-endpoints/:endpoint_id/redeliver-failed',
    {
      schema: {
        operationId: 'redeliverFailedWebhooks',
        tags,
        summary: 'Deliver once more what has failed, of events since a time',
        params,
        body: FailedSince,
        response: { 200: Redelivered },
      },
    },
    async (request) => ({ redelivered: await redeliverFailed(webhooks, keyOf(request), request.body.since) }),
  )
}
