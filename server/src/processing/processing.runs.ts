// Compares everyone of each managed venture with all lists, every day. A run is a chain of short jobs, so any instance continues it, ventures take
// turns, and payments are screened between its steps.
import { now } from '../platform/clock.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import { findPolicies, type Policy, policyOf } from '../policies/policies.ts'
import { beginRun, countingLists, findWithoutRun, selectRun, writeRunStep } from '../screening/screening.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import { compareAll, firstPlace, placeAfter, type Rescreening, raiseNew, readPart, retryDelay_ms } from './processing.rescreening.ts'

const runJob = 'screening.run'

type NextStep = { venture_id: string; run_id: string }

/** How many subjects a step reads. */
const perStep = 500

export function runJobs(rescreening: Rescreening): Handlers {
  return {
    // A day without a run stops instant payments, so no failure is the last one. One step at a time leaves the matcher to payments.
    [runJob]: {
      attempts: Number.POSITIVE_INFINITY,
      most: 1,
      delay_ms: retryDelay_ms,
      run: (step: NextStep) => takeStep(rescreening, step),
    },
  }
}

async function takeStep(rescreening: Rescreening, step: NextStep): Promise<void> {
  const { database, comparison } = rescreening
  const { venture_id, run_id } = step
  const [run, policy] = await Promise.all([database.first(selectRun(venture_id, run_id)), policyOf(database, venture_id)])
  if (run === undefined) return
  if (countingLists(comparison.lists.current, policy).length === 0) throw new Error('the lists of the venture are not loaded')
  const { kind, after } = run
  const { subjects, last } = await readPart(rescreening, kind, { venture_id, after, limit: perStep }, policy)
  await raiseNew(rescreening, venture_id, await compareAll(comparison, subjects, { cause: 'nightly' }))
  const next = placeAfter(kind, last)
  await database.transaction(async (tx) => {
    const isOurs = await writeRunStep(tx, { run, compared: subjects.length, next, now: now() })
    if (isOurs && next !== undefined) await enqueue(tx, runJob, step)
  })
}

/**
 * Begins the runs of today that have not begun. A venture with no list to compare with has no run: an empty one would say that everyone had been
 * compared.
 */
export async function beginRuns({ database, comparison }: Rescreening, at = now()): Promise<void> {
  const lists = comparison.lists.current
  if (lists.length === 0) return
  const waiting = await findWithoutRun(database, await listManagedIds(database), at)
  const policies = await findPolicies(database, waiting)
  for (const venture_id of waiting) {
    if (countingLists(lists, policies.get(venture_id) as Policy).length === 0) continue
    await database.transaction(async (tx) => {
      const run_id = await beginRun(tx, venture_id, firstPlace, at)
      if (run_id !== undefined) await enqueue(tx, runJob, { venture_id, run_id })
    })
  }
}

/** Begins the runs of each day. Any number of instances may do it. */
export class DailyRuns {
  readonly #rounds: Rounds

  constructor(rescreening: Rescreening, log: Logger, every_ms = 60_000) {
    const work = () =>
      beginRuns(rescreening).catch((error: unknown) => log.warn({ err: error }, 'the daily comparison with the lists could not be begun'))
    this.#rounds = new Rounds({ every_ms, first: 'at once', work })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }
}
