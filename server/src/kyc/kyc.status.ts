// Where a verification stands. The status is never moved by an event alone: it is what all recorded events of the client come
// to, in their own order, so that the order of their arrival and repetitions do not matter.
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

/** What each event makes of each status; where nothing is said it changes nothing. A decision counts whatever came before. */
const effects: Record<KycEventType, Partial<Record<KycStatus, KycStatus>>> = {
  'verification.created': { NOT_STARTED: 'CREATED', ABORTED: 'CREATED' },
  'verification.started': { NOT_STARTED: 'PROCESSING', CREATED: 'PROCESSING', ABORTED: 'PROCESSING', PENDING_REVIEW: 'PROCESSING' },
  'verification.review': whatever('PENDING_REVIEW'),
  'verification.approved': whatever('VALIDATED'),
  'verification.declined': whatever('DECLINED'),
  'verification.aborted': { NOT_STARTED: 'ABORTED', CREATED: 'ABORTED', PROCESSING: 'ABORTED', PENDING_REVIEW: 'ABORTED' },
  'verification.resubmission_requested': { ...whatever('PROCESSING'), ABORTED: 'CREATED' },
  'watchlist.hit': {},
}

function whatever(status: KycStatus): Record<KycStatus, KycStatus> {
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

/** What the events come to, starting from where our own steps have brought the client. */
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

/** By sequence if all have one, else by time: mixing the two would leave the order to chance. */
function inOrder(events: readonly RecordedEvent[]): RecordedEvent[] {
  const numbered = events.every(({ sequence }) => sequence !== null)
  const rank = (event: RecordedEvent) => (numbered ? (event.sequence ?? 0) : Date.parse(event.created_at))
  return events.toSorted((a, b) => rank(a) - rank(b) || Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1))
}

/** The shortest way through the table, without its start. Observers see only moves that the table has. */
export function walkTo(from: KycStatus, to: KycStatus): KycStatus[] {
  const ways: KycStatus[][] = [[from]]
  const seen = new Set([from])
  for (const way of ways) {
    const at = way.at(-1) as KycStatus
    if (at === to) return way.slice(1)
    for (const next of nextKycStatuses[at]) {
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  throw new Error(`there is no way from ${from} to ${to}`)
}
