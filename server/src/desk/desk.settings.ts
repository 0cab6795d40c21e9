// The setting of the console.
import { type Given, onOrOff, type Settings } from '../platform/config.ts'

export const deskSettings = {
  BUILD_CONSOLE: {
    default: 'on',
    meaning: 'whether a checkout builds the console after the start if its sources have changed: on or off',
    parse: onOrOff,
  },
} satisfies Settings

export type DeskConfig = {
  buildConsole: boolean
  /** Changed only in tests. */
  streamHeartbeat_ms: number
}

export function deskConfig(given: Given<typeof deskSettings>): DeskConfig {
  return { buildConsole: given.BUILD_CONSOLE ?? true, streamHeartbeat_ms: 15_000 }
}
