import type { Break } from '@vostro/sdk'

const meanings: Record<Break['kind'], string> = {
  UNKNOWN: 'On the statement, without a matching booking',
  UNBOOKED: 'On the statement, but the payment is not booked',
  OTHER_AMOUNT: 'On the statement with another amount',
  DUPLICATE: 'On a statement twice',
  MISSING: 'Booked, but missing from the statement of its day',
  LATE: 'On a statement after being written off',
  FORCED_DEBIT: 'A debit on a closed account, which the client owes',
  LATE_SETTLEMENT: 'Settled after the client was refunded',
  CONTRADICTED: 'Other banks contradict each other about a finished payment',
}

export const kinds = Object.keys(meanings)

export const meaningOf = (kind: Break['kind']): string => meanings[kind]
