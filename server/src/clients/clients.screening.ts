// Clients and beneficiaries of ventures that the bank processes for are compared with the watch lists when they are created or changed.
// Screening is to the right of this folder, so the transaction only enqueues the job.

import type { Companion } from '../platform/companions.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue, enqueuing } from '../platform/jobs.ts'

export const screenJob = 'screening.subject'

export type ToScreen = { venture_id: string; kind: 'client' | 'beneficiary'; id: string; cause: 'created' | 'changed' }

/** Call it in the transaction of the change. */
export function enqueueScreening(tx: Tx, subject: ToScreen): Promise<void> {
  return enqueue(tx, screenJob, subject)
}

/** The same as a companion, for a batch. */
export function toScreen(subject: ToScreen): Companion {
  return enqueuing(screenJob, subject)
}
