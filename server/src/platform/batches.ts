// Batches: commands that arrive while a transaction commits wait together and share the next one. A single command costs one short
// transaction; many concurrent commands share one commit.
import { Refusal } from '../values/refusals.ts'
import { Queue } from './queue.ts'

/**
 * Carries out a batch of commands in one transaction. Returns, in order, the result of each command or the reason it was refused.
 * `since_ms`: when the first of the commands started to wait.
 */
export type CarryOut<Command, Result> = (commands: Command[], since_ms: number) => Promise<(Result | Error)[]>

type Waiting<Command, Result> = { command: Command; since_ms: number; resolve(result: Result): void; reject(error: unknown): void }

type Options = {
  /** The maximum number of commands in one batch. */
  size?: number
  /** How long a command waits for a batch before it is refused. */
  wait_ms: number
}

export class Batches<Command, Result> {
  readonly #carryOut: CarryOut<Command, Result>
  readonly #size: number
  readonly #queue: Queue<Waiting<Command, Result>>
  #running = false

  constructor(carryOut: CarryOut<Command, Result>, { size = 256, wait_ms }: Options) {
    this.#carryOut = carryOut
    this.#size = size
    this.#queue = new Queue(wait_ms)
  }

  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      const since_ms = performance.now()
      this.#queue.join({ command, since_ms, resolve, reject }, reject, since_ms)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#running || this.#queue.length === 0) return
    this.#running = true
    // Runs after the sockets of this event loop turn have been read, so that all of its requests join the same batch.
    setImmediate(() => {
      void this.#run(this.#queue.take(this.#size)).finally(() => {
        this.#running = false
        this.#schedule()
      })
    })
  }

  async #run(batch: Waiting<Command, Result>[]): Promise<void> {
    const [first] = batch
    // All waiting commands may have been refused in the meantime.
    if (first === undefined) return
    try {
      const commands = batch.map(({ command }) => command)
      const results = await this.#carryOut(commands, first.since_ms)
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      // A refusal of the whole batch (the database is unreachable, the outcome is unknown) goes to every caller. Any other failure is
      // caused by one of the commands: the batch was rolled back, and running it in halves isolates that command.
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
