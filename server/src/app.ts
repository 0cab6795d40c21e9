// The HTTP application: hooks, then route modules.
import rateLimit from '@fastify/rate-limit'
import type { FastifyContextConfig, FastifyRequest, FastifySchema } from 'fastify'
import { trialBalanceRoutes } from './accounts/accounts.operator.routes.ts'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { findAccounts } from './accounts/accounts.ts'
import { keepAuditLog } from './audit/audit.hooks.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { beneficiaryRoutes } from './beneficiaries/beneficiaries.routes.ts'
import { questionRoutes } from './cases/cases.questions.routes.ts'
import { caseRoutes } from './cases/cases.routes.ts'
import { caseWorkRoutes } from './cases/cases.work.routes.ts'
import { clientRoutes } from './clients/clients.routes.ts'
import type { Config } from './config.ts'
import { accessIn, anyRefusals, isForPeople, refusalsOf } from './contract.operations.ts'
import { findRoutes } from './desk/desk.find.routes.ts'
import { deskRoutes } from './desk/desk.routes.ts'
import { statisticsRoutes } from './desk/desk.statistics.routes.ts'
import { eventRoutes } from './events/events.routes.ts'
import { eventWebhooks, exampleResources } from './events.catalogue.ts'
import { exportRoutes } from './exports/exports.routes.ts'
import { kycRoutes } from './kyc/kyc.routes.ts'
import { mandateRoutes } from './mandates/mandates.routes.ts'
import { onboardingRoutes } from './onboarding/onboarding.routes.ts'
import { findClientsOf } from './onboarding/onboarding.ts'
import { payeeRoutes } from './payees/payees.routes.ts'
import { measureVop } from './payees/vop/payees.vop.metrics.ts'
import { payPageRoutes } from './payments/checkout/payments.pages.routes.ts'
import { paymentLinkRoutes } from './payments/links/payments.links.routes.ts'
import { paymentRoutes } from './payments/payments.routes.ts'
import { payoutRoutes } from './payments/payouts/payments.payouts.routes.ts'
import { docsRoutes } from './platform/docs/docs.routes.ts'
import { describeRoutes } from './platform/docs/openapi.ts'
import { healthRoutes } from './platform/health.routes.ts'
import { exampleIds } from './platform/http/examples.ts'
import { type App, createHttp } from './platform/http/http.ts'
import type { Operations } from './platform/http/operations.ts'
import { RateLimit } from './platform/http/rate.ts'
import { serveCreations } from './platform/idempotency/idempotency.routes.ts'
import { bankId } from './platform/idempotency/idempotency.ts'
import { jobRoutes } from './platform/jobs.routes.ts'
import { measure, type Siblings } from './platform/metrics.ts'
import { serviceRoutes } from './platform/service.routes.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { dryRunRoutes } from './processing/processing.dryrun.routes.ts'
import { measureProcessing } from './processing/processing.metrics.ts'
import { measureInbox } from './rails/inbox/rails.inbox.metrics.ts'
import { railRoutes } from './rails/rails.routes.ts'
import { recallRoutes } from './rails/recalls/rails.recalls.routes.ts'
import { rateRoutes } from './rates/rates.routes.ts'
import { reconciliationRoutes } from './reconciliation/reconciliation.routes.ts'
import { keepRequestLog } from './requests/requests.hooks.ts'
import { measureRequestLog } from './requests/requests.metrics.ts'
import { requestRoutes } from './requests/requests.routes.ts'
import { sandboxBankRoutes } from './sandbox/bank/sandbox.bank.routes.ts'
import { demoReceiverRoutes, demoRoutes } from './sandbox/demo/sandbox.demo.routes.ts'
import { sandboxGatewayRoutes } from './sandbox/gateway/sandbox.gateway.ts'
import { testClockRoutes } from './sandbox/sandbox.clock.routes.ts'
import { sandboxApiRoutes, sandboxVerifierRoutes } from './sandbox/sandbox.routes.ts'
import { schemeRoutes } from './schemes/schemes.routes.ts'
import { measureScreening } from './screening/screening.metrics.ts'
import { screeningRoutes } from './screening/screening.routes.ts'
import { findGaps } from './service.gaps.ts'
import type { Services } from './services.ts'
import { statementRoutes } from './statements/statements.routes.ts'
import { factRoutes } from './transfers/facts/transfers.facts.routes.ts'
import { reportInboundPayment } from './transfers/facts/transfers.inbound.ts'
import { bulkRoutes } from './transfers/orders/transfers.bulk.routes.ts'
import { operatorTransferRoutes } from './transfers/orders/transfers.operator.routes.ts'
import { transferRoutes } from './transfers/orders/transfers.routes.ts'
import type { Key } from './transfers/transfers.ts'
import { requireAdminKey } from './users/users.adminkey.ts'
import { authenticate } from './users/users.authentication.ts'
import { bankKeyRoutes } from './users/users.bankkeys.routes.ts'
import { openBankKeys } from './users/users.bankkeys.ts'
import { ventureUserRoutes } from './users/users.members.routes.ts'
import { measureSignIns } from './users/users.metrics.ts'
import { pairRoutes } from './users/users.pairs.routes.ts'
import { passkeyRoutes } from './users/users.passkeys.routes.ts'
import { bankUserRoutes } from './users/users.routes.ts'
import { sessionRoutes } from './users/users.session.routes.ts'
import { openSessions } from './users/users.sessions.ts'
import { Throttle } from './users/users.throttle.ts'
import { Refusal } from './values/refusals.ts'
import { apiKeyRoutes } from './ventures/ventures.apikeys.routes.ts'
import { ventureRoutes } from './ventures/ventures.routes.ts'
import { findVenture, openKeyRing } from './ventures/ventures.ts'
import { measureAnchors } from './verify/verify.metrics.ts'
import { sealRoutes, verificationRoutes } from './verify/verify.routes.ts'
import { measureDeliveries } from './webhooks/webhooks.metrics.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'

