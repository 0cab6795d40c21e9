// Forwards events to an address: signed, the events of each resource in order, each until it is accepted.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { signWebhook, type VostroEvent } from '@vostro/sdk'
import { pause } from './waiting.ts'

/** A place in the order in which events come: the id of an event, or the number of a resend. */
export type Place = string

export type Position = { since: Place; ahead: readonly Place[] }

/**
 * How far everything has been forwarded. Events of different resources overtake each other, so some places ahead of the position are done as
 * well; they are remembered, so that nothing is forwarded twice after a restart.
 */
export class Progress {
  since: Place
  readonly #ahead: Set<Place>
  readonly #open: { place: Place; done: boolean }[] = []

  constructor({ since, ahead }: Position) {
    this.since = since
    this.#ahead = new Set(ahead)
  }

  /** Returns undefined if it was forwarded before. Otherwise what it returns is called once it has been. */
  begin(place: Place): (() => void) | undefined {
    const entry = { place, done: this.#ahead.delete(place) }
    this.#open.push(entry)
    const finish = () => {
      entry.done = true
      while (this.#open[0]?.done) this.since = this.#open.shift()?.place ?? this.since
    }
    if (!entry.done) return finish
    finish()
    return undefined
  }

  get open(): number {
    return this.#open.length
  }

  get position(): Position {
    return { since: this.since, ahead: [...this.#ahead, ...this.#open.flatMap(({ place, done }) => (done ? [place] : []))] }
  }
}

/** `status`: undefined without an answer. */
export type Outcome = { event: VostroEvent; resent: boolean; attempt: number; duration_ms: number } & (
  | { status: number; gaveUp: boolean }
  | { status?: undefined; error: string }
)

type Options = {
  target: URL
  secret: string
  /** How many answers other than 2xx an event gets before it is given up. A target that gives no answer is tried without end. */
  attempts: number
  signal: AbortSignal
  onOutcome(outcome: Outcome): void
}

/** How many events are sent at the same time. */
const mostAtOnce = 8
/** How many events may wait; reading on is no use before the target has taken some. */
const mostWaiting = 500
const timeout_ms = 15_000
/** How long a target may still take for its answer once the command is to end. */
const patience_ms = 2_000

export class Forwarder {
  readonly #options: Options
  /** The end of the queue of each resource. */
  readonly #queues = new Map<string, Promise<void>>()
  #sending = 0
  #waiting = 0
  readonly #turns: (() => void)[] = []
  readonly #hurry = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Puts an event behind the others of its resource. Waits while too many wait already. */
  async take(event: VostroEvent, { resent, onDone }: { resent: boolean; onDone: () => void }): Promise<void> {
    while (this.#waiting >= mostWaiting && !this.#options.signal.aborted) await pause(50, this.#options.signal)
    const resource = event.data.object.id
    this.#waiting++
    const before = this.#queues.get(resource) ?? Promise.resolve()
    const mine = before.then(async () => {
      if (await this.#deliver(event, resent)) onDone()
      this.#waiting--
      if (this.#queues.get(resource) === mine) this.#queues.delete(resource)
    })
    this.#queues.set(resource, mine)
  }

  /** Waits until nothing is being sent, but not long for a target that hangs: what it has not answered is sent again by the next run. */
  async settled(): Promise<void> {
    const timer = setTimeout(() => this.#hurry.abort(), patience_ms)
    await Promise.all(this.#queues.values())
    clearTimeout(timer)
  }

  /** Returns false if it was stopped before the event was accepted or given up. */
  async #deliver(event: VostroEvent, resent: boolean): Promise<boolean> {
    const { signal, attempts, onOutcome } = this.#options
    let answers = 0
    for (let attempt = 1; !signal.aborted; attempt++) {
      const start = performance.now()
      const { status, error } = await this.#inTurn(() => this.#send(event))
      const made = { event, resent, attempt, duration_ms: Math.round(performance.now() - start) }
      if (status === undefined) {
        if (signal.aborted) return false
        onOutcome({ ...made, error })
        await pause(Math.min(5_000, 100 * 2 ** Math.min(attempt, 8)), signal)
        continue
      }
      const accepted = status >= 200 && status < 300
      const gaveUp = !accepted && ++answers >= attempts
      onOutcome({ ...made, status, gaveUp })
      if (accepted || gaveUp) return true
      await pause(Math.min(30_000, 500 * 2 ** Math.min(answers, 8)), signal)
    }
    return false
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#sending >= mostAtOnce) await new Promise<void>((resolve) => this.#turns.push(resolve))
    this.#sending++
    try {
      return await work()
    } finally {
      this.#sending--
      this.#turns.shift()?.()
    }
  }

  /** Uses the address as it was given, with its query and its password. Redirects are answers like any other. */
  async #send(event: VostroEvent): Promise<{ status: number; error?: undefined } | { status?: undefined; error: string }> {
    const { target, secret } = this.#options
    const body = JSON.stringify(event)
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Vostro-Webhooks/1 (vostro listen)',
      ...(await signWebhook(body, event.id, secret)),
    }
    const signal = AbortSignal.any([AbortSignal.timeout(timeout_ms), this.#hurry.signal])
    const request = target.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve) => {
      const sent = request(target, { method: 'POST', headers, timeout: timeout_ms, signal }, (answer) => {
        answer.resume()
        // An answer that breaks off has been an answer.
        answer.once('close', () => resolve({ status: answer.statusCode ?? 0 }))
      })
      sent.once('error', (error) => resolve({ error: wordsOf(error) }))
      sent.end(body)
    })
  }
}

function wordsOf(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer within ${timeout_ms / 1000} s`
  const [first] = (error as AggregateError).errors ?? []
  return error.message || (first instanceof Error ? first.message : ((error as NodeJS.ErrnoException).code ?? 'no connection'))
}
