// Status badges in one of five tones. Mantine's Badge truncates long words.
import { words } from './words.ts'

const tones = {
  good: [
    'COMPLETED',
    'AML_APPROVED',
    'SIGNED',
    'ACTIVE',
    'APPROVED',
    'VERIFIED',
    'PAID',
    'DELIVERED',
    'SUCCEEDED',
    'MATCHED',
    'CLOSED_OK',
    'LIVE',
    'COMPLETED_OK',
    'GREEN',
    'PASSED',
    'ACCEPTED',
    'CLEAR',
    'APPLIED',
    'SETTLED',
    'VALIDATED',
    'ACKNOWLEDGED',
    'PAID_OUT',
    'COLLECTED',
  ],
  bad: [
    'REJECTED',
    'INVALID',
    'AML_REJECTED',
    'MANUAL_REJECTED',
    'DROPPED',
    'FAILED',
    'DECLINED',
    'DISABLED',
    'BLOCKED',
    'REVOKED',
    'EXPIRED',
    'RED',
    'BROKEN',
    'BLOCK',
    'BLACKLISTED',
    'REFUSED',
    'BREAK',
    'URGENT',
    'DEAD',
  ],
  attention: [
    'REVIEW',
    'ON_HOLD',
    'SOME_PROBLEMS',
    'MANUAL_ACTION',
    'TO_CANCEL',
    'TO_RETURN',
    'TO_RESEND',
    'SUSPENDED',
    'FROZEN',
    'WAITING',
    'PENDING',
    'OPEN',
    'HIT',
    'UNKNOWN',
    'UNSEALED',
    'DUE',
    'PENDING_REVIEW',
    'NOT_SENT',
    'RETURNING',
  ],
  quiet: [
    'DECIDED',
    'CANCELLED',
    'CLOSED',
    'WITHDRAWN',
    'ARCHIVED',
    'REFUNDED',
    'INACTIVE',
    'ENDED',
    'SUPERSEDED',
    'CANCELED',
    'NOT_STARTED',
    'ABORTED',
    'USED_UP',
    'RETURNED',
    'RESOLVED',
    'WRITTEN_OFF',
    'OFFSET',
    'FUNDED',
  ],
} as const

export type Tone = keyof typeof tones | 'plain'

export function toneOf(status: string): Tone {
  for (const [tone, names] of Object.entries(tones)) if ((names as readonly string[]).includes(status)) return tone as Tone
  return 'plain'
}

export function Status({ value, tone = toneOf(value) }: { value: string; tone?: Tone }) {
  return <span className={`status ${tone}`}>{words(value)}</span>
}
