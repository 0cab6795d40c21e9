// An exchange over a folder that both sides can reach: `out/` for what leaves the bank, `in/` for what arrives, `taken/` and `failed/` for what was read.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, type FSWatcher, watch } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DifferentFile, type FileExchange, FileTooLarge, type OutgoingFile } from './rails.exchange.ts'

const folders = ['in', 'out', 'taken', 'failed'] as const

/** Makes the folders if they are missing, when they are used first. */
export function folderExchange(root: string): FileExchange {
  let made: Promise<unknown> | undefined
  const ready = async () => {
    made ??= Promise.all(folders.map((folder) => mkdir(join(root, folder), { recursive: true })))
    // A folder that could not be made now is made later.
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
      const path = at('in', plainName(name))
      if ((await stat(path)).size > limit) throw new FileTooLarge(name, limit)
      return readFile(path)
    },
    async putAway(name, where) {
      try {
        await rename(at('in', plainName(name)), await freeName(at(where), plainName(name)))
        await syncFolder(at(where))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
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
      // Without it, the rounds find the file.
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
 * The bytes are on the disk before the name exists, and the name appears at once: nobody sees a part of a file. The part has a name of its own, so
 * that two instances, or a crash and its repetition, never write to a file that has been handed over.
 */
async function send(folder: string, { name, bytes, sha256 }: OutgoingFile): Promise<void> {
  const final = join(folder, plainName(name))
  const part = join(folder, `.${name}.${randomBytes(6).toString('hex')}.part`)
  const file = await open(part, 'wx', 0o644)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(part, final)
  } catch (error) {
    // The name is taken, or another instance has just delivered the file and removed all parts of it.
    if (!isThere(error) && !isMissing(error)) throw error
    if ((await hashOf(final)) !== sha256) throw new DifferentFile(name)
  } finally {
    await removeParts(folder, name)
  }
  await syncFolder(folder)
}

/** Also those that a crash has left. Whoever writes one at the same time finds the name taken, and compares. */
async function removeParts(folder: string, name: string): Promise<void> {
  const left = (await readdir(folder)).filter((entry) => entry.startsWith(`.${name}.`) && entry.endsWith('.part'))
  for (const entry of left) await unlink(join(folder, entry)).catch(ignoreMissing)
}

function hashOf(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const digest = createHash('sha256')
    createReadStream(path)
      .on('error', reject)
      .on('data', (bytes) => digest.update(bytes))
      .on('end', () => resolve(digest.digest('hex')))
  })
}

/** Oldest first. Hidden files are not finished. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    ),
  )
  const found = names.flatMap((name, index) => (times[index] === undefined ? [] : [{ name, time: times[index] }]))
  return found.sort((one, other) => one.time - other.time || (one.name < other.name ? -1 : 1)).map(({ name }) => name)
}

/** A name that is taken gets a number: nothing that was read is overwritten. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}.${number}`
  return join(folder, free)
}

/** A name is in the folder only once the folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names come from other banks. */
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
