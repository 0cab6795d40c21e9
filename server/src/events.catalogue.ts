// The catalogue of event types, written to docs/events.md: when each event happens, its resource, and an example built from the schema.
import type { Static, TObject } from 'typebox'
import { Account } from './accounts/accounts.schemas.ts'
import { Beneficiary } from './beneficiaries/beneficiaries.schemas.ts'
import { Question } from './cases/cases.questions.schemas.ts'
import { Client } from './clients/clients.schemas.ts'
import { Event, type EventType, eventTypes } from './events/events.ts'
import { Mandate } from './mandates/mandates.schemas.ts'
import { OnboardingDetails } from './onboarding/onboarding.schemas.ts'
import { PaymentLink } from './payments/links/payments.links.schemas.ts'
import { Payment } from './payments/payments.schemas.ts'
import { Payout } from './payments/payouts/payments.payouts.schemas.ts'
import { exampleIds } from './platform/http/examples.ts'
import { Transfer } from './transfers/life/transfers.schemas.ts'
import { Venture } from './ventures/ventures.schemas.ts'
import { WebhookEndpoint } from './webhooks/webhooks.schemas.ts'

type Entry = {
  when: string
  /** The schema of `data.object`. */
  resource: TObject
  /** Fields of the example that differ from the default values. */
  state: object
  /** The previous status in the example; null for events without a status change. */
  previous_status: string | null
}

function entry<Schema extends TObject>(resource: Schema, when: string, state: Partial<Static<Schema>> = {}): Entry {
  return { when, resource, state, previous_status: null }
}

/** An event about a status change. */
function statusEntry<Schema extends TObject>(from: string, resource: Schema, when: string, state: Partial<Static<Schema>>): Entry {
  return { when, resource, state, previous_status: from }
}

const ids = {
  ...exampleIds,
  onboarding_id: '01a1de8a-c9c0-7000-8000-000000000004',
  order: 'b7c0a5f2-3c1d-4e6f-9a8b-0d1e2f3a4b5c',
}
const moment = '2026-11-15T09:30:00.000Z'

/** The two sides of a transfer: the client and the other party. */
const own = {
  name: 'Ada Lovelace',
  iban: 'LT121000011101001000',
  bank_bic: 'VOSTLT21XXX',
  bank_name: 'Vostro Sandbox Bank',
  address: '1 rue de la Paix',
  city: 'Paris',
  country_code: 'FRA',
  postal_code: '75002',
}
const other = {
  name: 'Charles Babbage',
  iban: 'DE89370400440532013000',
  bank_bic: 'COBADEFFXXX',
  bank_name: 'Commerzbank',
  address: null,
  city: null,
  country_code: 'DEU',
  postal_code: null,
}

function side(name: 'cr' | 'dr', party: typeof own | typeof other): object {
  return Object.fromEntries(Object.entries(party).map(([field, value]) => [`${name}_${field}`, value]))
}

const empty = { available_balance: '0.00', current_balance: '0.00', reserved_balance: '0.00', last_activity_date: null }

/** The fields of a payment after the gateway has accepted the order, after a card was tried, and after it was paid. */
const registered = {
  gateway_order_id: ids.order,
  gateway_order_status: 0,
  form_url: `https://gateway.example/payment/form?mdOrder=${ids.order}`,
}
const cardTried = { ...registered, card_brand: 'VISA', masked_pan: '411111******1111' }
const paid = {
  ...cardTried,
  gateway_order_status: 2,
  action_code: '0',
  action_code_description: 'Approved',
  approval_code: '123456',
  resp_code: '00',
  resp_code_desc: 'Approved',
  paid_at: moment,
}

