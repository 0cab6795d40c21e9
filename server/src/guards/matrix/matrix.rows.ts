// The table of routes: who may enter each, and what a request looks like that is right in everything. Ids in path, query and body are
// filled in from the fixtures by their names, so a row says only what else the request needs. A route without a row fails the build.
import { randomUUID } from 'node:crypto'
import { referenceScript } from '../../platform/docs/docs.reference.ts'
import type { Door } from '../../platform/http/http.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { someAsset } from '../../testing/testing.console.ts'
import { someList } from '../../testing/testing.lists.ts'
import { someOnboarding, somePerson } from '../../testing/testing.people.ts'
import { consoleHeaders, goodPassword, someEmail } from '../../testing/testing.sessions.ts'
import type { Answer, Caller } from '../../testing/testing.ts'
import { type Fixtures, someMandate } from './matrix.fixtures.ts'

/** What a request is made of. `signed` is a body that the verifier has signed. `caller` is whose key is right, where it is not the fixtures'. */
export type Parts = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: Record<string, string>
  /** Files of a form, by their names. */
  files?: Record<string, string>
  signed?: Record<string, unknown>
  headers?: Record<string, string>
  caller?: Caller
}

export type Maker = (fixtures: Fixtures) => Parts | Promise<Parts>

/**
 * theirs: another venture's id is treated like an unknown one. anybodys: any caller with access who has the id may use it.
 * cursor: a position in an order, for which no row need exist. label: the caller's own name for something, which others may use too.
 * filter: in a list over all ventures; nothing has an unknown id, so the list is empty.
 * claimed: unique across ventures; a taken one is refused without revealing who has it.
 */
export type Kind = 'theirs' | 'anybodys' | 'cursor' | 'label' | 'filter' | 'claimed'

export type Row = {
  door: Door
  /** Each makes a valid request; several if one request cannot contain all the ids that the route takes. */
  makers: readonly Maker[]
  /** Kinds of ids that differ from the default for their names. */
  kinds?: Readonly<Record<string, Kind>>
  /** Only a person of the bank may send it: the admin key opens the door and is refused behind it. */
  byPerson?: true
  /** The status of a valid request, if the schema does not contain it. */
  status?: number
  /** An additional check that a valid request was carried out. */
  works?: (answer: Answer) => boolean
  /** Waits for what a request has started and what goes on after the answer. */
  settled?: (fixtures: Fixtures) => Promise<void>
  /** Fields in which otherwise equal responses may differ. */
  apart?: readonly string[]
}

type More = Omit<Row, 'door' | 'makers'>

function row(door: Door) {
  return (makers: Maker | readonly Maker[] = () => ({}), more: More = {}): Row => ({ door, makers: [makers].flat(), ...more })
}

const [open, venture, operator, session] = [row('none'), row('venture'), row('operator'), row('session')]
const [relay, verifier, monitor] = [row('relay'), row('verifier'), row('monitor')]

const login = { userName: sandboxGatewayCredentials.user, password: sandboxGatewayCredentials.password }
const card = { expiry: '12/99', cvv: '777', action: 'pay' }
const shop = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }
/** A payment names no mandate, and a collection neither a beneficiary nor a parent. */
const sends: Maker = () => ({ body: { unique_reference: randomUUID(), debit_amount: '1.00', mandate_id: null } })
const collects: Maker = () => ({
  body: { unique_reference: randomUUID(), credit_amount: '1.00', beneficiary_id: null, parent_transaction_id: null },
})
const isApplied = ({ body }: Answer) => body?.verdict === 'APPLIED'

