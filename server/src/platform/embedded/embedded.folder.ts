// The contents of the data folder: the passwords, and the PostgreSQL cluster or a link to it. Every step leaves the folder usable if the
// process is killed halfway through.
import { execFile, execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartupError } from '../startup-error.ts'
import { type Account, canEnter, runOptions, sharedFolder } from './embedded.account.ts'

export type Passwords = { readonly owner: string; readonly service: string }

/** Creates the folder if needed, and returns its real path. */
export function openDataFolder(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(dataDir)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EACCES: 'is not writable by the user that runs Vostro',
      EPERM: 'is not writable by the user that runs Vostro',
      EROFS: 'is on a read-only file system',
      ENOENT: 'cannot be created, because the folder above it is not writable',
      EEXIST: 'is a file, not a folder',
      ENOTDIR: 'lies below a file, not a folder',
      ENOSPC: 'cannot be created, because the disk is full',
    }
    throw new StartupError(
      `The data folder ${resolve(dataDir)} ${reasons[code] ?? `cannot be used (${message})`}: set DATA_DIR to a folder that can be used.`,
    )
  }
}

/** The passwords are written before the cluster that uses them, so a cluster never exists without them. */
export function keepPasswords(dataDir: string): Passwords {
  const path = join(dataDir, 'postgres.json')
  if (!existsSync(path)) {
    if (lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })) {
      throw new StartupError(`The file ${path}, which contains the passwords of the database, is missing: restore it from a backup.`)
    }
    const password = () => randomBytes(32).toString('base64url')
    writeDurably(path, `${JSON.stringify({ owner: password(), service: password() }, null, 2)}\n`)
  }
  try {
    const { owner, service } = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof owner === 'string' && typeof service === 'string') return { owner, service }
  } catch {
    // Reported below, together with a file that has other content.
  }
  throw new StartupError(`The file ${path}, which contains the passwords of the database, cannot be read: restore it from a backup.`)
}

/** Finds or creates the cluster of the data folder, and returns its real path. */
export async function keepCluster(options: {
  dataDir: string
  account: Account
  binaries: string
  major: string
  ownerPassword: string
  fsync: boolean
  onLog: (line: string) => void
}): Promise<string> {
  const { dataDir, account, major } = options
  const { place, reachable, attemptPrefix } = placesOf(dataDir, account)
  await removeAttempts(attemptPrefix)

  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found) {
    if (!existsSync(place))
      throw new StartupError(
        `${place} is a link to a folder that does not exist: restore the folder, or delete the link to start with an empty database.`,
      )
    const user = `The user ${'uid' in account ? account.uid : ''}, who runs PostgreSQL,`
    if (!reachable && !found.isSymbolicLink()) {
      throw new StartupError(`${user} cannot enter the folder of the database ${place}: start Vostro as the owner of that folder.`)
    }
    const cluster = clusterIn(dataDir)
    if (cluster !== undefined) {
      checkVersion(place, major)
      return cluster
    }
  }
  return putCluster(options, (attempt) => initialise(attempt, options))
}

type Places = { place: string; reachable: boolean; elsewhere: string | undefined; attemptPrefix: string }

