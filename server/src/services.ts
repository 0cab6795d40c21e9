// What routes and workers share: the database, the partners and the addresses of the service.
import { type Accounts, accountApprovals, openAccounts } from './accounts/accounts.ts'
import type { ApprovalHandler, Approvals } from './audit/audit.ts'
import { beneficiaryApprovals } from './beneficiaries/beneficiaries.ts'
import { type Cases, caseApproval, openFirstCase } from './cases/cases.ts'
import { clientApprovals } from './clients/clients.ts'
import type { Config } from './config.ts'
import { Desk } from './desk/desk.ts'
import { MessageReader } from './iso20022/iso20022.ts'
import { noVerifier } from './kyc/kyc.none.ts'
import { sandboxVerifier } from './kyc/kyc.sandbox.ts'
import type { Verifier } from './kyc/kyc.verifier.ts'
import { sumsubVerifier } from './kyc/sumsub/kyc.sumsub.ts'
import { mandateApprovals } from './mandates/mandates.ts'
import type { Payees } from './payees/payees.ts'
import { vopDirectory } from './payees/vop/payees.vop.ask.ts'
import { payeeCases } from './payees/vop/payees.vop.cases.ts'
import { VopListener } from './payees/vop/payees.vop.listener.ts'
import { routeOver } from './payees/vop/payees.vop.route.ts'
import { bpcGateway } from './payments/gateway/payments.gateway.bpc.ts'
import type { CardGateway } from './payments/gateway/payments.gateway.ts'
import { cancelApprovals } from './payments/payments.cancel.ts'
import { refundApprovals } from './payments/payments.refunds.ts'
import type { Payments } from './payments/payments.ts'
import { payoutSettingsApprovals } from './payments/payouts/payments.payouts.settings.ts'
import { type Payouts, payoutApprovals } from './payments/payouts/payments.payouts.ts'
import { Anchors } from './platform/anchors.ts'
import { now } from './platform/clock.ts'
import { share } from './platform/coalesce.ts'
import type { Database } from './platform/database/database.ts'
import { filesInDatabase } from './platform/files/files.database.ts'
import { Operations } from './platform/http/operations.ts'
import type { Logger } from './platform/log.ts'
import { findPolicies, type Policy, policyApprovals, policyOf } from './policies/policies.ts'
import { caseOpener, reviewCases } from './processing/processing.cases.ts'
import { type DryRuns, outlookOf } from './processing/processing.dryrun.ts'
import { besideRails, type Exchange, sandboxExchange, withOnUs } from './processing/processing.exchange.ts'
import { screenerOfArriving } from './processing/processing.instants.ts'
import { manualCases } from './processing/processing.manual.ts'
import { nameCases } from './processing/processing.names.ts'
import { overdueCases } from './processing/processing.overdue.ts'
import { screeningRecords } from './processing/processing.records.ts'
import type { Rescreening } from './processing/processing.rescreening.ts'
import { openScreener } from './processing/processing.screener.ts'
import { screenLeaving, type UnappliedScreening } from './processing/processing.unapplied.ts'
import { Processing, type Screener } from './processing/processing.worker.ts'
import {
  activeMandates,
  askAboutInstants,
  cameByRail,
  type Facts,
  type FileExchange,
  fileExchangeOf,
  foreseeMessage,
  Inbox,
  inboxCases,
  openApplying,
  type Recalls,
  railApprovals,
  railCases,
  returnsOf,
  Sending,
  type Sources,
  timeOutInstants,
} from './rails/rails.ts'
import { rateApprovals } from './rates/rates.ts'
import { bicsOfNostros, nostroApprovals, nostroCases, statementApplier } from './reconciliation/reconciliation.ts'
import { RequestLog } from './requests/requests.ts'
import { simulatedBic } from './sandbox/bank/sandbox.bank.answers.ts'
import { SimulatedBank } from './sandbox/bank/sandbox.bank.ts'
import { demoSizes } from './sandbox/demo/sandbox.demo.plan.ts'
import { Demo, type DemoOptions } from './sandbox/demo/sandbox.demo.ts'
import { sandboxGatewayCredentials } from './sandbox/gateway/sandbox.gateway.ts'
import { sandboxRouting } from './sandbox/sandbox.payees.ts'
import { calendarApprovals, calendarCases, Participations, participationApprovals, rails } from './schemes/schemes.ts'
import { ActiveLists, type Comparison, namesListed, provideSandboxList, watchlistApprovals } from './screening/screening.ts'
import { factApprovals } from './transfers/facts/transfers.facts.approvals.ts'
import { factCases } from './transfers/facts/transfers.facts.cases.ts'
import { factsOf } from './transfers/facts/transfers.facts.ts'
import { deliverOnUs } from './transfers/facts/transfers.onus.ts'
import { findOpenTransfer, hasBooks, openTransfers, type Transfers, transferApprovals } from './transfers/transfers.ts'
import { Console } from './users/users.browser.ts'
import { approvalPeople, bankKeyApproval, userApprovals } from './users/users.ts'
import { fromNumeric } from './values/money.ts'
import { type Registry, type Ventures, ventureApprovals } from './ventures/ventures.ts'
import { Verifications } from './verify/verify.runs.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

