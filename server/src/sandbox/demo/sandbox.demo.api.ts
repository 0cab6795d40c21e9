// How the demo bank is filled: by requests to our own API, inside the process, like those of ventures, people and other banks. Decisions,
// records and consequences are the same as for any other request.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../platform/http/http.ts'

/** Why the demo bank could not be finished, in a sentence. */
export class DemoFailure extends Error {}

/** What a caller sends with each request. */
export type Caller = Record<string, string>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Answer = { status: number; headers: Record<string, unknown>; text: string }
// biome-ignore lint/suspicious/noExplicitAny: the demo reads answers like any client of the API.
export type Loose = any

const tries = 20
const pause_ms = 500

export class DemoApi {
  readonly #app: App
  readonly #signal: AbortSignal

  constructor(app: App, signal: AbortSignal) {
    this.#app = app
    this.#signal = signal
  }

  get(caller: Caller, path: string): Promise<Loose> {
    return this.#call('GET', caller, path)
  }

  post(caller: Caller, path: string, body?: object): Promise<Loose> {
    return this.#call('POST', caller, path, body)
  }

  put(caller: Caller, path: string, body: object): Promise<Loose> {
    return this.#call('PUT', caller, path, body)
  }

  /** Submits a form on a page of the service. Returns where the browser is sent. */
  async submit(url: string, fields: Record<string, string>): Promise<string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, headers: given } = await this.#send('POST', pathOf(url), headers, new URLSearchParams(fields).toString())
    if (status !== 303) throw new DemoFailure(`A page of the sandbox answered a payer with the status ${status}.`)
    return String(given['location'])
  }

  /** Follows a browser to a page that redirects it. */
  async visit(url: string): Promise<void> {
    const { status } = await this.#send('GET', pathOf(url), {})
    if (status >= 400) throw new DemoFailure(`A page of the sandbox answered a payer with the status ${status}.`)
  }

  /** The answer to a request whose response headers matter. */
  async open(caller: Caller, path: string, body: object): Promise<Answer> {
    return this.#accepted('POST', path, { ...caller, 'content-type': 'application/json' }, JSON.stringify(body))
  }

  async #call(method: Method, caller: Caller, path: string, body?: object): Promise<Loose> {
    const json = body === undefined ? caller : { ...caller, 'content-type': 'application/json' }
    const { text } = await this.#accepted(method, path, json, body && JSON.stringify(body))
    return text === '' ? undefined : JSON.parse(text)
  }

  /** Repeats the request while the database is busy: a request that it refused had no effect. */
  async #accepted(method: Method, path: string, headers: Caller, payload?: string): Promise<Answer> {
    for (let tried = 1; ; tried++) {
      const answer = await this.#send(method, `/api/v1${path}`, headers, payload)
      if (answer.status < 400) return answer
      const { code, detail } = JSON.parse(answer.text) as { code: string; detail?: string }
      if (code !== 'unavailable' || tried === tries)
        throw new DemoFailure(`${method} ${path.replace(/[0-9a-f-]{36}/g, '…')} was refused: ${code}. ${detail ?? ''}`.trim())
      await sleep(pause_ms, undefined, { signal: this.#signal })
    }
  }

  async #send(method: Method, url: string, headers: Caller, payload?: string): Promise<Answer> {
    this.#signal.throwIfAborted()
    const answer = await this.#app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body }
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://sandbox')
  return pathname + search
}