/** Complete: a missing type does not compile. */
export const catalogue: Record<EventType, Entry> = {
  'client.created': entry(Client, 'A client was registered.'),
  'client.updated': entry(Client, 'A field of a client other than `kyc_status` changed.', { city: 'Lyon', postcode: '69001' }),
  'client.kyc_updated': statusEntry('PROCESSING', Client, 'The `kyc_status` of a client changed.', { kyc_status: 'VALIDATED' }),
  'onboarding.submitted': entry(
    OnboardingDetails,
    'Onboarding details were submitted. The `id` is that of the response to the submission.',
  ),
  'onboarding.updated': entry(OnboardingDetails, 'The verifier opened the application, so `kyc_link` is set.', {
    kyc_application_id: ids.application_id,
    kyc_link: 'https://verifier.example/applications/5',
  }),
  'beneficiary.created': entry(Beneficiary, 'A beneficiary was created.'),
  'beneficiary.updated': entry(Beneficiary, 'The `display` of a beneficiary changed.', { display: false }),
  'account.created': entry(Account, 'An account was created.', {
    ...empty,
  }),
  'account.updated': entry(Account, 'The name, description or a limit of an account changed. Balance changes only emit transfer events.', {
    status: 'ACTIVE',
    daily_limit: '500.00',
  }),
  'account.activated': statusEntry('PENDING', Account, 'An account was activated, for the first time or after a freeze.', {
    status: 'ACTIVE',
    ...empty,
  }),
  'account.frozen': statusEntry('ACTIVE', Account, 'An account was frozen.', { status: 'SUSPENDED' }),
  'account.overdrawn': entry(
    Account,
    'A debit that the bank could not refuse, such as a returned direct debit, took the account below zero, or further below it.',
    { current_balance: '-12.50', reserved_balance: '0.00', available_balance: '-12.50' },
  ),
  'account.closed': statusEntry('ACTIVE', Account, 'An account was closed permanently.', {
    status: 'CLOSED',
    closed_date: moment,
    ...empty,
  }),
  'mandate.created': entry(Mandate, 'A mandate was registered.'),
  'mandate.cancelled': statusEntry('ACTIVE', Mandate, 'A mandate was cancelled. A mandate that expires emits no event.', {
    state: 'CANCELLED',
  }),
  'transfer.created': entry(Transfer, 'A transfer was created, by the venture or by the service itself.'),
  'transfer.updated': entry(Transfer, 'Fields of a transfer other than its status changed.', { bank_partner_id: 'PARTNER-1' }),
  'transfer.status_changed': statusEntry('CREATED', Transfer, 'A transfer moved to a status that is not terminal.', { status: 'RESERVED' }),
  'transfer.completed': statusEntry(
    'SENT_TO_CLEAR',
    Transfer,
    'A transfer moved to `COMPLETED`. `previous_status` is null for a transfer that the service created itself.',
    { status: 'COMPLETED' },
  ),
  'transfer.failed': statusEntry(
    'SENT_TO_CLEAR',
    Transfer,
    'A transfer moved to a terminal status other than `COMPLETED` and was not returned.',
    {
      status: 'REJECTED',
      third_party_status: 'RJCT',
      third_party_status_code: 'AC04',
      third_party_status_reason: 'Closed account number',
    },
  ),
  'transfer.returned': statusEntry(
    'TO_RETURN',
    Transfer,
    'Received money was sent back: the transfer moved from `TO_RETURN` to `REJECTED`. Or returns, reversals and cancellations together have reached the amount of the transfer; its status then stays as it is, and `previous_status` is null.',
    {
      status: 'REJECTED',
      direction: 'INBOUND',
      beneficiary_id: null,
      ...side('cr', own),
      ...side('dr', other),
    },
  ),
  'payment.created': entry(Payment, 'A card payment was created, by the venture or by a payer who used a payment link.'),
  'payment.paid': statusEntry(
    'PENDING',
    Payment,
    'A card payment was paid. It may have been refused before, if the payer then used another card.',
    { status: 'PAID', ...paid },
  ),
  'payment.failed': statusEntry(
    'PENDING',
    Payment,
    'A card payment failed: the gateway did not accept the order, or it took another amount or currency (`amount_mismatch`).',
    { status: 'FAILED', gateway_error_code: '5' },
  ),
  'payment.refused': statusEntry('PENDING', Payment, 'A card was refused. The payer can try another card until the session expires.', {
    status: 'REFUSED',
    ...cardTried,
    gateway_order_status: 6,
    action_code: '116',
    action_code_description: 'Not sufficient funds',
    resp_code: '51',
    resp_code_desc: 'Insufficient funds',
  }),
  'payment.canceled': statusEntry('PENDING', Payment, 'A card payment was canceled by the venture or the payer, or reversed in full.', {
    status: 'CANCELED',
    ...registered,
    gateway_order_status: 3,
  }),
  'payment.expired': statusEntry('PENDING', Payment, 'A card payment was not paid in time.', {
    status: 'EXPIRED',
    ...registered,
    gateway_order_status: 6,
    action_code: '-2007',
    action_code_description: 'The session has expired',
  }),
  'payment.refunded': statusEntry(
    'PAID',
    Payment,
    'A card payment was refunded in full or in part. After a partial refund it is still `PAID` and `previous_status` is null.',
    { status: 'REFUNDED', ...paid, refunded_amount: '30.00' },
  ),
  'payment_link.created': entry(PaymentLink, 'A payment link was created.'),
  'payment_link.updated': entry(PaymentLink, 'A payment link was changed. Using a link only emits payment events.', {
    active: false,
  }),
  'payout.created': entry(Payout, 'Card money was paid out to the payout account.'),
  'case.question': entry(Question, 'The bank has asked the venture something. The answer goes to `POST /questions/{question_id}/answer`.'),
  'venture.updated': entry(Venture, 'The operator changed the name, the status or the control of the venture.', { name: 'Acme Europe' }),
  'venture.key_rotated': entry(Venture, 'The API key of the venture was replaced. The event does not contain it.'),
  'webhook_endpoint.disabled': statusEntry(
    'ACTIVE',
    WebhookEndpoint,
    'A webhook endpoint was disabled: by the venture, by `410 Gone`, or by five days of failures.',
    { status: 'DISABLED', disabled_reason: 'The receiver answered 410 Gone.' },
  ),
  'webhook_endpoint.test': entry(WebhookEndpoint, 'A test event was requested. It is sent to this endpoint only.'),
}

