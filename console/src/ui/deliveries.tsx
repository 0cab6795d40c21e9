// Deliveries of events to webhook endpoints.
import type { WebhookDelivery } from '@vostro/sdk'
import type { Column } from './list.tsx'
import { Status } from './status.tsx'
import { minuteOf } from './words.ts'

export const pathOfDelivery = (venture: string, { endpoint_id, id }: Pick<WebhookDelivery, 'endpoint_id' | 'id'>): string =>
  `/v/${venture}/webhooks/${endpoint_id}/deliveries/${id}`

/** The response to the last attempt. */
export function lastAnswer({ attempts }: Pick<WebhookDelivery, 'attempts'>): string {
  const last = attempts.at(-1)
  if (last === undefined) return 'No attempts yet'
  if (last.response_status === null) return last.failure ?? 'No response'
  return `${last.response_status} in ${last.duration_ms} ms`
}

/** The columns of a list of deliveries, with the endpoint's name if there are several. */
export function deliveryColumns(nameOf?: (endpoint_id: string) => string): readonly Column<WebhookDelivery>[] {
  return [
    { label: 'Event', cell: ({ event_type }) => <span className="mono">{event_type}</span> },
    { label: 'Status', cell: ({ status }) => <Status value={status} /> },
    ...(nameOf === undefined ? [] : [{ label: 'Endpoint', wide: true, cell: ({ endpoint_id }: WebhookDelivery) => nameOf(endpoint_id) }]),
    { label: 'Attempts', wide: true, align: 'right', cell: ({ attempts }) => attempts.length },
    { label: 'Last response', wide: true, cell: lastAnswer },
    { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
  ]
}
