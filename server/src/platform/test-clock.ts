// The test clock of the sandbox: how far the clock of the service is ahead of real time. One row holds this for all instances.
import { durationEnd } from '../values/duration.ts'
import { refuseField } from '../values/refusals.ts'
import { moveAhead } from './clock.ts'
import { accompanied, type Companions } from './companions.ts'
import type { Database, Reader } from './database/database.ts'
import { read, write } from './database/sql.ts'
import type { Logger } from './log.ts'
import { Rounds } from './rounds.ts'

/** Ten years, which is longer than any deadline of the service. */
export const mostAhead_s = 10 * 366 * 86_400

const every_ms = 1_000

export async function readAhead(reader: Reader): Promise<number> {
  return (await reader.first(read<{ ahead_s: number }>`select ahead_s from test_clock`))?.ahead_s ?? 0
}

/** Moves the clock forwards by a duration (ISO 8601) or by seconds. This instance follows immediately, others within about a second. */
export async function advanceClock(database: Database, advance: string | number, companions?: Companions): Promise<void> {
  const moved = await database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const before = await tx.first(read<{ ahead_s: number }>`select ahead_s from test_clock for update`)
      const after_s = secondsAfter(before?.ahead_s ?? 0, advance)
      tx.evidence ??= read`select one from test_clock where ahead_s >= ${after_s}`
      await tx.run(write`update test_clock set ahead_s = ${after_s}`)
      return { ahead_s: after_s }
    }),
  )
  moveAhead(moved.ahead_s)
}

/** Months and years are calendar months and years, from the clock's current day. */
function secondsAfter(ahead_s: number, advance: string | number): number {
  const from = new Date(Date.now() + ahead_s * 1000)
  const to =
    typeof advance === 'number'
      ? new Date(from.getTime() + advance * 1000)
      : (durationEnd(from, advance) ?? refuseField('advance', 'must be a number of seconds, or a duration such as "P1DT12H"'))
  const after_s = ahead_s + Math.round((to.getTime() - from.getTime()) / 1000)
  if (!(after_s > ahead_s)) refuseField('advance', 'must be longer than zero, because the clock moves forwards only')
  if (after_s > mostAhead_s) refuseField('advance', 'must not take the clock further than ten years ahead of the real time')
  return after_s
}

/** Follows changes that other instances make to the clock. */
export class TestClock {
  readonly #rounds: Rounds

  constructor({ database, log }: { database: Database; log: Logger }) {
    const follow = async () => {
      try {
        moveAhead(await readAhead(database))
      } catch (error) {
        log.warn({ err: error }, 'the test clock could not be read')
      }
    }
    this.#rounds = new Rounds({ every_ms, first: 'later', work: follow })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }
}
