// Which requests are audited. Requests of people (a venture's or the bank's) and of the admin key always are; this table says when requests
// of a venture's key are as well. The service does not start if an operation that changes something has no row here.

/**
 * never: it changes nothing, or only its own session. people: not for keys. always: whoever sends it. fields: if the request contains one
 * of them.
 */
export type AuditRule = 'never' | 'people' | 'always' | { readonly fields: readonly string[] }

const limits = ['daily_limit', 'monthly_limit', 'yearly_limit']
const compliance = ['risk_level', 'kyc_note', 'blocked', 'is_blacklisted', 'blacklisted_comment']

export const auditRules: Readonly<Record<string, AuditRule>> = {
  registerVenture: 'always',
  updateVenture: 'always',
  replaceVentureKey: 'always',
  createVentureKey: 'always',
  rotateOwnKey: 'always',
  createKey: 'always',
  updateKey: 'always',
  revokeKey: 'always',

  signOut: 'never',
  endSession: 'always',
  reauthenticate: 'never',
  reauthenticateWithPasskey: 'never',
  changePassword: 'always',
  startPasskeyRegistration: 'never',
  registerPasskey: 'always',
  removePasskey: 'always',

  createBankKey: 'always',
  revokeBankKey: 'always',

  makeSetUpLink: 'always',
  inviteBankUser: 'always',
  updateUser: 'always',
  resetUser: 'always',
  endUserSessions: 'always',
  revokeBankInvitation: 'always',
  clearPair: 'always',
  takeBackPairClearing: 'always',
  inviteVentureUser: 'always',
  updateVentureUser: 'always',
  removeVentureUser: 'always',
  resetVentureUser: 'always',
  endVentureUserSessions: 'always',
  revokeVentureInvitation: 'always',

  reportInboundPayment: 'always',
  reportReturnedPayment: 'always',
  forceDebit: 'always',
  payOutBlockedClient: 'always',

  updatePolicy: 'always',
  setRate: 'always',
  createNostro: 'always',
  endOfDay: 'always',
  declarePackNotSent: 'always',
  setCycles: 'always',
  setReachableBanks: 'always',
  createWatchlist: 'always',
  importWatchlistVersion: 'always',
  activateWatchlistVersion: 'always',
  startVerification: 'always',
  retryJob: 'always',
  dropJob: 'always',

  registerPerson: 'people',
  updateClient: { fields: compliance },
  submitOnboardingDetails: 'people',
  receiveKycEvent: 'people',

  createBeneficiary: 'people',
  recallTransfer: 'people',
  updateBeneficiary: 'people',

  createAccount: 'people',
  updateAccount: { fields: limits },
  activateAccount: 'people',
  freezeAccount: 'people',
  closeAccount: 'people',

  createMandate: 'people',
  cancelMandate: 'people',

  createTransfer: 'people',
  // One entry for each transfer that was created.
  createTransfers: 'people',
  dryRunTransfer: 'never',
  verifyPayee: 'people',
  answerPayeeRequest: 'never',
  updateTransfer: 'people',

  createPayment: 'people',
  cancelPayment: 'people',
  refundPayment: 'people',
  createPaymentLink: 'people',
  updatePaymentLink: 'people',
  updatePayoutSettings: 'always',
  createPayout: 'people',

  // These create, replace and delete the secret that signs deliveries.
  createWebhookEndpoint: 'always',
  rotateWebhookSecret: 'always',
  deleteWebhookEndpoint: 'always',
  updateWebhookEndpoint: 'people',
  testWebhookEndpoint: 'people',
  redeliverWebhook: 'people',
  redeliverFailedWebhooks: 'people',
  resendEvent: 'people',

  approveApproval: 'always',
  rejectApproval: 'always',
  assignCase: 'always',
  decideCase: 'always',

  advanceTestClock: 'always',
  startDemo: 'always',
  depositInSandbox: 'people',
  settleInSandbox: 'people',
  decideSandboxVerification: 'people',
  runSandboxCycle: 'people',
  endSandboxDay: 'people',
  payFromSandboxBank: 'people',
  debitFromSandboxBank: 'people',
  recallFromSandboxBank: 'people',
}
