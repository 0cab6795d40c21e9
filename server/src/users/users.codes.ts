// Codes: a link that two people create only works with the code that the first of them got, so neither can use it alone. Only the hash of a
// code is stored.
import { randomBytes } from 'node:crypto'
import { hashOf } from '../ventures/ventures.ts'

/** 32 characters that cannot be confused when they are read aloud or written down: there is no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 20
const group = 5

/** 100 random bits, for example `7K3QZ-0MVXD-…`. */
export function makeCode(): string {
  const letters = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length])
  return Array.from({ length: length / group }, (_, index) => letters.slice(index * group, (index + 1) * group).join('')).join('-')
}

/** Accepts the code in lower case, without hyphens, or with letters that look like digits. */
export function codeHashOf(code: string): string {
  return hashOf(
    code
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1'),
  )
}