/** Example values by field name, or by resource and field name if a field has different values. */
const exampleValues: Record<string, unknown> = {
  'Client.id': ids.client_id,
  'OnboardingDetails.id': ids.onboarding_id,
  'Beneficiary.id': ids.beneficiary_id,
  'Account.id': ids.account_id,
  'Transfer.id': ids.transfer_id,
  'Venture.id': ids.venture_id,
  'WebhookEndpoint.id': ids.endpoint_id,
  'Payment.id': ids.payment_id,
  'PaymentLink.id': ids.link_id,
  'Payout.id': ids.payout_id,
  'Question.id': ids.question_id,
  'Question.text': 'What was the payment of 3 November for? Please send the invoice.',
  'Question.due_on': '2026-11-20',
  'Question.state': 'OPEN',
  file_ids: [],
  'Mandate.id': ids.mandate_id,
  'Mandate.reference': 'MANDATE-1',
  creditor_id: 'DE98ZZZ09999999999',
  debtor_name: other.name,
  debtor_iban: other.iban,
  signed_on: '2026-11-02',
  expires_on: '2029-11-02',
  transfer_id: ids.transfer_id,
  fee_amount: '0.42',
  net_amount: '29.58',
  venture_id: ids.venture_id,
  client_id: ids.client_id,
  account_id: ids.account_id,
  beneficiary_id: ids.beneficiary_id,
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-12-10',
  gender: 'female',
  nationality: 'FRA',
  birth_country: 'GBR',
  country_of_tax_residence: 'FRA',
  country_code: own.country_code,
  'Beneficiary.country_code': other.country_code,
  address: own.address,
  'Beneficiary.address': other.address,
  city: own.city,
  'Beneficiary.city': other.city,
  postcode: own.postal_code,
  email: 'ada@example.com',
  mobile_phone_number: '+33612345678',
  organization_id: 1,
  kyc_status: 'CREATED',
  account_purposes: ['SALARY'],
  occupation: 'ENGINEER',
  occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
  source_of_funds: 'SAVINGS_FROM_SALARY',
  'Beneficiary.name': other.name,
  display: true,
  iban: other.iban,
  bic: other.bank_bic,
  bank_name: other.bank_name,
  account_name: 'Main',
  'Account.account_number': own.iban,
  currency: 'EUR',
  available_balance: '70.00',
  current_balance: '100.00',
  reserved_balance: '30.00',
  last_activity_date: moment,
  unique_reference: 'INV-1',
  direction: 'OUTBOUND',
  transfer_type: 'PAYMENT',
  purpose: 'Invoice 1',
  settlement_date: '2026-11-16',
  credit_amount: '30.00',
  debit_amount: '30.00',
  credit_currency: 'EUR',
  debit_currency: 'EUR',
  ...side('cr', other),
  ...side('dr', own),
  'Venture.name': 'Acme',
  api_key_prefix: 'vk_test_4Fz1',
  url: 'https://example.com/hooks',
  business_id: ids.venture_id,
  amount: '30.00',
  refunded_amount: '0.00',
  language: 'EN',
  success_url: 'https://shop.example/paid',
  fail_url: 'https://shop.example/not-paid',
  gateway_order_number: 'K3V9Q2ZT7M',
  order_ref: 'ORDER-1',
  'Payment.description': 'Two books',
  'PaymentLink.description': 'Two books',
  token: 'yq3V0n2tS1e8kQm5rZbXWA',
  'PaymentLink.url': 'https://bank.example/pay/yq3V0n2tS1e8kQm5rZbXWA',
  active: true,
  max_uses: 1,
  uses: 0,
}

