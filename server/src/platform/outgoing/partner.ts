// HTTP requests to partners that the operator has configured, such as the card gateway and the identity verifier. Redirects are not
// followed, because they would carry our secrets elsewhere. Addresses that ventures chose go through `outgoing.ts`.
import { type Dispatcher, fetch as fetchThrough } from 'undici'

export type PartnerRequest = {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | URLSearchParams
  /** For the whole exchange, up to the last byte of the response. */
  timeout_ms?: number
  maxAnswer_bytes?: number
  /** The connections to a partner that asks for our certificate. */
  dispatcher?: Dispatcher
  /** Ends the exchange earlier. */
  signal?: AbortSignal
}

/** Redirects and error statuses are answers too. */
export type PartnerAnswer = { ok: boolean; status: number; bytes: Uint8Array; header(name: string): string | null }

/** Why there is no usable answer. It never repeats the request or the answer, which may contain secrets or personal data. */
export class PartnerFailure extends Error {
  override name = 'PartnerFailure'
  readonly code: 'timeout' | 'answer_too_long' | 'no_answer'

  constructor(code: PartnerFailure['code'], reason: string) {
    super(reason)
    this.code = code
  }
}

/** Rejects with a PartnerFailure and nothing else. */
export async function callPartner(
  url: string | URL,
  { timeout_ms = 10_000, maxAnswer_bytes = 65_536, dispatcher, signal: earlier, ...request }: PartnerRequest,
): Promise<PartnerAnswer> {
  const limit = AbortSignal.timeout(timeout_ms)
  const signal = earlier === undefined ? limit : AbortSignal.any([limit, earlier])
  const sent = { ...request, signal, redirect: 'manual' as const }
  try {
    const response = await (dispatcher === undefined ? fetch(url, sent) : fetchThrough(url, { ...sent, dispatcher }))
    const bytes = await readBounded(response, maxAnswer_bytes)
    return { ok: response.ok, status: response.status, bytes, header: (name) => response.headers.get(name) }
  } catch (error) {
    if (error instanceof PartnerFailure) throw error
    if (limit.aborted) throw new PartnerFailure('timeout', `no answer within ${timeout_ms} ms`)
    if (signal.aborted) throw new PartnerFailure('timeout', 'no answer in time')
    throw new PartnerFailure('no_answer', `no answer${networkCode(error)}`)
  }
}

type Answer = { status: number; body: AsyncIterable<Uint8Array> | null }

/** Counts decompressed bytes, so a small compressed answer cannot grow without limit either. */
async function readBounded({ status, body }: Answer, limit_bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > limit_bytes) {
      const which = status === 200 ? 'the answer' : `the answer with status ${status}`
      throw new PartnerFailure('answer_too_long', `${which} is longer than ${limit_bytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** For example ECONNREFUSED. */
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined
  return typeof cause?.code === 'string' ? ` (${cause.code})` : ''
}
