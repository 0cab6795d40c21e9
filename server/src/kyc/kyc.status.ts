// The status of a verification. It is derived from all recorded events of the client, in the verifier's order, so late and repeated
// deliveries do not matter.
import type { KycStatus } from '../clients/clients.ts'

export const nextKycStatuses: Record<KycStatus, readonly KycStatus[]> = {
  NOT_STARTED: ['CREATED'],
  CREATED: ['PROCESSING', 'ABORTED'],
  PROCESSING: ['PENDING_REVIEW', 'VALIDATED', 'DECLINED', 'ABORTED'],
  PENDING_REVIEW: ['VALIDATED', 'DECLINED', 'PROCESSING'],
  ABORTED: ['CREATED'],
  VALIDATED: ['PENDING_REVIEW'],
  DECLINED: ['PENDING_REVIEW'],
}

export const kycEventTypes = [
  'verification.created',
  'verification.started',
  'verification.review',
  'verification.approved',
  'verification.declined',
  'verification.aborted',
  'verification.resubmission_requested',
  'watchlist.hit',
] as const
export type KycEventType = (typeof kycEventTypes)[number]

/**
 * The status after each event, by the status before it. A status that is not listed does not change. A decision takes effect from any
 * status.
 */
const effects: Record<KycEventType, Partial<Record<KycStatus, KycStatus>>> = {
  'verification.created': { NOT_STARTED: 'CREATED', ABORTED: 'CREATED' },
  'verification.started': { NOT_STARTED: 'PROCESSING', CREATED: 'PROCESSING', ABORTED: 'PROCESSING', PENDING_REVIEW: 'PROCESSING' },
  'verification.review': fromAny('PENDING_REVIEW'),
  'verification.approved': fromAny('VALIDATED'),
  'verification.declined': fromAny('DECLINED'),
  'verification.aborted': { NOT_STARTED: 'ABORTED', CREATED: 'ABORTED', PROCESSING: 'ABORTED', PENDING_REVIEW: 'ABORTED' },
  'verification.resubmission_requested': { ...fromAny('PROCESSING'), ABORTED: 'CREATED' },
  'watchlist.hit': {},
}

function fromAny(status: KycStatus): Record<KycStatus, KycStatus> {
  return {
    NOT_STARTED: status,
    CREATED: status,
    PROCESSING: status,
    ABORTED: status,
    PENDING_REVIEW: status,
    VALIDATED: status,
    DECLINED: status,
  }
}

export type RecordedEvent = {
  id: string
  type: KycEventType
  sequence: number | null
  created_at: string
  data: { risk_level?: 'Low' | 'Medium' | 'High'; reason_codes?: string[]; note?: string }
}

export type Conclusion = {
  status: KycStatus
  risk_level: 'Low' | 'Medium' | 'High' | null
  note: string | null
  hit: RecordedEvent | undefined
}

/** The status after all events, starting from the client's status before any event. */
export function conclude(start: KycStatus, events: readonly RecordedEvent[]): Conclusion {
  const conclusion: Conclusion = { status: start, risk_level: null, note: null, hit: undefined }
  for (const event of inOrder(events)) {
    conclusion.status = effects[event.type][conclusion.status] ?? conclusion.status
    conclusion.risk_level = event.data.risk_level ?? conclusion.risk_level
    if (event.type === 'watchlist.hit') conclusion.hit = event
    else conclusion.note = event.data.note ?? conclusion.note
  }
  return conclusion
}

/** By sequence if all events have one, otherwise by time. A mixture would have no consistent order. */
function inOrder(events: readonly RecordedEvent[]): RecordedEvent[] {
  const numbered = events.every(({ sequence }) => sequence !== null)
  const rank = (event: RecordedEvent) => (numbered ? (event.sequence ?? 0) : Date.parse(event.created_at))
  return events.toSorted((a, b) => rank(a) - rank(b) || Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1))
}

/** The shortest walk through the table, without its start, so that observers see only moves that the table allows. */
export function walkTo(from: KycStatus, to: KycStatus): KycStatus[] {
  const walks: KycStatus[][] = [[from]]
  const seen = new Set([from])
  for (const walk of walks) {
    const at = walk.at(-1) as KycStatus
    if (at === to) return walk.slice(1)
    for (const next of nextKycStatuses[at]) {
      if (seen.has(next)) continue
      seen.add(next)
      walks.push([...walk, next])
    }
  }
  throw new Error(`no walk leads from ${from} to ${to}`)
}
