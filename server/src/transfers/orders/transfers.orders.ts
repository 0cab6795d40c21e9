// What a caller may ask for: create a transfer, move it, see it. Creates and updates become commands, which share transactions
// (writing/transfers.schedule.ts); concurrent reads share queries.
import { now } from '../../platform/clock.ts'
import { coalesce } from '../../platform/coalesce.ts'
import type { Accompanied } from '../../platform/companions.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { Columns, read } from '../../platform/database/sql.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { Turns } from '../../platform/turns.ts'
import { Participations } from '../../schemes/schemes.ts'
import type { Money } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { isValidKey, type Scope, type Venture } from '../../ventures/ventures.ts'
import type { CreateCommand, UpdateCommand } from '../deciding/transfers.commands.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import { readColumns } from '../life/transfers.columns.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import type { OpenCase } from '../writing/transfers.cases.ts'
import type { ContinueNew } from '../writing/transfers.continue.ts'
import { withDetails } from '../writing/transfers.details.sql.ts'
import type { TransferCompanions } from '../writing/transfers.plan.ts'
import { type Changed, runInTransaction } from '../writing/transfers.run.ts'
import { type BulkBatches, openBulkBatches } from '../writing/transfers.schedule.bulk.ts'
import { openTransferBatches, type TransferBatches } from '../writing/transfers.schedule.ts'

export type Transfers = {
  database: Database
  bank: BankIdentity
  /** How the bank takes part in schemes. */
  participations: Participations
  openCase: OpenCase
  batches: TransferBatches
  /** Listeners for changes to open managed transfers, after each commit. */
  watchers: Set<(changed: readonly Changed[]) => void>
  /** How new transfers continue in the transaction that creates them. Set while processing runs. */
  continueNew: ContinueNew | undefined
  /** The turns of requests with many orders. */
  bulks: Turns
  bulkBatches: BulkBatches
  find(key: string): Promise<Transfer | undefined>
  findWithKey(key: string): Promise<TransferWithKey | undefined>
}

export type FoundTransfer = Transfer & { venture_id: string; detailed: boolean }

/** A transfer that was found together with the key of the request. */
export type TransferWithKey = FoundTransfer &
  Pick<Venture, 'control'> & { key_hash: string; key_id: string; scopes: Scope[]; seen_by_bank: boolean }

/** `openCase`: opens a case together with COMMIT. `participations`: for tests, a copy of their own. */
export function openTransfers(
  database: Database,
  identity: BankIdentity,
  openCase: OpenCase,
  participations = new Participations({ database, carriesOthers: true }),
): Transfers {
  const bank = { ...identity, participations }
  // While one query runs, the next one collects keys. Fewer, larger queries cost less: with four at a time, reads are a tenth slower.
  const oneQueryAtATime = { concurrency: 1, wait_ms: database.limits.answer_ms }
  // Rows are passed on unchanged: the response schema outputs only declared fields, and copying fifty fields costs as much as the query.
  const find = coalesce<string, FoundTransfer>(async (keys) => {
    const rows = await withDetails(database, await database.rows(selectByVenture(keys.map(firstPart), keys.map(secondPart))))
    return new Map(rows.map((row) => [`${row.venture_id}/${row.id}`, row]))
  }, oneQueryAtATime)
  const findWithKey = coalesce<string, TransferWithKey>(async (keys) => {
    const [hashes, ids] = [keys.map(firstPart), keys.map(secondPart)]
    const rows = await database.placement.either({
      together: () => database.rows(selectByKeyHash(hashes, ids)),
      apart: () => findByKeys(database, hashes, ids),
    })
    await withDetails(database, rows)
    return new Map(rows.map((row) => [`${row.key_hash}/${row.id}`, row]))
  }, oneQueryAtATime)
  const watchers: Transfers['watchers'] = new Set()
  const tellWatchers = (changed: readonly Changed[]) => {
    for (const watch of watchers) watch(changed)
  }
  const reactions = { onManaged: tellWatchers, continueNew: () => transfers.continueNew }
  const transfers: Transfers = {
    database,
    bank,
    participations,
    openCase,
    batches: openTransferBatches(database, bank, reactions),
    watchers,
    continueNew: undefined,
    bulks: openBulks(database.limits),
    bulkBatches: openBulkBatches(database, bank, reactions),
    find,
    findWithKey,
  }
  return transfers
}

