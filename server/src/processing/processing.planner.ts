// What happens next to a transfer that the bank processes. Plain data in, a plan out: the worker, the dry run and the simulation all ask here.
import { flowVariantOf } from '../transfers/life/transfers.flows.ts'
import { type Circumstances, type MovingTransfer, movingPart, nextOf } from '../transfers/life/transfers.guards.ts'
import { methods, sendingDay } from '../transfers/life/transfers.methods.ts'
import { type TransferStatus, typeGroups } from '../transfers/life/transfers.status.ts'
import type { TransferRow } from '../transfers/transfers.columns.ts'
import { fromNumeric, type Money } from '../values/money.ts'

/** CLEAR: nobody on a list resembles a party. HIT: a person has to look. BLOCK: and should freeze. UNLOADED: there are no lists yet. */
export type ScreeningOutcome = 'CLEAR' | 'HIT' | 'BLOCK' | 'UNLOADED'

export type Situation = {
  transfer: PlannedTransfer
  circumstances: Circumstances
  venture_active: boolean
  account_active: boolean
  /** What the account can reserve. */
  available: Money
  /** undefined until the parties have been compared with the lists. */
  screening: ScreeningOutcome | undefined
  /** What a person has to look at although no list names a party: a rule that fires, or a large amount. */
  alert: 'rule' | 'amount' | undefined
  funds_wait_h: number
  now: Date
}

export type PlannedTransfer = MovingTransfer &
  Pick<TransferRow, 'settlement_date' | 'debit_amount' | 'fx_fee_amount' | 'updated_at' | 'status_reason_code' | 'on_hold_by_bank'>

export type CaseKind = 'hit' | 'rule' | 'amount' | 'suspended'

type Reason = { status_reason: string; status_reason_code: string | null }

export type Plan =
  | { readonly kind: 'walk'; readonly steps: readonly TransferStatus[]; readonly reason?: Reason; readonly opens?: CaseKind }
  /** The parties have to be compared with the lists before anything else is known. */
  | { readonly kind: 'screen' }
  /** Until a moment; without one, until somebody else does something. */
  | { readonly kind: 'wait'; readonly until?: Date }

const forSomebody: Plan = { kind: 'wait' }
const screen: Plan = { kind: 'screen' }

/** Every step of the bank's side, by the status that the transfer has. What waits for a person or for another bank plans nothing. */
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
  TO_CANCEL: ({ transfer }) => (transfer.sent ? forSomebody : { kind: 'walk', steps: ['CANCELLED'] }),
  ON_HOLD: goOn,
  TO_SIGN: () => forSomebody,
  REVIEW: () => forSomebody,
  MANUAL_ACTION: () => forSomebody,
  SOME_PROBLEMS: () => forSomebody,
  CREDIT_TECH_BALANCE: () => forSomebody,
  // The exchange with other banks moves these.
  SENT_TO_PACK: () => forSomebody,
  PACKED: () => forSomebody,
  SENT_TO_CLEAR: () => forSomebody,
  ACCEPTED: () => forSomebody,
  TO_RETURN: () => forSomebody,
  COMPLETED: () => forSomebody,
  CANCELLED: () => forSomebody,
  REJECTED: () => forSomebody,
  INVALID: () => forSomebody,
  DROPPED: () => forSomebody,
  AML_REJECTED: () => forSomebody,
  MANUAL_REJECTED: () => forSomebody,
}

/** The statuses in which a transfer may have to be planned: the status is the queue. */
export const plannedStatuses: readonly TransferStatus[] = [
  ...(['CREATED', 'SIGNED', 'TO_RESERVE', 'RESERVED', 'RECEIVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_SCANNING'] as const),
  ...(['AML_APPROVED', 'READY_TO_CLEAR', 'TO_RESEND', 'TO_CANCEL', 'ON_HOLD'] as const),
]

export function advance(situation: Situation): Plan {
  const { transfer, circumstances, venture_active } = situation
  // The bank's own bookings and cards are not orders to be processed.
  if (typeGroups[transfer.transfer_type] !== 'payment' || methods[transfer.method].address === 'card') return forSomebody
  if (!venture_active && !transfer.sent) return forSomebody
  if (circumstances.client_blocked && transfer.direction === 'OUTBOUND' && !transfer.sent) return holdForBlock(transfer)
  if (circumstances.account_closed || circumstances.receiver_closed) return refuseClosed(transfer)
  return planners[transfer.status](situation)
}

/** The code of a hold that ends by itself once the client is no longer blocked. */
const blockedCode = 'client_blocked'

function holdForBlock(transfer: PlannedTransfer): Plan {
  const reason = { status_reason: 'The client is blocked.', status_reason_code: blockedCode }
  return nextOf(movingPart(transfer)).includes('ON_HOLD') ? { kind: 'walk', steps: ['ON_HOLD'], reason } : forSomebody
}

function goOn({ transfer: { on_hold_from, on_hold_by_bank, status_reason_code } }: Situation): Plan {
  const isOver = on_hold_by_bank && status_reason_code === blockedCode && on_hold_from !== null
  return isOver
    ? { kind: 'walk', steps: [on_hold_from], reason: { status_reason: 'The client is no longer blocked.', status_reason_code: null } }
    : forSomebody
}

