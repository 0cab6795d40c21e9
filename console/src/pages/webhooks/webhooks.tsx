// The venture's webhook endpoints, their health, and all deliveries.
import { useQuery } from '@tanstack/react-query'
import type { WebhookEndpoint } from '@vostro/sdk'
import { useState } from 'react'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Deliveries } from './deliveries.tsx'
import { CreateEndpoint } from './endpoint-form.tsx'
import { Health } from './endpoint-health.tsx'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [shown, show] = useState<Shown>()
  const endpoints = useQuery({
    queryKey: [venture, 'webhook-endpoints'],
    queryFn: () => api.webhookEndpoints.list({ limit: 100 }).toArray(),
  })
  const names = new Map(endpoints.data?.map(({ id, url, description }) => [id, description ?? url]))
  const nameOf = (id: string) => names.get(id) ?? 'Deleted'
  return (
    <Frame title="Webhooks" actions={<CreateEndpoint onSecret={show} />}>
      <ShownOnce shown={shown} onClose={() => show(undefined)} />
      <Answered query={endpoints}>
        {endpoints.data?.length === 0 ? (
          <Block>
            <Empty
              title="No endpoints yet."
              curl={`curl ${location.origin}/api/v1/webhook-endpoints \\\n  -H "Authorization: Bearer $VOSTRO_KEY" -H "Content-Type: application/json" \\\n  -d '{"url":"https://example.com/hooks"}'`}
            >
              Add the address of your receiver, here or with a key. To try it on your own machine, run <code>vostro listen</code>.
            </Empty>
          </Block>
        ) : (
          <Endpoints endpoints={endpoints.data ?? []} venture={venture} />
        )}
      </Answered>
      <Deliveries
        of="all endpoints"
        filters={[
          { name: 'endpoint_id', label: 'Endpoint', choices: [...names.keys()], written: nameOf },
          { name: 'resource_id', label: 'Resource id' },
        ]}
        read={(query) => api.webhookDeliveries.list(query).page()}
        nameOf={nameOf}
      >
        Events are sent as they occur. You can send an endpoint a test event at any time.
      </Deliveries>
    </Frame>
  )
}

function Endpoints({ endpoints, venture }: { endpoints: readonly WebhookEndpoint[]; venture: string }) {
  return (
    <Rows
      label="Endpoints"
      rows={endpoints}
      idOf={({ id }) => id}
      to={({ id }) => `/v/${venture}/webhooks/${id}`}
      columns={[
        { label: 'Endpoint', cell: ({ url }) => url },
        { label: 'Health', cell: (endpoint) => <Health endpoint={endpoint} /> },
        { label: 'Events', wide: true, cell: ({ event_types }) => typesOf(event_types) },
        { label: 'Description', wide: true, cell: ({ description }) => description },
      ]}
    />
  )
}

const typesOf = (types: readonly string[] | null): string =>
  types === null ? 'All' : types.length <= 1 ? types.join() : `${types.length} types`
