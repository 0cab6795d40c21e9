// The public documentation of the running service: the home page, the contract, the reference, the guides, and the error codes.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../values/refusals.ts'
import { prefersHtml } from '../http/accept.ts'
import { anybody } from '../http/access.ts'
import { pageHeaders } from '../http/html.ts'
import type { App } from '../http/http.ts'
import { errorsPage } from './docs.errors.ts'
import { type GuideName, guideIndexPage, guidePage, isGuide, unknownGuidePage } from './docs.guides.ts'
import { homeDocument, homePage } from './docs.home.ts'
import { docsPage, sendDocsPage } from './docs.layout.ts'
import { kept, type Packed, pack, sendPacked } from './docs.packed.ts'
import { referencePage, referencePolicy, referenceScript } from './docs.reference.ts'
import { contractOf } from './openapi.ts'

const open = { config: { access: anybody }, schema: { hide: true } } as const
const html = 'text/html; charset=utf-8'

/** The rest of the path. */
type Rest = { Params: { '*': string } }

export async function docsRoutes(app: App): Promise<void> {
  const contract = kept(() => pack('application/json; charset=utf-8', contractOf(app)))
  const errors = kept(() => pack(html, docsPage(errorsPage())))
  const rendered = new Map<GuideName, () => Promise<Packed>>()

  app.get('/', open, async (request, reply) => {
    reply.header('vary', 'accept')
    return prefersHtml(request) ? sendDocsPage(reply, homePage()) : reply.send(homeDocument())
  })

  app.get('/openapi.json', open, async (request, reply) => sendPacked(request, reply, await contract()))

  app.get('/docs', open, async (_request, reply) => reply.redirect('/docs/', 301))

  app.get('/docs/', open, async (_request, reply) => {
    const page = await referencePage()
    return reply.headers(pageHeaders(referencePolicy)).type(html).send(page)
  })

  app.get<Rest>('/docs/js/*', open, async (request, reply) => {
    const script = await referenceScript()
    if (request.params['*'] !== script.name) refuse('route_not_found')
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendPacked(request, reply, script)
  })

  app.get('/docs/errors', open, async (request, reply) => sendPacked(request, reply.headers(pageHeaders()), await errors()))

  app.get('/docs/guides', open, async (_request, reply) => sendDocsPage(reply, guideIndexPage()))

  app.get<Rest>('/docs/guides/*', open, async (request, reply) => {
    const guide = request.params['*']
    if (!isGuide(guide)) return answerUnknown(request, reply)
    const render = rendered.get(guide) ?? kept(async () => pack(html, docsPage(await guidePage(guide))))
    rendered.set(guide, render)
    return sendPacked(request, reply.headers(pageHeaders()), await render())
  })
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('vary', 'accept')
  return prefersHtml(request) ? sendDocsPage(reply, unknownGuidePage(), 404) : refuse('route_not_found')
}
