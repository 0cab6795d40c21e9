// The exchange over a folder, and over SFTP with a real server: a file is delivered whole, once, and never overwritten.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../platform/embedded/embedded.postmaster.ts'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { servicePorts } from '../../testing/testing.ports.ts'
import { folderExchange } from './rails.exchange.folder.ts'
import { fingerprintOf, sftpExchange } from './rails.exchange.sftp.ts'
import { DifferentFile, type FileExchange, FileTooLarge, type UnusableFile } from './rails.exchange.ts'

const fileOf = (name: string, text: string) => {
  const bytes = Buffer.from(text)
  return { name, bytes, sha256: hash('sha256', bytes) }
}

type Opened = { root: string; exchange(): FileExchange }

/** The contract of every exchange. */
function describe(what: string, open: () => Promise<Opened | undefined>): void {
  let opened: Promise<Opened | undefined> | undefined
  const check = (name: string, use: (opened: Opened, exchange: FileExchange) => Promise<void>) =>
    test(`${what}: ${name}`, async (context) => {
      opened ??= open()
      const found = await opened
      if (found === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
      const exchange = found.exchange()
      try {
        await use(found, exchange)
      } finally {
        await exchange.close()
      }
    })
  const out = (root: string, name = '') => join(root, 'out', name)

  check('a file is handed over under its name, and again without a change', async ({ root }, exchange) => {
    const file = fileOf('A1.xml', '<a/>'.repeat(50_000))
    await exchange.send(file)
    await exchange.send(file)
    assert.deepEqual(readFileSync(out(root, 'A1.xml')), file.bytes)
    assert.deepEqual(
      readdirSync(out(root)).filter((name) => name.includes('A1')),
      ['A1.xml'],
    )
  })

  check('a name that is taken by other bytes is refused, and what is there stays', async ({ root }, exchange) => {
    await exchange.send(fileOf('A2.xml', 'first'))
    await assert.rejects(exchange.send(fileOf('A2.xml', 'other')), DifferentFile)
    await assert.rejects(exchange.send(fileOf('A2.xml', 'a longer one')), DifferentFile)
    assert.equal(readFileSync(out(root, 'A2.xml'), 'utf8'), 'first')
    assert.deepEqual(
      readdirSync(out(root)).filter((name) => name.includes('A2')),
      ['A2.xml'],
    )
  })

  check('what an earlier process has left half written is not the file', async ({ root }, exchange) => {
    writeFileSync(out(root, '.A3.xml.0123456789ab.part'), 'half')
    await exchange.send(fileOf('A3.xml', 'whole'))
    assert.deepEqual(
      readdirSync(out(root)).filter((name) => name.includes('A3')),
      ['A3.xml'],
    )
    assert.equal(readFileSync(out(root, 'A3.xml'), 'utf8'), 'whole')
  })

  check('several instances hand the same file over at the same time', async ({ root, exchange: another }, exchange) => {
    const file = fileOf('A4.xml', 'x'.repeat(200_000))
    const others = [another(), another()]
    await Promise.all([exchange, ...others].map((one) => one.send(file)))
    await Promise.all(others.map((one) => one.close()))
    assert.deepEqual(readFileSync(out(root, 'A4.xml')), file.bytes)
    assert.deepEqual(
      readdirSync(out(root)).filter((name) => name.includes('A4')),
      ['A4.xml'],
    )
  })

  check('files are listed oldest first, read within a limit, and put away', async ({ root }, exchange) => {
    await exchange.list()
    for (const name of ['B2.xml', 'B1.xml', 'B1.xml.tmp']) {
      writeFileSync(join(root, 'in', name), name)
      // SFTP's times are in seconds.
      await sleep(1_100)
    }
    writeFileSync(join(root, 'in', '.B3.xml.part'), 'not finished')
    assert.deepEqual(await exchange.list(), ['B2.xml', 'B1.xml', 'B1.xml.tmp'])
    assert.equal(Buffer.from(await exchange.read('B1.xml', 6)).toString(), 'B1.xml')
    await assert.rejects(exchange.read('B1.xml', 5), FileTooLarge)
    await exchange.putAway('B1.xml', 'taken')
    await exchange.putAway('B1.xml', 'taken')
    await exchange.putAway('B1.xml.tmp', 'failed')
    writeFileSync(join(root, 'in', 'B1.xml'), 'the same name again')
    await exchange.putAway('B1.xml', 'taken')
    assert.deepEqual(await exchange.list(), ['B2.xml'])
    assert.deepEqual([readdirSync(join(root, 'taken')).sort(), readdirSync(join(root, 'failed'))], [['B1.xml', 'B1.xml.2'], ['B1.xml.tmp']])
  })

  check('files that are put away at once, by several instances, overwrite nothing', async ({ root, exchange: another }, exchange) => {
    await exchange.list()
    writeFileSync(join(root, 'failed', 'K1.xml'), 'of March')
    const long = 'K'.repeat(246)
    const names = ['K1.xml', 'K1.xml.2', 'K%0A', 'K\n', ...['one', 'two', 'three'].map((end) => `${long}.${end}`)]
    for (const name of names) writeFileSync(join(root, 'in', name), name)
    const others = [another(), another()]
    await Promise.all([exchange, ...others].flatMap((one) => names.map((name) => one.putAway(name, 'failed'))))
    await Promise.all(others.map((one) => one.close()))
    const away = readdirSync(join(root, 'failed')).filter((name) => name.startsWith('K'))
    assert.deepEqual(away.map((name) => readFileSync(join(root, 'failed', name), 'utf8')).sort(), [...names, 'of March'].sort())
    assert.equal(readFileSync(join(root, 'failed', 'K1.xml'), 'utf8'), 'of March')
    assert.deepEqual(
      (await exchange.list()).filter((name) => name.startsWith('K')),
      [],
    )
  })

  check('a file that is not read keeps its identity, and the next one under its name has another', async ({ root }, exchange) => {
    await exchange.list()
    const path = join(root, 'in', 'L1.xml')
    const identity = async () => {
      const error = await exchange.read('L1.xml', 1).catch((error: unknown) => error)
      assert.ok(error instanceof FileTooLarge)
      return error.identity
    }
    writeFileSync(path, 'of March')
    const first = await identity()
    assert.equal(await identity(), first)
    await exchange.putAway('L1.xml', 'failed')
    writeFileSync(path, 'of May')
    assert.notEqual(await identity(), first)
    await exchange.putAway('L1.xml', 'failed')
  })

  check('a name that leaves the folder is refused', async (_opened, exchange) => {
    for (const name of ['../A1.xml', 'a/b.xml', '.hidden', '']) {
      await assert.rejects(exchange.send(fileOf(name, 'x')), /is not the name of a file/)
      await assert.rejects(exchange.read(name, 10), /is not the name of a file/)
      await assert.rejects(exchange.putAway(name, 'taken'), /is not the name of a file/)
    }
  })
}

describe('a folder', async () => {
  const root = makeDataFolder('exchange')
  for (const folder of ['in', 'out']) mkdirSync(join(root, folder))
  return { root, exchange: () => folderExchange(root) }
})

test('a folder tells when a file arrives', async () => {
  const root = makeDataFolder('exchange')
  const exchange = folderExchange(root)
  await exchange.list()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = exchange.watch?.(resolve)
  // Watching begins once the folders exist.
  const writing = setInterval(() => writeFileSync(join(root, 'in', 'C1.xml'), String(Math.random())), 50)
  await promise
  clearInterval(writing)
  stop?.()
})

test('a folder that cannot be used says so, and can be used later', async () => {
  const root = makeDataFolder('exchange')
  const path = join(root, 'late')
  symlinkSync(join(root, 'nowhere'), path)
  const exchange = folderExchange(path)
  await assert.rejects(exchange.list())
  mkdirSync(join(root, 'nowhere'))
  assert.deepEqual(await exchange.list(), [])
})

type Sshd = { port: number; keyFile: string; hostKey: string; root: string }

const serverPath = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path))
const sftpPath = ['/usr/lib/openssh/sftp-server', '/usr/libexec/openssh/sftp-server', '/usr/lib/ssh/sftp-server'].find((path) =>
  existsSync(path),
)

