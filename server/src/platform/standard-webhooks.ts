// Signatures according to Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, exactly as the bytes are sent.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type SignatureHeaders = { id: string; timestamp: string; signature: string }

const prefix = 'whsec_'
const window_s = 300

export function makeSecret(): string {
  return prefix + randomBytes(24).toString('base64')
}

/** `whsec_` and 24 to 64 bytes in base64. */
export function isSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false
  const { length } = keyOf(text)
  return length >= 24 && length <= 64
}

export function sign(secret: string, { id, timestamp, body }: { id: string; timestamp: number; body: Uint8Array | string }): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

type Signed = { id: string; body: Uint8Array | string; at?: Date }

/** The headers of a message, with one signature for each secret. */
export function signedHeaders(secrets: readonly string[], { id, body, at = new Date() }: Signed): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => sign(secret, { id, timestamp, body })).join(' '),
  }
}

/** True if one of the signatures was made with one of the secrets, within five minutes of `now`. */
export function verify(
  secrets: readonly string[],
  { id, timestamp, signature }: SignatureHeaders,
  body: Uint8Array,
  now = Date.now(),
): boolean {
  const time = Number(timestamp)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - time) > window_s) return false
  const given = signature.split(' ').slice(0, 10)
  // Every pair is compared, so that the duration does not reveal which one matches.
  let fits = false
  for (const secret of secrets) {
    const expected = sign(secret, { id, timestamp: time, body })
    for (const one of given) if (equal(one, expected)) fits = true
  }
  return fits
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
