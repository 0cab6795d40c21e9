// The port to whoever verifies identities. Each partner has an adapter; the sandbox speaks to its stand-in over HTTP like the rest.
import type { IncomingHttpHeaders } from 'node:http'
import type { Client } from '../clients/clients.ts'
import type { OnboardingDetails } from '../onboarding/onboarding.ts'
import type { Envelope } from './kyc.schemas.ts'

export type Applicant = { client: Client; details: OnboardingDetails }
export type Application = { id: string; link: string }

export type Verifier = {
  /** Opens the application of a client, or finds the one that was opened before: it may be asked more than once. */
  openApplication(applicant: Applicant): Promise<Application>
  /** Checks the signature over the bytes as they arrived, then reads them. Refuses with `invalid_signature`. */
  readEvent(headers: IncomingHttpHeaders, bytes: Uint8Array): Envelope
}
