// The way to the routing service: HTTPS, on which both sides show a certificate.
import { Agent } from 'undici'
import { callPartner } from '../../platform/outgoing/partner.ts'
import { readIdentity, readTrusted } from './payees.vop.certificates.ts'
import { vopHeaders, vopPath } from './payees.vop.wire.ts'

export type RouteRequest = { headers: Record<string, string>; body: string }
/** `request_id`: the id in the headers of the answer; null if there is none. */
export type RouteAnswer = { status: number; request_id: string | null; bytes: Uint8Array }

/** How a question reaches the routing service, and its answer comes back. */
export type Route = {
  send(request: RouteRequest, signal: AbortSignal): Promise<RouteAnswer>
  close(): Promise<void>
}

/** Where the routing service is, and which certificate we show it. `authorityFile`: who may have issued its own, if not a public authority. */
export type VopVia = { url: string; certificateFile: string; keyFile: string; authorityFile: string | undefined }

/** More than enough for 100 questions a second. */
const mostConnections = 64
const longestAnswer_bytes = 16_384

/** Also returns when our certificate expires. Throws a StartupError if its files cannot be used. */
export function routeOver({ url, authorityFile, ...files }: VopVia): { route: Route; expires_at: Date } {
  const { cert, key, expires_at } = readIdentity(files)
  const trusted = authorityFile === undefined ? undefined : readTrusted(authorityFile).map(({ pem }) => pem)
  const ca = trusted && { ca: trusted, allowPartialTrustChain: true }
  const dispatcher = new Agent({ connections: mostConnections, connect: { cert, key, minVersion: 'TLSv1.2', ...ca } })
  const send: Route['send'] = async ({ headers, body }, signal) => {
    const { status, bytes, header } = await callPartner(`${url}${vopPath}`, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal,
      maxAnswer_bytes: longestAnswer_bytes,
    })
    return { status, bytes, request_id: header(vopHeaders.id) }
  }
  return { route: { send, close: () => dispatcher.destroy() }, expires_at }
}
