// The standing of transfers: which moves are possible, and what blocks the others.
import { type By, isVentures } from '../../platform/actor.ts'
import { policyOf } from '../../policies/policies.ts'
import { refuse } from '../../values/refusals.ts'
import { Batch } from '../deciding/transfers.batch.ts'
import { isDecidedByCase, reservedMove } from '../deciding/transfers.checks.ts'
import { signerFault } from '../deciding/transfers.signing.ts'
import { type StandingNow, standingIn } from '../deciding/transfers.standing.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { movesOf, movingPart, walkTo } from '../life/transfers.guards.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import type { Key } from '../writing/transfers.keys.ts'
import { findUndecided, selectOwners } from '../writing/transfers.lock.sql.ts'
import { selectChildRows, selectTransferRows } from '../writing/transfers.rows.sql.ts'
import type { Transition } from './transfers.orders.schemas.ts'
import type { Transfers } from './transfers.orders.ts'

/** Every move in the table from the current status, with what blocks it for the viewer: a reservation or a guard. */
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

/** The walk that takes a transfer to a status, if any. */
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

export type FoundStanding = StandingNow & { batch: Batch }

/** In the order of the keys. Read without a lock: a caller that moves a transfer based on it also sends the sequence it saw. */
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
