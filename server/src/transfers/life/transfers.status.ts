// Directions, methods, types and statuses of transfers in the order of the specification, and the table of moves between statuses. The flow
// decides which part of the table applies to a transfer (transfers.flows.ts); guards decide when (transfers.guards.ts).

export const transferDirections = ['INBOUND', 'OUTBOUND'] as const

export const transferMethods = ['SEPA', 'INTERNAL', 'SDD', 'SDD_INTERNAL', 'INST', 'CARD', 'SWIFT', 'DOMESTIC'] as const

export const transferTypes = [
  'FEE',
  'PAYMENT',
  'PAYMENT_CANCELLATION',
  'PAYMENT_RETURN',
  'FEE_CANCELLATION',
  'CCY_EXCHANGE',
  'ADJUSTMENT',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_REVERSAL',
  'CARD_AUTH',
  'CARD_ADVICE',
  'CARD_REVERSAL',
  'FX_POSITION_CLOSING',
  'CARD_CLEARING',
] as const

/** Payments go to or come from another party; bookings are between an account and the venture's own books; card types belong to a card. */
export const typeGroups: Record<(typeof transferTypes)[number], 'payment' | 'booking' | 'card'> = {
  FEE: 'booking',
  PAYMENT: 'payment',
  PAYMENT_CANCELLATION: 'payment',
  PAYMENT_RETURN: 'payment',
  FEE_CANCELLATION: 'booking',
  CCY_EXCHANGE: 'booking',
  ADJUSTMENT: 'booking',
  PAYMENT_TECHNICAL_REVERSAL: 'payment',
  PAYMENT_REVERSAL: 'payment',
  CARD_AUTH: 'card',
  CARD_ADVICE: 'card',
  CARD_REVERSAL: 'card',
  FX_POSITION_CLOSING: 'booking',
  CARD_CLEARING: 'card',
}

export const transferStatuses = [
  'CREATED',
  'SIGNED',
  'REVIEW',
  'READY_TO_CLEAR',
  'SENT_TO_PACK',
  'PACKED',
  'SENT_TO_CLEAR',
  'COMPLETED',
  'SOME_PROBLEMS',
  'CANCELLED',
  'REJECTED',
  'INVALID',
  'ACCEPTED',
  'TO_SIGN',
  'RESERVED',
  'TO_RESERVE',
  'RECEIVED',
  'DROPPED',
  'ON_HOLD',
  'READY_FOR_SCREENING',
  'AML_APPROVED',
  'AML_REJECTED',
  'MANUAL_ACTION',
  'CREDIT_TECH_BALANCE',
  'TO_RESEND',
  'MANUAL_REJECTED',
  'TO_CANCEL',
  'BLACKLIST_SCANNING',
  'AML_SCANNING',
  'TO_RETURN',
] as const

/** Defined in transfers.flows.ts. */
export const flows = ['sending', 'receiving', 'book', 'collected', 'collecting'] as const

export type Flow = (typeof flows)[number]
export type TransferDirection = (typeof transferDirections)[number]
export type TransferMethod = (typeof transferMethods)[number]
export type TransferType = (typeof transferTypes)[number]
export type TransferStatus = (typeof transferStatuses)[number]

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** Splits a line of statuses, so the tables stay readable. A misspelt status does not compile. */
export function statusList<Text extends string>(text: Text): readonly Words<Text>[] {
  return text.split(' ') as Words<Text>[]
}

