// The kinds of cases about transfers and about money of the house.

/** The kinds of cases about a transfer under review. */
export const reviewKinds = ['hit', 'rule', 'amount'] as const
export type ReviewKind = (typeof reviewKinds)[number]

/** What the bank's people decide about money that waits. */
export const caseKinds = ['suspended', 'unapplied', 'break'] as const
export type CaseKind = (typeof caseKinds)[number]

/** What the bank's people decide about a break of the reconciliation. */
export const reconciliationCase = 'reconciliation'
