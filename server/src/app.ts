// The whole HTTP application: the hooks, then the list of route modules.
import rateLimit from '@fastify/rate-limit'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/database.ts'
import { type App, createHttp } from './platform/http.ts'
import type { Logger } from './platform/log.ts'
import { measure } from './platform/metrics.ts'
import { describeRoutes } from './platform/openapi.ts'
import { serviceRoutes } from './platform/service.routes.ts'
import { Refusal } from './values/refusals.ts'
import { authenticate } from './ventures/ventures.authentication.ts'
import { ventureRoutes } from './ventures/ventures.routes.ts'

export type Services = { config: Config; database: Database; log: Logger }

export async function createApp({ config, database, log }: Services): Promise<App> {
  const app = createHttp(log)
  await describeRoutes(app)
  const metrics = measure(app, database)
  authenticate(app, { database, adminApiKey: config.adminApiKey })
  if (config.rateLimitPerMinute !== undefined) await limitRate(app, config.rateLimitPerMinute)
  const keyKind = config.sandbox ? 'test' : 'live'

  await app.register(serviceRoutes, { database, metrics })
  await app.register(
    async (api: App) => {
      await api.register(ventureRoutes, { database, keyKind })
    },
    { prefix: '/api/v1' },
  )
  return app
}

/** Registered only where it is configured: counting costs 21 % of the throughput. */
async function limitRate(app: App, max: number): Promise<void> {
  const nobody = 'no venture'
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    // After the key is known, before the body is read.
    hook: 'preParsing',
    keyGenerator: (request) => request.logged?.['venture_id'] ?? nobody,
    allowList: (_request, key) => key === nobody,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) => new Refusal('too_many_requests', { retry_after_s: Math.ceil(ttl / 1000) }),
  })
}
