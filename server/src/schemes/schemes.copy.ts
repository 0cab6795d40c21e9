// This instance's copy of the participations and calendars. Creating a transfer needs it, so it is in memory: a round reads it again several times a
// minute, and what is older than one minute is read again before it is used.
import type { Database, Reader } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import { RailBook } from './schemes.book.ts'
import { selectParticipations, selectYears } from './schemes.sql.ts'

type Options = {
  database: Database
  /** Whether methods without a rail are carried as well, which only the stand-ins of the sandbox do. */
  carriesOthers: boolean
  every_ms?: number
  /** How old the copy may be when it is used. */
  longest_ms?: number
}

/** A change is in force two minutes after it was decided at the earliest, so that every instance knows it before. */
const longest_ms = 60_000

export class Participations {
  readonly #options: Options
  readonly #rounds: Rounds
  #book: RailBook | undefined
  #readAt_ms = Number.NEGATIVE_INFINITY
  #log: Logger | undefined

  constructor(options: Options) {
    this.#options = options
    this.#rounds = new Rounds({ every_ms: options.every_ms ?? 20_000, first: 'at once', work: () => this.#round() })
  }

  start(log: Logger): void {
    this.#log = log
    this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** What this instance knows, not older than one minute. Usually without a statement. */
  async current(reader: Reader = this.#options.database): Promise<RailBook> {
    const isFresh = performance.now() - this.#readAt_ms < (this.#options.longest_ms ?? longest_ms)
    return isFresh && this.#book !== undefined ? this.#book : this.read(reader)
  }

  /** What the database says now. For what seals messages, and for people. */
  async read(reader: Reader = this.#options.database): Promise<RailBook> {
    const startedAt_ms = performance.now()
    const [versions, years] = await Promise.all([reader.rows(selectParticipations()), reader.rows(selectYears())])
    const book = new RailBook({ versions, years, carriesOthers: this.#options.carriesOthers })
    if (startedAt_ms > this.#readAt_ms) {
      this.#book = book
      this.#readAt_ms = startedAt_ms
    }
    return book
  }

  async #round(): Promise<void> {
    try {
      await this.read()
    } catch (error) {
      if (!this.#rounds.isStopping) this.#log?.warn({ err: error }, 'the participations could not be read')
    }
  }
}
