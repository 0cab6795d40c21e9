// Two PostgreSQL servers with different transaction numbers, and ways to copy a database from one to the other as a logical dump does.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { chooseAccount, runOptions } from '../../server/src/platform/embedded/embedded.account.ts'
import { freePort, isAlive, stopPostmaster } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { dumpRows, loadRows } from '../../server/src/testing/testing.rows.ts'

export type Server = { ownerUrl: string; serviceUrl: string; stop(): Promise<void> }

export async function withClient<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The embedded PostgreSQL, which every machine has. */
export async function startEmbedded(): Promise<Server> {
  const dataDir = makeDataFolder('restore')
  const { ownerUrl, serviceUrl, stop } = await startEmbeddedPostgres({ dataDir, fsync: false })
  return {
    ownerUrl,
    serviceUrl,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Copies the rows by SQL. */
export async function copyRows(from: Server, to: Server): Promise<void> {
  const rows = await withClient(from.ownerUrl, dumpRows)
  await migrate(to)
  await withClient(to.ownerUrl, (client) => loadRows(client, rows))
}

/** The folder of an installed PostgreSQL with its server and its tools, as Debian installs it. */
export function findPrograms(): string | undefined {
  const [dump] = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().reverse()
  const bin = dump === undefined ? '' : dirname(dump)
  return ['initdb', 'postgres', 'pg_restore'].every((program) => existsSync(join(bin, program))) ? bin : undefined
}

/** A server of an installed PostgreSQL, with the database and the two logins that docs/running.md recommends. */
export async function startInstalled(bin: string): Promise<Server> {
  const dataDir = makeDataFolder('restore')
  const cluster = join(dataDir, 'cluster')
  const account = chooseAccount()
  const options = runOptions(account)
  mkdirSync(cluster, { mode: 0o700 })
  if ('uid' in account) chownSync(cluster, account.uid, account.gid)
  execFileSync(join(bin, 'initdb'), ['-D', cluster, '-U', 'admin', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'], {
    ...options,
    stdio: 'pipe',
  })
  const port = await freePort({ from: 20_000, below: 30_000 })
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((setting) => ['-c', setting])
  const { pid = 0 } = spawn(join(bin, 'postgres'), ['-D', cluster, '-p', String(port), ...settings], { ...options, stdio: 'ignore' })
  const url = (login: string, database: string) => `postgres://${login}@127.0.0.1:${port}/${database}`
  const stop = async () => {
    await stopPostmaster({ pid, port })
    await rm(dataDir, { recursive: true, force: true })
  }
  for (;;) {
    const ready = await withClient(url('admin', 'postgres'), async (client) => {
      await client.query('create role vostro_owner login createrole')
      await client.query('create role vostro_login login')
      await client.query('create role vostro_service nologin')
      await client.query('grant vostro_service to vostro_owner with admin option')
      await client.query('create database vostro owner vostro_owner')
      return true
    }).catch(() => false)
    if (ready) return { ownerUrl: url('vostro_owner', 'vostro'), serviceUrl: url('vostro_login', 'vostro'), stop }
    if (!isAlive(pid)) throw new Error('PostgreSQL did not start')
    await sleep(50)
  }
}

/** Copies the database with the commands of docs/running.md. */
export async function dumpAndRestore(bin: string, from: Server, to: Server): Promise<void> {
  const folder = makeDataFolder('restore')
  const file = join(folder, 'vostro.dump')
  try {
    execFileSync(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, from.ownerUrl], { stdio: 'pipe' })
    execFileSync(join(bin, 'pg_restore'), ['--exit-on-error', '--single-transaction', `--dbname=${to.ownerUrl}`, file], { stdio: 'pipe' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
