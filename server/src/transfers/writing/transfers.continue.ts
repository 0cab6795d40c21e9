// New transfers of MANAGED ventures continue in the transaction that creates them, as far as that is safe.
import { type Accompanied, acquireCompanions } from '../../platform/companions.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import type { Batch } from '../deciding/transfers.batch.ts'
import type { Command, CreateCommand, UpdateCommand } from '../deciding/transfers.commands.ts'
import { decide } from '../deciding/transfers.decide.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import { type StandingNow, standingIn } from '../deciding/transfers.standing.ts'

/**
 * How new transfers continue in the transaction that creates them, as updates of some of them. A refused update is left for later: the
 * order itself stands, and the response shows it as created.
 */
export type ContinueNew = (reader: Reader, created: readonly StandingNow[]) => Promise<readonly Continuation[]>

export type Continuation = Omit<UpdateCommand, 'kind' | 'now'> & Accompanied

/** Transfers from other sources have already taken their steps, and a child depends on other transfers. */
export function isPlainOrder(command: Command): command is CreateCommand {
  return (
    command.kind === 'create' && command.door === undefined && command.steps === undefined && command.order.parent_transaction_id == null
  )
}

export async function continueTransfers(
  tx: Tx,
  batch: Batch,
  bank: BankIdentity,
  created: readonly CreateCommand[],
  continueNew: ContinueNew,
): Promise<void> {
  const standings = created.flatMap(({ venture_id, id }) => {
    const transfer = batch.transfer(venture_id, id)
    const standing = transfer?.managed ? standingIn(batch, transfer) : undefined
    return standing === undefined ? [] : [standing]
  })
  if (standings.length === 0) return
  const continuations = await continueNew(tx, standings)
  // This transaction already holds other locks, so it must not wait.
  const acquired = await acquireCompanions(tx, continuations, false)
  const times = new Map(created.map(({ id, now }) => [id, now]))
  const outcomes = continuations.map(({ companions: _, ...update }, index) => {
    if (acquired.blockOf(index) !== undefined) return undefined
    const now = times.get(update.transfer_id) as Date
    return batch.attempt(() => decide(batch, bank, { kind: 'update', ...update, now }))
  })
  acquired.conclude(tx, (index) => outcomes[index])
}
