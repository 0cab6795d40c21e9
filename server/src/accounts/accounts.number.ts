// Account numbers: IBANs of the bank, whose last part is random, so that one number tells nothing about the next.
import { randomInt } from 'node:crypto'
import { accountShape, type BankConfig } from '../platform/config.ts'
import { makeIban } from '../values/iban.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** What makes the numbers of this bank. The same number may come twice, if rarely: the database knows which are taken. */
export function accountNumbers(bank: BankConfig): () => string {
  const { country, code } = bank
  const shape = accountShape(bank)
  if (shape === undefined) throw new RangeError(`accounts in ${country} cannot begin with ${code}`)
  return () => makeIban(country, code + shape.replace(/[0A]/g, randomLike))
}

function randomLike(kind: string): string {
  return kind === 'A' ? letters.charAt(randomInt(letters.length)) : String(randomInt(10))
}
