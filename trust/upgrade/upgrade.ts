// Makes the fixture of a migration level: the rows that a version of that level leaves in its database.
//   npm run fixture                                          of the newest level, by this version
//   npm run fixture -- --checkout ../older                   of the level of another version, in a folder where it can be started
//   npm run fixture -- --checkout ../older --level 12        of a level that no version had: migrated from an earlier one
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { migrate, readMigrations } from '../../server/src/platform/database/migrate.ts'
import { freePort } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { servicePorts } from '../../server/src/testing/testing.ports.ts'
import { startCommand } from '../../server/src/testing/testing.process.ts'
import { dumpRows, loadRows } from '../../server/src/testing/testing.rows.ts'
import { withClient } from '../../server/src/testing/testing.servers.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { fixtureOf } from './upgrade.levels.ts'
import { runSession } from './upgrade.session.ts'

const here = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a version on its embedded database, runs the session, and stops it. */
async function fillFolder(checkout: string, dataDir: string, level: number): Promise<void> {
  const port = await freePort(servicePorts)
  const adminKey = makeKey('admin')
  const { flags, environment } = startCommand(checkout)
  const own = join(checkout, 'node_modules/.bin/node')
  const service = spawn(existsSync(own) ? own : process.execPath, [...flags, join(checkout, 'server/src/main.ts')], {
    cwd: dataDir,
    env: { ...environment, PORT: String(port), DATA_DIR: dataDir, ADMIN_API_KEY: adminKey, SANDBOX: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(service, 'close')
  try {
    const url = `http://127.0.0.1:${port}`
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (service.exitCode !== null) throw new Error('the version did not start')
      await sleep(50)
    }
    await runSession({ url, adminKey, level })
  } finally {
    service.kill('SIGTERM')
    await ended
  }
}

async function main(checkout: string, wanted: number | undefined): Promise<void> {
  const made = readdirSync(join(checkout, 'server/migrations')).filter((name) => name.endsWith('.sql')).length
  const level = wanted ?? made
  const migrations = await readMigrations()
  const dataDir = makeDataFolder('fixture')
  try {
    await fillFolder(checkout, dataDir, made)
    const server = await startEmbeddedPostgres({ dataDir, fsync: false })
    try {
      const rows = await withClient(server.ownerUrl, dumpRows)
      // The migrations of this version are applied, because an early version may have had others that were never released.
      await withClient(server.ownerUrl, (client) => client.query('create database fixture'))
      const ownerUrl = server.serverUrl('fixture')
      const apply = (count: number) =>
        migrate({ ownerUrl, serviceUrl: server.serverUrl('fixture', 'service'), migrations: migrations.slice(0, count) })
      await apply(made)
      await withClient(ownerUrl, (client) => loadRows(client, rows))
      await apply(level)
      writeFileSync(fixtureOf(level), await withClient(ownerUrl, dumpRows))
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  console.log(`${fixtureOf(level)}: ${(readFileSync(fixtureOf(level)).length / 1024).toFixed(0)} kB`)
}

const { values } = parseArgs({ options: { checkout: { type: 'string' }, level: { type: 'string' } } })
await main(values.checkout ?? here, values.level === undefined ? undefined : Number(values.level))
