// Hostile files: what an attacker with write access to the folder puts there to read our files, stop us, or fill our memory.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { folderExchange } from './rails.exchange.folder.ts'
import { identityOf } from './rails.exchange.reading.ts'
import { DifferentFile, FileTooLarge, shownName, UnusableFile } from './rails.exchange.ts'

const secret = 'the admin key'
const limit = 64 * 1024 * 1024

const root = makeDataFolder('hostile')
const exchange = folderExchange(root)
await exchange.list()
writeFileSync(join(root, 'secret'), secret)
const at = (name: string) => join(root, 'in', name)
const because = (reason: string) => (error: unknown) => error instanceof UnusableFile && error.reason === reason

/** The file is listed, refused for this reason, and moved unread. */
async function isRefused(name: string, reason: string): Promise<void> {
  assert.ok((await exchange.list()).includes(name), `${name} is not listed`)
  await assert.rejects(exchange.read(name, limit), because(reason))
  await exchange.putAway(name, 'failed')
  assert.ok(!(await exchange.list()).includes(name))
}

test('a link is not followed, and is moved itself', async () => {
  symlinkSync(join(root, 'secret'), at('link.xml'))
  symlinkSync('/dev/zero', at('endless.xml'))
  symlinkSync(join(root, 'nowhere'), at('dangling.xml'))
  for (const name of ['link.xml', 'endless.xml', 'dangling.xml']) await isRefused(name, 'not_a_file')
  assert.ok(lstatSync(join(root, 'failed', 'link.xml')).isSymbolicLink())
  assert.equal(readFileSync(join(root, 'secret'), 'utf8'), secret)
})

test('a link that is swapped in at any moment is never followed', async () => {
  const swap = `
    const { renameSync, symlinkSync, writeFileSync } = require('node:fs')
    const [name, secret] = process.argv.slice(1)
    for (;;) {
      writeFileSync(name + '.new', 'plain'); renameSync(name + '.new', name)
      symlinkSync(secret, name + '.new'); renameSync(name + '.new', name)
    }`
  writeFileSync(at('swapped.xml'), 'plain')
  const swapping = spawn(process.execPath, ['-e', swap, at('swapped.xml'), join(root, 'secret')])
  const seen = { plain: 0, link: 0 }
  try {
    while (seen.plain < 150 || seen.link < 150) {
      const read = await exchange.read('swapped.xml', limit).catch((error: unknown) => {
        if (because('not_a_file')(error)) seen.link++
        else if (!because('several_names')(error) && !because('being_written')(error)) throw error
      })
      if (read === undefined) continue
      assert.ok(['plain', ''].includes(Buffer.from(read).toString()), 'the link was followed')
      seen.plain++
    }
  } finally {
    swapping.kill('SIGKILL')
  }
  for (const name of await exchange.list()) await exchange.putAway(name, 'failed')
})

test('a pipe, a socket and a device are not waited for', async (context) => {
  execFileSync('mkfifo', [at('pipe.xml')])
  const server = createServer()
  context.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(at('socket.xml'), resolve))
  for (const name of ['pipe.xml', 'socket.xml']) await isRefused(name, 'not_a_file')
  try {
    execFileSync('mknod', [at('device.xml'), 'c', '1', '5'], { stdio: 'ignore' })
  } catch {
    return
  }
  // Systems that forbid opening devices say so themselves.
  await assert.rejects(exchange.read('device.xml', limit))
  await exchange.putAway('device.xml', 'failed')
})

test('a file with a second name is not read', async () => {
  linkSync(join(root, 'secret'), at('second.xml'))
  await isRefused('second.xml', 'several_names')
})

test('a file of ten gigabytes is refused by its size alone', async () => {
  writeFileSync(at('sparse.xml'), '')
  truncateSync(at('sparse.xml'), 10 * 1024 ** 3)
  await assert.rejects(exchange.read('sparse.xml', limit), FileTooLarge)
  await exchange.putAway('sparse.xml', 'failed')
  rmSync(join(root, 'failed', 'sparse.xml'))
})

