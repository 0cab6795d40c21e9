// An HTTP client with keep-alive connections that never throws: the result describes what happened to the request.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Results } from '../results.ts'

// biome-ignore lint/suspicious/noExplicitAny: who asked checks what came back.
type Loose = any

/**
 * unsent: there was no connection, so the service cannot have seen it. lost: it was sent, and no complete response arrived. `replayed`: the
 * response to an earlier request with the same idempotency key.
 */
export type Reply =
  | { kind: 'answer'; status: number; code: string; body: Loose; replayed: boolean }
  | { kind: 'unsent' | 'lost'; why: string }

export type Question = { method: string; path: string; key: string; body?: object | string; headers?: Record<string, string> }

/** How often a request that must succeed is sent again. */
const patience = 20

/** A service that has not responded by then hangs, whatever it does later. */
const timeout_ms = 20_000
/** A service without a database responds within this time; slower responses are listed. */
export const promise_ms = 5_000
/** A later response is a finding, whatever its content. */
const latest_ms = 10_000

export class Caller {
  readonly #agent: Agent
  readonly #results: Results
  url: string

  constructor(url: string, results: Results, { connections = 128 }: { connections?: number } = {}) {
    this.url = url
    this.#results = results
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })
  }

  async send(question: Question): Promise<Reply> {
    // Waiting for a free connection is caused by our own requests and not by the service, so it does not count.
    let began = performance.now()
    const reply = await this.#exchange(question, () => {
      began = performance.now()
    })
    this.#watch(question, reply, performance.now() - began)
    return reply
  }

  /** For requests that no fault can affect. A busy machine may refuse them for lack of time; they are then repeated. */
  async must(question: Question): Promise<Loose> {
    for (let left = patience; ; left--) {
      const reply = await this.send(question)
      if (reply.kind === 'answer' && reply.status < 400) return reply.body
      const wasTooBusy = reply.kind === 'answer' && reply.code === 'unavailable'
      if (!wasTooBusy || left === 0) throw new Error(`${question.method} ${question.path}: ${describe(reply)}`)
      await sleep(1_000)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #watch({ method, path }: Question, reply: Reply, took_ms: number): void {
    const what = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}').replace(/\?.*/, '')}`
    if (reply.kind === 'answer') this.#results.slowestAnswer_ms = Math.max(this.#results.slowestAnswer_ms, took_ms)
    if (took_ms > promise_ms) this.#results.late.push(`${what}, with ${describe(reply)}`)
    if (took_ms > latest_ms) this.#results.broken.push(`${what} took more than ${latest_ms / 1000} s: ${describe(reply)}`)
    if (reply.kind === 'answer' && reply.status >= 500 && reply.status !== 503) {
      this.#results.broken.push(`${what} was answered with ${describe(reply)}`)
    }
  }

  #exchange({ method, path, key, body, headers = {} }: Question, onTurn: () => void): Promise<Reply> {
    return new Promise((resolve) => {
      const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const type = payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
      const outgoing = request(new URL(path, this.url), {
        method,
        agent: this.#agent,
        headers: { ...(key === '' ? {} : { 'x-api-key': key }), ...type, ...headers },
        timeout: timeout_ms,
      })
      outgoing.on('socket', onTurn)
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const unsent = error.code === 'ECONNREFUSED'
        resolve({ kind: unsent ? 'unsent' : 'lost', why: error.code ?? error.message })
      })
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', () => {})
        incoming.on('close', () => {
          if (!incoming.complete) return resolve({ kind: 'lost', why: 'half an answer' })
          const answer = parsed(Buffer.concat(chunks).toString())
          const replayed = incoming.headers['idempotency-replayed'] === 'true'
          resolve({ kind: 'answer', status: incoming.statusCode ?? 0, code: String(answer?.code ?? ''), body: answer, replayed })
        })
      })
      outgoing.end(payload)
    })
  }
}

function parsed(text: string): Loose {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function describe(reply: Reply): string {
  if (reply.kind === 'answer') return `${reply.status}${reply.code === '' ? '' : ` ${reply.code}`}`
  return reply.kind === 'unsent' ? 'no connection' : `no answer (${reply.why})`
}
