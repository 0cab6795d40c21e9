// The setting of the archive: how long events stay in the database.
import { type Given, integer, type Settings } from '../platform/config.ts'

export const archiveSettings = {
  EVENT_RETENTION: {
    default: 'events are kept',
    meaning: 'after how many months npm run archive takes events out of the database, unless a month is named',
    parse: integer(1, 1_200),
  },
} satisfies Settings

export type ArchiveConfig = { eventRetention_months: number | undefined }

export function archiveConfig(given: Given<typeof archiveSettings>): ArchiveConfig {
  return { eventRetention_months: given.EVENT_RETENTION }
}