/**
 * A request with many orders has a turn from parsing its body to its commit, so at most six of them have all of their orders in memory.
 * While some are being written, the waiting ones form the next batch. One place is left to other ventures.
 */
function openBulks({ queue_ms: wait_ms }: Database['limits']): Turns {
  return new Turns({ places: 6, mostOfOne: 5, mostWaiting: 64, wait_ms, refusal: 'unavailable' })
}

const firstPart = (key: string) => key.slice(0, key.indexOf('/'))
const secondPart = (key: string) => key.slice(key.indexOf('/') + 1)

const columns = new Columns(readColumns)
const columnsOfTransfer = new Columns(readColumns, 'transfer')

// Both queries may return more than requested: a transfer of one venture with an id that another venture requested. The caller looks
// results up by key, so such rows are ignored.

const selectByVenture = (ventures: readonly string[], ids: readonly string[]) => read<FoundTransfer>`
  select ${columns} from transfers where venture_id = any(${[...new Set(ventures)]}) and id = any(${ids})`

const selectByKeyHash = (hashes: readonly string[], ids: readonly string[]) => read<TransferWithKey>`
  select ${columnsOfTransfer}, key.key_hash, key.id as key_id, key.scopes, key.seen_by_bank, venture.control
  from api_keys key join ventures venture on venture.id = key.venture_id join transfers transfer on transfer.venture_id = key.venture_id
  where key.key_hash = any(${[...new Set(hashes)]}) and ${isValidKey} and transfer.id = any(${ids})`

type FoundKey = Omit<TransferWithKey, keyof Transfer | 'detailed'>

/** The same for a distributed database, where keys are on the coordinator. */
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

/** `id`: assigned by the service unless the caller has to know it beforehand. */
export type CreateRequest = Omit<CreateCommand, 'kind' | 'id' | 'now'> & Partial<Pick<CreateCommand, 'id'>> & Accompanied

export function createTransfer({ batches }: Transfers, { id = uuidv7(), ...request }: CreateRequest): Promise<Transfer> {
  return batches.submit({ kind: 'create', ...request, id, now: now() })
}

type PayoutRequest = { venture_id: string; account_id: string; amount: Money; purpose: string; companions: TransferCompanions }

/** Records card money paid out to an account. The companion of the payout vouches for the amount. */
export function recordPayout(
  { batches }: Transfers,
  { venture_id, account_id, amount, purpose, companions }: PayoutRequest,
): Promise<Transfer> {
  return batches.submit({ kind: 'payout', venture_id, account_id, direction: 'INBOUND', amount, purpose, now: now(), companions })
}

/**
 * Takes card money back from an account, in the transaction that refunds it to a payer. Refuses if the account is not ACTIVE, if its client
 * is blocked, or if the funds are insufficient.
 */
export function recordRecovery(tx: Tx, { bank }: Transfers, recovery: Omit<PayoutRequest, 'companions'>): Promise<Transfer> {
  return runInTransaction(tx, bank, { kind: 'payout', direction: 'OUTBOUND', ...recovery, now: now() })
}

export async function getTransfer({ find }: Transfers, venture_id: string, id: string): Promise<Transfer> {
  return (await find(`${venture_id}/${id}`)) ?? refuse('transfer_not_found')
}

export type UpdateRequest = Omit<UpdateCommand, 'kind' | 'now'> & Accompanied

export function updateTransfer({ batches }: Transfers, request: UpdateRequest): Promise<Transfer> {
  return batches.submit({ kind: 'update', ...request, now: now() })
}
