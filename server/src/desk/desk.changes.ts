// What has changed in the ventures that somebody looks at: one follower in each instance asks once a second, and tells at most once a second how much
// of which kind has changed, and which resources, unless they are too many to be asked for one by one.
import { type EventPlace, lastEventPlace, listChanges } from '../events/events.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'

/** Of each kind, such as `transfer`, how many events there were. */
export type Frame = { kinds: Record<string, number>; ids: string[] }

type Watch = (frame: Frame) => void
type Watched = { watches: Set<Watch>; place: EventPlace | undefined }

/** Beyond these, a page asks for its list again and not for each resource. */
const mostChanges = 500
const mostIds = 50

export class Changes {
  readonly #database: Database
  readonly #log: Logger
  readonly #rounds: Rounds
  readonly #ventures = new Map<string, Watched>()
  #isRunning = false

  /** Rounds vary by a tenth, so that no two are less than a second apart. */
  constructor({ database, log, every_ms = 1_150 }: { database: Database; log: Logger; every_ms?: number }) {
    this.#database = database
    this.#log = log
    this.#rounds = new Rounds({ every_ms, first: 'later', work: () => this.#round() })
  }

  async stop(): Promise<void> {
    this.#ventures.clear()
    await this.#rounds.stop()
  }

  /** Tells of what changes from now on, until the function that it returns is called. */
  async watch(venture_id: string, watch: Watch): Promise<() => void> {
    const known = this.#ventures.get(venture_id)
    const watched = known ?? { watches: new Set(), place: await lastEventPlace(this.#database, venture_id) }
    // Somebody else may have begun to watch it meanwhile.
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
    // Whoever is that far behind gets to the end at once.
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

/** Both together, for a reader that was too slow for the first. */
export function joined(one: Frame, other: Frame): Frame {
  const kinds = { ...one.kinds }
  for (const [kind, count] of Object.entries(other.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count
  const ids = [...new Set([...one.ids, ...other.ids])]
  // A frame without ids stands for more than it could name.
  const isMany = one.ids.length === 0 || other.ids.length === 0 || ids.length > mostIds
  return { kinds, ids: isMany ? [] : ids }
}
