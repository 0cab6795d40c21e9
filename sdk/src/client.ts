// The client: turns method calls into requests, retries them when that is safe, and turns responses into results or errors.
import { type Following, type FollowOptions, follow } from './follow.ts'
import type { Caller, CallOptions, ClientOptions } from './options.ts'
import { nextQuery, Pages } from './pages.ts'
import { VostroProblem, VostroUnreachable } from './problems.ts'
import { type Failure, isUnknown, mayRepeat, parseRetryAfter, pause, wait_ms } from './retries.ts'
import { type EventsMethods, type Operations, operations, type Problem, Resources, type VostroEvent } from './types.made.ts'

type Payload = { [name: string]: unknown }
type Query = Payload

type Request = CallOptions & {
  query?: Query | undefined
  /** Sent as JSON, unless it is a form or text. */
  body?: unknown
  /** The result is the redirect's target. */
  redirects?: boolean | undefined
}

type Answer = { body: unknown; headers: Headers }
type Attempt = { answer: Answer } | { error: Error; failure: Failure }

/**
 * A client of a Vostro service.
 *
 *     const vostro = new Vostro({ key, baseUrl: 'https://bank.example' })
 *     const transfer = await vostro.transfers.create({ account_id, beneficiary_id, unique_reference, debit_amount: '30.00' })
 *
 * Clients with a key belong on a server and throw in a browser. In a browser, on the service's origin, `new Vostro<'session'>({})` uses
 * the session cookie.
 */
export class Vostro<By extends Caller = 'key'> extends Resources<By> {
  declare readonly events: EventsMethods & Following
  readonly #options: ClientOptions<Caller>
  readonly #base: string

