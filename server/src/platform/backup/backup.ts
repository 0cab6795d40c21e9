// Backs up the embedded database into one file, also while the service is running and writing.
//   npm run backup -- FILE
//
// It follows PostgreSQL's own procedure: between pg_backup_start and pg_backup_stop the files are copied as they are, even while they
// change; the write-ahead log of that time makes the copy consistent when it is first started. The file also contains the generated
// secrets.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { Client } from 'pg'
import { loadEnvFile, processEnvironment, readSettings } from '../config.ts'
import { syncFolder } from '../embedded/embedded.folder.ts'
import { openOwnedServer } from '../embedded/embedded.owner.ts'
import { type PlatformConfig, platformConfig, platformSettings } from '../platform.settings.ts'
import { barOf, redraw } from '../progress.ts'
import { StartupError, withSentence } from '../startup-error.ts'
import { endOfArchive, headerOf, lastMember, paddingOf } from './backup.tar.ts'

export type Progress = { done: number; of: number }

type Options = {
  dataDir: string
  file: string
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal | undefined
}

/** Writes the backup under a temporary name and renames it, so that a file under its final name is always complete. */
export async function backUp({ dataDir, file, onProgress = () => {}, signal }: Options): Promise<void> {
  requireNewFile(file, dataDir)
  const server = await openOwnedServer(dataDir)
  // A unique name: of two backups into the same file, neither may rename what the other has not finished.
  const attempt = `${file}.${randomUUID()}.new`
  try {
    const client = await connect(server.urlOf('postgres'))
    try {
      await pipeline(
        Readable.from(archiveOf({ client, dataDir, onProgress }), { objectMode: false }),
        // The file's own checksum: a file that was altered cannot be decompressed.
        createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
        // The backup contains everything, including the keys, so only its owner may read it.
        createWriteStream(attempt, { flags: 'wx', mode: 0o600, flush: true }),
        { signal },
      )
    } finally {
      await client.end().catch(() => {})
    }
    renameSync(attempt, file)
    syncFolder(dirname(file))
  } catch (error) {
    rmSync(attempt, { force: true })
    if (signal?.aborted) throw new StartupError('The backup was interrupted, and nothing was written.')
    if (error instanceof StartupError) throw error
    throw new StartupError(`The backup failed, and nothing was written: ${(error as Error).message}.`)
  } finally {
    await server.close()
  }
}

function requireNewFile(file: string, dataDir: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new StartupError(`The folder ${folder} does not exist: create it first.`)
  if (existsSync(file)) throw new StartupError(`The file ${file} already exists: choose another name.`)
  // The file would also be part of the next backup. The database itself may be elsewhere, behind a link.
  const backedUp = [dataDir, join(dataDir, 'postgres')].filter((path) => existsSync(path))
  if (backedUp.some((path) => isWithin(realpathSync(path), realpathSync(folder)))) {
    throw new StartupError(`The file ${file} would be in the folder that is backed up: choose a file outside ${dataDir}.`)
  }
}

function isWithin(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep)
  return first !== '..'
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: 'vostro backup', connectionTimeoutMillis: 10_000 })
  // The next statement reports a broken connection. Without a listener, the event would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

type Source = { client: Client; dataDir: string; onProgress: (progress: Progress) => void }

/** The bytes of the archive. If the connection breaks, PostgreSQL ends the backup on its own and pg_backup_stop fails. */
async function* archiveOf({ client, dataDir, onProgress }: Source): AsyncIterable<Buffer> {
  const cluster = realpathSync(join(dataDir, 'postgres'))
  const hash = createHash('sha256')
  const count = (bytes: Buffer): Buffer => {
    hash.update(bytes)
    return bytes
  }
  const first = await startBackup(client)
  const { folders, files } = listCluster(cluster)
  const secrets = listSecrets(dataDir)
  const sizes = [...secrets, ...files].map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  const of = sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  for (const name of folders) yield count(headerOf({ name: `postgres/${name}`, type: 'folder', size: 0 }))
  for (const { name, path } of [...secrets, ...files]) {
    for await (const bytes of fileBytes(name, path)) {
      done += bytes.length
      onProgress({ done: Math.min(done, of), of })
      yield count(bytes)
    }
  }
  const { label, last } = await stopBackup(client)
  for (const bytes of textBytes('postgres/backup_label', label)) yield count(bytes)
  for (const { name, path } of listLog(cluster, first, last)) for await (const bytes of fileBytes(name, path)) yield count(bytes)
  const [postgres] = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').split('\n')
  const description = { format: 1, postgres, created_at: new Date().toISOString(), sha256: hash.digest('hex') }
  for (const bytes of textBytes(lastMember, `${JSON.stringify(description, null, 2)}\n`)) yield bytes
  yield endOfArchive
  onProgress({ done: of, of })
}

/** Returns the name of the first file of the write-ahead log that the backup needs. */
async function startBackup(client: Client): Promise<string> {
  // The slot retains the log that is written during the backup. It disappears with the connection.
  await client.query(`select pg_create_physical_replication_slot('vostro_backup_' || pg_backend_pid(), true, true)`)
  const { rows } = await client.query(`select pg_walfile_name(pg_backup_start('vostro', fast => true)) as file`)
  return rows[0].file
}

