// The table of routes: who may enter each, and what a request looks like that is right in everything. Ids in path, query and body are
// filled in from the fixtures by their names, so a row says only what else the request needs. A route without a row fails the build.
import { randomUUID } from 'node:crypto'
import { referenceScript } from '../../platform/docs/docs.reference.ts'
import type { Door } from '../../platform/http/http.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { someOnboarding, somePerson } from '../../testing/testing.people.ts'
import type { Answer, VentureCaller } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'

/** What a request is made of. `signed` is a body that the verifier has signed. `caller` is whose key is right, where it is not the fixtures'. */
export type Parts = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: Record<string, string>
  signed?: Record<string, unknown>
  caller?: VentureCaller
}

export type Maker = (fixtures: Fixtures) => Parts | Promise<Parts>

/**
 * theirs: another venture's id is treated like an unknown one. anybodys: any caller with access who has the id may use it.
 * cursor: a position in an order, for which no row need exist. label: the caller's own name for something, which others may use too.
 * claimed: unique across ventures; a taken one is refused without revealing who has it.
 */
export type Kind = 'theirs' | 'anybodys' | 'cursor' | 'label' | 'claimed'

export type Row = {
  door: Door
  /** Each makes a valid request; several if one request cannot contain all the ids that the route takes. */
  makers: readonly Maker[]
  /** Kinds of ids that differ from the default for their names. */
  kinds?: Readonly<Record<string, Kind>>
  /** The status of a valid request, if the schema does not contain it. */
  status?: number
  /** An additional check that a valid request was carried out. */
  works?: (answer: Answer) => boolean
  /** Fields in which otherwise equal responses may differ. */
  apart?: readonly string[]
}

type More = Omit<Row, 'door' | 'makers'>

function row(door: Door) {
  return (makers: Maker | readonly Maker[] = () => ({}), more: More = {}): Row => ({ door, makers: [makers].flat(), ...more })
}

const [open, venture, admin, relay, verifier] = [row('none'), row('venture'), row('admin'), row('relay'), row('verifier')]

const login = { userName: sandboxGatewayCredentials.user, password: sandboxGatewayCredentials.password }
const card = { expiry: '12/99', cvv: '777', action: 'pay' }
const shop = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }
const isApplied = ({ body }: Answer) => body?.verdict === 'APPLIED'