type Foundation = { config: Config; database: Database; log: Logger }

export type Services = Foundation & {
  verifier: Verifier
  self: Self
  console: Console
  approvals: Approvals
  /** Filled when the app registers its routes. */
  operations: Operations
  ventures: Ventures
  cases: Cases
  accounts: Accounts
  payees: Payees
  vop: Vop
  transfers: Transfers
  participations: Participations
  lists: ActiveLists
  rescreening: Rescreening
  processing: Processing
  /** Files that are exchanged with the clearing system. Without an exchange, payments wait, or use the sandbox's small one. */
  files: FileExchange | undefined
  messages: MessageReader
  sending: Sending
  /** Without an exchange, nothing arrives. */
  inbox: Inbox | undefined
  facts: Facts
  unapplied: UnappliedScreening
  recalls: Recalls
  dryRuns: DryRuns
  webhooks: Webhooks
  payments: Payments
  payouts: Payouts
  requests: RequestLog
  anchors: Anchors
  desk: Desk
  verifications: Verifications
  /** The clearing system and all other banks; only in the sandbox. */
  simulatedBank: SimulatedBank | undefined
  /** Fills an empty service; only in the sandbox. */
  demo: Demo | undefined
}

/** Verification of payees with other banks. `listener`: for their questions. `clientExpires_at`: when the certificate for ours expires. */
export type Vop = { listener: VopListener | undefined; clientExpires_at: Date | undefined }

/** The addresses of the service. They are final only once it listens, because the system may choose the port. */
export type Self = {
  /** For requests from the service to itself. */
  url(): string
  /** For callers from outside. */
  publicUrl(): string
  listensOn(url: string): void
}

/** For tests. `screener`: compares parties with the watch lists. `files`: the exchange with the clearing system; null for none. */
type Replacements = { screener?: Screener | undefined; files?: FileExchange | null | undefined }

