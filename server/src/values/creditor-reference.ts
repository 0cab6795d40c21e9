// Structured creditor references (ISO 11649): RF, two check digits, and up to 21 letters and digits.
import { checkDigits } from './iban.ts'

/** The reference in upper case and without spaces; it is often printed in groups. */
export function parseCreditorReference(text: string): string | undefined {
  const reference = /^[A-Za-z0-9 ]+$/.test(text) ? text.replaceAll(' ', '').toUpperCase() : ''
  if (!/^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(reference)) return undefined
  return reference.slice(2, 4) === checkDigits('RF', reference.slice(4)) ? reference : undefined
}
