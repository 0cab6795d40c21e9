// What a key may do that the bank has seen. The bank sees the keys that it makes for a venture, and could use them. So in a MANAGED venture, outside
// the sandbox, such a key may read and set up, but neither order money nor make a later order possible. An admin of the venture makes the keys that may.
import type { access } from './users.access.ts'

type Rows = typeof access

/** What the key of a venture may change. */
export type ChangeByKey = {
  [Name in keyof Rows]: Rows[Name] extends { reads: false; scopes: readonly string[] | string } ? Name : never
}[keyof Rows]

/** A condition says which requests are refused. */
type Rule = 'allowed' | 'refused' | ((body: Readonly<Record<string, unknown>>) => boolean)

const limits = ['daily_limit', 'monthly_limit', 'yearly_limit'] as const

const rules: Readonly<Record<ChangeByKey, Rule>> = {
  createTransfer: 'refused',
  createTransfers: 'refused',
  // The same key may cancel and hold.
  updateTransfer: ({ status }) => status === 'SIGNED',
  createBeneficiary: 'refused',
  updateBeneficiary: 'refused',
  createMandate: 'refused',
  refundPayment: 'refused',
  createPayout: 'refused',
  updatePayoutSettings: 'refused',
  updateAccount: (body) => limits.some((limit) => body[limit] !== undefined),

  dryRunTransfer: 'allowed',
  verifyPayee: 'allowed',
  cancelMandate: 'allowed',
  recallTransfer: 'allowed',

  registerPerson: 'allowed',
  updateClient: 'allowed',
  submitOnboardingDetails: 'allowed',
  receiveKycEvent: 'allowed',
  createAccount: 'allowed',
  activateAccount: 'allowed',
  freezeAccount: 'allowed',
  closeAccount: 'allowed',

  createPayment: 'allowed',
  cancelPayment: 'allowed',
  createPaymentLink: 'allowed',
  updatePaymentLink: 'allowed',

  // What is made with such a key counts as seen, too.
  createKey: 'allowed',
  rotateOwnKey: 'allowed',
  updateKey: 'allowed',
  revokeKey: 'allowed',

  createWebhookEndpoint: 'allowed',
  updateWebhookEndpoint: 'allowed',
  deleteWebhookEndpoint: 'allowed',
  rotateWebhookSecret: 'allowed',
  testWebhookEndpoint: 'allowed',
  redeliverWebhook: 'allowed',
  redeliverFailedWebhooks: 'allowed',
  resendEvent: 'allowed',

  depositInSandbox: 'allowed',
  settleInSandbox: 'allowed',
  decideSandboxVerification: 'allowed',
}

/** Undefined for what changes nothing, or cannot be done with a key. */
export function ruleForSeenKeys(operationId: string): Rule | undefined {
  return (rules as Readonly<Record<string, Rule>>)[operationId]
}
