// Statuses and kinds of unapplied payments and breaks, with which the house books payments that went wrong.

export const unappliedStatuses = ['OPEN', 'APPLIED', 'RETURNING', 'PAID_OUT'] as const
/** The money leaves the bank again. */
export const leavingStatuses: readonly (typeof unappliedStatuses)[number][] = ['RETURNING', 'PAID_OUT']

export const breakStatuses = ['OPEN', 'WRITTEN_OFF', 'COLLECTED', 'MATCHED', 'OFFSET', 'FUNDED'] as const
type BreakStatus = (typeof breakStatuses)[number]
/** Nothing was booked for the difference, so the nostro and the books still differ. */
export const differingStatuses: readonly BreakStatus[] = ['OPEN', 'OFFSET', 'FUNDED']
/** A payment that is missing on the statement may still come. */
export const missingStatuses: readonly BreakStatus[] = ['OPEN', 'WRITTEN_OFF']

/** Breaks in which the house has paid for a client, or may have. */
export const clientBreakKinds = ['FORCED_DEBIT', 'LATE_SETTLEMENT', 'CONTRADICTED'] as const
export type ClientBreakKind = (typeof clientBreakKinds)[number]
/** Breaks that are booked immediately, because the house has paid. */
export const paidBreakKinds = clientBreakKinds.filter((kind) => kind !== 'CONTRADICTED')

export function isAboutClient(kind: BreakKind): kind is ClientBreakKind {
  return (clientBreakKinds as readonly BreakKind[]).includes(kind)
}

/** Breaks that the reconciliation of a nostro can find. */
export const reconciliationKinds = ['UNKNOWN', 'UNBOOKED', 'MISSING', 'OTHER_AMOUNT', 'DUPLICATE', 'LATE'] as const
export type ReconciliationKind = (typeof reconciliationKinds)[number]
/** On the statement, but not in the books. */
export const unbookedKinds: readonly ReconciliationKind[] = ['UNKNOWN', 'UNBOOKED']

export const breakKinds = [...clientBreakKinds, ...reconciliationKinds] as const
export type BreakKind = (typeof breakKinds)[number]
