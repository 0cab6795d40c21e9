// What a transfer must have behind it before it may move on. The service keeps five facts of each transfer itself, since a
// status tells where it is and not what has happened to it; every guard is a rule over those facts. Plain data in, a name out.
import { type Course, courseOf, type Kind } from './transfers.flows.ts'
import { isTerminal, row, type TransferStatus, terminalStatuses } from './transfers.status.ts'

/** `held` says that a hold was made, not that it is open: the end of the transfer ends the hold and leaves the fact. */
export type Facts = { scanned: boolean; screened: boolean; held: boolean; sent: boolean; received: boolean }

/** What moves. `on_hold_from` is the status that an ON_HOLD transfer came from, and null in every other status. */
export type Standing = Facts & { status: TransferStatus; on_hold_from: TransferStatus | null }

export type MovingTransfer = Kind & Standing

/** What a move depends on beside the transfer. `receiver_closed` is of the account that an INTERNAL or SDD_INTERNAL transfer credits. */
export type Circumstances = { third_party_status_given: boolean; account_closed: boolean; receiver_closed: boolean }

export type Guard =
  | 'screening_required'
  | 'reservation_required'
  | 'already_reserved'
  | 'not_sent'
  | 'not_received'
  | 'already_sent'
  | 'in_suspense'
  | 'account_closed'

export type Block = Guard | 'transfer_terminal' | 'transfer_transition_not_allowed'

export type PossibleMove = { status: TransferStatus; allowed: boolean; blocked_by: Guard | null; needs_third_party_status: boolean }

export const newStanding: Standing = {
  status: 'CREATED',
  on_hold_from: null,
  scanned: false,
  screened: false,
  held: false,
  sent: false,
  received: false,
}

const changes: Partial<Record<TransferStatus, Partial<Facts>>> = {
  READY_FOR_SCREENING: { scanned: false, screened: false },
  BLACKLIST_SCANNING: { scanned: true },
  AML_SCANNING: { scanned: true },
  AML_APPROVED: { screened: true },
  RESERVED: { held: true },
  SENT_TO_CLEAR: { sent: true },
  TO_RESEND: { sent: false },
  RECEIVED: { received: true },
}

/** Whether a move takes a transfer from ON_HOLD back to where it was: then no fact changes, nothing is posted and no guard asks. */
export function goesBack({ status, on_hold_from }: Pick<Standing, 'status' | 'on_hold_from'>, to: TransferStatus): boolean {
  return status === 'ON_HOLD' && on_hold_from === to
}

export function factsAfter(standing: Standing, to: TransferStatus): Facts {
  const { scanned, screened, held, sent, received } = standing
  return { scanned, screened, held, sent, received, ...(goesBack(standing, to) ? {} : changes[to]) }
}

export function standingAfter(standing: Standing, to: TransferStatus): Standing {
  return { ...factsAfter(standing, to), status: to, on_hold_from: to === 'ON_HOLD' ? standing.status : null }
}

/** The statuses that follow in the table, whether or not a guard stands before them. */
export function nextOf(transfer: MovingTransfer): readonly TransferStatus[] {
  const next = courseOf(transfer).next[transfer.status]
  const { status, on_hold_from } = transfer
  return status !== 'ON_HOLD' || on_hold_from === null || next.includes(on_hold_from) ? next : [on_hold_from, ...next]
}

const statuses = (list: readonly TransferStatus[]): ReadonlySet<TransferStatus> => new Set(list)

const onTheWayOut = statuses(row('READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED'))
const reserving = statuses(row('TO_RESERVE RESERVED'))
const confirmed = statuses(row('ACCEPTED COMPLETED'))
const beforeReceived = statuses(['RECEIVED', 'ON_HOLD', ...terminalStatuses.filter((status) => status !== 'COMPLETED')])
const neverWhileSent = statuses([
  ...row('INVALID MANUAL_REJECTED AML_REJECTED READY_FOR_SCREENING REVIEW'),
  ...row('TO_RESERVE RESERVED READY_TO_CLEAR SENT_TO_PACK PACKED'),
])
const whileSentByTheScheme = statuses(row('REJECTED CANCELLED TO_RESEND'))
const leavesSuspenseOpen = statuses(row('REJECTED CANCELLED INVALID DROPPED MANUAL_REJECTED'))

