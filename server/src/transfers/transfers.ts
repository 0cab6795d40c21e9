// Transfers: money on its way in, out, or between two accounts. Creates and updates go through batches, which share transactions;
// concurrent reads share queries.
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest } from '../audit/audit.ts'
import { type Actor, type By, isVentures, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { coalesce } from '../platform/coalesce.ts'
import type { Accompanied } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, read } from '../platform/database/sql.ts'
import { uuidv7 } from '../platform/ids.ts'
import { Turns } from '../platform/turns.ts'
import { policyOf } from '../policies/policies.ts'
import type { Money } from '../values/money.ts'
import { Refusal, refuse } from '../values/refusals.ts'
import { isValidKey, type Scope, type Venture } from '../ventures/ventures.ts'
import { amountOnAccount, failedStatuses, isMonitored, monitoredMethods, payeeOf } from './deciding/transfers.activity.ts'
import { Batch } from './deciding/transfers.batch.ts'
import {
  type CreateCommand,
  isDecidedByCase,
  reservedMove,
  type StandingNow,
  standingIn,
  type UpdateCommand,
  waitingStatus,
} from './deciding/transfers.decide.ts'
import type { BankIdentity } from './deciding/transfers.derive.ts'
import { limitsLeft } from './deciding/transfers.limits.ts'
import { isVerifiable } from './deciding/transfers.payees.ts'
import { signedFields, signerFault } from './deciding/transfers.signing.ts'
import { breakDecision, caseFor, caseKinds, type OpenCase, reconciliationCase } from './facts/transfers.claims.ts'
import type {
  BookedFact,
  Break,
  Collection,
  DebitReport,
  Disagreement,
  ForcedDebitReport,
  InboundReport,
  ReconciliationKind,
  RefusedReturn,
  ReturnReport,
  UnappliedPayment,
} from './facts/transfers.facts.schemas.ts'
import { findBreak, insertBreaks } from './facts/transfers.facts.sql.ts'
import { freezeTransfer } from './facts/transfers.freezing.ts'
import { flowVariantOf } from './life/transfers.flows.ts'
import {
  blockOf,
  type Circumstances,
  type MovingTransfer,
  movesOf,
  movingPart,
  nextOf,
  standingAfter,
  walkTo,
} from './life/transfers.guards.ts'
import { arrivesOver, methods, payoutRail, sendingDay } from './life/transfers.methods.ts'
import {
  type TransferMethod,
  type TransferStatus,
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferStatuses,
  transferTypes,
  typeGroups,
} from './life/transfers.status.ts'
import { findActivity, findPaidPayees, findSimilar } from './transfers.activity.sql.ts'
import {
  type Changed,
  type GoOn,
  givenBack,
  moneyShown,
  openTransferBatches,
  runInTransaction,
  screenedUnapplied,
  type TransferBatches,
  type TransferCompanions,
} from './transfers.batches.ts'
import { type BulkBatches, openBulkBatches } from './transfers.bulk.batches.ts'
import type { TransferRow } from './transfers.columns.ts'
import { findTransfersBy } from './transfers.find.ts'
import { Preview, previewTransfer } from './transfers.preview.ts'
import { Transfer, TransferEntry, TransferMove, TransferOrder, type TransferUpdate, type Transition } from './transfers.schemas.ts'
import {
  findOpenTransfer,
  findTransferInSuspense,
  findUndecided,
  hasBooks,
  type Key,
  type ReviewKind,
  reviewKinds,
  selectChildRows,
  selectOldAuthorisations,
  selectOwners,
  selectTransferRows,
} from './transfers.sql.ts'
import { countWaitingTransfers, summariseTransfers } from './transfers.statistics.ts'

