// For tests of payments: a payer with a card, and a proxy in front of the gateway that loses, delays and falsifies messages on purpose.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { App } from '../platform/http/http.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests change the answers of the gateway at will.
type Loose = any

/**
 * The fate of a request. After the first four, the client has no usable answer.
 * cut: the connection ends, and the gateway never receives the request. late: the gateway receives it only after the client has timed out.
 * lost: the gateway carries it out, but the connection ends before the answer.
 * garbage: the gateway carries it out, but the answer is not JSON. twice: the gateway receives it twice.
 * says: the gateway never receives it, and this is the answer.
 */
export type Fault = 'cut' | 'lost' | 'late' | 'garbage' | 'twice' | { says: object }

type Call = { name: string; form: URLSearchParams }

export class GatewayProxy {
  /** The address of the real gateway. */
  target = ''
  readonly calls: Call[] = []
  /** The fault for each call; undefined lets it pass. May wait. */
  faultOf: (call: Call) => Fault | undefined | Promise<Fault | undefined> = () => undefined
  /** Changes the gateway's answer before the client receives it. May wait. */
  falsify: (call: Call, answer: Loose) => Loose = (_, answer) => answer
  /** A gateway that ignores the ids of refunds: asked twice, it refunds twice, and it lists refunds without ids. */
  forgetsIds = false
  readonly #server: Server
  readonly #late: Promise<unknown>[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(): Promise<GatewayProxy> {
    const server = createServer()
    const proxy = new GatewayProxy(server)
    server.on('request', (request, response) => {
      proxy.#take(request, response).catch(() => response.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    after(() => {
      server.closeAllConnections()
      server.close()
    })
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  count(name: string): number {
    return this.calls.filter((call) => call.name === name).length
  }

  /** The next call of this name has this fault. */
  once(name: string, fault: Fault): void {
    const others = this.faultOf
    this.faultOf = (call) => {
      if (call.name !== name) return others(call)
      this.faultOf = others
      return fault
    }
  }

  /** Every call, or every call of this name, has this fault. */
  always(fault: Fault, name?: string): void {
    this.faultOf = (call) => (name === undefined || call.name === name ? fault : undefined)
  }

  /** Removes all faults and waits for the late requests. */
  async heal(): Promise<void> {
    this.faultOf = () => undefined
    this.falsify = (_, answer) => answer
    this.forgetsIds = false
    await Promise.all(this.#late)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const name = /(\w+)\.do$/.exec(request.url ?? '')?.[1] ?? ''
    const call = { name, form }
    this.calls.push(call)
    const fault = await this.faultOf(call)
    if (fault === 'cut') return void request.socket.destroy()
    if (typeof fault === 'object') return void response.end(JSON.stringify(fault.says))
    if (fault === 'late') {
      this.#late.push(once(response, 'close').then(() => this.#forward(request.url ?? '', form)))
      return
    }
    if (fault === 'twice') await this.#forward(request.url ?? '', form)
    const answer = await this.falsify(call, await this.#forward(request.url ?? '', form))
    if (fault === 'lost') return void request.socket.destroy()
    response.end(fault === 'garbage' ? '<html>Bad gateway</html>' : JSON.stringify(answer))
  }

  async #forward(path: string, form: URLSearchParams): Promise<Loose> {
    if (this.forgetsIds) form.delete('externalRefundId')
    const answer = await fetch(`${this.target}${path}`, { method: 'POST', body: form })
    return answer.json()
  }
}

/** Acts as a payer: enters a card into the form, and confirms or cancels 3-D Secure. Returns where the browser is sent. */
export async function payWith(
  app: App,
  { form_url }: { form_url: string },
  number: string,
  { cvv = '777', confirm = true }: { cvv?: string; confirm?: boolean } = {},
): Promise<string> {
  const entered = await submit(app, form_url, { number, cvv, expiry: '12/99', action: 'pay' })
  return /\/acs\//.test(entered) ? submit(app, entered, { action: confirm ? 'confirm' : 'cancel' }) : entered
}

async function submit(app: App, url: string, fields: Record<string, string>): Promise<string> {
  const { pathname } = new URL(url, 'http://gateway')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await app.inject({ method: 'POST', url: pathname, payload: new URLSearchParams(fields).toString(), headers })
  if (answer.statusCode !== 303) throw new Error(`the form answered ${answer.statusCode}: ${answer.body}`)
  return String(answer.headers.location)
}