export const rows: Readonly<Record<string, Row>> = {
  'GET /healthz': open(),
  'GET /readyz': open(),
  'GET /metrics': admin(),
  'GET /': open(),
  'GET /openapi.json': open(),
  'GET /docs': open(),
  'GET /docs/': open(),
  'GET /docs/js/*': open(async () => ({ params: { '*': (await referenceScript()).name } })),
  'GET /docs/errors': open(),
  'GET /docs/guides': open(),
  'GET /docs/guides/*': open(() => ({ params: { '*': 'webhooks' } })),

  'POST /api/v1/ventures': admin(() => ({ body: { name: 'Another' } })),
  'GET /api/v1/ventures': admin(),
  'GET /api/v1/ventures/:venture_id': admin(),
  'PUT /api/v1/ventures/:venture_id': admin(async (fixtures) => ({ params: await fixtures.newVenture(), body: { name: 'Renamed' } })),
  'POST /api/v1/ventures/:venture_id/rotate-key': admin(async (fixtures) => ({ params: await fixtures.newVenture() })),
  'GET /api/v1/venture': venture(),
  'POST /api/v1/venture/rotate-key': venture(async ({ bank }) => ({ caller: await bank.registerVenture() })),

  'GET /api/v1/events': venture(),
  'GET /api/v1/events/:event_id': venture(),

  'POST /api/v1/webhook-endpoints': venture(() => ({ body: { url: 'https://example.com/hooks' } })),
  'GET /api/v1/webhook-endpoints': venture(),
  'GET /api/v1/webhook-endpoints/:endpoint_id': venture(),
  'PUT /api/v1/webhook-endpoints/:endpoint_id': venture(() => ({ body: { description: 'Changed' } })),
  'DELETE /api/v1/webhook-endpoints/:endpoint_id': venture(async (fixtures) => ({ params: await fixtures.newEndpoint() })),
  'POST /api/v1/webhook-endpoints/:endpoint_id/rotate-secret': venture(),
  'POST /api/v1/webhook-endpoints/:endpoint_id/test': venture(),
  'GET /api/v1/webhook-endpoints/:endpoint_id/deliveries': venture(),
  'GET /api/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id': venture(),
  'POST /api/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver': venture(),
  'POST /api/v1/webhook-endpoints/:endpoint_id/redeliver-failed': venture(() => ({ body: { since: '2026-01-01T00:00:00Z' } })),

  'POST /api/v1/payments': venture(() => ({ body: { amount: '5.00', currency: 'EUR', ...shop } })),
  'GET /api/v1/payments': venture(),
  'GET /api/v1/payments/:payment_id': venture(),
  'POST /api/v1/payments/:payment_id/cancel': venture(async (fixtures) => ({ params: await fixtures.newPayment() })),
  'POST /api/v1/payments/:payment_id/refund': venture(() => ({ body: { amount: '0.10' } })),
  'GET /api/v1/payments/:payment_id/return': open(),
  'POST /api/v1/payment-links': venture(() => ({ body: { amount: '5.00', currency: 'EUR' } })),
  'GET /api/v1/payment-links': venture(),
  'GET /api/v1/payment-links/:link_id': venture(),
  'PUT /api/v1/payment-links/:link_id': venture(() => ({ body: { description: 'Changed' } })),
  'GET /pay/:token': open(),
  'POST /pay/:token': open(() => ({ form: {} })),
  'GET /pay/:token/qr.svg': open(),
  // A payment belongs to its link: under another link it is not found, for any caller.
  'GET /pay/:token/:payment_id': open(undefined, { kinds: { payment_id: 'theirs' } }),
  'GET /pay/*': open(() => ({ params: { '*': 'no/such/page' } }), { status: 404 }),

  'POST /sandbox/gateway/payment/rest/register.do': open(() => ({
    form: { ...login, orderNumber: randomUUID().slice(-12), amount: '500', currency: '978', returnUrl: shop.success_url },
  })),
  'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do': open(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('registered') },
  })),
  'POST /sandbox/gateway/payment/rest/refund.do': open(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('paid'), amount: '10', externalRefundId: fixtures.label },
  })),
  'POST /sandbox/gateway/payment/rest/reverse.do': open(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('paid') },
  })),
  'POST /sandbox/gateway/payment/rest/decline.do': open(async (fixtures) => ({
    form: { ...login, orderId: await fixtures.newOrder('registered') },
  })),
  'GET /sandbox/gateway/form/:order_id': open(async (fixtures) => ({ params: { order_id: await fixtures.newOrder('registered') } })),
  'POST /sandbox/gateway/form/:order_id': open(async (fixtures) => ({
    params: { order_id: await fixtures.newOrder('registered') },
    form: { ...card, number: '5555555555554444' },
  })),
  'GET /sandbox/gateway/acs/:order_id': open(async (fixtures) => ({ params: { order_id: await fixtures.newOrder('at its bank') } })),
  'POST /sandbox/gateway/acs/:order_id': open(async (fixtures) => ({
    params: { order_id: await fixtures.newOrder('at its bank') },
    form: { action: 'confirm' },
  })),

  'POST /api/v1/clients/person': venture(() => ({ body: somePerson() })),
  'GET /api/v1/clients': venture(),
  'GET /api/v1/clients/:client_id': venture(),
  'PUT /api/v1/clients/:client_id': venture(() => ({ body: { city: 'Lyon' } })),
  'POST /api/v1/clients/:client_id/onboarding/details': venture(async (fixtures) => ({
    params: await fixtures.newClient(),
    body: someOnboarding,
  })),
  'GET /api/v1/clients/:client_id/onboarding/details': venture(),

  'POST /api/v1/transfers': venture(() => ({ body: { unique_reference: randomUUID(), debit_amount: '1.00' } })),
  'GET /api/v1/transfers': venture(),
  'GET /api/v1/accounts/:account_id/transfers': venture(),
  'GET /api/v1/transfers/:transfer_id': venture(),
  'PUT /api/v1/transfers/:transfer_id': venture(() => ({ body: { third_party_status: 'ACCP' } })),
  'GET /api/v1/transfers/:transfer_id/transitions': venture(),
  'GET /api/v1/transfers/:transfer_id/history': venture(),
  'POST /api/v1/sandbox/accounts/:account_id/deposits': venture(() => ({ body: { amount: '1.00' } })),
  'POST /api/v1/sandbox/transfers/:transfer_id/settle': venture(async (fixtures) => ({
    params: await fixtures.newTransfer(),
    body: { outcome: 'COMPLETED' },
  })),

  'POST /api/v1/kyc/webhook': verifier(
    [
      ({ ids }) => ({ signed: { type: 'verification.review', client_id: ids.client_id } }),
      ({ ids }) => ({ signed: { type: 'verification.review', application_id: ids.application_id } }),
    ],
    { works: isApplied, apart: ['id', 'received_at'] },
  ),
  'GET /api/v1/kyc/conflicting-events': admin(),
  'GET /api/v1/kyc/unmatched-events': admin(),
  'POST /api/v1/sandbox/clients/:client_id/verification': venture(() => ({ body: { outcome: 'REVIEW' } })),
  // The stand-in has no ventures: it opens an application for any client that the service names.
  'POST /sandbox/verifier/applications': relay(() => ({ body: { first_name: 'Ada', last_name: 'Lovelace' } }), {
    kinds: { client_id: 'label' },
  }),
  'GET /sandbox/verifier/:token': open(({ ids }) => ({ params: { token: ids.verifier_token } })),
  'POST /sandbox/verifier/:token': open(({ ids }) => ({ params: { token: ids.verifier_token }, body: { outcome: 'REVIEW' } })),

  'POST /api/v1/beneficiaries': venture(() => ({ body: { name: 'Ada', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' } })),
  'GET /api/v1/beneficiaries': venture(),
  'GET /api/v1/beneficiaries/:beneficiary_id': venture(),
  'PUT /api/v1/beneficiaries/:beneficiary_id': venture(() => ({ body: { display: false } })),

  'POST /api/v1/accounts': venture(() => ({ body: { account_name: 'Savings', account_type: 'SAVINGS', currency: 'EUR' } })),
  'GET /api/v1/accounts': venture(),
  'GET /api/v1/accounts/:account_id': venture(),
  'PUT /api/v1/accounts/:account_id': venture(() => ({ body: { description: 'Changed' } })),
  'POST /api/v1/accounts/:account_id/activate': venture(async (fixtures) => ({ params: await fixtures.newAccount('PENDING') })),
  'POST /api/v1/accounts/:account_id/freeze': venture(async (fixtures) => ({ params: await fixtures.newAccount('ACTIVE') })),
  'POST /api/v1/accounts/:account_id/close': venture(async (fixtures) => ({ params: await fixtures.newAccount('ACTIVE') })),
  'GET /api/v1/accounts/:account_id/entries': venture(),
}
