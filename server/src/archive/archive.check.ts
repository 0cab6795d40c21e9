// The rows of archived events for the check of seals: several files, each in the order of seals, read in parallel.
import { isOfStrand } from '../platform/database/database.strands.ts'
import { read } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { type ArchivedRows, inOrder, isUpto, leafOf, type Place, rowOf } from '../verify/verify.ts'
import { type ArchivedEvent, readFile, storedData } from './archive.file.ts'

type Reader = { events: AsyncGenerator<ArchivedEvent>; next: ArchivedEvent | undefined }

/** The hash by which a venture belongs to a shard, and so to a strand. */
export const selectHashes = read<{ id: string; hash: number }>`
  select id, uuid_hash(id) as hash from ventures union select ${bankId}::uuid, uuid_hash(${bankId}::uuid)`

export class ArchivedFiles implements ArchivedRows {
  readonly #paths: readonly string[]
  readonly #hashes: ReadonlyMap<string, number>
  #readers: Reader[] | undefined
  /** What was read and not returned, by venture: strands are not equally far. */
  readonly #waiting = new Map<string, ArchivedEvent[]>()

  constructor(paths: readonly string[], hashes: readonly { id: string; hash: number }[]) {
    this.#paths = paths
    this.#hashes = new Map(hashes.map(({ id, hash }) => [id, hash]))
  }

  async upto(end: Place, strand: string): Promise<Buffer> {
    this.#readers ??= await Promise.all(this.#paths.map(async (path) => advance({ events: readFile(path), next: undefined })))
    for (const reader of this.#readers) {
      while (reader.next !== undefined && isUpto(reader.next, end)) {
        this.#wait(reader.next)
        await advance(reader)
      }
    }
    const rows: Buffer[] = []
    for (const [venture_id, events] of this.#waiting) {
      if (!isOfStrand(strand, this.#hashOf(venture_id))) continue
      const later = events.findIndex((event) => !isUpto(event, end))
      const taken = events.splice(0, later === -1 ? events.length : later)
      if (events.length === 0) this.#waiting.delete(venture_id)
      rows.push(...taken.map((event) => rowOf(event, leafFrom(event))))
    }
    return inOrder(rows)
  }

  #wait(event: ArchivedEvent): void {
    const events = this.#waiting.get(event.venture_id)
    if (events === undefined) this.#waiting.set(event.venture_id, [event])
    else events.push(event)
  }

  #hashOf(venture_id: string): number {
    const hash = this.#hashes.get(venture_id)
    if (hash === undefined) throw new Error(`there is no venture ${venture_id}`)
    return hash
  }
}

/** Moves to the next event that the database no longer has. */
async function advance(reader: Reader): Promise<Reader> {
  do {
    const { value, done } = await reader.events.next()
    reader.next = done ? undefined : value
  } while (reader.next?.kept)
  return reader
}

function leafFrom(event: ArchivedEvent): Buffer {
  const { venture_id, id, era, xid, type, resource_id, sequence, timestamp, actor, actor_id } = event
  const fields = {
    venture_id,
    id,
    era: String(era),
    xid,
    type,
    resource_id,
    sequence: String(sequence),
    timestamp,
    data: storedData(event),
    actor,
    actor_id,
  }
  return leafOf('events', fields)
}
