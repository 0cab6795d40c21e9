// The adapter to the sandbox verifier: it asks for applications over HTTP and reads events in our own format.
import { readSignedEvent } from './kyc.envelope.ts'
import type { Application, Verifier } from './kyc.verifier.ts'

type Options = {
  /** Where the stand-in is; asked late, because it listens only after everything is assembled. */
  url(): string
  apiKey: string
  webhookSecrets: readonly string[]
}

const timeout_ms = 10_000

export function sandboxVerifier({ url, apiKey, webhookSecrets }: Options): Verifier {
  return {
    async openApplication({ client }) {
      const answer = await fetch(`${url()}/sandbox/verifier/applications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ client_id: client.id, first_name: client.first_name, last_name: client.last_name }),
        signal: AbortSignal.timeout(timeout_ms),
      })
      if (!answer.ok) throw new Error(`the sandbox verifier answered ${answer.status}`)
      return (await answer.json()) as Application
    },
    readEvent: (headers, bytes) => readSignedEvent(webhookSecrets, headers, bytes),
  }
}
