// Full runs: all clients of a venture are compared with all lists. Instant payments rely on them (docs/screening.md).
import type { Reader } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'

/** When the last full run of a venture ended; undefined if there has been none. */
export async function lastFullRun(database: Reader, venture_id: string): Promise<string | undefined> {
  const row = await database.first(read<{ ended_at: string | null }>`
    select max(ended_at) as ended_at from screening_runs where venture_id = ${venture_id}`)
  return row?.ended_at ?? undefined
}
