// Who may call which operation: one row for each. A route without a row is refused when it is registered, and a guard finds rows without a
// route.
import type { Door } from '../platform/http/http.ts'
import type { Scope } from '../ventures/ventures.ts'

export const bankRoles = ['admin', 'operator', 'auditor'] as const
export type BankRole = (typeof bankRoles)[number]

/** What a key of the bank may be used for: each does one thing. */
export const bankKeyScopes = ['payees', 'lists', 'metrics'] as const
export type BankKeyScope = (typeof bankKeyScopes)[number]

/** From the one with the most rights to the one with the least. */
export const ventureRoles = ['admin', 'operator', 'viewer'] as const
export type VentureRole = (typeof ventureRoles)[number]

/** Whether a role in a venture gives more rights than another. */
export function isAbove(role: VentureRole, other: VentureRole): boolean {
  return ventureRoles.indexOf(role) < ventureRoles.indexOf(other)
}

export type Access = {
  door: Door
  /** Whether it changes nothing. */
  reads: boolean
  /** What a venture's key needs: any one of these scopes, all scopes, or just to be valid. Without it, no key may call the operation. */
  scopes?: readonly Scope[] | 'all' | 'any'
  /** Roles of people of the venture. */
  venture?: readonly VentureRole[]
  /** Roles of people of the bank. The admin key counts as an admin. */
  bank?: readonly BankRole[]
  /** The scope with which a key of the bank may call it. */
  bankKey?: BankKeyScope
  /** A person must have proved who they are within the last minutes, with a passkey if they have one. */
  isSensitive?: boolean
  /** Makes keys, people, endpoints or payments: whose role in a venture allows that needs a passkey. */
  empowers?: boolean
  /** Needs no passkey of anybody: it leads to one, says who is signed in, or ends the session. */
  enrols?: boolean
  /** Open to everybody, but only from the console. */
  fromConsole?: boolean
}

type Area = Exclude<Scope, 'sign' | 'read'>

// Whether a row changes something, and whether the bank's people may call it, is in its type: users.authority.ts is complete because of that.
type Reading = Access & { reads: true }
type Changing = Access & { reads: false }
type AtBank = { bank: readonly BankRole[] }

const reads = (area: Area): Reading & AtBank => ({
  door: 'venture',
  reads: true,
  scopes: area === 'transfers' ? [area, 'sign', 'read'] : [area, 'read'],
  venture: ventureRoles,
  bank: bankRoles,
})

/** What a key of the venture may change. */
type ByKey = Changing & AtBank & { scopes: NonNullable<Access['scopes']> }

const changes = (area: Area): ByKey => ({
  door: 'venture',
  reads: false,
  scopes: [area],
  venture: ['admin', 'operator'],
  bank: ['admin', 'operator'],
})

/** Secrets of a venture: keys, and what signs its webhooks. */
const secretsOf = (access: ByKey): ByKey => ({ ...access, venture: ['admin'], bank: ['admin'], isSensitive: true })

const readsAtBank: Reading & AtBank = { door: 'operator', reads: true, bank: bankRoles }
const readsLists: Reading & AtBank = { ...readsAtBank, bankKey: 'lists' }
const changesAtBank: Changing & AtBank = { door: 'operator', reads: false, bank: ['admin', 'operator'] }
const adminAtBank: Changing & AtBank = { door: 'operator', reads: false, bank: ['admin'] }
const adminOfVenture: Changing & AtBank = { door: 'venture', reads: false, venture: ['admin'], bank: ['admin'] }
const keysOfVenture = secretsOf({ ...adminOfVenture, scopes: 'all' })
const readsOfVenture: Reading & AtBank = { door: 'venture', reads: true, venture: ventureRoles, bank: bankRoles }
const anybody: Changing = { door: 'none', reads: false }
const fromConsole: Changing = { door: 'none', reads: false, fromConsole: true }
const themselves: Changing = { door: 'session', reads: false }