export const rows: Readonly<Record<string, Row>> = {
  'GET /healthz': open(),
  'GET /readyz': open(),
  'GET /metrics': monitor(),
  'GET /': open(),
  'GET /openapi.json': open(),
  'GET /docs': open(),
  'GET /docs/': open(),
  'GET /docs/js/*': open(async () => ({ params: { '*': (await referenceScript()).name } })),
  'GET /docs/errors': open(),
  'GET /docs/guides': open(),
  'GET /console': open(),
  'GET /console/assets/*': open(async () => ({ params: { '*': await someAsset() } })),
  'GET /console/*': open(() => ({ params: { '*': 'sign-in' } })),
  'GET /console/stream': venture(({ person }) => ({ caller: person, query: { seconds: '0' } })),
  'GET /docs/guides/*': open(() => ({ params: { '*': 'webhooks' } })),

  'POST /api/v1/ventures': operator(() => ({ body: { name: 'Another' } })),
  'GET /api/v1/ventures': operator(),
  'GET /api/v1/ventures/:venture_id': operator(),
  'PUT /api/v1/ventures/:venture_id': operator(async (fixtures) => ({ params: await fixtures.newVenture(), body: { name: 'Renamed' } })),
  'POST /api/v1/ventures/:venture_id/rotate-key': operator(async (fixtures) => ({ params: await fixtures.newVenture() })),
  'GET /api/v1/ventures/:venture_id/policy': operator(),
  'PUT /api/v1/ventures/:venture_id/policy': operator(async (fixtures) => ({
    params: await fixtures.newVenture(),
    body: { rate_hold_s: 90 },
  })),
  'POST /api/v1/operator/watchlists': operator(() => ({ body: { name: `list-${randomUUID()}`, format: 'OPENSANCTIONS' } })),
  'GET /api/v1/operator/watchlists': operator(),
  'GET /api/v1/operator/watchlists/:watchlist_id': operator(),
  'POST /api/v1/operator/watchlists/:watchlist_id/versions': operator(() => ({ files: { list: someList(`Nobody ${randomUUID()}`) } })),
  'GET /api/v1/operator/watchlists/:watchlist_id/versions': operator(),
  'POST /api/v1/operator/watchlists/:watchlist_id/versions/:version_id/activate': operator(async (fixtures) => ({
    params: await fixtures.newWatchlist(),
    body: {},
  })),
  'GET /api/v1/ventures/:venture_id/screenings': operator(undefined, { kinds: { subject_id: 'filter' } }),
  'GET /api/v1/ventures/:venture_id/screenings/:screening_id': operator(),
  'GET /api/v1/operator/packs': operator(undefined, { kinds: { message_id: 'filter' } }),
  'GET /api/v1/operator/packs/:pack_id': operator(),
  'POST /api/v1/operator/packs/:pack_id/declare-not-sent': operator(async (fixtures) => ({
    params: { pack_id: (await fixtures.newPack()).pack_id },
  })),
  'GET /api/v1/operator/messages': operator(undefined, { kinds: { pack_id: 'filter', transfer_id: 'filter' } }),
  'GET /api/v1/operator/messages/:message_id': operator(),
  'GET /api/v1/operator/messages/:message_id/file': operator(),
  'GET /api/v1/operator/rails/:rail/cycles': operator(() => ({ params: { rail: 'SEPA' } })),
  'PUT /api/v1/operator/rails/:rail/cycles': operator(() => ({ params: { rail: 'SDD' }, body: { cut_offs: ['09:00'] } })),
  'GET /api/v1/operator/rails/:rail/reachable-banks': operator(() => ({ params: { rail: 'SEPA' } })),
  'PUT /api/v1/operator/rails/:rail/reachable-banks': operator(() => ({ params: { rail: 'SDD' }, body: { bics: ['COBADEFF'] } })),
  'GET /api/v1/operator/rates': operator(),
  'PUT /api/v1/operator/rates': operator(() => ({ body: { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' } })),
  'GET /api/v1/venture': venture(),
  'POST /api/v1/venture/rotate-key': venture(async ({ bank }) => ({ caller: await bank.registerVenture() })),

  'POST /api/v1/venture/keys': venture(() => ({ body: { name: 'Reader', scopes: ['read'] } })),
  'GET /api/v1/venture/keys': venture(),
  'GET /api/v1/venture/keys/:key_id': venture(),
  'PUT /api/v1/venture/keys/:key_id': venture(() => ({ body: { name: 'Renamed' } })),
  'POST /api/v1/venture/keys/:key_id/revoke': venture(async (fixtures) => ({ params: await fixtures.newKey() })),
  'POST /api/v1/ventures/:venture_id/keys': operator(async (fixtures) => ({
    params: await fixtures.newVenture(),
    body: { name: 'Reader', scopes: ['read'] },
  })),

  'POST /api/v1/session': open(({ person: { person } }) => ({
    headers: consoleHeaders,
    body: { email: person.email, password: person.password },
  })),
  'GET /api/v1/session': session(),
  'DELETE /api/v1/session': session(async (fixtures) => ({ caller: await fixtures.newSession() })),
  'POST /api/v1/session/reauthentication': session(async (fixtures) => ({
    caller: await fixtures.newMember(),
    body: { password: goodPassword },
  })),
  'POST /api/v1/session/reauthentication/passkey': session(async (fixtures) => ({
    caller: await fixtures.newSession(),
    body: { credential: await fixtures.signChallenge() },
  })),
  'PUT /api/v1/session/password': session(async (fixtures) => ({
    caller: await fixtures.newMember(),
    body: { new_password: 'nine loud mountains 17' },
  })),
  'POST /api/v1/session/links': open(async (fixtures) => ({
    headers: consoleHeaders,
    body: { secret: await fixtures.newSecret(), name: 'Ada', password: goodPassword },
  })),
  'GET /api/v1/session/sessions': session(),
  'DELETE /api/v1/session/sessions/:session_id': session(async (fixtures) => ({ params: { session_id: await fixtures.addSession() } }), {
    kinds: { session_id: 'theirs' },
  }),
  'GET /api/v1/session/passkeys': session(),
  'POST /api/v1/session/passkeys/options': session(),
  'POST /api/v1/session/passkeys': session(async (fixtures) => fixtures.newPasskey()),
  'DELETE /api/v1/session/passkeys/:passkey_id': session(async (fixtures) => ({ params: { passkey_id: await fixtures.addPasskey() } }), {
    kinds: { passkey_id: 'theirs' },
  }),
  'POST /api/v1/session/passkey/options': open(() => ({ headers: consoleHeaders })),
  'POST /api/v1/session/passkey': open(async (fixtures) => ({
    headers: consoleHeaders,
    body: { credential: await fixtures.signChallenge() },
  })),

  'POST /api/v1/operator/users/set-up': operator(),
  'POST /api/v1/operator/keys': operator(() => ({ body: { name: 'Importer', scope: 'lists' } })),
  'GET /api/v1/operator/keys': operator(),
  'GET /api/v1/operator/keys/:bank_key_id': operator(),
  'POST /api/v1/operator/keys/:bank_key_id/revoke': operator(async (fixtures) => ({ params: await fixtures.newBankKey() })),
  'GET /api/v1/operator/admin-key': operator(),
  'POST /api/v1/operator/users': operator(() => ({ body: { email: someEmail(), role: 'operator' } })),
  'GET /api/v1/operator/users': operator(),
  'GET /api/v1/operator/users/:user_id': operator(),
  'PUT /api/v1/operator/users/:user_id': operator(() => ({ body: { status: 'ACTIVE' } })),
  'POST /api/v1/operator/users/:user_id/reset': operator(),
  'DELETE /api/v1/operator/users/:user_id/sessions': operator(async (fixtures) => ({
    params: { user_id: (await fixtures.newMember()).person.user_id },
  })),
  'GET /api/v1/operator/invitations': operator(),
  'POST /api/v1/operator/invitations/:invitation_id/revoke': operator(async (fixtures) => ({ params: await fixtures.newBankInvitation() })),
  'GET /api/v1/operator/pairs': operator(),
  'POST /api/v1/operator/pairs/clearings': operator(
    async (fixtures) => ({
      caller: await fixtures.bankAdmin(),
      body: { ...(await fixtures.newRelated()), reason: 'Colleagues for years.' },
    }),
    { byPerson: true },
  ),
  'POST /api/v1/operator/pairs/clearings/:clearing_id/take-back': operator(async (fixtures) => ({
    params: { clearing_id: await fixtures.newClearing() },
  })),
  'POST /api/v1/venture/users': venture(({ person }) => ({ caller: person, body: { email: someEmail(), role: 'viewer' } })),
  'GET /api/v1/venture/users': venture(({ person }) => ({ caller: person })),
  'GET /api/v1/venture/users/:user_id': venture(({ person }) => ({ caller: person })),
  'PUT /api/v1/venture/users/:user_id': venture(async (fixtures) => ({
    caller: fixtures.person,
    params: { user_id: (await fixtures.newMember()).person.user_id },
    body: { role: 'operator' },
  })),
  'DELETE /api/v1/venture/users/:user_id': venture(async (fixtures) => ({
    caller: fixtures.person,
    params: { user_id: (await fixtures.newMember()).person.user_id },
  })),
  'POST /api/v1/venture/users/:user_id/reset': venture(({ person }) => ({ caller: person })),
  'DELETE /api/v1/venture/users/:user_id/sessions': venture(async (fixtures) => ({
    caller: fixtures.person,
    params: { user_id: (await fixtures.newMember()).person.user_id },
  })),
  'GET /api/v1/venture/invitations': venture(({ person }) => ({ caller: person })),
  'POST /api/v1/venture/invitations/:invitation_id/revoke': venture(async (fixtures) => ({
    caller: fixtures.person,
    params: { invitation_id: (await fixtures.newInvitation()).id },
  })),

  'GET /api/v1/operator/health': operator(),
  'GET /api/v1/operator/jobs': operator(),
  'GET /api/v1/operator/jobs/:job_id': operator(),
  'POST /api/v1/operator/jobs/:job_id/retry': operator(async (fixtures) => ({ params: await fixtures.newDeadJob() })),
  'DELETE /api/v1/operator/jobs/:job_id': operator(async (fixtures) => ({ params: await fixtures.newDeadJob() })),
  'GET /api/v1/operator/transfers': operator(() => ({ query: { status: 'COMPLETED' } })),
  'GET /api/v1/operator/trial-balance': operator(),
  'GET /api/v1/operator/verifications': operator(),
  'GET /api/v1/operator/verifications/:verification_id': operator(),
  'POST /api/v1/operator/verifications': operator(
    async (fixtures) => {
      await fixtures.verificationsEnded()
      return {}
    },
    { settled: (fixtures) => fixtures.verificationsEnded() },
  ),

  'GET /api/v1/operator/audit-log': operator(undefined, { kinds: { venture_id: 'filter', actor_id: 'filter' } }),
  'GET /api/v1/venture/audit-log': venture(async ({ person, ids }) => {
    await person.put(`/clients/${ids.client_id}`, { address: randomUUID() })
    return { caller: person, query: { actor_id: person.id } }
  }),
  'GET /api/v1/operator/approvals': operator(undefined, { kinds: { venture_id: 'filter', resource_id: 'filter', maker_id: 'filter' } }),
  'GET /api/v1/operator/approvals/:approval_id': operator(),
  'POST /api/v1/operator/approvals/:approval_id/approve': operator(async (fixtures) => ({ params: await fixtures.newApproval() }), {
    byPerson: true,
    works: ({ body }) => body?.state === 'APPROVED',
  }),
  'POST /api/v1/operator/approvals/:approval_id/reject': operator(
    async (fixtures) => ({ params: await fixtures.newApproval(), body: {} }),
    {
      byPerson: true,
    },
  ),
  'GET /api/v1/operator/cases': operator(undefined, { kinds: { venture_id: 'filter', resource_id: 'filter', assignee_id: 'filter' } }),
  'GET /api/v1/operator/cases/:case_id': operator(),
  'PUT /api/v1/operator/cases/:case_id': operator(),
  'POST /api/v1/operator/cases/:case_id/decisions': operator(async (fixtures) => ({
    params: await fixtures.newCase(),
    body: { decision: 'note' },
  })),
  'GET /api/v1/operator/seals/latest': operator(),

  'GET /api/v1/find': venture(({ ids }) => ({ query: { text: ids.unique_reference } })),
  'GET /api/v1/operator/find': operator(({ ids }) => ({ query: { text: ids.unique_reference } })),

  'GET /api/v1/statistics': venture(),

  'GET /api/v1/requests': venture(undefined, { kinds: { request_id: 'label' } }),
  'GET /api/v1/requests/:logged_request_id': venture(),
  'GET /api/v1/operator/requests': operator(undefined, { kinds: { venture_id: 'filter', request_id: 'filter' } }),
  'GET /api/v1/operator/requests/:logged_request_id': operator(),

  'GET /api/v1/events': venture(),
  'GET /api/v1/events/:event_id': venture(),
  'POST /api/v1/events/:event_id/resend': venture(),
  'GET /api/v1/events/resends': venture(),

  'POST /api/v1/webhook-endpoints': venture(() => ({ body: { url: 'https://example.com/hooks' } })),
  'GET /api/v1/webhook-endpoints': venture(),
  'GET /api/v1/webhook-endpoints/:endpoint_id': venture(),
  'PUT /api/v1/webhook-endpoints/:endpoint_id': venture(() => ({ body: { description: 'Changed' } })),
  'DELETE /api/v1/webhook-endpoints/:endpoint_id': venture(async (fixtures) => ({ params: await fixtures.newEndpoint() })),
  'POST /api/v1/webhook-endpoints/:endpoint_id/rotate-secret': venture(),
  'POST /api/v1/webhook-endpoints/:endpoint_id/test': venture(),
  'GET /api/v1/webhook-endpoints/:endpoint_id/deliveries': venture(),
  'GET /api/v1/webhook-deliveries': venture(),
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
  'GET /api/v1/balance': venture(),
  'GET /api/v1/payout-settings': venture(),
  'PUT /api/v1/payout-settings': venture(),
  'POST /api/v1/payouts': venture(async (fixtures) => {
    await fixtures.payCard()
    return { body: { description: 'Sales' } }
  }),
  'GET /api/v1/payouts': venture(),
  'GET /api/v1/payouts/:payout_id': venture(),
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

  'GET /api/v1/clients/:client_id/kyc-history': venture(),
  'GET /api/v1/clients/:client_id/export': venture(),

  'POST /api/v1/mandates': venture(() => ({
    body: { ...someMandate(), debtor_name: 'Charles Babbage', debtor_iban: 'DE89370400440532013000' },
  })),
  'GET /api/v1/mandates': venture(),
  'GET /api/v1/mandates/:mandate_id': venture(),
  'POST /api/v1/mandates/:mandate_id/cancel': venture(async (fixtures) => ({ params: await fixtures.newMandate() })),
  'POST /api/v1/transfers': venture([sends, collects]),
  'POST /api/v1/transfers/dry-run': venture([sends, collects], {
    works: ({ body }) => body?.accepted === true,
  }),
  'POST /api/v1/transfers/bulk': venture(({ ids: { account_id, beneficiary_id } }) => ({
    body: { transfers: [{ account_id, beneficiary_id, unique_reference: randomUUID(), debit_amount: '1.00' }] },
  })),
  'POST /api/v1/payee-verifications': venture(() => ({ body: { name: 'Ada', iban: 'DE89370400440532013000' } })),
  'GET /api/v1/payee-verifications/:payee_verification_id': venture(),
  'POST /api/v1/vop/requests': operator(async (fixtures) => ({ body: { name: 'Ada', iban: (await fixtures.managed()).iban } })),
  'GET /api/v1/transfers': venture(),
  'GET /api/v1/transfer-flows': venture(),
  'GET /api/v1/accounts/:account_id/transfers': venture(),
  'GET /api/v1/transfers/:transfer_id': venture(),
  'PUT /api/v1/transfers/:transfer_id': venture(() => ({ body: { third_party_status: 'ACCP' } })),
  'GET /api/v1/transfers/:transfer_id/transitions': venture(),
  'GET /api/v1/transfers/:transfer_id/history': venture(),
  'GET /api/v1/transfers/:transfer_id/entries': venture(),
  'POST /api/v1/transfers/:transfer_id/recalls': venture(async (fixtures) => ({
    params: { transfer_id: await fixtures.newSent() },
    body: { reason: 'DUPL' },
  })),
  'GET /api/v1/transfers/:transfer_id/recalls': venture(),
  'GET /api/v1/sandbox/clock': operator(),
  'POST /api/v1/sandbox/clock': operator(() => ({ body: { advance: 1 } })),
  'POST /api/v1/sandbox/accounts/:account_id/deposits': venture(() => ({ body: { amount: '1.00' } })),
  'POST /api/v1/sandbox/transfers/:transfer_id/settle': venture(async (fixtures) => ({
    params: await fixtures.newTransfer(),
    body: { outcome: 'COMPLETED' },
  })),

  'GET /api/v1/sandbox/demo': operator(),
  'POST /api/v1/sandbox/demo': operator(() => ({ body: { seed: 7 } })),
  'GET /api/v1/sandbox/bank': operator(),
  'POST /api/v1/sandbox/bank/cycle': operator(),
  'POST /api/v1/sandbox/bank/day-end': operator(),
  'POST /api/v1/sandbox/bank/payments': operator(() => ({ body: { iban: 'DE89370400440532013000', amount: '1.00' } }), {
    kinds: { end_to_end_id: 'label' },
  }),
  'POST /api/v1/sandbox/bank/direct-debits': operator(() => ({ body: { iban: 'DE89370400440532013000', amount: '1.00' } }), {
    kinds: { mandate_reference: 'label', creditor_id: 'label' },
  }),
  'POST /api/v1/sandbox/bank/recalls': operator(async (fixtures) => ({ body: { bank_payment_id: await fixtures.newBankPayment() } })),

  // The id of a message is another bank's, and unique together with its sender and kind.
  'POST /api/v1/operator/inbound-payments': operator(
    async (fixtures) => ({
      body: { ...fixtures.message(), iban: (await fixtures.managed()).iban, amount: '1.00', currency: 'EUR', rail: 'SEPA' },
    }),
    { kinds: { tx_id: 'label' } },
  ),
  'GET /api/v1/operator/inbound-payments': operator(async (fixtures) => {
    await fixtures.newUnapplied()
    return {}
  }),
  'GET /api/v1/operator/inbound-payments/:inbound_payment_id': operator(async (fixtures) => ({
    params: { inbound_payment_id: await fixtures.newUnapplied() },
  })),
  'POST /api/v1/operator/returned-payments': operator(
    async (fixtures) => {
      const { venture_id, transfer_id } = await fixtures.managed()
      return { body: { ...fixtures.message(), venture_id, transfer_id, amount: '0.01' } }
    },
    { kinds: { tx_id: 'label' } },
  ),
  'POST /api/v1/operator/forced-debits': operator(
    async (fixtures) => {
      const { venture_id, account_id, transfer_id: parent_transaction_id } = await fixtures.managed()
      const debit = { amount: '0.01', transfer_type: 'ADJUSTMENT', method: 'SEPA', explanation: 'Chargeback' }
      return { body: { ...fixtures.message(), venture_id, account_id, parent_transaction_id, ...debit } }
    },
    { kinds: { tx_id: 'label' } },
  ),
  'POST /api/v1/operator/pay-outs': operator(async (fixtures) => ({ body: await fixtures.newPayout() })),
  'GET /api/v1/operator/unapplied-payments': operator(async (fixtures) => {
    await fixtures.newUnapplied()
    return {}
  }),
  'GET /api/v1/operator/unapplied-payments/:unapplied_payment_id': operator(async (fixtures) => ({
    params: { unapplied_payment_id: await fixtures.newUnapplied() },
  })),
  'GET /api/v1/operator/breaks': operator(
    async (fixtures) => {
      await fixtures.newBreak()
      return {}
    },
    { kinds: { nostro_id: 'filter' } },
  ),
  'POST /api/v1/operator/nostros': operator((fixtures) => ({ body: fixtures.nostro() })),
  'GET /api/v1/operator/nostros': operator(),
  'GET /api/v1/operator/nostros/:nostro_id': operator(),
  'GET /api/v1/operator/nostros/:nostro_id/statements': operator(),
  'GET /api/v1/operator/nostros/:nostro_id/entries': operator(),
  'GET /api/v1/operator/nostros/:nostro_id/reconciliation': operator(),
  'POST /api/v1/operator/end-of-day': operator(() => ({ body: {} })),
  'GET /api/v1/operator/breaks/:break_id': operator(async (fixtures) => ({ params: { break_id: await fixtures.newBreak() } })),

  'POST /api/v1/kyc/webhook': verifier(
    [
      ({ ids }) => ({ signed: { type: 'verification.review', client_id: ids.client_id } }),
      ({ ids }) => ({ signed: { type: 'verification.review', application_id: ids.application_id } }),
    ],
    { works: isApplied, apart: ['id', 'received_at'] },
  ),
  'GET /api/v1/kyc/conflicting-events': operator(),
  'GET /api/v1/kyc/unmatched-events': operator(),
  'POST /api/v1/sandbox/clients/:client_id/verification': venture(() => ({ body: { outcome: 'REVIEW' } })),
  // The stand-in has no ventures: it opens an application for any client that the service names.
  'POST /sandbox/receiver': open(() => ({ body: {} }), { status: 204 }),
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
  'GET /api/v1/accounts/:account_id/epc-qr': venture(),
  'GET /api/v1/accounts/:account_id/statements': venture([
    () => ({ query: { from: '2026-01-01', to: '2026-12-31' } }),
    () => ({ query: { from: '2026-01-01', to: '2026-12-31', format: 'csv' } }),
    () => ({ query: { from: '2026-01-01', to: '2026-12-31', format: 'camt053' } }),
  ]),
  'GET /api/v1/accounts/:account_id/balances': venture(() => ({ query: { from: '2026-01-01', to: '2026-12-31', step: 'month' } })),
}
