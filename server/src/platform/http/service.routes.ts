// What the service tells about itself: is it alive, is it ready, how is it doing, and what can it do.
import scalar from '@scalar/fastify-api-reference'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { read } from '../database/sql.ts'
import { errorCodesPage } from './errors.ts'
import { pageHeaders, sendHtml, strictPolicy } from './html.ts'
import type { App } from './http.ts'
import { contractOf } from './openapi.ts'
import { Resource } from './schemas.ts'

const Health = Resource('Health', { status: Type.String() })

/** The reference is a program, but one that loads nothing from outside; this makes the browser insist on it. */
const referencePolicy = `${strictPolicy}; script-src 'self' 'unsafe-inline'; connect-src 'self'; font-src 'self' data:`

export async function serviceRoutes(app: App, { database, metrics }: { database: Database; metrics: Registry }): Promise<void> {
  const hidden = { hide: true }

  app.get(
    '/healthz',
    {
      config: { key: 'none' },
      schema: { operationId: 'getHealth', tags: ['Service'], summary: 'Is the process alive?', response: { 200: Health } },
    },
    async () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      config: { key: 'none' },
      schema: { operationId: 'getReadiness', tags: ['Service'], summary: 'Can it serve requests?', response: { 200: Health } },
    },
    async () => {
      await database.rows(read<{ one: number }>`select 1 as one`)
      return { status: 'ready' }
    },
  )
  app.get('/metrics', { config: { key: 'admin' }, schema: hidden }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  )
  app.get('/openapi.json', { config: { key: 'none' }, schema: hidden }, async (_request, reply) =>
    reply.type('application/json').send(contractOf(app)),
  )
  app.get('/docs/errors', { config: { key: 'none' }, schema: hidden }, async (_request, reply) =>
    sendHtml(reply, { title: 'Vostro error codes', body: errorCodesPage().text, wide: true }),
  )
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, key: 'none' }
    })
    docs.addHook('onSend', async (_request, reply) => {
      reply.headers(pageHeaders(referencePolicy))
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Vostro API',
        withDefaultFonts: false,
        telemetry: false,
        proxyUrl: '',
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}
