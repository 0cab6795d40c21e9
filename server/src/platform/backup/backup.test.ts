// Backs up real services while they run and write, restores the files into other folders, and damages some of them.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { somePerson } from '../../testing/testing.people.ts'
import { fetchPatiently, ServiceProcess, stopProcesses } from '../../testing/testing.process.ts'
import { reportOf, verifyDatabase } from '../../verify/verify.ts'
import { isAlive, runningPostmaster, serverUrl, stopPostmaster } from '../embedded/embedded.postmaster.ts'
import { startEmbeddedPostgres } from '../embedded/embedded.ts'
import { restore } from './backup.restore.ts'
import { endOfArchive, headerOf, lastMember, paddingOf } from './backup.tar.ts'
import { backUp } from './backup.ts'

const folders: string[] = []
const kept: string[] = []

function temporaryFolder(list = folders): string {
  const folder = makeDataFolder('backup')
  list.push(folder)
  return folder
}

async function remove(list: string[]): Promise<void> {
  for (const folder of list.splice(0)) {
    // A killed service leaves its database running.
    const running = existsSync(join(folder, 'postgres')) ? runningPostmaster(join(folder, 'postgres')) : undefined
    if (running !== undefined) await stopPostmaster(running)
    rmSync(folder, { recursive: true, force: true })
  }
}

afterEach(async () => {
  await stopProcesses()
  await remove(folders)
})

after(() => remove(kept))

type Run = { code: number | null; stdout: string; stderr: string }

const commands: Record<string, string> = { backup: 'backup.ts', restore: '../../restore.ts' }

function launch(command: string, args: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(new URL(commands[command] ?? '', import.meta.url)), ...args], {
    env: environment,
    cwd: '/',
  })
}

async function ended(child: ChildProcess): Promise<Run> {
  const run: Run = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (text) => {
    run.stdout += text
  })
  child.stderr?.on('data', (text) => {
    run.stderr += text
  })
  const [code] = await once(child, 'close')
  return { ...run, code }
}

const run = (command: string, args: readonly string[], environment: Record<string, string>) => ended(launch(command, args, environment))

async function refused(command: string, args: readonly string[], environment: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(command, args, environment)
  const said = stderr.replaceAll(/^(backing up|restoring): \d+ %\n/gm, '')
  assert.match(said, sentence)
  assert.match(said, /^[^\n]+\n$/)
  assert.deepEqual([code, stdout], [1, ''])
}

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
type Loose = any

