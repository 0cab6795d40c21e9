// Operations that create something. A route declares `creates`; this file handles the status, the Location and the header
// Idempotency-Key for all of them.
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { Refusal, refuse, refuseField } from '../../values/refusals.ts'
import { coalesce } from '../coalesce.ts'
import { type Companions, companion } from '../companions.ts'
import type { Database } from '../database/database.ts'
import type { Creation, Made } from '../http/declaration.ts'
import type { App } from '../http/http.ts'
import type { Logger } from '../log.ts'
import { type Answer, findKept, type Kept, type Scope, selectKept, writeAnswer } from './idempotency.sql.ts'
import { type Attempt, hashOf, hashOfBytes, idempotencyKeys, nameOf } from './idempotency.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What must be written in the transaction of the request's effect. */
    companions: Companions
  }
}

type Options = {
  database: Database
  log: Logger
  /** The owner for whom the request acts, and the caller who sent it. */
  scopeOf(request: FastifyRequest): Pick<Scope, 'venture_id' | 'owner_id'>
}

export function serveCreations(app: App, options: Options): void {
  const { database } = options
  const findByName = coalesce<string, Kept>(
    async (names) => new Map((await findKept(database, names.map(parseName))).map((kept) => [nameOf(kept), kept])),
    { wait_ms: database.limits.answer_ms },
  )
  const find = (scope: Scope) => findByName(nameOf(scope))
  app.decorateRequest('companions')
  app.addHook('onRoute', (route) => {
    const creation = route.config?.creates
    if (creation !== undefined) route.handler = creating(route, creation, { ...options, find })
  })
}

function parseName(name: string): Scope {
  const [venture_id = '', owner_id = '', operation = ''] = name.split(' ', 3)
  return { venture_id, owner_id, operation, key: name.slice(venture_id.length + owner_id.length + operation.length + 3) }
}

/** `answer`: what is stored with the effect, once it has been written. */
type AnsweredAttempt = Attempt & { answer?: Answer }

type Tools = Options & { find(scope: Scope): Promise<Kept | undefined> }

function creating(route: RouteOptions, creation: Creation, tools: Tools): RouteHandlerMethod {
  const handle = route.handler as (request: FastifyRequest, reply: FastifyReply) => Promise<Made>
  const { operationId: operation = '', response = {} } = (route.schema ?? {}) as { operationId?: string; response?: object }
  const status = Number(Object.keys(response)[0])

  const locationOf = (made: Made, request: FastifyRequest) => creation.location?.(made, request.params as never)

  function send(made: Made, request: FastifyRequest, reply: FastifyReply): Made {
    if (creation.waits?.(made)) reply.code(202)
    // A request that waits for a second person has created nothing yet.
    if (reply.statusCode === 202) return made
    const location = locationOf(made, request)
    reply.code(status)
    if (location !== undefined) reply.header('location', location)
    return made
  }

  function answerOf(made: Made, request: FastifyRequest, reply: FastifyReply): Answer {
    const serializeAs = (code: number) => (reply.getSerializationFunction(String(code)) as (payload: object) => string)(made)
    if (creation.waits?.(made)) return { status: 202, location: null, body: serializeAs(202) }
    return { status, location: locationOf(made, request) ?? null, body: serializeAs(status) }
  }

  function attemptOf(key: string, request: FastifyRequest, reply: FastifyReply): AnsweredAttempt {
    const attempt: AnsweredAttempt = {
      ...tools.scopeOf(request),
      operation,
      key,
      request_hash: hashOf({ params: request.params, body: Buffer.isBuffer(request.body) ? hashOfBytes(request.body) : request.body }),
      answerOf: (made) => {
        const waits = typeof creation.answer === 'function' && creation.waits?.(made) === true
        if (creation.answer === 'kept' || waits) attempt.answer = answerOf(made, request, reply)
        return attempt.answer
      },
    }
    return attempt
  }

  function sendAnswer({ status, location, body }: Answer, reply: FastifyReply): FastifyReply {
    if (location !== null) reply.header('location', location)
    return reply.code(status).type('application/json; charset=utf-8').send(body)
  }

  async function replay(kept: Kept, attempt: Attempt, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { resource_id, request_hash, status, location, body } = kept
    if (request_hash !== attempt.request_hash) refuse('idempotency_key_reused')
    // The first request may have got an unknown outcome, because the standby had not confirmed it.
    await tools.database.confirm(selectKept(tools.database, [attempt]))
    if (creation.answer === 'secret') refuse('idempotency_secret_shown', { resource_id })
    if (status !== null && body !== null) {
      reply.header(replayed, 'true')
      return sendAnswer({ status, location, body }, reply)
    }
    if (creation.answer === 'kept') throw new Error(`the answer of ${operation} was not kept with its effect`)
    const made = await creation.answer(request as never, resource_id)
    reply.header(replayed, 'true')
    return send(made, request, reply)
  }

  /** The effect is already committed. If this fails, a repeated request still finds the created resource. */
  async function keep(attempt: Attempt, answer: Answer): Promise<void> {
    try {
      await tools.database.transaction(async (tx) => writeAnswer(tx, attempt, answer))
    } catch (error) {
      tools.log.warn({ err: error, operation }, 'the answer could not be stored for its idempotency key')
    }
  }

  async function handleOnce(attempt: AnsweredAttempt, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const known = await tools.find(attempt)
    if (known !== undefined) return replay(known, attempt, request, reply)
    request.companions = [...(request.companions ?? []), companion(idempotencyKeys, attempt)]
    try {
      const made = await handle(request, reply)
      // It is already serialised, and may be long.
      if (attempt.answer !== undefined) return sendAnswer(attempt.answer, reply)
      if (typeof creation.answer === 'function') await keep(attempt, answerOf(made, request, reply))
      return send(made, request, reply)
    } catch (error) {
      // The first request may have ended since the last look; then its answer is stored.
      const ended = isInUse(error) ? await tools.find(attempt) : undefined
      if (ended === undefined) throw error
      return replay(ended, attempt, request, reply)
    }
  }

  return async (request, reply) => {
    const key = keyOf(request)
    if (key === undefined) return send(await handle(request, reply), request, reply)
    return handleOnce(attemptOf(key, request, reply), request, reply)
  }
}

const replayed = 'idempotency-replayed'

function isInUse(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'idempotency_key_in_use'
}

function keyOf({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  // Node joins repeated headers with a comma, which would look like another key. In rawHeaders, names and values alternate.
  const sent = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'idempotency-key')
  if (sent.length > 1) refuseField(header, 'must be sent only once')
  return typeof key === 'string' && /^[ -~]{1,255}$/.test(key) ? key : refuseField(header, 'must be 1 to 255 printable ASCII characters')
}

const header = 'Idempotency-Key'