export function openServices({ config, database, log, screener, ...replaced }: Foundation & Replacements): Services {
  const self = selfOf(config)
  const console = new Console(() => config.consoleUrl ?? self.publicUrl())
  const participations = new Participations({ database, carriesOthers: config.sandbox })
  const transfers = openTransfers(database, config.bank, openFirstCase, participations)
  const accounts = openAccounts(database, config.bank, findOpenTransfer)
  const registry: Registry = {
    database,
    keyKind: config.sandbox ? 'test' : 'live',
    defaultControl: config.defaultControl,
    mayManage: config.sandbox || config.fourEyes,
    books: { exist: hasBooks },
  }
  const payments: Payments = {
    database,
    log,
    transfers,
    gateway: gatewayOf(config, self, log),
    publicUrl: self.publicUrl,
    sandbox: config.sandbox,
    refreshing: new Map(),
  }
  const payouts: Payouts = { database, log, transfers, policyOf }
  const operations = new Operations()
  const approvals: Approvals = {
    database,
    fourEyes: config.fourEyes,
    handlers: byAction([
      ...ventureApprovals(registry),
      ...userApprovals({ database, console }),
      bankKeyApproval(database),
      caseApproval(() => cases),
      ...policyApprovals(database),
      ...clientApprovals(database),
      ...beneficiaryApprovals(database),
      ...mandateApprovals({ database, accounts }),
      ...rateApprovals(database),
      ...watchlistApprovals(database),
      ...accountApprovals(accounts),
      ...transferApprovals(transfers),
      ...factApprovals(transfers),
      ...refundApprovals(payments),
      ...cancelApprovals(payments),
      ...payoutApprovals(payouts),
      ...payoutSettingsApprovals(payouts),
      ...nostroApprovals(database),
      ...railApprovals(database),
      ...participationApprovals(database),
      ...calendarApprovals(database),
    ]),
    people: approvalPeople(operations),
  }
  const prepare = config.sandbox ? { prepare: () => provideSandboxList(database) } : {}
  const lists = new ActiveLists({ database, log, ...prepare })
  const comparison: Comparison = { database, lists, countries: new Set(config.screenedCountries) }
  const openCaseFor = caseOpener(transfers)
  const parties = screener ?? openScreener(database, comparison)
  const simulatedBank = config.sandbox ? new SimulatedBank({ database, log, bank: config.bank }) : undefined
  const configured = replaced.files === undefined ? (fileExchangeOf(config.railsExchange) ?? simulatedBank) : replaced.files
  const files = configured ?? undefined
  const exchange = exchangeOf(config, transfers, files, log)
  const allowedSenders = sendersOf(config, database, files === simulatedBank)
  const messages = new MessageReader()
  const sources: Sources = {
    mandatesOf: (collections) => activeMandates(database, collections),
    returnsOf: (returns) => returnsOf({ database, transfers }, returns),
  }
  const sending = new Sending({
    database,
    transfers,
    exchange: files,
    reader: messages,
    log,
    now,
    answer_ms: config.railsAnswer_h * hour_ms,
    timeoutsOf: (ventures) => timeoutsOf(database, ventures),
    sources,
  })
  const facts: Facts = factsOf(transfers)
  const creditBound = config.railsCreditBound === undefined ? undefined : fromNumeric(config.railsCreditBound)
  const applying = openApplying({
    database,
    transfers,
    facts,
    creditBound,
    log,
    instant: config.railsInstant,
    screenArriving: parties.screenArriving ?? screenerOfArriving(database, comparison),
    clock: { off: 0 },
  })
  const unapplied: UnappliedScreening = {
    database,
    screener: parties,
    getUnapplied: facts.getUnapplied,
    returnUnapplied: facts.returnUnapplied,
    cameByRail: (key) => cameByRail(database, key),
  }
  const inbox =
    files &&
    new Inbox({
      ...applying,
      exchange: files,
      reader: messages,
      applyStatement: statementApplier(database),
      allowedSenders,
      also: async () => {
        await timeOutInstants({ database, transfers, log, timeoutsOf: (ventures) => timeoutsOf(database, ventures) })
        await askAboutInstants({ database, transfers, log })
      },
    })
  const processing = new Processing({
    database,
    transfers,
    log,
    screener: parties,
    exchange,
    openCaseFor,
  })
  const via = config.vopVia && routeOver(config.vopVia)
  const route = via?.route ?? (config.sandbox ? sandboxRouting : undefined)
  const handlers = {
    ...factCases(
      transfers,
      (waiting) => processing.screenWaiting(waiting),
      (payment, about) => screenLeaving(unapplied, payment, about),
    ),
    ...reviewCases(transfers, screeningRecords(database)),
    ...nameCases(database),
    ...manualCases(transfers),
    ...overdueCases(database),
    ...nostroCases(database),
    ...railCases(database),
    ...payeeCases(database),
    ...calendarCases(database),
    ...inboxCases({ ...applying, reader: messages, allowedSenders }),
  }
  const storedFiles = filesInDatabase(database)
  const cases: Cases = { database, approvals, handlers, files: storedFiles, namesListed }
  const processNow = async () => {
    await processing.runDue()
    await sending.runDue()
    await simulatedBank?.cycle()
    await inbox?.runDue()
  }
  return {
    config,
    database,
    log,
    self,
    console,
    approvals,
    operations,
    ventures: { ...registry, approvals },
    cases,
    verifier: verifierOf(config, self),
    accounts,
    payees: { database, log, bank: config.bank, directory: route && vopDirectory({ database, bic: config.bank.bic, route }) },
    vop: {
      listener: config.vopListen && new VopListener({ database, log, listen: config.vopListen }),
      clientExpires_at: via?.expires_at,
    },
    transfers,
    participations,
    lists,
    rescreening: { database, transfers, comparison },
    processing,
    files,
    messages,
    sending,
    inbox,
    facts,
    unapplied,
    recalls: { database, transfers },
    dryRuns: {
      database,
      transfers,
      outlook: outlookOf(database, parties),
      exchange,
      foresee: (transfer, at) => foreseeMessage({ database, participations, sources }, transfer, at),
    },
    payments,
    payouts,
    webhooks: { database, allowPrivate: config.webhookAllowPrivateNetwork },
    requests: new RequestLog({ database, log }),
    anchors: new Anchors({ file: config.anchorFile, log, sandbox: config.sandbox }),
    desk: new Desk({ database, log, config }),
    verifications: new Verifications({ database, log }),
    simulatedBank,
    demo: config.sandbox
      ? new Demo({ ...demoOptions(config), database, log, origin: () => console.origin, url: self.url, processNow, sending })
      : undefined,
  }
}

