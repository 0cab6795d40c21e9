// The settings of signing in.
import { type Given, httpUrl, integer, onOrOff, type Settings } from '../platform/config.ts'
import { either } from '../values/refusals.ts'
import { type AdminKeyScope, adminKeyScopes } from './users.adminkey.rules.ts'

export const usersSettings = {
  CONSOLE_URL: {
    default: 'PUBLIC_URL',
    meaning: 'the URL at which people reach the console, for sign-in and links; in production, a separate host is recommended',
    parse: httpUrl,
  },
  PASSKEYS_REQUIRED: {
    default: 'off in the sandbox, otherwise on',
    meaning:
      'whether a passkey is required for people of the bank, and for people of a venture who may create keys, people, endpoints or payments: on or off',
    parse: onOrOff,
  },
  SIGN_IN_RETENTION_DAYS: {
    default: '400',
    meaning: 'after how many days the record of a sign-in is deleted, including the address that it came from',
    parse: integer(1, 3_650),
  },
  ADMIN_API_KEY_SCOPE: {
    default: 'unset: nothing',
    meaning:
      'what the admin key may still do once three admins of the bank have had a passkey, separated by commas: health, ventures:read; or set-up, to add another admin if all are locked out',
    parse: scopes,
  },
} satisfies Settings

export type UsersConfig = {
  consoleUrl: string | undefined
  passkeysRequired: boolean
  signInRetention_days: number
  adminApiKeyScopes: readonly AdminKeyScope[]
  /** The factor by which the usual limits for wrong passwords are raised. Only tests and measurements raise it. */
  signInLimitFactor: number
}

export function usersConfig(given: Given<typeof usersSettings>, { sandbox }: { sandbox: boolean }): UsersConfig {
  return {
    consoleUrl: given.CONSOLE_URL,
    passkeysRequired: given.PASSKEYS_REQUIRED ?? !sandbox,
    signInRetention_days: given.SIGN_IN_RETENTION_DAYS ?? 400,
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
