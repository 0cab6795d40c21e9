// The setting of what leaves the database, so that nobody who owns it can take it back.
import { type Given, type Settings, text } from '../platform/config.ts'

export const verifySettings = {
  ANCHOR_FILE: {
    default: 'standard output alone has them',
    meaning:
      'the file to which the roots of seals and what was revoked are appended, one JSON line each; npm run verify -- --anchored FILE reads it',
    parse: text,
  },
} satisfies Settings

export type VerifyConfig = { anchorFile: string | undefined }

export function verifyConfig(given: Given<typeof verifySettings>): VerifyConfig {
  return { anchorFile: given.ANCHOR_FILE }
}