async function stopBackup(client: Client): Promise<{ label: string; last: string }> {
  const { rows } = await client.query(
    `select labelfile as label, spcmapfile as spaces, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`,
  )
  const { label, spaces, last } = rows[0]
  if (spaces !== '') throw new StartupError('The database has tablespaces outside of its folder, which this backup would not contain.')
  return { label, last }
}

type Listed = { name: string; path: string }

/** Files, and the contents of folders, that PostgreSQL recreates or must not find in a copy. */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles)$|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init(\.\d+)?)(\/|$)/
const emptied = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//

function listCluster(cluster: string): { folders: string[]; files: Listed[] } {
  const entries = readdirSync(cluster, { recursive: true, withFileTypes: true })
  const named = entries.map((entry) => ({ entry, name: relative(cluster, join(entry.parentPath, entry.name)) }))
  const wanted = named.filter(({ name }) => !leftOut.test(name) && !emptied.test(name))
  const folders = wanted.filter(({ entry }) => entry.isDirectory()).map(({ name }) => name)
  const control = 'global/pg_control'
  const names = wanted.filter(({ entry, name }) => entry.isFile() && name !== control).map(({ name }) => name)
  return {
    folders: folders.sort(),
    // pg_control comes last, so that it does not refer to a checkpoint that is newer than the other files.
    files: [...names.sort(), control].map((name) => ({ name: `postgres/${name}`, path: join(cluster, name) })),
  }
}

/** The files beside the cluster: passwords, keys and secrets. */
function listSecrets(dataDir: string): Listed[] {
  return readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'postgres.log' && !entry.name.endsWith('.new'))
    .map(({ name }) => ({ name, path: join(dataDir, name) }))
}

/** The files of the write-ahead log from the first to the last one, which have consecutive names. */
function listLog(cluster: string, first: string, last: string): Listed[] {
  const folder = join(cluster, 'pg_wal')
  const names = readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
  names.sort()
  if (names[0] !== first || names.at(-1) !== last) throw new Error('PostgreSQL has removed a part of its log too early')
  return names.map((name) => ({ name: `postgres/pg_wal/${name}`, path: join(folder, name) }))
}

const chunk_bytes = 256 * 1024

/**
 * A missing file was deleted during the backup, and the log repeats that. The log also repeats what was appended to a file or cut off it
 * since.
 */
async function* fileBytes(name: string, path: string): AsyncIterable<Buffer> {
  let handle: FileHandle
  try {
    handle = await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    const { size } = await handle.stat()
    yield headerOf({ name, type: 'file', size })
    for (let left = size; left > 0; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(left, chunk_bytes)))
      const chunk = bytesRead > 0 ? buffer.subarray(0, bytesRead) : Buffer.alloc(Math.min(left, chunk_bytes))
      left -= chunk.length
      yield chunk
    }
    yield paddingOf(size)
  } finally {
    await handle.close()
  }
}

function textBytes(name: string, text: string): Buffer[] {
  const content = Buffer.from(text)
  return [headerOf({ name, type: 'file', size: content.length }), content, paddingOf(content.length)]
}

/** The settings of the embedded database. Any other database has its own backup tools. */
export function embeddedSettings(): PlatformConfig {
  loadEnvFile()
  const config = platformConfig(readSettings(platformSettings, processEnvironment()))
  if (config.databaseUrl === undefined) return config
  throw new StartupError(
    'DATABASE_URL is set, but this command works only on the embedded database: use pg_dump or pg_basebackup, see "Backups" in docs/running.md.',
  )
}

/** Shows progress as a bar on a terminal, otherwise as a line for every tenth. */
export function progressOf(what: string): (progress: Progress) => void {
  let shown = -1
  return ({ done, of }) => {
    const tenth = of === 0 ? 10 : Math.floor((10 * done) / of)
    if (process.stderr.isTTY) redraw(`${barOf({ done, of: Math.max(of, 1) })} ${what}${tenth === 10 ? '\n' : ''}`)
    else if (tenth > shown) process.stderr.write(`${what}: ${tenth * 10} %\n`)
    shown = tenth
  }
}

/** Runs a command that stops when it is interrupted. */
export async function runCommand(main: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  await withSentence(() => main(stop.signal))
}

if (import.meta.main) {
  await runCommand(async (signal) => {
    const { dataDir } = embeddedSettings()
    const [file, ...more] = process.argv.slice(2)
    if (file === undefined || file.startsWith('-') || more.length > 0)
      throw new StartupError('Name the file to write: npm run backup -- FILE')
    await backUp({ dataDir, file, onProgress: progressOf('backing up'), signal })
    const { size } = lstatSync(file)
    console.log(
      `The backup is ${basename(file)}, ${(size / 1024 ** 2).toFixed(1)} MB. It contains the keys of the service: keep it secret.`,
    )
  })
}
