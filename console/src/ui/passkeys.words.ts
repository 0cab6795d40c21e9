// Messages for browser errors with passkeys.

/** Undefined if the error is about something else. `origin`: the address of the page. */
export function passkeyTrouble(error: unknown, origin: string): string | undefined {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (name === 'NotAllowedError') return 'The passkey was not used. Try again.'
  if (name !== 'SecurityError') return undefined
  const [, expected] = /RP ID "([^"]+)"/.exec(message) ?? []
  return expected === undefined
    ? `Passkeys do not work at ${origin}. They need a host name with https, or localhost. Set the service’s address in CONSOLE_URL.`
    : `Passkeys work only at ${expected}. Open the console there.`
}
