// Transfers: money on its way in, out, or between two accounts. Creates and updates go through batches, which share transactions;
// concurrent reads share queries.
import { uuidv7 } from 'uuidv7'
import { coalesce } from '../platform/coalesce.ts'
import type { Database } from '../platform/database/database.ts'
import { columnsOf, read } from '../platform/database/sql.ts'
import { refuse } from '../values/refusals.ts'
import { type Actor, Batch } from './deciding/transfers.batch.ts'
import { circumstancesOf } from './deciding/transfers.decide.ts'
import type { BankIdentity } from './deciding/transfers.derive.ts'
import { flowVariantOf } from './life/transfers.flows.ts'
import { type Circumstances, type MovingTransfer, movesOf, walkTo } from './life/transfers.guards.ts'
import { methods } from './life/transfers.methods.ts'
import {
  type TransferStatus,
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferTypes,
  typeGroups,
} from './life/transfers.status.ts'
import { openTransferBatches, type TransferBatches, type TransferCompanions } from './transfers.batches.ts'
import type { TransferRow } from './transfers.columns.ts'
import { Transfer, TransferMove, type TransferOrder, type TransferUpdate, type Transition } from './transfers.schemas.ts'
import { findTransferInSuspense, selectOwners, selectTransferRows } from './transfers.sql.ts'

export type { TransferCompanions, TransferOrder, TransferStatus }
export {
  findTransferInSuspense,
  flowVariantOf,
  methods,
  Transfer,
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferTypes,
  typeGroups,
}

export type Transfers = {
  database: Database
  batches: TransferBatches
  find(key: string): Promise<Transfer | undefined>
  findWithKey(key: string): Promise<FoundTransfer | undefined>
}

export type FoundTransfer = Transfer & { venture_id: string }

export function openTransfers(database: Database, bank: BankIdentity): Transfers {
  // While one query runs, the next one collects keys. Fewer and larger queries cost less: with four at a time, reads are a tenth slower.
  const oneQueryAtATime = { concurrency: 1, wait_ms: database.limits.answer_ms }
  // Rows are passed on as they are: the response schema outputs declared fields only, and copying fifty fields costs as much as the query.
  const find = coalesce<string, FoundTransfer>(async (keys) => {
    const rows = await database.rows(selectByVenture(keys.map(firstPart), keys.map(secondPart)))
    return new Map(rows.map((row) => [`${row.venture_id}/${row.id}`, row]))
  }, oneQueryAtATime)
  const findWithKey = coalesce<string, FoundTransfer & { api_key_hash: string }>(async (keys) => {
    const rows = await database.rows(selectByKeyHash(keys.map(firstPart), keys.map(secondPart)))
    return new Map(rows.map((row) => [`${row.api_key_hash}/${row.id}`, row]))
  }, oneQueryAtATime)
  return { database, batches: openTransferBatches(database, bank), find, findWithKey }
}

const firstPart = (key: string) => key.slice(0, key.indexOf('/'))
const secondPart = (key: string) => key.slice(key.indexOf('/') + 1)

const columns = columnsOf(Transfer)
const columnsOfTransfer = columnsOf(Transfer, 'transfer')

// Both queries may return more than requested: a transfer of one venture with an id that another venture requested. The caller looks
// results up by key, so such rows are ignored.

const selectByVenture = (ventures: readonly string[], ids: readonly string[]) => read<FoundTransfer>`
  select ${columns}, venture_id from transfers where venture_id = any(${[...new Set(ventures)]}) and id = any(${ids})`

const selectByKeyHash = (hashes: readonly string[], ids: readonly string[]) => read<FoundTransfer & { api_key_hash: string }>`
  select ${columnsOfTransfer}, transfer.venture_id, venture.api_key_hash
  from ventures venture join transfers transfer on transfer.venture_id = venture.id
  where venture.api_key_hash = any(${[...new Set(hashes)]}) and venture.status = 'ACTIVE' and transfer.id = any(${ids})`

export function createTransfer(
  { batches }: Transfers,
  venture_id: string,
  order: TransferOrder,
  companions?: TransferCompanions,
): Promise<Transfer> {
  return batches.submit({ kind: 'create', venture_id, id: uuidv7(), order, now: new Date(), companions })
}

export async function getTransfer({ find }: Transfers, venture_id: string, id: string): Promise<Transfer> {
  return (await find(`${venture_id}/${id}`)) ?? refuse('transfer_not_found')
}

type UpdateRequest = {
  venture_id: string
  transfer_id: string
  update: TransferUpdate
  actor?: Actor
  companions?: TransferCompanions
}

export function updateTransfer(
  { batches }: Transfers,
  { venture_id, transfer_id, update, actor = 'venture', companions }: UpdateRequest,
): Promise<Transfer> {
  return batches.submit({ kind: 'update', venture_id, transfer_id, update, actor, now: new Date(), companions })
}

/** Every move in the table from the current status, with the guard that blocks it now. */
export async function listTransitions(transfers: Transfers, venture_id: string, id: string): Promise<Transition[]> {
  const { transfer, circumstances } = await standingOf(transfers, venture_id, id)
  return movesOf(transfer, circumstances)
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

function movingPart(row: TransferRow): MovingTransfer {
  const { direction, method, transfer_type, status, on_hold_from, scanned, screened, held, sent, received } = row
  return { direction, method, transfer_type, status, on_hold_from, scanned, screened, held, sent, received }
}

async function standingOf(
  { database }: Transfers,
  venture_id: string,
  id: string,
): Promise<{ transfer: TransferRow; circumstances: Circumstances }> {
  const [transfer = refuse('transfer_not_found')] = await selectTransferRows(database, [{ venture_id, id }])
  const keysOf = (...ids: (string | null)[]) => ids.flatMap((id) => (id === null ? [] : [{ venture_id, id }]))
  const [{ accounts, clients }, transfers] = await Promise.all([
    selectOwners(database, keysOf(transfer.account_id, transfer.receiver_account_id)),
    selectTransferRows(database, keysOf(transfer.parent_transaction_id)),
  ])
  const batch = new Batch({ accounts, clients, transfers, children: [], beneficiaries: [], claims: new Map() })
  return { transfer, circumstances: circumstancesOf(batch, transfer) }
}

/** The moves of a transfer, oldest first. */
export async function listHistory(transfers: Transfers, venture_id: string, id: string): Promise<TransferMove[]> {
  const moves = await transfers.database.rows(read<TransferMove>`
    select ${moveColumns} from transfer_moves where venture_id = ${venture_id} and transfer_id = ${id} order by id`)
  if (moves.length === 0) await getTransfer(transfers, venture_id, id)
  return moves
}

const moveColumns = columnsOf(TransferMove)
