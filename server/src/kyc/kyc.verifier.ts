// The port to identity verifiers. Each partner has an adapter; the sandbox calls its stand-in over HTTP like any other.
import type { IncomingHttpHeaders } from 'node:http'
import type { Client } from '../clients/clients.ts'
import type { OnboardingDetails } from '../onboarding/onboarding.ts'
import type { Envelope } from './kyc.schemas.ts'

export type Applicant = { client: Client; details: OnboardingDetails }
export type Application = { id: string; link: string }

export type Verifier = {
  /**
   * Opens an application for the client, or finds the one that is already open. May be called more than once. Absent if no applications can
   * be opened.
   */
  openApplication?(applicant: Applicant): Promise<Application>
  /** Checks the signature over the bytes as they arrived, then reads them. Refuses with `invalid_signature`. */
  readEvent(headers: IncomingHttpHeaders, bytes: Uint8Array): Envelope
}
