// The public pages behind a payment link. Anyone with the link may open them; every response is a page, errors included.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../../platform/address.ts'
import { anybody } from '../../platform/http/access.ts'
import { readForm, takeForms } from '../../platform/http/forms.ts'
import { pageHeaders, strictPolicy } from '../../platform/http/html.ts'
import type { App } from '../../platform/http/http.ts'
import { qrSvg } from '../../platform/http/qr.ts'
import { RateLimit } from '../../platform/http/rate.ts'
import { isUuid } from '../../platform/http/validation.ts'
import { catalogue, Refusal } from '../../values/refusals.ts'
import { newAttempt } from '../links/payments.links.attempts.ts'
import { findVisited, startPayment, type Visited } from '../links/payments.links.start.ts'
import { returnUrlOf } from '../payments.row.ts'
import { type Language, languages } from '../payments.schemas.ts'
import { selectPaymentById } from '../payments.sql.ts'
import type { Payments } from '../payments.ts'
import { readEntry } from './payments.pages.form.ts'
import { leavingPage, noticePage, payPage, resultPage } from './payments.pages.ts'
import { placeOf } from './payments.return.ts'
import type { Notice } from './payments.texts.ts'

type Options = {
  payments: Payments
  /** The URL of the card gateway; undefined for the sandbox gateway, which runs at our own address. */
  gatewayUrl: string | undefined
  /** Requests per minute that one address may send to the pages of one link. */
  limitPerMinute: number
  trustedProxies: readonly string[]
}

/** Starting a payment calls the gateway and leaves rows and jobs behind, so it counts more than viewing a page. */
const costOfStart = 5

const page = { config: { access: anybody }, schema: { hide: true } } as const
const form = {
  config: {
    access: anybody,
    rawBody: true,
    createsNothing: "The payer's form contains an attempt id, which identifies a repeated submission.",
  },
  schema: { hide: true },
} as const

declare module 'fastify' {
  interface FastifyRequest {
    /** The payment link whose token is in the path; undefined if there is no such link. */
    visited?: Visited
  }
}

export async function payPageRoutes(app: App, options: Options): Promise<void> {
  await app.register(async (pages: App) => pageRoutes(pages, options), { prefix: '/pay' })
}

