// An exchange over a folder that both sides can reach: `out/` for outgoing files, `in/` for incoming ones, `taken/` and `failed/` for those
// that were read.
import { hash, randomBytes } from 'node:crypto'
import { type FSWatcher, watch } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { identityAt, readPlainFile } from './rails.exchange.reading.ts'
import {
  awayName,
  bytesOf,
  DifferentFile,
  type FileExchange,
  FileTooLarge,
  nameOf,
  type OutgoingFile,
  UnusableFile,
} from './rails.exchange.ts'

const folders = ['in', 'out', 'taken', 'failed'] as const

/** Readable for the service and the group of the program that picks the files up, regardless of the process's umask. */
const fileMode = 0o640
const folderMode = 0o750

/** Creates missing folders on first use. */
export function folderExchange(root: string): FileExchange {
  let made: Promise<unknown> | undefined
  const ready = async () => {
    made ??= Promise.all(folders.map((folder) => mkdir(join(root, folder), { recursive: true, mode: folderMode })))
    // A folder that cannot be created now is created later.
    await made.catch((error: unknown) => {
      made = undefined
      throw error
    })
  }
  const at = (folder: (typeof folders)[number], name = '') => join(root, folder, name)
  return {
    async send(file) {
      await ready()
      await send(at('out'), file)
    },
    async list() {
      await ready()
      return listFiles(at('in'))
    },
    async read(name, limit) {
      const path = pathOf(at('in'), plainName(name))
      if (!name.isWellFormed()) throw new UnusableFile(name, 'name_not_utf8', await identityAt(path))
      return readPlainFile(path, { name, limit, names: 'one' })
    },
    async putAway(name, where) {
      const from = pathOf(at('in'), plainName(name))
      const place = await takePlace(at(where), name)
      try {
        // Anything but a regular file is renamed like a file: nothing is opened, and no link is followed.
        await rename(from, place.path)
      } catch (error) {
        await giveBack(place)
        if (isMissing(error)) return
        throw error
      }
      await syncFolder(at(where))
    },
    watch(onFile) {
      let watcher: FSWatcher | undefined
      let isOver = false
      const begin = async () => {
        await ready()
        if (isOver) return
        watcher = watch(at('in'), { persistent: false }, () => onFile())
        watcher.on('error', () => watcher?.close())
      }
      // Without watching, the rounds find the file.
      begin().catch(() => {})
      return () => {
        isOver = true
        watcher?.close()
      }
    },
    close: async () => {},
  }
}

/**
 * The bytes are on the disk before the name exists, and the name appears atomically: nobody sees a partial file. Each partial file has a
 * unique name, so that two instances, or a retry after a crash, never write to a delivered file.
 */
async function send(folder: string, { name, bytes, sha256 }: OutgoingFile): Promise<void> {
  const final = join(folder, plainName(name))
  const part = join(folder, `.${name}.${randomBytes(6).toString('hex')}.part`)
  const file = await open(part, 'wx', fileMode)
  try {
    await file.chmod(fileMode)
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(part, final)
  } catch (error) {
    // The name is taken, or another instance has just delivered the file and removed all its partial files.
    if (!isThere(error) && !isMissing(error)) throw error
    if (!(await isSame(final, { name, bytes, sha256 }))) throw new DifferentFile(name)
  } finally {
    await removeParts(folder, name)
  }
  await syncFolder(folder)
}

/** Including those of a crash. An instance that is writing one at the same time finds the name taken, and compares. */
async function removeParts(folder: string, name: string): Promise<void> {
  const left = (await readdir(folder)).filter((entry) => entry.startsWith(`.${name}.`) && entry.endsWith('.part'))
  for (const entry of left) await unlink(join(folder, entry)).catch(ignoreMissing)
}

/** Anything else with this name, such as a link or a pipe, is another file. An earlier, interrupted try may have left a second name. */
async function isSame(path: string, { name, bytes, sha256 }: OutgoingFile): Promise<boolean> {
  try {
    return hash('sha256', await readPlainFile(Buffer.from(path), { name, limit: bytes.length, names: 'any' })) === sha256
  } catch (error) {
    if (error instanceof FileTooLarge || error instanceof UnusableFile) return false
    throw error
  }
}

/**
 * Oldest first. Hidden files are unfinished, and folders are not ours. Everything else is listed, so that anything but a regular file is
 * put aside and reported.
 */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
  const names = entries.filter((entry) => !entry.isDirectory() && entry.name[0] !== dot).map((entry) => nameOf(entry.name))
  const times = await Promise.all(
    names.map((name) =>
      lstat(pathOf(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    ),
  )
  const found = names.flatMap((name, index) => (times[index] === undefined ? [] : [{ name, time: times[index] }]))
  return found.sort((one, other) => one.time - other.time || (one.name < other.name ? -1 : 1)).map(({ name }) => name)
}

const dot = '.'.charCodeAt(0)

const pathOf = (folder: string, name: string): Buffer => Buffer.concat([Buffer.from(join(folder, '/')), bytesOf(name)])

type Place = { path: string; ino: bigint }

/**
 * Reserves a name with an empty file that only one process can create: several files may be put away at once, and a rename overwrites its target. A
 * second link would overwrite nothing either, but pipes and other users' files cannot always be linked, and a crash would leave two names.
 */
async function takePlace(folder: string, name: string): Promise<Place> {
  for (let number = 1; ; number++) {
    const path = join(folder, awayName(name, number))
    const file = await open(path, 'wx', fileMode).catch((error: unknown) => {
      if (!isThere(error)) throw error
    })
    if (file === undefined) continue
    try {
      return { path, ino: (await file.stat({ bigint: true })).ino }
    } finally {
      await file.close()
    }
  }
}

/** Removes only the empty file: a rename that was reported as failed may have succeeded. */
async function giveBack({ path, ino }: Place): Promise<void> {
  try {
    if ((await lstat(path, { bigint: true })).ino === ino) await unlink(path)
  } catch (error) {
    ignoreMissing(error)
  }
}

/** A name is durable only once the folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names come from other banks, so they are not trusted. */
export function plainName(name: string): string {
  if (name === '' || name !== basename(name) || name.startsWith('.')) throw new Error(`${JSON.stringify(name)} is not the name of a file`)
  return name
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
const isThere = (error: unknown): boolean => codeOf(error) === 'EEXIST'
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}
