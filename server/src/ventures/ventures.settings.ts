// The setting of the operator's key, which registers ventures.
import { type Given, type Settings, secret } from '../platform/config.ts'

export const venturesSettings = {
  ADMIN_API_KEY: {
    default: 'generated when embedded, else unset: no admin routes',
    meaning: "the operator's key, at least 32 characters",
    parse: secret,
  },
} satisfies Settings

export type VenturesConfig = { adminApiKey: string | undefined }

export function venturesConfig(given: Given<typeof venturesSettings>): VenturesConfig {
  return { adminApiKey: given.ADMIN_API_KEY }
}
