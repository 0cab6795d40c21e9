// Outside the sandbox, a bank may have no verifier that the service knows. What its own relay reports in our format is taken all the same.
import { readSignedEvent } from './kyc.envelope.ts'
import type { Verifier } from './kyc.verifier.ts'

export function noVerifier({ webhookSecrets }: { webhookSecrets: readonly string[] }): Verifier {
  return { readEvent: (headers, bytes) => readSignedEvent(webhookSecrets, headers, bytes) }
}
