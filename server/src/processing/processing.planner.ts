// What happens next to a transfer that the bank processes: plain data in, a plan out. The worker, the dry run and the simulation all use it.

import { packedRails, railOf } from '../schemes/schemes.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { flowVariantOf } from '../transfers/life/transfers.flows.ts'
import { blockOf, type Circumstances, type MovingTransfer, movingPart, nextOf, standingAfter } from '../transfers/life/transfers.guards.ts'
import { awaitsScheme, methods } from '../transfers/life/transfers.methods.ts'
import { packedStatuses, plannedStatuses, screeningSteps } from '../transfers/life/transfers.sets.ts'
import { type TransferMethod, type TransferStatus, typeGroups } from '../transfers/life/transfers.status.ts'
import type { Money } from '../values/money.ts'

/**
 * CLEAR: no party resembles an entry. HIT: a person has to look. BLOCK: a person has to look and should freeze. UNLOADED: there are no lists yet. LEFT_OUT: an
 * instant payment that the bank may not send now.
 */
export type ScreeningOutcome = 'CLEAR' | 'HIT' | 'BLOCK' | 'UNLOADED' | 'LEFT_OUT'

export type Situation = {
  transfer: PlannedTransfer
  circumstances: Circumstances
  venture_active: boolean
  account_active: boolean
  /** What the account can reserve, and what the transfer would reserve. */
  available: Money
  needed: Money
  /** Whether enough of its parent is left for it. */
  covered: boolean
  /** The bank itself has blocked the client, so only the bank can let its transfers continue. */
  stopped_by_bank: boolean
  /** undefined until the parties have been screened. */
  screening: ScreeningOutcome | undefined
  /** A reason for review although no list names a party: a rule that fires, or a large amount. */
  alert: 'rule' | 'amount' | undefined
  funds_wait_h: number
  /** The day on which an order is sent, to settle on its date. */
  sends_on: string
  now: Date
}

export type PlannedTransfer = MovingTransfer &
  Pick<TransferRow, 'settlement_date' | 'updated_at' | 'status_reason_code' | 'on_hold_by_bank'>

export type CaseKind = 'hit' | 'rule' | 'amount' | 'suspended'

type Reason = { status_reason: string | null; status_reason_code: string | null }

/** Moves that are one change, and the reason recorded with them. */
export type Walk = {
  readonly steps: readonly TransferStatus[]
  readonly reason?: Reason
  readonly third_party_status?: string
  readonly opens?: CaseKind
  /** The scheme has already done it, so it is booked whether or not there is money. */
  readonly forced?: boolean
}

export type Plan =
  | ({ readonly kind: 'walk' } & Walk)
  /** The parties have to be screened first. */
  | { readonly kind: 'screen' }
  /** Until a time; without one, until others act. */
  | { readonly kind: 'wait'; readonly until?: Date }

const waits: Plan = { kind: 'wait' }
const screen: Plan = { kind: 'screen' }

/** The next steps of the bank's side, by the status of the transfer. A transfer that waits for a person or another bank has none. */
const planners: Record<TransferStatus, (situation: Situation) => Plan> = {
  CREATED: start,
  SIGNED: start,
  TO_RESERVE: awaitFunds,
  RESERVED: (situation) => walk(situation, []),
  RECEIVED: (situation) => walk(situation, []),
  READY_FOR_SCREENING: (situation) => walk(situation, []),
  BLACKLIST_SCANNING: (situation) => walk(situation, []),
  AML_SCANNING: (situation) => walk(situation, []),
  AML_APPROVED: (situation) => walk(situation, []),
  READY_TO_CLEAR: (situation) => walk(situation, []),
  TO_RESEND: (situation) => walk(situation, []),
  TO_CANCEL: ({ transfer }) => (transfer.sent ? waits : { kind: 'walk', steps: ['CANCELLED'] }),
  ON_HOLD: goOn,
  TO_SIGN: () => waits,
  REVIEW: () => waits,
  MANUAL_ACTION: () => waits,
  SOME_PROBLEMS: () => waits,
  CREDIT_TECH_BALANCE: () => waits,
  // The exchange with other banks moves these.
  SENT_TO_PACK: () => waits,
  PACKED: () => waits,
  SENT_TO_CLEAR: () => waits,
  ACCEPTED: (situation) => (situation.transfer.sent || awaitsScheme(situation.transfer) ? waits : after(situation, [])),
  TO_RETURN: () => waits,
  COMPLETED: () => waits,
  CANCELLED: () => waits,
  REJECTED: () => waits,
  INVALID: () => waits,
  DROPPED: () => waits,
  AML_REJECTED: () => waits,
  MANUAL_REJECTED: () => waits,
}

const planned: ReadonlySet<TransferStatus> = new Set(plannedStatuses)
const packed: ReadonlySet<TransferStatus> = new Set(packedStatuses)

