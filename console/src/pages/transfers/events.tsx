// The events of a transfer, and how each of them reached the endpoints of the venture.
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Transfer, WebhookDelivery } from '@vostro/sdk'
import { useId, useState } from 'react'
import { Actor } from '../../ui/actor.tsx'
import { Copyable } from '../../ui/copyable.tsx'
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
  return (
    <Block title="Events" note={events.data && counted(events.data.items.length, 'event')}>
      <Answered query={events}>
        {events.data?.items.length === 0 ? (
          <Empty title="There are no events." />
        ) : (
          <ul className="happenings">
            {events.data?.items.map(({ id: event, type, timestamp, actor, actor_id }) => (
              <li key={event}>
                <Happening event={event} title={type} when={timestamp}>
                  <Actor kind={actor} id={actor_id} />
                </Happening>
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Block>
  )
}

type Options = { event: string; title: string; when: string; children: React.ReactNode }

function Happening({ event, title, when, children }: Options) {
  const [isOpen, setOpen] = useState(false)
  const shown = useId()
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text className="mono" fw={500}>
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            {secondOf(when)} · by {children}
          </Text>
        </Group>
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} aria-controls={shown} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Deliveries'}
          <span className="visually-hidden"> of {title}</span>
        </Button>
      </Group>
      <div id={shown}>{isOpen && <Deliveries event={event} />}</div>
    </>
  )
}

/** What each endpoint answered. Endpoints are few, so each of them is asked. */
function Deliveries({ event }: { event: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  const { data, error } = useQuery({
    queryKey: [venture, 'deliveries', event],
    queryFn: async () => {
      const { items } = await api.webhookEndpoints.list({ limit: 20 }).page()
      const found = await Promise.all(
        items.map(async ({ id, url }) => {
          const { items: deliveries } = await api.webhookEndpoints.listDeliveries(id, { event_id: event, limit: 10 }).page()
          return deliveries.map((delivery) => ({ url, delivery }))
        }),
      )
      return found.flat()
    },
  })
  if (error) return <ProblemNote error={error} />
  if (data === undefined) return <Loader size="xs" aria-label="Loading" />
  return (
    <Stack gap={6} mt={4} className="deliveries">
      <Text size="sm">
        Event <Copyable text={event} label="Copy the id of the event" />
      </Text>
      {data.length === 0 && (
        <Text size="sm" c="dimmed">
          No endpoint wanted it. <Link to={`/v/${venture}/webhooks`}>Webhooks</Link> says which endpoints there are.
        </Text>
      )}
      {data.map(({ url, delivery }) => (
        <Group key={delivery.id} gap="xs">
          <Status value={delivery.status} />
          <Text size="sm" className="mono">
            {url}
          </Text>
          <Text size="sm" c="dimmed">
            {answerOf(delivery)}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function answerOf({ attempts, next_attempt_at }: WebhookDelivery): string {
  const last = attempts.at(-1)
  const answer = last && (last.failure ?? `answered ${last.response_status} in ${last.duration_ms} ms`)
  const next = next_attempt_at && `next attempt ${secondOf(next_attempt_at)}`
  return [counted(attempts.length, 'attempt'), answer, next].filter(Boolean).join(' · ')
}
