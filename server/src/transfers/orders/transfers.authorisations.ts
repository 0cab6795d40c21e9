// Cancels old card authorisations.
import { theService } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { listed, read } from '../../platform/database/sql.ts'
import { Refusal } from '../../values/refusals.ts'
import { terminalStatuses } from '../life/transfers.status.ts'
import { type Transfers, updateTransfer } from './transfers.orders.ts'

const authorisationsPerStep = 100
const day_ms = 86_400_000

/** Cancels old CARD_AUTHs of ventures whose transfers the bank processes. Yields how many each step has cancelled. */
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

/** Returns false if it cannot be cancelled now, because it has just ended or is being screened. The next run tries again. */
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

const ended = listed(terminalStatuses)

/** The open authorisations of a MANAGED venture created before a moment, oldest first, after a given one. */
export const selectOldAuthorisations = (venture_id: string, { before, after, limit }: { before: string; after: string; limit: number }) =>
  read<{ id: string }>`
    select id from transfers
    where venture_id = ${venture_id} and managed and transfer_type = 'CARD_AUTH' and created_at < ${before} and id > ${after}
      and status not in (${ended})
    order by id limit ${limit}`
