// The public pages behind a payment link. Whoever has the link may open them; every answer is a page, also where something is wrong.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { readForm, takeForms } from '../../platform/http/forms.ts'
import { pageHeaders, strictPolicy } from '../../platform/http/html.ts'
import type { App } from '../../platform/http/http.ts'
import { isUuid } from '../../platform/http/validation.ts'
import { catalogue, Refusal } from '../../values/refusals.ts'
import { newAttempt } from '../links/payments.links.attempts.ts'
import { findVisited, startPayment } from '../links/payments.links.start.ts'
import { returnUrlOf } from '../payments.row.ts'
import { type Language, languages } from '../payments.schemas.ts'
import { selectPaymentById } from '../payments.sql.ts'
import type { Payments } from '../payments.ts'
import { readEntry } from './payments.pages.form.ts'
import { qrSvg } from './payments.pages.qr.ts'
import { leavingPage, noticePage, payPage, resultPage } from './payments.pages.ts'
import type { Notice } from './payments.texts.ts'

/** `gatewayUrl`: where the card gateway is; undefined for the sandbox's, which is at our own address. */
type Options = { payments: Payments; gatewayUrl: string | undefined }

const asking = { config: { key: 'none' }, schema: { hide: true } } as const
const answering = { config: { key: 'none', rawBody: true }, schema: { hide: true } } as const

export async function payPageRoutes(app: App, options: Options): Promise<void> {
  await app.register(async (pages: App) => pageRoutes(pages, options), { prefix: '/pay' })
}

function pageRoutes(app: App, { payments, gatewayUrl }: Options): void {
  type Link = { Params: { token: string } }
  type Payment = { Params: { token: string; payment_id: string } }

  takeForms(app)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error instanceof Refusal ? catalogue[error.code].status : (error.statusCode ?? 500)
    if (status >= 500) {
      payments.log[error instanceof Refusal ? 'warn' : 'error'](
        { request_id: request.id, err: error },
        'a page for payers could not be shown',
      )
    }
    return notify(reply, languageOf(request), status >= 500 ? 'unavailable' : 'mistaken', status)
  })

  app.get<Link>('/:token', asking, async (request, reply) => {
    const visited = await findVisited(payments, request.params.token)
    const language = languageOf(request, visited?.link.language)
    if (visited === undefined || visited.closed) return notify(reply, language, visited?.closed ?? 'unknown')
    return send(reply, payPage({ ...visited, language }))
  })

  app.post<Link>('/:token', answering, async (request, reply) => {
    const visited = await findVisited(payments, request.params.token)
    const language = languageOf(request, visited?.link.language)
    if (visited === undefined) return notify(reply, language, 'unknown')
    const { closed } = visited
    // What is used up may have been so by this very attempt, sent a second time.
    if (closed && closed !== 'used_up') return notify(reply, language, closed)
    const form = readForm(request.body)
    const entry = readEntry(form, visited.link)
    if (entry.kind === 'errors') {
      if (closed) return notify(reply, language, closed)
      return send(reply, payPage({ ...visited, language }, entry), 422)
    }
    const started = await startPayment(payments, visited.link, { language, ...entry.customer }, form.get('attempt') ?? newAttempt())
    switch (started.kind) {
      case 'closed':
        return notify(reply, language, started.closed)
      case 'unanswered':
        return notify(reply, language, 'unanswered')
      case 'started':
        return leave(reply, language, started.form_url)
    }
  })

  app.get<Link>('/:token/qr.svg', asking, async (request, reply) => {
    const visited = await findVisited(payments, request.params.token)
    if (visited === undefined) return notify(reply, languageOf(request), 'unknown')
    return reply.headers(headers()).type('image/svg+xml').send(qrSvg(visited.address))
  })

  /** Where payers end whom the link sends nowhere else. The address only says which payment; what became of it is what we know. */
  app.get<Payment>('/:token/:payment_id', asking, async (request, reply) => {
    const { token, payment_id } = request.params
    const visited = await findVisited(payments, token)
    const payment = isUuid(payment_id) ? await payments.database.first(selectPaymentById(payment_id)) : undefined
    if (visited === undefined || payment === undefined || payment.payment_link_id !== visited.link.id) {
      return notify(reply, languageOf(request, visited?.link.language), 'unknown')
    }
    const returnUrl = returnUrlOf(payments, payment.id)
    return send(reply, resultPage({ ...visited, payment, language: languageOf(request, payment.language), returnUrl }))
  })

  app.get('/*', asking, async (request, reply) => notify(reply, languageOf(request), 'unknown'))

  function leave(reply: FastifyReply, language: Language, form_url: string): FastifyReply {
    if (new URL(form_url).origin !== formOrigin()) return send(reply, leavingPage(language, form_url))
    return reply.headers(headers()).redirect(form_url, 303)
  }

  function notify(reply: FastifyReply, language: Language, notice: Notice, status = statuses[notice]): FastifyReply {
    return send(reply, noticePage(language, notice), status)
  }

  function send(reply: FastifyReply, page: string, status = 200): FastifyReply {
    return reply.code(status).headers(headers()).type('text/html; charset=utf-8').send(page)
  }

  /** The payer's form ends in a redirect to the card form, and Chromium asks `form-action` about that step too. */
  function headers(): Record<string, string> {
    const policy = strictPolicy.replace("form-action 'self'", `form-action 'self' ${formOrigin()}`)
    return { ...pageHeaders(policy), 'x-robots-tag': 'noindex' }
  }

  /** Where the card form is expected: at the gateway, or at our own address, which may have other names than the one in use here. */
  function formOrigin(): string {
    return new URL(gatewayUrl ?? payments.publicUrl()).origin
  }
}

const statuses: Record<Notice, number> = {
  unknown: 404,
  inactive: 410,
  expired: 410,
  used_up: 410,
  mistaken: 400,
  unanswered: 503,
  unavailable: 503,
}

/** The one that the payer has chosen with a link of the page, else the one that the venture or the payment has. */
function languageOf({ query }: FastifyRequest, usual: Language = 'EN'): Language {
  const { lang } = query as { lang?: unknown }
  return languages.find((language) => language.toLowerCase() === lang) ?? usual
}
