// HTTP requests to addresses that strangers chose. We connect only to the address that was checked, follow no redirects, and limit the size
// and duration of the response.
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { Agent, type buildConnector, type Dispatcher, errors } from 'undici'
import { hostOf, isPublic, type Resolve, readTarget, resolverFor } from './outgoing.addresses.ts'

type Check = {
  allowPrivate: boolean
  resolve?: Resolve
  /** A name that takes longer to resolve is only checked on each connection. */
  timeout_ms?: number
}

/** What is wrong with a URL that we are asked to call, as the end of a sentence about it; undefined if it may be called. */
export async function checkTarget(text: string, { allowPrivate, resolve, timeout_ms = 3_000 }: Check): Promise<string | undefined> {
  const url = readTarget(text, { allowPrivate })
  if (typeof url === 'string') return url
  if (allowPrivate || isIP(hostOf(url)) !== 0) return undefined
  const found = (resolve ?? resolverFor({ allowPrivate }))(hostOf(url))
  // A name that does not resolve is accepted: the receiver may be set up later, and DNS may be down.
  const addresses = await Promise.race([found, wait(timeout_ms, [], { ref: false })]).catch(() => [])
  return addresses.every(isPublic) ? undefined : 'resolves to an address that is not public'
}

export type Message = {
  headers: Record<string, string>
  body: string | Uint8Array
  /** Messages in the same lane wait for each other if there are many; different lanes do not. By default, each origin has its own lane. */
  lane?: string
}

export type Answer = {
  status: number
  duration_ms: number
  /** The beginning of the body, for people. */
  body: string
}

export type FailureKind = 'address_refused' | 'not_resolved' | 'not_connected' | 'tls' | 'timeout' | 'closed' | 'not_http'

/** Why there is no response. The reason is a sentence for the owner of the receiver and reveals nothing about our network. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure'
  readonly kind: FailureKind
  readonly reason: string

  constructor(kind: FailureKind, reason: string) {
    super(reason)
    this.kind = kind
    this.reason = reason
  }
}

type Options = {
  allowPrivate: boolean
  /** From the DNS lookup to the last byte of the response. Also the maximum time that a request waits for its turn. */
  timeout_ms?: number
  maxAnswer_bytes?: number
  /** The maximum number of concurrent requests, and therefore connections, of a lane. Further requests wait. */
  mostPerLane?: number
  resolve?: Resolve
}

type Lane = { running: number; waiting: Exchange[] }

export class Outgoing {
  readonly #allowPrivate: boolean
  readonly #limits: Limits
  readonly #resolve: Resolve
  readonly #agent: Agent
  readonly #connecting = new Set<Socket>()
  /** Undici has its own queue, but a request that timed out there would still open a connection when its turn came. */
  readonly #lanes = new Map<string, Lane>()
  readonly #exchanges = new Set<Exchange>()
  #isClosed = false

