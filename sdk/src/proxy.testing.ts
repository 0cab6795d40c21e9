// An HTTP proxy in front of the service that fails as networks and load balancers do.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What happens to a request.
 * unsent: the connection breaks before the service gets the request.
 * half: the connection breaks after half of the body.
 * unanswered: the service executes the request, and the connection breaks before the response.
 * cut: the connection breaks in the middle of the response.
 * late: the service gets the request only after the client has given up, concurrently with the client's next one.
 * slow: the response arrives after the client has given up.
 * repeated: the service gets the request twice at once, and the client gets the second response.
 * 502, 503, 504: the service executes the request, but the proxy answers.
 * 408, 429: the proxy refuses the request; the service never gets it.
 */
export const faults = ['unsent', 'half', 'unanswered', 'cut', 'late', 'slow', 'repeated', 502, 503, 504, 408, 429] as const
export type Fault = (typeof faults)[number]

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }
type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }

export class FaultyProxy {
  readonly #target: URL
  readonly #server: Server
  /** How much longer than the client the proxy waits. */
  readonly #patience_ms: number
  #port = 0
  /** The failures of the next requests; after them, requests pass. */
  plan: (Fault | 'pass')[] = []
  /** Every request that the proxy got. */
  readonly asked: Asked[] = []
  readonly #pending = new Set<Promise<unknown>>()

  private constructor(target: string, patience_ms: number) {
    this.#target = new URL(target)
    this.#patience_ms = patience_ms
    this.#server = createServer((incoming, outgoing) => void this.#take(incoming, outgoing).catch(() => incoming.socket.destroy()))
  }

  static async open(target: string, { patience_ms = 1_500 } = {}): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, patience_ms)
    await proxy.accept()
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async accept(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Breaks all connections and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Waits until the service has answered all requests, including late ones. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending)
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming
    const asked = { method, path, headers, body: await buffer(incoming) }
    this.asked.push(asked)
    const fault = this.plan.shift() ?? 'pass'
    const cut = () => incoming.socket.destroy()
    const answer = ({ status, headers, body }: Answer) => outgoing.writeHead(status, withoutConnection(headers)).end(body)
    switch (fault) {
      case 'pass':
        answer(await this.#forward(asked))
        break
      case 'unsent':
        cut()
        break
      case 'half':
        await this.#forward(asked, { half: true }).catch(() => {})
        cut()
        break
      case 'unanswered':
        await this.#forward(asked)
        cut()
        break
      case 'cut': {
        const { status, headers, body } = await this.#forward(asked)
        outgoing.writeHead(status, withoutConnection(headers))
        outgoing.write(body.subarray(0, body.length / 2), cut)
        break
      }
      case 'late':
        await sleep(this.#patience_ms)
        cut()
        await this.#forward(asked)
        break
      case 'slow': {
        const whole = await this.#forward(asked)
        await sleep(this.#patience_ms)
        answer(whole)
        break
      }
      case 'repeated': {
        const [, second] = await Promise.all([this.#forward(asked), this.#forward(asked)])
        answer(second)
        break
      }
      case 502:
      case 503:
      case 504:
        await this.#forward(asked)
        outgoing.writeHead(fault, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
        break
      case 408:
      case 429:
        outgoing.writeHead(fault, { 'content-type': 'text/html', 'retry-after': '0' }).end('<h1>Not now</h1>')
        break
    }
  }

  #forward(asked: Asked, options: { half?: boolean } = {}): Promise<Answer> {
    const answer = forward(this.#target, asked, options)
    this.#pending.add(answer)
    const done = () => void this.#pending.delete(answer)
    answer.then(done, done)
    return answer
  }
}

function forward(target: URL, { method, path, headers, body }: Asked, { half = false }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, target), { method, headers: { ...headers, host: target.host, connection: 'close' } })
    sent.on('error', reject).on('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response).catch(() => Buffer.alloc(0)) })
    })
    if (half) sent.write(body.subarray(0, body.length / 2), () => setTimeout(() => sent.destroy(), 20))
    else sent.end(body)
  })
}

function withoutConnection({ connection: _, 'keep-alive': __, ...headers }: IncomingMessage['headers']): IncomingMessage['headers'] {
  return headers
}
