// Deletes rows that are no longer needed, in small steps: each step is a short transaction, followed by a pause, so that even millions of
// rows delay nobody. Every instance may do this at any time.
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../values/refusals.ts'
import type { Logger } from './log.ts'
import { Rounds } from './rounds.ts'

/** Rows that are deleted some time after they were needed. */
export type Pruning = {
  /** What the rows are, for the log. */
  name: string
  /** What is done with the rows, for the log, if they are not deleted. */
  done?: string
  /** Deletes a limited number of rows per step, and yields how many it has deleted. */
  steps(): AsyncIterable<number>
}

/** The steps of a pruning that deletes at most `size` rows at a time and continues while there are that many. */
export async function* inSteps(size: number, deleteSome: () => Promise<number>): AsyncIterable<number> {
  for (let deleted = size; deleted === size; yield deleted) deleted = await deleteSome()
}

/** How often in a row an action is tried that does not get its lock. */
const attempts = 10

/**
 * The steps of a pruning that locks a whole table. It waits only a moment for the lock, so it may take several attempts. `act` returns
 * whether there was something to do, and is called until there was not.
 */
export async function* persistently(pause_ms: number, act: () => Promise<boolean>): AsyncIterable<number> {
  for (let failures = 0; ; ) {
    try {
      if (!(await act())) return
      failures = 0
      yield 1
    } catch (error) {
      if (!(error instanceof Refusal) || ++failures === attempts) throw error
      await sleep(pause_ms)
      yield 0
    }
  }
}

const hour_ms = 3_600_000

type Options = { prunings: readonly Pruning[]; log: Logger; pause_ms?: number; every_ms?: number }

export class Retention {
  readonly #prunings: readonly Pruning[]
  readonly #log: Logger
  readonly #pause_ms: number
  readonly #rounds: Rounds

  constructor({ prunings, log, pause_ms = 20, every_ms = hour_ms }: Options) {
    this.#prunings = prunings
    this.#log = log
    this.#pause_ms = pause_ms
    this.#rounds = new Rounds({ every_ms, first: 'at once', work: () => this.#pruneAll() })
  }

  start(): void {
    this.#rounds.start()
  }

  /** Begins no more steps, and waits for the running one. */
  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  async #pruneAll(): Promise<void> {
    for (const pruning of this.#prunings) await this.#prune(pruning)
  }

  async #prune({ name, steps, done = 'deleted' }: Pruning): Promise<void> {
    let deleted = 0
    try {
      for await (const count of steps()) {
        deleted += count
        if (count > 0) await this.#rounds.pause(this.#pause_ms)
        if (this.#rounds.isStopping) break
      }
    } catch (error) {
      this.#log.warn({ err: error }, `old ${name} could not be ${done}`)
    }
    if (deleted > 0) this.#log.info({ [done]: deleted }, `${done} old ${name}`)
  }
}
