// How the simulated bank behaves, by the cents of an amount and by words in a name. Everything else succeeds. docs/simulated-bank.md shows these tables.
import type { ReasonCode } from '../../iso20022/iso20022.ts'
import type { Money } from '../../values/money.ts'

export type Behaviour = {
  /** The fate of the payment: it settles, it is rejected, its first message is refused whole, or nothing ever happens. */
  readonly outcome: 'settles' | 'rejected' | 'message_refused' | 'nothing'
  /** Why it is rejected or comes back. */
  readonly reason?: ReasonCode
  /** Whether it comes back in the cycle after its settlement. */
  readonly returned?: boolean
  /** How the bank answers. To an inquiry about a payment it gives the right answer, unless it is `never`. */
  readonly answer: 'once' | 'twice' | 'when_asked' | 'never' | 'late' | 'other_amount' | 'unknown_reference' | 'malformed'
  /** How many times the payment is on the statement of the account. */
  readonly entries: 0 | 1 | 2
  readonly words: string
}

export const usual: Behaviour = { outcome: 'settles', answer: 'once', entries: 1, words: 'It settles.' }

type Cents = `0${1 | 2 | 3 | 5 | 7 | 8 | 9}` | `1${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`

const rejected = (reason: ReasonCode, words: string): Behaviour => ({ outcome: 'rejected', reason, answer: 'once', entries: 0, words })
const settles = (unlike: Partial<Behaviour>, words: string): Behaviour => ({ ...usual, ...unlike, words })

export const behaviours: Readonly<Record<Cents, Behaviour>> = {
  '01': rejected('AC01', 'It is rejected: the account number does not exist.'),
  '02': rejected('AC04', 'It is rejected: the account is closed.'),
  '03': rejected('AM02', 'It is rejected: the amount is higher than is allowed.'),
  '05': settles({ returned: true, reason: 'MD07' }, 'It settles, and comes back in the next cycle: the holder of the account has died.'),
  '07': settles({ answer: 'when_asked' }, 'It settles, and the bank says so only when it is asked.'),
  '08': {
    outcome: 'rejected',
    reason: 'AC06',
    answer: 'when_asked',
    entries: 0,
    words: 'It is rejected, because the account is blocked, and the bank says so only when it is asked.',
  },
  '09': { outcome: 'nothing', answer: 'never', entries: 0, words: 'Nothing happens, and the bank never answers.' },
  '10': settles({ answer: 'twice' }, 'It settles, and the bank says so in two messages.'),
  '11': settles({ answer: 'other_amount' }, 'It settles, but the answer states an amount that is 1.00 higher.'),
  '12': settles({ answer: 'unknown_reference' }, 'It settles, but the answer names a transaction that does not exist.'),
  '13': settles({ answer: 'late' }, 'It settles, and the answer is late.'),
  '14': {
    outcome: 'message_refused',
    reason: 'FF01',
    answer: 'once',
    entries: 1,
    words: 'The whole message with it is refused the first time, with all its payments. The next message with it is accepted.',
  },
  '15': settles({ answer: 'malformed' }, 'It settles, but the answer is a file that breaks off.'),
  '16': settles({ entries: 0 }, 'It settles, and is missing on the statement of the account.'),
  '17': settles({ entries: 2 }, 'It settles, and is twice on the statement of the account.'),
}

/** What the bank says after we have accepted an instant payment. To an inquiry it gives the right answer, unless it is `never`. */
export type Confirmation = {
  readonly outcome: 'settles' | 'rejected'
  readonly answer: 'once' | 'when_asked' | 'never'
  readonly words: string
}

/** For instant payments to us, by their cents. Everything else settles, and the bank says so. */
export const confirmations = {
  '18': { outcome: 'rejected', answer: 'once', words: 'It is rejected (RJCT) although our bank has accepted it.' },
  '19': { outcome: 'settles', answer: 'when_asked', words: 'It settles, and the bank says so only when it is asked.' },
  '04': { outcome: 'settles', answer: 'never', words: 'It settles, and the bank never says so. Only the statement shows it.' },
} as const satisfies Readonly<Record<string, Confirmation>>

export const confirmed: Confirmation = { outcome: 'settles', answer: 'once', words: 'It settles, and the bank says so (ACSC).' }

export function confirmationOf(amount: Money): Confirmation {
  const cents = centsOf(amount)
  return Object.hasOwn(confirmations, cents) ? confirmations[cents as keyof typeof confirmations] : confirmed
}

/** Amounts have four decimals, of which the first two are the cents. */
const centsOf = (amount: Money): string => String((amount / 100n) % 100n).padStart(2, '0')

function isCents(text: string): text is Cents {
  return Object.hasOwn(behaviours, text)
}

export function behaviourOf(amount: Money): Behaviour {
  const cents = centsOf(amount)
  return isCents(cents) ? behaviours[cents] : usual
}

export type RecallAnswer = 'yes' | 'no' | 'silent'

/** The payee's answer to a recall, by words in the name. Without them, the payee gives the money back. */
export const recallWords: Readonly<Record<RecallAnswer, { readonly name: string; readonly words: string }>> = {
  yes: { name: 'RECALL YES', words: 'The money comes back.' },
  no: { name: 'RECALL NO', words: 'The payee refuses to give the money back.' },
  silent: { name: 'RECALL SILENT', words: 'No answer comes.' },
}

export function recallAnswerOf(name: string | null): RecallAnswer {
  const upper = (name ?? '').toUpperCase()
  if (upper.includes(recallWords.no.name)) return 'no'
  return upper.includes(recallWords.silent.name) ? 'silent' : 'yes'
}