/** What stops this move, or undefined. Of several reasons the first counts: the table's, then the guards in the order they are written here. */
export function blockOf(transfer: MovingTransfer, to: TransferStatus, circumstances: Circumstances): Block | undefined {
  const course = courseOf(transfer)
  if (isTerminal(transfer.status)) return 'transfer_terminal'
  if (goesBack(transfer, to)) return undefined
  if (!course.next[transfer.status].includes(to)) return 'transfer_transition_not_allowed'
  return guardOf(transfer, course, to, circumstances)
}

function guardOf(transfer: MovingTransfer, { flow, needs }: Course, to: TransferStatus, circumstances: Circumstances): Guard | undefined {
  const { status: from, direction, scanned, screened, held, sent, received } = transfer
  const { third_party_status_given, account_closed, receiver_closed } = circumstances

  // Nothing leaves or arrives unscreened, and nobody approves what was not scanned, exempt or not.
  if (needs.screened && !screened && onTheWayOut.has(to)) return 'screening_required'
  if (to === 'AML_APPROVED' && !scanned) return 'screening_required'

  // Money is held once, and before it goes.
  if (needs.held && !held && onTheWayOut.has(to)) return 'reservation_required'
  if (held && reserving.has(to)) return 'already_reserved'

  // Only what was sent can be accepted, be sent again, or still be out when cancelling it failed.
  if (needs.sent && !sent && confirmed.has(to)) return 'not_sent'
  if (!sent && to === 'TO_RESEND') return 'not_sent'
  if (!sent && to === 'SENT_TO_CLEAR' && from === 'TO_CANCEL') return 'not_sent'

  // What has not arrived can wait or end; there is nothing yet to screen, return or credit.
  if (needs.received && !received && !beforeReceived.has(to)) return 'not_received'

  // What was sent is in the scheme's hands: no second sending, and no end without completion unless the scheme says so.
  if (sent && neverWhileSent.has(to)) return 'already_sent'
  if (sent && to === 'SENT_TO_CLEAR' && from !== 'TO_CANCEL') return 'already_sent'
  if (sent && whileSentByTheScheme.has(to) && !third_party_status_given) return 'already_sent'

  // Received money is credited, returned or frozen, never forgotten.
  const returned = from === 'TO_RETURN' && to === 'REJECTED'
  if (flow === 'receiving' && received && leavesSuspenseOpen.has(to) && !returned) return 'in_suspense'

  // Nothing is booked on a closed account, neither the client's nor the receiver's, and nothing is taken into suspense for one:
  // if that were frozen, there could be no new transfer of the account to move it out.
  if (account_closed && to === 'RESERVED') return 'account_closed'
  if (account_closed && to === 'RECEIVED' && flow === 'receiving') return 'account_closed'
  if (account_closed && to === 'COMPLETED' && direction === 'INBOUND') return 'account_closed'
  if (receiver_closed && to === 'COMPLETED') return 'account_closed'

  return undefined
}

/** The shortest way to a status by moves that nothing stops, given the scheme's word; undefined when there is none. */
export function walkTo(transfer: MovingTransfer, to: TransferStatus, circumstances: Circumstances): TransferStatus[] | undefined {
  const given = { ...circumstances, third_party_status_given: true }
  const { direction, method, transfer_type, ...standing } = transfer
  const reached: { at: MovingTransfer; way: TransferStatus[] }[] = [{ at: { direction, method, transfer_type, ...standing }, way: [] }]
  const seen = new Set<string>()
  for (const { at, way } of reached) {
    if (at.status === to) return way
    for (const next of nextOf(at)) {
      if (blockOf(at, next, given) !== undefined) continue
      const then = { direction, method, transfer_type, ...standingAfter(at, next) }
      const key = JSON.stringify(then)
      if (seen.has(key)) continue
      seen.add(key)
      reached.push({ at: then, way: [...way, next] })
    }
  }
  return undefined
}

/** Every move the table knows from here, and for each the guard that stops it now. None for a terminal status. */
export function movesOf(transfer: MovingTransfer, circumstances: Circumstances): PossibleMove[] {
  const course = courseOf(transfer)
  const withTheSchemesWord = { ...circumstances, third_party_status_given: true }
  return nextOf(transfer).map((status) => {
    const back = goesBack(transfer, status)
    const guard = back ? undefined : guardOf(transfer, course, status, circumstances)
    const needs_third_party_status = guard !== undefined && guardOf(transfer, course, status, withTheSchemesWord) === undefined
    return { status, allowed: guard === undefined, blocked_by: guard ?? null, needs_third_party_status }
  })
}
