// The health of an endpoint.
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WebhookEndpoint } from '@vostro/sdk'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { healthOf } from './health.ts'

/** How many deliveries the health is based on. */
const looked = 20

export function Health({ endpoint: { id, status } }: { endpoint: Pick<WebhookEndpoint, 'id' | 'status'> }) {
  const api = useVentureApi()
  const { data } = useQuery({
    queryKey: [useVenture(), 'deliveries', id, 'health'],
    queryFn: () => api.webhookEndpoints.listDeliveries(id, { limit: looked }).page(),
  })
  if (data === undefined) return null
  const { word, tone, note } = status === 'DISABLED' ? { word: 'Disabled', tone: 'bad' as const, note: '' } : healthOf(data.items)
  return (
    <Group gap={8} wrap="nowrap">
      <Status value={word} tone={tone} />
      {note !== '' && (
        <Text size="sm" c="dimmed" visibleFrom="md">
          {note}
        </Text>
      )}
    </Group>
  )
}
