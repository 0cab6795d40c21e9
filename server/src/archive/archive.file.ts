// The file of an archived month: one event in each line, as JSON, in the order of the seals, compressed with gzip. An event has the fields that it was
// shown with, and those with which its seal can be computed: `era`, `xid`, and `stored`, the text of its data as the database had it, if that is another
// one. `kept`: the database still has the event as well.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Event } from '../events/events.ts'
import { syncFolder } from '../platform/embedded/embedded.folder.ts'
import { StartupError } from '../platform/startup-error.ts'

export type ArchivedEvent = Event & { resource_id: string; era: number; xid: string; stored?: string; kept?: true }

export type WrittenFile = { path: string; rows: number; bytes: number; digest: string }

export const fileOf = (folder: string, month: string): string => join(folder, `events-${month}.jsonl.gz`)

/** The text of its data as the database had it. */
export const storedData = ({ data, stored }: Pick<ArchivedEvent, 'data' | 'stored'>): string => stored ?? JSON.stringify(data)

/** Under its name, a file is complete and on the disk. Only its owner may read it. */
export async function writeFile(path: string, events: AsyncIterable<ArchivedEvent>): Promise<WrittenFile> {
  if (existsSync(path))
    throw new StartupError(`The file ${path} already exists: choose another folder, or move the file away. Nothing was changed.`)
  const attempt = `${path}.new`
  const hash = createHash('sha256')
  let rows = 0
  async function* lines(): AsyncIterable<string> {
    for await (const event of events) {
      rows++
      yield `${JSON.stringify(event)}\n`
    }
  }
  try {
    await pipeline(
      Readable.from(lines(), { objectMode: false }),
      createGzip(),
      hashedBy(hash),
      createWriteStream(attempt, { mode: 0o600, flush: true }),
    )
    renameSync(attempt, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(attempt, { force: true })
    throw error
  }
  return { path, rows, bytes: statSync(path).size, digest: hash.digest('hex') }
}

const hashedBy = (hash: ReturnType<typeof createHash>) =>
  new Transform({
    transform(chunk, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

export async function* readFile(path: string): AsyncGenerator<ArchivedEvent> {
  const text = createReadStream(path).pipe(createGunzip())
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) yield JSON.parse(line)
}
