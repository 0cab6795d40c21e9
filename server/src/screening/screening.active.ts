// The active versions of all lists, loaded into this instance's matcher. An instance without them lets nothing pass. An instance whose
// versions have been replaced by another instance stores no screening until it has loaded the new ones (screening.store.ts).
import type { Database } from '../platform/database/database.ts'
import { listen } from '../platform/database/listen.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import type { Entry } from './screening.entries.ts'
import type { Answer, Question } from './screening.index.ts'
import { Matcher, MatcherError, type MatcherOptions } from './screening.matcher.ts'
import { type ActiveList, activationsChannel, selectActive, selectEntries } from './screening.sql.ts'

type Options = {
  database: Database
  log: Logger
  /** Runs before the lists are loaded for the first time. */
  prepare?: () => Promise<void>
  /** How often to check for new versions, even without a notification. */
  every_ms?: number
  matcher?: MatcherOptions
}

/** How many entries one statement reads. */
const entriesPerStep = 5_000

export class ActiveLists {
  readonly #options: Options
  readonly #rounds: Rounds
  #matcher: Matcher | undefined
  #lists: readonly ActiveList[] = []
  #isPrepared = false
  #refreshing: Promise<void> | undefined
  #unlisten: () => Promise<void> = async () => {}

  constructor(options: Options) {
    this.#options = options
    this.#rounds = new Rounds({ every_ms: options.every_ms ?? 5_000, first: 'at once', work: () => this.#round() })
  }

  /** Starts the matcher's thread. It is not started earlier, so that a process that screens nothing has none. */
  start(): void {
    this.#unlisten = listen(this.#options.database, activationsChannel, () => void this.#round())
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#unlisten()
    await this.#rounds.stop()
    await this.#refreshing?.catch(() => {})
    await this.#matcher?.stop()
    this.#matcher = undefined
    this.#lists = []
  }

  /** The lists with the versions that names are currently compared with. Empty while one of them is not loaded; then nothing passes. */
  get current(): readonly ActiveList[] {
    return this.#lists.every(({ version_id }) => this.#matcher?.isLoaded(version_id)) ? this.#lists : []
  }

  ask(version_id: string, question: Question): Promise<Answer> {
    if (this.#matcher === undefined) throw new MatcherError('NOT_LOADED', 'no list is loaded')
    return this.#matcher.ask(version_id, question)
  }

  /** Loads the currently active versions. For tests, instead of start(). */
  async refresh(): Promise<void> {
    // A running refresh may have read the versions before the activation that this one is about.
    await this.#refreshing?.catch(() => {})
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #round(): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      if (!this.#rounds.isStopping) this.#options.log.warn({ err: error }, 'the watch lists could not be loaded')
    }
  }

  /** The previous versions stay in use until all new ones are loaded. */
  async #load(): Promise<void> {
    const { database, prepare } = this.#options
    if (!this.#isPrepared) await prepare?.()
    this.#isPrepared = true
    const wanted = await database.rows(selectActive())
    if (this.#rounds.isStopping) return
    const matcher = this.#runningMatcher()
    const missing = wanted.filter(({ version_id }) => !matcher.isLoaded(version_id))
    await Promise.all(missing.map(({ version_id }) => matcher.load(version_id, () => readEntries(database, version_id))))
    const kept = new Set(wanted.map(({ version_id }) => version_id))
    const replaced = this.#lists.filter(({ version_id }) => !kept.has(version_id))
    this.#lists = wanted
    for (const { version_id } of replaced) matcher.unload(version_id)
    if (missing.length > 0) this.#options.log.info({ lists: missing.map(({ name }) => name) }, 'watch lists loaded')
  }

  /** A matcher gives up if its thread cannot be restarted. Another matcher is tried then. */
  #runningMatcher(): Matcher {
    if (this.#matcher === undefined || this.#matcher.isStopped) {
      const { log, matcher } = this.#options
      this.#matcher = new Matcher({ onCrash: (error) => log.error({ err: error }, 'the matcher ended and is being restarted'), ...matcher })
    }
    return this.#matcher
  }
}

async function readEntries(database: Database, version_id: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const after = entries.at(-1)?.id ?? ''
    const some = await database.rows(selectEntries(version_id, { after, limit: entriesPerStep }))
    entries.push(...some)
    if (some.length < entriesPerStep) return entries
  }
}
