// What is kept of a question between banks: who asked whom and when, and what was answered. Of the question itself only a hash is kept: who has
// the question can prove that it was asked, and who has the row learns no name.
import { createHash } from 'node:crypto'
import type { VopQuestion } from './payees.vop.wire.ts'

/** `salt`: the id of the account, so that the names given for one account can be counted, or else that of the exchange. */
export function hashOf(salt: string, { iban, name, identification }: VopQuestion): string {
  const text = JSON.stringify([salt, iban, name === undefined ? null : plain(name), identification ?? null])
  return createHash('sha256').update(text).digest('hex')
}

/** Case and spaces make no other name. */
const plain = (name: string): string => name.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ')
