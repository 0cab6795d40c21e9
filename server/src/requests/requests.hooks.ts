// Records every request to the API after its response was sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isVentures } from '../platform/actor.ts'
import type { App } from '../platform/http/http.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import type { Recorded, RequestLog } from './requests.log.ts'

/** `prefix`: that of the API's paths. Pages, documents and probes are not recorded. */
export function keepRequestLog(app: App, log: RequestLog, { prefix }: { prefix: string }): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The path of the route, because the caller may have encoded that of the request.
    const path = request.routeOptions.url ?? request.url
    if (log.isOn && path.startsWith(prefix)) log.record(recordOf(request, reply))
    done()
  })
  // After all responses were sent.
  app.addHook('onClose', () => log.stop())
}

function recordOf(request: FastifyRequest, reply: FastifyReply): Recorded {
  const { actor, logged } = request
  return {
    venture_id: (actor !== undefined && isVentures(actor) ? logged?.['venture_id'] : undefined) ?? bankId,
    method: request.method,
    route: patternOf(request.routeOptions.url),
    status: reply.statusCode,
    code: request.refusalCode ?? null,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    actor: actor?.kind ?? null,
    key_prefix: logged?.['key_prefix'] ?? null,
    request_id: request.id,
  }
}

const patterns = new Map<string, string>()

/** In the notation of the contract. */
function patternOf(url: string | undefined): string | null {
  if (url === undefined) return null
  let pattern = patterns.get(url)
  if (pattern === undefined) {
    pattern = url.replace(/:(\w+)/g, '{$1}')
    patterns.set(url, pattern)
  }
  return pattern
}
