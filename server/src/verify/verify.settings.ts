// The setting of what leaves the database, out of reach of its owner.
import { type Given, type Settings, text } from '../platform/config.ts'

export const verifySettings = {
  ANCHOR_FILE: {
    default: 'standard output alone has them',
    meaning:
      'the file to which the roots of seals and revocations are appended, one JSON line each; npm run verify -- --anchored FILE reads it',
    parse: text,
  },
} satisfies Settings

export type VerifyConfig = { anchorFile: string | undefined }

export function verifyConfig(given: Given<typeof verifySettings>): VerifyConfig {
  return { anchorFile: given.ANCHOR_FILE }
}
