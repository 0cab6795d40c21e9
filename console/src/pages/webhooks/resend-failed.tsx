// After a receiver was out of order for a while: everything that it did not get.
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
        redelivered === 0 ? 'Nothing has failed since then.' : `${counted(redelivered, 'delivery', 'deliveries')} on the way again.`
      }
      after={() => setSince('')}
    >
      <Stack gap="sm">
        <Text size="sm">Every failed delivery since this time is sent again, with ten new attempts each.</Text>
        <TextInput
          type="datetime-local"
          label="Failed since"
          description="In your own time zone."
          data-autofocus
          value={since}
          onChange={({ currentTarget: { value } }) => setSince(value)}
        />
      </Stack>
    </Action>
  )
}
