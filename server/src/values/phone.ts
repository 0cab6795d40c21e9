// Phone numbers in international format, kept as E.164.
import { createRequire } from 'node:module'

type PhoneLibrary = typeof import('libphonenumber-js/min')

// The library takes 40 to 70 ms to load, so the first phone number pays for it and not every start.
const require = createRequire(import.meta.url)
let library: PhoneLibrary | undefined

// Checked first because the library also takes full-width digits, extensions and words around a number.
const e164 = /^\+[0-9]{3,15}$/
const pattern = /^\+[0-9][0-9 ().-]{4,38}$/

/**
 * The number in E.164. It must have a country's code and a length that the country uses. Whether its range is in use is not asked:
 * numbering plans change faster than the library's tables, and a number that exists must not be refused.
 */
export function parsePhone(text: string): string | undefined {
  if (!pattern.test(text)) return undefined
  const number = possible(text)
  // The zero that is dialled within a country is left out. Where another one follows, it is no number: each reading would leave out one more.
  return number !== undefined && possible(number) === number ? number : undefined
}

function possible(text: string): string | undefined {
  library ??= require('libphonenumber-js/min') as PhoneLibrary
  const phone = library.parsePhoneNumberFromString(text, { extract: false })
  // Some countries have numbers that are possible there and longer than E.164 allows.
  return phone?.isPossible() && e164.test(phone.number) ? phone.number : undefined
}