export type {
  BookedFact,
  Break,
  Changed,
  Circumstances,
  Collection,
  DebitReport,
  Disagreement,
  ForcedDebitReport,
  GoOn,
  InboundReport,
  Key,
  MovingTransfer,
  ReconciliationKind,
  RefusedReturn,
  ReturnReport,
  ReviewKind,
  StandingNow,
  TransferCompanions,
  TransferMethod,
  TransferRow,
  TransferStatus,
  UnappliedPayment,
}
export {
  amountOnAccount,
  arrivesOver,
  blockOf,
  breakDecision,
  caseFor,
  caseKinds,
  countWaitingTransfers,
  failedStatuses,
  findActivity,
  findBreak,
  findOpenTransfer,
  findPaidPayees,
  findSimilar,
  findTransferInSuspense,
  findTransfersBy,
  flowVariantOf,
  freezeTransfer,
  givenBack,
  hasBooks,
  insertBreaks,
  isMonitored,
  isVerifiable,
  limitsLeft,
  methods,
  moneyShown,
  monitoredMethods,
  movingPart,
  nextOf,
  Preview,
  payeeOf,
  payoutRail,
  previewTransfer,
  reconciliationCase,
  reviewKinds,
  screenedUnapplied,
  sendingDay,
  signedFields,
  standingAfter,
  summariseTransfers,
  Transfer,
  TransferMove,
  TransferOrder,
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferStatuses,
  transferTypes,
  typeGroups,
  waitingStatus,
}

export type Transfers = {
  database: Database
  bank: BankIdentity
  openCase: OpenCase
  batches: TransferBatches
  /** Who wants to know which managed transfers that have not ended have changed, after each commit. */
  watchers: Set<(changed: readonly Changed[]) => void>
  /** How new transfers go on in the transaction that creates them. The processing says so while it runs. */
  goOn: GoOn | undefined
  /** The turns of requests with many orders. */
  bulks: Turns
  bulkBatches: BulkBatches
  find(key: string): Promise<Transfer | undefined>
  findWithKey(key: string): Promise<TransferWithKey | undefined>
}

export type FoundTransfer = Transfer & { venture_id: string }

/** A transfer that was found together with the key that asks for it. */
export type TransferWithKey = FoundTransfer &
  Pick<Venture, 'control'> & { key_hash: string; key_id: string; scopes: Scope[]; seen_by_bank: boolean }

/** `openCase`: opens a case together with COMMIT. */
export function openTransfers(database: Database, bank: BankIdentity, openCase: OpenCase): Transfers {
  // While one query runs, the next one collects keys. Fewer and larger queries cost less: with four at a time, reads are a tenth slower.
  const oneQueryAtATime = { concurrency: 1, wait_ms: database.limits.answer_ms }
  // Rows are passed on as they are: the response schema outputs declared fields only, and copying fifty fields costs as much as the query.
  const find = coalesce<string, FoundTransfer>(async (keys) => {
    const rows = await database.rows(selectByVenture(keys.map(firstPart), keys.map(secondPart)))
    return new Map(rows.map((row) => [`${row.venture_id}/${row.id}`, row]))
  }, oneQueryAtATime)
  const findWithKey = coalesce<string, TransferWithKey>(async (keys) => {
    const [hashes, ids] = [keys.map(firstPart), keys.map(secondPart)]
    const rows = await database.placement.either({
      together: () => database.rows(selectByKeyHash(hashes, ids)),
      apart: () => findByKeys(database, hashes, ids),
    })
    return new Map(rows.map((row) => [`${row.key_hash}/${row.id}`, row]))
  }, oneQueryAtATime)
  const watchers: Transfers['watchers'] = new Set()
  const tellWatchers = (changed: readonly Changed[]) => {
    for (const watch of watchers) watch(changed)
  }
  const reactions = { onManaged: tellWatchers, goOn: () => transfers.goOn }
  const transfers: Transfers = {
    database,
    bank,
    openCase,
    batches: openTransferBatches(database, bank, reactions),
    watchers,
    goOn: undefined,
    bulks: openBulks(database.limits),
    bulkBatches: openBulkBatches(database, bank, reactions),
    find,
    findWithKey,
  }
  return transfers
}

/**
 * A request with many orders has its turn from the parsing of its body to its commit, so that no more than six of them have all of their orders in
 * memory. While some are written, those that wait become the next batch. One place is left to other ventures.
 */
function openBulks({ queue_ms: wait_ms }: Database['limits']): Turns {
  return new Turns({ places: 6, mostOfOne: 5, mostWaiting: 64, wait_ms, refusal: 'unavailable' })
}

const firstPart = (key: string) => key.slice(0, key.indexOf('/'))
const secondPart = (key: string) => key.slice(key.indexOf('/') + 1)

