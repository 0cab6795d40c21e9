// Statuses of everything, in one of five tones. Mantine's Badge cuts long words, so this is our own.
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
    'URGENT',
    'DEAD',
    'BLOCK',
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
  ],
  quiet: ['DECIDED', 'CANCELLED', 'CLOSED', 'WITHDRAWN', 'ARCHIVED', 'REFUNDED', 'INACTIVE', 'ENDED', 'SUPERSEDED'],
} as const

export type Tone = keyof typeof tones | 'plain'

export function toneOf(status: string): Tone {
  for (const [tone, names] of Object.entries(tones)) if ((names as readonly string[]).includes(status)) return tone as Tone
  return 'plain'
}

export function Status({ value, tone = toneOf(value) }: { value: string; tone?: Tone }) {
  return <span className={`status ${tone}`}>{words(value)}</span>
}
