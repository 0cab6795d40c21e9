// Forwards signed events to an address, in order per resource, each until it is accepted.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { signWebhook, type VostroEvent } from '@vostro/sdk'
import { pause } from './waiting.ts'

/** A position in the stream of events: the id of an event, or the number of a resend. */
export type Place = string

export type Position = { since: Place; ahead: readonly Place[] }

/**
 * How far forwarding has come. Events of different resources overtake each other, so some events after the position are also done.
 * They are remembered, so that a restart does not forward them again.
 */
export class Progress {
  since: Place
  readonly #ahead: Set<Place>
  readonly #open: { place: Place; done: boolean }[] = []

  constructor({ since, ahead }: Position) {
    this.since = since
    this.#ahead = new Set(ahead)
  }

  /** Returns undefined if the event was already forwarded, and otherwise a function to call once it has been. */
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

/** `status`: undefined without a response. */
export type Outcome = { event: VostroEvent; resent: boolean; attempt: number; duration_ms: number } & (
  | { status: number; gaveUp: boolean }
  | { status?: undefined; error: string }
)

type Options = {
  target: URL
  secret: string
  /** How many responses other than 2xx an event gets before it is abandoned. A target that does not respond is retried forever. */
  attempts: number
  signal: AbortSignal
  onOutcome(outcome: Outcome): void
}

/** The maximum number of events being sent at once. */
const mostAtOnce = 8
/** The maximum number of waiting events. Reading further ahead would not help. */
const mostWaiting = 500
const timeout_ms = 15_000
/** How long to wait for responses when the command ends. */
const patience_ms = 2_000

export class Forwarder {
  readonly #options: Options
  /** The end of each resource's queue. */
  readonly #queues = new Map<string, Promise<void>>()
  #sending = 0
  #waiting = 0
  readonly #turns: (() => void)[] = []
  readonly #hurry = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Queues an event behind others of its resource. Waits if the queue is full. */
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

  /** Waits for pending sends, but only briefly for a target that hangs. The next run resends what was not answered. */
  async settled(): Promise<void> {
    const timer = setTimeout(() => this.#hurry.abort(), patience_ms)
    await Promise.all(this.#queues.values())
    clearTimeout(timer)
  }

  /** Returns false if stopped before the event was accepted or abandoned. */
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

  /** Uses the address unchanged, with its query and password. A redirect counts as a response. */
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
        // A response that breaks off still counts as a response.
        answer.once('close', () => resolve({ status: answer.statusCode ?? 0 }))
      })
      sent.once('error', (error) => resolve({ error: wordsOf(error) }))
      sent.end(body)
    })
  }
}

function wordsOf(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no response within ${timeout_ms / 1000} s`
  const [first] = (error as AggregateError).errors ?? []
  return error.message || (first instanceof Error ? first.message : ((error as NodeJS.ErrnoException).code ?? 'no connection'))
}
