// What is shown once: a key, a link or a code. It stays on the screen until somebody says that they have it.
import { type ReactNode, useState } from 'react'
import { codeShown, type Shown, ShownOnce } from './shown-once.tsx'

/** `done`: what happens once somebody has it. */
export type Secret = Shown & { done?(): void }

/** What to call with a secret, and the dialog that shows it. */
export function useSecret(): [(secret: Secret) => void, ReactNode] {
  const [secret, setSecret] = useState<Secret>()
  const close = () => {
    setSecret(undefined)
    secret?.done?.()
  }
  return [setSecret, <ShownOnce key="secret" shown={secret} onClose={close} />]
}

/** The secret in the answer to a request, or in what an approval has made; undefined if there is none. */
export function secretOf(result: unknown): Secret | undefined {
  const { api_key, url } = (result ?? {}) as { api_key?: unknown; url?: unknown }
  if (typeof api_key === 'string') return { title: 'The new API key', text: api_key, note: 'It belongs on a server, never in an app.' }
  if (typeof url === 'string')
    return { title: 'The link', text: url, note: 'The service sends no mail: hand the link over yourself. It works once.' }
  return codeShown(result)
}
