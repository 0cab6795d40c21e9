// A valid body for each route that takes one: schemas define the form of a body, recipes its meaning.

import { sandboxGatewayCredentials } from '../../../server/src/sandbox/gateway/sandbox.gateway.ts'
import { someOnboarding } from '../../../server/src/testing/testing.people.ts'
import { currencyCodes } from '../../../server/src/values/currency.ts'
import type { Random } from '../fuzz.random.ts'

export type Ingredients = {
  random: Random
  /** Contained in every free text. */
  word: string
  /** An id of this kind that belongs to the venture. */
  own(kind: Kind): string
}

export const kinds = [
  'clients',
  'freshClients',
  'accounts',
  'fundedAccounts',
  'beneficiaries',
  'payees',
  'verifications',
  'mandates',
  'transfers',
  'payments',
  'payouts',
  'links',
  'linkTokens',
  'orders',
  'endpoints',
  'deliveries',
  'events',
  'loggedRequests',
  'applications',
  'verifierTokens',
  'ventures',
  'keys',
  'bankKeys',
  'managedVentures',
  'managedAccounts',
  'suspendedAccounts',
  'managedPayees',
  'managedTransfers',
  'managedIbans',
  'waitingPayments',
  'unappliedPayments',
  'breaks',
  'cases',
  'nostros',
  'watchlists',
  'listVersions',
  'sentTransfers',
  'packs',
  'refusedPacks',
  'messages',
  'bankPayments',
] as const
export type Kind = (typeof kinds)[number]

type Recipe = (from: Ingredients) => Record<string, unknown>

const someMessage = (word: string, random: Random) => ({ sender: 'COBADEFF', kind: 'pacs.008', tx_id: `${word} ${random.uuid()}` })

const day_ms = 86_400_000
const inAYear = () => new Date(Date.now() + 365 * day_ms).toISOString()
const daysAgo = (days: number) => new Date(Date.now() - days * day_ms).toISOString().slice(0, 10)

/** A valid query for each route that cannot do without one. */
export const queryRecipes: Record<string, (random: Random) => Record<string, string>> = {
  'GET /api/v1/find': (random) => ({ text: random.pick([random.uuid(), 'Lovelace', 'DE89370400440532013000', 'ada@example.com']) }),
  'GET /api/v1/operator/find': (random) => ({ text: random.pick([random.uuid(), 'ORDER-1', 'DE89370400440532013000']) }),
  'GET /api/v1/accounts/:account_id/statements': (random) => ({
    from: daysAgo(random.integer(0, 300)),
    to: daysAgo(0),
    format: random.pick(['json', 'csv', 'pdf', 'camt053']),
  }),
  'GET /api/v1/operator/transfers': (random) => ({ status: random.pick(['COMPLETED', 'REJECTED', 'REVIEW']) }),
  'GET /api/v1/accounts/:account_id/balances': (random) => ({
    from: daysAgo(random.integer(0, 900)),
    to: daysAgo(0),
    step: random.pick(['day', 'week', 'month']),
  }),
}

/** Transfers that start immediately, and moves of which some are allowed. */
const moves = [
  'TO_SIGN',
  'SIGNED',
  'TO_RESERVE',
  'RESERVED',
  'RECEIVED',
  'ON_HOLD',
  'REVIEW',
  'CANCELLED',
  'COMPLETED',
  'READY_TO_CLEAR',
  'REJECTED',
]

const someOrder: Recipe = ({ word, random, own }) => ({
  account_id: own('fundedAccounts'),
  beneficiary_id: own('payees'),
  unique_reference: `${word} ${random.uuid()}`,
  debit_amount: `${random.integer(1, 9)}.50`,
  purpose: `${word} invoice`,
  structured_reference: `${word} RF18`,
  structured_reference_issuer: word,
  purpose_code: word,
  category_purpose_code: word,
})

