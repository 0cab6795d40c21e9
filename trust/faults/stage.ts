// Runs one experiment: gives it its time, its choices and its tally, and ends what it has started, also when it is interrupted.
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from './load/random.ts'
import { Tally } from './tally.ts'

export type Experiment = {
  name: string
  /** One line for people. */
  about: string
  /** How soon after the fault the service must be ready again; not said: its readiness is not what this is about. */
  readyWithin_ms?: number
  run(stage: Stage): Promise<void>
}

export type Outcome = { experiment: Experiment; tally: Tally; skipped: string | undefined; seconds: number }

/** Thrown by an experiment that cannot be made on this machine. */
export class Skipped extends Error {}

type Closing = () => Promise<void>
const open = new Set<Closing>()

export class Stage {
  readonly tally = new Tally()
  readonly random: Random
  readonly say: (what: string) => void
  readonly #span_ms: number
  readonly #began = performance.now()
  #longest_ms = 0
  #last: number | undefined

  constructor({ seed, name, span_ms, say }: { seed: number; name: string; span_ms: number; say: (what: string) => void }) {
    this.random = new Random(`${seed}/${name}`)
    this.#span_ms = span_ms
    this.say = say
  }

  /** Whether there is time for another round like the longest so far. There always is for the first one. */
  another(): boolean {
    const now = performance.now()
    const first = this.#last === undefined
    this.#longest_ms = Math.max(this.#longest_ms, now - (this.#last ?? now))
    this.#last = now
    return first || now - this.#began + this.#longest_ms <= this.#span_ms
  }

  pause(least_ms: number, most_ms: number): Promise<void> {
    return sleep(this.random.integer(least_ms, most_ms))
  }

  /** Runs `use` and then `close`, which also runs when the whole is interrupted. */
  async closing(close: Closing, use: () => Promise<void>): Promise<void> {
    open.add(close)
    try {
      await use()
    } finally {
      open.delete(close)
      await close()
    }
  }
}

export async function runExperiment(
  experiment: Experiment,
  options: { seed: number; span_ms: number; say?: (what: string) => void },
): Promise<Outcome> {
  const { seed, span_ms, say = () => {} } = options
  const stage = new Stage({ seed, name: experiment.name, span_ms, say })
  const start = performance.now()
  let skipped: string | undefined
  try {
    await experiment.run(stage)
  } catch (error) {
    if (error instanceof Skipped) skipped = error.message
    else stage.tally.broken.push(`the experiment could not go on: ${error instanceof Error ? error.stack : error}`)
  }
  return { experiment, tally: stage.tally, skipped, seconds: (performance.now() - start) / 1000 }
}

/** Ends everything that is running, the last first. */
export async function closeEverything(): Promise<void> {
  for (const close of [...open].reverse()) {
    open.delete(close)
    await close().catch((error) => console.error(error))
  }
}
