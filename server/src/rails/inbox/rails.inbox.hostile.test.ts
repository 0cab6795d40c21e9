// Hostile files in the folder: each is set aside and reported, and the inbox continues.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MessageReader, writeMessage } from '../../iso20022/iso20022.ts'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { theirBic } from '../../testing/testing.otherbank.ts'
import { ServiceProcess, stopProcesses } from '../../testing/testing.process.ts'
import { applyingOf } from '../../testing/testing.rails.ts'
import { findTestServer, urlOf } from '../../testing/testing.server.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { folderExchange } from '../exchange/rails.exchange.folder.ts'
import { identityAt } from '../exchange/rails.exchange.reading.ts'
import { type FileExchange, UnusableFile } from '../exchange/rails.exchange.ts'
import { Inbox, type InboxOptions } from './rails.inbox.ts'

const bank = await openBank()
const adminKey = 'k'.repeat(40)
const message = (message_id: string) =>
  writeMessage('pacs.002.001.10', { message_id, created_at: '2026-11-16T09:30:00Z', instructing_bic: theirBic, transactions: [] })

const rows = async (sql: string, ...values: unknown[]): Promise<Loose[]> => (await bank.owner.query(sql, values)).rows
/** The state of what was read under a name, and the reason if it was refused. */
const readAs = async (name: string): Promise<string | undefined> => {
  const [found] = await rows('select state, reason from rail_messages where file = $1 order by created_at desc', name)
  return found && (found.reason ?? found.state)
}

function makeFolder() {
  const root = makeDataFolder('inbox')
  for (const folder of ['in', 'out', 'taken', 'failed']) mkdirSync(join(root, folder))
  after(() => rmSync(root, { recursive: true }))
  return { root, at: (name: string) => join(root, 'in', name), failed: () => readdirSync(join(root, 'failed'), { encoding: 'buffer' }) }
}

function inboxOf(exchange: FileExchange, more: Partial<InboxOptions> = {}): Inbox {
  return new Inbox({
    ...applyingOf(bank),
    reader: new MessageReader(),
    exchange,
    applyStatement: async () => ({ outcome: 'APPLIED' }) as const,
    allowedSenders: async () => [theirBic],
    ...more,
  })
}

test('a file that somebody may be about to finish is read once they have', async () => {
  const { root, at } = makeFolder()
  const inbox = inboxOf(folderExchange(root))
  writeFileSync(at('.part'), message('FINISHED'))
  linkSync(at('.part'), at('finished.xml'))
  await inbox.runDue()
  assert.equal(await readAs('finished.xml'), undefined)
  unlinkSync(at('.part'))
  await inbox.runDue()
  assert.equal(await readAs('finished.xml'), 'APPLIED')
})

test('a file that nobody finishes is set aside after a while', async () => {
  const { root, at, failed } = makeFolder()
  writeFileSync(at('.part'), message('NEVER'))
  linkSync(at('.part'), at('never.xml'))
  await inboxOf(folderExchange(root), { patience_ms: 0 }).runDue()
  assert.deepEqual([await readAs('never.xml'), failed().map(String)], ['several_names', ['never.xml']])
})

test('a file that cannot be moved is reported once and keeps no other one waiting', async () => {
  const { root, at } = makeFolder()
  const exchange = folderExchange(root)
  symlinkSync('/etc/hostname', at('stays.xml'))
  const inbox = inboxOf({
    ...exchange,
    async putAway(name, where) {
      if (name === 'stays.xml') throw new Error('the folder does not allow it')
      return exchange.putAway(name, where)
    },
  })
  await inbox.runDue()
  writeFileSync(at('next.xml'), message('NEXT'))
  await inbox.runDue()
  await inbox.runDue()
  assert.equal(await readAs('next.xml'), 'APPLIED')
  assert.deepEqual(
    (await rows(`select reason from rail_messages where file = 'stays.xml'`)).map(({ reason }) => reason),
    ['not_a_file'],
  )
  assert.equal((await rows(`select id from cases where payload ->> 'file' = 'stays.xml'`)).length, 1)
})