/** AC04: the account is closed. */
function refuseClosed(transfer: PlannedTransfer): Plan {
  const reason = { status_reason: 'The account is closed.', status_reason_code: 'AC04' }
  const next = nextOf(movingPart(transfer))
  for (const status of ['REJECTED', 'CANCELLED'] as const)
    if (next.includes(status) && !transfer.sent) return { kind: 'walk', steps: [status], reason }
  return forSomebody
}

/** An order starts on its sending day. Until then nothing is held or screened. */
function start(situation: Situation): Plan {
  const { transfer, now } = situation
  // Money that arrives is RECEIVED by whoever reports it.
  if (flowVariantOf(transfer).needs.received) return forSomebody
  const starts = new Date(`${sendingDay(transfer)}T00:00:00Z`)
  if (now < starts) return { kind: 'wait', until: starts }
  return reserve(situation)
}

function reserve(situation: Situation): Plan {
  const { transfer, funds_wait_h } = situation
  if (!needsHold(transfer)) return walk(situation, [])
  if (hasFunds(situation)) return walk(situation, ['RESERVED'])
  if (funds_wait_h === 0) return { kind: 'walk', steps: ['TO_RESERVE', 'REJECTED'], reason: noFunds }
  return transfer.status === 'TO_RESERVE' ? forSomebody : { kind: 'walk', steps: ['TO_RESERVE'] }
}

const noFunds: Reason = { status_reason: 'The account has not had the money in time.', status_reason_code: 'AM04' }

const hour_ms = 3_600_000

const fundsUntil = ({ transfer, funds_wait_h }: Situation) => new Date(Date.parse(transfer.updated_at) + funds_wait_h * hour_ms)

function awaitFunds(situation: Situation): Plan {
  const { transfer, now } = situation
  if (needsHold(transfer) && !hasFunds(situation) && now >= fundsUntil(situation))
    return { kind: 'walk', steps: ['REJECTED'], reason: noFunds }
  return reserve(situation)
}

const needsHold = (transfer: PlannedTransfer) => flowVariantOf(transfer).needs.held && !transfer.held

/** The fee of an exchange is held, too. */
const hasFunds = ({ transfer: { debit_amount, fx_fee_amount }, available }: Situation) =>
  available >= fromNumeric(debit_amount) + fromNumeric(fx_fee_amount ?? '0')

const scan = ['READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_SCANNING', 'AML_APPROVED'] as const

/** The rest of the way up to where somebody outside has to act, after steps that are decided already. */
function walk(situation: Situation, before: readonly TransferStatus[]): Plan {
  const { transfer, screening, alert } = situation
  if (transfer.screened || !flowVariantOf(transfer).needs.screened) return after(situation, before)
  if (screening === undefined) return screen
  const rest = scan.slice(scan.indexOf(transfer.status as (typeof scan)[number]) + 1)
  const upTo = (status: (typeof scan)[number]) => [...before, ...rest.slice(0, rest.indexOf(status) + 1)]
  if (screening === 'UNLOADED') return stepsOrWait(upTo('READY_FOR_SCREENING'))
  if (screening !== 'CLEAR') return { kind: 'walk', steps: [...upTo('BLACKLIST_SCANNING'), 'REVIEW'], opens: 'hit' }
  if (alert !== undefined) return { kind: 'walk', steps: [...upTo('AML_SCANNING'), 'REVIEW'], opens: alert }
  return after(situation, upTo('AML_APPROVED'))
}

const stepsOrWait = (steps: readonly TransferStatus[]): Plan => (steps.length === 0 ? forSomebody : { kind: 'walk', steps })

/** What follows the screening. */
function after(situation: Situation, before: readonly TransferStatus[]): Plan {
  const { transfer, account_active, now } = situation
  const { flow, needs } = flowVariantOf(transfer)
  const lacksHold = needs.held && !transfer.held && !before.includes('RESERVED')
  if (flow === 'collected') {
    // A direct debit is screened when it arrives, and reserved when it is due.
    const due = new Date(`${transfer.settlement_date}T00:00:00Z`)
    if (now < due) return before.length === 0 ? { kind: 'wait', until: due } : { kind: 'walk', steps: before }
  }
  if (lacksHold && !hasFunds(situation))
    return flow === 'collected'
      ? { kind: 'walk', steps: [...before, 'TO_RESERVE', 'REJECTED'], reason: noFunds }
      : { kind: 'walk', steps: [...before, 'TO_RESERVE'] }
  const steps: readonly TransferStatus[] = lacksHold ? [...before, 'RESERVED'] : before
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
      return { kind: 'walk', steps: [...steps, 'ACCEPTED', 'COMPLETED'] }
  }
}

/** Up to the pack that takes it, or straight to the other bank. */
function send({ transfer }: Situation, before: readonly TransferStatus[]): Plan {
  const ready = transfer.status === 'READY_TO_CLEAR' || transfer.status === 'TO_RESEND' ? before : [...before, 'READY_TO_CLEAR' as const]
  return { kind: 'walk', steps: [...ready, methods[transfer.method].packed ? 'SENT_TO_PACK' : 'SENT_TO_CLEAR'] }
}
