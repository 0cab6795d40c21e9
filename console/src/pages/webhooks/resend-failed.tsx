// After an outage of a receiver: sends every failed delivery again.
import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { useVentureApi } from '../../ui/session.ts'
import { counted } from '../../ui/words.ts'

export function ResendFailed({ endpoint_id }: { endpoint_id: string }) {
  const api = useVentureApi()
  const [since, setSince] = useState('')
  return (
    <Action
      operation="redeliverFailedWebhooks"
      label="Resend failed"
      isReady={since !== ''}
      run={() => api.webhookEndpoints.redeliverFailed(endpoint_id, { since: new Date(since).toISOString() })}
      done={({ redelivered }) =>
        redelivered === 0 ? 'No failed deliveries since then.' : `${counted(redelivered, 'delivery', 'deliveries')} being sent again.`
      }
      after={() => setSince('')}
    >
      <Stack gap="sm">
        <Text size="sm">Sends every delivery that failed since this time again, with up to ten attempts each.</Text>
        <TextInput
          type="datetime-local"
          label="Failed since"
          description="In your time zone."
          data-autofocus
          value={since}
          onChange={({ currentTarget: { value } }) => setSince(value)}
        />
      </Stack>
    </Action>
  )
}
