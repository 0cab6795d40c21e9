// A key, link or code that is shown once, until the person confirms having stored it.
import { type ReactNode, useState } from 'react'
import { codeShown, type Shown, ShownOnce } from './shown-once.tsx'

/** `done`: runs after the confirmation. */
export type Secret = Shown & { done?(): void }

/** A function that shows a secret, and its dialog. */
export function useSecret(): [(secret: Secret) => void, ReactNode] {
  const [secret, setSecret] = useState<Secret>()
  const close = () => {
    setSecret(undefined)
    secret?.done?.()
  }
  return [setSecret, <ShownOnce key="secret" shown={secret} onClose={close} />]
}

/** The secret in a response or in the result of an approval; undefined if there is none. */
export function secretOf(result: unknown): Secret | undefined {
  const { api_key, url } = (result ?? {}) as { api_key?: unknown; url?: unknown }
  if (typeof api_key === 'string') return { title: 'The new API key', text: api_key, note: 'Keep it on a server, never in an app.' }
  if (typeof url === 'string')
    return { title: 'The link', text: url, note: 'The service sends no mail: send the link yourself. It works once.' }
  return codeShown(result)
}
