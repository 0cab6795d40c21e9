// Business identifier codes by ISO 9362, which are also what the API calls SWIFT codes.
import { alpha2ToAlpha3 } from './country.ts'

// The institution, its country, its place, and perhaps a branch. The standard would allow digits in the first four, but none has ever
// been issued, and a digit there is a slip of the pen.
const pattern = /^[A-Za-z]{4}([A-Za-z]{2})[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$/

/** The BIC upper-cased, with or without its branch as it was given. */
export function parseBic(text: string): string | undefined {
  const [, country] = pattern.exec(text) ?? []
  if (country === undefined || alpha2ToAlpha3(country.toUpperCase()) === undefined) return undefined
  return text.toUpperCase()
}
