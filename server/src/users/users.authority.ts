// This table decides nothing: it is printed in docs/reserved.md, and tests compare it with the service. To change what needs two people, change the
// handlers of approvals and `approval_required` of the operation (CONTRIBUTING.md), or ventures/ventures.reserved.ts; then this table.
// What one person of the bank may do alone, what needs two, and what nobody there may do: a row for every operation that people of the bank or the
// admin key may call and that changes something. It is about MANAGED ventures and about the bank itself, with four eyes on. An operation of an OPEN
// venture is as if its venture sent it.
import type { BankOperation } from './users.access.ts'

/**
 * alone: one person may do it. together: it needs two. partly: it depends on what is asked for. never: nobody at the bank does it, or not in this way.
 * sandbox: it exists in the sandbox only.
 */
export const authorities = ['together', 'partly', 'never', 'alone', 'sandbox'] as const
export type Authority = (typeof authorities)[number]

type Row = readonly [authority: Authority, why: string]

const together = (why: string): Row => ['together', why]
const partly = (why: string): Row => ['partly', why]
const alone = (why: string): Row => ['alone', why]
const never = (why: string): Row => ['never', why]
const sandbox = (why: string): Row => ['sandbox', why]

export const authority: Readonly<Record<BankOperation, Row>> = {
  registerVenture: alone('A new venture has no client and no money.'),
  updateVenture: partly('Enabling a venture and changing its control release what was stopped. Disabling protects.'),
  replaceVentureKey: together('A new key acts for the venture.'),
  createVentureKey: together('A new key acts for the venture.'),
  createKey: together('A new key acts for the venture.'),
  updateKey: alone('It changes the name of a key and nothing that the key may do.'),
  revokeKey: alone('It protects.'),

  makeSetUpLink: alone('It works only while the bank has no admin.'),
  inviteBankUser: partly('Two people let a person into the bank. The admin key does it while the bank has too few admins.'),
  updateUser: partly('Giving a role and enabling a person need two people. Taking a role away and disabling protect.'),
  createBankKey: together('A new key acts for the bank.'),
  revokeBankKey: alone('It protects.'),
  clearPair: alone('A third admin who is related to neither clears two people. They still are two.'),
  takeBackPairClearing: alone('It protects.'),
  endUserSessions: alone('It protects.'),
  endVentureUserSessions: alone('It protects.'),
  resetUser: together('The person with the new password acts as that user.'),
  revokeBankInvitation: alone('It protects.'),
  inviteVentureUser: together('The invited person acts for the venture. It is possible only while the venture has no admin.'),
  updateVentureUser: partly('A higher role needs two people; a lower one protects.'),
  removeVentureUser: partly('It protects, but taking the last admin out needs two people.'),
  resetVentureUser: together(
    'The person with the new password acts for the venture. It is possible only while the venture has no other admin.',
  ),
  revokeVentureInvitation: alone('It protects.'),

  resendEvent: alone('It sends again what the venture was told.'),

  registerPerson: partly('Two people exempt a person from verification. All others are verified before an account is activated.'),
  updateClient: partly('Freeing a client whom the bank blocked or blacklisted and lowering a risk need two people. Blocking protects.'),
  submitOnboardingDetails: alone('It starts the verification of a client.'),

  createBeneficiary: together('It makes a later payment possible.'),
  updateBeneficiary: together('It decides whom a client finds to pay.'),

  createAccount: alone('The account can be used once its client is verified.'),
  updateAccount: partly('Raising a limit makes a larger payment possible. Lowering one protects, and names move nothing.'),
  activateAccount: partly('What the bank froze, two people activate.'),
  freezeAccount: alone('It protects.'),
  closeAccount: partly('What the bank froze, two people close.'),

  createMandate: together('With it, one person collects the money of another.'),
  cancelMandate: alone('It protects.'),

  createTransfer: together('It moves money of a client or of a payer.'),
  createTransfers: never('The bank orders one payment at a time, so that a second person sees each of them.'),
  dryRunTransfer: alone('It changes nothing.'),
  updateTransfer: partly('One person stops a transfer; two let it continue. People of the bank never sign orders of a client.'),
  recallTransfer: alone('It asks for money back.'),

  verifyPayee: alone('It moves nothing.'),
  answerPayeeRequest: alone('It moves nothing.'),

  reportInboundPayment: together('It credits an account.'),
  reportReturnedPayment: together('It credits an account.'),
  forceDebit: together('It takes money from an account.'),
  payOutBlockedClient: together('It sends money away.'),
  createNostro: together('Payments are settled on it.'),
  endOfDay: alone('It compares books and statements, and books nothing.'),

  createPayment: alone('A payer pays the venture.'),
  cancelPayment: partly("What was paid is the venture's money, and goes back to the payer. What was not paid, one person cancels."),
  refundPayment: together("It takes the venture's money."),
  createPaymentLink: alone('A payer pays the venture.'),
  updatePaymentLink: alone('A payer pays the venture.'),
  updatePayoutSettings: partly('Card money is paid out to the account that it names. One person can end payouts.'),
  createPayout: together('It moves money of the venture.'),

  createWebhookEndpoint: alone('It tells the venture what happens.'),
  updateWebhookEndpoint: alone('It tells the venture what happens.'),
  deleteWebhookEndpoint: alone('It tells the venture what happens.'),
  rotateWebhookSecret: alone('It replaces the secret that signs deliveries.'),
  testWebhookEndpoint: alone('It sends a test.'),
  redeliverWebhook: alone('It sends again what the venture was told.'),
  redeliverFailedWebhooks: alone('It sends again what the venture was told.'),

  approveApproval: alone('The approver is the second of two people.'),
  rejectApproval: alone('It protects.'),
  assignCase: alone('It says who looks at a case.'),
  decideCase: partly('Every decision but `freeze`, `confirm`, `retry` and `close` needs two people.'),

  retryJob: alone('It runs again what the service had to do anyway.'),
  dropJob: alone('It ends what the service could not do.'),
  updatePolicy: together('It says what is signed, screened and looked at.'),
  createWatchlist: alone('A list without an active version stops nothing and frees nothing.'),
  importWatchlistVersion: alone('A version counts once two people activate it.'),
  activateWatchlistVersion: together('Anybody no longer on the list is free.'),
  declarePackNotSent: together('Its payments are sent again.'),
  setCycles: together('It says when payments leave the bank.'),
  setReachableBanks: together('It says which banks payments go to.'),
  setRate: together('It says what an exchange costs.'),
  startVerification: alone('It changes nothing.'),

  advanceTestClock: sandbox('Outside the sandbox, time is real.'),
  startDemo: sandbox('It fills an empty service with invented data.'),
  depositInSandbox: sandbox('Outside the sandbox, money arrives over rails.'),
  settleInSandbox: sandbox('Outside the sandbox, the clearing system answers.'),
  decideSandboxVerification: sandbox('Outside the sandbox, the verifier decides.'),
  runSandboxCycle: sandbox('It plays the clearing system.'),
  endSandboxDay: sandbox('It plays the clearing system.'),
  payFromSandboxBank: sandbox('It plays another bank.'),
  debitFromSandboxBank: sandbox('It plays another bank.'),
  recallFromSandboxBank: sandbox('It plays another bank.'),
}

const inWords: Readonly<Record<Authority, string>> = {
  together: 'two people',
  partly: 'it depends',
  never: 'never',
  alone: 'one person',
  sandbox: 'sandbox only',
}

/** The table for the guide. */
export function authorityMarkdown(): string {
  const rows = authorities.flatMap((wanted) =>
    Object.entries(authority)
      .filter(([, [given]]) => given === wanted)
      .map(([operation, [given, why]]) => `| \`${operation}\` | ${inWords[given]} | ${why} |`),
  )
  return `## What the bank's people may do

Money of a client leaves only if the client's side has ordered it, or two people of the bank have. These are all operations that people of the bank, or
the admin key as one of their admins, may call and that change something: what one person may do alone, what needs two, and what nobody there may do.
The tables above say on what it depends. Where two people are needed, the admin key does nothing: it is not a person. All of this holds for MANAGED
ventures and for the bank itself while [four eyes](bank.md#four-eyes) are on; in place of an OPEN venture, one person acts alone.

| Operation | Needs | Why |
|---|---|---|
${rows.join('\n')}
`
}
