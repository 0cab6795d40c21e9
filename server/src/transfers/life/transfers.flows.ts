// The five ways a transfer can run. Direction, method and type choose the flow; the flow says which statuses exist for it and
// what must have happened before it is COMPLETED.
import { methods } from './transfers.methods.ts'
import {
  type Flow,
  nextStatuses,
  row,
  type TransferDirection,
  type TransferMethod,
  type TransferStatus,
  type TransferType,
  transferStatuses,
} from './transfers.status.ts'

/** What makes the flow; none of it changes in the life of a transfer. */
export type Kind = { direction: TransferDirection; method: TransferMethod; transfer_type: TransferType }

/** The facts without which there is no COMPLETED. */
export type Needs = { screened: boolean; held: boolean; sent: boolean; received: boolean }

const needs: Record<Flow, Needs> = {
  sending: { screened: true, held: true, sent: true, received: false },
  receiving: { screened: true, held: false, sent: false, received: true },
  book: { screened: true, held: true, sent: false, received: false },
  collected: { screened: true, held: true, sent: false, received: true },
  collecting: { screened: true, held: false, sent: true, received: false },
}

const everywhere: readonly TransferStatus[] = [
  ...row('CREATED REVIEW ON_HOLD READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED AML_REJECTED MANUAL_ACTION'),
  ...row('MANUAL_REJECTED SOME_PROBLEMS COMPLETED REJECTED INVALID CANCELLED'),
]
const signing: readonly TransferStatus[] = row('TO_SIGN SIGNED')
const reserving: readonly TransferStatus[] = row('TO_RESERVE RESERVED')
const clearing: readonly TransferStatus[] = row('READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR TO_RESEND TO_CANCEL ACCEPTED')

const vocabulary: Record<Flow, readonly TransferStatus[]> = {
  sending: [...everywhere, ...signing, ...reserving, ...clearing],
  receiving: [...everywhere, ...row('RECEIVED CREDIT_TECH_BALANCE TO_RETURN DROPPED ACCEPTED')],
  book: [...everywhere, ...signing, ...reserving, 'TO_CANCEL'],
  collected: [...everywhere, ...reserving, ...row('RECEIVED DROPPED ACCEPTED')],
  collecting: [...everywhere, ...signing, ...clearing],
}

const bookTypes: ReadonlySet<TransferType> = new Set(['FEE', 'FEE_CANCELLATION', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING'])

/** Types whose other side is one of the venture's own accounts. */
export function isBookType(type: TransferType): boolean {
  return bookTypes.has(type)
}

export function flowOf(direction: TransferDirection, method: TransferMethod, transfer_type: TransferType): Flow {
  return bookTypes.has(transfer_type) ? 'book' : methods[method].flow[direction]
}

/** Where nothing has happened to a transfer yet. */
const untouched: readonly TransferStatus[] = row('CREATED SIGNED')

/** A flow as one kind of transfer runs it: exemptions applied, and the table of moves cut down to those that exist for it. */
export type Course = {
  flow: Flow
  needs: Needs
  statuses: readonly TransferStatus[]
  next: Record<TransferStatus, readonly TransferStatus[]>
}

function layOut(flow: Flow, exemptions: Partial<Needs> = {}): Course {
  const needed = { ...needs[flow], ...exemptions }
  // Where no hold is needed there are no reserving statuses: one would only lock the client's money.
  const exists = (status: TransferStatus) => vocabulary[flow].includes(status) && (needed.held || !reserving.includes(status))
  // What needs something cannot have it yet. To leave that to the guards would let such a move pass for a good one once it is on record.
  const isTooEarly = (from: TransferStatus, to: TransferStatus) =>
    to === 'COMPLETED' && untouched.includes(from) && Object.values(needed).includes(true)
  const next = { ...nextStatuses }
  for (const from of transferStatuses) {
    next[from] = exists(from) ? nextStatuses[from].filter((to) => exists(to) && !isTooEarly(from, to)) : []
  }
  return { flow, needs: needed, statuses: transferStatuses.filter(exists), next }
}

// All there are, laid out once: a move looks its course up and computes nothing.
const courses = {
  sending: layOut('sending'),
  receiving: layOut('receiving'),
  collected: layOut('collected'),
  collecting: layOut('collecting'),
  book: layOut('book'),
  bookMirror: layOut('book', { held: false }),
  bookExempt: layOut('book', { screened: false }),
  bookExemptCredit: layOut('book', { screened: false, held: false }),
}

export function courseOf({ direction, method, transfer_type }: Kind): Course {
  const flow = flowOf(direction, method, transfer_type)
  if (flow !== 'book') return courses[flow]
  // A CARD_REVERSAL only lessens the hold of its CARD_AUTH: to hold money for that would ask for funds in order to free some.
  const debits = direction === 'OUTBOUND' && !(method === 'CARD' && transfer_type === 'CARD_REVERSAL')
  if (!methods[method].screened || bookTypes.has(transfer_type)) return debits ? courses.bookExempt : courses.bookExemptCredit
  return debits ? courses.book : courses.bookMirror
}