export const recipes: Record<string, Recipe> = {
  'POST /api/v1/ventures': ({ word }) => ({ name: `${word} venture` }),
  'PUT /api/v1/ventures/:venture_id': ({ word }) => ({ name: `${word} renamed`, status: 'ACTIVE' }),
  'POST /api/v1/venture/keys': ({ word }) => ({ name: `${word} key`, scopes: ['read', 'sign'], expires_at: inAYear() }),
  'PUT /api/v1/venture/keys/:key_id': ({ word }) => ({ name: `${word} renamed` }),
  'POST /api/v1/ventures/:venture_id/keys': ({ word }) => ({ name: `${word} key`, scopes: ['clients'] }),
  'POST /api/v1/operator/keys': ({ word, random }) => ({ name: `${word} key`, scope: random.pick(['payees', 'lists', 'metrics']) }),
  'POST /api/v1/operator/users': ({ random }) => ({ email: `${random.uuid()}@example.com`, role: 'auditor' }),
  'POST /api/v1/operator/approvals/:approval_id/reject': ({ word }) => ({ reason: `${word} says no` }),
  // Only people are assigned, and there are none without a session.
  'PUT /api/v1/operator/cases/:case_id': () => ({ assignee_id: null }),
  'POST /api/v1/operator/cases/:case_id/decisions': ({ word, random, own }) => ({
    ...random.pick([
      { decision: 'return' },
      { decision: 'apply', details: { venture_id: own('managedVentures'), account_id: own('managedAccounts') } },
    ]),
    comment: `${word} has looked`,
  }),
  'PUT /api/v1/ventures/:venture_id/policy': ({ random }) => ({
    rate_hold_s: random.integer(30, 90),
    payout_delay_days: 0,
    card_fee: '0.01',
  }),
  'POST /api/v1/operator/watchlists': ({ random }) => ({ name: `list-${random.uuid()}`, format: 'OPENSANCTIONS', purpose: 'SANCTIONS' }),
  'POST /api/v1/operator/watchlists/:watchlist_id/versions/:version_id/activate': ({ random }) => ({ force: random.chance(0.5) }),
  'POST /api/v1/operator/nostros': ({ word, random }) => ({
    name: `${word} bank`,
    account: `N${random.uuid().replaceAll('-', '')}`,
    bic: 'COBADEFF',
    currency: random.pick(currencyCodes),
    rails: [random.pick(['SWIFT', 'INTERNAL', 'CARD'])],
    prefunding: '0',
  }),
  'POST /api/v1/operator/end-of-day': () => ({ date: '2026-01-05' }),
  'PUT /api/v1/operator/rails/:rail/cycles': ({ random }) => ({ cut_offs: random.pick([[], ['09:00', '15:30']]) }),
  'POST /api/v1/operator/participations': ({ random }) => ({ rail: random.pick(['SEPA', 'SDD']), prefers: random.integer(0, 50) }),
  'PUT /api/v1/operator/calendars/:calendar/:year': () => ({ closed: [] }),
  'PUT /api/v1/operator/rails/:rail/reachable-banks': ({ random }) => ({ bics: random.pick([[], ['COBADEFF', 'BNPAFRPPXXX']]) }),
  'PUT /api/v1/operator/rates': () => ({ from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' }),
  'PUT /api/v1/payout-settings': ({ own }) => ({ payout_account_id: own('fundedAccounts') }),
  'POST /api/v1/payouts': ({ word }) => ({ description: `${word} payout` }),
  'POST /api/v1/clients/person': ({ word, random }) => ({
    first_name: `${word} Ada`,
    middle_name: word,
    last_name: `${word} Lovelace`,
    date_of_birth: '1990-12-10',
    nationality: 'FRA',
    birth_country: 'GBR',
    country_of_tax_residence: 'FRA',
    country_code: 'FRA',
    address: `1 rue ${word}`,
    city: `${word} sur Seine`,
    postcode: word.slice(0, 12),
    state_province: word,
    email: `${word}.${random.uuid()}@example.com`,
    organization_id: 7,
    external_client_code: `${word} ${random.integer(1, 1_000_000)}`,
    planned_income: word,
    planned_expenditure: word,
    kyc_level: random.pick(['NOT_REQUIRED', 'FULL_KYC']),
  }),
  'PUT /api/v1/clients/:client_id': ({ word }) => ({ kyc_note: `${word} note`, city: `${word} City`, blacklisted_comment: word }),
  'POST /api/v1/clients/:client_id/onboarding/details': ({ word }) => ({
    ...someOnboarding,
    other_occupation: `${word} keeper`,
    other_source_of_funds: `${word} sales`,
    tax_identification_number: `${word} 1`,
  }),
  'POST /api/v1/kyc/webhook': ({ word, random, own }) => ({
    id: `${word}-${random.uuid()}`,
    type: random.pick(['verification.approved', 'verification.review', 'verification.unheard']),
    created_at: new Date().toISOString(),
    client_id: own('clients'),
    application_id: own('applications'),
    data: { note: `${word} was here`, risk_level: 'Low', reason_codes: [word] },
  }),
  'POST /api/v1/beneficiaries': ({ word, own }) => ({
    client_id: own('clients'),
    name: `${word} Babbage`,
    beneficiary_type: 'PERSON',
    iban: 'DE89370400440532013000',
    bank_name: `${word} Bank`,
    bank_address: `2 ${word} Street`,
    address: `3 ${word} Street`,
    city: `${word} City`,
    postal_code: word,
  }),
  'PUT /api/v1/beneficiaries/:beneficiary_id': ({ random }) => ({ display: random.chance(0.5) }),
  'POST /api/v1/accounts': ({ word, own }) => ({
    client_id: own('clients'),
    account_name: `${word} account`,
    account_type: 'CURRENT',
    currency: 'EUR',
    description: `${word} money`,
    external_account_id: `${word}-1`,
  }),
  'PUT /api/v1/accounts/:account_id': ({ word, random }) => ({
    account_name: `${word} renamed`,
    description: `${word} again`,
    daily_limit: String(random.integer(1, 100_000)),
  }),
  'POST /api/v1/transfers': someOrder,
  'POST /api/v1/transfers/dry-run': someOrder,
  // All or none, so that an error in one order refuses the request.
  'POST /api/v1/transfers/bulk': (kitchen) => ({
    atomic: true,
    transfers: Array.from({ length: kitchen.random.integer(1, 5) }, () => someOrder(kitchen)),
  }),
  'POST /api/v1/mandates': ({ word, random, own }) => ({
    account_id: own('fundedAccounts'),
    reference: `M-${random.uuid().slice(0, 18)}`,
    creditor_id: 'DE98ZZZ09999999999',
    scheme: 'CORE',
    sequence_type: 'RCUR',
    debtor_name: `${word} Babbage`,
    debtor_iban: 'DE89370400440532013000',
    signed_on: '2026-01-15',
  }),
  'POST /api/v1/transfers/:transfer_id/recalls': ({ word, random }) => ({
    reason: random.pick(['DUPL', 'TECH', 'FRAD']),
    information: `${word} paid twice`,
  }),
  'POST /api/v1/payee-verifications': ({ word }) => ({ name: `${word} Babbage`, iban: 'DE89370400440532013000' }),
  'POST /api/v1/vop/requests': ({ word, own }) => ({ name: `${word} Lovelace`, iban: own('managedIbans') }),
  'PUT /api/v1/transfers/:transfer_id': ({ word, random }) =>
    random.chance(0.5)
      ? { status_reason: `${word} reason`, bank_partner_id: word, third_party_status: word, third_party_status_reason: word }
      : { status: random.pick(moves), third_party_status: word },
  'POST /api/v1/operator/inbound-payments': ({ word, random, own }) => ({
    ...someMessage(word, random),
    iban: random.chance(0.5) ? own('managedIbans') : 'FR1420041010050500013M02606',
    amount: `${random.integer(1, 9)}.50`,
    currency: 'EUR',
    rail: 'SEPA',
    purpose: `${word} invoice`,
    dr_name: `${word} Hopper`,
    dr_address: `4 ${word} Street`,
  }),
  'POST /api/v1/operator/returned-payments': ({ word, random, own }) => ({
    ...someMessage(word, random),
    venture_id: own('managedVentures'),
    transfer_id: own('managedTransfers'),
    transfer_type: 'CARD_REVERSAL',
    amount: '0.01',
  }),
  'POST /api/v1/operator/forced-debits': ({ word, random, own }) => ({
    ...someMessage(word, random),
    venture_id: own('managedVentures'),
    account_id: own('managedAccounts'),
    amount: '0.01',
    transfer_type: 'ADJUSTMENT',
    explanation: `${word} chargeback`,
  }),
  'POST /api/v1/operator/pay-outs': ({ word, own }) => ({
    venture_id: own('managedVentures'),
    account_id: own('suspendedAccounts'),
    beneficiary_id: own('managedPayees'),
    purpose: `${word} balance`,
  }),
  'POST /api/v1/payments': ({ word, random }) => ({
    amount: `${random.integer(1, 99)}.00`,
    currency: 'EUR',
    success_url: `https://shop.invalid/${word}/paid`,
    fail_url: `https://shop.invalid/${word}/failed`,
    order_ref: `${word}-7`,
    description: `${word} shoes`,
  }),
  'POST /api/v1/payments/:payment_id/refund': ({ random }) =>
    random.chance(0.5) ? {} : { amount: '0.10', external_refund_id: `r-${random.integer(1, 1_000)}` },
  'POST /api/v1/payment-links': ({ word }) => ({
    amount: '12.00',
    currency: 'EUR',
    description: `${word} subscription`,
    success_url: `https://shop.invalid/${word}/paid`,
    fail_url: `https://shop.invalid/${word}/failed`,
    ask_name: true,
  }),
  'PUT /api/v1/payment-links/:link_id': ({ word }) => ({
    description: `${word} again`,
    active: true,
    max_uses: 1_000,
    expires_at: inAYear(),
  }),
  // The rarest events: deliveries are work for the service that has nothing to do with the requests here.
  'POST /api/v1/webhook-endpoints': ({ word }) => ({
    url: `http://127.0.0.1:9/${word}`,
    description: `${word} hook`,
    event_types: ['webhook_endpoint.disabled'],
  }),
  'PUT /api/v1/webhook-endpoints/:endpoint_id': ({ word, random }) => ({
    description: `${word} hook ${random.integer(1, 99)}`,
    event_types: ['venture.updated'],
  }),
  'POST /api/v1/webhook-endpoints/:endpoint_id/redeliver-failed': () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  'POST /api/v1/sandbox/accounts/:account_id/deposits': ({ random }) => ({ amount: `${random.integer(1, 99)}.25` }),
  'POST /api/v1/sandbox/transfers/:transfer_id/settle': ({ random }) => ({ outcome: random.pick(['COMPLETED', 'REJECTED', 'RETURNED']) }),
  'POST /api/v1/sandbox/bank/payments': ({ word, random, own }) => ({
    iban: own('managedIbans'),
    amount: `${random.integer(1, 9)}.00`,
    rail: random.pick(['SEPA', 'SEPA', 'INST']),
    name: `${word} Payer`,
    purpose: `${word} invoice`,
  }),
  'POST /api/v1/sandbox/bank/direct-debits': ({ word, random, own }) => ({
    iban: own('managedIbans'),
    amount: `${random.integer(1, 9)}.00`,
    name: `${word} Creditor`,
    mandate_reference: `M-${random.uuid().slice(0, 18)}`,
  }),
  'POST /api/v1/sandbox/bank/recalls': ({ own }) => ({ bank_payment_id: own('bankPayments'), reason: 'DUPL' }),
  'POST /api/v1/sandbox/demo': ({ random }) => ({ seed: random.integer(0, 1_000) }),
  'POST /api/v1/sandbox/clients/:client_id/verification': ({ random }) => ({ outcome: random.pick(['REVIEW', 'APPROVED']) }),
  'POST /sandbox/verifier/applications': ({ word, own }) => ({ client_id: own('clients'), first_name: word, last_name: `${word} L` }),
  'POST /sandbox/verifier/:token': () => ({ outcome: 'REVIEW' }),
  'POST /pay/:token': ({ word }) => ({ name: `${word} Payer` }),
  'POST /sandbox/gateway/payment/rest/register.do': ({ random }) => ({
    ...merchant,
    orderNumber: random.uuid().slice(0, 32).replaceAll('-', ''),
    amount: '1200',
    currency: '978',
    returnUrl: 'https://shop.invalid/back',
  }),
  'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do': ({ own }) => ({ ...merchant, orderId: own('orders') }),
  'POST /sandbox/gateway/payment/rest/refund.do': ({ own }) => ({ ...merchant, orderId: own('orders'), amount: '1' }),
  'POST /sandbox/gateway/payment/rest/reverse.do': ({ own }) => ({ ...merchant, orderId: own('orders') }),
  'POST /sandbox/gateway/payment/rest/decline.do': ({ own }) => ({ ...merchant, orderId: own('orders') }),
  'POST /sandbox/gateway/form/:order_id': ({ random }) => ({
    number: random.pick(['4111111111111111', '5555555555554444']),
    expiry: '12/49',
    cvv: '123',
  }),
  'POST /sandbox/gateway/acs/:order_id': () => ({ action: 'confirm' }),
}

const merchant = { userName: sandboxGatewayCredentials.user, password: sandboxGatewayCredentials.password }
