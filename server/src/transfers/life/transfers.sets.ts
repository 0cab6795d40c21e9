// Named sets of statuses, for code and SQL. A new status joins its sets here, and their users follow. The partial indexes in migrations repeat some sets;
// guards/lists.test.ts compares them.
import { statusList, type TransferStatus, terminalStatuses } from './transfers.status.ts'

/** The transfer has ended without moving money. */
export const failedStatuses: readonly TransferStatus[] = terminalStatuses.filter((status) => status !== 'COMPLETED')

/** The planner may have to process the transfer: the status is the queue. */
export const plannedStatuses: readonly TransferStatus[] = [
  ...statusList('CREATED SIGNED TO_RESERVE RESERVED RECEIVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED'),
  ...statusList('READY_TO_CLEAR TO_RESEND TO_CANCEL ON_HOLD SENT_TO_PACK PACKED ACCEPTED'),
]

/** The bank has to process the transfer, or another bank has to answer. */
export const dueStatuses: readonly TransferStatus[] = [...plannedStatuses, 'SENT_TO_CLEAR']

/** The payment is ready to leave the bank. */
export const sendableStatuses: readonly TransferStatus[] = statusList('READY_TO_CLEAR TO_RESEND')

/** The payment is in a pack, or about to be. */
export const packedStatuses: readonly TransferStatus[] = statusList('SENT_TO_PACK PACKED')

/** The moves of a transfer through a screening in which nothing was found. */
export const screeningSteps = statusList('READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED')

export const scanStatuses: readonly TransferStatus[] = statusList('BLACKLIST_SCANNING AML_SCANNING')

/** A person has to decide. */
export const stoppedStatuses: readonly TransferStatus[] = statusList('REVIEW ON_HOLD MANUAL_ACTION SOME_PROBLEMS')

/** Moves to these statuses cancel a transfer. */
export const cancelStatuses: readonly TransferStatus[] = statusList('CANCELLED TO_CANCEL')

/** The payment may have left the bank, so the bank may recall it. */
export const recallableStatuses: readonly TransferStatus[] = statusList('SENT_TO_CLEAR ACCEPTED COMPLETED SOME_PROBLEMS')

const phaseOf: Record<TransferStatus, Phase> = {
  CREATED: 'Order',
  TO_SIGN: 'Order',
  SIGNED: 'Order',
  RECEIVED: 'Order',
  TO_RESERVE: 'Reserve',
  RESERVED: 'Reserve',
  READY_FOR_SCREENING: 'Screen',
  BLACKLIST_SCANNING: 'Screen',
  AML_SCANNING: 'Screen',
  AML_APPROVED: 'Screen',
  READY_TO_CLEAR: 'Clear',
  SENT_TO_PACK: 'Clear',
  PACKED: 'Clear',
  SENT_TO_CLEAR: 'Clear',
  TO_RESEND: 'Clear',
  CREDIT_TECH_BALANCE: 'Clear',
  ACCEPTED: 'Clear',
  REVIEW: 'Attention',
  ON_HOLD: 'Attention',
  MANUAL_ACTION: 'Attention',
  SOME_PROBLEMS: 'Attention',
  TO_CANCEL: 'Attention',
  TO_RETURN: 'Attention',
  COMPLETED: 'End',
  CANCELLED: 'End',
  REJECTED: 'End',
  INVALID: 'End',
  AML_REJECTED: 'End',
  MANUAL_REJECTED: 'End',
  DROPPED: 'End',
}

type Phase = 'Order' | 'Reserve' | 'Screen' | 'Clear' | 'Attention' | 'End'

/** The statuses by phase, as shown to people. */
export const phases = Object.groupBy(Object.keys(phaseOf) as TransferStatus[], (status) => phaseOf[status]) as Record<
  Phase,
  TransferStatus[]
>
