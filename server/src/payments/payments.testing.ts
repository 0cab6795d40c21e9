// For tests of payments: the payer with a card in hand, and a proxy before the gateway that loses, delays and falsifies on purpose.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { App } from '../platform/http/http.ts'

// biome-ignore lint/suspicious/noExplicitAny: what gateways answer is what the tests are about.
type Loose = any

/**
 * What happens to a request. After the first four the client has heard nothing that it could use.
 * cut: the gateway never hears of it, and the connection ends. late: the gateway hears of it only when the client has waited in vain.
 * lost: the gateway has done it, but the connection ends before the answer.
 * garbage: the gateway has done it, and answers something else. twice: the gateway hears it twice.
 * says: the gateway never hears of it, and this is the answer.
 */
export type Fault = 'cut' | 'lost' | 'late' | 'garbage' | 'twice' | { says: object }

type Call = { name: string; form: URLSearchParams }

export class GatewayProxy {
  /** Where the gateway really is. */
  target = ''
  readonly calls: Call[] = []
  /** What becomes of a call; none: it passes. Asked for each, and may wait. */
  faultOf: (call: Call) => Fault | undefined | Promise<Fault | undefined> = () => undefined
  /** The gateway's answer as the client hears it. May wait. */
  falsify: (call: Call, answer: Loose) => Loose = (_, answer) => answer
  /** A gateway that does not know the names of refunds: asked twice it gives twice, and it lists them without names. */
  forgetsNames = false
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

  /** Lets one thing happen to the next call of this name. */
  once(name: string, fault: Fault): void {
    const others = this.faultOf
    this.faultOf = (call) => {
      if (call.name !== name) return others(call)
      this.faultOf = others
      return fault
    }
  }

  /** One thing happens to every call, or to every one of this name. */
  always(fault: Fault, name?: string): void {
    this.faultOf = (call) => (name === undefined || call.name === name ? fault : undefined)
  }

  /** As if nothing had ever been wrong. What the gateway does late is waited for. */
  async heal(): Promise<void> {
    this.faultOf = () => undefined
    this.falsify = (_, answer) => answer
    this.forgetsNames = false
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
    if (this.forgetsNames) form.delete('externalRefundId')
    const answer = await fetch(`${this.target}${path}`, { method: 'POST', body: form })
    return answer.json()
  }
}

/** What a payer does: types a card into the form, and confirms or cancels where the card's bank asks. Tells where that leads. */
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
