// Pages: commands that arrive while a transaction commits wait together and share the next one. A quiet command costs one
// short transaction, a crowd shares one commit.
import { Refusal } from '../values/refusals.ts'

/** Decides a page of commands in one transaction: a result, or why there is none, for each in their order. */
export type Turn<Command, Result> = (commands: Command[]) => Promise<(Result | Error)[]>

type Waiting<Command, Result> = { command: Command; since_ms: number; resolve(result: Result): void; reject(error: unknown): void }

type Options = {
  /** How many commands one page carries at most. */
  most?: number
  /** How many pages may be under way at once. */
  flights?: number
  /** How long a command waits for a place before it is told that there is none. */
  patience_ms?: number
}

export class Pages<Command, Result> {
  readonly #turn: Turn<Command, Result>
  readonly #most: number
  readonly #flights: number
  readonly #patience_ms: number
  #waiting: Waiting<Command, Result>[] = []
  #flying = 0
  #scheduled = false
  #patience: NodeJS.Timeout | undefined

  constructor(turn: Turn<Command, Result>, { most = 256, flights = 1, patience_ms = 3_000 }: Options = {}) {
    this.#turn = turn
    this.#most = most
    this.#flights = flights
    this.#patience_ms = patience_ms
  }

  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, since_ms: performance.now(), resolve, reject })
      this.#watch()
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#flying >= this.#flights || this.#waiting.length === 0) return
    this.#scheduled = true
    // After the sockets of this turn of the event loop have been read, so that all of its requests board together.
    setImmediate(() => {
      this.#scheduled = false
      const boarding = this.#waiting.splice(0, this.#most)
      this.#flying++
      void this.#fly(boarding).finally(() => {
        this.#flying--
        this.#schedule()
      })
      this.#schedule()
    })
  }

  /** Who has waited too long for a place is told so: nothing of theirs was done, and they may try again. */
  #watch(): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined
      const since_ms = performance.now() - this.#patience_ms
      const late = this.#waiting.filter((waiting) => waiting.since_ms <= since_ms)
      this.#waiting = this.#waiting.filter((waiting) => waiting.since_ms > since_ms)
      for (const { reject } of late) reject(new Refusal('unavailable', { retry_after_s: 1 }))
      if (this.#waiting.length > 0) this.#watch()
    }, this.#patience_ms).unref()
  }

  async #fly(boarding: Waiting<Command, Result>[]): Promise<void> {
    try {
      const results = await this.#turn(boarding.map(({ command }) => command))
      boarding.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      // A refusal of the whole page (the database is away, the outcome unknown) is everyone's. Anything else is somebody's
      // fault: the page was not done, and halves of it find out whose.
      if (error instanceof Refusal || boarding.length === 1) {
        for (const { reject } of boarding) reject(error)
        return
      }
      const half = Math.ceil(boarding.length / 2)
      await this.#fly(boarding.slice(0, half))
      await this.#fly(boarding.slice(half))
    }
  }
}
