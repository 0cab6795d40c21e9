// The days of the request log: each has a partition, which is made ahead and dropped as a whole.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import type { Pruning } from '../platform/retention.ts'
import { Refusal } from '../values/refusals.ts'
import { dropOldestDay, makeDays } from './requests.sql.ts'

/** Dropping locks the table and waits only a moment for that, so it may take several attempts. */
const attempts = 10

type Options = { isOn: boolean; pause_ms?: number }

/** What was logged before the log was turned off is dropped as well. */
export function requestLogDays(database: Database, { isOn, pause_ms = 500 }: Options): Pruning {
  async function* steps(): AsyncIterable<number> {
    if (isOn) await makeDays(database)
    for (let failures = 0; ; ) {
      try {
        if (!(await dropOldestDay(database))) return
        failures = 0
        yield 1
      } catch (error) {
        if (!(error instanceof Refusal) || ++failures === attempts) throw error
        await sleep(pause_ms)
        yield 0
      }
    }
  }
  return { name: 'days of the request log', steps }
}
