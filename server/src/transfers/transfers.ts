// The front door of transfers: what other folders use. The tables that rule the life of a transfer are in life/, which they import directly.
// biome-ignore-all lint/performance/noBarrelFile: the front door names what each room offers.

export { limitsLeft } from './deciding/transfers.limits.ts'
export { isVerifiable } from './deciding/transfers.payees.ts'
export { signedFields } from './deciding/transfers.signing.ts'
export type { StandingNow } from './deciding/transfers.standing.ts'
export type { Arrival } from './facts/transfers.claims.ts'
export type {
  BookedFact,
  Break,
  Collection,
  DebitReport,
  Disagreement,
  ForcedDebitReport,
  InboundReport,
  RefusedReturn,
  ReturnReport,
  UnappliedPayment,
} from './facts/transfers.facts.schemas.ts'
export { findBreak, insertBreaks } from './facts/transfers.facts.sql.ts'
export { freezeTransfer } from './facts/transfers.freeze.ts'
export { breakDecision } from './facts/transfers.house.ts'
export type { PayeeAccount } from './facts/transfers.inbound.ts'
export { transferApprovals } from './orders/transfers.approvals.ts'
export { cancelOldAuthorisations } from './orders/transfers.authorisations.ts'
export { findOpenTransfer, findTransferInSuspense, hasBooks } from './orders/transfers.closing.ts'
export { findTransfersBy } from './orders/transfers.find.ts'
export { listHistory, shownMoves } from './orders/transfers.history.ts'
export {
  createTransfer,
  getTransfer,
  openTransfers,
  recordPayout,
  recordRecovery,
  type Transfers,
  updateTransfer,
} from './orders/transfers.orders.ts'
export { Preview, previewTransfer } from './orders/transfers.preview.ts'
export { findStandings, findWalk } from './orders/transfers.standing.ts'
export { countWaitingTransfers, summariseTransfers } from './orders/transfers.statistics.ts'
export { findActivity, findPaidPayees, findSimilar } from './writing/transfers.activity.sql.ts'
export { findBehind } from './writing/transfers.behind.sql.ts'
export { caseFor } from './writing/transfers.cases.ts'
export type { ContinueNew } from './writing/transfers.continue.ts'
export { findInstantObstacles, type InstantObstacle } from './writing/transfers.instants.ts'
export type { Key } from './writing/transfers.keys.ts'
export type { TransferCompanions } from './writing/transfers.plan.ts'
export { selectTransferRows } from './writing/transfers.rows.sql.ts'
export type { Changed } from './writing/transfers.run.ts'
