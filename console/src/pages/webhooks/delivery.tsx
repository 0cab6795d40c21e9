// A delivery: its attempts and the receiver's responses.
import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { DeliveryAttempt, WebhookDelivery } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { placeOfEvent } from '../../ui/places.ts'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Snippet } from '../../ui/snippet.tsx'
import { Status } from '../../ui/status.tsx'
import { secondOf } from '../../ui/words.ts'

/** Pending deliveries are polled. */
const again_ms = 3_000

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { endpoint, delivery: id } = useParams({ strict: false }) as { endpoint: string; delivery: string }
  const query = useQuery({
    queryKey: [venture, 'deliveries', endpoint, id],
    queryFn: () => api.webhookEndpoints.getDelivery(endpoint, id),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? again_ms : false),
  })
  const delivery = query.data
  return (
    <Frame
      title={delivery?.event_type ?? 'Delivery'}
      aside={delivery && <Status value={delivery.status} />}
      back={{ to: `/v/${venture}/webhooks/${endpoint}`, label: 'Endpoint' }}
      actions={
        delivery && (
          <Action
            operation="redeliverWebhook"
            label="Resend"
            run={() => api.webhookEndpoints.redeliver(endpoint, id)}
            done="The event is being sent again."
          >
            Sends the same event to this endpoint again, after pending earlier events of the same resource.
          </Action>
        )
      }
    >
      <Answered query={query}>{delivery && <Known delivery={delivery} venture={venture} />}</Answered>
    </Frame>
  )
}

function Known({ delivery, venture }: { delivery: WebhookDelivery; venture: string }) {
  const { id, event_id, event_type, resource_id, status, attempts, next_attempt_at, created_at, delivered_at } = delivery
  const place = placeOfEvent(venture, event_type, resource_id)
  return (
    <>
      <Block title="Delivery">
        <Facts
          facts={[
            ['Event', <To key="event" to={`/v/${venture}/events/${event_id}`} text={event_id} />],
            ['About', place === undefined ? <Copyable key="about" text={resource_id} /> : <To key="about" to={place} text={resource_id} />],
            ['Created', secondOf(created_at)],
            ['Delivered', delivered_at === null ? null : secondOf(delivered_at)],
            ['Next attempt', status === 'PENDING' ? nextOf(next_attempt_at) : null],
            ['Id', <Copyable key="id" text={id} />],
          ]}
        />
      </Block>
      <Block title="Attempts" note={attempts.length > 1 ? 'Latest first' : undefined}>
        {attempts.length === 0 ? (
          <Empty title="No attempts yet." />
        ) : (
          <Stack gap="md" component="ol" className="attempts">
            {attempts.map((attempt, index) => <Attempt key={attempt.at} number={index + 1} attempt={attempt} />).reverse()}
          </Stack>
        )}
      </Block>
    </>
  )
}

const nextOf = (time: string | null): string => (time === null ? 'After an earlier event of the same resource' : secondOf(time))

const To = ({ to, text }: { to: string; text: string }) => (
  <Anchor size="sm" className="mono" renderRoot={(props) => <Link {...props} to={to} />}>
    {text}
  </Anchor>
)

function Attempt({ number, attempt }: { number: number; attempt: DeliveryAttempt }) {
  const { at, response_status, duration_ms, response_body, failure } = attempt
  return (
    <li>
      <Text size="sm" component="div">
        <Status value={response_status === null ? 'No response' : String(response_status)} tone={failure === null ? 'good' : 'bad'} />{' '}
        Attempt {number} · {secondOf(at)} · {duration_ms} ms
      </Text>
      {failure !== null && (
        <Text size="sm" mt={4}>
          {failure}
        </Text>
      )}
      {response_body !== null && response_body !== '' && (
        <Stack gap={4} mt={6}>
          <Text size="xs" c="dimmed">
            Response
          </Text>
          <Snippet text={response_body} wraps />
        </Stack>
      )}
    </li>
  )
}
