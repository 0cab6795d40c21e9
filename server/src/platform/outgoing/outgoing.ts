// HTTP requests to addresses that strangers chose. The address that was checked is the one connected to, nothing an answer says is
// followed, and neither its length nor its slowness is endured beyond a limit.
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { Agent, type buildConnector, type Dispatcher, errors } from 'undici'
import { hostOf, isPublic, type Resolve, readTarget, resolverFor } from './outgoing.addresses.ts'

type Check = {
  allowPrivate: boolean
  resolve?: Resolve
  /** A name that takes longer is left to the check with each connection. */
  patience_ms?: number
}

/** Says what is wrong with a URL that we are asked to call, as the end of a sentence about it; nothing if it may be called. */
export async function checkTarget(text: string, { allowPrivate, resolve, patience_ms = 3_000 }: Check): Promise<string | undefined> {
  const url = readTarget(text, { allowPrivate })
  if (typeof url === 'string') return url
  if (allowPrivate || isIP(hostOf(url)) !== 0) return undefined
  const found = (resolve ?? resolverFor({ allowPrivate }))(hostOf(url))
  // A receiver may be set up later than its endpoint, and the DNS may be down: that alone is no reason to refuse.
  const addresses = await Promise.race([found, wait(patience_ms, [], { ref: false })]).catch(() => [])
  return addresses.every(isPublic) ? undefined : 'resolves to an address that is not public'
}

export type Message = {
  headers: Record<string, string>
  body: string | Uint8Array
  /** Messages of one lane wait for each other when they are many; those of others do not. Not said: one lane for each origin. */
  lane?: string
}

export type Answer = {
  status: number
  duration_ms: number
  /** Its beginning, for people to read. */
  body: string
}

export type FailureKind = 'address_refused' | 'not_resolved' | 'not_connected' | 'tls' | 'timeout' | 'closed' | 'not_http'

/** Why there is no answer. The reason is a sentence for the receiver's owner and tells nothing about our network. */
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
  /** From the resolution of the name to the last byte of the answer; also how long a request waits for its turn at most. */
  timeout_ms?: number
  maxAnswer_bytes?: number
  /** How many requests, and so connections, a lane has at once. The others wait. */
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
  /** Undici has a queue too, but what has timed out in that one would still cost a connection when its turn comes. */
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
      // As many connections as the lanes let requests through.
      connections: null,
      // One timer of our own covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** Resolves with whatever the receiver answers, be it a redirect or an error, and rejects with a DeliveryFailure. */
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

  /** Breaks off what is under way; who wants to wait for it does so before. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const exchange of this.#exchanges) exchange.fail(stopped())
    await this.#agent.destroy()
    // Undici would leave these to themselves, and they would keep the process alive.
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
      if (!next.isSettled) this.#start(next, lane)
    }
  }

  /** Only ever tries addresses that readTarget or the lookup below has let through. */
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
    // Certificates are checked even under NODE_TLS_REJECT_UNAUTHORIZED=0.
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

  /** Called with every connection to a name. A host that is an address never comes here: readTarget has judged it. */
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
    // One that is not public spoils the others: nobody needs such a mixture, except to get at what is not public.
    if (this.#allowPrivate || addresses.every(isPublic)) return addresses
    throw new DeliveryFailure('address_refused', 'The name of the host resolves to an address that is not public.')
  }
}

type Limits = { timeout_ms: number; maxAnswer_bytes: number; mostPerLane: number }

/** One message and what becomes of it. Undici reports to it; the first of answer, failure and time-out settles it. */
class Exchange implements Dispatcher.DispatchHandler {
  isStarted = false
  isSettled = false
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

  /** What had to wait for its turn has the whole time from now on. */
  start(): void {
    this.isStarted = true
    this.#begun = performance.now()
    // A new timer, because Node overlooks refresh() in one that is due in this very moment, as those of a crowd are.
    clearTimeout(this.#timer)
    this.#timer = this.#setTimer()
    this.#dispatch(this)
  }

  fail(error: unknown): void {
    if (this.#settle()) this.#reject(error)
  }

  /** When there is a connection and the request is about to be sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.isSettled) controller.abort(brokenOff)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // Those below are announcements; the answer is still to come.
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
    if (!this.#settle()) return
    // PostgreSQL takes every character but this one.
    const body = Buffer.concat(this.#chunks).subarray(0, this.#limits.maxAnswer_bytes).toString().replaceAll('\0', '\ufffd')
    this.#resolve({ status: this.#status, duration_ms: Math.round(performance.now() - this.#begun), body })
  }

  #timeOut(): void {
    // The receiver has decided, and only the rest of its words is missing.
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

  /** True for the first who calls it. Whatever of the exchange is still under way is dropped together with its connection. */
  #settle(): boolean {
    if (this.isSettled) return false
    this.isSettled = true
    clearTimeout(this.#timer)
    // After the end of an answer this does nothing, and the connection is used again.
    this.#controller?.abort(brokenOff)
    return true
  }
}

const brokenOff = new Error('The exchange was broken off.')

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
    ? new DeliveryFailure('tls', `No secure connection could be made${mark(error)}.`)
    : new DeliveryFailure('not_connected', `The host could not be connected to${mark(error)}.`)
}

function failureOf(error: Error & { code?: string }): Error {
  if (error instanceof DeliveryFailure) return error
  const code = error.code ?? ''
  // A header of ours that cannot be sent is a bug and nobody's failure to answer.
  if (error instanceof errors.InvalidArgumentError) return error
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return new DeliveryFailure('not_http', `The host did not answer in HTTP${mark(error)}.`)
  }
  // With TLS 1.3 a host may refuse the connection after we have accepted it.
  if (code.startsWith('ERR_SSL_')) return new DeliveryFailure('tls', `The host refused the secure connection${mark(error)}.`)
  return new DeliveryFailure('closed', `The host closed the connection before its answer was complete${mark(error)}.`)
}

/** The code that the network or TLS gave. Those of undici say no more than the sentence. */
function mark({ code }: { code?: string }): string {
  return code === undefined || code.startsWith('UND_') ? '' : ` (${code})`
}
