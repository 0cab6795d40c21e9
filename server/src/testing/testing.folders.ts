// Data folders for services and databases under test.
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. As root, PostgreSQL runs as another user, who must be able to enter it. */
export function makeDataFolder(name: string, parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, `vostro-${name}-`)))
  chmodSync(folder, 0o755)
  return folder
}

/** Linux has a folder there whose files are in memory, and tells about each process in another. */
const [memory, processes] = ['/dev/shm', '/proc/self']
const gigabyte = 2 ** 30

/**
 * The same in memory, if there is plenty of it, for what need not survive anything. Making and deleting the files of one database for each test file takes a tenth of
 * the processors on a disk. What processes that were killed have left there is removed, because it would occupy the memory for ever.
 */
export function makeFolderInMemory(name: string): string {
  if (!existsSync(memory) || !existsSync(processes)) return makeDataFolder(name)
  for (const folder of readdirSync(memory)) {
    const [, pid] = /^vostro-[a-z]+-of-(\d+)-/.exec(folder) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(memory, folder), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(memory)
  const isPlenty = bavail * bsize > 4 * gigabyte && process.availableMemory() > 8 * gigabyte
  return isPlenty ? makeDataFolder(`${name}-of-${process.pid}`, memory) : makeDataFolder(name)
}
