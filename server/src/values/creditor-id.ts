// Identifiers of SEPA creditors (EPC262-08): country, two check digits, a business code that the creditor chooses, and a national identifier.
import { checkDigits, isSepaIban } from './iban.ts'

/** The identifier in upper case and without spaces. The check digits do not cover the business code. */
export function parseCreditorId(text: string): string | undefined {
  const id = /^[A-Za-z0-9 ]+$/.test(text) ? text.replaceAll(' ', '').toUpperCase() : ''
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(id) || !isSepaIban(id)) return undefined
  return id.slice(2, 4) === checkDigits(id.slice(0, 2), id.slice(7)) ? id : undefined
}