/** An OpenSSH server for our own user, on loopback. */
async function startSshd(): Promise<Sshd | undefined> {
  if (serverPath === undefined || sftpPath === undefined) return undefined
  const root = makeDataFolder('sftp')
  const make = (name: string) => execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(root, name)])
  make('host')
  make('client')
  writeFileSync(join(root, 'authorized'), readFileSync(join(root, 'client.pub')))
  const port = await freePort(servicePorts)
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(root, 'host')}`,
    `AuthorizedKeysFile ${join(root, 'authorized')}`,
    `PidFile ${join(root, 'pid')}`,
    'StrictModes no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    `Subsystem sftp ${sftpPath}`,
  ]
  writeFileSync(join(root, 'config'), settings.join('\n'))
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const server = spawn(serverPath, ['-D', '-e', '-f', join(root, 'config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  after(() => void server.kill('SIGTERM'))
  const ready = Promise.withResolvers<boolean>()
  let said = ''
  server.stderr.on('data', (text) => {
    said += text
    if (/Server listening/.test(said)) ready.resolve(true)
  })
  server.on('exit', () => ready.resolve(false))
  if (!(await ready.promise)) throw new Error(`sshd does not start: ${said}`)
  const [, encoded = ''] = readFileSync(join(root, 'host.pub'), 'utf8').split(' ')
  const files = join(root, 'files')
  for (const folder of ['in', 'out']) mkdirSync(join(files, folder), { recursive: true })
  return { port, keyFile: join(root, 'client'), hostKey: fingerprintOf(Buffer.from(encoded, 'base64')), root: files }
}

const sshd = startSshd()
const options = ({ port, keyFile, hostKey, root }: Sshd) => ({
  user: userInfo().username,
  host: '127.0.0.1',
  port,
  path: root,
  keyFile,
  hostKey,
})

describe('SFTP', async () => {
  const server = await sshd
  return server && { root: server.root, exchange: () => sftpExchange(options(server)) }
})

test('SFTP: a server with another host key gets nothing, and nor does one that does not know our key', async (context) => {
  const server = await sshd
  if (server === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
  const posing = sftpExchange({ ...options(server), hostKey: `SHA256:${'A'.repeat(43)}` })
  context.after(() => posing.close())
  await assert.rejects(posing.send(fileOf('D1.xml', 'secret')))
  assert.equal(existsSync(join(server.root, 'out', 'D1.xml')), false)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${server.keyFile}.other`])
  const stranger = sftpExchange({ ...options(server), keyFile: `${server.keyFile}.other` })
  context.after(() => stranger.close())
  await assert.rejects(stranger.list())
})

