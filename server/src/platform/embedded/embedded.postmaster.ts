// Starts, adopts and stops a postmaster, the parent process of a PostgreSQL server.
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartupError } from '../startup-error.ts'
import { type Account, runOptions } from './embedded.account.ts'
import { giveTo, printedNothing, tellingLine } from './embedded.folder.ts'

export type Launch = {
  readonly binaries: string
  readonly cluster: string
  readonly account: Account
  readonly logFile: string
  readonly ownerPassword: string
  readonly settings: readonly string[]
}

export type Postmaster = { readonly pid: number; readonly port: number }

/** A server that we have started: its output begins at `logOffset` of the log file. */
export type OwnPostmaster = Postmaster & { readonly logOffset: number }

export function serverSettings(options: { fsync: boolean; statStatements: boolean }): string[] {
  const durable = options.fsync ? 'on' : 'off'
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `fsync=${durable}`,
    `synchronous_commit=${durable}`,
    `full_page_writes=${durable}`,
    'max_connections=100',
    // Small enough to run beside other programs on a small machine. Everything else stays in the operating system's cache.
    `shared_buffers=${totalmem() < 2 * 1024 ** 3 ? 128 : 256}MB`,
    // After each checkpoint, whole pages go to the log. Compression reduces them to a fraction.
    'wal_compression=on',
    // Limits the replay after a crash to about two seconds, at the cost of more frequent checkpoints, which need no warning.
    'max_wal_size=256MB',
    'checkpoint_warning=0',
    // Until a new table has been analysed, PostgreSQL may search all rows of a venture for one row, which is ten times slower.
    'autovacuum_naptime=5s',
    // The log file is for finding out what went wrong, so routine checkpoints are left out.
    'log_checkpoints=off',
    'log_min_messages=warning',
    'log_timezone=UTC',
    'timezone=UTC',
    ...(options.statStatements ? ['shared_preload_libraries=pg_stat_statements'] : []),
  ]
}

export function serverUrl(port: number, role: string, password: string, database: string): string {
  // The connection never leaves the machine; the explicit mode overrides a PGSSLMODE in the environment.
  return `postgres://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`
}

/** Runs `use` with a connection of the owner. */
export function asOwner<T>(launch: Launch, port: number, use: (client: Client) => Promise<T>): Promise<T> {
  return withClient(serverUrl(port, 'vostro_owner', launch.ownerPassword, 'postgres'), 5_000, use)
}

/** Runs `use` with a new connection. */
export async function withClient<T>(connectionString: string, timeout_ms: number, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: timeout_ms })
  // A lost connection also rejects the pending query. Without a listener, it would end the process as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The server that a killed Vostro left running on this cluster, if it matches the one that we would start. */
export async function adoptPostmaster(launch: Launch): Promise<Postmaster | undefined> {
  const left = runningPostmaster(launch.cluster)
  if (!left) return undefined
  if (commandLine(left.pid) === [join(launch.binaries, 'postgres'), ...postgresArguments(launch, left.port)].join(' ')) {
    if (await untilReady(launch, left)) return left
  } else {
    // A server of another version, or with other settings, is stopped to make room for the one that is needed.
    await stopPostmaster(left)
  }
  return undefined
}

/** The server that is running on this cluster. */
export function runningPostmaster(cluster: string): Postmaster | undefined {
  const found = readPidFile(cluster)
  // The process id may belong to another program by now, if the machine crashed without deleting the file.
  return found && commandLine(found.pid).includes(` -D ${cluster} `) ? found : undefined
}

/** What the failures say that are worth another try. */
const temporary = ['TCP/IP sockets', 'shared memory block', printedNothing]

