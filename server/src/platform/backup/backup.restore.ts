// Restores the embedded database from a file that `npm run backup` wrote. The command `npm run restore` is in restore.ts at the top of the
// source.
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { chooseAccount } from '../embedded/embedded.account.ts'
import { installedPackage } from '../embedded/embedded.binaries.ts'
import { clusterIn, openDataFolder, putCluster, syncFolder, unfinishedRestore } from '../embedded/embedded.folder.ts'
import { lockFolder } from '../embedded/embedded.lock.ts'
import { runningPostmaster, stopPostmaster } from '../embedded/embedded.postmaster.ts'
import { StartupError } from '../startup-error.ts'
import { BadArchive, lastMember, type Member, readTar } from './backup.tar.ts'
import type { Progress } from './backup.ts'

type Options = {
  dataDir: string
  file: string
  /** Whether an existing database is moved aside. */
  replace: boolean
  onLog?: (line: string) => void
  onProgress?: (progress: Progress) => void
}

/**
 * Unpacks and checks everything before anything in the data folder changes. Returns where the replaced database is now, if there was one.
 */
export async function restore({ dataDir, file, replace, onLog = () => {}, onProgress = () => {} }: Options): Promise<string | undefined> {
  if (!existsSync(file)) throw new StartupError(`There is no file ${file}: give a file that "npm run backup" wrote.`)
  const folder = openDataFolder(dataDir)
  const lock = await lockFolder(folder)
  try {
    const replaced = clusterIn(folder)
    if (replaced !== undefined && !replace) {
      throw new StartupError(`There is already a database in ${folder}: set DATA_DIR to another folder, or add --replace to move it aside.`)
    }
    let aside: string | undefined
    await putCluster({ dataDir: folder, account: chooseAccount(), onLog }, async (attempt) => {
      await unpack({ file, attempt, onProgress })
      requireSameVersion(file, join(attempt, 'data'))
      // From here on, a start after a crash would find no database and create an empty one.
      writeFileSync(unfinishedRestore(folder), '', { flush: true })
      syncFolder(folder)
      if (replaced !== undefined) {
        const running = runningPostmaster(replaced)
        if (running !== undefined) await stopPostmaster(running)
        aside = moveAside(folder)
      }
      for (const name of readdirSync(join(attempt, 'files'))) renameSync(join(attempt, 'files', name), join(folder, name))
      syncFolder(folder)
    })
    rmSync(unfinishedRestore(folder))
    syncFolder(folder)
    return aside
  } catch (error) {
    // Any of the steps above can fail because of a full disk or a wrong permission, which the operator can fix.
    if (error instanceof Error && 'syscall' in error) throw new StartupError(`The restore failed: ${error.message}.`)
    throw error
  } finally {
    await lock.release()
  }
}

/** Errors of the disk or its limits, which say nothing about the archive. */
const diskErrors: ReadonlySet<string> = new Set(['EACCES', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOSPC', 'EPERM', 'EROFS'])

/** Cluster files go to the folder `data`, secrets to the folder `files` beside it. */
async function unpack({ file, attempt, onProgress }: { file: string; attempt: string; onProgress: (progress: Progress) => void }) {
  for (const name of ['data', 'files']) mkdirSync(join(attempt, name), { mode: 0o700 })
  const of = statSync(file).size
  let done = 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      done += chunk.length
      onProgress({ done, of })
      pass(null, chunk)
    },
  })
  const input = createReadStream(file)
  const plain = input.pipe(counting).pipe(createZstdDecompress())
  input.on('error', (error) => plain.destroy(error))
  try {
    let complete = false
    for await (const member of readTar(plain)) {
      if (complete) throw new BadArchive('contains more data after its end')
      if (member.name === lastMember) complete = await checkDigest(member)
      else await unpackMember(attempt, member)
    }
    if (!complete) throw new BadArchive('is not complete')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (error instanceof BadArchive) throw new StartupError(`The file ${file} ${message}: nothing was restored.`)
    if (diskErrors.has(code)) throw new StartupError(`The file ${file} could not be restored: ${message}.`)
    // An error of the decompressor, or of what it made of damaged bytes: a duplicate name, a digest that is not JSON.
    throw new StartupError(`The file ${file} is damaged or not a backup: nothing was restored.`)
  } finally {
    input.destroy()
  }
}

async function unpackMember(attempt: string, { name, type, content }: Member): Promise<void> {
  const [top = '', ...rest] = name.split('/')
  const path = top === 'postgres' ? join(attempt, 'data', ...rest) : join(attempt, 'files', name)
  if (top !== 'postgres' && (rest.length > 0 || type === 'folder'))
    throw new BadArchive(`contains ${name}, which does not belong in a backup`)
  if (type === 'folder') return void mkdirSync(path, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // PostgreSQL flushes the files to disk itself when it first starts on them.
  const handle: FileHandle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) await handle.write(chunk)
  } finally {
    await handle.close()
  }
}

async function checkDigest({ content, digestBefore }: Member): Promise<boolean> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  const { format, sha256 } = JSON.parse(Buffer.concat(chunks).toString())
  if (format !== 1) throw new BadArchive(`is a backup of format ${format}, which this version of Vostro does not know`)
  if (sha256 !== digestBefore) throw new BadArchive('was altered')
  return true
}

function requireSameVersion(file: string, cluster: string): void {
  const [major] = installedPackage().version.split('.')
  const found = existsSync(join(cluster, 'PG_VERSION')) ? readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim() : undefined
  if (found === major) return
  if (found === undefined) throw new StartupError(`The file ${file} contains no database: nothing was restored.`)
  throw new StartupError(
    `The backup ${file} is of PostgreSQL ${found}, but this Vostro embeds PostgreSQL ${major}: restore it with the Vostro that wrote it.`,
  )
}

/** Moves aside everything that belongs together: the cluster, or the link to it, and the secrets. */
function moveAside(folder: string): string {
  const aside = join(folder, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  mkdirSync(aside)
  const entries = readdirSync(folder, { withFileTypes: true })
  const own = entries.filter(
    (entry) => entry.name === 'postgres' || (entry.isFile() && join(folder, entry.name) !== unfinishedRestore(folder)),
  )
  for (const { name } of own) renameSync(join(folder, name), join(aside, name))
  return aside
}
