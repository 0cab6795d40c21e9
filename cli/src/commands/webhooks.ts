import type {
  ListWebhookDeliveriesQuery,
  ListWebhookEndpointsQuery,
  NewWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
} from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('webhook endpoint')

export const webhookCommands: readonly Command[] = [
  listing<ListWebhookEndpointsQuery, WebhookEndpoint>({
    words: ['webhooks', 'list'],
    summary: 'List webhook endpoints, newest first.',
    filters: { status: 'Only endpoints in this status: ACTIVE or DISABLED.' },
    columns: ['id', 'status', 'url', 'event_types', 'description', 'disabled_reason'],
    list: (vostro, query) => vostro.webhookEndpoints.list(query),
  }),
  action({
    words: ['webhooks', 'get'],
    summary: 'Show a webhook endpoint.',
    args: [id],
    act: (vostro, [id = '']) => vostro.webhookEndpoints.get(id),
  }),
  action({
    words: ['webhooks', 'create'],
    summary: 'Create a webhook endpoint. Its secret is shown once.',
    args: [{ name: 'URL', describe: 'The URL that receives events.' }],
    fields: true,
    act: (vostro, [url], fields) => vostro.webhookEndpoints.create({ ...fields, url } as NewWebhookEndpoint),
  }),
  action({
    words: ['webhooks', 'enable'],
    summary: 'Enable a webhook endpoint. It receives all events since it was disabled.',
    args: [id],
    act: (vostro, [id = '']) => vostro.webhookEndpoints.update(id, { status: 'ACTIVE' }),
  }),
  action({
    words: ['webhooks', 'disable'],
    summary: 'Disable a webhook endpoint.',
    args: [id],
    act: (vostro, [id = '']) => vostro.webhookEndpoints.update(id, { status: 'DISABLED' }),
  }),
  action({
    words: ['webhooks', 'delete'],
    summary: 'Delete a webhook endpoint.',
    args: [id],
    act: async (vostro, [id = '']) => {
      await vostro.webhookEndpoints.delete(id)
      return { id, deleted: true }
    },
  }),
  action({
    words: ['webhooks', 'test'],
    summary: 'Send a test event to a webhook endpoint.',
    args: [id],
    act: (vostro, [id = '']) => vostro.webhookEndpoints.test(id),
  }),
  listing<ListWebhookDeliveriesQuery, WebhookDelivery>({
    words: ['webhooks', 'deliveries'],
    summary: 'List the deliveries of a webhook endpoint, newest first.',
    args: [id],
    filters: { status: 'Only deliveries in this status.', event_id: 'Only deliveries of this event.' },
    columns: ['id', 'created_at', 'status', 'event_type', 'event_id', 'next_attempt_at'],
    list: (vostro, query, [id = '']) => vostro.webhookEndpoints.listDeliveries(id, query),
  }),
  action({
    words: ['webhooks', 'redeliver'],
    summary: 'Repeat a delivery. `vostro listen` also forwards the event again.',
    args: [id, { name: 'DELIVERY', describe: 'The id of the delivery.' }],
    act: (vostro, [id = '', delivery = '']) => vostro.webhookEndpoints.redeliver(id, delivery),
  }),
]
