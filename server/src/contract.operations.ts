// What the contract teaches about each operation besides its schemas: with which codes it can be refused, and an example request. An operation
// without a row does not compile. Every test that opens a bank checks the codes, and a guard sends every example.
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import type { Example } from './platform/docs/openapi.samples.ts'
import { type Access, type access, accessOf } from './users/users.access.ts'
import { isRefusedToSeenKeys } from './users/users.seenkeys.ts'
import type { RefusalCode } from './values/refusals.ts'
import { reservations } from './ventures/ventures.reserved.ts'

/** The metrics are a page for machines, and the stream is for pages of the console: neither is in the contract. */
export type OperationId = Exclude<keyof typeof access, 'getMetrics' | 'streamChanges'>

/** `refusals`: what the operation itself refuses. What any operation of its kind refuses is added by `refusalsOf`. */
type Operation = Example & { refusals: readonly RefusalCode[] }

const id = (number: string): string => `01a1de8a-c9c0-7000-8000-0000000000${number}`

/** The ids in examples, by their names. The same id is the same resource in all examples, those of events included. */
export const exampleIds = {
  event_id: id('01'),
  venture_id: id('02'),
  client_id: id('03'),
  application_id: id('05'),
  beneficiary_id: id('06'),
  account_id: id('07'),
  transfer_id: id('08'),
  endpoint_id: id('09'),
  payment_id: id('0a'),
  link_id: id('0b'),
  key_id: id('0c'),
  payout_id: id('0d'),
  mandate_id: id('0e'),
  delivery_id: id('0f'),
  user_id: id('10'),
  invitation_id: id('11'),
  passkey_id: id('12'),
  approval_id: id('13'),
  case_id: id('14'),
  job_id: id('15'),
  pack_id: id('16'),
  message_id: id('17'),
  watchlist_id: id('18'),
  version_id: id('19'),
  screening_id: id('1a'),
  payee_verification_id: id('1b'),
  inbound_payment_id: id('1c'),
  unapplied_payment_id: id('1d'),
  break_id: id('1e'),
  nostro_id: id('1f'),
  bank_payment_id: id('20'),
  logged_request_id: id('21'),
  verification_id: id('22'),
  session_id: id('23'),
  clearing_id: id('24'),
  assignee_id: id('10'),
  maker_id: id('25'),
  payout_account_id: id('07'),
  bank_key_id: id('24'),
} as const
const ids = exampleIds

const shop = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }
const otherIban = 'DE89370400440532013000'
const credential = {
  id: 'AZ2dTdAZRgKGDgcT0sZ1vQ',
  rawId: 'AZ2dTdAZRgKGDgcT0sZ1vQ',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoi…', authenticatorData: 'SZYN5YgOjGh0…', signature: 'MEUCIQDx…' },
}
const order = {
  account_id: ids.account_id,
  unique_reference: 'INVOICE-2026-1001',
  beneficiary_id: ids.beneficiary_id,
  debit_amount: '30.00',
  purpose: 'Invoice 1001',
}

/** Whatever looks through many rows. */
const listing = ['query_too_broad', 'too_many_lists'] as const

/** Whatever needs a second person. */
const fourEyes = ['approval_pending', 'too_many_requests_open', 'person_needed'] as const

/** What stops an order. */
const ordering = [
  'account_not_found',
  'account_not_active',
  'client_blocked',
  'unique_reference_used',
  'beneficiary_required',
  'beneficiary_invalid',
  'beneficiary_mismatch',
  'receiver_not_active',
  'transfer_method_invalid',
  'mandate_invalid',
  'mandate_not_active',
  'rate_missing',
  'exchange_not_today',
  'limit_exceeded',
  'invalid_iban',
  'payee_check_required',
  'payee_check_not_accepted',
  'amount_mismatch',
  'currency_mismatch',
  'parent_invalid',
] as const
/** What stops a move. */
const moving = [
  'transfer_not_found',
  'transfer_terminal',
  'transfer_transition_not_allowed',
  'screening_required',
  'reservation_required',
  'already_reserved',
  'already_sent',
  'not_sent',
  'not_received',
  'not_cleared',
  'in_suspense',
  'account_closed',
  'account_frozen',
  'client_blocked',
  'venture_disabled',
  'settled_on_us',
  'sent_by_rails',
  'decided_by_case',
  'limit_exceeded',
  'insufficient_funds',
  'balance_too_large',
  'parent_invalid',
] as const

