// Reads an event in our own format. The signature follows Standard Webhooks and covers the bytes exactly as they arrived.
import type { IncomingHttpHeaders } from 'node:http'
import { checkCharacters } from '../platform/http/characters.ts'
import { parseJson, parseJsonText } from '../platform/http/json.ts'
import { checkShape } from '../platform/http/validation.ts'
import { verify } from '../platform/standard-webhooks.ts'
import { refuse } from '../values/refusals.ts'
import { Envelope } from './kyc.schemas.ts'

const checkEnvelope = checkShape<Envelope>(Envelope)

export function readSignedEvent(secrets: readonly string[], headers: IncomingHttpHeaders, bytes: Uint8Array): Envelope {
  const signature = {
    id: String(headers['webhook-id'] ?? ''),
    timestamp: String(headers['webhook-timestamp'] ?? ''),
    signature: String(headers['webhook-signature'] ?? ''),
  }
  if (verify(secrets, signature, bytes)) {
    const signed = parseJson(bytes)
    return readEnvelope(typeof signed === 'string' ? parseJsonText(signed) : signed)
  }
  // A relay may have wrapped the signed text in a JSON string.
  const inner = unwrap(bytes)
  if (inner === undefined || !verify(secrets, signature, inner)) return refuse('invalid_signature')
  return readEnvelope(parseJson(inner))
}

export function readEnvelope(value: unknown): Envelope {
  checkCharacters(value)
  return checkEnvelope(value)
}

function unwrap(bytes: Uint8Array): Uint8Array | undefined {
  // Before its signature is verified, a body is parsed only if it looks like a string.
  if (bytes[0] !== 0x22) return undefined
  try {
    const text: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof text === 'string' ? Buffer.from(text) : undefined
  } catch {
    return undefined
  }
}
