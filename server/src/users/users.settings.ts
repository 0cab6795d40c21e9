// The settings of signing in.
import { type Given, httpUrl, onOrOff, type Settings } from '../platform/config.ts'

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
} satisfies Settings

export type UsersConfig = {
  consoleUrl: string | undefined
  passkeysRequired: boolean
  /** How many times the usual limits a wrong password is allowed; only tests and measurements raise it. */
  signInLimitFactor: number
}

export function usersConfig(given: Given<typeof usersSettings>, { sandbox }: { sandbox: boolean }): UsersConfig {
  return { consoleUrl: given.CONSOLE_URL, passkeysRequired: given.PASSKEYS_REQUIRED ?? !sandbox, signInLimitFactor: 1 }
}
