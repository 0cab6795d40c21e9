// Statuses and kinds of what the house has in its books about payments that went wrong: unapplied payments and breaks.

export const unappliedStatuses = ['OPEN', 'APPLIED', 'RETURNING', 'PAID_OUT'] as const
/** The money leaves the bank again. */
export const leavingStatuses: readonly (typeof unappliedStatuses)[number][] = ['RETURNING', 'PAID_OUT']

export const breakStatuses = ['OPEN', 'WRITTEN_OFF', 'COLLECTED', 'MATCHED', 'OFFSET', 'FUNDED'] as const
type BreakStatus = (typeof breakStatuses)[number]
/** Nothing was booked for the difference, so the nostro and the books still differ. */
export const differingStatuses: readonly BreakStatus[] = ['OPEN', 'OFFSET', 'FUNDED']
/** A payment that is missing on the statement may still come. */
export const missingStatuses: readonly BreakStatus[] = ['OPEN', 'WRITTEN_OFF']

/** What the house has paid for a client, or could have. */
export const clientBreakKinds = ['FORCED_DEBIT', 'LATE_SETTLEMENT', 'CONTRADICTED'] as const
export type ClientBreakKind = (typeof clientBreakKinds)[number]
/** Breaks that are booked when they are found: the house has paid. */
export const paidBreakKinds = clientBreakKinds.filter((kind) => kind !== 'CONTRADICTED')

export function isAboutClient(kind: BreakKind): kind is ClientBreakKind {
  return (clientBreakKinds as readonly BreakKind[]).includes(kind)
}

/** What a comparison of a nostro with the books can find. */
export const reconciliationKinds = ['UNKNOWN', 'UNBOOKED', 'MISSING', 'OTHER_AMOUNT', 'DUPLICATE', 'LATE'] as const
export type ReconciliationKind = (typeof reconciliationKinds)[number]
/** On the statement, and not in the books. */
export const unbookedKinds: readonly ReconciliationKind[] = ['UNKNOWN', 'UNBOOKED']

export const breakKinds = [...clientBreakKinds, ...reconciliationKinds] as const
export type BreakKind = (typeof breakKinds)[number]
