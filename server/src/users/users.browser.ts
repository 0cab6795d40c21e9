// What a browser must send for its cookie to count: the cookie itself, and proof that the request comes from the console and not from a
// page of another site. Everything is derived from the configured URL of the console, never from the socket or the Host header, which the
// sender chooses.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../values/refusals.ts'

type Place = { origin: string; hostname: string; cookie: string | undefined; isSecure: boolean }

export const sessionLife_s = 43_200
const tokenForm = /^[A-Za-z0-9_-]{43}$/
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The console as browsers see it. */
export class Console {
  readonly #url: () => string
  #known: { url: string; place: Place } | undefined

  /** The URL may not be final until the service listens. */
  constructor(url: () => string) {
    this.#url = url
  }

  get #place(): Place {
    const url = this.#url()
    if (this.#known?.url === url) return this.#known.place
    const { origin, hostname, protocol } = new URL(url)
    const isSecure = protocol === 'https:'
    const cookie = isSecure ? '__Host-vostro' : localHosts.has(hostname) ? 'vostro' : undefined
    this.#known = { url, place: { origin, hostname, cookie, isSecure } }
    return this.#known.place
  }

  get origin(): string {
    return this.#place.origin
  }

  /** The relying party id, by which passkeys know this service. */
  get hostname(): string {
    return this.#place.hostname
  }

  /** Over plain HTTP, anyone in between could read the cookie. */
  requireSafe(): void {
    if (this.#place.cookie === undefined) refuse('console_needs_https')
  }

  /** The token in the cookie, if the request has one. */
  tokenOf({ headers }: FastifyRequest): string | undefined {
    if (headers.cookie === undefined) return undefined
    const { cookie } = this.#place
    if (cookie === undefined) return undefined
    const name = `${cookie}=`
    let token: string | undefined
    // Most requests have no other cookie.
    for (const pair of headers.cookie.includes(';') ? headers.cookie.split(';') : [headers.cookie]) {
      const trimmed = pair.trim()
      if (!trimmed.startsWith(name)) continue
      // There are two cookies of this name, so another site has set one of them.
      if (token !== undefined) refuseSession()
      token = trimmed.slice(name.length)
    }
    if (token !== undefined && !tokenForm.test(token)) refuseSession()
    return token
  }

  setCookie(reply: FastifyReply, token: string): void {
    this.#send(reply, token, sessionLife_s)
  }

  /**
   * Makes the browser forget the session and what it has kept of the console's pages. It does not use "cookies" in Clear-Site-Data, which
   * would also sign the person out of the bank's other sites.
   */
  forget(reply: FastifyReply): void {
    this.#send(reply, '', 0)
    reply.header('clear-site-data', '"cache", "storage"')
  }

  #send(reply: FastifyReply, token: string, age_s: number): void {
    const { cookie = '', isSecure } = this.#place
    reply.header('set-cookie', `${cookie}=${token}; Path=/; Max-Age=${age_s}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`)
  }

  /** Called for every request that relies on its cookie, and for every sign-in. */
  requireSameOrigin(request: FastifyRequest, reads: boolean): void {
    const { headers } = request
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin')
      refuse('foreign_origin', { detail: `The request comes from another site (Sec-Fetch-Site: ${shortened(site)}).` })
    if (reads) return
    if (site === undefined && headers.origin !== this.#place.origin)
      refuse('foreign_origin', { detail: `The header Origin must be ${this.#place.origin}, the URL of the console.` })
    if (headers['x-vostro-console'] === undefined)
      refuse('foreign_origin', { detail: 'The header X-Vostro-Console is missing. Only the console sends it.' })
  }
}

const shortened = (text: string | string[]): string => String(text).slice(0, 40)

export function refuseSession(): never {
  refuse('unauthorized', { detail: 'The session is unknown or has ended. Sign in again.' })
}
