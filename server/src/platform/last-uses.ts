// When things were last used, at low resolution: collected in memory and written at most once a minute by each instance, not for each use.
import { now } from './clock.ts'
import type { Logger } from './log.ts'

const minute_ms = 60_000

export type Use = { name: string; at: string }

type Options = { log: Logger; write(uses: readonly Use[]): Promise<void>; every_ms?: number; clock?: () => Date }

export class LastUses {
  readonly #log: Logger
  readonly #write: (uses: readonly Use[]) => Promise<void>
  readonly #timer: NodeJS.Timeout
  readonly #clock: () => Date
  #uses = new Map<string, number>()

  constructor({ log, write, every_ms = minute_ms, clock = now }: Options) {
    this.#log = log
    this.#clock = clock
    this.#write = write
    this.#timer = setInterval(() => void this.flush(), every_ms).unref()
  }

  note(name: string): void {
    this.#uses.set(name, this.#clock().getTime())
  }

  /** Uses that cannot be written are dropped; the next use is written instead. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return
    // Sorted, so that two instances that write the same rows cannot deadlock.
    const uses = [...this.#uses].map(([name, at]) => ({ name, at: new Date(at).toISOString() })).sort((a, b) => (a.name < b.name ? -1 : 1))
    this.#uses = new Map()
    try {
      await this.#write(uses)
    } catch (error) {
      this.#log.warn({ err: error }, 'the times of the last uses could not be written')
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
