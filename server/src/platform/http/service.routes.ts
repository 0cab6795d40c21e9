// Routes about the service itself: health, readiness and metrics.
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { refuse } from '../../values/refusals.ts'
import type { Database } from '../database/database.ts'
import { read } from '../database/sql.ts'
import type { App } from './http.ts'
import { Resource } from './schemas.ts'

const Health = Resource('Health', { status: Type.String() })

export async function serviceRoutes(app: App, { database, metrics }: { database: Database; metrics: Registry }): Promise<void> {
  const hidden = { hide: true }

  app.get(
    '/healthz',
    {
      config: { key: 'none' },
      schema: { operationId: 'getHealth', tags: ['Service'], summary: 'Check that the process is alive', response: { 200: Health } },
    },
    async () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      config: { key: 'none' },
      schema: {
        operationId: 'getReadiness',
        tags: ['Service'],
        summary: 'Check that the service can serve requests',
        response: { 200: Health },
      },
    },
    async () => {
      // A standby answers reads, but no request could change anything.
      const server = await database.first(read<{ standby: boolean }>`select pg_is_in_recovery() as standby`)
      if (server?.standby !== false) refuse('unavailable', { retry_after_s: 1 })
      return { status: 'ready' }
    },
  )
  app.get('/metrics', { config: { key: 'operator' }, schema: { ...hidden, operationId: 'getMetrics' } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  )
}
