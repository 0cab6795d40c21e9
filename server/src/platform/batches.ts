// Batches: commands that arrive while a transaction commits wait together and share the next one. A lone command costs one short
// transaction, a crowd shares one commit.
import { Refusal } from '../values/refusals.ts'

/** Carries out a batch of commands in one transaction: for each command, in their order, its result or why there is none. */
export type CarryOut<Command, Result> = (commands: Command[]) => Promise<(Result | Error)[]>

type Waiting<Command, Result> = { command: Command; since_ms: number; resolve(result: Result): void; reject(error: unknown): void }

type Options = {
  /** How many commands one batch carries at most. */
  size?: number
  /** How many batches may run at once. */
  concurrency?: number
  /** How long a command waits for a batch before it is refused. */
  wait_ms?: number
}

export class Batches<Command, Result> {
  readonly #carryOut: CarryOut<Command, Result>
  readonly #size: number
  readonly #concurrency: number
  readonly #wait_ms: number
  #waiting: Waiting<Command, Result>[] = []
  #running = 0
  #scheduled = false
  #timer: NodeJS.Timeout | undefined

  constructor(carryOut: CarryOut<Command, Result>, { size = 256, concurrency = 1, wait_ms = 3_000 }: Options = {}) {
    this.#carryOut = carryOut
    this.#size = size
    this.#concurrency = concurrency
    this.#wait_ms = wait_ms
  }

  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, since_ms: performance.now(), resolve, reject })
      this.#watch()
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#concurrency || this.#waiting.length === 0) return
    this.#scheduled = true
    // After the sockets of this turn of the event loop have been read, so that all of its requests join the same batch.
    setImmediate(() => {
      this.#scheduled = false
      const batch = this.#waiting.splice(0, this.#size)
      this.#running++
      void this.#run(batch).finally(() => {
        this.#running--
        this.#schedule()
      })
      this.#schedule()
    })
  }

  /** Refuses commands that have waited too long. Nothing of theirs was done, so their callers may try again. */
  #watch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const since_ms = performance.now() - this.#wait_ms
      const late = this.#waiting.filter((waiting) => waiting.since_ms <= since_ms)
      this.#waiting = this.#waiting.filter((waiting) => waiting.since_ms > since_ms)
      for (const { reject } of late) reject(new Refusal('unavailable', { retry_after_s: 1 }))
      if (this.#waiting.length > 0) this.#watch()
    }, this.#wait_ms).unref()
  }

  async #run(batch: Waiting<Command, Result>[]): Promise<void> {
    try {
      const results = await this.#carryOut(batch.map(({ command }) => command))
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      // A refusal of the whole batch (the database is away, the outcome unknown) goes to every caller. Any other failure is caused by
      // some command: the batch was rolled back, and running halves of it finds that command.
      if (error instanceof Refusal || batch.length === 1) {
        for (const { reject } of batch) reject(error)
        return
      }
      const half = Math.ceil(batch.length / 2)
      await this.#run(batch.slice(0, half))
      await this.#run(batch.slice(half))
    }
  }
}
