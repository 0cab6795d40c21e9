// Deletes rows that are no longer needed, in small steps: each step is a short transaction, and the next one follows after a pause, so
// that even millions of rows delay nobody. Every instance may do it at any time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './log.ts'

/** Rows that are deleted some time after they were needed. */
export type Pruning = {
  /** What the rows are, for the log. */
  name: string
  /** What is done with them, for the log, if they are not deleted. */
  done?: string
  /** Deletes a limited number of rows per step, and yields how many it has deleted. */
  steps(): AsyncIterable<number>
}

const hour_ms = 3_600_000

type Options = { prunings: readonly Pruning[]; log: Logger; pause_ms?: number; every_ms?: number }

export class Retention {
  readonly #prunings: readonly Pruning[]
  readonly #log: Logger
  readonly #pause_ms: number
  readonly #every_ms: number
  #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor({ prunings, log, pause_ms = 20, every_ms = hour_ms }: Options) {
    this.#prunings = prunings
    this.#log = log
    this.#pause_ms = pause_ms
    this.#every_ms = every_ms
  }

  start(): void {
    this.#stopping = new AbortController()
    this.#loop = this.#work()
  }

  /** Begins no more steps and waits for the one under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  async #work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      for (const pruning of this.#prunings) await this.#prune(pruning)
      // Instances that were started together do not stay in step.
      await this.#sleep(this.#every_ms * (0.9 + 0.2 * Math.random()))
    }
  }

  async #prune({ name, steps, done = 'deleted' }: Pruning): Promise<void> {
    let deleted = 0
    try {
      for await (const count of steps()) {
        deleted += count
        if (count > 0) await this.#sleep(this.#pause_ms)
        if (this.#stopping.signal.aborted) break
      }
    } catch (error) {
      this.#log.warn({ err: error }, `old ${name} could not be ${done}`)
    }
    if (deleted > 0) this.#log.info({ [done]: deleted }, `${done} old ${name}`)
  }

  #sleep(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {})
  }
}
