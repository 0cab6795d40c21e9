// What must have happened to a transfer before a move is allowed. The service records five facts about each transfer, because a status
// does not show what happened before it. Every guard is a rule over these facts: plain data in, the name of a guard out.
import { type FlowVariant, flowVariantOf, type Kind } from './transfers.flows.ts'
import { isTerminal, statusList, type TransferStatus, terminalStatuses } from './transfers.status.ts'

/** `held` means that a hold was made, not that it still exists: the end of the transfer releases the hold but keeps the fact. */
export type Facts = { scanned: boolean; screened: boolean; held: boolean; sent: boolean; received: boolean }

/** What a move changes. `on_hold_from` is the status before ON_HOLD, and null in every other status. */
export type Standing = Facts & { status: TransferStatus; on_hold_from: TransferStatus | null }

export type MovingTransfer = Kind & Standing

/** What a move depends on besides the transfer. */
export type Circumstances = {
  third_party_status_given: boolean
  account_closed: boolean
  /** About the account that an internal transfer credits. */
  receiver_closed: boolean
  /** The payer, or the receiver of an internal transfer, is blocked, blacklisted or DECLINED. */
  client_blocked: boolean
  /** The bank has frozen the paying account. */
  account_frozen: boolean
  /** The transfer is an authorisation with money left on hold. */
  uncleared: boolean
  /** The bank processes the transfer, so it can be signed only while it waits for a signature. */
  signed_on_request: boolean
}

/** The part of a row on which moves depend. */
export function movingPart(row: MovingTransfer): MovingTransfer {
  const { direction, method, transfer_type, status, on_hold_from, scanned, screened, held, sent, received } = row
  return { direction, method, transfer_type, status, on_hold_from, scanned, screened, held, sent, received }
}

export type Guard =
  | 'screening_required'
  | 'reservation_required'
  | 'already_reserved'
  | 'not_sent'
  | 'not_received'
  | 'already_sent'
  | 'in_suspense'
  | 'account_closed'
  | 'not_cleared'
  | 'client_blocked'
  | 'account_frozen'
  | 'signature_not_requested'

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

/** Whether a move takes a transfer from ON_HOLD back to its previous status. Such a move changes no fact, books nothing and has no guards. */
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

/** The statuses that follow in the table, including those that a guard blocks. */
export function nextOf(transfer: MovingTransfer): readonly TransferStatus[] {
  const next = flowVariantOf(transfer).next[transfer.status]
  const { status, on_hold_from } = transfer
  return status !== 'ON_HOLD' || on_hold_from === null || next.includes(on_hold_from) ? next : [on_hold_from, ...next]
}

const statuses = (list: readonly TransferStatus[]): ReadonlySet<TransferStatus> => new Set(list)

const clearingOrLater = statuses(statusList('READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED'))
const reserving = statuses(statusList('TO_RESERVE RESERVED'))
const confirmed = statuses(statusList('ACCEPTED COMPLETED'))
const allowedBeforeReceived = statuses(['RECEIVED', 'ON_HOLD', ...terminalStatuses.filter((status) => status !== 'COMPLETED')])
const neverOnceSent = statuses([
  ...statusList('INVALID MANUAL_REJECTED AML_REJECTED READY_FOR_SCREENING REVIEW'),
  ...statusList('TO_RESERVE RESERVED READY_TO_CLEAR SENT_TO_PACK PACKED'),
])
const needsSchemeOnceSent = statuses(statusList('REJECTED CANCELLED TO_RESEND'))
const sending = statuses(statusList('RESERVED READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR'))
const packing = statuses(statusList('SENT_TO_PACK PACKED'))
const leavesSuspenseOpen = statuses(statusList('REJECTED CANCELLED INVALID DROPPED MANUAL_REJECTED'))

/** What blocks a move, or undefined. Of several blocking rules the first is returned: the table, then the guards in the order below. */
export function blockOf(transfer: MovingTransfer, to: TransferStatus, circumstances: Circumstances): Block | undefined {
  const variant = flowVariantOf(transfer)
  if (isTerminal(transfer.status)) return 'transfer_terminal'
  if (goesBack(transfer, to)) return undefined
  if (!variant.next[transfer.status].includes(to)) return 'transfer_transition_not_allowed'
  return guardOf(transfer, variant, to, circumstances)
}

/** The input of the guards: a transfer, its next status, and what surrounds it. */
type Asked = Pick<MovingTransfer, 'direction'> &
  Facts &
  Circumstances &
  Pick<FlowVariant, 'flow' | 'needs'> & { from: TransferStatus; to: TransferStatus }

function guardOf(
  transfer: MovingTransfer,
  { flow, needs }: FlowVariant,
  to: TransferStatus,
  circumstances: Circumstances,
): Guard | undefined {
  const { status: from, direction, scanned, screened, held, sent, received } = transfer
  const asked: Asked = { ...circumstances, direction, scanned, screened, held, sent, received, flow, needs, from, to }
  return (
    guardOfPreparation(asked) ??
    guardOfUnsent(asked) ??
    guardOfSent(asked) ??
    guardOfSuspense(asked) ??
    guardOfClosing(asked) ??
    guardOfClient(asked) ??
    guardOfSignature(asked)
  )
}

