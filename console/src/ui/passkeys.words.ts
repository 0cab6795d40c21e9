// What a browser says when it could not use or make a passkey.

/** Undefined if it has nothing to do with passkeys. `origin`: where the page is. */
export function passkeyTrouble(error: unknown, origin: string): string | undefined {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (name === 'NotAllowedError') return 'The passkey was not used. Try again.'
  if (name !== 'SecurityError') return undefined
  const [, expected] = /RP ID "([^"]+)"/.exec(message) ?? []
  return expected === undefined
    ? `Passkeys do not work at ${origin}: they need a name with https, or localhost. The service finds its own in CONSOLE_URL.`
    : `Passkeys work at ${expected} only: open the console there.`
}
