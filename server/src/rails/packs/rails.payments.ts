// Payments on their way over a rail: their states, and the attempt under which a payment is sent.
import { methods } from '../../transfers/life/transfers.methods.ts'
import type { TransferMethod } from '../../transfers/life/transfers.status.ts'

/**
 * The methods whose payments leave the bank as messages. `letter`: in the ids of their messages. `most`: the largest number of payments in
 * one message; an instant payment is sent alone.
 */
export const railRecords = {
  SEPA: { letter: 'S', most: 5_000 },
  INST: { letter: 'I', most: 1 },
  SDD: { letter: 'D', most: 5_000 },
} as const satisfies Partial<Record<TransferMethod, { letter: string; most: number }>>

export type Rail = keyof typeof railRecords
export const rails = Object.keys(railRecords) as readonly Rail[]

/** The rail of each kind of payment that comes in, or leaves without an order that names a method. */
export const railOf = { payment: 'SEPA', instant: 'INST', debit: 'SDD' } as const satisfies Record<string, Rail>

/** Their payments leave in packs, at cut-offs if there are any. */
export const packedRails = rails.filter((rail) => methods[rail].packed)
/** Their payments leave at once. */
export const instantRails = rails.filter((rail) => methods[rail].instant)

/** The content of a message: payments, direct debits, or returns of either. */
export const packKinds = ['CREDIT_TRANSFER', 'DIRECT_DEBIT', 'RETURN'] as const
export type PackKind = (typeof packKinds)[number]

/**
 * COLLECTED: waits for its pack, or for the walk into it. PACKED: may still leave the pack. SENT: part of a sealed message. UNKNOWN: not
 * answered in time. REFUSED: this attempt did not happen, because the scheme refused the whole message or two people declared it not sent.
 * DROPPED: it left its pack before the pack was sealed.
 */
export const paymentStates = [
  'COLLECTED',
  'PACKED',
  'SENT',
  'ACCEPTED',
  'SETTLED',
  'REJECTED',
  'RETURNED',
  'UNKNOWN',
  'REFUSED',
  'DROPPED',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** waiting: it is already queued. spent: it may have been carried out, so it is never sent again. */
type Next = 'same' | 'higher' | 'waiting' | 'spent'

const nextAfter: Record<PaymentState, Next> = {
  COLLECTED: 'waiting',
  PACKED: 'waiting',
  SENT: 'spent',
  ACCEPTED: 'spent',
  SETTLED: 'spent',
  REJECTED: 'spent',
  RETURNED: 'spent',
  UNKNOWN: 'spent',
  REFUSED: 'higher',
  DROPPED: 'same',
}

/** The attempt under which a payment is collected, after its last one. */
export function nextAttempt(last: { attempt: number; state: PaymentState } | undefined): number | 'waiting' | 'spent' {
  if (last === undefined) return 1
  const next = nextAfter[last.state]
  if (next === 'same') return last.attempt
  return next === 'higher' ? last.attempt + 1 : next
}