test('the next file that is not read under the same name is reported as well, and the same one only once', async () => {
  const { root, at, failed } = makeFolder()
  const exchange = folderExchange(root)
  const notUtf8 = (byte: number) => Buffer.concat([Buffer.from(at('/again-')), Buffer.from([byte]), Buffer.from('.xml')])
  const reported = async () => {
    const found = await rows(`select file, reason from rail_messages where file like 'again-%' order by file, created_at`)
    const cases = await rows(`select id from cases where payload ->> 'file' like 'again-%'`)
    assert.equal(cases.length, found.length)
    return found.map(({ file, reason }) => `${file} ${reason}`)
  }
  const put = () => {
    symlinkSync('/etc/hostname', at('again-link.xml'))
    writeFileSync(at('again-large.xml'), '')
    truncateSync(at('again-large.xml'), 1024 ** 3)
    writeFileSync(at('.part'), '')
    renameSync(at('.part'), at('again-slow.xml'))
  }
  const inbox = (putAway: FileExchange['putAway']) =>
    inboxOf(
      {
        ...exchange,
        putAway,
        async read(name, limit) {
          if (name !== 'again-slow.xml') return exchange.read(name, limit)
          throw new UnusableFile(name, 'too_slow', await identityAt(Buffer.from(at(name))))
        },
      },
      { patience_ms: 0 },
    )
  const fails = async () => {
    throw new Error('the folder does not allow it')
  }
  put()
  const once = ['again-large.xml too_large', 'again-link.xml not_a_file', 'again-slow.xml too_slow']
  await inbox(fails).runDue()
  assert.deepEqual(await reported(), once)
  // Listed again, here and after a restart, before it could be put away.
  const second = inbox(fails)
  await second.runDue()
  await second.runDue()
  await inbox(exchange.putAway).runDue()
  assert.deepEqual([await reported(), failed().length], [once, 3])
  put()
  await inbox(exchange.putAway).runDue()
  assert.deepEqual([await reported(), failed().length], [[...once, ...once].sort(), 6])
  // Names that are not valid text are distinguished.
  for (const byte of [0xe8, 0xe9]) writeFileSync(notUtf8(byte), '')
  await inbox(exchange.putAway).runDue()
  assert.deepEqual((await reported()).slice(0, 2), ['again-%E8.xml name_not_utf8', 'again-%E9.xml name_not_utf8'])
})

test('a round that hangs or fails is not finished, and a file that stays gets older', async () => {
  const { root, at } = makeFolder()
  const exchange = folderExchange(root)
  let list: FileExchange['list'] = exchange.list
  const inbox = inboxOf({
    ...exchange,
    list: () => list(),
    async putAway() {
      throw new Error('the folder does not allow it')
    },
  })
  const age = async () => {
    await sleep(20)
    return inbox.figures
  }
  writeFileSync(at('old.xml'), message('OLD'))
  await inbox.runDue()
  const first = await age()
  const failing = Promise.reject(new Error('the server cannot be reached'))
  failing.catch(() => {})
  list = () => failing
  await assert.rejects(inbox.runDue())
  const failed = await age()
  const { promise, resolve } = Promise.withResolvers<string[]>()
  list = () => promise
  const hanging = inbox.runDue()
  const hung = await age()
  assert.ok(first.last_round_s < failed.last_round_s && failed.last_round_s < hung.last_round_s)
  assert.ok(first.oldest_s < failed.oldest_s && failed.oldest_s < hung.oldest_s)
  resolve([])
  await hanging
  const { oldest_s, last_round_s } = inbox.figures
  assert.ok(oldest_s === 0 && last_round_s < hung.last_round_s)
})

const settings = (root: string): Record<string, string> => {
  const server = findTestServer()
  return {
    PORT: '0',
    SANDBOX: 'false',
    RAILS_EXCHANGE: `folder:${root}`,
    RAILS_SENDERS: theirBic,
    ADMIN_API_KEY: adminKey,
    DATABASE_WAIT_MS: '60000',
    DATABASE_URL: urlOf(server.serviceUrl, bank.owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, bank.owner.database ?? ''),
  }
}

/** The process ends in time; otherwise the test says so. */
async function endsInTime(service: ServiceProcess): Promise<void> {
  const late = sleep(10_000, 'it still runs', { ref: false })
  assert.deepEqual(await Promise.race([service.stop('SIGTERM'), late]), { code: 0, signal: null })
}

