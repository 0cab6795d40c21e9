// Work that every instance repeats at about the same interval until it is stopped, and immediately after a jump of the clock.
import { onJump } from './clock.ts'

type Options = {
  every_ms: number
  /** Whether the first round begins immediately or one interval later. */
  first: 'at once' | 'later'
  /** One round. It must not throw, and must end soon after `isStopping` is set. */
  work(): Promise<void>
}

export class Rounds {
  readonly #options: Options
  #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #unwatch: () => void = () => {}

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#stopping = new AbortController()
    this.#unwatch = onJump(() => this.#wake())
    this.#loop = this.#run()
  }

  /** Begins no more rounds, and waits for the running one. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#unwatch()
    this.#wake()
    await this.#loop
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** A pause that ends early when the rounds are stopped or the clock jumps. */
  pause(ms: number): Promise<void> {
    if (this.isStopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #run(): Promise<void> {
    const { every_ms, first, work } = this.#options
    let isDue = first === 'at once'
    while (!this.isStopping) {
      if (isDue) await work()
      isDue = true
      // Keeps instances that were started together from staying in step.
      await this.pause(every_ms * (0.9 + 0.2 * Math.random()))
    }
  }
}
