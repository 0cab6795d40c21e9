// Account numbers: IBANs of the bank. The last part is random, so a number cannot be guessed from another one.
import { randomInt } from 'node:crypto'
import { bbanLengthOf, makeIban } from '../values/iban.ts'

type NumberRange = { country: string; code: string }

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Generates random account numbers. A number may rarely repeat; the database ensures uniqueness. */
export function accountNumbers({ country, code }: NumberRange): () => string {
  const shape = accountShape({ country, code })
  if (shape === undefined) throw new RangeError(`accounts in ${country} cannot begin with ${code}`)
  return () => makeIban(country, code + shape.replace(/[0A]/g, randomLike))
}

function randomLike(kind: string): string {
  return kind === 'A' ? letters.charAt(randomInt(letters.length)) : String(randomInt(10))
}

/** With fewer characters after the bank code, account numbers would run out. */
export const minAccountPart = 6

/**
 * The form of the part that follows the bank code in an account number: A for a letter, 0 for a digit or for either. Undefined if the code
 * does not fit. Countries require letters only at the beginning and the end, so few forms are possible.
 */
export function accountShape({ country, code }: NumberRange): string | undefined {
  const length = (bbanLengthOf(country) ?? 0) - code.length
  if (length < minAccountPart) return undefined
  const counts = [0, 1, 2, 3, 4]
  const shapes = counts.flatMap((first) => counts.map((last) => 'A'.repeat(first) + 'A'.repeat(last).padStart(length - first, '0')))
  return shapes.find((shape) => isBban(country, code + shape))
}

function isBban(country: string, bban: string): boolean {
  try {
    makeIban(country, bban)
    return true
  } catch {
    return false
  }
}
