// What the cases about payments read and write in screening.
import type { By } from '../platform/actor.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { decidingHits, type ExplainedScreening, findExplanation } from '../screening/screening.ts'
import type { Key } from './processing.sql.ts'

/** Clearing lets a pair pass from now on; any other decision about a hit confirms it. */
export function screeningRecords(database: Database) {
  return {
    /** The newest screening of a payment with all hits the payment has had; null if it has not been screened. */
    explain: ({ venture_id, id }: Key): Promise<ExplainedScreening | null> => findExplanation(database, venture_id, id),
    /** The rows to write with the decision about a payment's hits. */
    async decided(
      { venture_id, id }: Key,
      decision: 'clear' | 'decline' | 'keep' | 'freeze',
      { actor }: By,
    ): Promise<readonly Companion[]> {
      return [decidingHits({ venture_id, subject_id: id }, decision === 'clear' ? 'CLEARED' : 'CONFIRMED', actor)]
    },
  }
}
