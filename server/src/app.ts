// The HTTP application: hooks, then route modules.
import rateLimit from '@fastify/rate-limit'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { beneficiaryRoutes } from './beneficiaries/beneficiaries.routes.ts'
import { clientRoutes } from './clients/clients.routes.ts'
import { eventRoutes } from './events/events.routes.ts'
import { kycRoutes } from './kyc/kyc.routes.ts'
import { onboardingRoutes } from './onboarding/onboarding.routes.ts'
import { payPageRoutes } from './payments/checkout/payments.pages.routes.ts'
import { paymentLinkRoutes } from './payments/links/payments.links.routes.ts'
import { paymentRoutes } from './payments/payments.routes.ts'
import { docsRoutes } from './platform/docs/docs.routes.ts'
import { type App, createHttp } from './platform/http/http.ts'
import { describeRoutes } from './platform/http/openapi.ts'
import { serviceRoutes } from './platform/http/service.routes.ts'
import { serveCreations } from './platform/idempotency/idempotency.routes.ts'
import { bankId } from './platform/idempotency/idempotency.ts'
import { measure } from './platform/metrics.ts'
import { sandboxGatewayRoutes } from './sandbox/gateway/sandbox.gateway.ts'
import { sandboxApiRoutes, sandboxVerifierRoutes } from './sandbox/sandbox.routes.ts'
import type { Services } from './services.ts'
import { transferRoutes } from './transfers/transfers.routes.ts'
import { Refusal } from './values/refusals.ts'
import { authenticate } from './ventures/ventures.authentication.ts'
import { ventureRoutes } from './ventures/ventures.routes.ts'
import { measureDeliveries } from './webhooks/webhooks.metrics.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'

export async function createApp({
  config,
  database,
  log,
  verifier,
  self,
  accounts,
  transfers,
  payments,
  webhooks,
}: Services): Promise<App> {
  const app = createHttp(log)
  await describeRoutes(app)
  const metrics = measure(app, database)
  measureDeliveries(metrics, database)
  authenticate(app, { database, adminApiKey: config.adminApiKey, kycApiKey: config.kycApiKey })
  if (config.rateLimitPerMinute !== undefined) await limitRate(app, config.rateLimitPerMinute)
  serveCreations(app, { database, log, ventureOf: ({ venture }) => venture?.id ?? bankId })
  const keyKind = config.sandbox ? 'test' : 'live'

  await app.register(serviceRoutes, { database, metrics })
  await app.register(docsRoutes)
  await app.register(
    async (api: App) => {
      await api.register(ventureRoutes, { database, keyKind })
      await api.register(eventRoutes, { database })
      await api.register(clientRoutes, { database })
      await api.register(onboardingRoutes, { database })
      await api.register(kycRoutes, { database, verifier })
      await api.register(beneficiaryRoutes, { database })
      await api.register(accountRoutes, { accounts })
      await api.register(transferRoutes, { accounts, transfers })
      await api.register(paymentRoutes, { payments })
      await api.register(paymentLinkRoutes, { payments })
      await api.register(webhookRoutes, { webhooks })
      if (config.sandbox) await api.register(sandboxApiRoutes, { database, transfers })
    },
    { prefix: '/api/v1' },
  )
  const { payPageLimitPerMinute: limitPerMinute, trustedProxies } = config
  await app.register(payPageRoutes, { payments, gatewayUrl: config.gateway?.url, limitPerMinute, trustedProxies })
  if (config.sandbox) {
    await app.register(sandboxVerifierRoutes, { database, publicUrl: self.publicUrl })
    if (config.gateway === undefined) await app.register(sandboxGatewayRoutes, { database, publicUrl: self.publicUrl })
  }
  return app
}

/** Registered only if configured, because counting costs 21 % of the throughput. */
async function limitRate(app: App, max: number): Promise<void> {
  const noVenture = 'no venture'
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    // After authentication, before the body is read.
    hook: 'preParsing',
    keyGenerator: (request) => request.logged?.['venture_id'] ?? noVenture,
    allowList: (_request, key) => key === noVenture,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) => {
      const retry_after_s = Math.ceil(ttl / 1000)
      const detail = `The limit is ${max} requests in a minute. Try again in ${retry_after_s} seconds.`
      return new Refusal('too_many_requests', { detail, retry_after_s })
    },
  })
}
