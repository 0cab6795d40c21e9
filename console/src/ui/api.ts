// The console calls the same routes as everybody else, by the SDK, with the cookie of whoever is signed in.
import { Vostro } from '@vostro/sdk'

export type Api = Vostro<'session'>

/** How long after the last key or click what the console asks for is still asked by a person. */
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

/** What a page asks for by itself, while nobody is there, does not keep the session alive. */
const send: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('x-vostro-console', Date.now() - lastAct_ms < attention_ms ? 'page' : 'live')
  return fetch(input, { ...init, headers })
}

const options = { fetch: send, maxRetries: 2 }

/** For sessions and for the bank's side. */
export const api: Api = new Vostro<'session'>(options)

const ofVentures = new Map<string, Api>()

/** For what belongs to a venture. */
export function apiOf(venture: string): Api {
  const known = ofVentures.get(venture)
  if (known !== undefined) return known
  const made = new Vostro<'session'>({ ...options, venture })
  ofVentures.set(venture, made)
  return made
}