const columns = columnsOf(Transfer)
const columnsOfTransfer = columnsOf(Transfer, 'transfer')

// Both queries may return more than requested: a transfer of one venture with an id that another venture requested. The caller looks
// results up by key, so such rows are ignored.

const selectByVenture = (ventures: readonly string[], ids: readonly string[]) => read<FoundTransfer>`
  select ${columns}, venture_id from transfers where venture_id = any(${[...new Set(ventures)]}) and id = any(${ids})`

const selectByKeyHash = (hashes: readonly string[], ids: readonly string[]) => read<TransferWithKey>`
  select ${columnsOfTransfer}, transfer.venture_id, key.key_hash, key.id as key_id, key.scopes, key.seen_by_bank, venture.control
  from api_keys key join ventures venture on venture.id = key.venture_id join transfers transfer on transfer.venture_id = key.venture_id
  where key.key_hash = any(${[...new Set(hashes)]}) and ${isValidKey} and transfer.id = any(${ids})`

type FoundKey = Omit<TransferWithKey, keyof Transfer>

/** The same in a distributed database, where keys are on the coordinator. */
async function findByKeys(database: Database, hashes: readonly string[], ids: readonly string[]): Promise<TransferWithKey[]> {
  const keys = await database.rows(read<FoundKey>`
    select key.key_hash, key.id as key_id, key.scopes, key.seen_by_bank, key.venture_id, venture.control
    from api_keys key join ventures venture on venture.id = key.venture_id
    where key.key_hash = any(${[...new Set(hashes)]}) and ${isValidKey}`)
  if (keys.length === 0) return []
  const found = await database.rows(
    selectByVenture(
      keys.map(({ venture_id }) => venture_id),
      ids,
    ),
  )
  return keys.flatMap((key) => found.filter(({ venture_id }) => venture_id === key.venture_id).map((transfer) => ({ ...transfer, ...key })))
}

/** `id`: made by the service unless the caller has to know it beforehand. */
type CreateRequest = Omit<CreateCommand, 'kind' | 'id' | 'now'> & Partial<Pick<CreateCommand, 'id'>> & Accompanied

export function createTransfer({ batches }: Transfers, { id = uuidv7(), ...request }: CreateRequest): Promise<Transfer> {
  return batches.submit({ kind: 'create', ...request, id, now: now() })
}

type PayoutRequest = { venture_id: string; account_id: string; amount: Money; purpose: string; companions: TransferCompanions }

/** Records card money that is paid out to an account. The companion of the payout answers for the amount. */
export function recordPayout(
  { batches }: Transfers,
  { venture_id, account_id, amount, purpose, companions }: PayoutRequest,
): Promise<Transfer> {
  return batches.submit({ kind: 'payout', venture_id, account_id, direction: 'INBOUND', amount, purpose, now: now(), companions })
}

/**
 * Takes card money back from an account that got it, in the transaction of what gives it back to a payer. Refuses if the account is not ACTIVE,
 * if its client is blocked, or if it has not enough.
 */
export function recordRecovery(tx: Tx, { bank }: Transfers, recovery: Omit<PayoutRequest, 'companions'>): Promise<Transfer> {
  return runInTransaction(tx, bank, { kind: 'payout', direction: 'OUTBOUND', ...recovery, now: now() })
}

export async function getTransfer({ find }: Transfers, venture_id: string, id: string): Promise<Transfer> {
  return (await find(`${venture_id}/${id}`)) ?? refuse('transfer_not_found')
}

type UpdateRequest = Omit<UpdateCommand, 'kind' | 'now'> & Accompanied

export function updateTransfer({ batches }: Transfers, request: UpdateRequest): Promise<Transfer> {
  return batches.submit({ kind: 'update', ...request, now: now() })
}

/** An order of somebody at the bank. With four eyes, what is reserved to the bank is ordered by two of its people. */
export function orderByBank(
  transfers: Transfers,
  approvals: Approvals,
  { venture_id, order }: Pick<CreateRequest, 'venture_id' | 'order'>,
  by: By,
): Promise<Transfer | Approval> {
  const id = uuidv7()
  const { unique_reference: reference } = order
  return actOrRequest(approvals, { venture_id, action: createAction, resource_id: id, payload: order, reference }, by, (allowed) =>
    createTransfer(transfers, { venture_id, id, order, ...allowed }),
  )
}

