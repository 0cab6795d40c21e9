// The settings of signing in.
import { type Given, httpUrl, onOrOff, type Settings } from '../platform/config.ts'
import { either } from '../values/refusals.ts'
import { type AdminKeyScope, adminKeyScopes } from './users.adminkey.rules.ts'

export const usersSettings = {
  CONSOLE_URL: {
    default: 'PUBLIC_URL',
    meaning: 'the URL under which people reach the console, for sign-in and links; a host of its own is recommended in production',
    parse: httpUrl,
  },
  PASSKEYS_REQUIRED: {
    default: 'off in the sandbox, else on',
    meaning:
      'whether people of the bank, and those of a venture who may make keys, people, endpoints or payments, need a passkey: on or off',
    parse: onOrOff,
  },
  ADMIN_API_KEY_SCOPE: {
    default: 'unset: nothing',
    meaning:
      'what the admin key may still do once three admins of the bank have had a passkey, separated by commas: health, ventures:read; or set-up, which lets in another admin if all are locked out',
    parse: scopes,
  },
} satisfies Settings

export type UsersConfig = {
  consoleUrl: string | undefined
  passkeysRequired: boolean
  adminApiKeyScopes: readonly AdminKeyScope[]
  /** How many times the usual limits a wrong password is allowed; only tests and measurements raise it. */
  signInLimitFactor: number
}

export function usersConfig(given: Given<typeof usersSettings>, { sandbox }: { sandbox: boolean }): UsersConfig {
  return {
    consoleUrl: given.CONSOLE_URL,
    passkeysRequired: given.PASSKEYS_REQUIRED ?? !sandbox,
    adminApiKeyScopes: given.ADMIN_API_KEY_SCOPE ?? [],
    signInLimitFactor: 1,
  }
}

function scopes(text: string): AdminKeyScope[] {
  const known = Object.keys(adminKeyScopes) as AdminKeyScope[]
  return text.split(',').map((word) => known.find((scope) => scope === word.trim()) ?? refuseScope(word.trim(), known))
}

function refuseScope(word: string, known: readonly string[]): never {
  throw new Error(`must name ${either(known)}, not "${word}"`)
}
