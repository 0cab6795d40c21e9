// Phone numbers in international format, stored as E.164.
import { createRequire } from 'node:module'

type PhoneLibrary = typeof import('libphonenumber-js/min')

// Loading the library takes 40 to 70 ms, so it is loaded for the first phone number and not at startup.
const require = createRequire(import.meta.url)
let library: PhoneLibrary | undefined

// Checked before the library, which also accepts full-width digits, extensions and words around a number.
const e164 = /^\+[0-9]{3,15}$/
const pattern = /^\+[0-9][0-9 ().-]{4,38}$/

/**
 * The number in E.164. It needs a country code and a length that is possible in that country. Ranges are not checked: numbering plans
 * change faster than the library's tables, and an existing number must never be refused.
 */
export function parsePhone(text: string): string | undefined {
  if (!pattern.test(text)) return undefined
  const number = possibleNumber(text)
  // The library strips one leading zero from national numbers. A number with another zero behind it is refused, because parsing it again
  // would strip that one too.
  return number !== undefined && possibleNumber(number) === number ? number : undefined
}

function possibleNumber(text: string): string | undefined {
  library ??= require('libphonenumber-js/min') as PhoneLibrary
  const phone = library.parsePhoneNumberFromString(text, { extract: false })
  // Some countries have valid numbers that are longer than E.164 allows.
  return phone?.isPossible() && e164.test(phone.number) ? phone.number : undefined
}