async function send(url: string, key: string, path: string, body?: object): Promise<Loose> {
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetchPatiently(`${url}/api/v1${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  assert.ok(answer.ok, `${path}: ${answer.status} ${answer.ok ? '' : await answer.text()}`)
  return answer.json()
}

/** The events of a venture, oldest first. */
async function follow(url: string, key: string, from = 'start'): Promise<Loose[]> {
  const events: Loose[] = []
  for (let since = from; ; since = events.at(-1).id) {
    const page = await send(url, key, `/events?since=${since}&limit=100`)
    events.push(...page)
    if (page.length < 100) return events
  }
}

const adminKeyOf = (dataDir: string) => readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()

function ownerUrlOf(dataDir: string): string {
  const { port } = runningPostmaster(join(dataDir, 'postgres')) ?? { port: 0 }
  return serverUrl(port, 'vostro_owner', JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')).owner, 'vostro')
}

test('a backup made while the service writes has all that was acknowledged before, and its restore verifies and goes on', async () => {
  const [dataDir, target, outside] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const file = join(outside, 'vostro.backup')
  const service = new ServiceProcess({ DATA_DIR: dataDir, PORT: '0' })
  const url = await service.ready()
  const { api_key } = await send(url, adminKeyOf(dataDir), '/ventures', { name: 'Acme' })
  const acknowledged: string[] = []
  let stopped = false
  const write = async () => {
    for (; !stopped; await sleep(10)) acknowledged.push((await send(url, api_key, '/clients/person', somePerson())).id)
  }
  const writing = [write(), write(), write(), write()]
  // PostgreSQL starts new log files and deletes those it no longer needs, as it does after hours of work.
  const owner = new Client({ connectionString: ownerUrlOf(dataDir) })
  await owner.connect()
  const rotate = async () => {
    for (; !stopped; await sleep(50)) await owner.query('select pg_switch_wal()').then(() => owner.query('checkpoint'))
  }
  const rotating = rotate()
  while (acknowledged.length < 50) await sleep(5)
  const before = [...acknowledged]
  const followed = await follow(url, api_key)
  const failure = await backUp({ dataDir, file }).catch((error: Error) => error.message)
  while (acknowledged.length < before.length + 50) await sleep(5)
  stopped = true
  await Promise.all([...writing, rotating])
  await owner.end()
  assert.equal(failure, undefined)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(outside), ['vostro.backup'])

  await restore({ dataDir: target, file, replace: false })
  assert.equal(adminKeyOf(target), adminKeyOf(dataDir))
  const again = new ServiceProcess({ DATA_DIR: target, PORT: '0' })
  const other = await again.ready()
  // The keys of ventures and of the admin still work, and everything that was acknowledged before the backup is there.
  await send(other, adminKeyOf(target), '/ventures', { name: 'Another' })
  const events = await follow(other, api_key)
  const found = new Set(events.map(({ data }) => data.object.id))
  for (const id of before) assert.ok(found.has(id), `the client ${id} is gone`)
  // Both databases have the same events up to the backup.
  assert.deepEqual(events, (await follow(url, api_key)).slice(0, events.length))
  assert.ok(events.length < acknowledged.length, 'nothing was written after the backup')
  // A follower continues where it was.
  assert.deepEqual([...followed, ...(await follow(other, api_key, followed.at(-1).id))], events)
  const { id } = await send(other, api_key, '/clients/person', somePerson())
  assert.deepEqual(
    (await follow(other, api_key, events.at(-1).id)).map(({ data }) => data.object.id),
    [id],
  )
  const findings = await verifyDatabase(ownerUrlOf(target))
  assert.ok(
    findings.every(({ violations }) => violations === 0),
    reportOf(findings),
  )
  assert.doesNotMatch(again.stdout, /another PostgreSQL cluster/)
})

/** A database with one table, and a backup of it, for tests that only restore. */
let small: { dataDir: string; file: string }

before(async () => {
  const [dataDir, outside] = [temporaryFolder(kept), temporaryFolder(kept)]
  const server = await startEmbeddedPostgres({ dataDir, fsync: false })
  await query(server.ownerUrl, 'create table kept as select 42 as answer')
  await server.stop()
  small = { dataDir, file: join(outside, 'small.backup') }
  // No service is running: the command starts the database for itself and stops it again.
  await backUp(small)
  assert.equal(runningPostmaster(join(dataDir, 'postgres')), undefined)
})

async function query(connectionString: string, sql: string): Promise<Loose[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function answerIn(dataDir: string): Promise<Loose[]> {
  const server = await startEmbeddedPostgres({ dataDir, fsync: false })
  try {
    return await query(server.ownerUrl, 'select answer from kept')
  } finally {
    await server.stop()
  }
}

/** All files of a folder with their contents. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}

test('a backup of a stopped service is restored into an empty folder', async () => {
  const target = join(temporaryFolder(), 'new')
  assert.equal(await restore({ dataDir: target, file: small.file, replace: false }), undefined)
  assert.deepEqual(readdirSync(target).sort(), ['postgres', 'postgres.json'])
  assert.deepEqual(await answerIn(target), [{ answer: 42 }])
})

test('the commands show their progress and say what they did, also beside a running service', async () => {
  const [dataDir, outside] = [temporaryFolder(), temporaryFolder()]
  const [file, target] = [join(outside, 'vostro.backup'), join(outside, 'restored')]
  const server = await startEmbeddedPostgres({ dataDir, fsync: false })
  const made = await run('backup', [file], { DATA_DIR: dataDir })
  await server.stop()
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /^The backup is vostro\.backup, \d+\.\d MB\. It contains the keys of the service: keep it secret\.\n$/)
  assert.match(made.stderr, /^backing up: 0 %\n(backing up: \d+ %\n)*backing up: 100 %\n$/)
  const restored = await run('restore', [file], { DATA_DIR: target })
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal(restored.stdout, `The database in ${target} is restored from ${file}.\n`)
  assert.match(restored.stderr, /^restoring: 0 %\n(restoring: \d+ %\n)*restoring: 100 %\n$/)
})

test('a backup is refused where it would overwrite a file, include itself, or find no database', async () => {
  const [dataDir, empty, outside] = [small.dataDir, temporaryFolder(), temporaryFolder()]
  const file = join(outside, 'x.backup')
  writeFileSync(join(outside, 'there'), 'precious')
  await refused('backup', [], { DATA_DIR: dataDir }, /^Name the file to write: npm run backup -- FILE$/m)
  await refused('backup', [file, file], { DATA_DIR: dataDir }, /^Name the file to write/)
  for (const option of ['--help', '-h']) await refused('backup', [option], { DATA_DIR: dataDir }, /^Name the file to write/)
  await refused('backup', [join(outside, 'there')], { DATA_DIR: dataDir }, /there already exists: choose another name\.$/m)
  await refused('backup', [join(outside, 'no', 'x')], { DATA_DIR: dataDir }, /^The folder \S+ does not exist: create it first\.$/m)
  await refused('backup', [join(dataDir, 'x')], { DATA_DIR: dataDir }, /would be in the folder that is backed up: choose a file outside/)
  const [linked, elsewhere] = [temporaryFolder(), temporaryFolder()]
  symlinkSync(elsewhere, join(linked, 'postgres'))
  mkdirSync(join(linked, '..hidden'))
  for (const inside of [join(elsewhere, 'x'), join(linked, '..hidden', 'x')])
    await refused('backup', [inside], { DATA_DIR: linked }, /would be in the folder that is backed up/)
  await refused('backup', [file], { DATA_DIR: empty }, /^There is no database in \S+: set DATA_DIR to its folder\.$/m)
  await refused(
    'backup',
    [file],
    { DATABASE_URL: 'postgres://a@127.0.0.1/b' },
    /^DATABASE_URL is set, but this command works only on the embedded database: use pg_dump or pg_basebackup/,
  )
  assert.equal(readFileSync(join(outside, 'there'), 'utf8'), 'precious')
  assert.deepEqual(readdirSync(outside), ['there'])
})

test('a backup that is interrupted leaves no file', async () => {
  const outside = temporaryFolder()
  const stop = new AbortController()
  const file = join(outside, 'x.backup')
  await assert.rejects(
    backUp({ dataDir: small.dataDir, file, onProgress: ({ done, of }) => done > of / 2 && stop.abort(), signal: stop.signal }),
    /^StartupError: The backup was interrupted, and nothing was written\.$/,
  )
  assert.deepEqual(readdirSync(outside), [])
  assert.equal(runningPostmaster(join(small.dataDir, 'postgres')), undefined)
})

test('two backups into the same file do not disturb each other, and only their owner may read it', async () => {
  const [dataDir, outside, target] = [temporaryFolder(), temporaryFolder(), join(temporaryFolder(), 'new')]
  const server = await startEmbeddedPostgres({ dataDir, fsync: false })
  const file = join(outside, 'x')
  writeFileSync(`${file}.new`, 'of somebody else', { mode: 0o644 })
  try {
    await Promise.all([backUp({ dataDir, file }), backUp({ dataDir, file })])
  } finally {
    await server.stop()
  }
  assert.deepEqual(readdirSync(outside).sort(), ['x', 'x.new'])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await restore({ dataDir: target, file, replace: false })
})

test('a backup whose database dies meanwhile fails and leaves no file', async () => {
  const [dataDir, outside] = [temporaryFolder(), temporaryFolder()]
  const server = await startEmbeddedPostgres({ dataDir, fsync: false })
  let killed = false
  const kill = () => {
    if (!killed) process.kill(runningPostmaster(join(dataDir, 'postgres'))?.pid ?? 0, 'SIGKILL')
    killed = true
  }
  await assert.rejects(
    backUp({ dataDir, file: join(outside, 'x'), onProgress: kill }),
    /^StartupError: The backup failed, and nothing was written: /,
  )
  assert.deepEqual(readdirSync(outside), [])
  await server.stop()
})

test('a database that is there is replaced only if told, and is then kept aside', async () => {
  const dataDir = temporaryFolder()
  const other = await startEmbeddedPostgres({ dataDir, fsync: false })
  await query(other.ownerUrl, 'create table kept as select 7 as answer')
  await refused(
    'restore',
    [small.file, '--replace'],
    { DATA_DIR: dataDir },
    /^The data folder \S+ is in use by another Vostro: stop it, or set DATA_DIR to another folder\.$/m,
  )
  await other.stop()
  writeFileSync(join(dataDir, 'admin-key'), 'old')
  const before = contentsOf(dataDir)
  await assert.rejects(
    restore({ dataDir, file: small.file, replace: false }),
    /^StartupError: There is already a database in \S+: set DATA_DIR to another folder, or add --replace to move it aside\.$/,
  )
  assert.deepEqual(contentsOf(dataDir), before)

  const { code, stdout } = await run('restore', ['--replace', small.file], { DATA_DIR: dataDir })
  assert.equal(code, 0)
  const [, aside = ''] = /^The previous database was moved to (\S+): delete it when you no longer need it\.$/m.exec(stdout) ?? []
  assert.deepEqual(readdirSync(aside).sort(), ['admin-key', 'postgres', 'postgres.json', 'postgres.log'])
  assert.deepEqual(await answerIn(dataDir), [{ answer: 42 }])
  assert.deepEqual(await answerIn(aside), [{ answer: 7 }])
})

test('a server that a killed Vostro left running is stopped before its database is replaced', async () => {
  const dataDir = temporaryFolder()
  const vostro = new ServiceProcess({ DATA_DIR: dataDir, PORT: '0' })
  await vostro.ready()
  await vostro.stop('SIGKILL')
  const left = runningPostmaster(join(dataDir, 'postgres'))
  assert.ok(left)
  const aside = await restore({ dataDir, file: small.file, replace: true })
  assert.equal(runningPostmaster(join(aside ?? '', 'postgres')), undefined)
  assert.equal(isAlive(left.pid), false)
  assert.deepEqual(await answerIn(dataDir), [{ answer: 42 }])
})

/** An archive with a correct digest. */
function archiveWith(members: Record<string, string>, { format = 1 } = {}): Buffer {
  const member = (name: string, text: string) => [
    headerOf({ name, type: 'file', size: text.length }),
    Buffer.from(text),
    paddingOf(text.length),
  ]
  const content = Buffer.concat(Object.entries(members).flatMap(([name, text]) => member(name, text)))
  const sha256 = createHash('sha256').update(content).digest('hex')
  return zstdCompressSync(Buffer.concat([content, ...member(lastMember, JSON.stringify({ format, sha256 })), endOfArchive]))
}

test('a truncated, altered or foreign file is refused, and the database that is there stays as it was', async () => {
  const [dataDir, outside] = [temporaryFolder(), temporaryFolder()]
  // Invented files instead of a real cluster, which has a thousand files and takes a second to unpack.
  const whole = archiveWith({
    'postgres/PG_VERSION': readFileSync(join(small.dataDir, 'postgres', 'PG_VERSION'), 'utf8'),
    'postgres/base/1/1259': randomBytes(150_000).toString('hex'),
    'admin-key': 'secret',
  })
  writeFileSync(join(outside, 'whole'), whole)
  await restore({ dataDir, file: join(outside, 'whole'), replace: false })
  const before = contentsOf(dataDir)
  assert.equal(Object.keys(before).length, 3)
  const flipped = (at: number) => {
    const copy = Buffer.from(whole)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  const plain = zstdDecompressSync(whole)
  const changed = Buffer.from(plain)
  changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
  const lastHeader = plain.lastIndexOf(`${lastMember}\0`)
  const damaged: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('this is no backup'),
    'an archive of nothing': zstdCompressSync(endOfArchive),
    half: whole.subarray(0, whole.length >> 1),
    'all but the last byte': whole.subarray(0, -1),
    'all but the checksum': whole.subarray(0, -4),
    'a byte at the beginning': flipped(20),
    'a byte in the middle': flipped(whole.length >> 1),
    'the last byte': flipped(whole.length - 1),
    'compressed anew after a change': zstdCompressSync(changed),
    'without its last member': zstdCompressSync(Buffer.concat([plain.subarray(0, lastHeader), endOfArchive])),
    'with something after its end': zstdCompressSync(Buffer.concat([plain, Buffer.from('more')])),
    'a member twice': zstdCompressSync(Buffer.concat([headerOf({ name: 'postgres/PG_VERSION', type: 'file', size: 0 }), plain])),
    'a digest that is no JSON': zstdCompressSync(
      Buffer.concat([plain.subarray(0, lastHeader), headerOf({ name: lastMember, type: 'file', size: 1 }), Buffer.from('{'), paddingOf(1)]),
    ),
    'with another member after the last': zstdCompressSync(
      Buffer.concat([plain.subarray(0, -1024), headerOf({ name: 'more', type: 'file', size: 0 }), endOfArchive]),
    ),
  }
  for (const [what, content] of Object.entries(damaged)) {
    const file = join(outside, 'damaged')
    writeFileSync(file, content)
    await assert.rejects(restore({ dataDir, file, replace: true }), (error: Error) => {
      assert.equal(error.name, 'StartupError', what)
      assert.match(error.message, /^The file \S+ .*: nothing was restored\.$/, what)
      return true
    })
    assert.deepEqual(contentsOf(dataDir), before, what)
  }
  await refused(
    'restore',
    [],
    { DATA_DIR: dataDir },
    /^Name the file to restore, the anchors to apply, or both: npm run restore -- \[FILE \[--replace\]\] \[--anchor ANCHORS\]$/m,
  )
  await refused('restore', [small.file, '--force'], { DATA_DIR: dataDir }, /^Name the file to restore/)
  await refused(
    'restore',
    [join(outside, 'no')],
    { DATA_DIR: dataDir },
    /^There is no file \S+: give a file that "npm run backup" wrote\.$/m,
  )
  await refused(
    'restore',
    [small.file],
    { DATABASE_URL: 'postgres://a@127.0.0.1/b' },
    /^DATABASE_URL is set, but this command works only on the/,
  )
})

test('an archive cannot write outside of the folder, and other versions and formats are refused', async () => {
  const outside = temporaryFolder()
  const dataDir = join(outside, 'a', 'b')
  mkdirSync(dataDir, { recursive: true })
  const lines: [Buffer, RegExp][] = [
    [archiveWith({ '../../evil': 'x' }), /contains the name \.\.\/\.\.\/evil: nothing was restored/],
    [archiveWith({ '/tmp/vostro-evil': 'x' }), /contains the name \/tmp\/vostro-evil: nothing was restored/],
    [archiveWith({ 'postgres/../../../evil': 'x' }), /contains the name postgres\/\.\.\/\.\.\/\.\.\/evil: nothing was restored/],
    [archiveWith({ 'other/evil': 'x' }), /contains other\/evil, which does not belong in a backup: nothing was restored/],
    [archiveWith({ 'admin-key': 'x' }), /contains no database: nothing was restored/],
    [archiveWith({ 'postgres/PG_VERSION': '18\n' }, { format: 2 }), /is a backup of format 2, which this version of Vostro does not know/],
    [archiveWith({ 'postgres/PG_VERSION': '9\n' }), /is of PostgreSQL 9, but this Vostro embeds PostgreSQL 18: restore it with the Vostro/],
  ]
  for (const [content, sentence] of lines) {
    const file = join(outside, 'crafted')
    writeFileSync(file, content)
    await assert.rejects(restore({ dataDir, file, replace: false }), (error: Error) => {
      assert.equal(error.name, 'StartupError')
      assert.match(error.message, sentence)
      return true
    })
  }
  assert.deepEqual(readdirSync(dataDir), [])
  assert.deepEqual(readdirSync(outside).sort(), ['a', 'crafted'])
  assert.ok(!existsSync('/tmp/vostro-evil'))
})

test('after a restore that was killed while it replaced the database, Vostro does not start with an empty one', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'restore-unfinished'), '')
  await assert.rejects(
    startEmbeddedPostgres({ dataDir }),
    /^StartupError: A restore into \S+ was interrupted: run "npm run restore" again, with --replace if it asks for that\.$/,
  )
  assert.deepEqual(readdirSync(dataDir), ['restore-unfinished'])
  await restore({ dataDir, file: small.file, replace: false })
  assert.deepEqual(await answerIn(dataDir), [{ answer: 42 }])
})
