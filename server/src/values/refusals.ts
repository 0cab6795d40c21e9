// Every way the service says no. The domain throws a Refusal by its code; this catalogue alone knows the HTTP status and
// the title of each, and the page of error codes is made from it. Anything else that is thrown is a bug.

type Kind = { status: number; title: string }

export const catalogue = {
  malformed_request: { status: 400, title: 'This is not a request that the service understands.' },
  malformed_body: { status: 400, title: 'The body is not the JSON that this operation takes.' },
  invalid_request: { status: 400, title: 'The request does not fit its schema.' },
  invalid_signature: { status: 401, title: 'The event is not signed as it should be.' },
  unauthorized: { status: 401, title: 'A valid API key is needed.' },
  forbidden: { status: 403, title: 'This key does not open this operation.' },
  route_not_found: { status: 404, title: 'There is no such path.' },
  application_not_found: { status: 404, title: 'There is no such verification.' },
  beneficiary_not_found: { status: 404, title: 'There is no such beneficiary.' },
  client_not_found: { status: 404, title: 'There is no such client.' },
  onboarding_not_found: { status: 404, title: 'The client has no onboarding details yet.' },
  venture_not_found: { status: 404, title: 'There is no such venture.' },
  method_not_allowed: { status: 405, title: 'This path does not take this method.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  email_used: { status: 409, title: 'This email is used by another client.' },
  onboarding_exists: { status: 409, title: 'The client has onboarding details already.' },
  body_too_large: { status: 413, title: 'The body is larger than 64 KiB.' },
  unsupported_media_type: { status: 415, title: 'Bodies are sent as application/json, in UTF-8 and not compressed.' },
  beneficiary_needs_account: { status: 422, title: 'A beneficiary needs an IBAN or an account number.' },
  client_underage: { status: 422, title: 'A client must be at least 18 years old.' },
  identity_field_immutable: { status: 422, title: 'Identity cannot be changed after creation.' },
  invalid_bic: { status: 422, title: 'This is not a valid BIC.' },
  invalid_iban: { status: 422, title: 'This is not a valid IBAN.' },
  invalid_routing_number: { status: 422, title: 'This is not a valid ABA routing number.' },
  too_many_requests: { status: 429, title: 'This key has used up its requests for now.' },
  headers_too_large: { status: 431, title: 'The request headers are too large.' },
  internal_error: { status: 500, title: 'The service made a mistake.' },
  unavailable: { status: 503, title: 'The service cannot answer right now.' },
  outcome_unknown: { status: 503, title: 'It is not known yet whether the change was made.' },
} as const satisfies Record<string, Kind>

export type RefusalCode = keyof typeof catalogue

export type FieldError = { field: string; message: string }

/** `detail` and `errors` have their own places in the problem; every other detail becomes a member of it. */
export type RefusalDetails = { detail?: string; errors?: FieldError[]; [member: string]: unknown }

export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly details: RefusalDetails

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    // A refusal is an answer, not an accident: it is never logged with a stack, so none is captured (3 µs each).
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(details.detail ?? catalogue[code].title)
    Error.stackTraceLimit = limit
    this.code = code
    this.details = details
  }
}

export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details)
}

export function refuseField(field: string, message: string): never {
  refuse('invalid_request', { detail: `${field} ${message}.`, errors: [{ field, message }] })
}
