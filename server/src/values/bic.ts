// Business identifier codes (ISO 9362), which the API also calls SWIFT codes.
import { alpha2ToAlpha3 } from './country.ts'

// Institution, country, location and optional branch. The standard allows digits in the first four characters, but no such BIC has ever
// been issued, so a digit there is a typing error.
const pattern = /^[A-Za-z]{4}([A-Za-z]{2})[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$/

/** The BIC in upper case, with the branch only if the text has one. */
export function parseBic(text: string): string | undefined {
  const [, country] = pattern.exec(text) ?? []
  if (country === undefined || alpha2ToAlpha3(country.toUpperCase()) === undefined) return undefined
  return text.toUpperCase()
}

/** Whether two BICs name the same office. Eight characters name the head office, and so does the branch code XXX. */
export function isSameBic(a: string, b: string): boolean {
  return a.padEnd(11, 'X') === b.padEnd(11, 'X')
}
