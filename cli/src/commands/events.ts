import type { ListEventsQuery, VostroEvent } from '@vostro/sdk'
import { Refused } from '../failures.ts'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('event')

export const eventCommands: readonly Command[] = [
  listing<ListEventsQuery, VostroEvent>({
    words: ['events', 'list'],
    summary: 'List events, newest first.',
    filters: {
      type: 'Only events of this type.',
      resource_id: 'Only events about the resource with this id.',
      date_from: 'Only events from this day or time on.',
      date_to: 'Only events until this day or time.',
    },
    columns: ['id', 'timestamp', 'type', 'sequence', 'actor'],
    list: (vostro, query) => vostro.events.list(query),
  }),
  action({ words: ['events', 'get'], summary: 'Show an event.', args: [id], act: (vostro, [id = '']) => vostro.events.get(id) }),
  action({
    words: ['events', 'resend'],
    summary: 'Send an event again: to `vostro listen`, or to a webhook endpoint.',
    args: [id],
    options: { endpoint: { describe: 'Resend it to this webhook endpoint, and to `vostro listen`.', value: 'ID' } },
    act: async (vostro, [id = ''], _, call) => {
      const endpoint = call.text('endpoint')
      if (endpoint === undefined) return vostro.events.resend(id)
      const { items } = await vostro.webhookEndpoints.listDeliveries(endpoint, { event_id: id, limit: 1 }).page()
      const [delivery] = items
      if (delivery === undefined) throw new Refused('This event was never sent to the webhook endpoint, so it cannot be resent.')
      return vostro.webhookEndpoints.redeliver(endpoint, delivery.id)
    },
  }),
]