type Field = { type: string | readonly string[]; format?: string; enum?: readonly unknown[] }

/** An example event of a type. Optional fields, which most resources do not have, are left out. */
export function exampleOf(type: EventType): Event {
  const { resource, state, previous_status } = catalogue[type]
  const { properties, required = [] } = resource as unknown as { properties: Record<string, Field>; required?: readonly string[] }
  const fields = Object.entries(properties).filter(([name]) => required.includes(name))
  const defaults = Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(titleOf(resource), name, field)]))
  const object = { ...defaults, ...state } as Event['data']['object']
  const sequence = /\.(created|submitted)$/.test(type) ? 1 : 2
  return {
    id: ids.event_id,
    type,
    timestamp: moment,
    venture_id: ids.venture_id,
    sequence,
    actor: 'venture',
    actor_id: ids.key_id,
    data: { object, previous_status },
  }
}

function fieldOf(title: string, name: string, { type, format, enum: choices }: Field): unknown {
  for (const key of [`${title}.${name}`, name]) if (key in exampleValues) return exampleValues[key]
  if (type.includes('null')) return null
  if (choices !== undefined) return choices[0]
  if (format === 'date-time') return moment
  if (type === 'boolean') return false
  throw new Error(`The catalogue of events has no example for ${name} of ${title}.`)
}

function titleOf(resource: TObject): string {
  return (resource as unknown as { title: string }).title
}

const headers = {
  'webhook-id': 'The id of the event. It is the same in every attempt: an event that you have seen before can be ignored.',
  'webhook-timestamp': 'When this attempt was sent, in seconds since 1970. Refuse attempts that are older than five minutes.',
  'webhook-signature':
    'Signatures of `webhook-id`, `webhook-timestamp` and the body with the secret of the endpoint, as Standard Webhooks defines them.',
}

/** The events as OpenAPI describes webhooks. Each has its own schema, in which `data.object` is the resource. */
export function eventWebhooks(): { [name: string]: unknown } {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: webhookOf(type) }]))
}

/** An example of each resource that events are about, by the title of its schema, as in the first of its events. */
export function exampleResources(): { [title: string]: object } {
  return Object.fromEntries([...eventTypes].reverse().map((type) => [titleOf(catalogue[type].resource), exampleOf(type).data.object]))
}

function webhookOf(type: EventType): object {
  const { when, resource } = catalogue[type]
  return {
    operationId: `on${nameOf(type)}`,
    tags: ['Events'],
    summary: type,
    description: `${when} \`data.object\` is the ${titleOf(resource)} after the change.`,
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(type), example: exampleOf(type) } } },
    responses: {
      '2XX': { description: 'The event was received. Answer within 15 seconds, and do the work afterwards.' },
      '410': { description: 'The receiver is gone for good, so the endpoint is disabled.' },
      default: { description: 'The event was not received. It is sent again at increasing intervals for about three days.' },
    },
  }
}

function schemaOf(type: EventType): object {
  const { data, ...fields } = Event.properties
  const object = { ...catalogue[type].resource }
  return {
    type: 'object',
    title: `${nameOf(type)}Event`,
    description: catalogue[type].when,
    required: Object.keys(Event.properties),
    properties: {
      ...fields,
      type: { type: 'string', const: type, description: 'The type of the event.' },
      data: { ...data, properties: { ...data.properties, object } },
    },
  }
}

/** `client.kyc_updated` becomes `ClientKycUpdated`. */
function nameOf(type: EventType): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

export function eventCatalogue(): string {
  return `# Events

Changes of resources are recorded as events, in the same transaction as the change. [webhooks.md](webhooks.md) explains how to
receive events. The [contract](../openapi.json) has a schema for each type under \`webhooks\`. All events have the same form:

- \`id\`: the same in every delivery, and the \`webhook-id\`.
- \`type\`: one of the types below. More may be added: ignore types that you do not know.
- \`sequence\`: increases by one with each event of the same resource.
- \`data.object\`: the resource after the change, as shown by the API. More fields may be added.
- \`data.previous_status\`: the status before the change, in events about a status change; otherwise null.

| Type | When | \`data.object\` |
|---|---|---|
${eventTypes.map((type) => `| [${type}](#${type.replace('.', '')}) | ${catalogue[type].when} | ${titleOf(catalogue[type].resource)} |`).join('\n')}
${eventTypes.map(section).join('')}`
}

function section(type: EventType): string {
  return `
## ${type}

${catalogue[type].when}

\`\`\`json
${JSON.stringify(exampleOf(type), null, 2)}
\`\`\`
`
}
