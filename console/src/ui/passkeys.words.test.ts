import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebAuthnError } from '@simplewebauthn/browser'
import { passkeyTrouble } from './passkeys.words.ts'

const origin = 'http://127.0.0.1:8080'
const trouble = (name: string, message: string) => {
  const cause = Object.assign(new Error(message), { name })
  return passkeyTrouble(new WebAuthnError({ message, code: 'ERROR_INVALID_RP_ID', cause }), origin)
}

test('a passkey that the browser refuses to use is told apart from a service that does not answer', () => {
  assert.equal(
    trouble('SecurityError', 'The RP ID "console.bank.example" is invalid for this domain'),
    'Passkeys work only at console.bank.example. Open the console there.',
  )
  assert.match(trouble('SecurityError', '127.0.0.1 is an invalid domain') ?? '', /^Passkeys do not work at http:\/\/127\.0\.0\.1:8080\. /)
  assert.equal(trouble('NotAllowedError', 'The operation was aborted.'), 'The passkey was not used. Try again.')
  for (const error of [new TypeError('Failed to fetch'), 'no error', undefined]) assert.equal(passkeyTrouble(error, origin), undefined)
})
