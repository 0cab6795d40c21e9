// Pages: commands that arrive while a transaction commits wait together and share the next one. A quiet command costs one
// short transaction, a crowd shares one commit.
import { Refusal } from '../values/refusals.ts'

/** Decides a page of commands in one transaction: a result or a refusal for each, in their order. */
export type Turn<Command, Result> = (commands: Command[]) => Promise<(Result | Refusal)[]>

type Waiting<Command, Result> = { command: Command; resolve(result: Result): void; reject(error: unknown): void }

type Options = {
  /** How many commands one page carries at most. */
  most?: number
  /** How many pages may be under way at once. */
  flights?: number
}

export class Pages<Command, Result> {
  readonly #turn: Turn<Command, Result>
  readonly #most: number
  readonly #flights: number
  #waiting: Waiting<Command, Result>[] = []
  #flying = 0
  #scheduled = false

  constructor(turn: Turn<Command, Result>, { most = 256, flights = 1 }: Options = {}) {
    this.#turn = turn
    this.#most = most
    this.#flights = flights
  }

  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject })
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

  async #fly(boarding: Waiting<Command, Result>[]): Promise<void> {
    try {
      const results = await this.#turn(boarding.map(({ command }) => command))
      boarding.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Refusal
        if (result instanceof Refusal) reject(result)
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