/** An update by somebody at the bank. With four eyes, what nobody there may do alone is done by two of its people. */
export function updateByBank(
  transfers: Transfers,
  approvals: Approvals,
  { venture_id, transfer_id, update }: Pick<UpdateRequest, 'venture_id' | 'transfer_id' | 'update'>,
  by: By,
): Promise<Transfer | Approval> {
  return actOrRequest(approvals, { venture_id, action: moveAction, resource_id: transfer_id, payload: update }, by, (allowed) =>
    updateTransfer(transfers, { venture_id, transfer_id, update, ...allowed }),
  )
}

const createAction = 'create-transfer'
const moveAction = 'move-transfer'

/** What the bank's people do with transfers only together. The payload is the order, or the update. */
export function transferApprovals(transfers: Transfers): ApprovalHandler[] {
  return [
    {
      action: createAction,
      operations: ['createTransfer'],
      // The maker has been told the id of the transfer.
      carryOut: ({ venture_id, resource_id: id, payload }, by) =>
        createTransfer(transfers, { venture_id, id, order: payload as TransferOrder, ...by, approved: true }),
    },
    {
      action: moveAction,
      operations: ['updateTransfer'],
      carryOut: ({ venture_id, resource_id: transfer_id, sequence, payload }, by) =>
        updateTransfer(transfers, { venture_id, transfer_id, update: payload as TransferUpdate, ...by, approved: true, sequence }),
    },
  ]
}

/** Every move in the table from the current status, with what blocks it now for the viewer: that it is reserved, or a guard. */
export async function listTransitions(
  transfers: Transfers,
  venture_id: string,
  id: string,
  viewer: Pick<By, 'actor' | 'approved'>,
): Promise<Transition[]> {
  const { transfer, batch, circumstances } = await standingOf(transfers, venture_id, id)
  const undecided = isVentures(viewer.actor) ? new Set() : await findUndecided(transfers.database, [{ venture_id, id }])
  const asked = transfer.managed && transfer.status === 'TO_SIGN' ? await policyOf(transfers.database, venture_id) : undefined
  const mayNotSign = asked !== undefined && signerFault(transfer, asked, viewer.actor) !== undefined
  return movesOf(transfer, circumstances).map((move) => {
    const hasCase = undecided.has(id) && isDecidedByCase(transfer, move.status)
    const reserved = hasCase
      ? 'decided_by_case'
      : (reservedMove(batch, transfer, move.status, viewer) ?? (mayNotSign && move.status === 'SIGNED' ? 'signer_not_allowed' : undefined))
    return reserved === undefined ? move : { ...move, allowed: false, blocked_by: reserved, needs_third_party_status: false }
  })
}

/** The walk that takes a transfer to a status, if there is one. */
export async function findWalk(
  transfers: Transfers,
  venture_id: string,
  id: string,
  to: TransferStatus,
): Promise<TransferStatus[] | undefined> {
  const { transfer, circumstances } = await standingOf(transfers, venture_id, id)
  return walkTo(movingPart(transfer), to, circumstances)
}

async function standingOf(transfers: Transfers, venture_id: string, id: string): Promise<FoundStanding> {
  const [standing = refuse('transfer_not_found')] = await findStandings(transfers, [{ venture_id, id }])
  return standing
}

/** Whether a review has stopped it. Somebody of the bank, or a freeze, may have put it on hold meanwhile. */
export function isUnderReview({ status, on_hold_from }: Pick<TransferRow, 'status' | 'on_hold_from'>): boolean {
  return status === 'REVIEW' || (status === 'ON_HOLD' && on_hold_from === 'REVIEW')
}

export type FoundStanding = StandingNow & { batch: Batch }