export function advance(situation: Situation): Plan {
  const { transfer, circumstances, venture_active, stopped_by_bank } = situation
  // The bank's own bookings and cards are not processed.
  if (typeGroups[transfer.transfer_type] !== 'payment' || methods[transfer.method].address === 'card') return waits
  if (!planned.has(transfer.status)) return waits
  // Nothing prevents a cancellation.
  if (transfer.status === 'TO_CANCEL') return planners.TO_CANCEL(situation)
  if (!venture_active && !transfer.sent) return waits
  const { account_frozen, client_blocked } = circumstances
  const leaves = transfer.direction === 'OUTBOUND' && !transfer.sent
  if (leaves && (account_frozen || (client_blocked && stopped_by_bank))) return waits
  const ending = endOf(situation)
  if (ending !== undefined) return ending
  if (leaves && client_blocked) return holdForBlock(transfer)
  return planners[transfer.status](situation)
}

/** The code of a hold that ends by itself once the client is no longer blocked. */
const blockedCode = 'client_blocked'

function holdForBlock(transfer: PlannedTransfer): Plan {
  const reason = { status_reason: 'The client is blocked.', status_reason_code: blockedCode }
  if (packed.has(transfer.status)) return { kind: 'walk', steps: ['READY_TO_CLEAR', 'ON_HOLD'], reason }
  return nextOf(movingPart(transfer)).includes('ON_HOLD') ? { kind: 'walk', steps: ['ON_HOLD'], reason } : waits
}

function goOn({ transfer }: Situation): Plan {
  const { on_hold_from } = transfer
  return on_hold_from !== null && endsByItself(transfer)
    ? { kind: 'walk', steps: [on_hold_from], reason: { status_reason: 'The client is no longer blocked.', status_reason_code: null } }
    : waits
}

const endsByItself = ({ on_hold_by_bank, status_reason_code }: PlannedTransfer) => on_hold_by_bank && status_reason_code === blockedCode

/** AC04: the account is closed. */
const closed: Reason = { status_reason: 'The account is closed.', status_reason_code: 'AC04' }
const uncovered: Reason = { status_reason: 'Meanwhile too little is left of the parent transfer.', status_reason_code: 'parent_invalid' }

const notInstant: Reason = { status_reason: 'The bank cannot send an instant payment now.', status_reason_code: 'instant_not_possible' }

/** Why a transfer can never complete. */
function faultOf({ circumstances, covered, transfer }: Situation): Reason | undefined {
  if (circumstances.account_closed || circumstances.receiver_closed) return closed
  return covered || transfer.sent ? undefined : uncovered
}

/** The first possible one is taken: a payment in a pack is cancelled out of it. */
const endings: readonly (readonly TransferStatus[])[] = [
  ['REJECTED'],
  ['TO_RESERVE', 'REJECTED'],
  ['CANCELLED'],
  ['TO_CANCEL', 'CANCELLED'],
]

/** Ends a transfer that can never complete, unless a person of the bank has put it on hold. */
function endOf(situation: Situation): Plan | undefined {
  const { transfer } = situation
  const reason = faultOf(situation)
  if (reason === undefined || transfer.sent) return undefined
  if (transfer.status === 'ON_HOLD' && transfer.on_hold_by_bank && !endsByItself(transfer)) return undefined
  return endWith(situation, reason)
}

function endWith({ transfer, circumstances }: Situation, reason: Reason): Plan | undefined {
  const steps = endings.find((ending) => isAllowed(transfer, ending, circumstances))
  return steps === undefined ? undefined : { kind: 'walk', steps, reason }
}

function isAllowed(transfer: PlannedTransfer, steps: readonly TransferStatus[], circumstances: Circumstances): boolean {
  let at = movingPart(transfer)
  return steps.every((to) => {
    const isFree = blockOf(at, to, circumstances) === undefined
    at = { ...at, ...standingAfter(at, to) }
    return isFree
  })
}

/** An order starts on its sending day. Until then nothing is held or screened. */
function start(situation: Situation): Plan {
  const { transfer, now } = situation
  // Incoming money becomes RECEIVED when it is reported.
  if (flowVariantOf(transfer).needs.received) return waits
  const starts = new Date(`${situation.sends_on}T00:00:00Z`)
  if (now < starts) return { kind: 'wait', until: starts }
  return reserve(situation)
}

function reserve(situation: Situation): Plan {
  const { transfer, funds_wait_h } = situation
  if (!needsHold(transfer)) return walk(situation, [])
  if (hasFunds(situation)) return walk(situation, ['RESERVED'])
  return funds_wait_h === 0 ? { kind: 'walk', steps: ['TO_RESERVE', 'REJECTED'], reason: noFunds } : { kind: 'walk', steps: ['TO_RESERVE'] }
}

const noFunds: Reason = { status_reason: 'The account has not had the money in time.', status_reason_code: 'AM04' }

const hour_ms = 3_600_000

const fundsUntil = ({ transfer, funds_wait_h }: Situation) => new Date(Date.parse(transfer.updated_at) + funds_wait_h * hour_ms)

