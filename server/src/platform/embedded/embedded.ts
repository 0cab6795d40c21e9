// The embedded PostgreSQL, which starts, runs and stops with the service.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import { chooseAccount, sharedFolder } from './embedded.account.ts'
import { installedPackage, runnableBinaries } from './embedded.binaries.ts'
import { keepCluster, keepPasswords, openDataFolder, requireFinishedRestore } from './embedded.folder.ts'
import { lockFolder } from './embedded.lock.ts'
import {
  adoptPostmaster,
  asOwner,
  isAlive,
  type Launch,
  type Postmaster,
  serverSettings,
  serverUrl,
  spawnPostmaster,
  startPostmaster,
  stopPostmaster,
  untilServing,
} from './embedded.postmaster.ts'

export type EmbeddedPostgres = {
  /** The superuser `vostro_owner` in the database `vostro`. */
  readonly ownerUrl: string
  /** The role `vostro_login` in the same database, which owns nothing and can only log in. */
  readonly serviceUrl: string
  /** Another database of the same server. */
  serverUrl(database: string, role?: 'owner' | 'service'): string
  /** Stops the server cleanly and then releases the data folder. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  readonly dataDir: string
  /** Receives messages for the operator. */
  readonly onLog?: (line: string) => void
  /** False trades durability for speed, in tests. */
  readonly fsync?: boolean
  /** Preloads pg_stat_statements, for measurements. */
  readonly statStatements?: boolean
}

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { onLog = () => {}, fsync = true, statStatements = false } = options
  const dataDir = openDataFolder(options.dataDir)
  const lock = await lockFolder(dataDir)
  try {
    requireFinishedRestore(dataDir)
    const account = chooseAccount()
    const installed = installedPackage()
    const [major = ''] = installed.version.split('.')
    const binaries = runnableBinaries(installed, account, () => ('uid' in account ? sharedFolder() : dataDir))
    const passwords = keepPasswords(dataDir)
    const cluster = await keepCluster({ dataDir, account, binaries, major, ownerPassword: passwords.owner, fsync, onLog })
    const launch: Launch = {
      binaries,
      cluster,
      account,
      logFile: join(dataDir, 'postgres.log'),
      ownerPassword: passwords.owner,
      settings: serverSettings({ fsync, statStatements }),
    }

    const adopted = await adoptPostmaster(launch)
    if (adopted) onLog(`PostgreSQL was still running in ${cluster} and is being reused.`)
    const postmaster = adopted ?? (await startPostmaster(launch))
    try {
      await prepareDatabase(launch, postmaster.port, passwords.service)
    } catch (error) {
      await stopPostmaster(postmaster)
      throw error
    }

    const supervisor = supervise(launch, postmaster, onLog)
    const roles = { owner: 'vostro_owner', service: 'vostro_login' }
    const url = (database: string, role: 'owner' | 'service' = 'owner') =>
      serverUrl(postmaster.port, roles[role], passwords[role], database)
    let stopped: Promise<void> | undefined
    return {
      ownerUrl: url('vostro', 'owner'),
      serviceUrl: url('vostro', 'service'),
      serverUrl: url,
      stop() {
        stopped ??= supervisor.stop().then(lock.release)
        return stopped
      },
    }
  } catch (error) {
    await lock.release()
    // Any of the steps above can fail because of a full disk or a wrong permission, which the operator can fix.
    if (error instanceof Error && 'syscall' in error) throw new StartupError(`The embedded PostgreSQL could not start: ${error.message}.`)
    throw error
  }
}

/** Each step first checks whether it has been done, because an earlier start may have been killed between steps. */
async function prepareDatabase(launch: Launch, port: number, servicePassword: string): Promise<void> {
  await asOwner(launch, port, async (client) => {
    const { rows } = await client.query(
      `select exists (select from pg_roles where rolname = 'vostro_login') as role,
              exists (select from pg_database where datname = 'vostro') as database`,
    )
    // The password consists of letters, digits, - and _, so it needs no quoting.
    if (!rows[0].role)
      await client.query(`create role vostro_login login nosuperuser nocreatedb nocreaterole password '${servicePassword}'`)
    if (!rows[0].database) await client.query('create database vostro')
  })
}

/** Restarts the server whenever it dies, on the same port, so that the service's connection pools find it again. */
function supervise(launch: Launch, first: Postmaster, onLog: (line: string) => void): { stop(): Promise<void> } {
  let current = first
  let stopping = false
  let restarting: Promise<void> | undefined

  async function restart(): Promise<void> {
    onLog('PostgreSQL has died and is being restarted.')
    let lastMessage = ''
    while (!stopping) {
      try {
        const next = spawnPostmaster(launch, first.port)
        current = next
        await untilServing(launch, next)
        onLog('PostgreSQL is running again.')
        return
      } catch (error) {
        // Backends of the dead server may hold its memory for a moment, and a full disk may take longer, so this retries until it succeeds.
        const { message } = error as Error
        if (message !== lastMessage && !stopping) onLog(message)
        lastMessage = message
        await sleep(100)
      }
    }
  }

  const watch = setInterval(() => {
    if (restarting || isAlive(current.pid)) return
    restarting = restart().finally(() => {
      restarting = undefined
    })
  }, 100).unref()

  return {
    async stop() {
      stopping = true
      clearInterval(watch)
      // A pending restart ends with its process and starts no other. After that there is at most one process: the current one.
      await stopPostmaster(current)
      await restarting
      await stopPostmaster(current)
    },
  }
}