/** Writes to a file for the whole test: continuously, or a letter each second. */
function keepWriting(path: string, pause_ms: number): void {
  const script = `
    const fs = require('node:fs'); const file = fs.openSync(process.argv[1], 'a')
    const write = () => { fs.writeSync(file, 'x'); ${pause_ms === 0 ? 'setImmediate(write)' : `setTimeout(write, ${pause_ms})`} }
    write()`
  const writing = spawn(process.execPath, ['-e', script, path])
  after(() => writing.kill('SIGKILL'))
}

test('a service meets all of them at once: each is set aside and reported, the next file is read, and it ends in time', async () => {
  const { root, at, failed } = makeFolder()
  writeFileSync(join(root, 'secret'), adminKey)
  const service = new ServiceProcess(settings(root))
  after(() => stopProcesses())
  const url = await service.ready()

  const large = at('.grows.xml')
  writeSync(openSync(large, 'w'), Buffer.alloc(32 * 1024 * 1024))
  keepWriting(large, 0)
  renameSync(large, at('grows.xml'))
  keepWriting(at('slow.xml'), 1_000)
  symlinkSync(join(root, 'secret'), at('link.xml'))
  execFileSync('mkfifo', [at('pipe.xml')])
  linkSync(join(root, 'secret'), at('linked.xml'))
  writeFileSync(at('sparse.xml'), '')
  truncateSync(at('sparse.xml'), 10 * 1024 ** 3)
  writeFileSync(Buffer.concat([Buffer.from(at('/')), Buffer.from('caf\xe9.xml', 'latin1')]), message('CAFE'))
  const isDevice = makeDevice(at('device.xml'))
  writeFileSync(at('.good.xml'), message('GOOD'))
  renameSync(at('.good.xml'), at('good.xml'))
  await eventually(async () => (await readAs('good.xml')) === 'APPLIED')
  // The other files do not wait for it.
  assert.ok(existsSync(at('linked.xml')))

  const expected: Record<string, string> = {
    'link.xml': 'not_a_file',
    'pipe.xml': 'not_a_file',
    'linked.xml': 'several_names',
    'sparse.xml': 'too_large',
    'caf%E9.xml': 'name_not_utf8',
    ...(isDevice && { 'device.xml': 'not_a_file' }),
  }
  for (const name of [...Object.keys(expected), 'grows.xml', 'slow.xml'])
    await eventually(() => failed().some((found) => String(found) === name))
  for (const [name, reason] of Object.entries(expected)) {
    assert.equal(await readAs(name), reason, name)
    // The log of a process arrives after what it writes to the database.
    await eventually(() => service.stdout.includes(`"file":"${name}","reason":"${reason}","msg":"a message was refused"`))
    assert.equal((await rows(`select id from cases where payload ->> 'file' = $1`, name)).length, 1, name)
  }
  // If the writer pauses for a moment, what it has written so far is read, and is not a message.
  assert.match((await readAs('grows.xml')) ?? '', /^(being_written|not_utf8|too_large)$/)
  assert.match((await readAs('slow.xml')) ?? '', /^(being_written|empty|malformed)$/)
  assert.ok(lstatSync(join(root, 'failed', 'link.xml')).isSymbolicLink())
  const bodies = await rows('select convert_from(body, $1) as text from rail_messages where octet_length(body) < 1000000', 'latin1')
  assert.ok(bodies.every(({ text }) => !text.includes(adminKey)))
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  const asAdmin = { headers: { 'x-api-key': adminKey } }
  const health = (await (await fetch(`${url}/api/v1/operator/health`, asAdmin)).json()) as Loose
  assert.ok(health.exchange.last_round_s < 300)
  assert.equal(health.exchange.refused_files, Object.keys(expected).length + 2)
  const metrics = await (await fetch(`${url}/metrics`, asAdmin)).text()
  assert.match(metrics, /^exchange_refused_files_total\{reason="several_names"\} 1$/m)

  // More files arrive while the service is stopping.
  execFileSync('mkfifo', [at('late.xml')])
  symlinkSync('/dev/zero', at('endless.xml'))
  await endsInTime(service)
})

/** Only root may create one, and not everywhere. */
function makeDevice(path: string): boolean {
  try {
    execFileSync('mknod', [path, 'c', '1', '5'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