export const operations: Readonly<Record<OperationId, Operation>> = {
  getHealth: { refusals: [] },
  getReadiness: { refusals: [] },

  registerVenture: { refusals: ['four_eyes_off'], body: { name: 'Acme', control: 'MANAGED' } },
  listVentures: { refusals: [] },
  getVenture: { refusals: ['venture_not_found'] },
  updateVenture: { refusals: ['venture_not_found', 'venture_has_books', 'four_eyes_off', ...fourEyes], body: { name: 'Acme Europe' } },
  replaceVentureKey: { refusals: ['venture_not_found', ...fourEyes] },
  createVentureKey: {
    refusals: ['venture_not_found', 'key_limit', ...fourEyes],
    body: { name: 'Reporting', scopes: ['read'] },
  },
  getOwnVenture: { refusals: [] },
  rotateOwnKey: { refusals: [] },
  createKey: {
    refusals: ['key_limit', ...fourEyes],
    body: { name: 'Payment server', scopes: ['accounts', 'transfers'], expires_at: '2030-12-31T00:00:00Z' },
  },
  listKeys: { refusals: [] },
  getKey: { refusals: ['api_key_not_found'] },
  updateKey: { refusals: ['api_key_not_found'], body: { name: 'Old payment server' } },
  revokeKey: { refusals: ['api_key_not_found'] },

  signIn: {
    refusals: ['sign_in_failed', 'too_many_sign_ins'],
    body: { email: 'grace@bank.example', password: 'seven quiet rivers 42' },
    own: ['email', 'password'],
    signsIn: true,
  },
  useLink: {
    refusals: ['link_not_found', 'link_expired', 'weak_password', 'user_exists', 'already_member', 'too_many_sign_ins', 'passkey_required'],
    body: { secret: 'Zk3x9mUq0cVh7sT2rLwYbN5pGd8eJfA1iQoXuKvMtRB', name: 'Grace Hopper', password: 'seven quiet rivers 42' },
    own: ['secret', 'password'],
  },
  startPasskeySignIn: { refusals: ['too_many_sign_ins'] },
  signInWithPasskey: {
    refusals: ['sign_in_failed', 'too_many_sign_ins'],
    body: { credential },
    own: ['credential'],
    signsIn: true,
  },
  getSession: { refusals: [] },
  signOut: { refusals: [] },
  listSessions: { refusals: [] },
  endSession: { refusals: ['session_not_found'] },
  listSignIns: { refusals: [] },
  reauthenticate: {
    refusals: ['sign_in_failed', 'too_many_sign_ins', 'passkey_required'],
    body: { password: 'seven quiet rivers 42' },
    own: ['password'],
  },
  reauthenticateWithPasskey: { refusals: ['sign_in_failed', 'too_many_sign_ins'], body: { credential }, own: ['credential'] },
  changePassword: {
    refusals: ['weak_password'],
    body: { new_password: 'nine loud mountains 17' },
  },
  listPasskeys: { refusals: [] },
  startPasskeyRegistration: { refusals: [] },
  registerPasskey: {
    refusals: ['passkey_refused'],
    body: {
      name: 'Laptop',
      credential: { ...credential, response: { clientDataJSON: 'eyJ0eXBlIjoi…', attestationObject: 'o2NmbXRkbm9u…' } },
    },
    own: ['credential'],
  },
  removePasskey: { refusals: ['passkey_not_found'] },

  createBankKey: {
    refusals: ['key_limit', ...fourEyes],
    body: { name: 'List importer', scope: 'lists', expires_at: '2030-12-31T00:00:00Z' },
  },
  listBankKeys: { refusals: [] },
  getBankKey: { refusals: ['api_key_not_found'] },
  revokeBankKey: { refusals: ['api_key_not_found'] },

  makeSetUpLink: { refusals: ['already_set_up'] },
  getAdminKey: { refusals: [] },
  listUsers: { refusals: [] },
  getUser: { refusals: ['user_not_found'] },
  inviteBankUser: {
    refusals: ['already_member', 'bank_has_admins', ...fourEyes],
    body: { email: 'grace@bank.example', role: 'operator' },
  },
  updateUser: { refusals: ['user_not_found', 'last_admin', ...fourEyes], body: { status: 'ACTIVE' } },
  resetUser: { refusals: ['user_not_found', 'venture_has_admin', ...fourEyes] },
  endUserSessions: { refusals: ['user_not_found'] },
  listUserSignIns: { refusals: ['user_not_found'] },
  listBankInvitations: { refusals: [] },
  revokeBankInvitation: { refusals: ['link_not_found', 'link_expired'] },
  listPairs: { refusals: [] },
  clearPair: {
    refusals: ['user_not_found', 'pair_not_related', 'pair_not_yours', 'person_needed'],
    body: { one_id: ids.user_id, other_id: ids.maker_id, reason: 'Alice invited Bob two years ago, and both have worked here since.' },
    byPerson: true,
  },
  takeBackPairClearing: { refusals: ['clearing_not_found'] },
  listVentureUsers: { refusals: [] },
  getVentureUser: { refusals: ['user_not_found'] },
  inviteVentureUser: {
    refusals: ['already_member', 'venture_has_admin', ...fourEyes],
    body: { email: 'joan@acme.example', role: 'viewer' },
  },
  updateVentureUser: { refusals: ['user_not_found', ...fourEyes], body: { role: 'operator' } },
  removeVentureUser: { refusals: ['user_not_found', ...fourEyes] },
  resetVentureUser: { refusals: ['user_not_found', 'user_elsewhere', 'venture_has_admin', ...fourEyes] },
  endVentureUserSessions: { refusals: ['user_not_found', 'user_elsewhere'] },
  listVentureInvitations: { refusals: [] },
  revokeVentureInvitation: { refusals: ['link_not_found', 'link_expired'] },

  listEvents: { refusals: ['event_not_found'] },
  getEvent: { refusals: ['event_not_found'] },
  resendEvent: { refusals: ['event_not_found'] },
  listEventResends: { refusals: [...listing], query: { since_number: '0' } },

  find: { refusals: [], query: { text: 'INVOICE-2026-1001' } },
  findInAllVentures: { refusals: [], query: { text: 'INVOICE-2026-1001' } },

  getStatistics: { refusals: [] },

  listRequests: { refusals: ['request_log_off'] },
  getRequest: { refusals: ['request_not_found'] },
  listRequestsOfAllVentures: { refusals: ['request_log_off'] },
  getRequestOfAnyVenture: { refusals: ['request_not_found'] },

  registerPerson: {
    refusals: ['email_used', 'client_underage', 'reserved_to_bank', 'resource_changed', ...fourEyes],
    body: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      date_of_birth: '1990-12-10',
      nationality: 'FRA',
      birth_country: 'GBR',
      country_of_tax_residence: 'FRA',
      address: '1 rue de la Paix',
      city: 'Paris',
      postcode: '75002',
      country_code: 'FRA',
      email: 'ada@example.com',
      mobile_phone_number: '+33612345678',
      organization_id: 1,
    },
  },
  listClients: { refusals: [] },
  getClient: { refusals: ['client_not_found'] },
  updateClient: {
    refusals: ['client_not_found', 'email_used', 'identity_field_immutable', 'reserved_to_bank', ...fourEyes],
    body: { address: '2 place Bellecour', city: 'Lyon', postcode: '69002' },
  },
  submitOnboardingDetails: {
    refusals: ['client_not_found', 'onboarding_exists'],
    body: {
      account_purposes_input: ['SALARY', 'PAY_BILLS'],
      expected_monthly_incoming_volume: 'BETWEEN1001_AND5000',
      expected_monthly_outgoing_volume: 'BETWEEN1001_AND5000',
      occupation: 'ENGINEER',
      occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
      source_of_funds: 'SAVINGS_FROM_SALARY',
      is_us_person: false,
    },
  },
  getOnboardingDetails: { refusals: ['client_not_found', 'onboarding_not_found'] },
  listKycHistory: { refusals: ['client_not_found'] },
  exportClient: { refusals: ['client_not_found', 'too_many_lists'] },
  receiveKycEvent: {
    refusals: ['invalid_signature', 'kyc_event_conflict'],
    body: {
      id: 'evt-1001',
      type: 'verification.approved',
      created_at: '2026-11-15T09:30:00Z',
      client_id: ids.client_id,
      data: { risk_level: 'Low' },
    },
    isSigned: true,
  },
  listUnmatchedKycEvents: { refusals: [] },
  listConflictingKycEvents: { refusals: [] },

  createBeneficiary: {
    refusals: ['client_not_found', 'beneficiary_needs_account', 'invalid_iban', 'invalid_bic', 'invalid_routing_number', ...fourEyes],
    body: { client_id: ids.client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: otherIban },
  },
  listBeneficiaries: { refusals: [] },
  getBeneficiary: { refusals: ['beneficiary_not_found'] },
  updateBeneficiary: { refusals: ['beneficiary_not_found', ...fourEyes], body: { display: false } },

  createAccount: {
    refusals: ['client_not_found'],
    body: { client_id: ids.client_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR', daily_limit: '1000.00' },
  },
  listAccounts: { refusals: [] },
  getAccount: { refusals: ['account_not_found'] },
  updateAccount: { refusals: ['account_not_found', ...fourEyes], body: { account_name: 'Household', monthly_limit: '5000.00' } },
  activateAccount: {
    refusals: ['account_not_found', 'account_transition_not_allowed', 'compliance_pending', 'reserved_to_bank', ...fourEyes],
  },
  freezeAccount: { refusals: ['account_not_found', 'account_transition_not_allowed'] },
  closeAccount: {
    refusals: ['account_not_found', 'account_transition_not_allowed', 'account_not_empty', 'reserved_to_bank', ...fourEyes],
  },
  listEntries: { refusals: ['account_not_found'] },
  getEpcQr: { refusals: ['account_not_found', 'epc_qr_not_possible'] },
  getStatement: { refusals: ['account_not_found', 'statement_too_long', ...listing], query: { from: '2026-11-01', to: '2026-11-30' } },
  listBalances: { refusals: ['account_not_found', ...listing], query: { from: '2026-11-01', to: '2026-11-30' } },

  createMandate: {
    refusals: ['account_not_found', 'mandate_exists', 'invalid_iban', ...fourEyes],
    body: {
      account_id: ids.account_id,
      reference: 'MANDATE-1001',
      creditor_id: 'DE98ZZZ09999999999',
      scheme: 'CORE',
      sequence_type: 'RCUR',
      debtor_name: 'Charles Babbage',
      debtor_iban: otherIban,
      signed_on: '2026-11-02',
    },
  },
  listMandates: { refusals: [] },
  getMandate: { refusals: ['mandate_not_found'] },
  cancelMandate: { refusals: ['mandate_not_found', 'mandate_not_active'] },

  createTransfer: { refusals: [...ordering, 'reserved_to_bank', ...fourEyes], body: order },
  createTransfers: {
    refusals: ['bulk_refused', 'approval_required'],
    body: {
      atomic: true,
      transfers: [
        { ...order, unique_reference: 'PAYROLL-2026-11-0001' },
        { ...order, unique_reference: 'PAYROLL-2026-11-0002', debit_amount: '45.00' },
      ],
    },
  },
  dryRunTransfer: { refusals: ['account_not_found'], body: { ...order, unique_reference: 'INVOICE-2026-1002' } },
  listTransfers: { refusals: [] },
  listAccountTransfers: { refusals: ['account_not_found'] },
  getTransfer: { refusals: ['transfer_not_found'] },
  updateTransfer: {
    refusals: [
      ...moving,
      'reserved_to_bank',
      'not_yours_to_sign',
      'signer_not_allowed',
      'signature_mismatch',
      'signature_not_requested',
      ...fourEyes,
    ],
    body: { status: 'RESERVED' },
  },
  listTransferFlows: { refusals: [] },
  listTransferTransitions: { refusals: ['transfer_not_found'] },
  listTransferHistory: { refusals: ['transfer_not_found'] },
  listTransferEntries: { refusals: ['transfer_not_found'] },
  recallTransfer: {
    refusals: ['transfer_not_found', 'recall_not_possible', 'recall_pending'],
    body: { reason: 'DUPL', information: 'Sent twice by mistake' },
  },
  listRecalls: { refusals: ['transfer_not_found'] },

  verifyPayee: { refusals: ['invalid_iban'], body: { name: 'Charles Babbage', iban: otherIban } },
  getPayeeVerification: { refusals: ['payee_verification_not_found'] },
  answerPayeeRequest: { refusals: ['invalid_iban'], body: { name: 'Ada Lovelace', iban: 'LT121000011101001000' }, own: ['iban'] },

  reportInboundPayment: {
    refusals: ['inbound_payment_booked', 'transfer_method_invalid', 'balance_too_large', ...fourEyes],
    body: {
      sender: 'COBADEFFXXX',
      kind: 'pacs.008',
      tx_id: 'TX-2026-1001',
      iban: 'LT121000011101001000',
      amount: '30.00',
      currency: 'EUR',
      rail: 'SEPA',
      purpose: 'Invoice 1001',
      dr_name: 'Charles Babbage',
      dr_iban: otherIban,
    },
    own: ['iban'],
  },
  listInboundPayments: { refusals: [] },
  getInboundPayment: { refusals: ['inbound_payment_not_found'] },
  reportReturnedPayment: {
    refusals: [
      'venture_not_found',
      'transfer_not_found',
      'inbound_payment_booked',
      'settled_on_us',
      'venture_not_managed',
      'parent_invalid',
      'balance_too_large',
      ...fourEyes,
    ],
    body: {
      sender: 'COBADEFFXXX',
      kind: 'pacs.004',
      tx_id: 'TX-2026-1002',
      venture_id: ids.venture_id,
      transfer_id: ids.transfer_id,
      amount: '0.01',
    },
  },
  forceDebit: {
    refusals: [
      'venture_not_found',
      'account_not_found',
      'inbound_payment_booked',
      'venture_not_managed',
      'transfer_method_invalid',
      'parent_invalid',
      'balance_too_large',
      ...fourEyes,
    ],
    body: {
      sender: 'COBADEFFXXX',
      kind: 'chargeback',
      tx_id: 'TX-2026-1003',
      venture_id: ids.venture_id,
      account_id: ids.account_id,
      amount: '0.01',
      transfer_type: 'ADJUSTMENT',
      method: 'SEPA',
      explanation: 'The debtor asked for the direct debit back.',
    },
  },
  payOutBlockedClient: {
    refusals: [
      'account_not_found',
      'account_not_suspended',
      'beneficiary_not_found',
      'beneficiary_invalid',
      'client_sanctioned',
      'venture_not_found',
      'venture_not_managed',
      'insufficient_funds',
      'transfer_method_invalid',
      ...fourEyes,
    ],
    body: {
      venture_id: ids.venture_id,
      account_id: ids.account_id,
      beneficiary_id: ids.beneficiary_id,
      purpose: 'Balance of the closed account',
    },
  },
  listUnappliedPayments: { refusals: [] },
  getUnappliedPayment: { refusals: ['unapplied_payment_not_found'] },
  listBreaks: { refusals: [] },
  getBreak: { refusals: ['break_not_found'] },
  createNostro: {
    refusals: ['nostro_exists', ...fourEyes],
    body: { name: 'Settlement in rand', account: 'ZA1000123', bic: 'SBZAZAJJ', currency: 'ZAR', rails: ['SWIFT'], prefunding: '250000.00' },
  },
  listNostros: { refusals: [] },
  getNostro: { refusals: ['nostro_not_found'] },
  listNostroStatements: { refusals: ['nostro_not_found'] },
  listNostroEntries: { refusals: ['nostro_not_found'] },
  getReconciliation: { refusals: ['nostro_not_found', 'nostro_statement_not_found'] },
  endOfDay: { refusals: [], body: { date: '2026-11-13' } },

  createPayment: {
    refusals: ['gateway_missing'],
    body: { amount: '12.50', currency: 'EUR', ...shop, order_ref: 'ORDER-1001', description: 'Two books' },
  },
  listPayments: { refusals: [] },
  getPayment: { refusals: ['payment_not_found'] },
  cancelPayment: {
    refusals: ['payment_not_found', 'payment_transition_not_allowed', 'gateway_missing', 'payable_insufficient', ...fourEyes],
  },
  refundPayment: {
    refusals: [
      'payment_not_found',
      'payment_transition_not_allowed',
      'refund_exceeds_payment',
      'refund_exists',
      'refund_refused',
      'payable_insufficient',
      'gateway_missing',
      ...fourEyes,
    ],
    body: { amount: '0.50', external_refund_id: 'refund-1001' },
  },
  returnFromPayment: { refusals: ['payment_not_found'] },
  createPaymentLink: {
    refusals: ['gateway_missing'],
    body: { amount: '12.50', currency: 'EUR', description: 'Two books', ask_email: true, max_uses: 1, expires_at: '2030-12-31T00:00:00Z' },
  },
  listPaymentLinks: { refusals: [] },
  getPaymentLink: { refusals: ['payment_link_not_found'] },
  updatePaymentLink: { refusals: ['payment_link_not_found'], body: { active: false } },

  getBalance: { refusals: [] },
  getPayoutSettings: { refusals: [] },
  updatePayoutSettings: {
    refusals: ['account_not_found', 'account_not_active', ...fourEyes],
    body: { payout_account_id: ids.payout_account_id },
  },
  createPayout: {
    refusals: [
      'payout_account_missing',
      'nothing_to_pay_out',
      'payout_changed',
      'account_not_found',
      'account_not_active',
      'balance_too_large',
      ...fourEyes,
    ],
    body: { description: 'Card sales of November' },
  },
  listPayouts: { refusals: [] },
  getPayout: { refusals: ['payout_not_found'] },

  createWebhookEndpoint: {
    refusals: ['endpoint_limit', 'endpoint_url_refused'],
    body: { url: 'https://example.com/hooks', event_types: ['transfer.completed', 'transfer.failed'] },
  },
  listWebhookEndpoints: { refusals: [] },
  getWebhookEndpoint: { refusals: ['endpoint_not_found'] },
  updateWebhookEndpoint: { refusals: ['endpoint_not_found', 'endpoint_url_refused'], body: { description: 'The hooks of our shop' } },
  deleteWebhookEndpoint: { refusals: ['endpoint_not_found'] },
  rotateWebhookSecret: { refusals: ['endpoint_not_found'] },
  testWebhookEndpoint: { refusals: ['endpoint_not_found', 'endpoint_disabled'] },
  listWebhookDeliveries: { refusals: ['endpoint_not_found'] },
  listDeliveriesOfAllEndpoints: { refusals: [] },
  getWebhookDelivery: { refusals: ['endpoint_not_found', 'delivery_not_found'] },
  redeliverWebhook: { refusals: ['endpoint_not_found', 'delivery_not_found', 'event_not_found', 'endpoint_disabled'] },
  redeliverFailedWebhooks: { refusals: ['endpoint_not_found', 'endpoint_disabled'], body: { since: '2026-11-15T09:30:00Z' } },

  listAuditLog: { refusals: [] },
  listVentureAuditLog: { refusals: [] },
  listApprovals: { refusals: [] },
  getApproval: { refusals: ['approval_not_found'] },
  approveApproval: {
    refusals: ['approval_not_found', 'approval_not_pending', 'own_approval', 'related_approval', 'person_needed', 'resource_changed'],
    byPerson: true,
  },
  rejectApproval: {
    refusals: ['approval_not_found', 'approval_not_pending', 'person_needed'],
    body: { reason: 'The client has not answered yet.' },
    byPerson: true,
  },
  listCases: { refusals: [] },
  getCase: { refusals: ['case_not_found'] },
  assignCase: { refusals: ['case_not_found', 'case_decided', 'assignee_invalid'], body: { assignee_id: ids.assignee_id } },
  decideCase: {
    refusals: [
      'case_not_found',
      'case_decided',
      'decision_not_offered',
      'decision_details_invalid',
      'resource_changed',
      'client_mismatch',
      'client_sanctioned',
      'unapplied_payment_decided',
      'break_decided',
      'message_not_applied',
      'venture_not_managed',
      'recall_not_possible',
      'inbound_payment_booked',
      'invalid_iban',
      'account_not_found',
      'account_not_active',
      'account_not_empty',
      'beneficiary_invalid',
      ...moving,
      ...fourEyes,
    ],
    body: { decision: 'release', comment: 'The hit is another person: the date of birth differs.' },
    own: ['decision'],
  },
  getLatestSeal: { refusals: ['route_not_found'] },

  getOperatorHealth: { refusals: [] },
  listJobs: { refusals: [] },
  getJob: { refusals: ['job_not_found'] },
  retryJob: { refusals: ['job_not_found', 'job_not_dead'] },
  dropJob: { refusals: ['job_not_found', 'job_not_dead'] },
  getPolicy: { refusals: ['venture_not_found'] },
  updatePolicy: {
    refusals: ['venture_not_found', 'policy_invalid', 'policy_changed', ...fourEyes],
    body: { sign_above: '1000.00', signer: 'other', review_above: '10000.00' },
  },
  createWatchlist: { refusals: ['watchlist_name_used'], body: { name: 'eu-sanctions', format: 'OPENSANCTIONS' } },
  listWatchlists: { refusals: [] },
  getWatchlist: { refusals: ['watchlist_not_found'] },
  importWatchlistVersion: {
    refusals: ['watchlist_not_found', 'watchlist_version_exists', 'watchlist_refused'],
    files: { list: 'list.csv' },
  },
  listWatchlistVersions: { refusals: ['watchlist_not_found'] },
  activateWatchlistVersion: {
    refusals: ['watchlist_not_found', 'watchlist_version_not_found', 'watchlist_version_deleted', 'watchlist_shrunk', ...fourEyes],
    body: { force: false },
  },
  listScreenings: { refusals: ['venture_not_found'] },
  getScreening: { refusals: ['screening_not_found'] },
  listPacks: { refusals: [] },
  getPack: { refusals: ['pack_not_found'] },
  declarePackNotSent: { refusals: ['pack_not_found', 'pack_state_not_allowed', ...fourEyes] },
  listMessages: { refusals: [] },
  getMessage: { refusals: ['message_not_found'] },
  getMessageFile: { refusals: ['message_not_found'] },
  getCycles: { refusals: [], params: { rail: 'SEPA' } },
  setCycles: { refusals: [...fourEyes], params: { rail: 'SEPA' }, body: { cut_offs: ['09:00', '15:30'] } },
  getReachableBanks: { refusals: [], params: { rail: 'SEPA' } },
  setReachableBanks: { refusals: [...fourEyes], params: { rail: 'SDD' }, body: { bics: ['COBADEFF', 'DEUTDEFF'] } },
  listRates: { refusals: [] },
  setRate: {
    refusals: [...fourEyes],
    body: { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' },
  },
  listTransfersOfAllVentures: { refusals: [], query: { status: 'ON_HOLD' } },
  getTrialBalance: { refusals: [...listing] },
  startVerification: { refusals: ['verification_running'] },
  listVerificationRuns: { refusals: [] },
  getVerificationRun: { refusals: ['verification_not_found'] },

  getTestClock: { refusals: [] },
  advanceTestClock: { refusals: [], body: { advance: 'PT1H' } },
  startDemo: { refusals: ['service_not_empty', 'demo_running', 'demo_not_possible'], body: { seed: 7 } },
  getDemo: { refusals: ['demo_not_started'] },
  depositInSandbox: {
    refusals: ['account_not_found', 'account_not_active', 'balance_too_large', 'client_blocked', 'transfer_method_invalid'],
    body: { amount: '100.00' },
  },
  settleInSandbox: {
    refusals: [...moving, 'account_not_active', 'processed_by_bank', 'transfer_method_invalid'],
    body: { outcome: 'COMPLETED' },
  },
  decideSandboxVerification: { refusals: ['client_not_found', 'application_not_found'], body: { outcome: 'APPROVED' } },
  getSandboxBank: { refusals: [] },
  runSandboxCycle: { refusals: [] },
  endSandboxDay: { refusals: [] },
  payFromSandboxBank: {
    refusals: [],
    body: { iban: 'LT121000011101001000', amount: '30.00', name: 'Charles Babbage', purpose: 'Invoice 1001' },
    own: ['iban'],
  },
  debitFromSandboxBank: {
    refusals: [],
    body: { iban: 'LT121000011101001000', amount: '12.50', name: 'Gas Works', mandate_reference: 'GAS-1001' },
    own: ['iban'],
  },
  recallFromSandboxBank: {
    refusals: ['sandbox_payment_not_found', 'sandbox_payment_not_recallable'],
    body: { bank_payment_id: ids.bank_payment_id, reason: 'DUPL' },
  },
}

/** What any request can get, before or besides its operation. The contract says it once for all operations. */
export const anyRefusals = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly RefusalCode[]

/** What is never the code of a response, but appears in one: what blocks a transition, or why an order of a dry run would be refused. */
export const innerRefusals = ['too_many_streams'] as const satisfies readonly RefusalCode[]

/** What operations of a kind refuse, by what the route declares. */
const kinds: readonly { applies: (route: Facts) => boolean; refusals: readonly RefusalCode[] }[] = [
  { applies: ({ door }) => door !== 'none', refusals: ['unauthorized', 'forbidden'] },
  { applies: () => true, refusals: ['invalid_request'] },
  { applies: ({ reads, isOpen }) => !reads && !isOpen, refusals: ['malformed_body', 'body_too_large', 'unsupported_media_type'] },
  { applies: ({ isOpen }) => !isOpen, refusals: ['foreign_origin', 'console_needs_https'] },
  {
    applies: ({ door, enrols, isSensitive }) => door !== 'none' && (enrols !== true || isSensitive === true),
    refusals: ['passkey_required'],
  },
  { applies: ({ bank }) => bank?.includes('admin') === true, refusals: ['admin_key_retired'] },
  { applies: ({ orders }) => orders, refusals: ['key_seen_by_bank'] },
  { applies: ({ door }) => door === 'venture' || door === 'verifier', refusals: ['venture_not_found'] },
  { applies: ({ isSensitive }) => isSensitive === true, refusals: ['reauthentication_required'] },
  { applies: ({ creates }) => creates, refusals: ['idempotency_key_in_use', 'idempotency_key_reused'] },
  { applies: ({ keepsSecret }) => keepsSecret, refusals: ['idempotency_secret_shown'] },
  { applies: ({ isList }) => isList, refusals: listing },
  { applies: ({ door }) => door === 'venture', refusals: ['too_many_requests'] },
  { applies: ({ reads, isOpen }) => !reads && !isOpen, refusals: ['outcome_unknown'] },
]

/** `orders`: whether a key that the bank has seen may not do it. */
type Facts = Access & { isOpen: boolean; creates: boolean; keepsSecret: boolean; isList: boolean; orders: boolean }

/** All codes with which an operation can be refused, except those of any request. */
export function refusalsOf(operationId: string, config: FastifyContextConfig, schema: FastifySchema): Refusals {
  const operation = operations[operationId as OperationId]
  const row = accessOf(operationId)
  const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
  const facts: Facts = {
    ...row,
    isOpen: row.door === 'none' && row.fromConsole !== true,
    creates: config.creates !== undefined,
    keepsSecret: config.creates?.answer === 'secret',
    isList: 'limit' in properties,
    orders: isOrder(operationId, row),
  }
  const ofKind = kinds.filter(({ applies }) => applies(facts)).flatMap(({ refusals }) => refusals)
  const own = [...new Set(operation.refusals)]
  return { own, ofKind: ofKind.filter((code) => !own.includes(code)) }
}

/** Whether a key that the bank has seen may not do it, or not in every way. */
function isOrder(operationId: string, { reads, scopes }: Access): boolean {
  if (reads || scopes === undefined) return false
  return isRefusedToSeenKeys(operationId) || reservations.some(({ operation, binds }) => operation === operationId && binds === 'people')
}

type Refusals = { own: RefusalCode[]; ofKind: RefusalCode[] }

export function isForPeople({ door, venture, bank }: Access): boolean {
  return door === 'session' || venture !== undefined || bank !== undefined
}
