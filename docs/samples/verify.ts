import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Headers = Record<string, string | string[] | undefined>

/** `headers` as Node has them, named in lower case; `body` the bytes as they arrived, before anything parsed them. */
export function verify(secret: string, headers: Headers, body: Uint8Array): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  // Written so that what is not a number does not pass either.
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
  if (!isRecent) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // With a secret that was never set, anyone could sign.
  if (key.length === 0) return false
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

// To try it: {"secret": "whsec_…", "headers": {…}, "body": "…"} on standard input; exits with 0 if the signature is right, else 1.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { secret, headers, body } = JSON.parse(readFileSync(0, 'utf8'))
  process.exitCode = verify(secret, headers, Buffer.from(body)) ? 0 : 1
}
