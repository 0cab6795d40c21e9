// Reads files that others put into a folder. A file may be swapped, linked, written to or replaced by a pipe at any moment, so it is opened
// once, and all checks use the open file.
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { FileTooLarge, shownName, UnusableFile, within } from './rails.exchange.ts'

/** The time limit for a file: a working disk needs a fraction of it. */
const read_ms = 10_000

const chunk_bytes = 1024 * 1024

/** Neither follows a link nor waits for the other end of a pipe. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The errors when opening a link or a socket. */
const codesOfOthers: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'ENODEV', 'EOPNOTSUPP'])

/** `name`: for messages. `limit`: in bytes. `names`: how many links the file may have. */
type Wanted = { name: string; limit: number; names: 'one' | 'any' }
type Reading = Wanted & { deadline: AbortSignal; identity: string }

export async function readPlainFile(path: Buffer, wanted: Wanted): Promise<Buffer> {
  const late = new AbortController()
  let identity: string | undefined
  const tooSlow = () => {
    late.abort()
    // If not even this is known, the disk is at fault, not the file.
    if (identity === undefined) return new Error(`${shownName(wanted.name)} could not be examined in time`)
    return new UnusableFile(wanted.name, 'too_slow', identity)
  }
  const read = async () => {
    identity = await identityAt(path)
    return openAndRead(path, { ...wanted, deadline: late.signal, identity })
  }
  return within(read_ms, read(), tooSlow)
}

export async function identityAt(path: Buffer): Promise<string> {
  return identityOf(await lstat(path, { bigint: true }))
}

/** Size and times change while a file is written, so they count only if the file system does not record creation times. */
export function identityOf({ ino, birthtimeNs, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'birthtimeNs' | 'size' | 'mtimeNs'>): string {
  return birthtimeNs > 0n ? `${ino} ${birthtimeNs}` : `${ino} ${size} ${mtimeNs}`
}

async function openAndRead(path: Buffer, reading: Reading): Promise<Buffer> {
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw codesOfOthers.has(error.code) ? new UnusableFile(reading.name, 'not_a_file', reading.identity) : error
  })
  try {
    return await readOpen(file, reading)
  } finally {
    await file.close()
  }
}

async function readOpen(file: FileHandle, { name, limit, names, deadline, identity }: Reading): Promise<Buffer> {
  const before = await file.stat({ bigint: true })
  if (!before.isFile()) throw new UnusableFile(name, 'not_a_file', identity)
  // A program that delivers a file through a link, as we do, has two names for a moment.
  if (names === 'one' && before.nlink > 1n) throw new UnusableFile(name, 'several_names', identity)
  if (before.size > limit) throw new FileTooLarge(name, limit, identity)
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
  if (!isSame) throw new UnusableFile(name, 'being_written', identity)
  return bytes
}
