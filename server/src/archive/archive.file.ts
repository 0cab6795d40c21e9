// The file of an archived month: one event per line, as JSON, in the order of the seals, compressed with gzip. An event has the fields that
// were shown, and those for computing its seal: `era`, `xid`, and `stored`, the text of its data in the database, if different. `kept`: the
// database still has the event.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Event } from '../events/events.ts'
import { syncFolder } from '../platform/embedded/embedded.folder.ts'
import { StartupError } from '../platform/startup-error.ts'

export type ArchivedEvent = Event & { resource_id: string; era: number; xid: string; stored?: string; kept?: true }

export type WrittenFile = { path: string; rows: number; bytes: number; digest: string }

export const fileOf = (folder: string, month: string): string => join(folder, `events-${month}.jsonl.gz`)

/** The text of its data in the database. */
export const storedData = ({ data, stored }: Pick<ArchivedEvent, 'data' | 'stored'>): string => stored ?? JSON.stringify(data)

/** Once it has its name, a file is complete and on the disk. Only its owner may read it. */
export async function writeFile(path: string, events: AsyncIterable<ArchivedEvent>): Promise<WrittenFile> {
  if (existsSync(path))
    throw new StartupError(`The file ${path} already exists: choose another folder, or move the file away. Nothing was changed.`)
  const unfinished = `${path}.new`
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
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    )
    renameSync(unfinished, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(unfinished, { force: true })
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

/** `hash`: receives the bytes of the file as they are read. */
export async function* readFile(path: string, hash = createHash('sha256')): AsyncGenerator<ArchivedEvent> {
  const bytes = createReadStream(path)
  // Any error of the file or the disk ends the loop below.
  const text = bytes.pipe(hashedBy(hash)).pipe(createGunzip()).setEncoding('utf8')
  bytes.once('error', (error) => text.destroy(error))
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== '') yield JSON.parse(rest)
}