/** Where the cluster is, or the link to it if the user who runs PostgreSQL cannot enter the data folder. */
function placesOf(dataDir: string, account: Account): Places {
  const place = join(dataDir, 'postgres')
  const reachable = canEnter(account, dataDir)
  const elsewhere = reachable ? undefined : join(sharedFolder(), `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  return { place, reachable, elsewhere, attemptPrefix: `${elsewhere ?? place}.new-` }
}

/** The real path of the cluster in the data folder; undefined if there is none, or only an empty folder for it. */
export function clusterIn(dataDir: string): string | undefined {
  const place = join(dataDir, 'postgres')
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (!found || (found.isDirectory() && readdirSync(place).length === 0)) return undefined
  return existsSync(place) ? realpathSync(place) : place
}

/** This file exists from when a restore begins to replace the contents of the folder until it is done. */
export function unfinishedRestore(dataDir: string): string {
  return join(dataDir, 'restore-unfinished')
}

/** After an interrupted restore, part of the database may be missing, and a start must not mistake the rest for a new folder. */
export function requireFinishedRestore(dataDir: string): void {
  if (!existsSync(unfinishedRestore(dataDir))) return
  throw new StartupError(`A restore into ${dataDir} was interrupted: run "npm run restore" again, with --replace if it asks for that.`)
}

type PutOptions = { dataDir: string; account: Account; onLog: (line: string) => void }

/**
 * `fill` fills the folder `data` of a temporary folder, which then becomes the cluster, so a cluster under its final name is always
 * complete.
 */
export async function putCluster({ dataDir, account, onLog }: PutOptions, fill: (attempt: string) => Promise<void>): Promise<string> {
  const { place, elsewhere, attemptPrefix } = placesOf(dataDir, account)
  await removeAttempts(attemptPrefix)
  const cluster = elsewhere === undefined ? place : `${elsewhere}-${randomBytes(4).toString('hex')}`
  const attempt = mkdtempSync(attemptPrefix)
  try {
    await fill(attempt)
    renameSync(join(attempt, 'data'), cluster)
    syncFolder(dirname(cluster))
  } finally {
    rmSync(attempt, { recursive: true, force: true })
  }
  if (elsewhere === undefined) return place
  symlinkSync(cluster, place)
  syncFolder(dataDir)
  onLog(`The user who runs PostgreSQL cannot enter ${dataDir}, so the database lives in ${cluster} and ${place} is a link to it.`)
  return cluster
}

/** Makes the user who runs PostgreSQL the owner of a cluster that was restored from a backup or created by another user. */
export function giveTo(account: Account, cluster: string): void {
  if ('uid' in account && statSync(cluster).uid !== account.uid) {
    execFileSync('chown', ['-hR', `${account.uid}:${account.gid}`, cluster], { stdio: 'pipe' })
  }
}

/** Said of a server that ended without a message. */
export const printedNothing = 'it printed nothing'

/** The most informative line of a failed program's output: the first error, or else the last line. */
export function tellingLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  // PostgreSQL also reports every client that it rejects or loses, which explains nothing.
  const ofClients = /terminating connection|the database system is/
  const line = lines.find((each) => /\b(FATAL|PANIC|ERROR|error):/.test(each) && !ofClients.test(each)) ?? lines.at(-1) ?? printedNothing
  return line.replace(/^.* UTC \[\d+\] /, '').replace(/\.$/, '')
}

function checkVersion(cluster: string, major: string): void {
  let version: string
  try {
    version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new StartupError(`The database in ${cluster} belongs to another user: start Vostro as that user.`)
    throw new StartupError(`The folder ${cluster} is not empty and contains no PostgreSQL database: set DATA_DIR to another folder.`)
  }
  if (version !== major)
    throw new StartupError(
      `The database in ${cluster} is of PostgreSQL ${version}, but this Vostro embeds PostgreSQL ${major}: upgrade it with pg_upgrade, or use the Vostro that created it.`,
    )
}

async function initialise(
  attempt: string,
  options: { dataDir: string; account: Account; binaries: string; ownerPassword: string; fsync: boolean },
): Promise<void> {
  const { account } = options
  const passwordFile = join(attempt, 'password')
  writeFileSync(passwordFile, options.ownerPassword, { mode: 0o600 })
  if ('uid' in account) for (const path of [passwordFile, attempt]) chownSync(path, account.uid, account.gid)
  const initdb = promisify(execFile)(
    join(options.binaries, 'initdb'),
    [
      `--pgdata=${join(attempt, 'data')}`,
      '--username=vostro_owner',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // macOS has no C.UTF-8. The sort order is the same anyway, because it is built in everywhere.
      `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`,
      ...(options.fsync ? [] : ['--no-sync']),
    ],
    runOptions(account),
  )
  await initdb.catch((error: Error & { stdout: string; stderr: string }) => {
    throw new StartupError(
      `The database could not be created in ${options.dataDir}: ${tellingLine(error.stderr || error.stdout || error.message)}.`,
    )
  })
}

/** The folder is locked, so anything with such a name was left behind by a killed process. */
async function removeAttempts(prefix: string): Promise<void> {
  const left = () => readdirSync(dirname(prefix)).filter((name) => name.startsWith(basename(prefix)))
  // The killed process's initdb may keep running and add files until it notices that its folder is gone.
  for (let tries = 0; tries < 40 && left().length > 0; tries++) {
    if (tries > 0) await sleep(50)
    for (const name of left()) await rm(join(dirname(prefix), name), { recursive: true, force: true }).catch(() => {})
  }
}

function writeDurably(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  syncFolder(dirname(path))
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
