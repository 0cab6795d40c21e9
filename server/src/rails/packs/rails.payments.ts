// Payments on their way over a rail: their states, and the attempt under which a payment is sent.

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

const statesAfterWhich = (...next: Next[]): readonly PaymentState[] => paymentStates.filter((state) => next.includes(nextAfter[state]))

/** The payment waits for its message. */
export const waitingStates = statesAfterWhich('waiting')
/** The attempt is in no message that has left. */
export const unsentStates: readonly PaymentState[] = [...waitingStates, 'DROPPED']
/** The attempt may have been carried out. */
export const spentStates = statesAfterWhich('spent')
/** The attempt was sent and not refused, and the money has not come back. */
export const standingStates = spentStates.filter((state) => state !== 'REJECTED' && state !== 'RETURNED')
/** The attempt did not happen, so there may be another one. */
export const withdrawnStates = statesAfterWhich('same', 'higher')
/** The attempt moves no money. */
export const voidStates: readonly PaymentState[] = ['REJECTED', ...withdrawnStates]
/** The payment is in a message, or about to be, and nobody has said what became of it. */
export const unansweredStates: readonly PaymentState[] = ['PACKED', 'SENT', 'UNKNOWN']

/** The attempt under which a payment is collected, after its last one. */
export function nextAttempt(last: { attempt: number; state: PaymentState } | undefined): number | 'waiting' | 'spent' {
  if (last === undefined) return 1
  const next = nextAfter[last.state]
  if (next === 'same') return last.attempt
  return next === 'higher' ? last.attempt + 1 : next
}
