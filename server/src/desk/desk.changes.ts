// Changes in the ventures that a page of the console is watching. One follower per instance polls once a second, and reports at most once a
// second how much of each kind has changed, and which resources, unless they are too many to fetch one by one.
import { type EventPlace, lastEventPlace, listChanges } from '../events/events.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'

/** The number of events of each kind, such as `transfer`. */
export type Frame = { kinds: Record<string, number>; ids: string[] }

type Watch = (frame: Frame) => void
type Watched = { watches: Set<Watch>; place: EventPlace | undefined }

/** Above this number, a page reloads its list instead of each resource. */
const mostChanges = 500
const mostIds = 50

export class Changes {
  readonly #database: Database
  readonly #log: Logger
  readonly #rounds: Rounds
  readonly #ventures = new Map<string, Watched>()
  #isRunning = false

  /** Intervals vary by a tenth, so that two rounds are never less than a second apart. */
  constructor({ database, log, every_ms = 1_150 }: { database: Database; log: Logger; every_ms?: number }) {
    this.#database = database
    this.#log = log
    this.#rounds = new Rounds({ every_ms, first: 'later', work: () => this.#round() })
  }

  async stop(): Promise<void> {
    this.#ventures.clear()
    await this.#rounds.stop()
  }

  /** Reports changes from now on, until the returned function is called. */
  async watch(venture_id: string, watch: Watch): Promise<() => void> {
    const known = this.#ventures.get(venture_id)
    const watched = known ?? { watches: new Set(), place: await lastEventPlace(this.#database, venture_id) }
    // Another page may have begun to watch it meanwhile.
    const kept = this.#ventures.get(venture_id) ?? watched
    this.#ventures.set(venture_id, kept)
    kept.watches.add(watch)
    if (!this.#isRunning) this.#rounds.start()
    this.#isRunning = true
    return () => {
      kept.watches.delete(watch)
      if (kept.watches.size === 0) this.#ventures.delete(venture_id)
    }
  }

  async #round(): Promise<void> {
    for (const [venture_id, watched] of this.#ventures) {
      if (this.#rounds.isStopping) return
      try {
        await this.#tell(venture_id, watched)
      } catch (error) {
        this.#log.debug({ err: error }, 'changes could not be read')
      }
    }
  }

  async #tell(venture_id: string, watched: Watched): Promise<void> {
    const changes = await listChanges(this.#database, venture_id, { after: watched.place, limit: mostChanges })
    const last = changes.at(-1)
    if (last === undefined) return
    // A watcher that is this far behind skips to the end.
    watched.place = changes.length < mostChanges ? last.place : await lastEventPlace(this.#database, venture_id)
    const frame = frameOf(changes)
    for (const watch of watched.watches) watch(frame)
  }
}

export function frameOf(changes: readonly { type: string; resource_id: string }[]): Frame {
  const kinds: Record<string, number> = {}
  for (const { type } of changes) {
    const [kind = ''] = type.split('.')
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const ids = [...new Set(changes.map(({ resource_id }) => resource_id))]
  return { kinds, ids: ids.length > mostIds ? [] : ids }
}

/** Merges two frames for a reader that was too slow for the first. */
export function joined(one: Frame, other: Frame): Frame {
  const kinds = { ...one.kinds }
  for (const [kind, count] of Object.entries(other.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count
  const ids = [...new Set([...one.ids, ...other.ids])]
  // A frame without ids stands for more resources than it could name.
  const isMany = one.ids.length === 0 || other.ids.length === 0 || ids.length > mostIds
  return { kinds, ids: isMany ? [] : ids }
}
