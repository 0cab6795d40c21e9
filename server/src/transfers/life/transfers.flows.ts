// The five flows of transfers. Direction, method and type determine the flow; the flow determines which statuses exist and what must
// happen before COMPLETED.
import { methods } from './transfers.methods.ts'
import {
  type Flow,
  nextStatuses,
  statusList,
  type TransferDirection,
  type TransferMethod,
  type TransferStatus,
  type TransferType,
  transferDirections,
  transferMethods,
  transferStatuses,
  transferTypes,
  typeGroups,
} from './transfers.status.ts'

/** What determines the flow. It never changes during the life of a transfer. */
export type Kind = { direction: TransferDirection; method: TransferMethod; transfer_type: TransferType }

/** The facts that COMPLETED requires. */
export type Needs = { screened: boolean; held: boolean; sent: boolean; received: boolean }

const needs: Record<Flow, Needs> = {
  sending: { screened: true, held: true, sent: true, received: false },
  receiving: { screened: true, held: false, sent: false, received: true },
  book: { screened: true, held: true, sent: false, received: false },
  collected: { screened: true, held: true, sent: false, received: true },
  collecting: { screened: true, held: false, sent: true, received: false },
}

const inEveryFlow: readonly TransferStatus[] = [
  ...statusList('CREATED REVIEW ON_HOLD READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED AML_REJECTED MANUAL_ACTION'),
  ...statusList('MANUAL_REJECTED SOME_PROBLEMS COMPLETED REJECTED INVALID CANCELLED'),
]
const signing: readonly TransferStatus[] = statusList('TO_SIGN SIGNED')
const reserving: readonly TransferStatus[] = statusList('TO_RESERVE RESERVED')
const clearing: readonly TransferStatus[] = statusList('READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR TO_RESEND TO_CANCEL ACCEPTED')

const statusesOfFlow: Record<Flow, readonly TransferStatus[]> = {
  sending: [...inEveryFlow, ...signing, ...reserving, ...clearing],
  receiving: [...inEveryFlow, ...statusList('RECEIVED CREDIT_TECH_BALANCE TO_RETURN DROPPED ACCEPTED')],
  book: [...inEveryFlow, ...signing, ...reserving, 'TO_CANCEL'],
  collected: [...inEveryFlow, ...reserving, ...statusList('RECEIVED DROPPED ACCEPTED')],
  collecting: [...inEveryFlow, ...signing, ...clearing],
}

const bookTypes: ReadonlySet<TransferType> = new Set(transferTypes.filter((type) => typeGroups[type] === 'booking'))

/** Types whose other side is one of the venture's own accounts. */
export function isBookType(type: TransferType): boolean {
  return bookTypes.has(type)
}

export function flowOf(direction: TransferDirection, method: TransferMethod, transfer_type: TransferType): Flow {
  return bookTypes.has(transfer_type) ? 'book' : methods[method].flow[direction]
}

/** Statuses in which nothing has happened to a transfer yet. */
const startStatuses: readonly TransferStatus[] = statusList('CREATED SIGNED')

/** A flow with its exemptions applied, and the table of moves reduced to the statuses that exist in it. */
export type FlowVariant = {
  flow: Flow
  needs: Needs
  statuses: readonly TransferStatus[]
  next: Record<TransferStatus, readonly TransferStatus[]>
}

function buildVariant(flow: Flow, exemptions: Partial<Needs> = {}): FlowVariant {
  const needed = { ...needs[flow], ...exemptions }
  // Without a hold, the reserving statuses do not exist: a hold would only lock up the client's money.
  const exists = (status: TransferStatus) => statusesOfFlow[flow].includes(status) && (needed.held || !reserving.includes(status))
  // A transfer with needs cannot have met them yet. The table excludes this move, as the guards do, because `verify` checks recorded moves
  // against the table.
  const isTooEarly = (from: TransferStatus, to: TransferStatus) =>
    to === 'COMPLETED' && startStatuses.includes(from) && Object.values(needed).includes(true)
  const next = { ...nextStatuses }
  for (const from of transferStatuses) {
    next[from] = exists(from) ? nextStatuses[from].filter((to) => exists(to) && !isTooEarly(from, to)) : []
  }
  return { flow, needs: needed, statuses: transferStatuses.filter(exists), next }
}

// All variants, built once, so that a move only looks its variant up.
const flowVariants = {
  sending: buildVariant('sending'),
  receiving: buildVariant('receiving'),
  collected: buildVariant('collected'),
  collecting: buildVariant('collecting'),
  book: buildVariant('book'),
  book_mirror: buildVariant('book', { held: false }),
  book_exempt: buildVariant('book', { screened: false }),
  book_exempt_credit: buildVariant('book', { screened: false, held: false }),
}

export function flowVariantOf({ direction, method, transfer_type }: Kind): FlowVariant {
  const flow = flowOf(direction, method, transfer_type)
  if (flow !== 'book') return flowVariants[flow]
  const { carries, releases, screened } = methods[method]
  const debits = direction === 'OUTBOUND' && !releases.has(transfer_type)
  // Older versions accepted payments over CARD. The card scheme knows nothing about them, so those still in progress are screened.
  const isExempt = !screened && (carries.has(transfer_type) || !debits)
  if (isExempt || bookTypes.has(transfer_type)) return debits ? flowVariants.book_exempt : flowVariants.book_exempt_credit
  return debits ? flowVariants.book : flowVariants.book_mirror
}

/** A flow as the API shows it. */
export type FlowShown = {
  name: keyof typeof flowVariants
  flow: Flow
  needs: Needs
  statuses: TransferStatus[]
  moves: { from: TransferStatus; to: TransferStatus }[]
  carries: { direction: TransferDirection; method: TransferMethod; transfer_types: TransferType[] }[]
}

export const flowNames = Object.keys(flowVariants) as (keyof typeof flowVariants)[]

/** All flows with their variants. Only a new version of the service changes them. */
export const flowsShown: FlowShown[] = flowNames.map((name) => {
  const variant = flowVariants[name]
  const { flow, needs: needed, statuses, next } = variant
  return {
    name,
    flow,
    needs: needed,
    statuses: [...statuses],
    moves: statuses.flatMap((from) => next[from].map((to) => ({ from, to }))),
    carries: carriedBy(variant),
  }
})

/** The existing kinds of transfers that a variant applies to. */
function carriedBy(variant: FlowVariant): FlowShown['carries'] {
  return transferDirections.flatMap((direction) =>
    transferMethods.flatMap((method) => {
      const { carries, records } = methods[method]
      const types = transferTypes.filter((type) => carries.has(type) || records.has(type))
      const transfer_types = types.filter((transfer_type) => flowVariantOf({ direction, method, transfer_type }) === variant)
      return transfer_types.length === 0 ? [] : [{ direction, method, transfer_types }]
    }),
  )
}
