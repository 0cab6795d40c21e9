// Deletes the entries of versions that have been inactive for a long time. The version itself stays, with the hash of its files, and so do
// screenings: the explanation of a hit contains everything that its score was computed from.
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { inSteps, type Pruning } from '../platform/retention.ts'
import { deleteEntries, lockWatchlist, markDeleted, selectWatchlists } from './screening.sql.ts'

const stepSize = 1_000
const day_ms = 86_400_000

export function versionPruning(database: Database, { days }: { days: number }): Pruning {
  return { name: 'entries of watch lists', steps: () => pruneVersions(database, new Date(now().getTime() - days * day_ms)) }
}

async function* pruneVersions(database: Database, until: Date): AsyncIterable<number> {
  for (const { id } of await database.rows(selectWatchlists()))
    await database.transaction(async (tx) => {
      // A version is either activated or deleted.
      await tx.first(lockWatchlist(id))
      await markDeleted(tx, { watchlist_id: id, until: until.toISOString(), now: now().toISOString() })
    })
  yield* inSteps(stepSize, () => database.transaction((tx) => deleteEntries(tx, stepSize)))
}
