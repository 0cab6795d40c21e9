// The HTTP side without any banking: strict bodies, problems, request ids, time-outs, and one log line for each request.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyRequest,
  type FastifySchema,
  fastify,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify'
import { either, Refusal, type RefusalCode, refuse } from '../../values/refusals.ts'
import { uuidv7 } from '../ids.ts'
import type { Logger } from '../log.ts'
import type { Access, Door } from './access.ts'
import { checkCharacters, checkEscapes, cut } from './characters.ts'
import type { Registering } from './declaration.ts'
import { parseJson } from './json.ts'
import { Operations } from './operations.ts'
import { problem, sendProblem } from './problems.ts'
import { compileSerializer, compileValidator, refusalOf } from './validation.ts'

type Fastify = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

export type App = Omit<Fastify, 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options' | 'all' | 'route'> & Registering

export const bodyLimit_bytes = 65_536
const requestTimeout_ms = 10_000
const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/

type HttpOptions = {
  /** The header Strict-Transport-Security, if browsers reach the service over https. */
  hsts?: string | undefined
  /** Gets every operation that is registered. */
  operations?: Operations
}

export function createHttp(log: Logger, { hsts, operations = new Operations() }: HttpOptions = {}): App {
  const exchanges: Exchanges = new WeakMap()
  const app = fastify({
    bodyLimit: bodyLimit_bytes,
    requestTimeout: requestTimeout_ms,
    // Node enforces the time-out of the whole request only if the time-out of the headers is not longer.
    // Node itself would answer a request without Host, without a problem document and without a log line.
    http: { connectionsCheckingInterval: 500, headersTimeout: requestTimeout_ms, requireHostHeader: false },
    // A stalled connection, whose other end does not read, must not hold memory forever.
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // During shutdown, requests that still arrive on open connections get a response, and then the connection is closed.
    return503OnClosing: false,
    // HEAD works wherever GET does, with the same handler and the same key.
    exposeHeadRoutes: true,
    genReqId: requestId,
    schemaErrorFormatter: refusalOf,
    frameworkErrors: (error, request, reply) => sendProblem(log, error, request, reply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, exchanges),
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler<Error>((error, request, reply) => sendProblem(log, error, request, reply))

  // An unknown expectation is ignored. Node itself would refuse it, without a problem document and without a log line.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  followExchanges(app, exchanges)
  keepRouteTable(app, operations)
  takeBodies(app)
  answerUnknownRoutes(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // No cache may store a response, and no browser may guess another content type.
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    if (hsts !== undefined) reply.header('strict-transport-security', hsts)
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0')
      refuse('malformed_request', { detail: 'The header Host is missing. HTTP/1.1 requires it.' })
  })
  app.addHook('preValidation', async (request) => {
    checkEscapes(request.url)
    checkCharacters(request.query)
    if (request.body !== undefined && !Buffer.isBuffer(request.body)) checkCharacters(request.body)
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.logged,
      },
      'request',
    )
  })
  app.decorateRequest('logged')
  app.decorateRequest('refusalCode')
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields that later layers add to the log line, such as the venture. */
    logged?: Record<string, string>
    /** Why the request was refused. */
    refusalCode?: RefusalCode
  }
}

function requestId(request: { headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && saneRequestId.test(given) ? given : uuidv7()
}

/** Requires JSON where a body is declared. Elsewhere accepts nothing or an empty object, with any content type. */
function takeBodies(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    requirePlainUtf8(request)
    if (bytes.length > 0) return request.routeOptions.config.rawBody === true ? bytes : parseJson(bytes)
    return needsBody(request) ? refuse('malformed_body', { detail: 'The body is empty. Send a JSON object.' }) : undefined
  })
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0 || needsBody(request))
      refuse('unsupported_media_type', { detail: 'Send the body with Content-Type: application/json.' })
    return undefined
  })
  app.addHook('preValidation', async (request) => {
    if (takesBody(request)) {
      if (request.body !== undefined) return
      if (needsBody(request)) refuse('malformed_body', { detail: 'The body is empty. Send a JSON object.' })
      request.body = {}
    } else if (!isEmpty(request.body)) {
      refuse('invalid_request', { detail: 'This operation takes no body. Send none, or an empty object.' })
    }
  })
}

/** A body with another declared charset or encoding would only be read correctly by luck. */
function requirePlainUtf8({ headers }: FastifyRequest): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) refuse('unsupported_media_type', { detail: `The body must be in UTF-8, not in ${cut(charset)}.` })
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return
  refuse('unsupported_media_type', { detail: `The body must not be compressed, but its Content-Encoding is ${cut(encoding)}.` })
}