  constructor(options: Options) {
    const { allowPrivate, timeout_ms = 15_000, maxAnswer_bytes = 16_384, mostPerLane = 64, resolve = resolverFor(options) } = options
    this.#allowPrivate = allowPrivate
    this.#limits = { timeout_ms, maxAnswer_bytes, mostPerLane }
    this.#resolve = resolve
    this.#agent = new Agent({
      connect: this.#connect,
      // No limit here, because the lanes limit the requests.
      connections: null,
      // Our own timer covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** Resolves with any response, including redirects and errors. Rejects with a DeliveryFailure. */
  async post(url: string, { headers, body, lane: name }: Message): Promise<Answer> {
    if (this.#isClosed) throw stopped()
    const target = readTarget(url, { allowPrivate: this.#allowPrivate })
    if (typeof target === 'string') throw new DeliveryFailure('address_refused', `The URL ${target}.`)
    const { origin, pathname, search } = target
    const exchange = new Exchange(this.#limits, (handler) => {
      this.#agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
    })
    const key = name ?? origin
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: [] }
    this.#lanes.set(key, lane)
    this.#exchanges.add(exchange)
    if (lane.running < this.#limits.mostPerLane) this.#start(exchange, lane)
    else lane.waiting.push(exchange)
    try {
      return await exchange.outcome
    } finally {
      this.#exchanges.delete(exchange)
      if (exchange.isStarted) lane.running--
      this.#startNext(lane)
      if (lane.running === 0 && this.#lanes.get(key) === lane) this.#lanes.delete(key)
    }
  }

  /** Aborts all running exchanges. Callers that want to wait for them must do so first. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const exchange of this.#exchanges) exchange.fail(stopped())
    await this.#agent.destroy()
    // Undici does not destroy these sockets, and they would keep the process alive.
    for (const socket of this.#connecting) socket.destroy(stopped())
  }

  #start(exchange: Exchange, lane: Lane): void {
    lane.running++
    exchange.start()
  }

  #startNext(lane: Lane): void {
    while (lane.running < this.#limits.mostPerLane) {
      const next = lane.waiting.shift()
      if (next === undefined) return
      if (!next.isDecided) this.#start(next, lane)
    }
  }

  /** Connects only to addresses that readTarget or the lookup below has accepted. */
  readonly #connect: buildConnector.connector = ({ hostname, port, protocol }, callback) => {
    const isSecure = protocol === 'https:'
    const options = {
      host: hostname,
      port: Number(port) || (isSecure ? 443 : 80),
      lookup: this.#lookup,
      autoSelectFamily: true,
      noDelay: true,
      keepAlive: true,
    }
    // Certificates are verified even with NODE_TLS_REJECT_UNAUTHORIZED=0.
    const socket = isSecure
      ? connectSecurely({ ...options, servername: isIP(hostname) === 0 ? hostname : '', rejectUnauthorized: true })
      : connect(options)
    const timer = setTimeout(() => socket.destroy(unreached(this.#limits)), this.#limits.timeout_ms)
    let isReached = false
    const end = () => {
      clearTimeout(timer)
      this.#connecting.delete(socket)
      socket.off('error', fail)
    }
    const fail = (error: Error) => {
      end()
      callback(failureToConnect(error, isReached), null)
    }
    this.#connecting.add(socket)
    socket.once('error', fail)
    socket.once('connect', () => {
      isReached = true
    })
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      end()
      callback(null, socket)
    })
  }

  /** Called for every connection to a host name. IP addresses do not pass through here, because readTarget has checked them. */
  readonly #lookup: LookupFunction = (name, _options, callback) => {
    this.#findChecked(name).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: DeliveryFailure) => callback(error, []),
    )
  }

  async #findChecked(name: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(name).catch(() => [])
    if (addresses.length === 0) throw new DeliveryFailure('not_resolved', 'The name of the host could not be resolved.')
    // A single private address is enough to refuse: only an attacker needs a mixture of public and private addresses.
    if (this.#allowPrivate || addresses.every(isPublic)) return addresses
    throw new DeliveryFailure('address_refused', 'The name of the host resolves to an address that is not public.')
  }
}

type Limits = { timeout_ms: number; maxAnswer_bytes: number; mostPerLane: number }

/** One message and its outcome. Undici calls the handlers; the first of response, failure and time-out decides. */
class Exchange implements Dispatcher.DispatchHandler {
  isStarted = false
  isDecided = false
  readonly outcome: Promise<Answer>
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: unknown) => void
  readonly #limits: Limits
  readonly #dispatch: (handler: Dispatcher.DispatchHandler) => void
  readonly #chunks: Buffer[] = []
  #timer: NodeJS.Timeout
  #begun = 0
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #size = 0

  constructor(limits: Limits, dispatch: (handler: Dispatcher.DispatchHandler) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.outcome = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#limits = limits
    this.#dispatch = dispatch
    this.#timer = this.#setTimer()
  }

  /** A request that has waited for its turn now has its full time. */
  start(): void {
    this.isStarted = true
    this.#begun = performance.now()
    // A new timer, because Node ignores refresh() on a timer that is due right now, which is common when many requests wait.
    clearTimeout(this.#timer)
    this.#timer = this.#setTimer()
    this.#dispatch(this)
  }

  fail(error: unknown): void {
    if (this.#decide()) this.#reject(error)
  }

  /** Called when there is a connection and the request is about to be sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.isDecided) controller.abort(aborted)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // A status below 200 is informational, and the response follows.
    if (status >= 200) this.#status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.#limits.maxAnswer_bytes) this.#answer()
  }

  onResponseEnd(): void {
    this.#answer()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(failureOf(error))
  }

  #answer(): void {
    if (!this.#decide()) return
    // PostgreSQL stores every character except NUL.
    const body = Buffer.concat(this.#chunks).subarray(0, this.#limits.maxAnswer_bytes).toString().replaceAll('\0', '\ufffd')
    this.#resolve({ status: this.#status, duration_ms: Math.round(performance.now() - this.#begun), body })
  }

  #timeOut(): void {
    // The status has arrived; only the rest of the body is missing.
    if (this.#status !== 0) {
      this.#answer()
      return
    }
    if (!this.isStarted) this.fail(unsent(this.#limits))
    else if (this.#controller === undefined) this.fail(unreached(this.#limits))
    else this.fail(unanswered(this.#limits))
  }

  #setTimer(): NodeJS.Timeout {
    return setTimeout(() => this.#timeOut(), this.#limits.timeout_ms)
  }

  /** True for the first caller. Aborts the exchange and its connection, if it is still running. */
  #decide(): boolean {
    if (this.isDecided) return false
    this.isDecided = true
    clearTimeout(this.#timer)
    // After a complete response this does nothing, and the connection is reused.
    this.#controller?.abort(aborted)
    return true
  }
}

const aborted = new Error('The exchange was aborted.')

function stopped(): DeliveryFailure {
  return new DeliveryFailure('closed', 'The service is stopping.')
}

function unsent({ timeout_ms, mostPerLane }: Limits): DeliveryFailure {
  const others = `${mostPerLane} earlier requests to the host were not answered`
  return new DeliveryFailure('timeout', `The request was not sent, because ${others} within ${timeout_ms / 1000} s.`)
}

function unreached({ timeout_ms }: Limits): DeliveryFailure {
  return new DeliveryFailure('timeout', `The host could not be reached within ${timeout_ms / 1000} s.`)
}

function unanswered({ timeout_ms }: Limits): DeliveryFailure {
  return new DeliveryFailure('timeout', `The host did not answer within ${timeout_ms / 1000} s.`)
}

function failureToConnect(error: Error & { code?: string }, isReached: boolean): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error
  return isReached
    ? new DeliveryFailure('tls', `A secure connection could not be established${mark(error)}.`)
    : new DeliveryFailure('not_connected', `The host could not be connected to${mark(error)}.`)
}

function failureOf(error: Error & { code?: string }): Error {
  if (error instanceof DeliveryFailure) return error
  const code = error.code ?? ''
  // A header that cannot be sent is our own bug, not a failure of the receiver.
  if (error instanceof errors.InvalidArgumentError) return error
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return new DeliveryFailure('not_http', `The host did not answer in HTTP${mark(error)}.`)
  }
  // With TLS 1.3, the host may refuse the connection after the handshake looks complete to us.
  if (code.startsWith('ERR_SSL_')) return new DeliveryFailure('tls', `The host refused the secure connection${mark(error)}.`)
  return new DeliveryFailure('closed', `The host closed the connection before its answer was complete${mark(error)}.`)
}

/** The error code of the network or TLS. Undici's own codes add nothing to the sentence. */
function mark({ code }: { code?: string }): string {
  return code === undefined || code.startsWith('UND_') ? '' : ` (${code})`
}
