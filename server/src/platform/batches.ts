// Batches: commands that arrive while a transaction is under way wait together and share the next one. A single command costs one short
// transaction; many concurrent commands share one commit.
import { Refusal } from '../values/refusals.ts'
import { Queue } from './queue.ts'

/**
 * Carries out a batch of commands in one transaction. Returns, in order, the result of each command or the reason it was refused.
 * `since_ms`: when the first of the commands started to wait. `onSent`: call it when everything is sent and only responses are pending;
 * then the next batch begins, and waits on its own for the rows that this one has locked. Undefined if batches do not overlap.
 */
export type CarryOut<Command, Result> = (commands: Command[], since_ms: number, onSent?: () => void) => Promise<(Result | Error)[]>

type Waiting<Command, Result> = { command: Command; since_ms: number; resolve(result: Result): void; reject(error: unknown): void }

type Options<Command> = {
  /** The maximum number of commands in one batch, counted with `weigh`. */
  size?: number
  /** How many commands this one counts as; 1 by default. A command heavier than `size` fills a batch on its own. */
  weigh?: ((command: Command) => number) | undefined
  /** How long a command waits for a batch before it is refused. */
  wait_ms: number
  /**
   * Whether a batch waits for the callers that the last batch has answered. They often send their next command at once. Where a batch is
   * expensive, or the processors are busy with other work, fewer and larger batches are faster.
   */
  gathers?: boolean
  /** Whether a batch begins while the last one waits for its COMMIT. */
  overlaps?: boolean
  /** Commands with different keys go into different batches, which run side by side. Without it, all batches run one after the other. */
  apart?: ((command: Command) => string) | undefined
}

/** A lane: commands whose batches run one after the other. */
type Lane<Command, Result> = {
  queue: Queue<Waiting<Command, Result>>
  /** Whether a batch has begun that has neither been sent nor ended. */
  running: boolean
  /** How many batches were sent and have not ended. Most wait for their COMMIT; one that failed may be run again in parts. */
  sent: number
  /** When the last batch was sent. */
  sentAt_ms: number
  /** How many commands the batch had that ended last. */
  answered: number
  /** Set while a batch waits for more commands. */
  onJoined?: (() => void) | undefined
}

/** A batch gathers for at most this share of the time that the last one took, */
const gatheringShare = 0.5
/** and never longer than this. */
const longestGathering_ms = 25

/**
 * The maximum number of batches that are sent and unanswered when another begins. With one, the database idles while the response to a
 * COMMIT is in transit and the next batch is decided. More were not faster, and each needs a connection.
 */
const mostUnanswered = 2

/**
 * A batch with this many commands is large enough, whatever the size of the last one. If every batch waited for as many, one large batch
 * would make all later ones large.
 */
const enoughCommands = 20

/** A batch that was sent longer ago is held up by something other than its COMMIT, so nothing gathers because of it. */
const longestCommit_ms = 250

export class Batches<Command, Result> {
  readonly #carryOut: CarryOut<Command, Result>
  readonly #size: number
  readonly #weigh: (waiting: Waiting<Command, Result>) => number
  readonly #wait_ms: number
  readonly #gathers: boolean
  readonly #overlaps: boolean
  readonly #apart: (command: Command) => string
  readonly #lanes = new Map<string, Lane<Command, Result>>()

  constructor(
    carryOut: CarryOut<Command, Result>,
    { size = 256, weigh = () => 1, wait_ms, gathers = false, overlaps = false, apart = () => '' }: Options<Command>,
  ) {
    this.#carryOut = carryOut
    this.#size = size
    this.#weigh = ({ command }) => Math.min(weigh(command), size)
    this.#wait_ms = wait_ms
    this.#gathers = gathers
    this.#overlaps = overlaps
    this.#apart = apart
  }