/** If every field is optional, so is the body. */
function needsBody(request: FastifyRequest): boolean {
  return takesBody(request) && request.routeOptions.config.optionalBody !== true
}

function takesBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined || request.routeOptions.config.rawBody === true
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0)
}

export type Route = {
  method: string
  url: string
  key: Door
  /** Whether it creates something and accepts an Idempotency-Key. */
  creates: boolean
  /** Larger bodies are refused. */
  bodyLimit_bytes: number
  schema: FastifySchema & { operationId?: string }
  config?: FastifyContextConfig
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every registered route, for the 405 responses and the guard tests. HEAD is left out, because it always accompanies GET. */
    routeTable: Route[]
  }
}

function keepRouteTable(app: App, operations: Operations): void {
  const routes: { route: RouteOptions; access: Access }[] = []
  let table: Route[] | undefined
  app.addHook('onRoute', (route) => {
    const { method, url, schema, config = {} } = route
    const { access, audit, refusals = [], example = {} } = config
    if (access === undefined) throw new Error(`${method} ${url} does not say who may call it: declare its access`)
    if (method === 'HEAD') return
    routes.push({ route, access })
    const { operationId } = (schema ?? {}) as { operationId?: string }
    if (operationId === undefined) {
      if (access.door === 'none' || access.door === 'relay') return
      throw new Error(`${method} ${url} is not open to everybody and has no operationId`)
    }
    operations.declare(operationId, { access, audit, refusals, example, method: String(method), url })
    table = undefined
  })
  app.decorate('routeTable', {
    getter: () =>
      (table ??= routes.flatMap(({ route: { url, method, config, schema, bodyLimit = bodyLimit_bytes }, access }) =>
        [method].flat().map((one) => ({
          method: one,
          url,
          key: access.door,
          creates: config !== undefined && 'creates' in config,
          bodyLimit_bytes: bodyLimit,
          schema: schema ?? {},
          ...(config === undefined ? {} : { config }),
        })),
      )),
  })
}

/** Answers 405 for other methods on an existing path, and names the allowed ones. */
function answerUnknownRoutes(app: App): void {
  const patterns = new Map<string, RegExp>()
  const matches = (url: string, path: string) => {
    const pattern =
      patterns.get(url) ??
      new RegExp(
        `^${url
          .split('/')
          .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
          .join('/')}$`,
      )
    patterns.set(url, pattern)
    return pattern.test(path)
  }
  // Runs before anything of the request is read: it needs neither authentication nor parsing.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] ?? ''
    const taken = app.routeTable.filter(({ url }) => matches(url, path))
    // Several routes can match the same path, one by name and another by id.
    const methods = [...new Set(taken.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    if (methods.length === 0) refuse('route_not_found')
    reply.header('allow', methods.join(', '))
    refuse('method_not_allowed', { detail: `This path does not take ${request.method}. Use ${either(methods)}.` })
  })
  app.setNotFoundHandler(async () => refuse('route_not_found'))
}

const brokenRequests: Record<string, RefusalCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** The state of a connection: how many responses are pending, and the latest request and its response. */
type Exchanges = WeakMap<Socket, { owed: number; request: IncomingMessage; response: ServerResponse }>

function followExchanges(app: App, exchanges: Exchanges): void {
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    exchanges.set(request.socket, { owed: (exchanges.get(request.socket)?.owed ?? 0) + 1, request, response })
    response.on('close', () => {
      const current = exchanges.get(request.socket)
      if (current) current.owed--
    })
  })
}

/** Answers malformed requests. The framework has no reply for them, so the response is written to the socket. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, exchanges: Exchanges): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const exchange = exchanges.get(socket)
  if (exchange !== undefined) {
    const { owed, request, response } = exchange
    // The broken request was answered before it had fully arrived. A second response would be taken for that of the next request.
    if (!request.complete && response.headersSent) return void socket.destroy()
    // The response to an earlier request is still pending. The response to the broken bytes behind it must not be mistaken for it.
    if (request.complete && owed > 0) return void response.on('close', () => socket.destroySoon())
    if (!request.complete && owed > 1) return void socket.destroy()
  }
  const refusal = new Refusal(brokenRequests[error.code ?? ''] ?? 'malformed_request')
  const request_id = uuidv7()
  const body = problem(refusal.code, { detail: refusal.message, instance: '/', request_id })
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${body.status} ${body.code}`,
      'connection: close',
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(text)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `x-request-id: ${request_id}`,
      '',
      text,
    ].join('\r\n'),
  )
}
