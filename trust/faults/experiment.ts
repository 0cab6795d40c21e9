// Runs one experiment: provides its time, its random choices and its results, and cleans up what it started, also when interrupted.
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from './load/random.ts'
import { Results } from './results.ts'

export type Experiment = {
  name: string
  /** One line for people. */
  about: string
  /** How soon after the fault the service must be ready again; undefined if readiness is not tested. */
  readyWithin_ms?: number
  run(context: Context): Promise<void>
}

export type Outcome = { experiment: Experiment; results: Results; skipped: string | undefined; seconds: number }

/** Thrown by an experiment that cannot run on this machine. */
export class Skipped extends Error {}

type Cleanup = () => Promise<void>
const open = new Set<Cleanup>()

export class Context {
  readonly results = new Results()
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

  /** Whether there is time for another round as long as the longest so far. Always true for the first. */
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

  /** Runs `use` and then `close`; an interrupt also runs `close`. */
  async withCleanup(close: Cleanup, use: () => Promise<void>): Promise<void> {
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
  const context = new Context({ seed, name: experiment.name, span_ms, say })
  const start = performance.now()
  let skipped: string | undefined
  try {
    await experiment.run(context)
  } catch (error) {
    if (error instanceof Skipped) skipped = error.message
    else context.results.broken.push(`the experiment could not go on: ${error instanceof Error ? error.stack : error}`)
  }
  return { experiment, results: context.results, skipped, seconds: (performance.now() - start) / 1000 }
}

/** Closes everything that is open, the last first. */
export async function closeEverything(): Promise<void> {
  for (const close of [...open].reverse()) {
    open.delete(close)
    await close().catch((error) => console.error(error))
  }
}
