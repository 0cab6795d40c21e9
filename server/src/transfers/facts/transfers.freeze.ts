// Freezing by the bank: the guards `client_blocked` and `account_frozen` stop the unsent transfers at once, and the service puts them ON_HOLD,
// also those that the venture holds itself, so that nobody waits for them and only the bank lets them go on.
import { type Frozen, holdJob } from '../../clients/clients.ts'
import { theService } from '../../platform/actor.ts'
import type { Handlers } from '../../platform/jobs.ts'
import { Refusal, type RefusalCode } from '../../values/refusals.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import { type Transfers, updateTransfer } from '../transfers.ts'
import { selectUnsent } from './transfers.facts.sql.ts'

export function freezeJobs(transfers: Transfers): Handlers {
  return { [holdJob]: { run: (frozen: Frozen) => holdTransfersOf(transfers, frozen) } }
}

/** Nobody knows whether it is held, so the job is repeated. */
const unknown: readonly RefusalCode[] = ['unavailable', 'outcome_unknown']

const packed: readonly TransferStatus[] = ['SENT_TO_PACK', 'PACKED']

/** Looks again until nothing is left but transfers that cannot be held in the status in which they are. */
export async function holdTransfersOf(transfers: Transfers, frozen: Frozen): Promise<void> {
  const { venture_id, account_id } = frozen
  const what = account_id === undefined ? 'client' : 'account'
  const refusedIn = new Map<string, TransferStatus>()
  for (;;) {
    const unsent = await selectUnsent(transfers.database, frozen)
    const left = unsent.filter(({ id, status }) => refusedIn.get(id) !== status)
    if (left.length === 0) return
    for (const { id, status } of left) {
      const [first, ...steps] = packed.includes(status) ? (['READY_TO_CLEAR', 'ON_HOLD'] as const) : (['ON_HOLD'] as const)
      const update = { status: first, status_reason: `The bank has frozen the ${what}.` }
      try {
        await updateTransfer(transfers, { venture_id, transfer_id: id, update, steps, actor: theService })
      } catch (error) {
        // What is refused waits where only a person decides, has just been moved, or no longer fits. The guards stop it all the same, and it must not
        // keep the others from being held.
        if (!(error instanceof Refusal) || unknown.includes(error.code)) throw error
        refusedIn.set(id, status)
      }
    }
  }
}
