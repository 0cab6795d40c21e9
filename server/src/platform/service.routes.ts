// What the service tells about itself: is it alive, is it ready, how is it doing, and what can it do.
import scalar from '@scalar/fastify-api-reference'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { catalogue } from '../values/refusals.ts'
import type { Database } from './database.ts'
import type { App } from './http.ts'
import { contractOf } from './openapi.ts'
import { Resource } from './schemas.ts'
import { read } from './sql.ts'

const Health = Resource('Health', { status: Type.String() })

/** The page of error codes and the reference load nothing from outside; this makes the browser insist on it. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

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
    reply.type('text/html; charset=utf-8').headers(pageHeaders).send(errorPage()),
  )
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, key: 'none' }
    })
    docs.addHook('onSend', async (_request, reply) => {
      reply.headers(pageHeaders)
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

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

function errorPage(): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, title }]) => `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Vostro error codes</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{text-align:left;padding:.4rem 1rem .4rem 0;border-bottom:1px solid #ddd}tr:target{background:#fff3bf}</style>
</head><body><h1>Error codes</h1><p>Every refusal is a problem (RFC 9457); its <code>code</code> is one of these.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body></html>
`
}
