// Two PostgreSQL servers with different transaction numbers, and ways to copy a database from one to the other as a logical dump does.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { chooseAccount } from '../../server/src/platform/embedded/embedded.account.ts'
import { freePort, serverUrl } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { dumpRows, loadRows } from '../../server/src/testing/testing.rows.ts'
import { type Server, withClient } from '../../server/src/testing/testing.servers.ts'
import { PostgresServer } from '../../server/src/testing/testing.standby.ts'

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

/** A server of an installed PostgreSQL, with the database, the logins and the role that docs/running.md asks for. */
export async function startInstalled(binaries: string): Promise<Server> {
  const folder = makeDataFolder('restore')
  const port = await freePort({ from: 20_000, below: 30_000 })
  const server = new PostgresServer({ port, binaries, account: chooseAccount(), folder })
  await server.initialise()
  await server.start({ synchronous: false })
  await server.asOwner(async (administrator) => {
    await administrator.query(`create role bank login password 'bank' createrole`)
    await administrator.query(`create role teller login password 'teller'`)
    await administrator.query('create role vostro_service nologin')
    await administrator.query('grant vostro_service to bank with admin option')
    await administrator.query('create database bank owner bank')
  }, 'postgres')
  return {
    ownerUrl: serverUrl(port, 'bank', 'bank', 'bank'),
    serviceUrl: serverUrl(port, 'teller', 'teller', 'bank'),
    async stop() {
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
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
