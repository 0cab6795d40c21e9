// Writes what deciding a batch has produced, in one round trip together with COMMIT.
import { writeBalances, writeOverdrawn, writeUsage } from '../../accounts/accounts.ts'
import { emit } from '../../events/events.ts'
import { insertEntries } from '../../ledger/ledger.ts'
import { writeUses } from '../../mandates/mandates.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sendJobs } from '../../platform/jobs.ts'
import type { Pace } from '../../platform/pace.ts'
import { activityOf } from '../deciding/transfers.activity.ts'
import type { Batch } from '../deciding/transfers.batch.ts'
import { givenBack, onUsReturn } from '../life/transfers.jobs.ts'
import { writeActivity } from './transfers.activity.sql.ts'
import { insertDetails } from './transfers.details.sql.ts'
import { claimReferences } from './transfers.lock.ts'
import { insertMoves, insertTexts, insertTransfers, writeTransfers } from './transfers.rows.sql.ts'

/** New rows need no lock. The texts of many rows take long to build, so others get the event loop between the statements. */
export async function writeNew(tx: Tx, batch: Batch, granted: ReadonlySet<string>, pace: Pace): Promise<void> {
  if (pace.isDue) await pace.rest()
  // Transfers that the service creates itself need a claim too, and so does a command that took over a refused one's reference.
  const unclaimed = batch.newTransfers.filter(({ id }) => !granted.has(id))
  if (unclaimed.length > 0) {
    const claims = unclaimed.map(({ unique_reference, venture_id, id }) => ({ unique_reference, venture_id, transfer_id: id }))
    tx.later(claimReferences(tx, claims))
  }
  insertTransfers(tx, batch.newTransfers)
  insertTexts(tx, batch.newTransfers)
  insertDetails(tx, batch.newTransfers)
  if (pace.isDue) await pace.rest()
  insertMoves(tx, batch.newMoves)
  insertEntries(tx, batch.newEntries)
  if (pace.isDue) await pace.rest()
  if (batch.newEvents.length > 0) emit(tx, ...batch.newEvents)
  if (pace.isDue) await pace.rest()
}

/** Writes changes to rows that others may change too, under their locks. */
export function writeChanges(tx: Tx, batch: Batch): void {
  const accounts = [...batch.changedAccounts]
  writeUses(
    tx,
    batch.newTransfers.flatMap(({ venture_id, mandate_id, settlement_date }) =>
      mandate_id === null ? [] : [{ venture_id, id: mandate_id, on: settlement_date }],
    ),
  )
  writeTransfers(tx, [...batch.changedTransfers])
  writeActivity(tx, activityOf(batch))
  writeBalances(
    tx,
    accounts.filter((account) => batch.balancesChanged(account)),
  )
  writeOverdrawn(tx, [...batch.overdrawnAccounts])
  writeUsage(
    tx,
    accounts.filter((account) => batch.usageChanged(account)),
  )
  sendJobs(
    tx,
    batch.returnedOnUs.map(({ venture_id, id }) => ({ kind: onUsReturn, payload: { venture_id, id } })),
  )
  sendJobs(
    tx,
    batch.givenBack.map(({ venture_id, id }) => ({ kind: givenBack, payload: { venture_id, id } })),
  )
}