function awaitFunds(situation: Situation): Plan {
  if (!needsHold(situation.transfer) || hasFunds(situation)) return reserve(situation)
  return situation.now < fundsUntil(situation) ? waits : { kind: 'walk', steps: ['REJECTED'], reason: noFunds }
}

const needsHold = (transfer: PlannedTransfer) => flowVariantOf(transfer).needs.held && !transfer.held

const hasFunds = ({ needed, available }: Situation) => needed === 0n || available >= needed

/** The rest of the walk until others have to act, after the steps decided so far. */
function walk(situation: Situation, before: readonly TransferStatus[]): Plan {
  const { transfer, screening, alert } = situation
  if (transfer.screened || !flowVariantOf(transfer).needs.screened) return after(situation, before)
  if (screening === undefined) return screen
  if (screening === 'LEFT_OUT') return endWith(situation, notInstant) ?? waits
  const { steps, opens } = scanned(screening, alert, transfer.status)
  if (opens !== undefined) return { kind: 'walk', steps: [...before, ...steps], opens }
  return screening === 'UNLOADED' ? stepsOrWait([...before, ...steps]) : after(situation, [...before, ...steps])
}

/** The remaining moves of an unscreened transfer through its screening: to AML_APPROVED, to a review, or to where it waits for the lists. */
export function scanned(
  screening: ScreeningOutcome,
  alert: Situation['alert'],
  from: TransferStatus,
): { readonly steps: readonly TransferStatus[]; readonly opens?: CaseKind } {
  const rest: readonly TransferStatus[] = screeningSteps.slice(screeningSteps.indexOf(from as (typeof screeningSteps)[number]) + 1)
  const upTo = (status: (typeof screeningSteps)[number]) => rest.slice(0, rest.indexOf(status) + 1)
  if (screening === 'UNLOADED') return { steps: upTo('READY_FOR_SCREENING') }
  if (screening !== 'CLEAR') return { steps: [...upTo('BLACKLIST_SCANNING'), 'REVIEW'], opens: 'hit' }
  if (alert !== undefined) return { steps: [...upTo('AML_SCANNING'), 'REVIEW'], opens: alert }
  return { steps: upTo('AML_APPROVED') }
}

const stepsOrWait = (steps: readonly TransferStatus[]): Plan => (steps.length === 0 ? waits : { kind: 'walk', steps })

/** The steps after screening. */
function after(situation: Situation, before: readonly TransferStatus[]): Plan {
  const { transfer, now } = situation
  const { flow, needs } = flowVariantOf(transfer)
  // What can never complete is ended from a status in which the table allows it.
  if (faultOf(situation) !== undefined) return stepsOrWait(before)
  const lacksHold = needs.held && !transfer.held && !before.includes('RESERVED')
  if (flow === 'collected') {
    // A direct debit is screened when it arrives, and reserved when it is due.
    const due = new Date(`${transfer.settlement_date}T00:00:00Z`)
    if (now < due) return before.length === 0 ? { kind: 'wait', until: due } : { kind: 'walk', steps: before }
  }
  const forced = flow === 'collected' && transfer.transfer_type !== 'PAYMENT'
  if (lacksHold && !forced && !hasFunds(situation))
    return flow === 'collected'
      ? { kind: 'walk', steps: [...before, 'TO_RESERVE', 'REJECTED'], reason: noFunds }
      : { kind: 'walk', steps: [...before, 'TO_RESERVE'] }
  return complete(situation, lacksHold ? [...before, 'RESERVED'] : before, { flow, forced })
}

function complete(
  situation: Situation,
  steps: readonly TransferStatus[],
  { flow, forced }: { flow: ReturnType<typeof flowVariantOf>['flow']; forced: boolean },
): Plan {
  const { transfer, account_active } = situation
  switch (flow) {
    case 'book':
      return { kind: 'walk', steps: [...steps, 'COMPLETED'] }
    case 'receiving':
      return account_active
        ? { kind: 'walk', steps: [...steps, 'COMPLETED'] }
        : { kind: 'walk', steps: [...steps, 'CREDIT_TECH_BALANCE'], opens: 'suspended' }
    case 'sending':
    case 'collecting':
      return send(situation, steps)
    case 'collected':
      return {
        kind: 'walk',
        steps: [...steps, ...(transfer.status === 'ACCEPTED' ? [] : (['ACCEPTED'] as const)), 'COMPLETED'],
        ...(forced && { forced }),
      }
  }
}

function isPacked(method: TransferMethod): boolean {
  const rail = railOf(method)
  return rail !== undefined && packedRails.includes(rail)
}

/** Into the pack that takes it, or directly to the other bank. */
function send({ transfer }: Situation, before: readonly TransferStatus[]): Plan {
  const ready = transfer.status === 'READY_TO_CLEAR' || transfer.status === 'TO_RESEND' ? before : [...before, 'READY_TO_CLEAR' as const]
  return { kind: 'walk', steps: [...ready, isPacked(transfer.method) ? 'SENT_TO_PACK' : 'SENT_TO_CLEAR'] }
}
