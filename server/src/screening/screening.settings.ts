// The settings of screening.
import { type Given, integer, type Settings } from '../platform/config.ts'
import { alpha2ToAlpha3 } from '../values/country.ts'

export const screeningSettings = {
  SCREENED_COUNTRIES: {
    default: 'none',
    meaning: 'countries (ISO 3166-1 alpha-2, separated by commas): a person reviews every payment from or to their banks',
    parse: countries,
  },
  WATCHLIST_LIMIT_MB: {
    default: '64',
    meaning: 'the maximum total size of the files of a watch list, in megabytes',
    parse: integer(1, 256),
  },
  WATCHLIST_RETENTION_DAYS: {
    default: '1826, five years',
    meaning:
      "for how many days the entries of a watch list's version are kept after it was last active; they are evidence for past comparisons",
    parse: integer(1, 36_500),
  },
} satisfies Settings

function countries(text: string): string[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase())
  const unknown = codes.find((code) => alpha2ToAlpha3(code) === undefined)
  if (unknown !== undefined) throw new Error(`must have ISO 3166-1 alpha-2 codes, separated by commas, not "${unknown}"`)
  return codes
}

export type ScreeningConfig = { screenedCountries: readonly string[]; watchlistLimit_mb: number; watchlistRetention_days: number }

export function screeningConfig(given: Given<typeof screeningSettings>): ScreeningConfig {
  return {
    screenedCountries: given.SCREENED_COUNTRIES ?? [],
    watchlistLimit_mb: given.WATCHLIST_LIMIT_MB ?? 64,
    watchlistRetention_days: given.WATCHLIST_RETENTION_DAYS ?? 1_826,
  }
}
