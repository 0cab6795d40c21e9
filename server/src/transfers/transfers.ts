// Transfers: money on its way in or out, or between two accounts. Creating and moving them goes through the desk, where those
// who wait together share a transaction; reading shares queries.
import { uuidv7 } from 'uuidv7'
import { coalesce } from '../platform/coalesce.ts'
import type { Database } from '../platform/database.ts'
import { columnsOf, read } from '../platform/sql.ts'
import { refuse } from '../values/refusals.ts'
import { circumstancesOf } from './transfers.decide.ts'
import type { BankIdentity } from './transfers.derive.ts'
import { type Circumstances, type MovingTransfer, movesOf, wayTo } from './transfers.guards.ts'
import { type Actor, Page, type TransferRow } from './transfers.page.ts'
import { openTransferDesk, type TransferDesk } from './transfers.pages.ts'
import { Transfer, TransferMove, type TransferOrder, type TransferUpdate, type Transition } from './transfers.schemas.ts'
import { type Key, selectPageAccounts, selectTransferRows } from './transfers.sql.ts'
import type { TransferStatus } from './transfers.status.ts'

export type { TransferOrder, TransferStatus }
export { Transfer }

export type Transfers = {
  database: Database
  desk: TransferDesk
  find(key: string): Promise<Transfer | undefined>
}

export function openTransfers(database: Database, bank: BankIdentity): Transfers {
  const find = coalesce<string, Transfer>(async (keys) => {
    const rows = await selectTransfers(database, keys.map(keyOf))
    // The rows as they are: the response schema lets out declared fields only, and copying fifty of them costs as much as finding them.
    return new Map(rows.map((row) => [`${row.venture_id}/${row.id}`, row]))
  })
  return { database, desk: openTransferDesk(database, bank), find }
}

function keyOf(key: string): Key {
  const [venture_id = '', id = ''] = key.split('/')
  return { venture_id, id }
}

const columns = columnsOf(Transfer)

/** May find more than was asked for, another venture's transfer with an id that was asked for; the keys tell them apart. */
function selectTransfers(database: Database, keys: readonly Key[]): Promise<(Transfer & { venture_id: string })[]> {
  return database.rows(read<Transfer & { venture_id: string }>`
    select ${columns}, venture_id from transfers
    where venture_id = any(${[...new Set(keys.map(({ venture_id }) => venture_id))]}) and id = any(${keys.map(({ id }) => id)})`)
}

export function createTransfer({ desk }: Transfers, venture_id: string, order: TransferOrder): Promise<Transfer> {
  return desk.submit({ kind: 'create', venture_id, id: uuidv7(), order, now: new Date() })
}

export async function getTransfer({ find }: Transfers, venture_id: string, id: string): Promise<Transfer> {
  return (await find(`${venture_id}/${id}`)) ?? refuse('transfer_not_found')
}

type UpdateRequest = { venture_id: string; transfer_id: string; update: TransferUpdate; actor?: Actor }

export function updateTransfer(
  { desk }: Transfers,
  { venture_id, transfer_id, update, actor = 'venture' }: UpdateRequest,
): Promise<Transfer> {
  return desk.submit({ kind: 'update', venture_id, transfer_id, update, actor, now: new Date() })
}

/** Every move that the table knows from where the transfer is, and for each what stops it now. */
export async function listTransitions(transfers: Transfers, venture_id: string, id: string): Promise<Transition[]> {
  const { transfer, circumstances } = await standingOf(transfers, venture_id, id)
  return movesOf(transfer, circumstances)
}

/** The moves by which a transfer can get to a status, if it can. */
export async function findWay(
  transfers: Transfers,
  venture_id: string,
  id: string,
  to: TransferStatus,
): Promise<TransferStatus[] | undefined> {
  const { transfer, circumstances } = await standingOf(transfers, venture_id, id)
  return wayTo(movingPart(transfer), to, circumstances)
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
  const accounts = [transfer.account_id, transfer.receiver_account_id].flatMap((id) => (id === null ? [] : [{ venture_id, id }]))
  const page = new Page({
    accounts: await selectPageAccounts(database, accounts),
    transfers: [],
    children: [],
    clients: [],
    beneficiaries: [],
    claims: new Map(),
  })
  return { transfer, circumstances: circumstancesOf(page, transfer) }
}

/** What happened to a transfer, oldest first. */
export async function listHistory(transfers: Transfers, venture_id: string, id: string): Promise<TransferMove[]> {
  const moves = await transfers.database.rows(read<TransferMove>`
    select ${moveColumns} from transfer_moves where venture_id = ${venture_id} and transfer_id = ${id} order by id`)
  if (moves.length === 0) await getTransfer(transfers, venture_id, id)
  return moves
}

const moveColumns = columnsOf(TransferMove)
