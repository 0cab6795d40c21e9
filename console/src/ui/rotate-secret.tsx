// Replaces the signing secret of an endpoint.
import type { ButtonProps } from '@mantine/core'
import type { WebhookEndpoint } from '@vostro/sdk'
import { Action } from './action.tsx'
import { useVentureApi } from './session.ts'
import type { Shown } from './shown-once.tsx'

type Options = { endpoint: Pick<WebhookEndpoint, 'id' | 'url'>; onSecret(shown: Shown): void; button?: ButtonProps }

export function RotateSecret({ endpoint, onSecret, button }: Options) {
  const api = useVentureApi()
  return (
    <Action
      operation="rotateWebhookSecret"
      label="Rotate secret"
      run={() => api.webhookEndpoints.rotateSecret(endpoint.id)}
      done="The secret was replaced."
      after={({ secret }) => onSecret(secretShown(secret))}
      {...(button && { button })}
    >
      A new secret signs what is sent to <span className="mono">{endpoint.url}</span>. For 24 hours, deliveries carry the signatures of both
      secrets, so that your receiver can change over.
    </Action>
  )
}

export const secretShown = (secret: string): Shown => ({
  title: 'Signing secret',
  text: secret,
  note: 'Your receiver verifies deliveries with it: verifyWebhook(body, headers, secret).',
})
