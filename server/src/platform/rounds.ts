// Work that every instance repeats at about the same interval until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises'

type Options = {
  every_ms: number
  /** Whether the first round begins at the start or one interval later. */
  first: 'at once' | 'later'
  /** One round. It is not to fail, and ends soon after `isStopping`. */
  work(): Promise<void>
}

export class Rounds {
  readonly #options: Options
  #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#stopping = new AbortController()
    this.#loop = this.#run()
  }

  /** Begins no more rounds and waits for the one under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** A pause, which a stop ends. */
  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {})
  }

  async #run(): Promise<void> {
    const { every_ms, first, work } = this.#options
    let isDue = first === 'at once'
    while (!this.isStopping) {
      if (isDue) await work()
      isDue = true
      // Instances that were started together do not stay in step.
      await this.pause(every_ms * (0.9 + 0.2 * Math.random()))
    }
  }
}
