// The settings of signing in.
import { type Given, httpUrl, type Settings } from '../platform/config.ts'

export const usersSettings = {
  CONSOLE_URL: {
    default: 'PUBLIC_URL',
    meaning: 'the URL under which people reach the console, for sign-in and links; a host of its own is recommended in production',
    parse: httpUrl,
  },
} satisfies Settings

export type UsersConfig = {
  consoleUrl: string | undefined
  /** How many times the usual limits a wrong password is allowed; only tests and measurements raise it. */
  signInLimitFactor: number
}

export function usersConfig(given: Given<typeof usersSettings>): UsersConfig {
  return { consoleUrl: given.CONSOLE_URL, signInLimitFactor: 1 }
}
