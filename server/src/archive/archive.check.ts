// The rows of archived events for the check of seals: several files, each in the order of seals, read in parallel.
import { type ArchivedRows, inOrder, isUpto, leafOf, type Place, rowOf } from '../verify/verify.ts'
import { type ArchivedEvent, readFile, storedData } from './archive.file.ts'

type Reader = { events: AsyncGenerator<ArchivedEvent>; next: ArchivedEvent | undefined }

export class ArchivedFiles implements ArchivedRows {
  readonly #paths: readonly string[]
  #readers: Reader[] | undefined

  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  async upto(end: Place): Promise<Buffer> {
    this.#readers ??= await Promise.all(this.#paths.map(async (path) => advance({ events: readFile(path), next: undefined })))
    const rows: Buffer[] = []
    for (const reader of this.#readers) {
      while (reader.next !== undefined && isUpto(reader.next, end)) {
        rows.push(rowOf(reader.next, leafFrom(reader.next)))
        await advance(reader)
      }
    }
    return inOrder(rows)
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
