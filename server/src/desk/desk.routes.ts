// The console: its files, and the stream that tells its pages what has changed.

import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { encodingFor } from '../platform/http/accept.ts'
import { anybody, readsOfVenture } from '../platform/http/access.ts'
import { html, pageHeaders } from '../platform/http/html.ts'
import type { App } from '../platform/http/http.ts'
import { Query } from '../platform/http/schemas.ts'
import { refuse } from '../values/refusals.ts'
import { type Frame, joined } from './desk.changes.ts'
import type { Desk } from './desk.ts'

const open = { config: { access: anybody }, schema: { hide: true } } as const

/** The rest of the path. */
type Rest = { Params: { '*': string } }

type Options = {
  desk: Desk
  /** Fails if the caller may no longer see what the stream shows. */
  checkAgain(request: FastifyRequest): Promise<void>
}

/** How many pages may listen to one instance, and for how long before they have to reconnect. */
const [mostStreams, longest_s] = [1_000, 600]

/** Limits for one person, who has one page for each browser and venture, and for one venture: nobody can take all places. */
const [mostOfPerson, mostOfVenture] = [20, 250]

type Listener = { user_id: string | undefined; venture_id: string }

const StreamQuery = Query({
  seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: longest_s, description: 'For how long to listen.' })),
})
type StreamQuery = Static<typeof StreamQuery>

export async function deskRoutes(app: App, { desk, checkAgain }: Options): Promise<void> {
  const { files, changes, heartbeat_ms } = desk
  const streams = new Map<PassThrough, Listener>()

  function requirePlace({ user_id, venture_id }: Listener): void {
    const listeners = [...streams.values()]
    const ofPerson = listeners.filter((one) => one.user_id === user_id).length
    const ofVenture = listeners.filter((one) => one.venture_id === venture_id).length
    if (listeners.length >= mostStreams || ofPerson >= mostOfPerson || ofVenture >= mostOfVenture)
      refuse('too_many_streams', { retry_after_s: 30 })
  }

  app.get('/console', open, async (_request, reply) => reply.redirect('/console/', 301))

  app.get<Rest>('/console/assets/*', open, async (request, reply) => {
    const file = (await files.file(request.params['*'])) ?? refuse('route_not_found')
    const encoding = encodingFor(request)
    reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding').type(file.type)
    reply.headers({ 'cross-origin-resource-policy': 'same-origin' })
    if (encoding === 'identity') return reply.send(file.plain)
    return reply.header('content-encoding', encoding).send(file[encoding])
  })

  app.get('/console/*', open, async (_request, reply) => sendPage(reply, await files.index(), desk.isBuilding))

  app.get<{ Querystring: StreamQuery }>(
    '/console/stream',
    {
      config: {
        access: readsOfVenture,
        refusals: ['too_many_streams'],
        trial: { query: { seconds: '0' } },
      },
      schema: { hide: true, operationId: 'streamChanges', querystring: StreamQuery },
    },
    async (request, reply) => {
      const listener = { user_id: request.session?.user_id, venture_id: request.venture.id }
      requirePlace(listener)
      const stream = new PassThrough()
      streams.set(stream, listener)
      const say = (line: string) => stream.write(line.concat('\n\n'))
      let waiting: Frame | undefined
      const tell = (frame: Frame) => {
        // A slow reader gets one frame for all changes that it has missed.
        if (stream.writableNeedDrain) waiting = waiting === undefined ? frame : joined(waiting, frame)
        else say(`data: ${JSON.stringify(frame)}`)
      }
      stream.on('drain', () => {
        const missed = waiting
        waiting = undefined
        if (missed !== undefined) tell(missed)
      })
      const unwatch = await changes.watch(request.venture.id, tell).catch((error: unknown) => {
        streams.delete(stream)
        throw error
      })
      // The client may already have disconnected; no further event will say so.
      if (reply.raw.destroyed || request.raw.socket.destroyed) {
        unwatch()
        streams.delete(stream)
        return reply.hijack()
      }
      const heart = setInterval(() => {
        checkAgain(request).then(
          () => say(': still here'),
          () => stream.end(),
        )
      }, heartbeat_ms).unref()
      const end = setTimeout(() => stream.end(), (request.query.seconds ?? longest_s) * 1_000).unref()
      stream.on('close', () => {
        clearInterval(heart)
        clearTimeout(end)
        unwatch()
        streams.delete(stream)
      })
      reply.raw.on('close', () => stream.destroy())
      say(': open')
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
    },
  )

  app.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.end()
    await desk.stop()
  })
}

/** Styles need the nonce because components insert some of them at run time. */
function policyOf(nonce: string, scripts: string): string {
  const parts = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
  ]
  return [...parts, "connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"].join('; ')
}

function sendPage(reply: FastifyReply, index: string | undefined, isBuilding: boolean): FastifyReply {
  const nonce = randomBytes(18).toString('base64')
  reply.headers({
    ...pageHeaders(policyOf(nonce, index === undefined ? `'nonce-${nonce}'` : "'self'")),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  reply.type('text/html; charset=utf-8')
  if (index !== undefined) return reply.send(index.replace('%NONCE%', nonce))
  return reply.code(503).header('retry-after', '2').send(notBuilt(nonce, isBuilding))
}

/**
 * It reloads itself until the build has ended. With a script, because refreshing the address of a
 * link, which ends with # and a secret, loads nothing.
 */
function notBuilt(nonce: string, isBuilding: boolean): string {
  const title = isBuilding ? 'The console is being built' : 'The console has not been built'
  const text = isBuilding
    ? html`<p>This takes some seconds. The page then opens by itself.</p>`
    : html`<p>Run <code>npm run build</code> in the checkout of the service. The page then opens by itself.</p>`
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>${title}</title>
<script nonce="${nonce}">setTimeout(() => location.reload(), 2000)</script><noscript><meta http-equiv="refresh" content="2"></noscript>
<style nonce="${nonce}">:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:16px}</style>
</head><body><main><h1>${title}</h1>${text}</main></body></html>`.text
  }`
}
