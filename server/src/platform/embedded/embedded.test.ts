// Starts real servers in temporary folders, and kills some of them.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { StartupError } from '../startup-error.ts'
import { canEnter, chooseAccount } from './embedded.account.ts'
import { installedPackage, runnableBinaries } from './embedded.binaries.ts'
import { giveTo } from './embedded.folder.ts'
import { lockFolder } from './embedded.lock.ts'
import { isAlive, serverSettings, serverUrl, startPostmaster, stopPostmaster } from './embedded.postmaster.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'

const account = chooseAccount()
const isRoot = 'uid' in account
const module = JSON.stringify(new URL('embedded.ts', import.meta.url).href)

const servers: EmbeddedPostgres[] = []
const folders: string[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

test('an empty folder becomes a database, and its data survives a stop', async () => {
  const dataDir = temporaryFolder()
  const first = await start({ dataDir })
  assert.equal(await value(first.serviceUrl, 'select current_user::text'), 'vostro_login')
  assert.equal(
    await value(first.serviceUrl, 'select rolsuper or rolcreatedb or rolcreaterole from pg_roles where rolname = current_user'),
    false,
  )
  assert.equal(await value(first.ownerUrl, 'select rolsuper from pg_roles where rolname = current_user'), true)
  assert.equal(await value(first.serverUrl('postgres'), 'select current_database()::text'), 'postgres')
  assert.equal(
    await value(first.ownerUrl, `select string_agg(current_setting(name), ' ') from unnest('{fsync,synchronous_commit}'::text[]) name`),
    'on on',
  )
  assert.equal(
    await value(first.ownerUrl, `select datlocprovider::text || ' ' || datlocale from pg_database where datname = 'vostro'`),
    'b C.UTF-8',
  )
  assert.equal(statSync(join(dataDir, 'postgres.json')).mode & 0o777, 0o600)
  await value(first.ownerUrl, 'create table kept as select 42 as answer')
  await first.stop()

  const second = await start({ dataDir, statStatements: true })
  assert.equal(await value(second.ownerUrl, 'select answer from kept'), 42)
  assert.equal(await value(second.ownerUrl, `select current_setting('shared_preload_libraries')`), 'pg_stat_statements')
})

test('a folder in use is refused, and no password appears in the process list', async () => {
  const dataDir = temporaryFolder()
  const server = await start({ dataDir })
  await refused({ dataDir }, /^The data folder .* is in use by another Vostro: stop it, or set DATA_DIR to another folder\.$/)
  const { owner, service } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
  const { stdout } = spawnSync('ps', ['-eww', '-o', 'args'], { encoding: 'utf8' })
  assert.ok(stdout.includes(`-D ${dataDir}/postgres`))
  assert.ok(!stdout.includes(owner) && !stdout.includes(service))
  await server.stop()
  await server.stop()
  assert.ok(!existsSync(join(dataDir, 'postgres', 'postmaster.pid')))
})

test('a folder that another process is just leaving is not refused', async () => {
  const dataDir = temporaryFolder()
  const leaving = await lockFolder(dataDir)
  const coming = lockFolder(dataDir)
  await leaving.release()
  await (await coming).release()
})

test('the lock of systems without abstract sockets refuses a second holder and takes over a stale file', async () => {
  const dataDir = temporaryFolder()
  const lock = await lockFolder(dataDir, 'darwin')
  await assert.rejects(lockFolder(dataDir, 'darwin'), /in use by another Vostro/)
  await lock.release()
  const code = `import { lockFolder } from ${JSON.stringify(new URL('embedded.lock.ts', import.meta.url).href)}
    await lockFolder(${JSON.stringify(dataDir)}, 'darwin'); process.kill(process.pid, 'SIGKILL')`
  assert.equal(spawnSync(process.execPath, ['--input-type=module', '-e', code]).signal, 'SIGKILL')
  await (await lockFolder(dataDir, 'darwin')).release()
})

test('a killed postmaster is restarted on the same port, with everything that was committed', async () => {
  const dataDir = temporaryFolder()
  const lines: string[] = []
  const server = await start({ dataDir, onLog: (line) => lines.push(line) })
  await value(server.ownerUrl, 'create table kept as select 42 as answer')
  const busy = value(server.ownerUrl, 'select pg_sleep(600)').catch((error: Error) => error)
  const killed = postmasterPid(dataDir)
  process.kill(killed, 'SIGKILL')
  assert.ok((await busy) instanceof Error)
  assert.equal(await eventually(() => value(server.ownerUrl, 'select answer from kept')), 42)
  await eventually(async () => assert.ok(lines.includes('PostgreSQL is running again.')))
  assert.notEqual(postmasterPid(dataDir), killed)

  // A restart must not overtake a stop right after the kill.
  const last = postmasterPid(dataDir)
  process.kill(last, 'SIGKILL')
  await sleep(120)
  await server.stop()
  await sleep(300)
  await assert.rejects(value(server.ownerUrl, 'select 1'), { code: 'ECONNREFUSED' })
})

test('a server left behind by a killed Vostro is adopted, supervised and stopped', async () => {
  const dataDir = temporaryFolder()
  const code = `import { startEmbeddedPostgres } from ${module}
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    console.log('started'); setInterval(() => {}, 1000)`
  const vostro = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(vostro.stdout, 'data')
  vostro.kill('SIGKILL')
  await once(vostro, 'exit')
  const left = postmasterPid(dataDir)

  const server = await start({ dataDir })
  assert.equal(postmasterPid(dataDir), left)
  assert.equal(await value(server.serviceUrl, 'select 1'), 1)
  process.kill(left, 'SIGKILL')
  assert.equal(await eventually(() => value(server.serviceUrl, 'select 2')), 2)
  await server.stop()
  await assert.rejects(value(server.ownerUrl, 'select 1'), { code: 'ECONNREFUSED' })
})

test('a process is alive from its first moment to its last', async () => {
  for (let round = 0; round < 20; round++) {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' })
    const pid = child.pid ?? 0
    for (let look = 0; look < 20; look++) assert.equal(isAlive(pid), true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(isAlive(pid), false)
  }
})

test('a postmaster that somebody ends before it says a word is started again', async () => {
  const dataDir = temporaryFolder()
  const server = await start({ dataDir })
  const cluster = join(dataDir, 'postgres')
  await server.stop()
  const programs = temporaryFolder()
  const { owner: ownerPassword } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
  const postgres = join(
    runnableBinaries(installedPackage(), account, () => dataDir),
    'postgres',
  )
  const killed = join(programs, 'killed')
  writeFileSync(join(programs, 'postgres'), `#!/bin/sh\nif mkdir ${killed} 2>/dev/null; then kill -9 $$; fi\nexec ${postgres} "$@"\n`)
  chmodSync(join(programs, 'postgres'), 0o755)
  giveTo(account, programs)
  const launch = { binaries: programs, cluster, account, logFile: join(dataDir, 'postgres.log'), ownerPassword }
  const postmaster = await startPostmaster({ ...launch, settings: serverSettings({ fsync: false, statStatements: false }) })
  assert.ok(existsSync(killed))
  assert.equal(await value(serverUrl(postmaster.port, 'vostro_owner', ownerPassword, 'vostro'), 'select 1'), 1)
  await stopPostmaster(postmaster)
})

test('a pid file that names another program does not prevent the start', async () => {
  const dataDir = temporaryFolder()
  await (await start({ dataDir })).stop()
  const other = spawn('/bin/sleep', ['30'], { ...account, stdio: 'ignore' })
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${other.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n  1234567 0\nready   \n`,
  )
  const server = await start({ dataDir }).finally(() => other.kill('SIGKILL'))
  assert.equal(await value(server.serviceUrl, 'select 1'), 1)
})

test('remains of a killed initdb are removed', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'postgres.new-killed', 'data', 'base'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.new-killed', 'data', 'PG_VERSION'), '18\n')
  const server = await start({ dataDir })
  assert.equal(await value(server.serviceUrl, 'select 1'), 1)
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.includes('.new')),
    [],
  )
})

test('unusable folders are refused with a reason', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ owner: 'a', service: 'b' }))
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await refused(
    { dataDir },
    /is of PostgreSQL 17, but this Vostro embeds PostgreSQL 18: upgrade it with pg_upgrade, or use the Vostro that created it\.$/,
  )
  rmSync(join(dataDir, 'postgres', 'PG_VERSION'))
  writeFileSync(join(dataDir, 'postgres', 'notes.txt'), '')
  await refused({ dataDir }, /is not empty and contains no PostgreSQL database: set DATA_DIR to another folder\.$/)
  rmSync(join(dataDir, 'postgres.json'))
  await refused({ dataDir }, /postgres\.json, which contains the passwords of the database, is missing: restore it from a backup\.$/)
  await refused(
    { dataDir: join(dataDir, 'postgres', 'notes.txt') },
    /is a file, not a folder: set DATA_DIR to a folder that can be used\.$/,
  )
})

test('a folder that is not writable is refused', { skip: !canEnter(account, import.meta.dirname) }, () => {
  const dataDir = temporaryFolder()
  chmodSync(dataDir, 0o555)
  const code = `import { startEmbeddedPostgres } from ${module}
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} }).catch((error) => console.log(error.name + ': ' + error.message))`
  // Root can write everywhere, so another user tries instead.
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { ...account, cwd: '/', encoding: 'utf8' })
  assert.equal(
    run.stdout.trim(),
    `StartupError: The data folder ${dataDir} is not writable by the user that runs Vostro: set DATA_DIR to a folder that can be used.`,
  )
})

test('in a folder that only root may enter, the database lives elsewhere and is found again', { skip: !isRoot }, async () => {
  const closed = temporaryFolder()
  chmodSync(closed, 0o700)
  const dataDir = join(closed, 'data')
  const place = join(dataDir, 'postgres')
  const lines: string[] = []
  const first = await start({ dataDir, onLog: (line) => lines.push(line) })
  const cluster = removedAfter(realpathSync(place))
  assert.ok(lstatSync(place).isSymbolicLink() && cluster.startsWith('/var/lib/vostro/'))
  assert.ok(lines.some((line) => line.includes(`the database lives in ${cluster}`)))
  assert.equal(statSync(closed).mode & 0o777, 0o700)
  await value(first.ownerUrl, 'create table kept as select 42 as answer')
  await first.stop()

  const second = await start({ dataDir })
  assert.equal(await value(second.ownerUrl, 'select answer from kept'), 42)
  await second.stop()

  rmSync(place)
  const third = await start({ dataDir })
  assert.notEqual(removedAfter(realpathSync(place)), cluster)
  assert.equal(await value(third.ownerUrl, `select to_regclass('kept')`), null)
  await third.stop()

  rmSync(realpathSync(place), { recursive: true })
  await refused({ dataDir }, /is a link to a folder that does not exist: restore the folder, or delete the link/)
})

test('programs that cannot run in place are copied once, with their links', async () => {
  const folder = temporaryFolder()
  const installed = installedPackage()
  const copyTo = join(folder, 'copies')
  mkdirSync(copyTo)
  // A project that others may not enter, as root leaves it with a strict umask; or, for other users, one without libraries.
  const source = { folder: join(folder, 'project'), version: installed.version }
  cpSync(join(installed.folder, 'native'), join(source.folder, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const { target } of JSON.parse(readFileSync(join(source.folder, 'native/pg-symlinks.json'), 'utf8'))) {
    rmSync(join(source.folder, target), { force: true })
  }
  chmodSync(isRoot ? source.folder : join(source.folder, 'native/lib'), isRoot ? 0o700 : 0o500)

  const bin = runnableBinaries(source, account, () => copyTo)
  assert.equal(bin, join(copyTo, `postgres-${installed.version}`, 'native/bin'))
  const made = statSync(bin).ino
  assert.equal(
    runnableBinaries(source, account, () => copyTo),
    bin,
  )
  assert.equal(statSync(bin).ino, made)
  assert.equal(readdirSync(copyTo).length, 1)

  chmodSync(isRoot ? source.folder : join(source.folder, 'native/lib'), 0o755)
  assert.equal(
    runnableBinaries(source, account, () => copyTo),
    join(source.folder, 'native/bin'),
  )
})

/** A folder that PostgreSQL's user may enter, like the folders that operators create. */
function temporaryFolder(): string {
  return removedAfter(makeDataFolder('test'))
}

function removedAfter(path: string): string {
  folders.push(path)
  return path
}

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(options)
  servers.push(server)
  return server
}

async function refused(options: EmbeddedOptions, sentence: RegExp): Promise<void> {
  await assert.rejects(startEmbeddedPostgres(options), (error) => error instanceof StartupError && sentence.test(error.message))
}

/** The first column of the first row. */
async function value(connectionString: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end().catch(() => {})
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 10_000; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0) throw error
      await sleep(50)
    }
  }
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}
