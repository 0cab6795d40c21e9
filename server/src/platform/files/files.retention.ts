// Deletes files that no row names: the service was stopped, or the row was refused, after the file was stored.
import { now } from '../clock.ts'
import type { Reader } from '../database/database.ts'
import type { FileStore } from './files.ts'

/** Which of these files of a venture a folder's rows name. */
export type NamedFiles = (reader: Reader, venture_id: string, ids: readonly string[]) => Promise<string[]>

type Options = { reader: Reader; files: FileStore; ventures: readonly string[]; named: readonly NamedFiles[]; step?: number }

const day_ms = 86_400_000
const first = '00000000-0000-0000-0000-000000000000'

/** Files are looked at from their first day on, for a month. By then, a file without a row has been deleted. */
export async function* pruneFiles({ reader, files, ventures, named, step = 500 }: Options): AsyncIterable<number> {
  const at = now().getTime()
  const [from, until] = [new Date(at - 31 * day_ms).toISOString(), new Date(at - day_ms).toISOString()]
  for (const venture_id of new Set(ventures)) {
    for (let after = first; ; ) {
      const found = await files.list({ venture_id, from, until, after, limit: step })
      const ids = found.map(({ id }) => id)
      const kept = new Set((await Promise.all(named.map((one) => one(reader, venture_id, ids)))).flat())
      const unnamed = found.filter(({ id }) => !kept.has(id))
      if (unnamed.length > 0) await files.delete(unnamed)
      yield unnamed.length
      if (found.length < step) break
      after = ids.at(-1) ?? after
    }
  }
}
