// Data folders for services and databases under test.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. If the test runs as root, PostgreSQL runs as another user, who must be able to enter it. */
export function makeDataFolder(name: string, parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, `vostro-${name}-`)))
  chmodSync(folder, 0o755)
  return folder
}

/** The files in this folder are in memory, on Linux. */
const memory = '/dev/shm'
/** Process ids mean nothing in another namespace, which may share the memory. */
const namespace = '/proc/self/ns/pid'
const gigabyte = 2 ** 30

/**
 * A folder in memory, if there is plenty of it, for data that need not survive: creating and deleting a database for each test file takes a
 * tenth of the processors on a disk. Folders that killed processes have left behind are removed, because they would occupy memory forever.
 */
export function makeFolderInMemory(name: string): string {
  if (!existsSync(memory) || !existsSync(namespace)) return makeDataFolder(name)
  const here = `in-${readlinkSync(namespace).replace(/\D/g, '')}-of`
  for (const folder of readdirSync(memory)) {
    const [, pid] = new RegExp(`^vostro-.*-${here}-(\\d+)-`).exec(folder) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeIfPossible(join(memory, folder))
  }
  const { bavail, bsize } = statfsSync(memory)
  const isPlenty = bavail * bsize > 4 * gigabyte && process.availableMemory() > 8 * gigabyte
  return isPlenty ? makeDataFolder(`${name}-${here}-${process.pid}`, memory) : makeDataFolder(name)
}

/** The folder may belong to another user, or may still be in use for a moment. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The next run tries again.
  }
}
