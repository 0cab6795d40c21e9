// Routes about the service itself: health, readiness and metrics.
import { Type } from 'typebox'
import { refuse } from '../values/refusals.ts'
import type { Database } from './database/database.ts'
import { read } from './database/sql.ts'
import { anybody, readsAtBank } from './http/access.ts'
import type { App } from './http/http.ts'
import { Resource } from './http/schemas.ts'
import type { Metrics } from './metrics.ts'

const Health = Resource('Health', {
  status: Type.String({
    description: '`ok` if the process runs, `ready` if it can serve requests. Otherwise the response is a problem.',
  }),
})

export async function serviceRoutes(app: App, { database, metrics }: { database: Database; metrics: Metrics }): Promise<void> {
  const hidden = { hide: true } as const

  app.get(
    '/healthz',
    {
      config: { access: anybody, refusals: [] },
      schema: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'Check that the process is alive',
        description:
          'Answers as long as the process runs, without a query to the database. For liveness probes: restart a process that does not answer.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      config: { access: anybody, refusals: [] },
      schema: {
        operationId: 'getReadiness',
        tags: ['Service'],
        summary: 'Check that the service can serve requests',
        description: 'Answers 200 if the database answers, otherwise 503 `unavailable`. For readiness probes and load balancers.',
        response: { 200: Health },
      },
    },
    async () => {
      // A standby serves reads, but no request could change anything.
      const server = await database.first(read<{ standby: boolean }>`select pg_is_in_recovery() as standby`)
      if (server?.standby !== false) refuse('unavailable', { retry_after_s: 1 })
      return { status: 'ready' }
    },
  )
  app.get(
    '/metrics',
    {
      config: {
        access: { ...readsAtBank, door: 'monitor', bankKey: 'metrics' },
        refusals: [],
      },
      schema: { ...hidden, operationId: 'getMetrics' },
    },
    async (_request, reply) => {
      const { registry } = await metrics.together()
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}
