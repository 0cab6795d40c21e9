// Phone numbers in international format, stored as E.164.
import { createRequire } from 'node:module'

type PhoneLibrary = typeof import('libphonenumber-js/min')

// The library takes 40 to 70 ms to load, so it is loaded with the first phone number and not at every start.
const require = createRequire(import.meta.url)
let library: PhoneLibrary | undefined

// Checked first, because the library also accepts full-width digits, extensions and words around a number.
const e164 = /^\+[0-9]{3,15}$/
const pattern = /^\+[0-9][0-9 ().-]{4,38}$/

/**
 * The number in E.164. It must have a country code and a length that the country uses. Its range is not checked, because numbering plans
 * change faster than the library's tables and an existing number must not be refused.
 */
export function parsePhone(text: string): string | undefined {
  if (!pattern.test(text)) return undefined
  const number = possibleNumber(text)
  // The library removes the leading zero of national numbers. A number with another zero after it is refused: each parsing would remove one.
  return number !== undefined && possibleNumber(number) === number ? number : undefined
}

function possibleNumber(text: string): string | undefined {
  library ??= require('libphonenumber-js/min') as PhoneLibrary
  const phone = library.parsePhoneNumberFromString(text, { extract: false })
  // Some countries have valid numbers that are longer than E.164 allows.
  return phone?.isPossible() && e164.test(phone.number) ? phone.number : undefined
}