const sensitive = <Row extends Access>(access: Row): Row => ({ ...access, isSensitive: true })
const empowering = <Row extends Access>(access: Row): Row => ({ ...access, empowers: true })
const enrolling = <Row extends Access>(access: Row): Row => ({ ...access, enrols: true })

export const access = {
  getHealth: anybody,
  getReadiness: anybody,
  getMetrics: { ...readsAtBank, door: 'monitor', bankKey: 'metrics' },

  registerVenture: sensitive(adminAtBank),
  listVentures: readsAtBank,
  getVenture: readsAtBank,
  updateVenture: adminAtBank,
  replaceVentureKey: sensitive(adminAtBank),
  createVentureKey: sensitive(adminAtBank),
  getOwnVenture: { ...readsOfVenture, scopes: 'any' },
  rotateOwnKey: { door: 'venture', reads: false, scopes: 'any' },
  createKey: empowering(keysOfVenture),
  listKeys: { ...readsOfVenture, venture: ['admin', 'operator'], scopes: 'all' },
  getKey: { ...readsOfVenture, venture: ['admin', 'operator'], scopes: 'all' },
  updateKey: keysOfVenture,
  revokeKey: { ...keysOfVenture, isSensitive: false },

  signIn: fromConsole,
  useLink: fromConsole,
  startPasskeySignIn: fromConsole,
  signInWithPasskey: fromConsole,
  getSession: enrolling({ ...themselves, reads: true }),
  signOut: enrolling(themselves),
  listSessions: { ...themselves, reads: true },
  endSession: themselves,
  reauthenticate: enrolling(themselves),
  reauthenticateWithPasskey: enrolling(themselves),
  changePassword: sensitive(themselves),
  listPasskeys: { ...themselves, reads: true },
  startPasskeyRegistration: enrolling(sensitive(themselves)),
  registerPasskey: enrolling(sensitive(themselves)),
  removePasskey: sensitive(themselves),

  createBankKey: sensitive(adminAtBank),
  listBankKeys: readsAtBank,
  getBankKey: readsAtBank,
  revokeBankKey: adminAtBank,

  makeSetUpLink: sensitive(adminAtBank),
  getAdminKey: readsAtBank,
  listUsers: readsAtBank,
  getUser: readsAtBank,
  inviteBankUser: sensitive(adminAtBank),
  updateUser: sensitive(adminAtBank),
  resetUser: sensitive(adminAtBank),
  endUserSessions: adminAtBank,
  listBankInvitations: readsAtBank,
  revokeBankInvitation: adminAtBank,
  listPairs: readsAtBank,
  clearPair: sensitive(adminAtBank),
  takeBackPairClearing: adminAtBank,
  listVentureUsers: readsOfVenture,
  getVentureUser: readsOfVenture,
  inviteVentureUser: empowering(sensitive(adminOfVenture)),
  updateVentureUser: empowering(sensitive(adminOfVenture)),
  removeVentureUser: adminOfVenture,
  resetVentureUser: empowering(sensitive(adminOfVenture)),
  endVentureUserSessions: adminOfVenture,
  listVentureInvitations: readsOfVenture,
  revokeVentureInvitation: adminOfVenture,

  streamChanges: readsOfVenture,
  listEvents: reads('webhooks'),
  getEvent: reads('webhooks'),
  resendEvent: changes('webhooks'),
  listEventResends: reads('webhooks'),

  registerPerson: changes('clients'),
  listClients: reads('clients'),
  getClient: reads('clients'),
  updateClient: changes('clients'),
  submitOnboardingDetails: changes('clients'),
  getOnboardingDetails: reads('clients'),
  listKycHistory: reads('clients'),
  // It has data of all areas.
  exportClient: { ...readsOfVenture, scopes: ['read'] },
  receiveKycEvent: { door: 'verifier', reads: false, scopes: ['clients'] },
  listUnmatchedKycEvents: readsAtBank,
  listConflictingKycEvents: readsAtBank,

  createBeneficiary: changes('transfers'),
  listBeneficiaries: reads('transfers'),
  getBeneficiary: reads('transfers'),
  updateBeneficiary: changes('transfers'),

  createAccount: changes('accounts'),
  listAccounts: reads('accounts'),
  getAccount: reads('accounts'),
  updateAccount: changes('accounts'),
  activateAccount: changes('accounts'),
  freezeAccount: changes('accounts'),
  closeAccount: changes('accounts'),
  listEntries: reads('accounts'),
  getEpcQr: reads('accounts'),
  getStatement: reads('accounts'),
  listBalances: reads('accounts'),

  createMandate: changes('transfers'),
  listMandates: reads('transfers'),
  getMandate: reads('transfers'),
  cancelMandate: changes('transfers'),

  createTransfer: empowering(changes('transfers')),
  createTransfers: empowering(changes('transfers')),
  dryRunTransfer: changes('transfers'),
  listTransfers: reads('transfers'),
  listAccountTransfers: reads('transfers'),
  getTransfer: reads('transfers'),
  // The status in the body decides which of the two scopes is needed.
  updateTransfer: { ...changes('transfers'), scopes: ['transfers', 'sign'] },
  listTransferFlows: reads('transfers'),
  listTransferTransitions: reads('transfers'),
  listTransferHistory: reads('transfers'),
  listTransferEntries: reads('transfers'),
  recallTransfer: changes('transfers'),
  listRecalls: reads('transfers'),

  verifyPayee: changes('transfers'),
  getPayeeVerification: reads('transfers'),
  answerPayeeRequest: { ...changesAtBank, bankKey: 'payees' },

  reportInboundPayment: changesAtBank,
  listInboundPayments: readsAtBank,
  getInboundPayment: readsAtBank,
  reportReturnedPayment: changesAtBank,
  forceDebit: changesAtBank,
  payOutBlockedClient: changesAtBank,
  listUnappliedPayments: readsAtBank,
  getUnappliedPayment: readsAtBank,
  listBreaks: readsAtBank,
  getBreak: readsAtBank,
  createNostro: adminAtBank,
  listNostros: readsAtBank,
  getNostro: readsAtBank,
  listNostroStatements: readsAtBank,
  listNostroEntries: readsAtBank,
  getReconciliation: readsAtBank,
  endOfDay: changesAtBank,

  createPayment: empowering(changes('payments')),
  listPayments: reads('payments'),
  getPayment: reads('payments'),
  cancelPayment: changes('payments'),
  refundPayment: empowering(changes('payments')),
  returnFromPayment: anybody,
  createPaymentLink: empowering(changes('payments')),
  listPaymentLinks: reads('payments'),
  getPaymentLink: reads('payments'),
  updatePaymentLink: changes('payments'),

  getBalance: reads('payments'),
  getPayoutSettings: reads('payments'),
  updatePayoutSettings: { ...changes('payments'), venture: ['admin'], bank: ['admin'] },
  createPayout: empowering(changes('payments')),
  listPayouts: reads('payments'),
  getPayout: reads('payments'),

  createWebhookEndpoint: empowering(secretsOf(changes('webhooks'))),
  listWebhookEndpoints: reads('webhooks'),
  getWebhookEndpoint: reads('webhooks'),
  updateWebhookEndpoint: changes('webhooks'),
  deleteWebhookEndpoint: changes('webhooks'),
  rotateWebhookSecret: secretsOf(changes('webhooks')),
  testWebhookEndpoint: changes('webhooks'),
  listWebhookDeliveries: reads('webhooks'),
  listDeliveriesOfAllEndpoints: reads('webhooks'),
  getWebhookDelivery: reads('webhooks'),
  redeliverWebhook: changes('webhooks'),
  redeliverFailedWebhooks: changes('webhooks'),

  find: { ...readsOfVenture, scopes: 'any' },
  findInAllVentures: readsAtBank,
  getStatistics: { ...readsOfVenture, scopes: ['read'] },

  listRequests: { ...readsOfVenture, scopes: ['read'] },
  getRequest: { ...readsOfVenture, scopes: ['read'] },
  listRequestsOfAllVentures: readsAtBank,
  getRequestOfAnyVenture: readsAtBank,

  listAuditLog: readsAtBank,
  listVentureAuditLog: { ...readsOfVenture, venture: ['admin'] },
  listApprovals: readsAtBank,
  getApproval: readsAtBank,
  approveApproval: sensitive(changesAtBank),
  rejectApproval: sensitive(changesAtBank),
  listCases: readsAtBank,
  getCase: readsAtBank,
  assignCase: changesAtBank,
  decideCase: changesAtBank,
  getLatestSeal: readsAtBank,

  getOperatorHealth: readsAtBank,
  listJobs: readsAtBank,
  getJob: readsAtBank,
  retryJob: changesAtBank,
  dropJob: changesAtBank,
  getPolicy: readsAtBank,
  updatePolicy: adminAtBank,
  createWatchlist: adminAtBank,
  listWatchlists: readsLists,
  getWatchlist: readsLists,
  importWatchlistVersion: { ...changesAtBank, bankKey: 'lists' },
  listWatchlistVersions: readsLists,
  activateWatchlistVersion: adminAtBank,
  listScreenings: readsAtBank,
  getScreening: readsAtBank,
  listPacks: readsAtBank,
  getPack: readsAtBank,
  declarePackNotSent: changesAtBank,
  listMessages: readsAtBank,
  getMessage: readsAtBank,
  getMessageFile: readsAtBank,
  getCycles: readsAtBank,
  setCycles: changesAtBank,
  getReachableBanks: readsAtBank,
  setReachableBanks: changesAtBank,
  listRates: readsAtBank,
  setRate: adminAtBank,
  listTransfersOfAllVentures: readsAtBank,
  getTrialBalance: readsAtBank,
  startVerification: changesAtBank,
  listVerificationRuns: readsAtBank,
  getVerificationRun: readsAtBank,

  getTestClock: readsAtBank,
  advanceTestClock: adminAtBank,
  startDemo: adminAtBank,
  getDemo: readsAtBank,
  depositInSandbox: changes('transfers'),
  settleInSandbox: changes('transfers'),
  decideSandboxVerification: changes('clients'),
  getSandboxBank: readsAtBank,
  runSandboxCycle: changesAtBank,
  endSandboxDay: changesAtBank,
  payFromSandboxBank: changesAtBank,
  debitFromSandboxBank: changesAtBank,
  recallFromSandboxBank: changesAtBank,
} as const satisfies Record<string, Access>

/** The operations that change something and that people of the bank may call. The admin key counts as an admin of the bank. */
export type BankOperation = {
  [Name in keyof typeof access]: (typeof access)[Name] extends { reads: false; bank: readonly BankRole[] } ? Name : never
}[keyof typeof access]

/** Whoever has one of these roles in any venture needs a passkey, and so does everybody at the bank. */
export const rolesWithPasskey: readonly VentureRole[] = ventureRoles.filter((role) =>
  Object.values<Access>(access).some(({ empowers = false, venture = [] }) => empowers && venture.includes(role)),
)

/** Whether somebody whose key has these scopes may call an operation. People of the venture and of the bank have none, and may read everything. */
export function maySee(operation: keyof typeof access, scopes: readonly Scope[] | undefined): boolean {
  const { scopes: needed = [] }: Access = access[operation]
  return scopes === undefined || (typeof needed !== 'string' && needed.some((scope) => scopes.includes(scope)))
}

export function accessOf(operationId: string): Access {
  const row = (access as Record<string, Access>)[operationId]
  if (row === undefined) throw new Error(`the operation ${operationId} has no row: add one to users.access.ts`)
  return row
}