const apiPrefix = '/api/v1'

/** `siblings`: the other instances of the same start. */
export async function createApp(services: Services, siblings?: Siblings): Promise<App> {
  const { config, database, log, verifier, self, console, approvals, ventures, cases } = services
  const { accounts, payees, transfers, processing, dryRuns, payments, payouts, webhooks, requests } = services
  const app = createHttp(log, { hsts: hstsOf(config), operations: services.operations })
  await describeRoutes(app, { factsOf, anyRefusals, exampleIds, webhooks: eventWebhooks, resources: exampleResources })
  const metrics = measure(app, database, siblings)
  measureDeliveries(metrics, database)
  measureProcessing(metrics, database)
  measureScreening(metrics, services.lists)
  measureRequestLog(metrics, requests)
  measureInbox(metrics, services.inbox)
  measureAnchors(metrics, services.anchors)
  measureVop(metrics, services.vop)
  const { adminApiKey, kycApiKey, metricsApiKey, sandbox, trustedProxies } = config
  const people = { database, console, approvals, adminKey: config }
  const keys = openKeyRing(database, log)
  const bankKeys = openBankKeys(database, log)
  const sessions = openSessions(database, log)
  const checkAgain = authenticate(app, {
    keys,
    bankKeys,
    sessions,
    console,
    findVenture: (id) => findVenture(database, id),
    adminApiKey,
    requireAdminKey: (operation) => requireAdminKey(database, config, operation),
    kycApiKey,
    metricsApiKey,
    passkeysRequired: config.passkeysRequired,
    sandbox,
  })
  const countMore = config.rateLimitPerMinute === undefined ? () => {} : await limitRate(app, config.rateLimitPerMinute)
  keepAuditLog(app, {
    database,
    trustedProxies,
    findClientsOf: (venture_id, ids) => findClientsOf(database, venture_id, ids),
    findHolder: async (venture_id, id) => (await findAccounts(database, [{ venture_id, id }]))[0]?.client_id,
  })
  keepRequestLog(app, requests, { prefix: `${apiPrefix}/` })
  if (config.requestLog) requests.start()
  serveCreations(app, { database, log, scopeOf })
  const throttle = new Throttle({ database, log, factor: config.signInLimitFactor, count: measureSignIns(metrics) })
  app.addHook('onClose', () => throttle.stop())

  const signingIn = {
    database,
    sessions,
    console,
    throttle,
    trustedProxies,
    sandbox,
    adminKey: config,
    fourEyes: config.fourEyes,
    passkeysRequired: config.passkeysRequired,
    hasVerifier: services.verifier.openApplication !== undefined,
  }

  await app.register(serviceRoutes, { database, metrics })
  await app.register(docsRoutes)
  await app.register(deskRoutes, { desk: services.desk, checkAgain })
  await app.register(
    async (api: App) => {
      await api.register(ventureRoutes, { ventures })
      await api.register(apiKeyRoutes, { ventures })
      await api.register(sessionRoutes, signingIn)
      await api.register(passkeyRoutes, signingIn)
      await api.register(bankKeyRoutes, { approvals })
      await api.register(bankUserRoutes, people)
      await api.register(pairRoutes, { database })
      await api.register(ventureUserRoutes, people)
      await api.register(auditRoutes, { approvals, visible: () => operationsForVentures(services.operations) })
      await api.register(caseRoutes, { cases })
      await api.register(caseWorkRoutes, { cases })
      await api.register(questionRoutes, { cases })
      await api.register(jobRoutes, { database })
      await api.register(policyRoutes, { approvals })
      await api.register(rateRoutes, { approvals })
      await api.register(schemeRoutes, { approvals, participations: services.participations })
      await api.register(railRoutes, { database, approvals })
      await api.register(recallRoutes, { recalls: services.recalls })
      await api.register(screeningRoutes, { approvals, watchlistLimit_mb: config.watchlistLimit_mb })
      await api.register(eventRoutes, { database })
      await api.register(clientRoutes, { database, approvals })
      await api.register(onboardingRoutes, { database })
      await api.register(kycRoutes, { database, verifier })
      await api.register(beneficiaryRoutes, { approvals })
      await api.register(accountRoutes, { accounts, approvals })
      await api.register(trialBalanceRoutes, { database })
      await api.register(payeeRoutes, { payees })
      await api.register(mandateRoutes, { mandates: { database, accounts }, approvals })
      await api.register(dryRunRoutes, { dryRuns })
      await api.register(transferRoutes, { accounts, transfers, approvals })
      await api.register(bulkRoutes, { transfers, approvals, countMore })
      await api.register(operatorTransferRoutes, { database })
      await api.register(statementRoutes, { statements: { database, bank: config.bank } })
      await api.register(factRoutes, { transfers, approvals })
      await api.register(reconciliationRoutes, { approvals })
      await api.register(paymentRoutes, { payments, approvals })
      await api.register(paymentLinkRoutes, { payments })
      await api.register(payoutRoutes, { payouts, approvals })
      await api.register(webhookRoutes, { webhooks })
      await api.register(exportRoutes, { database })
      await api.register(requestRoutes, { database, log: requests })
      await api.register(verificationRoutes, { database, verifications: services.verifications })
      await api.register(sealRoutes, { database })
      await api.register(findRoutes, { database })
      await api.register(healthRoutes, { metrics, findGaps: () => findGaps(services) })
      await api.register(statisticsRoutes, { database })
      if (sandbox) {
        const processNow = (transfer: Key) => processing.processNow(transfer)
        await api.register(testClockRoutes, { database })
        await api.register(sandboxApiRoutes, { database, transfers, reportInboundPayment, processNow })
        if (services.demo) await api.register(demoRoutes, { demo: services.demo })
        if (services.simulatedBank) await api.register(sandboxBankRoutes, { bank: services.simulatedBank })
      }
    },
    { prefix: apiPrefix },
  )
  const { payPageLimitPerMinute: limitPerMinute } = config
  await app.register(payPageRoutes, { payments, gatewayUrl: config.gateway?.url, limitPerMinute, trustedProxies })
  if (sandbox) {
    await app.register(sandboxVerifierRoutes, { database, publicUrl: self.publicUrl })
    await app.register(demoReceiverRoutes)
    if (config.gateway === undefined) await app.register(sandboxGatewayRoutes, { database, publicUrl: self.publicUrl })
  }
  requireOperations(services)
  return app
}

