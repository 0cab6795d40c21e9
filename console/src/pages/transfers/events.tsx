// The events of a transfer and their deliveries to webhook endpoints.
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Transfer, WebhookDelivery } from '@vostro/sdk'
import { Actor } from '../../ui/actor.tsx'
import { lastAnswer, pathOfDelivery } from '../../ui/deliveries.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { counted, secondOf } from '../../ui/words.ts'

export function Events({ transfer }: { transfer: Transfer }) {
  const api = useVentureApi()
  const venture = useVenture()
  const { id, updated_at } = transfer
  const events = useQuery({
    queryKey: [venture, 'events', id, updated_at],
    queryFn: () => api.events.list({ resource_id: id, limit: 100 }).page(),
  })
  const deliveries = useQuery({
    queryKey: [venture, 'deliveries', id, updated_at],
    queryFn: () => api.webhookDeliveries.list({ resource_id: id, limit: 100 }).page(),
  })
  const ofEvent = byEvent(deliveries.data?.items ?? [])
  return (
    <Block title="Events" note={events.data && counted(events.data.items.length, 'event')}>
      <Answered query={events}>
        <ProblemNote error={deliveries.error} title="The deliveries could not be read." />
        {events.data?.items.length === 0 ? (
          <Empty title="No events." />
        ) : (
          <ul className="happenings">
            {events.data?.items.map(({ id: event, type, timestamp, actor, actor_id }) => (
              <li key={event}>
                <Group gap="xs">
                  <Link to={`/v/${venture}/events/${event}`} className="row-link mono">
                    {type}
                  </Link>
                  <Text size="sm" c="dimmed">
                    {secondOf(timestamp)} · by <Actor kind={actor} id={actor_id} />
                  </Text>
                </Group>
                <Deliveries deliveries={ofEvent.get(event) ?? []} isKnown={deliveries.data !== undefined} />
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Block>
  )
}

/** The response of each endpoint. */
function Deliveries({ deliveries, isKnown }: { deliveries: readonly WebhookDelivery[]; isKnown: boolean }) {
  const api = useVentureApi()
  const venture = useVenture()
  const endpoints = useQuery({
    queryKey: [venture, 'endpoints of webhooks'],
    enabled: deliveries.length > 0,
    queryFn: () => api.webhookEndpoints.list({ limit: 100 }).page(),
    staleTime: 60_000,
  })
  if (deliveries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {isKnown ? 'No endpoint subscribed.' : ''}
      </Text>
    )
  return deliveries.map((delivery) => (
    <Group key={delivery.id} gap="xs" mt={4}>
      <Status value={delivery.status} />
      <Link to={pathOfDelivery(venture, delivery)}>
        <Text size="sm" className="mono" span>
          {endpoints.data?.items.find(({ id }) => id === delivery.endpoint_id)?.url ?? 'A deleted endpoint'}
        </Text>
      </Link>
      <Text size="sm" c="dimmed">
        {counted(delivery.attempts.length, 'attempt')} · {lastAnswer(delivery)}
      </Text>
    </Group>
  ))
}

function byEvent(deliveries: readonly WebhookDelivery[]): Map<string, WebhookDelivery[]> {
  const found = new Map<string, WebhookDelivery[]>()
  for (const delivery of deliveries) found.set(delivery.event_id, [...(found.get(delivery.event_id) ?? []), delivery])
  return found
}
