// Why a message is refused, when it is read or written. The codes are stored with the file, so they are never renamed.

export const faults = {
  empty: 'The file is empty.',
  too_large: 'The file is larger than 64 MB.',
  not_utf8: 'The file is not encoded in UTF-8.',
  doctype: 'The file contains a DOCTYPE or another declaration that is not allowed.',
  instruction: 'The file contains a processing instruction.',
  too_deep: 'Elements are nested too deeply.',
  too_complex: 'The file has too many elements, or an element has too long a tag.',
  too_many_transactions: 'The message has more than 5,000 transactions.',
  malformed: 'The file is not well-formed XML, or it is truncated.',
  unknown_type: 'The file is not a message of a type and version that is read here.',
  invalid: 'The message breaks a rule of its schema, or contains a value that does not exist.',
  number_differs: 'The stated number of transactions is not the number of transactions.',
  sum_differs: 'The stated sum is not the sum of the transactions.',
  balances_differ: 'The opening balance and the entries do not add up to the closing balance.',
  unreadable: 'The process that reads large files failed twice on this file.',
} as const

export type FaultReason = keyof typeof faults

export class MessageFault extends Error {
  override name = 'MessageFault'
  readonly reason: FaultReason
  readonly detail: string
  /** The elements from the outermost to the faulty one. */
  readonly path: string[] = []

  constructor(reason: FaultReason, detail = '') {
    super()
    this.reason = reason
    this.detail = detail
  }

  /** One or two sentences for people: the reason, and the exact fault. */
  override get message(): string {
    if (this.detail === '') return faults[this.reason]
    const words =
      this.path.length === 0 ? this.detail.charAt(0).toUpperCase() + this.detail.slice(1) : `${this.path.join('/')}: ${this.detail}`
    return `${faults[this.reason]} ${words}.`
  }
}

/** Returns the error to rethrow; a fault records the element that it is inside. Writer and reader add the elements on the way out. */
export function faultIn(tag: string, error: unknown): unknown {
  if (error instanceof MessageFault) error.path.unshift(tag)
  return error
}