/** What two people do is asked for by operations that exist. */
function requireOperations({ operations, approvals }: Services): void {
  for (const handler of Object.values(approvals.handlers)) for (const operation of handler.operations) operations.accessOf(operation)
}

/** Browsers honour it only over https. It lasts a year, in case an installation gives up https later. */
function hstsOf({ publicUrl, consoleUrl, hstsSubdomains }: Config): string | undefined {
  if (![publicUrl, consoleUrl].some((url) => url?.startsWith('https:'))) return undefined
  return `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`
}

/** Each person has their own idempotency keys, the API keys of a venture share theirs, and so do all users of the admin key. */
function scopeOf({ venture, actor }: FastifyRequest): { venture_id: string; owner_id: string } {
  const venture_id = venture?.id ?? bankId
  return { venture_id, owner_id: actor?.kind === 'venture' ? venture_id : (actor?.id ?? bankId) }
}

/** The operations that change something on behalf of a venture, no matter who calls them. */
function operationsForVentures(operations: Operations): string[] {
  return operations
    .list()
    .filter(([, { access }]) => access.door === 'venture' && !access.reads)
    .map(([operation]) => operation)
}

/** For the contract. */
function factsOf(operationId: string, config: FastifyContextConfig, schema: FastifySchema) {
  const row = accessIn(config)
  const { door, reads, scopes, fromConsole = false } = row
  const { example = {} } = config
  const byKey = door === 'operator' || scopes !== undefined
  return { door, reads, byKey, people: isForPeople(row), fromConsole, refusals: refusalsOf(operationId, config, schema), example }
}

/**
 * Registered only if configured, because counting costs 21 % of the throughput. Returns a function that counts an admitted request as more
 * than one, so that later requests find the limit used up.
 */
async function limitRate(app: App, max: number): Promise<(request: FastifyRequest, more: number) => void> {
  const noVenture = 'no venture'
  const keyOf = (request: FastifyRequest) => request.logged?.['venture_id'] ?? noVenture
  const limit = new RateLimit(max)
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    // After authentication, before the body is read.
    hook: 'preParsing',
    keyGenerator: keyOf,
    allowList: (_request, key) => key === noVenture,
    store: class {
      incr(key: string, callback: (error: null, counted: { current: number; ttl: number }) => void): void {
        const { used, left_ms } = limit.count(key)
        callback(null, { current: used, ttl: left_ms })
      }
      // No route has a limit of its own.
      child() {
        return this
      }
    },
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) => {
      const retry_after_s = Math.ceil(ttl / 1000)
      const detail = `The limit is ${max} requests in a minute. Try again in ${retry_after_s} seconds.`
      return new Refusal('too_many_requests', { detail, retry_after_s })
    },
  })
  return (request, more) => void limit.count(keyOf(request), more)
}