/** In the order of the keys. Seen without a lock: whoever moves a transfer by it names the sequence that it had. */
export async function findStandings({ database }: Transfers, keys: readonly Key[]): Promise<FoundStanding[]> {
  const found = new Map((await selectTransferRows(database, keys)).map((row) => [row.id, row]))
  const rows = keys.flatMap(({ id }) => found.get(id) ?? [])
  const keysOf = ({ venture_id }: TransferRow, ids: readonly (string | null)[]) =>
    ids.flatMap((id) => (id === null ? [] : [{ venture_id, id }]))
  const parentKeys = rows.flatMap((row) => keysOf(row, [row.parent_transaction_id]))
  const [{ accounts, clients }, parents, children] = await Promise.all([
    selectOwners(
      database,
      rows.flatMap((row) => keysOf(row, [row.account_id, row.receiver_account_id])),
    ),
    selectTransferRows(database, parentKeys),
    selectChildRows(database, parentKeys),
  ])
  const batch = new Batch({ accounts, clients, transfers: parents, children, beneficiaries: [], claims: new Map() })
  return rows.flatMap((transfer) => {
    const standing = standingIn(batch, transfer)
    return standing === undefined ? [] : [{ ...standing, batch }]
  })
}

/** The moves of a transfer, oldest first. Only the bank sees which of its people made a move, and what has stopped a payment. */
export async function listHistory(transfers: Transfers, venture_id: string, id: string, viewer: Actor): Promise<TransferMove[]> {
  const moves = await transfers.database.rows(read<TransferMove>`
    select ${moveColumns} from transfer_moves where venture_id = ${venture_id} and transfer_id = ${id} order by id`)
  if (moves.length === 0) await getTransfer(transfers, venture_id, id)
  return shownMoves(moves, viewer)
}

/** What somebody sees of the moves of one transfer, which are given oldest first. */
export function shownMoves(moves: readonly TransferMove[], viewer: Pick<Actor, 'kind'>): TransferMove[] {
  if (viewer.kind === 'operator') return [...moves]
  return withoutScans(moves).map((move) => (move.actor === 'operator' ? { ...move, actor_id: null } : move))
}

const scanning: readonly TransferStatus[] = ['BLACKLIST_SCANNING', 'AML_SCANNING']

/** The last scan before a review would tell whether a list or a rule has stopped the payment. The service makes all of these moves. */
function withoutScans(moves: readonly TransferMove[]): TransferMove[] {
  const shown: TransferMove[] = []
  for (const move of moves) {
    if (move.actor === 'service' && move.to_status === 'REVIEW') {
      while (scanning.includes(shown.at(-1)?.to_status ?? 'REVIEW') && shown.at(-1)?.actor === 'service') shown.pop()
      shown.push({ ...move, from_status: shown.at(-1)?.to_status ?? null })
    } else shown.push(move)
  }
  return shown
}

const moveColumns = columnsOf(TransferMove)

/** What a transfer has booked, oldest first. */
export async function listTransferEntries(transfers: Transfers, venture_id: string, id: string): Promise<TransferEntry[]> {
  const entries = await transfers.database.rows(read<TransferEntry>`
    select ${entryColumns} from entries where venture_id = ${venture_id} and cause_id = ${id} and cause_kind = 'transfer' order by id`)
  if (entries.length === 0) await getTransfer(transfers, venture_id, id)
  return entries
}

const entryColumns = columnsOf(TransferEntry)

const authorisationsPerStep = 100
const day_ms = 86_400_000

/** Cancels the CARD_AUTHs of ventures whose transfers the bank processes, once they are old. Yields how many each step has cancelled. */
export async function* cancelOldAuthorisations(
  transfers: Transfers,
  { ventures, days, now: at = now() }: { ventures: readonly string[]; days: number; now?: Date },
): AsyncIterable<number> {
  const before = new Date(at.getTime() - days * day_ms).toISOString()
  for (const venture_id of ventures) {
    let last = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const limit = authorisationsPerStep
      const found = await transfers.database.rows(selectOldAuthorisations(venture_id, { before, after: last, limit }))
      const cancelled = await Promise.all(found.map(({ id }) => cancelAuthorisation(transfers, venture_id, id)))
      yield cancelled.filter(Boolean).length
      if (found.length < limit) break
      last = found.at(-1)?.id ?? last
    }
  }
}

/** Returns false if it cannot be cancelled now: it has just ended, or it is being screened. The next run sees it again. */
async function cancelAuthorisation(transfers: Transfers, venture_id: string, transfer_id: string): Promise<boolean> {
  const update = { status: 'CANCELLED', status_reason: 'The authorisation has expired.' } as const
  try {
    await updateTransfer(transfers, { venture_id, transfer_id, update, actor: theService })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
