// The moves and the ledger entries of a transfer.
import type { Actor } from '../../platform/actor.ts'
import { columnsOf, read } from '../../platform/database/sql.ts'
import { TransferMove } from '../life/transfers.schemas.ts'
import { scanStatuses } from '../life/transfers.sets.ts'
import { TransferEntry } from './transfers.orders.schemas.ts'
import { getTransfer, type Transfers } from './transfers.orders.ts'

/** The moves of a transfer, oldest first. Only the bank sees which of its people made a move, and what stopped a payment. */
export async function listHistory(transfers: Transfers, venture_id: string, id: string, viewer: Actor): Promise<TransferMove[]> {
  const moves = await transfers.database.rows(read<TransferMove>`
    select ${moveColumns} from transfer_moves where venture_id = ${venture_id} and transfer_id = ${id} order by id`)
  if (moves.length === 0) await getTransfer(transfers, venture_id, id)
  return shownMoves(moves, viewer)
}

/** What a viewer sees of the moves of one transfer, given oldest first. */
export function shownMoves(moves: readonly TransferMove[], viewer: Pick<Actor, 'kind'>): TransferMove[] {
  if (viewer.kind === 'operator') return [...moves]
  return withoutScans(moves).map((move) => (move.actor === 'operator' ? { ...move, actor_id: null } : move))
}

/** The last scan before a review would reveal whether a list or a rule stopped the payment. The service makes all of these moves. */
function withoutScans(moves: readonly TransferMove[]): TransferMove[] {
  const shown: TransferMove[] = []
  for (const move of moves) {
    if (move.actor === 'service' && move.to_status === 'REVIEW') {
      while (scanStatuses.includes(shown.at(-1)?.to_status ?? 'REVIEW') && shown.at(-1)?.actor === 'service') shown.pop()
      shown.push({ ...move, from_status: shown.at(-1)?.to_status ?? null })
    } else shown.push(move)
  }
  return shown
}

const moveColumns = columnsOf(TransferMove)

/** The ledger entries of a transfer, oldest first. */
export async function listTransferEntries(transfers: Transfers, venture_id: string, id: string): Promise<TransferEntry[]> {
  const entries = await transfers.database.rows(read<TransferEntry>`
    select ${entryColumns} from entries where venture_id = ${venture_id} and cause_id = ${id} and cause_kind = 'transfer' order by id`)
  if (entries.length === 0) await getTransfer(transfers, venture_id, id)
  return entries
}

const entryColumns = columnsOf(TransferEntry)
