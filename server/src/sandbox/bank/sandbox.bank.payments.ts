// What the simulated bank keeps: payments in both directions, entries of the account that our bank has with it, and recalls.
import type { Message, MessageType } from '../../iso20022/iso20022.ts'
import type { Rail } from '../../transfers/life/transfers.rails.ts'
import type { Money } from '../../values/money.ts'

export const bankDirections = ['OUT', 'IN'] as const
export const bankKinds = ['CREDIT_TRANSFER', 'DIRECT_DEBIT', 'RETURN'] as const
export const bankStates = ['WAITING', 'SETTLED', 'REJECTED', 'RETURNED', 'REFUSED'] as const

export type BankKind = (typeof bankKinds)[number]

/** One transaction of one message. A transaction that is sent in two messages is there twice. */
export type BankPayment = {
  message_id: string
  position: number
  /** How many transactions the message has. */
  message_count: number
  /** OUT leaves our bank, IN comes to it. */
  direction: (typeof bankDirections)[number]
  kind: BankKind
  rail: Rail
  tx_id: string
  end_to_end_id: string
  /** Of a return: which payment comes back. */
  original_tx_id: string | null
  amount: Money
  currency: string
  /** What it adds to the account of our bank when it settles; negative if it takes away. */
  effect: Money
  debtor: string | null
  debtor_iban: string | null
  creditor: string | null
  creditor_iban: string | null
  remittance: string | null
  /** The day before which it does not settle. */
  due_on: string | null
  /** REFUSED: with the whole message. */
  state: (typeof bankStates)[number]
  reason: string | null
  settled_on: string | null
  /** What the bank does next: at the next cycle, or later. */
  next: 'SETTLE' | 'RETURN' | 'ANSWER' | null
  next_at: Date | null
}

/** A line of the account that our bank has with the simulated one. */
export type BankEntry = {
  /** Names the entry, and orders the entries of a statement. */
  number: bigint
  booked_on: string
  amount: Money
  currency: string
  family: string
  subfamily: string
  /** The message whose payments it books together; else the message of the one payment. */
  message_id: string
  /** Of several payments: how many. */
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

/** A request to give a payment back. `direction`: of which payment. */
export type BankRecall = {
  cancellation_id: string
  direction: (typeof bankDirections)[number]
  tx_id: string
  reason: string
  state: (typeof bankRecallStates)[number]
}

/** A message that the bank sends. `breaksOff`: only its first half arrives. `about`: the message that it answers. */
export type BankAnswer = {
  [Type in MessageType]: { type: Type; message: Message<Type>; about: string | null; breaksOff?: boolean }
}[MessageType]

/** What a message, a cycle or somebody's request leads to. */
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

/** What the bank knows when it plans: the time, both banks, and numbers that nobody else has. */
export type Circumstances = {
  at: Date
  /** The BIC of our bank, for which the simulated bank settles. */
  ours: string
  next(): bigint
}
