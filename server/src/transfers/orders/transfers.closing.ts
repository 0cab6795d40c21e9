// What prevents closing an account or a venture.
import type { Tx } from '../../platform/database/database.ts'
import { read } from '../../platform/database/sql.ts'
import { terminalStatuses } from '../life/transfers.status.ts'
import type { Key } from '../writing/transfers.keys.ts'

/**
 * Finds a transfer of a locked account with money in suspense, if any. Money enters and leaves suspense under the same lock, so a statement
 * after the lock sees the current state; the locking statement itself would see the state before its wait.
 */
export function findTransferInSuspense(tx: Tx, { venture_id, id }: Key): Promise<{ id: string } | undefined> {
  return tx.first(read<{ id: string }>`
    select id from transfers where venture_id = ${venture_id} and account_id = ${id} and suspended > 0 limit 1`)
}

/** Finds a managed transfer of a locked account that was sent and has not ended, if any. */
function findSentTransfer(tx: Tx, { venture_id, id }: Key): Promise<{ id: string } | undefined> {
  return tx.first(read<{ id: string }>`
    select id from transfers where venture_id = ${venture_id} and account_id = ${id} and managed and sent
      and status <> all(${terminalStatuses}) limit 1`)
}

/** Finds a transfer of a locked account that prevents closing the account, if any. */
export async function findOpenTransfer(tx: Tx, key: Key): Promise<{ id: string; sent?: boolean } | undefined> {
  const suspended = await findTransferInSuspense(tx, key)
  if (suspended !== undefined) return suspended
  const sent = await findSentTransfer(tx, key)
  return sent === undefined ? undefined : { ...sent, sent: true }
}

/** Whether a venture has a client, a transfer or an entry. */
export async function hasBooks(tx: Tx, venture_id: string): Promise<boolean> {
  const found = await tx.first(read<{ found: boolean }>`
    select exists (select from clients where venture_id = ${venture_id})
      or exists (select from transfers where venture_id = ${venture_id})
      or exists (select from entries where venture_id = ${venture_id}) as found`)
  return found?.found === true
}
