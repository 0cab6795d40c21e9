// A receiver of webhooks that behaves as an experiment says, and keeps what arrived.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Arrival = { path: string; id: string; resource: string; sequence: number; body: string }

/** What is done with an arrival. It counts as taken when the answer is 2xx, which is what this tells. */
export type Manner = (response: ServerResponse, arrival: Arrival) => boolean | Promise<boolean>

export const obliging: Manner = (response) => {
  response.writeHead(200).end('thank you')
  return true
}

export class Receiver {
  readonly #server: Server
  #port = 0
  manner: Manner = obliging
  /** Everything that was sent here, in the order of its arrival. */
  readonly arrivals: Arrival[] = []
  /** The ids of what we said yes to. */
  readonly taken = new Set<string>()

  private constructor() {
    this.#server = createServer(async (request, response) => {
      response.on('error', () => {})
      try {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const body = Buffer.concat(chunks).toString()
        const { id, sequence, data } = JSON.parse(body)
        const arrival = { path: request.url ?? '', id, sequence, resource: data.object.id, body }
        this.arrivals.push(arrival)
        if (await this.manner(response, arrival)) this.taken.add(id)
      } catch {
        // The sender died while it sent: it will come again.
        response.destroy()
      }
    })
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    await receiver.comeBack()
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks`
  }

  async comeBack(): Promise<void> {
    if (this.#server.listening) return
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Listens no more and ends all connections, as a receiver does that is down. */
  async goDown(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}
