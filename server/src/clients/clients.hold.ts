// When the bank has blocked a client or frozen an account, the service puts the unsent transfers ON_HOLD. Transfers are to the right of
// this folder, so the transaction that sets the bank's mark only enqueues the job.
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs.ts'

export const holdJob = 'transfers.hold_client'

/** Whose transfers are stopped. `account_id`: only those of this account. */
export type Frozen = { venture_id: string; client_id: string; account_id?: string }

/** Call it in the transaction that sets the bank's mark. */
export function enqueueHold(tx: Tx, frozen: Frozen): Promise<void> {
  return enqueue(tx, holdJob, frozen)
}