/** The statuses that may follow each status; an empty list is terminal. ON_HOLD can also go back to the transfer's `on_hold_from`. */
export const nextStatuses: Record<TransferStatus, readonly TransferStatus[]> = {
  // CREATED and SIGNED go straight to COMPLETED only in flow variants that need nothing; the other variants do not have these two moves.
  CREATED: [
    ...statusList('TO_SIGN SIGNED TO_RESERVE RESERVED READY_FOR_SCREENING RECEIVED REVIEW ON_HOLD'),
    ...statusList('COMPLETED CANCELLED REJECTED INVALID DROPPED'),
  ],
  TO_SIGN: statusList('SIGNED ON_HOLD CANCELLED MANUAL_REJECTED INVALID'),
  SIGNED: statusList('TO_RESERVE RESERVED READY_FOR_SCREENING REVIEW ON_HOLD COMPLETED CANCELLED INVALID'),
  TO_RESERVE: statusList('RESERVED REJECTED ON_HOLD SOME_PROBLEMS CANCELLED'),
  RESERVED: statusList('READY_FOR_SCREENING READY_TO_CLEAR ACCEPTED COMPLETED REVIEW ON_HOLD TO_CANCEL CANCELLED REJECTED'),
  RECEIVED: statusList('READY_FOR_SCREENING CREDIT_TECH_BALANCE TO_RETURN MANUAL_ACTION REJECTED INVALID DROPPED'),
  READY_FOR_SCREENING: statusList('BLACKLIST_SCANNING AML_SCANNING REVIEW ON_HOLD SOME_PROBLEMS TO_CANCEL CANCELLED'),
  BLACKLIST_SCANNING: statusList('AML_SCANNING AML_APPROVED AML_REJECTED REVIEW ON_HOLD SOME_PROBLEMS'),
  AML_SCANNING: statusList('AML_APPROVED AML_REJECTED REVIEW ON_HOLD SOME_PROBLEMS'),
  REVIEW: [
    ...statusList('READY_FOR_SCREENING AML_APPROVED AML_REJECTED MANUAL_ACTION MANUAL_REJECTED ON_HOLD'),
    ...statusList('CREDIT_TECH_BALANCE TO_RETURN TO_CANCEL CANCELLED'),
  ],
  AML_APPROVED: statusList('TO_RESERVE RESERVED READY_TO_CLEAR ACCEPTED COMPLETED CREDIT_TECH_BALANCE ON_HOLD TO_CANCEL CANCELLED'),
  READY_TO_CLEAR: statusList('SENT_TO_PACK SENT_TO_CLEAR ON_HOLD MANUAL_ACTION INVALID TO_CANCEL CANCELLED'),
  SENT_TO_PACK: statusList('PACKED READY_TO_CLEAR SOME_PROBLEMS INVALID TO_CANCEL'),
  PACKED: statusList('SENT_TO_CLEAR READY_TO_CLEAR SOME_PROBLEMS TO_CANCEL'),
  SENT_TO_CLEAR: statusList('ACCEPTED COMPLETED REJECTED TO_RESEND SOME_PROBLEMS TO_CANCEL'),
  ACCEPTED: statusList('COMPLETED REJECTED CREDIT_TECH_BALANCE TO_RETURN SOME_PROBLEMS TO_CANCEL'),
  TO_RESEND: statusList('READY_TO_CLEAR SENT_TO_PACK SENT_TO_CLEAR MANUAL_ACTION TO_CANCEL'),
  SOME_PROBLEMS: statusList('MANUAL_ACTION ON_HOLD REVIEW TO_RESEND TO_CANCEL REJECTED COMPLETED'),
  ON_HOLD: statusList('REVIEW MANUAL_ACTION MANUAL_REJECTED TO_RETURN TO_CANCEL CANCELLED'),
  MANUAL_ACTION: [
    ...statusList('READY_FOR_SCREENING TO_RESERVE READY_TO_CLEAR TO_RESEND ACCEPTED COMPLETED CREDIT_TECH_BALANCE TO_RETURN'),
    ...statusList('MANUAL_REJECTED REJECTED DROPPED TO_CANCEL CANCELLED'),
  ],
  TO_CANCEL: statusList('CANCELLED REJECTED SENT_TO_CLEAR ACCEPTED COMPLETED MANUAL_ACTION SOME_PROBLEMS'),
  CREDIT_TECH_BALANCE: statusList('READY_FOR_SCREENING ACCEPTED COMPLETED TO_RETURN ON_HOLD MANUAL_ACTION'),
  TO_RETURN: statusList('REJECTED ON_HOLD MANUAL_ACTION SOME_PROBLEMS'),
  COMPLETED: [],
  CANCELLED: [],
  REJECTED: [],
  INVALID: [],
  DROPPED: [],
  AML_REJECTED: [],
  MANUAL_REJECTED: [],
}

export function isTerminal(status: TransferStatus): boolean {
  return nextStatuses[status].length === 0
}

export const terminalStatuses: readonly TransferStatus[] = transferStatuses.filter(isTerminal)

/** Money for an account that is not active waits for a decision in this status. */
export const waitingStatus: TransferStatus = 'CREDIT_TECH_BALANCE'

/** Whether a review has stopped it. A person of the bank, or a freeze, may have put it on hold meanwhile. */
export function isUnderReview({ status, on_hold_from }: { status: TransferStatus; on_hold_from: TransferStatus | null }): boolean {
  return status === 'REVIEW' || (status === 'ON_HOLD' && on_hold_from === 'REVIEW')
}