  constructor(options: ClientOptions<By>) {
    super()
    const { key, baseUrl = originOfPage() } = options as ClientOptions<Caller>
    if (key !== undefined && isBrowser())
      throw new Error('An API key must not be used in a browser: anyone who opens the page could read it. Call your own server instead.')
    if (key === '') throw new TypeError('The key is empty.')
    if (!/^https?:\/\//.test(baseUrl ?? '')) throw new TypeError('baseUrl is missing: where the service is, such as https://bank.example.')
    this.#options = options as ClientOptions<Caller>
    this.#base = String(baseUrl).replace(/\/+$/, '')
    Object.assign(this, this.#methodsOf(operations))
    Object.assign(this.events, { follow: (chosen: FollowOptions = {}) => this.#follow(chosen) })
  }

  /** Sends a request for which there is no method. `path` begins with `/api/v1/`. */
  async request(method: string, path: string, options: Omit<Request, 'redirects'> = {}): Promise<unknown> {
    return (await this.#send(method, path, options)).body
  }

  #methodsOf(table: Operations): Payload {
    const entries = Object.entries(table).map(([name, operation]) => {
      if (typeof operation !== 'string') return [name, this.#methodsOf(operation)]
      return [name, (...args: unknown[]) => this.#call(operation, args)]
    })
    return Object.fromEntries(entries)
  }

  /** `operation` is its method, its path and flags: b body, f form, q query, l list, k takes an idempotency key, r redirects. */
  #call(operation: string, args: unknown[]): unknown {
    const [method = '', pattern = '', flags = ''] = operation.split(' ')
    const path = pattern.replace(/\{(\w+)\}/g, (_, name) => segmentOf(name, args.shift()))
    const payload = /[bfql]/.test(flags) ? (args.shift() as Payload | undefined) : undefined
    const options = (args.shift() ?? {}) as CallOptions
    if (flags.includes('l')) {
      const read = async (query: Query) => {
        const { body, headers } = await this.#send(method, path, { ...options, query })
        return { items: body as unknown[], next: nextQuery(headers.get('link')) }
      }
      return new Pages(read, payload ?? {})
    }
    const request: Request = { ...options, redirects: flags.includes('r') }
    if (flags.includes('q')) request.query = payload
    else if (flags.includes('f')) request.body = formOf(payload ?? {})
    else request.body = payload
    // An operation without idempotency keys would ignore one, so the key would not make a retry safe.
    request.idempotencyKey = flags.includes('k') ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
    return this.#send(method, path, request).then(({ body }) => body)
  }

  #follow({ venture, ...options }: FollowOptions): AsyncGenerator<VostroEvent, void, undefined> {
    const { signal } = options
    return follow((query) => this.events.list(query, { signal, venture, maxRetries: 0 }).page(), options)
  }

  async #send(method: string, path: string, request: Request): Promise<Answer> {
    const { maxRetries = this.#options.maxRetries ?? 4, signal, idempotencyKey } = request
    const repeatable = method !== 'POST' || idempotencyKey !== undefined
    let uncertain = false
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      const result = await this.#attempt(method, path, request, uncertain)
      if ('answer' in result) return result.answer
      const { error, failure } = result
      if (attempt >= maxRetries || !mayRepeat(failure, repeatable)) throw error
      uncertain ||= isUnknown(failure)
      await pause(wait_ms(attempt, failure), signal)
    }
  }

  async #attempt(method: string, path: string, request: Request, uncertain: boolean): Promise<Attempt> {
    const { query, body, redirects, signal, idempotencyKey, timeout_ms = this.#options.timeout_ms ?? 60_000 } = request
    // A request that cannot be built is a mistake of the caller, not a network failure.
    const headers = this.#headersOf(request)
    const sent = body === undefined ? null : body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body)
    const stop = new AbortController()
    const abort = () => stop.abort(signal?.reason)
    const timer = setTimeout(() => stop.abort(new Error(`There was no answer within ${timeout_ms} ms.`)), timeout_ms)
    signal?.addEventListener('abort', abort, { once: true })
    const { fetch: send = fetch, key } = this.#options
    try {
      const response = await send(this.#base + path + searchOf(query), {
        method,
        headers,
        body: sent,
        credentials: key === undefined ? 'same-origin' : 'omit',
        // Keys are sent only to the service.
        redirect: 'manual',
        signal: stop.signal,
      })
      const { status, headers: answered } = response
      const content = await contentOf(response)
      if (status >= 200 && status < 300) return { answer: { body: content, headers: answered } }
      const location = answered.get('location')
      if (redirects && location !== null) return { answer: { body: location, headers: answered } }
      const retryAfter_s = parseRetryAfter(answered.get('retry-after'))
      if (isProblem(content))
        return {
          error: new VostroProblem(content, { uncertain, retryAfter_s }),
          failure: { status, code: content.code, retryAfter_s },
        }
      const where = location === null ? '' : ` It leads to ${location}.`
      const message = `${method} ${path}: status ${status}, which is no answer of the service.${where}`
      return { error: new VostroUnreachable(message, { status, idempotencyKey }), failure: { status, retryAfter_s } }
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      const why = stop.signal.aborted ? stop.signal.reason : cause
      return { error: new VostroUnreachable(`${method} ${path}: no answer. ${reasonOf(why)}`, { cause: why, idempotencyKey }), failure: {} }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  #headersOf({ body, idempotencyKey, headers, venture = this.#options.venture }: Request): Headers {
    const { key } = this.#options
    const all = new Headers(this.#options.headers)
    // Requests of a session carry a header that other sites cannot make a browser send.
    if (key === undefined) all.set('x-vostro-console', 'sdk')
    else all.set('authorization', `Bearer ${key}`)
    if (body !== undefined && !(body instanceof FormData)) all.set('content-type', 'application/json')
    if (idempotencyKey !== undefined) all.set('idempotency-key', idempotencyKey)
    if (venture !== undefined) all.set('vostro-venture', venture)
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
    return all
  }
}

/** Also true in web workers. */
function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis
}

function originOfPage(): string | undefined {
  return isBrowser() ? (globalThis as { location?: { origin: string } }).location?.origin : undefined
}

function segmentOf(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  // An empty segment or dots would change the path.
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} is missing.`)
  return encodeURIComponent(text)
}

function searchOf(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

function formOf(fields: Payload): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value as Blob)
  return form
}

/** JSON as a value, an empty body as undefined, and anything else as a Blob. */
async function contentOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (/\bjson\b/.test(type)) return response.json()
  const blob = await response.blob()
  return blob.size === 0 ? undefined : blob
}

function isProblem(content: unknown): content is Problem {
  return typeof content === 'object' && content !== null && 'code' in content && 'request_id' in content
}

/** `fetch` often reports only that it failed; the cause says why. */
function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error as { message?: string; cause?: unknown }
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
