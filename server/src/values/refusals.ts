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
  account_not_found: { status: 404, title: 'There is no such account.' },
  application_not_found: { status: 404, title: 'There is no such verification.' },
  beneficiary_not_found: { status: 404, title: 'There is no such beneficiary.' },
  client_not_found: { status: 404, title: 'There is no such client.' },
  delivery_not_found: { status: 404, title: 'There is no such delivery.' },
  endpoint_not_found: { status: 404, title: 'There is no such webhook endpoint.' },
  event_not_found: { status: 404, title: 'There is no such event.' },
  payment_not_found: { status: 404, title: 'There is no such payment.' },
  payment_link_not_found: { status: 404, title: 'There is no such payment link.' },
  onboarding_not_found: { status: 404, title: 'The client has no onboarding details yet.' },
  transfer_not_found: { status: 404, title: 'There is no such transfer.' },
  venture_not_found: { status: 404, title: 'There is no such venture.' },
  method_not_allowed: { status: 405, title: 'This path does not take this method.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  account_closed: { status: 409, title: 'The account is closed.' },
  account_not_active: { status: 409, title: 'The account is not active.' },
  account_not_empty: { status: 409, title: 'An account is closed only when nothing is in it.' },
  account_transition_not_allowed: { status: 409, title: 'The account cannot go there from its status.' },
  already_reserved: { status: 409, title: 'The money is reserved already.' },
  already_sent: { status: 409, title: "The transfer is in the scheme's hands." },
  client_blocked: { status: 409, title: 'The client is blocked or blacklisted.' },
  compliance_pending: { status: 409, title: 'The client has not passed compliance.' },
  email_used: { status: 409, title: 'This email is used by another client.' },
  endpoint_limit: { status: 409, title: 'A venture has so many webhook endpoints and no more.' },
  endpoint_disabled: { status: 409, title: 'The webhook endpoint is disabled.' },
  in_suspense: { status: 409, title: 'Received money must be credited, returned or frozen.' },
  not_received: { status: 409, title: 'The transfer has not been received yet.' },
  not_sent: { status: 409, title: 'The transfer has not been sent to clearing.' },
  onboarding_exists: { status: 409, title: 'The client has onboarding details already.' },
  payment_transition_not_allowed: { status: 409, title: 'This cannot be done with the payment now.' },
  refund_exists: { status: 409, title: 'Another refund has this external_refund_id.' },
  refund_refused: { status: 409, title: 'The gateway has refused the refund.' },
  receiver_not_active: { status: 409, title: 'The receiving account is not active.' },
  reservation_required: { status: 409, title: 'The money must be reserved first.' },
  screening_required: { status: 409, title: 'The transfer must be screened first.' },
  transfer_terminal: { status: 409, title: 'The transfer has ended and its status cannot change.' },
  transfer_transition_not_allowed: { status: 409, title: 'The transfer cannot move to this status from the one it has.' },
  unique_reference_used: { status: 409, title: 'This unique_reference is used already.' },
  body_too_large: { status: 413, title: 'The body is larger than 64 KiB.' },
  unsupported_media_type: { status: 415, title: 'Bodies are sent as application/json, in UTF-8 and not compressed.' },
  amount_mismatch: { status: 422, title: 'The amounts do not agree.' },
  balance_too_large: { status: 422, title: 'The balance would be larger than can be kept.' },
  beneficiary_invalid: { status: 422, title: 'This beneficiary cannot be used for the transfer.' },
  beneficiary_mismatch: { status: 422, title: "cr_iban is not the beneficiary's IBAN." },
  beneficiary_required: { status: 422, title: 'An outbound transfer needs a beneficiary.' },
  currency_mismatch: { status: 422, title: 'The currency does not fit the account.' },
  insufficient_funds: { status: 422, title: 'The account has not enough available.' },
  limit_exceeded: { status: 422, title: 'A limit of the account would be passed.' },
  parent_invalid: { status: 422, title: 'The parent transfer does not fit.' },
  refund_exceeds_payment: { status: 422, title: 'The refund is larger than what is left of the payment.' },
  transfer_method_invalid: { status: 422, title: 'The method cannot be used like this.' },
  beneficiary_needs_account: { status: 422, title: 'A beneficiary needs an IBAN or an account number.' },
  client_underage: { status: 422, title: 'A client must be at least 18 years old.' },
  endpoint_url_refused: { status: 422, title: 'This url cannot be called.' },
  identity_field_immutable: { status: 422, title: 'Identity cannot be changed after creation.' },
  invalid_bic: { status: 422, title: 'This is not a valid BIC.' },
  invalid_iban: { status: 422, title: 'This is not a valid IBAN.' },
  invalid_routing_number: { status: 422, title: 'This is not a valid ABA routing number.' },
  too_many_requests: { status: 429, title: 'This key has used up its requests for now.' },
  headers_too_large: { status: 431, title: 'The request headers are too large.' },
  internal_error: { status: 500, title: 'The service made a mistake.' },
  gateway_missing: { status: 503, title: 'Card payments are not configured here.' },
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
