// The only place where a refusal becomes an HTTP response (RFC 9457), and any other exception a 500.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { catalogue, Refusal, type RefusalCode } from '../../values/refusals.ts'
import type { Logger } from '../log.ts'

/** Errors of the HTTP framework itself, before any of our code runs. */
const frameworkRefusals: Record<string, { code: RefusalCode; detail?: string }> = {
  FST_ERR_BAD_URL: { code: 'route_not_found' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'malformed_body', detail: 'The body is not as long as its Content-Length says.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'route_not_found' },
}

export function sendProblem(log: Logger, error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const aborted = wasAborted(error, request)
  const refusal = error instanceof Refusal ? error : aborted ? new Refusal('malformed_body') : refusalFor(error)
  const { cause, retry_after_s } = refusal.details
  const { status } = catalogue[refusal.code]
  request.refusalCode = refusal.code
  const about = { request_id: request.id, ...request.logged }
  // Nobody receives a response, so this is the request's only log line.
  if (aborted)
    log.info({ ...about, route: request.routeOptions.url ?? null }, 'the client closed the connection before its body was complete')
  else if (refusal.code === 'internal_error') log.error({ ...about, err: error }, 'a bug')
  else if (status === 503) log.warn({ ...about, code: refusal.code, err: cause }, 'a request could not be carried out')

  // The framework's own refusals have not passed the hook that sets this header.
  reply.header('x-request-id', request.id)
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="vostro"')
  if (typeof retry_after_s === 'number') reply.header('retry-after', retry_after_s)
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(refusal, request)))
}

/** The problem document of a refusal. */
export function problemOf(refusal: Refusal, request: FastifyRequest) {
  const { detail: _, errors, cause: __, retry_after_s: ___, ...members } = refusal.details
  return problem(refusal.code, { detail: refusal.message, instance: pathOf(request), request_id: request.id, errors }, members)
}

type Particulars = { detail: string; instance: string; request_id: string; errors?: unknown }

export function problem(code: RefusalCode, { detail, instance, request_id, errors }: Particulars, members: object = {}) {
  const { status, title } = catalogue[code]
  return { type: `/docs/errors#${code}`, title, status, detail, instance, code, request_id, errors, ...members }
}

/** Whether the client closed the connection before its body was complete. */
function wasAborted(error: Error, { raw }: FastifyRequest): boolean {
  return 'code' in error && error.code === 'ECONNRESET' && !raw.complete
}

function refusalFor(error: Error): Refusal {
  if (!('code' in error && String(error.code).startsWith('FST_'))) return new Refusal('internal_error')
  const known = frameworkRefusals[String(error.code)]
  if (known !== undefined) return new Refusal(known.code, known.detail === undefined ? {} : { detail: known.detail })
  // Any other refusal of the framework is the caller's mistake, not a bug of ours.
  return new Refusal('statusCode' in error && Number(error.statusCode) < 500 ? 'malformed_request' : 'internal_error')
}

/** The path without the query, which may contain what a client searched for. */
function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?')
  return end === -1 ? request.url : request.url.slice(0, end)
}