  /** `since_ms`: when the caller started to wait, if earlier than now. */
  submit(command: Command, since_ms = performance.now()): Promise<Result> {
    return new Promise((resolve, reject) => {
      const name = this.#apart(command)
      const lane = this.#lanes.get(name) ?? { queue: new Queue(this.#wait_ms), running: false, sent: 0, sentAt_ms: 0, answered: 0 }
      this.#lanes.set(name, lane)
      lane.queue.join({ command, since_ms, resolve, reject }, reject, since_ms)
      lane.onJoined?.()
      this.#schedule(name, lane)
    })
  }

  #schedule(name: string, lane: Lane<Command, Result>): void {
    if (lane.running || lane.sent > mostUnanswered) return
    if (lane.queue.length === 0) {
      if (lane.sent === 0) this.#lanes.delete(name)
      return
    }
    // While a COMMIT is pending, a small batch gains nothing: the callers of the last batch often return in the meantime.
    const isCommitting = lane.sent > 0 && performance.now() - lane.sentAt_ms < longestCommit_ms
    if (isCommitting && lane.queue.length < Math.min(lane.answered, enoughCommands)) return
    lane.running = true
    // Runs after the sockets of this event loop turn have been read, so that all requests of the turn join the same batch.
    setImmediate(() => {
      let isSent = false
      const onSent = () => {
        if (isSent) return
        isSent = true
        lane.running = false
        lane.sent++
        lane.sentAt_ms = performance.now()
        this.#schedule(name, lane)
      }
      void this.#turn(lane, this.#overlaps ? onSent : undefined).finally(() => {
        if (isSent) lane.sent--
        else lane.running = false
        this.#schedule(name, lane)
      })
    })
  }

  async #turn(lane: Lane<Command, Result>, onSent: (() => void) | undefined): Promise<void> {
    const start_ms = performance.now()
    const batch = lane.queue.take(this.#size, this.#weigh)
    await this.#run(batch, onSent)
    lane.answered = batch.length
    if (this.#gathers) await this.#gather(lane, batch.length, performance.now() - start_ms)
  }

  /** Waits until the queue holds as many commands as were waiting and in the last batch together. */
  async #gather(lane: Lane<Command, Result>, answered: number, took_ms: number): Promise<void> {
    const all = Math.min(answered + lane.queue.length, this.#size)
    if (lane.queue.length >= all) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        lane.onJoined = undefined
        resolve()
      }
      const timer = setTimeout(end, Math.min(gatheringShare * took_ms, longestGathering_ms))
      lane.onJoined = () => {
        if (lane.queue.length >= all) end()
      }
    })
  }

  async #run(batch: Waiting<Command, Result>[], onSent: (() => void) | undefined): Promise<void> {
    const [first] = batch
    // All waiting commands may have been refused in the meantime.
    if (first === undefined) return
    try {
      const commands = batch.map(({ command }) => command)
      const results = await this.#carryOut(commands, first.since_ms, onSent)
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      // A refusal of the whole batch (the database is unreachable, the outcome is unknown) goes to every caller. Any other failure is
      // caused by some of the commands: the batch was rolled back, and running it in parts isolates them.
      if (error instanceof Refusal || batch.length === 1) {
        for (const { reject } of batch) reject(error)
        return
      }
      for (const part of partsOf(batch, error)) await this.#run(part, onSent)
    }
  }
}

/** Thrown instead of returning results: nothing was done, and the commands at these indexes must be carried out alone, after the others. */
export class SomeAlone extends Error {
  readonly places: ReadonlySet<number>

  constructor(places: ReadonlySet<number>) {
    super('some commands have to be carried out alone')
    this.places = places
  }
}

function partsOf<Each>(batch: readonly Each[], error: unknown): Each[][] {
  if (error instanceof SomeAlone) {
    const isAlone = (_: Each, place: number) => error.places.has(place)
    return [batch.filter((each, place) => !isAlone(each, place)), ...batch.filter(isAlone).map((each) => [each])]
  }
  const half = Math.ceil(batch.length / 2)
  return [batch.slice(0, half), batch.slice(half)]
}