function pageRoutes(app: App, { payments, gatewayUrl, limitPerMinute, trustedProxies }: Options): void {
  type Link = { Params: { token: string } }
  type Payment = { Params: { token: string; payment_id: string } }

  takeForms(app)
  app.decorateRequest('visited')
  const limit = new RateLimit(limitPerMinute)
  // Before any lookup, so that a flood of requests does not reach the database.
  app.addHook('onRequest', async (request, reply) => {
    const { token = '' } = request.params as Partial<Link['Params']>
    const wait_s = limit.take(`${addressOf(request, trustedProxies)} ${token}`, request.method === 'POST' ? costOfStart : 1)
    return wait_s === undefined ? undefined : notify(request, reply.header('retry-after', wait_s), 'too_many')
  })
  // Before the body is read, so that the error page for an unreadable body also shows the merchant's name.
  app.addHook('onRequest', async (request) => {
    const { token } = request.params as Partial<Link['Params']>
    if (token === undefined) return
    const visited = await findVisited(payments, token)
    if (visited !== undefined) request.visited = visited
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error instanceof Refusal ? catalogue[error.code].status : (error.statusCode ?? 500)
    if (status >= 500) {
      payments.log[error instanceof Refusal ? 'warn' : 'error'](
        { request_id: request.id, err: error },
        'a page for payers could not be shown',
      )
    }
    return notify(request, reply, status >= 500 ? 'unavailable' : 'malformed', status)
  })

  app.get<Link>('/:token', page, async (request, reply) => {
    const { visited } = request
    if (visited === undefined || visited.closed) return notify(request, reply, visited?.closed ?? 'unknown')
    return send(reply, payPage({ ...visited, language: languageOf(request) }))
  })

  app.post<Link>('/:token', form, async (request, reply) => {
    const { visited } = request
    if (visited === undefined) return notify(request, reply, 'unknown')
    const { closed, link, payee } = visited
    const language = languageOf(request)
    // If the link is used up, this may be a repetition of the attempt that used it up.
    if (closed && closed !== 'used_up') return notify(request, reply, closed)
    const typed = readForm(request.body)
    const entry = readEntry(typed, link)
    if (entry.kind === 'errors') {
      if (closed) return notify(request, reply, closed)
      return send(reply, payPage({ ...visited, language }, entry), 422)
    }
    const started = await startPayment(payments, link, { language, ...entry.customer }, typed.get('attempt') ?? newAttempt())
    switch (started.kind) {
      case 'closed':
        return notify(request, reply, started.closed)
      case 'unanswered':
        return notify(request, reply, 'unanswered')
      case 'started':
        return leave(reply, { language, payee, form_url: started.form_url })
    }
  })

  app.get<Link>('/:token/qr.svg', page, async (request, reply) => {
    if (request.visited === undefined) return notify(request, reply, 'unknown')
    // In the serialised form of the browser: ASCII only, which every reader understands.
    const { href } = new URL(request.visited.address)
    return reply.headers(headers()).type('image/svg+xml').send(qrSvg(href))
  })

  /** The last page for a payer whose link has no shop URL. Only the payment in the address matters. */
  app.get<Payment>('/:token/:payment_id', page, async (request, reply) => {
    const { visited } = request
    const { payment_id } = request.params
    const payment = isUuid(payment_id) ? await payments.database.first(selectPaymentById(payment_id)) : undefined
    if (visited === undefined || payment?.payment_link_id !== visited.link.id) return notify(request, reply, 'unknown')
    const shopUrl = visited.link.success_url === null ? undefined : placeOf(payment)
    const language = languageOf(request, payment.language)
    return send(reply, resultPage({ ...visited, payment, language, returnUrl: returnUrlOf(payments, payment.id), shopUrl }))
  })

  app.get('/*', page, async (request, reply) => notify(request, reply, 'unknown'))

  function leave(reply: FastifyReply, to: { language: Language; payee: string; form_url: string }): FastifyReply {
    if (new URL(to.form_url).origin !== formOrigin()) return send(reply, leavingPage(to))
    return reply.headers(headers()).redirect(to.form_url, 303)
  }

  function notify(request: FastifyRequest, reply: FastifyReply, notice: Notice, status = statuses[notice]): FastifyReply {
    return send(reply, noticePage(languageOf(request), notice, request.visited?.payee), status)
  }

  function send(reply: FastifyReply, text: string, status = 200): FastifyReply {
    return reply.code(status).headers(headers()).type('text/html; charset=utf-8').send(text)
  }

  /** The payer's form ends in a redirect to the card form, and Chromium checks `form-action` for that step too. */
  function headers(): Record<string, string> {
    const policy = strictPolicy.replace("form-action 'self'", `form-action 'self' ${formOrigin()}`)
    return { ...pageHeaders(policy), 'x-robots-tag': 'noindex' }
  }

  /** The origin of the card form: the gateway, or our public address, which may differ from the one that the payer uses. */
  function formOrigin(): string {
    return new URL(gatewayUrl ?? payments.publicUrl()).origin
  }
}

const statuses: Record<Notice, number> = {
  unknown: 404,
  inactive: 410,
  expired: 410,
  used_up: 410,
  malformed: 400,
  too_many: 429,
  unanswered: 503,
  unavailable: 503,
}

/** The language that the payer has chosen on the page, or else that of the payment or the link. */
function languageOf(request: FastifyRequest, usual: Language = request.visited?.link.language ?? languageOfBrowser(request)): Language {
  const { lang } = request.query as { lang?: unknown }
  return languages.find((language) => language.toLowerCase() === lang) ?? usual
}

/** For the page about an unknown link: the first of the browser's languages that we support. */
function languageOfBrowser({ headers }: FastifyRequest): Language {
  const wanted = (headers['accept-language'] ?? '').toUpperCase().split(',')
  const known = wanted.flatMap((range) => languages.filter((language) => range.trim().startsWith(language)))
  return known[0] ?? 'EN'
}
