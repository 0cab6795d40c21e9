// What the cases about payments need to know of their screening, and what they leave behind there.
import type { By } from '../platform/actor.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { decidingHits, findExplanation } from '../screening/screening.ts'
import type { Key } from './processing.sql.ts'

/** Clearing lets a pair pass from now on; whatever else is decided about a hit takes it for confirmed. */
export function screeningRecords(database: Database) {
  return {
    /** The last screening of a payment with all hits that the payment has had; null if it has not been screened. */
    explain: ({ venture_id, id }: Key): Promise<object | null> => findExplanation(database, venture_id, id),
    /** What is written together with the decision about the hits of a payment. */
    async decided({ venture_id, id }: Key, decision: 'clear' | 'decline' | 'freeze', { actor }: By): Promise<readonly Companion[]> {
      return [decidingHits({ venture_id, subject_id: id }, decision === 'clear' ? 'CLEARED' : 'CONFIRMED', actor)]
    },
  }
}