test('a file that grows while it is read is not taken for whole', async () => {
  const size = 32 * 1024 * 1024
  writeFileSync(at('grows.xml'), Buffer.alloc(size))
  const grow = `const file = require('node:fs').openSync(process.argv[1], 'a'); for (;;) require('node:fs').writeSync(file, 'x')`
  const growing = spawn(process.execPath, ['-e', grow, at('grows.xml')])
  try {
    while (statSync(at('grows.xml')).size === size) await new Promise((resolve) => setTimeout(resolve, 5))
    // On a busy machine, the writer may have paused while the file was read.
    const faults = new Set<unknown>()
    for (let times = 0; times < 50 && faults.size === 0; times++) {
      await exchange.read('grows.xml', limit).catch(({ reason }: UnusableFile) => faults.add(reason))
    }
    assert.deepEqual([...faults], ['being_written'])
    await exchange.putAway('grows.xml', 'failed')
  } finally {
    growing.kill('SIGKILL')
    rmSync(join(root, 'failed', 'grows.xml'), { force: true })
  }
})

test('a name that is not UTF-8 keeps its file from being read, and becomes one that can be shown', async () => {
  const names = [Buffer.from('caf\xe9.xml', 'latin1'), Buffer.from([0xff, 0xfe, 0x2e])]
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(at('/')), name]), 'x')
  // The same characters that the first name is displayed as.
  writeFileSync(at('caf%E9.xml'), 'another')
  const listed = await exchange.list()
  assert.deepEqual(listed.map(shownName).sort(), ['%FF%FE.', 'caf%25E9.xml', 'caf%E9.xml'])
  for (const name of listed.filter((name) => !name.isWellFormed())) await isRefused(name, 'name_not_utf8')
  assert.deepEqual(await exchange.list(), ['caf%E9.xml'])
  await exchange.putAway('caf%E9.xml', 'failed')
  assert.deepEqual(
    readdirSync(join(root, 'failed')).filter((name) => /%/.test(name)),
    ['%FF%FE.', 'caf%25E9.xml', 'caf%E9.xml'],
  )
})

test('what would hide or reorder the letters of a name is shown', () => {
  assert.equal(shownName('a\u202Elmx.b\n\u{1F600}é.xml'), 'a%E2%80%AElmx.b%0A\u{1F600}é.xml')
  assert.notEqual(shownName('a%0A.xml'), shownName('a\n.xml'))
})

test('files that are put away at once overwrite nothing, whatever they are', async () => {
  const failed = join(root, 'failed')
  writeFileSync(join(failed, 'B1.xml'), 'of March')
  mkdirSync(join(failed, 'B1.xml.3'))
  symlinkSync(join(root, 'nowhere'), join(failed, 'B1.xml.4'))
  const long = 'é'.repeat(125)
  const names = ['B1.xml', 'B1.xml.2', 'a%0A', 'a\n', `${long}.xml`, `${long}.txt`]
  for (const name of names) writeFileSync(at(name), name)
  for (const name of ['L1.xml', 'L1.xml.2']) symlinkSync(join(root, 'nowhere'), at(name))
  execFileSync('mkfifo', [at('P1.xml')])
  writeFileSync(join(failed, 'P1.xml'), 'no pipe')
  const before = await exchange.list()
  const others = [exchange, folderExchange(root)]
  await Promise.all(others.flatMap((one) => before.map((name) => one.putAway(name, 'failed'))))
  assert.deepEqual(await exchange.list(), [])
  const away = readdirSync(failed)
    .map((name) => join(failed, name))
    .filter((path) => lstatSync(path).isFile())
  const contents = away.map((path) => readFileSync(path, 'utf8')).filter((text) => [...names, 'of March', 'no pipe', ''].includes(text))
  assert.deepEqual(contents.sort(), [...names, 'of March', 'no pipe'].sort())
  assert.equal(readFileSync(join(failed, 'B1.xml'), 'utf8'), 'of March')
  assert.ok(lstatSync(join(failed, 'P1.xml.2')).isFIFO())
  assert.equal(readdirSync(failed).filter((name) => name.startsWith('L1.xml') && lstatSync(join(failed, name)).isSymbolicLink()).length, 2)
})

