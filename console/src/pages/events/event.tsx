// An event: its data and its deliveries.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { VostroEvent } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { actorWords } from '../../ui/actor.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { deliveryColumns, pathOfDelivery } from '../../ui/deliveries.tsx'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { placeOfEvent } from '../../ui/places.ts'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Json } from '../../ui/snippet.tsx'
import { secondOf, words } from '../../ui/words.ts'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { event: id } = useParams({ strict: false }) as { event: string }
  const query = useQuery({ queryKey: [venture, 'events', id], queryFn: () => api.events.get(id), staleTime: Number.POSITIVE_INFINITY })
  const event = query.data
  return (
    <Frame
      title={event?.type ?? 'Event'}
      back={{ to: `/v/${venture}/events`, label: 'Events' }}
      actions={
        event && (
          <Action
            operation="resendEvent"
            label="Resend to listeners"
            run={() => api.events.resend(id)}
            done="Listeners receive the event again."
          >
            Clients that listen to events, such as <code>vostro listen</code>, receive the event again. To send it to a webhook endpoint
            again, open its delivery.
          </Action>
        )
      }
    >
      <Answered query={query}>{event && <About event={event} venture={venture} />}</Answered>
      <Deliveries id={id} />
      {event && (
        <Block title="Data" note="At the time of the event">
          <Json value={event.data} />
        </Block>
      )}
    </Frame>
  )
}

function About({ event, venture }: { event: VostroEvent; venture: string }) {
  const { id, type, timestamp, sequence, actor, actor_id, data } = event
  const place = placeOfEvent(venture, type, data.object.id)
  return (
    <Block title="Event">
      <Facts
        facts={[
          ['When', secondOf(timestamp)],
          [
            'About',
            place === undefined ? (
              <Copyable key="about" text={data.object.id} />
            ) : (
              <Anchor key="about" size="sm" className="mono" renderRoot={(props) => <Link {...props} to={place} />}>
                {data.object.id}
              </Anchor>
            ),
          ],
          ['By', actor === null ? null : actorWords(actor)],
          ['Key or user', actor_id === null ? null : <Copyable key="actor" text={actor_id} />],
          ['Status before', data.previous_status === null ? null : words(data.previous_status)],
          ['Sequence number of the resource', sequence],
          ['Id', <Copyable key="id" text={id} />],
        ]}
      />
      <Text size="sm" mt="sm">
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to={`/v/${venture}/events`} search={{ resource_id: data.object.id } as never} />}
        >
          All events of this resource
        </Anchor>
      </Text>
    </Block>
  )
}

function Deliveries({ id }: { id: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  const query = useQuery({
    queryKey: [venture, 'deliveries', 'event', id],
    queryFn: () => api.webhookDeliveries.list({ event_id: id, limit: 100 }).page(),
  })
  const endpoints = useQuery({
    queryKey: [venture, 'webhook-endpoints'],
    queryFn: () => api.webhookEndpoints.list({ limit: 100 }).toArray(),
  })
  const nameOf = (endpoint_id: string) => endpoints.data?.find((endpoint) => endpoint.id === endpoint_id)?.url ?? 'Deleted'
  return (
    <Block title="Deliveries">
      <Answered query={query}>
        {query.data?.items.length === 0 ? (
          <Empty title="No deliveries.">No endpoint was subscribed to this type when the event occurred.</Empty>
        ) : (
          <Rows
            label="Deliveries"
            rows={query.data?.items ?? []}
            idOf={(delivery) => delivery.id}
            to={(delivery) => pathOfDelivery(venture, delivery)}
            columns={deliveryColumns(nameOf)}
          />
        )}
      </Answered>
    </Block>
  )
}
