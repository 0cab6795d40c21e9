// How a file that somebody else has put into a folder is read. It may be swapped, linked, written to or replaced by a pipe at any moment, so it is opened
// once, and whatever is asked is asked of the open file.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { FileTooLarge, UnusableFile, within } from './rails.exchange.ts'

/** How long a file may take: a disk that answers needs a fraction of it. */
const read_ms = 10_000

const chunk_bytes = 1024 * 1024

/** Neither follows a link nor waits for whoever is at the other end of a pipe. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What opening a link or a socket answers. */
const codesOfOthers: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'ENODEV', 'EOPNOTSUPP'])

/** `name`: for messages. `limit`: in bytes. `names`: how many the file may have. */
type Wanted = { name: string; limit: number; names: 'one' | 'any' }
type Reading = Wanted & { deadline: AbortSignal }

export async function readPlainFile(path: Buffer, wanted: Wanted): Promise<Buffer> {
  const late = new AbortController()
  const tooSlow = () => {
    late.abort()
    return new UnusableFile(wanted.name, 'too_slow')
  }
  return within(read_ms, openAndRead(path, { ...wanted, deadline: late.signal }), tooSlow)
}

async function openAndRead(path: Buffer, reading: Reading): Promise<Buffer> {
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw codesOfOthers.has(error.code) ? new UnusableFile(reading.name, 'not_a_file') : error
  })
  try {
    return await readOpen(file, reading)
  } finally {
    await file.close()
  }
}

async function readOpen(file: FileHandle, { name, limit, names, deadline }: Reading): Promise<Buffer> {
  const before = await file.stat({ bigint: true })
  if (!before.isFile()) throw new UnusableFile(name, 'not_a_file')
  // Whoever hands a file over by a link, as we do, has two names for a moment.
  if (names === 'one' && before.nlink > 1n) throw new UnusableFile(name, 'several_names')
  if (before.size > limit) throw new FileTooLarge(name, limit)
  const bytes = Buffer.alloc(Number(before.size))
  let at = 0
  while (at < bytes.length) {
    deadline.throwIfAborted()
    const { bytesRead } = await file.read(bytes, at, Math.min(chunk_bytes, bytes.length - at), at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  const after = await file.stat({ bigint: true })
  const isSame = at === bytes.length && after.size === before.size && after.mtimeNs === before.mtimeNs
  if (!isSame) throw new UnusableFile(name, 'being_written')
  return bytes
}
