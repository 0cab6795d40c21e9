// The adapter to the sandbox verifier: opens applications over HTTP and reads events in our own format.
import { parseJson } from '../platform/http/json.ts'
import { callPartner } from '../platform/outgoing/partner.ts'
import { readSignedEvent } from './kyc.envelope.ts'
import type { Application, Verifier } from './kyc.verifier.ts'

type Options = {
  /** The address of the stand-in. It is a function, because the address is known only once the stand-in listens. */
  url(): string
  apiKey: string
  webhookSecrets: readonly string[]
}

export function sandboxVerifier({ url, apiKey, webhookSecrets }: Options): Required<Verifier> {
  return {
    async openApplication({ client }) {
      const { ok, status, bytes } = await callPartner(`${url()}/sandbox/verifier/applications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ client_id: client.id, first_name: client.first_name, last_name: client.last_name }),
      })
      if (!ok) throw new Error(`the sandbox verifier answered with status ${status}`)
      return parseJson(bytes) as Application
    },
    readEvent: (headers, bytes) => readSignedEvent(webhookSecrets, headers, bytes),
  }
}
