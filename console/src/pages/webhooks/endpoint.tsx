// An endpoint: its settings, its secret, and its deliveries.
import { Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { WebhookEndpoint } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { RotateSecret } from '../../ui/rotate-secret.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, minuteOf } from '../../ui/words.ts'
import { Deliveries } from './deliveries.tsx'
import { EditEndpoint } from './endpoint-form.tsx'
import { Health } from './endpoint-health.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { TestOutcome } from './test-outcome.tsx'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { endpoint: id } = useParams({ strict: false }) as { endpoint: string }
  const query = useQuery({ queryKey: [venture, 'webhook-endpoints', id], queryFn: () => api.webhookEndpoints.get(id) })
  const endpoint = query.data
  const [shown, show] = useState<Shown>()
  const [tested, setTested] = useState<string>()
  return (
    <Frame
      title={endpoint === undefined ? 'Endpoint' : hostOf(endpoint.url)}
      aside={endpoint && <Status value={endpoint.status} />}
      back={{ to: `/v/${venture}/webhooks`, label: 'Webhooks' }}
      actions={endpoint && <Actions endpoint={endpoint} onSecret={show} onTest={setTested} />}
    >
      <ShownOnce shown={shown} onClose={() => show(undefined)} />
      <Answered query={query}>
        {tested !== undefined && <TestOutcome endpoint_id={id} event_id={tested} />}
        {endpoint && (
          <Block title="Settings">
            <Facts
              facts={[
                ['URL', <Copyable key="url" text={endpoint.url} />],
                ['Description', endpoint.description],
                ['Health', <Health key="health" endpoint={endpoint} />],
                ['Disabled because', endpoint.disabled_reason],
                ['Id', <Copyable key="id" text={endpoint.id} />],
                ['Created', minuteOf(endpoint.created_at)],
                ['Last changed', minuteOf(endpoint.updated_at)],
                ['Events', endpoint.event_types === null ? 'All' : counted(endpoint.event_types.length, 'type')],
              ]}
            />
            {endpoint.event_types !== null && (
              <Text size="sm" mt="sm" component="div">
                {endpoint.event_types.map((type) => (
                  <Code key={type} mr={6}>
                    {type}
                  </Code>
                ))}
              </Text>
            )}
          </Block>
        )}
        <Deliveries
          of={id}
          filters={[{ name: 'event_id', label: 'Event id' }]}
          read={(query) => api.webhookEndpoints.listDeliveries(id, query).page()}
        >
          Send a test event to check your receiver.
        </Deliveries>
      </Answered>
    </Frame>
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

type ActionsOptions = { endpoint: WebhookEndpoint; onSecret(shown: Shown): void; onTest(event_id: string): void }

function Actions({ endpoint, onSecret, onTest }: ActionsOptions) {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const { id, url, status } = endpoint
  const isActive = status === 'ACTIVE'
  return (
    <>
      {isActive && (
        <Action
          operation="testWebhookEndpoint"
          label="Send a test event"
          run={() => api.webhookEndpoints.test(id)}
          done="The test event is being sent."
          after={(event) => onTest(event.id)}
        >
          An event <Code>webhook_endpoint.test</Code> is sent to <span className="mono">{url}</span>, whatever types it wants.
        </Action>
      )}
      {isActive && <ResendFailed endpoint_id={id} />}
      <EditEndpoint key={endpoint.updated_at} endpoint={endpoint} />
      <RotateSecret endpoint={endpoint} onSecret={onSecret} />
      {isActive ? (
        <Action
          operation="updateWebhookEndpoint"
          label="Disable"
          danger
          run={() => api.webhookEndpoints.update(id, { status: 'DISABLED' })}
          done="The endpoint was disabled."
        >
          Nothing is sent while it is disabled, and nothing is lost: once it is enabled again, it gets everything in order.
        </Action>
      ) : (
        <Action
          operation="updateWebhookEndpoint"
          label="Enable"
          run={() => api.webhookEndpoints.update(id, { status: 'ACTIVE' })}
          done="The endpoint was enabled."
        >
          Events that occurred while it was disabled are now sent, in order.
        </Action>
      )}
      <Action
        operation="deleteWebhookEndpoint"
        label="Delete"
        danger
        run={() => api.webhookEndpoints.delete(id)}
        done="The endpoint was deleted."
        after={() => void navigate({ to: `/v/${venture}/webhooks` })}
      >
        Deliveries to <span className="mono">{url}</span> stop at once. This cannot be undone.
      </Action>
    </>
  )
}
