// The listener for questions of other banks. It serves nothing else: only clients whose certificate is pinned reach it, and it knows one path.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Database } from '../../platform/database/database.ts'
import { parseJson } from '../../platform/http/json.ts'
import type { Logger } from '../../platform/log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { Refusal } from '../../values/refusals.ts'
import { answerQuestion } from './payees.vop.answer.ts'
import { type CertificateFiles, readIdentity, readTrusted, secondsUntil } from './payees.vop.certificates.ts'
import {
  isRequestId,
  isVopTime,
  readQuestion,
  type VopError,
  vopHeaders,
  vopPath,
  vopTime,
  writeAnswer,
  writeError,
} from './payees.vop.wire.ts'

export type VopListen = CertificateFiles & { host: string; port: number; trustFile: string }

type Options = { database: Database; log: Logger; listen: VopListen }

/** A question has a name of 140 characters at most, and an id of 256. */
const longestQuestion_bytes = 16_384

/** How long requests may take to finish after a stop was requested. */
const stop_ms = 2_000

const timeouts = { handshakeTimeout: 5_000, headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 60_000 }

type Reply = { status: number; body: object; result?: string; headers?: Record<string, string> }

/** Why a request gets no answer, as the metrics count it. */
const refusedAs: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'not_pinned',
  404: 'path',
  405: 'method',
  413: 'too_large',
  415: 'content_type',
  500: 'error',
  503: 'unavailable',
}

class NoAnswer extends Error {
  readonly reply: Reply

  constructor(status: number, detail: string, code?: VopError, headers: Record<string, string> = {}) {
    super(detail)
    this.reply = { status, body: writeError(status, detail, code), headers }
  }
}

export class VopListener {
  readonly #database: Database
  readonly #log: Logger
  readonly #listen: VopListen
  readonly #server: Server
  /** The SHA-256 of each pinned certificate. */
  readonly #pinned: ReadonlySet<string>
  readonly expires_at: Date
  #closed: Promise<void> | undefined
  /** What was answered, by result, and what was refused, by reason, since the start. */
  readonly figures = { answered: new Map<string, number>(), refused: new Map<string, number>() }
  /** Called with the duration of each answer. */
  onAnswer: (duration_s: number) => void = () => {}

