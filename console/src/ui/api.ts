// The console uses the public API through the SDK, with the session cookie.
import { Vostro } from '@vostro/sdk'

export type Api = Vostro<'session'>

/** Requests this long after the last key or click count as made by a person. */
const attention_ms = 60_000

let lastAct_ms = Date.now()
for (const kind of ['pointerdown', 'keydown', 'wheel'] as const)
  addEventListener(
    kind,
    () => {
      lastAct_ms = Date.now()
    },
    { passive: true, capture: true },
  )

/** Background requests of an idle page do not extend the session. */
const send: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('x-vostro-console', Date.now() - lastAct_ms < attention_ms ? 'page' : 'live')
  return fetch(input, { ...init, headers })
}

const options = { fetch: send, maxRetries: 2 }

/** For sessions and the bank. */
export const api: Api = new Vostro<'session'>(options)

const ofVentures = new Map<string, Api>()

/** For a venture. */
export function apiOf(venture: string): Api {
  const known = ofVentures.get(venture)
  if (known !== undefined) return known
  const made = new Vostro<'session'>({ ...options, venture })
  ofVentures.set(venture, made)
  return made
}
