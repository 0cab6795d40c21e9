// The kinds of cases about transfers and the house's money.

/** The kinds of cases about a transfer under review. */
export const reviewKinds = ['hit', 'rule', 'amount'] as const
export type ReviewKind = (typeof reviewKinds)[number]

/** The kind of case about a client, about a beneficiary, or about a payment that can no longer be stopped. */
export const nameHit = 'name_hit'

/** The kinds of cases about waiting money. */
export const caseKinds = ['suspended', 'unapplied', 'break'] as const
export type CaseKind = (typeof caseKinds)[number]

/** The kind of case about a break of the reconciliation. */
export const reconciliationCase = 'reconciliation'