/** Starts a server on a free port. */
export async function startPostmaster(launch: Launch): Promise<Postmaster> {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      const postmaster = spawnPostmaster(launch, await freePort({ from: 20_000, below: 30_000 }))
      await untilServing(launch, postmaster)
      return postmaster
    } catch (error) {
      // All of these failures are temporary: another program has taken the port, remains of a killed postmaster still hold its memory, or
      // something else killed the server without a message, such as a system that is short of memory.
      const passing = error instanceof StartupError && temporary.some((text) => error.message.includes(text))
      if (!passing || Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

/** Starts the process and returns immediately; `untilServing` reports the result. */
export function spawnPostmaster(launch: Launch, port: number): OwnPostmaster {
  giveTo(launch.account, launch.cluster)
  const stale = readPidFile(launch.cluster)
  // An interrupted start leaves an empty file, with which PostgreSQL would refuse to start.
  if (!stale) rmSync(pidFile(launch.cluster), { force: true })
  const log = openSync(launch.logFile, 'a', 0o600)
  if (statSync(launch.logFile).size > 10 * 1024 * 1024) truncateSync(launch.logFile)
  const logOffset = statSync(launch.logFile).size
  const options = runOptions(launch.account)
  const child = spawn(join(launch.binaries, 'postgres'), postgresArguments(launch, port), {
    ...options,
    // PostgreSQL does not start while the process in an old pid file is alive. We know that this process is now another program, and this
    // variable says so. (Deleting the file instead would also disable the check for backends that are still writing.)
    env: { ...options.env, PG_GRANDPARENT_PID: String(stale?.pid ?? 0) },
    // A separate session, so that Ctrl-C in the terminal only stops the service, which then stops the server cleanly.
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.once('error', () => {})
  child.unref()
  if (child.pid === undefined)
    throw new StartupError(`PostgreSQL could not be started: ${join(launch.binaries, 'postgres')} cannot be executed.`)
  return { pid: child.pid, port, logOffset }
}

/** Resolves when a spawned server accepts connections. If it ends before that, rejects with the server's own message. */
export async function untilServing(launch: Launch, postmaster: OwnPostmaster): Promise<void> {
  const ready = await untilReady(launch, postmaster).catch(async (error: unknown) => {
    await stopPostmaster(postmaster)
    throw error
  })
  if (ready) return
  const said = readFileSync(launch.logFile).subarray(postmaster.logOffset).toString()
  throw new StartupError(`PostgreSQL did not start: ${tellingLine(said)}.`)
}

/** A clean stop: ends open transactions, writes a checkpoint, and waits for the process to exit. */
export async function stopPostmaster({ pid }: Postmaster): Promise<void> {
  try {
    if (isAlive(pid)) process.kill(pid, 'SIGINT')
  } catch {
    // It exited on its own in the meantime.
  }
  // A hanging server must not keep the service from exiting. It is stopped without cleaning up, and the next start recovers.
  for (let waited_ms = 0; isAlive(pid) && waited_ms < 15_000; waited_ms += 20) {
    if (waited_ms === 10_000) process.kill(pid, 'SIGQUIT')
    await sleep(20)
  }
}

export function isAlive(pid: number): boolean {
  // On Linux a zombie process is dead although it still accepts signals. (It has no command line, but neither does a process that is just
  // starting.)
  if (process.platform === 'linux') return !['', 'Z', 'X'].includes(stateOf(pid))
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Waits until a connection works (true) or the process is gone (false). */
async function untilReady(launch: Launch, { pid, port }: Postmaster): Promise<boolean> {
  let failures = 0
  while (isAlive(pid)) {
    // Replaying the log after a crash may take long. The file shows when it is done, without failed logins in the log.
    const now = readPidFile(launch.cluster)
    if (now?.pid === pid && now.ready) {
      try {
        await asOwner(launch, port, async () => {})
        return true
      } catch (error) {
        const { code, message } = error as Error & { code?: string }
        if (code === '28P01')
          throw new StartupError(
            `The database in ${launch.cluster} does not accept the password in postgres.json of the data folder: restore that file from a backup.`,
          )
        if (++failures > 200) throw new StartupError(`PostgreSQL is running on port ${port}, but does not accept connections: ${message}.`)
      }
    }
    await sleep(25)
  }
  return false
}

function postgresArguments(launch: Launch, port: number): string[] {
  return ['-D', launch.cluster, '-p', String(port), ...launch.settings.flatMap((setting) => ['-c', setting])]
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

function readPidFile(cluster: string): (Postmaster & { readonly ready: boolean }) | undefined {
  try {
    const [pid = '', , , port, , , , status] = readFileSync(pidFile(cluster), 'utf8').split('\n')
    return pid === '' ? undefined : { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The letter that Linux uses for the state of a process; empty if there is no such process. */
function stateOf(pid: number): string {
  try {
    // The state follows the name of the program, which is in brackets and can contain anything.
    return /\) (\S)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/** The command line of a process with single spaces, or undefined if there is no such process. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd()
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trimEnd()
  } catch {
    return ''
  }
}

/** Below the port range of outgoing connections, because a server that restarts must find its port free. */
export async function freePort({ from, below }: { from: number; below: number }): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(from, below)
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false))
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
  throw new StartupError(`PostgreSQL found no free port on 127.0.0.1 from ${from} to ${below - 1}.`)
}