test('SFTP: a connection that is lost is made again', async (context) => {
  const server = await sshd
  if (server === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
  const exchange = sftpExchange(options(server))
  await exchange.send(fileOf('E1.xml', 'one'))
  await exchange.close()
  await exchange.send(fileOf('E2.xml', 'two'))
  await assert.rejects(exchange.read('missing.xml', 10))
  await exchange.send(fileOf('E3.xml', 'three'))
  await exchange.close()
  assert.deepEqual(
    readdirSync(join(server.root, 'out')).filter((name) => name.startsWith('E')),
    ['E1.xml', 'E2.xml', 'E3.xml'],
  )
})

test('SFTP: a file that grows while it is read is not taken for whole', async (context) => {
  const server = await sshd
  if (server === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
  const path = join(server.root, 'in', 'F1.xml')
  const size = 8 * 1024 * 1024
  writeFileSync(path, Buffer.alloc(size))
  const grow = `const file = require('node:fs').openSync(process.argv[1], 'a'); for (;;) require('node:fs').writeSync(file, 'x')`
  const growing = spawn(process.execPath, ['-e', grow, path])
  context.after(() => growing.kill('SIGKILL'))
  while (statSync(path).size === size) await sleep(5)
  const exchange = sftpExchange(options(server))
  context.after(() => exchange.close())
  // On a busy machine, the writer may have paused while the file was read.
  const faults = new Set<unknown>()
  for (let times = 0; times < 20 && faults.size === 0; times++) {
    await exchange.read('F1.xml', size * 8).catch(({ reason }: UnusableFile) => faults.add(reason))
  }
  assert.deepEqual([...faults], ['being_written'])
  growing.kill('SIGKILL')
  await exchange.putAway('F1.xml', 'failed')
})

test('SFTP: a server that does not answer is left, and another connection goes on', async (context) => {
  const server = await sshd
  if (server === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
  // The server opens the pipe, and waits for the other end.
  execFileSync('mkfifo', [join(server.root, 'in', 'G1.xml')])
  writeFileSync(join(server.root, 'in', 'G2.xml'), 'two')
  const exchange = sftpExchange({ ...options(server), timeout_ms: 3_000 })
  context.after(() => exchange.close())
  await assert.rejects(exchange.read('G1.xml', 10), /did not answer in time/)
  assert.equal(Buffer.from(await exchange.read('G2.xml', 10)).toString(), 'two')
})

test('SFTP: what we write can be read by the group and by nobody else', async (context) => {
  const server = await sshd
  if (server === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
  const exchange = sftpExchange(options(server))
  context.after(() => exchange.close())
  await exchange.send(fileOf('H1.xml', 'x'))
  assert.equal(statSync(join(server.root, 'out', 'H1.xml')).mode & 0o777, 0o640)
})

test('SFTP: a name that is not UTF-8 is refused, and left to people', async (context) => {
  const server = await sshd
  if (server === undefined) return context.skip('there is no OpenSSH server with an SFTP server on this machine')
  const path = Buffer.concat([Buffer.from(join(server.root, 'in', '/')), Buffer.from('caf\xe9.xml', 'latin1')])
  writeFileSync(path, 'x')
  context.after(() => unlinkSync(path))
  const exchange = sftpExchange(options(server))
  context.after(() => exchange.close())
  const name = (await exchange.list()).find((name) => name.startsWith('caf')) ?? ''
  await assert.rejects(exchange.read(name, 10), { reason: 'name_not_utf8' })
  await assert.rejects(exchange.putAway(name, 'failed'), /has to be moved by hand/)
})