test('a file that cannot be moved stays, and takes no name', async () => {
  const away = readdirSync(join(root, 'failed'))
  // A folder is not listed, but it may be swapped in for a file.
  mkdirSync(at('swapped'))
  await assert.rejects(exchange.putAway('swapped', 'failed'), { code: 'ENOTDIR' })
  await exchange.putAway('missing.xml', 'failed')
  assert.deepEqual(readdirSync(join(root, 'failed')), away)
  assert.ok(existsSync(at('swapped')))
  rmdirSync(at('swapped'))
})

test('a file that is moved and brought back keeps its identity, and another one under its name has another', async () => {
  const identity = async (name: string) => {
    let found = ''
    await exchange.read(name, 0).catch((error: FileTooLarge) => {
      found = error.identity
    })
    assert.notEqual(found, '')
    return found
  }
  writeFileSync(at('I1.xml'), 'one')
  const first = await identity('I1.xml')
  renameSync(at('I1.xml'), join(root, 'I1.xml'))
  writeFileSync(at('I1.xml'), 'two')
  assert.notEqual(await identity('I1.xml'), first)
  renameSync(join(root, 'I1.xml'), at('I1.xml'))
  assert.equal(await identity('I1.xml'), first)
  await exchange.putAway('I1.xml', 'failed')
})

test('a file that is being written keeps its identity if the file system says when it was made', () => {
  const [made, unknown] = [
    { ino: 7n, birthtimeNs: 5n, size: 1n, mtimeNs: 2n },
    { ino: 7n, birthtimeNs: 0n, size: 1n, mtimeNs: 2n },
  ]
  assert.equal(identityOf(made), identityOf({ ...made, size: 2n, mtimeNs: 3n }))
  assert.notEqual(identityOf(made), identityOf({ ...made, birthtimeNs: 6n }))
  assert.notEqual(identityOf(unknown), identityOf({ ...unknown, mtimeNs: 3n }))
  assert.notEqual(identityOf(unknown), identityOf({ ...unknown, size: 3n }))
})

test('names of the greatest length can be put away twice', async () => {
  const name = 'é'.repeat(125).padEnd(130, 'x')
  for (let times = 0; times < 2; times++) {
    writeFileSync(at(name), 'x')
    await exchange.putAway(name, 'taken')
  }
  assert.deepEqual(readdirSync(join(root, 'taken')), ['é'.repeat(120), `${'é'.repeat(120)}.2`])
})

test('a folder in the inbox is left alone', async () => {
  mkdirSync(at('archive'))
  assert.deepEqual(await exchange.list(), [])
  assert.ok(existsSync(at('archive')))
})

test('what has our name in the outbox is neither followed nor waited for', async () => {
  const bytes = Buffer.from('ours')
  const file = (name: string) => ({ name, bytes, sha256: hash('sha256', bytes) })
  writeFileSync(join(root, 'same'), bytes)
  symlinkSync(join(root, 'same'), join(root, 'out', 'O1.xml'))
  execFileSync('mkfifo', [join(root, 'out', 'O2.xml')])
  writeFileSync(join(root, 'out', 'O3.xml'), '')
  truncateSync(join(root, 'out', 'O3.xml'), 10 * 1024 ** 3)
  for (const name of ['O1.xml', 'O2.xml', 'O3.xml']) await assert.rejects(exchange.send(file(name)), DifferentFile)
})

test('what we write can be read by the group and by nobody else, whatever the mask', async () => {
  const before = process.umask(0o077)
  try {
    await exchange.send({ name: 'M1.xml', bytes: Buffer.from('x'), sha256: hash('sha256', 'x') })
  } finally {
    process.umask(before)
  }
  assert.equal(statSync(join(root, 'out', 'M1.xml')).mode & 0o777, 0o640)
})