function guardOfPreparation({ needs, scanned, screened, held, to }: Asked): Guard | undefined {
  // Money is screened before it leaves or arrives. An approval requires a scan, even for exempt transfers.
  if (needs.screened && !screened && clearingOrLater.has(to)) return 'screening_required'
  if (to === 'AML_APPROVED' && !scanned) return 'screening_required'

  // Money is held exactly once, before it leaves.
  if (needs.held && !held && clearingOrLater.has(to)) return 'reservation_required'
  if (held && reserving.has(to)) return 'already_reserved'
  return undefined
}

function guardOfUnsent({ needs, sent, received, from, to }: Asked): Guard | undefined {
  // Only a transfer that was sent can be accepted, sent again, or go back to SENT_TO_CLEAR after a failed cancellation.
  if (needs.sent && !sent && confirmed.has(to)) return 'not_sent'
  if (!sent && to === 'TO_RESEND') return 'not_sent'
  if (!sent && to === 'SENT_TO_CLEAR' && from === 'TO_CANCEL') return 'not_sent'

  // Before the money arrives, a transfer can only wait or end: there is nothing to screen, return or credit.
  if (needs.received && !received && !allowedBeforeReceived.has(to)) return 'not_received'
  return undefined
}

/** Once a transfer is sent, the scheme decides: it is not sent twice, and only the scheme can end it without completion. */
function guardOfSent({ sent, third_party_status_given, from, to }: Asked): Guard | undefined {
  if (sent && neverOnceSent.has(to)) return 'already_sent'
  if (sent && to === 'SENT_TO_CLEAR' && from !== 'TO_CANCEL') return 'already_sent'
  if (sent && needsSchemeOnceSent.has(to) && !third_party_status_given) return 'already_sent'
  return undefined
}

/** Received money must be credited, returned or frozen. */
function guardOfSuspense({ flow, received, from, to }: Asked): Guard | undefined {
  const returned = from === 'TO_RETURN' && to === 'REJECTED'
  return flow === 'receiving' && received && leavesSuspenseOpen.has(to) && !returned ? 'in_suspense' : undefined
}

function guardOfClosing({ flow, direction, account_closed, receiver_closed, uncleared, to }: Asked): Guard | undefined {
  // Nothing is booked on a closed account, the client's or the receiver's, and no money is taken into suspense for one either: if it were
  // frozen, a closed account could have no new transfer to move it out.
  if (account_closed && to === 'RESERVED') return 'account_closed'
  if (account_closed && to === 'RECEIVED' && flow === 'receiving') return 'account_closed'
  if (account_closed && to === 'COMPLETED' && direction === 'INBOUND') return 'account_closed'
  if (receiver_closed && to === 'COMPLETED') return 'account_closed'

  // An authorisation books nothing, so it cannot complete while it still holds money for a clearing.
  if (uncleared && to === 'COMPLETED') return 'not_cleared'
  return undefined
}

/** A blocked client starts nothing new, and nothing leaves a frozen account. Sent payments settle, and packed ones can be unpacked. */
function guardOfClient({ flow, direction, sent, client_blocked, account_frozen, from, to }: Asked): Guard | undefined {
  const unpacked = to === 'READY_TO_CLEAR' && packing.has(from)
  const pays = (sending.has(to) && !unpacked) || (to === 'COMPLETED' && flow === 'book')
  if (client_blocked && direction === 'OUTBOUND' && !sent && pays) return 'client_blocked'
  if (account_frozen && direction === 'OUTBOUND' && !sent && pays) return 'account_frozen'
  return undefined
}

/** The party that processes a transfer decides whether it needs a signature. */
function guardOfSignature({ signed_on_request, from, to }: Asked): Guard | undefined {
  return signed_on_request && to === 'SIGNED' && from !== 'TO_SIGN' ? 'signature_not_requested' : undefined
}

/** The shortest walk to a status, assuming `third_party_status` is sent with each move; undefined if there is none. */
export function walkTo(transfer: MovingTransfer, to: TransferStatus, circumstances: Circumstances): TransferStatus[] | undefined {
  const withThirdPartyStatus = { ...circumstances, third_party_status_given: true }
  const { direction, method, transfer_type, ...standing } = transfer
  const queue: { at: MovingTransfer; walk: TransferStatus[] }[] = [{ at: { direction, method, transfer_type, ...standing }, walk: [] }]
  const seen = new Set<string>()
  for (const { at, walk } of queue) {
    if (at.status === to) return walk
    for (const next of nextOf(at)) {
      if (blockOf(at, next, withThirdPartyStatus) !== undefined) continue
      const after = { direction, method, transfer_type, ...standingAfter(at, next) }
      const key = JSON.stringify(after)
      if (seen.has(key)) continue
      seen.add(key)
      queue.push({ at: after, walk: [...walk, next] })
    }
  }
  return undefined
}

/** Every move in the table from the current status, with the guard that blocks it now. Empty for a terminal status. */
export function movesOf(transfer: MovingTransfer, circumstances: Circumstances): PossibleMove[] {
  const variant = flowVariantOf(transfer)
  const withThirdPartyStatus = { ...circumstances, third_party_status_given: true }
  return nextOf(transfer).map((status) => {
    const back = goesBack(transfer, status)
    const guard = back ? undefined : guardOf(transfer, variant, status, circumstances)
    const needs_third_party_status = guard !== undefined && guardOf(transfer, variant, status, withThirdPartyStatus) === undefined
    return { status, allowed: guard === undefined, blocked_by: guard ?? null, needs_third_party_status }
  })
}
