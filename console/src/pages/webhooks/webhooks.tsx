// Where the venture gets its events, how well that works, and everything that was sent.
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WebhookEndpoint } from '@vostro/sdk'
import { useState } from 'react'
import { deliveryColumns, pathOfDelivery } from '../../ui/deliveries.tsx'
import { FilterBar, List, Rows, useFilters } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
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
  return (
    <Frame title="Webhooks" actions={<CreateEndpoint onSecret={show} />}>
      <ShownOnce shown={shown} onClose={() => show(undefined)} />
      <Answered query={endpoints}>
        {endpoints.data?.length === 0 ? (
          <Block>
            <Empty
              title="There is no endpoint yet."
              curl={`curl ${location.origin}/api/v1/webhook-endpoints \\\n  -H "Authorization: Bearer $VOSTRO_KEY" -H "Content-Type: application/json" \\\n  -d '{"url":"https://example.com/hooks"}'`}
            >
              Add the address of your receiver, here or with a key. To try it on your own machine, run <code>vostro listen</code>.
            </Empty>
          </Block>
        ) : (
          <Endpoints endpoints={endpoints.data ?? []} venture={venture} />
        )}
      </Answered>
      <Deliveries endpoints={endpoints.data ?? []} />
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

function Deliveries({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  const names = new Map(endpoints.map(({ id, url, description }) => [id, description ?? url]))
  const nameOf = (id: string) => names.get(id) ?? 'Deleted'
  return (
    <Stack gap="xs" component="section" aria-label="Deliveries">
      <Text component="h2" fw={700} size="lg" mt="xs">
        Deliveries
      </Text>
      <FilterBar
        filters={[
          { name: 'status', label: 'Status', choices: ['PENDING', 'DELIVERED', 'FAILED'] },
          { name: 'endpoint_id', label: 'Endpoint', choices: [...names.keys()], written: nameOf },
          { name: 'resource_id', label: 'Id of a resource' },
        ]}
      />
      <List
        label="Deliveries"
        name={[venture, 'deliveries', filters]}
        read={(cursor) => api.webhookDeliveries.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={deliveryColumns(nameOf)}
        idOf={({ id }) => id}
        to={(delivery) => pathOfDelivery(venture, delivery)}
        live="*"
        empty={<Empty title="No deliveries.">Events are sent here as they happen. An endpoint can be sent a test event at any time.</Empty>}
      />
    </Stack>
  )
}
