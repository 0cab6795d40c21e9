// A webhook receiver that behaves as an experiment requires, and records what arrived.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Arrival = { path: string; id: string; resource: string; sequence: number; body: string }

/** Handles a delivery. Returns whether it was accepted, which means a 2xx response. */
export type Manner = (response: ServerResponse, arrival: Arrival) => boolean | Promise<boolean>

export const obliging: Manner = (response) => {
  response.writeHead(200).end('thank you')
  return true
}

export class Receiver {
  readonly #server: Server
  #port = 0
  manner: Manner = obliging
  /** Everything that was sent here, in order of arrival. */
  readonly arrivals: Arrival[] = []
  /** The ids of the accepted deliveries. */
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
        // The sender died while sending: it will send again.
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

  /** Stops listening and closes all connections, like a receiver that is down. */
  async goDown(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}