  /** Throws a StartupError if the files cannot be used. */
  constructor({ database, log, listen }: Options) {
    this.#database = database
    this.#log = log
    this.#listen = listen
    const { cert, key, expires_at } = readIdentity(listen)
    const trusted = readTrusted(listen.trustFile)
    this.expires_at = expires_at
    this.#pinned = new Set(trusted.map(({ certificate }) => certificate.fingerprint256))
    this.#server = createServer({
      cert,
      key,
      ca: trusted.map(({ pem }) => pem),
      // The certificate of a bank is trusted itself, whoever has issued it.
      allowPartialTrustChain: true,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      maxHeaderSize: 8_192,
      ...timeouts,
    })
    this.#server.on('request', (request, response) => void this.#serve(request, response))
    this.#server.on('tlsClientError', () => this.#count(this.figures.refused, 'tls'))
  }

  /** Returns its address. */
  async start(): Promise<string> {
    const { host, port } = this.#listen
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port }, resolve)
    }).catch((error: Error) => {
      throw new StartupError(`Cannot listen for other banks on ${host}, port ${port}: ${error.message}.`)
    })
    const { port: chosen } = this.#server.address() as AddressInfo
    if (secondsUntil(this.expires_at) <= 0) this.#log.warn({ expires_at: this.expires_at }, 'the certificate of VOP_LISTEN has expired')
    return `https://${host.includes(':') ? `[${host}]` : host}:${chosen}`
  }

  /** Accepts no more connections. Resolves when those that are open have ended. */
  leave(): Promise<void> {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()))
    return this.#closed
  }

  /** Finishes the requests that have arrived. */
  async stop(): Promise<void> {
    const closed = this.leave()
    this.#server.closeIdleConnections()
    const limit = setTimeout(() => this.#server.closeAllConnections(), stop_ms)
    await closed
    clearTimeout(limit)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const since_ms = performance.now()
    const { status, body, result, headers } = await this.#reply(request)
    if (result === undefined) this.#count(this.figures.refused, refusedAs[status] ?? 'error')
    else {
      this.#count(this.figures.answered, result)
      this.onAnswer((performance.now() - since_ms) / 1000)
    }
    const id = headerOf(request, vopHeaders.id)
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(isRequestId(id) && { [vopHeaders.id]: id }),
      [vopHeaders.answered]: vopTime(),
      ...headers,
    })
    response.end(JSON.stringify(body))
  }

  async #reply(request: IncomingMessage): Promise<Reply> {
    try {
      return await this.#answer(request)
    } catch (error) {
      if (error instanceof NoAnswer) return error.reply
      const isDown = error instanceof Refusal && error.code === 'unavailable'
      // Whoever has hung up needs no answer.
      if (!isDown && request.complete) this.#log.error({ err: error }, 'a question of another bank about a payee could not be answered')
      const [status, detail] = isDown ? [503, 'The service is not available now.'] : [500, 'The service has a fault.']
      return { status, body: writeError(status, detail) }
    }
  }

  async #answer(request: IncomingMessage): Promise<Reply> {
    const asked_at = vopTime()
    this.#requirePinned(request.socket as TLSSocket)
    if (request.url !== vopPath) throw new NoAnswer(404, 'There is nothing at this path.', 'FORMAT_ERROR')
    if (request.method !== 'POST') throw new NoAnswer(405, 'Only POST is possible.', 'FORMAT_ERROR', { allow: 'POST' })
    if (!/^application\/json\s*(?:;|$)/i.test(headerOf(request, 'content-type')))
      throw new NoAnswer(415, 'The body must be application/json.', 'FORMAT_ERROR')
    const request_id = headerOf(request, vopHeaders.id).toLowerCase()
    if (!isRequestId(request_id)) throw new NoAnswer(400, 'X-Request-ID must be a UUID.', 'FORMAT_ERROR')
    if (!isVopTime(headerOf(request, vopHeaders.asked)))
      throw new NoAnswer(400, 'X-Request-Timestamp must be a time with milliseconds.', 'TIMESTAMP_INVALID')
    const question = questionIn(await bodyOf(request))
    const answer = await answerQuestion(this.#database, { request_id, asked_at, question })
    return { status: 200, body: writeAnswer(answer), result: (answer.name ?? answer.id)?.result ?? 'NOT_POSSIBLE' }
  }

  /** A certificate that a pinned one has issued is not pinned. An expired one can come back in a resumed session. */
  #requirePinned(socket: TLSSocket): void {
    const certificate = socket.getPeerX509Certificate()
    const isPinned = certificate !== undefined && this.#pinned.has(certificate.fingerprint256)
    if (!isPinned || secondsUntil(certificate.validToDate) <= 0)
      throw new NoAnswer(401, 'The certificate is not one that this bank trusts.', 'CLIENT_INVALID', { connection: 'close' })
  }

  #count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? '')

function questionIn(bytes: Uint8Array) {
  try {
    return readQuestion(parseJson(bytes))
  } catch {
    // What is wrong is not said: a name could be repeated.
    throw new NoAnswer(400, 'The body is not a question about a payee.', 'FORMAT_ERROR')
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // The rest is read and dropped, so that the sender gets the answer; the time limit of a request ends what is endless.
    if (length <= longestQuestion_bytes) chunks.push(chunk)
  }
  if (length > longestQuestion_bytes) throw new NoAnswer(413, 'The body is too large.', 'FORMAT_ERROR', { connection: 'close' })
  return Buffer.concat(chunks)
}
