// The days of the request log: each is a partition, created in advance and dropped as a whole.
import type { Database } from '../platform/database/database.ts'
import { type Pruning, persistently } from '../platform/retention.ts'
import { dropOldestDay, makeDays } from './requests.sql.ts'

type Options = { isOn: boolean; pause_ms?: number }

/** Rows from before the log was turned off are dropped as well. */
export function requestLogDays(database: Database, { isOn, pause_ms = 500 }: Options): Pruning {
  async function* steps(): AsyncIterable<number> {
    if (isOn) await makeDays(database)
    yield* persistently(pause_ms, () => dropOldestDay(database))
  }
  return { name: 'days of the request log', steps }
}
