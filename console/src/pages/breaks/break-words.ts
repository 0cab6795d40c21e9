import type { Break } from '@vostro/sdk'

const meanings: Record<Break['kind'], string> = {
  UNKNOWN: 'On the statement, and nothing fits',
  UNBOOKED: 'On the statement, and the payment is not booked',
  OTHER_AMOUNT: 'On the statement with another amount',
  DUPLICATE: 'On a statement again',
  MISSING: 'Booked, and not on the statement of its day',
  LATE: 'On a statement after it was written off',
  FORCED_DEBIT: 'A debit on a closed account, which the client owes',
  LATE_SETTLEMENT: 'Settled after the client had got the money back',
  CONTRADICTED: 'Other banks say different things about a payment that has ended',
}

export const kinds = Object.keys(meanings)

export const meaningOf = (kind: Break['kind']): string => meanings[kind]
