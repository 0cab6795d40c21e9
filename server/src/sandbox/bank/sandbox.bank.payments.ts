// The records of the simulated bank: payments in both directions, entries of our bank's account, and recalls.
import type { Message, MessageType } from '../../iso20022/iso20022.ts'
import type { Rail } from '../../schemes/schemes.ts'
import type { Money } from '../../values/money.ts'

export const bankDirections = ['OUT', 'IN'] as const
export const bankKinds = ['CREDIT_TRANSFER', 'DIRECT_DEBIT', 'RETURN'] as const
export const bankStates = ['WAITING', 'SETTLED', 'REJECTED', 'RETURNED', 'REFUSED'] as const

export type BankKind = (typeof bankKinds)[number]

/** One transaction of one message. A transaction that is sent in two messages has two rows. */
export type BankPayment = {
  message_id: string
  position: number
  /** The number of transactions in the message. */
  message_count: number
  /** OUT leaves our bank, IN arrives at it. */
  direction: (typeof bankDirections)[number]
  kind: BankKind
  rail: Rail
  tx_id: string
  end_to_end_id: string
  /** For a return: the payment that comes back. */
  original_tx_id: string | null
  amount: Money
  currency: string
  /** What it adds to our bank's account when it settles; negative if it takes money away. */
  effect: Money
  debtor: string | null
  debtor_iban: string | null
  creditor: string | null
  creditor_iban: string | null
  remittance: string | null
  /** The day before which it cannot settle. */
  due_on: string | null
  /** REFUSED: together with the whole message. */
  state: (typeof bankStates)[number]
  reason: string | null
  settled_on: string | null
  /** What the bank does next, at the next cycle or later. */
  next: 'SETTLE' | 'RETURN' | 'ANSWER' | null
  next_at: Date | null
}

/** An entry of our bank's account with the simulated bank. */
export type BankEntry = {
  /** Identifies the entry, and orders the entries of a statement. */
  number: bigint
  booked_on: string
  amount: Money
  currency: string
  family: string
  subfamily: string
  /** The message whose payments it books together; otherwise the message of its one payment. */
  message_id: string
  /** The number of payments, if it books several. */
  count: number | null
  tx_id: string | null
  end_to_end_id: string | null
  debtor: string | null
  debtor_iban: string | null
  creditor: string | null
  creditor_iban: string | null
  remittance: string | null
  reason: string | null
}

export const bankRecallStates = ['REQUESTED', 'ACCEPTED', 'REFUSED'] as const

/** A request to return a payment. `direction`: that of the payment. */
export type BankRecall = {
  cancellation_id: string
  direction: (typeof bankDirections)[number]
  tx_id: string
  reason: string
  state: (typeof bankRecallStates)[number]
}

/** A message from the bank. `breaksOff`: only its first half arrives. `about`: the message that it answers. */
export type BankAnswer = {
  [Type in MessageType]: { type: Type; message: Message<Type>; about: string | null; breaksOff?: boolean }
}[MessageType]

/** The effects of a message, a cycle or a request. */
export type Plan = {
  payments: BankPayment[]
  changes: BankPayment[]
  entries: BankEntry[]
  recalls: BankRecall[]
  answers: BankAnswer[]
}

export function emptyPlan(): Plan {
  return { payments: [], changes: [], entries: [], recalls: [], answers: [] }
}

/** What the bank knows when it plans: the time, both banks, and numbers of its own. */
export type Circumstances = {
  at: Date
  /** The BIC of our bank, whose payments the simulated bank settles. */
  ours: string
  next(): bigint
}
