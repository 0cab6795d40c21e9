// Sets of statuses by what they mean. Code and SQL take them from here: a status that is added joins the sets it belongs to, and nothing else changes.
// Partial indexes repeat some of them in migrations; guards/lists.test.ts compares.
import { statusList, type TransferStatus, terminalStatuses } from './transfers.status.ts'

/** A payment has ended without moving money. */
export const failedStatuses: readonly TransferStatus[] = terminalStatuses.filter((status) => status !== 'COMPLETED')

/** The planner may have to take a transfer further: the status is the queue. */
export const plannedStatuses: readonly TransferStatus[] = [
  ...statusList('CREATED SIGNED TO_RESERVE RESERVED RECEIVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED'),
  ...statusList('READY_TO_CLEAR TO_RESEND TO_CANCEL ON_HOLD SENT_TO_PACK PACKED ACCEPTED'),
]

/** The bank has to take a transfer further, or another bank has to answer. */
export const dueStatuses: readonly TransferStatus[] = [...plannedStatuses, 'SENT_TO_CLEAR']

/** A payment may leave the bank. */
export const sendableStatuses: readonly TransferStatus[] = statusList('READY_TO_CLEAR TO_RESEND')

/** A payment is in a pack, or on its way into one. */
export const packedStatuses: readonly TransferStatus[] = statusList('SENT_TO_PACK PACKED')

export const scanStatuses: readonly TransferStatus[] = statusList('BLACKLIST_SCANNING AML_SCANNING')

/** A person has to decide. */
export const stoppedStatuses: readonly TransferStatus[] = statusList('REVIEW ON_HOLD MANUAL_ACTION SOME_PROBLEMS')

/** Moves to these cancel a transfer. */
export const cancelStatuses: readonly TransferStatus[] = statusList('CANCELLED TO_CANCEL')
