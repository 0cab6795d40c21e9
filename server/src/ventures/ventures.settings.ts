// The settings of the operator's key, which registers ventures, and defaults for new ventures.
import { type Given, type Settings, secret } from '../platform/config.ts'
import { type Control, controls } from './ventures.schemas.ts'

export const venturesSettings = {
  ADMIN_API_KEY: {
    default: 'generated when embedded, otherwise unset: no admin routes',
    meaning: "the operator's key, at least 32 characters",
    parse: secret,
  },
  DEFAULT_CONTROL: {
    default: 'OPEN in the sandbox, otherwise MANAGED',
    meaning: 'who processes the transfers of a venture that is registered without control: OPEN (the venture) or MANAGED (the bank)',
    parse: control,
  },
} satisfies Settings

export type VenturesConfig = { adminApiKey: string | undefined; defaultControl: Control }

export function venturesConfig(given: Given<typeof venturesSettings>, { sandbox }: { sandbox: boolean }): VenturesConfig {
  return { adminApiKey: given.ADMIN_API_KEY, defaultControl: given.DEFAULT_CONTROL ?? (sandbox ? 'OPEN' : 'MANAGED') }
}

function control(text: string): Control {
  return controls.find((known) => known === text) ?? fail(`must be ${controls.join(' or ')}, not "${text}"`)
}

function fail(message: string): never {
  throw new Error(message)
}