/** What the demo bank needs from the settings. Without the stand-ins of the sandbox, it would need real partners. */
function demoOptions(config: Config): Pick<DemoOptions, 'size' | 'adminKey' | 'obstacle'> {
  const obstacles: Record<string, boolean> = {
    'ADMIN_API_KEY must be set': config.adminApiKey === undefined,
    'FOUR_EYES must be off': config.fourEyes,
    'VERIFIER must be sandbox': config.verifier !== 'sandbox',
    'GATEWAY_URL must not be set': config.gateway !== undefined,
    'RAILS_EXCHANGE must not be set': config.railsExchange !== undefined,
    'RATE_LIMIT_PER_MINUTE must not be set': config.rateLimitPerMinute !== undefined,
    'WEBHOOK_ALLOW_PRIVATE_NETWORK must be true': !config.webhookAllowPrivateNetwork,
  }
  const found = Object.keys(obstacles).filter((words) => obstacles[words])
  return {
    size: demoSizes[config.demoSize],
    adminKey: config.adminApiKey,
    obstacle: found.length === 0 ? undefined : `${found.join(', and ')}.`,
  }
}

function byAction(handlers: readonly ApprovalHandler[]): Record<string, ApprovalHandler> {
  const record = Object.fromEntries(handlers.map((handler) => [handler.action, handler]))
  if (Object.keys(record).length < handlers.length) throw new Error('two handlers carry out the same action')
  return record
}

function selfOf({ host, port, publicUrl }: Config): Self {
  let url = `http://${host}:${port}`
  return {
    url: () => url,
    publicUrl: () => (port === 0 ? url : publicUrl),
    listensOn(listening) {
      url = listening
    },
  }
}

function verifierOf({ verifier, sandbox, sumsub, kycApiKey = '', kycWebhookSecrets }: Config, self: Self): Verifier {
  if (verifier === 'sumsub') return sumsubVerifier(sumsub)
  if (!sandbox) return noVerifier({ webhookSecrets: kycWebhookSecrets })
  return sandboxVerifier({ url: self.url, apiKey: kycApiKey, webhookSecrets: kycWebhookSecrets })
}

/** The configured gateway, or the sandbox's, or none. */
function gatewayOf({ gateway, sandbox }: Config, self: Self, log: Logger): CardGateway | undefined {
  const onTrouble = oncePerMinute((operation, reason) => log.warn({ operation, reason }, 'the card gateway gave no clear answer'))
  if (gateway !== undefined) return bpcGateway({ ...gateway, url: () => gateway.url, onTrouble })
  return sandbox ? bpcGateway({ ...sandboxGatewayCredentials, url: () => `${self.url()}/sandbox/gateway`, onTrouble }) : undefined
}

/** Rails send what they can. In the sandbox, other banks confirm everything else that they are sent; elsewhere it waits. */
function exchangeOf({ sandbox }: Config, transfers: Transfers, files: FileExchange | undefined, log: Logger): Exchange {
  const small = sandbox ? sandboxExchange : undefined
  return withOnUs((payment) => deliverOnUs(transfers, payment), files === undefined ? small : besideRails(rails, small), log)
}

/** Whose messages are accepted: the simulated bank's, those of the banks in a setting, or those of the banks that hold the nostros. */
function sendersOf({ railsSenders }: Config, database: Database, isSimulated: boolean): () => Promise<readonly string[]> {
  if (isSimulated) return async () => [simulatedBic]
  if (railsSenders !== undefined) return async () => railsSenders
  // Many files are read at once.
  const shared = share(() => bicsOfNostros(database), { wait_ms: database.limits.answer_ms })
  return async () => (await shared()) ?? []
}

const hour_ms = 3_600_000

/** What the bank has agreed with each venture about instant payments that get no answer. */
async function timeoutsOf(database: Database, ventures: readonly string[]): Promise<Map<string, Policy['instant_timeout']>> {
  const policies = await findPolicies(database, ventures)
  return new Map([...policies].map(([venture_id, { instant_timeout }]) => [venture_id, instant_timeout]))
}

type Report = (operation: string, reason: string) => void

const pause_ms = 60_000

/** Reports the same problem at most once a minute, because every open payment is refreshed while the gateway is down. */
function oncePerMinute(report: Report): Report {
  const reported = new Map<string, number>()
  return (operation, reason) => {
    const key = `${operation}: ${reason}`
    const now = performance.now()
    if (now - (reported.get(key) ?? Number.NEGATIVE_INFINITY) < pause_ms) return
    if (reported.size > 100) reported.clear()
    reported.set(key, now)
    report(operation, reason)
  }
}
