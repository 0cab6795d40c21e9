// Verifies and signs webhooks as Standard Webhooks defines them: HMAC-SHA256 over `id.timestamp.body`, over the bytes exactly as they arrived.
import type { VostroEvent } from './types.made.ts'

/** The webhook was not signed with one of the secrets, or not within the last five minutes. Refuse it with status 400 or 401. */
export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook'
}

/** Headers of Node, Express or `fetch`, in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The body as bytes or text. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

const tolerance_s = 300
const encoder = new TextEncoder()

/**
 * Returns the event if the body was signed with one of the secrets, and throws `InvalidWebhook` otherwise. Pass the body as it arrived,
 * before any parsing. While a secret is being rotated, pass both the old and the new one.
 */
export async function verifyWebhook(body: WebhookBody, headers: WebhookHeaders, secrets: string | readonly string[]): Promise<VostroEvent> {
  const keys = [secrets].flat().map(bytesOfSecret)
  if (keys.length === 0) throw new TypeError('Pass at least one secret.')
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name))
  // The sender's content type may make a framework parse or drop the body.
  if (!isTextOrBytes(body))
    throw new InvalidWebhook('The body is neither text nor bytes: pass it as it arrived, before anything has parsed it.')
  if (!id || !timestamp || !signatures)
    throw new InvalidWebhook('The headers webhook-id, webhook-timestamp and webhook-signature are needed.')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > tolerance_s)
    throw new InvalidWebhook('The webhook was not sent in the last five minutes.')
  const bytes = bytesOf(body)
  const signed = messageOf(id, timestamp, bytes)
  const given = signatures.split(' ').flatMap((text) => (text.startsWith('v1,') ? (fromBase64(text.slice(3)) ?? []) : []))
  for (const key of keys) {
    const imported = await importKey(key, 'verify')
    for (const signature of given) {
      // Constant-time comparison.
      if (await crypto.subtle.verify('HMAC', imported, signature, signed)) return JSON.parse(new TextDecoder().decode(bytes)) as VostroEvent
    }
  }
  throw new InvalidWebhook('No signature of the webhook fits.')
}

/** The headers of a webhook signed now, in the same way as by the service: to test a receiver, or to forward events to it. */
export async function signWebhook(body: WebhookBody, id: string, secret: string): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = await importKey(bytesOfSecret(secret), 'sign')
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, messageOf(id, timestamp, bytesOf(body))))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}` }
}

function bytesOf(body: WebhookBody): Uint8Array {
  return typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)
}

/** Also true for bytes from another realm, as in test runners. */
function isTextOrBytes(body: unknown): boolean {
  return typeof body === 'string' || /^\[object (Uint8Array|ArrayBuffer)\]$/.test(Object.prototype.toString.call(body))
}

function messageOf(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = encoder.encode(`${id}.${timestamp}.`)
  const all = new Uint8Array(start.length + body.length)
  all.set(start)
  all.set(body, start.length)
  return all
}

function importKey(key: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

function bytesOfSecret(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  // With a secret that was never set, anyone could sign.
  if (key === undefined || key.length === 0) throw new TypeError('The secret of a webhook endpoint begins with whsec_.')
  return key
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : undefined
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
