// An exchange over SFTP, with the same folders as on a disk. The server is identified by its host key: no other server gets a file.
import { hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type SftpClient from 'ssh2-sftp-client'
import { plainName } from './rails.exchange.folder.ts'
import { awayName, DifferentFile, type FileExchange, FileTooLarge, type OutgoingFile, UnusableFile, within } from './rails.exchange.ts'

export type SftpOptions = { user: string; host: string; port: number; path: string; keyFile: string; hostKey: string; timeout_ms?: number }

const folders = ['in', 'out', 'taken', 'failed'] as const

/** Time limits for an answer of the server and for disconnecting. */
const [answer_ms, end_ms] = [60_000, 1_000]

/** The size of one request and how many are in flight, so that a distant server delivers files at line speed. */
const [chunk_bytes, chunks_at_once] = [32 * 1024, 32]

/** Readable for the service and the group of the program that picks the files up. */
const fileMode = 0o640

export function sftpExchange(options: SftpOptions): FileExchange {
  const connection = new Connection(options)
  const at = (folder: (typeof folders)[number], name = '') => posix.join(options.path, folder, name)
  return {
    // Names are checked before any request to the server.
    async send(file) {
      plainName(file.name)
      await connection.use((client) => send(client, at('out'), file))
    },
    list: () => connection.use((client) => listFiles(client, at('in'))),
    async read(name, limit) {
      const path = at('in', plainName(name))
      return connection.use(async (client) => {
        if (isNoText(name)) throw new UnusableFile(name, 'name_not_utf8', await identityOfListed(client, at('in'), name))
        return read(client.sftp, path, { name, limit })
      })
    },
    async putAway(name, where) {
      const from = at('in', plainName(name))
      if (isNoText(name)) throw new Error(`${name} has to be moved by hand: SFTP cannot name it`)
      await connection.use((client) => putAway(client, { from, folder: at(where), name }))
    },
    close: () => connection.close(),
  }
}

/** One connection at a time, opened on demand and reopened after it is lost. */
class Connection {
  readonly #options: SftpOptions
  readonly #answer_ms: number
  #client: Promise<SftpClient> | undefined

  constructor(options: SftpOptions) {
    this.#options = options
    this.#answer_ms = options.timeout_ms ?? answer_ms
  }

  async use<Result>(work: (client: SftpClient) => Promise<Result>): Promise<Result> {
    this.#client ??= this.#connect()
    const client = this.#client
    try {
      return await within(this.#answer_ms, client.then(work), () => new Error('the SFTP server did not answer in time'))
    } catch (error) {
      // A problem with a file is not a problem of the connection.
      const isOfFile = error instanceof DifferentFile || error instanceof FileTooLarge || error instanceof UnusableFile
      if (!isOfFile) await this.#drop(client)
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#client !== undefined) await this.#drop(this.#client)
  }

  async #drop(client: Promise<SftpClient>): Promise<void> {
    if (this.#client === client) this.#client = undefined
    const ended = client.then((open) => open.end())
    await within(end_ms, ended, () => new Error('the SFTP server does not close the connection')).catch(() => {})
  }

  async #connect(): Promise<SftpClient> {
    const { host, port, user: username, path, keyFile, hostKey, timeout_ms = 20_000 } = this.#options
    const lost = () => {
      this.#client = undefined
    }
    // Loaded on demand: most banks do not use it.
    const { default: Client } = await import('ssh2-sftp-client')
    const client = new Client('vostro', { error: lost, end: lost, close: lost })
    try {
      await client.connect({
        host,
        port,
        username,
        privateKey: await readFile(keyFile),
        hostVerifier: (key) => fingerprintOf(key) === hostKey,
        readyTimeout: timeout_ms,
        keepaliveInterval: 10_000,
      })
      for (const folder of folders) {
        const name = posix.join(path, folder)
        if ((await client.exists(name)) === false) await client.mkdir(name, true)
      }
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }
}

/** In the format of ssh-keygen. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`
}

/**
 * SFTP has no hard links. The file is uploaded under another name, synced to disk, and renamed. SFTP's plain rename fails if the name is
 * taken, unlike the POSIX rename, which could overwrite a file that was already read.
 */
async function send(client: SftpClient, folder: string, { name, bytes, sha256 }: OutgoingFile): Promise<void> {
  const final = posix.join(folder, name)
  if (await isThere(client, final, { name, bytes, sha256 })) return removeParts(client, folder, name)
  const part = posix.join(folder, `.${name}.${randomBytes(6).toString('hex')}.part`)
  await client.put(Buffer.from(bytes), part, { writeStreamOptions: { flags: 'wx', mode: fileMode } })
  await sync(client, part)
  try {
    await client.rename(part, final)
  } catch (error) {
    // Another instance was faster.
    if (!(await isThere(client, final, { name, bytes, sha256 }))) throw error
  }
  await removeParts(client, folder, name)
}

async function isThere(client: SftpClient, path: string, { name, bytes, sha256 }: OutgoingFile): Promise<boolean> {
  if ((await client.exists(path)) === false) return false
  const found = await read(client.sftp, path, { name, limit: bytes.length }).catch((error: unknown) => {
    if (error instanceof FileTooLarge || error instanceof UnusableFile) throw new DifferentFile(name)
    throw error
  })
  if (hash('sha256', found) !== sha256) throw new DifferentFile(name)
  return true
}

/** The library replaces invalid UTF-8 in a name, so no request can name the file. */
const isNoText = (name: string): boolean => name.includes('\uFFFD')

type Sftp = SftpClient['sftp']
type Stats = { size: number; mtime: number }

/** SFTP tells no more about a file. The time is in seconds. */
const identityOf = ({ size, mtime }: Stats): string => `${size} ${mtime}`

/** Several files may be listed under one name, because the library replaces characters. */
async function identityOfListed(client: SftpClient, folder: string, name: string): Promise<string> {
  const found = (await client.list(folder)).filter((entry) => entry.name === name)
  const identities = found.map(({ size, modifyTime }) => identityOf({ size, mtime: modifyTime / 1000 }))
  return identities.sort().join(', ')
}

/** Reads at most the size measured first, so that a growing file or a server that never stops sending cannot fill the memory. */
async function read(sftp: Sftp, path: string, { name, limit }: { name: string; limit: number }): Promise<Buffer> {
  const handle = await answered<Buffer>((done) => sftp.open(path, 'r', done))
  try {
    const { size, mtime } = await answered<Stats>((done) => sftp.fstat(handle, done))
    const identity = identityOf({ size, mtime })
    if (size > limit) throw new FileTooLarge(name, limit, identity)
    const bytes = Buffer.alloc(size)
    const starts = Array.from({ length: Math.ceil(size / chunk_bytes) }, (_, index) => index * chunk_bytes)
    const readOn = async () => {
      for (let start = starts.shift(); start !== undefined; start = starts.shift())
        await readChunk(sftp, handle, { name, identity, bytes, start })
    }
    await Promise.all(Array.from({ length: chunks_at_once }, readOn))
    const after = await answered<Stats>((done) => sftp.fstat(handle, done))
    if (after.size !== size) throw new UnusableFile(name, 'being_written', identity)
    return bytes
  } finally {
    await answered<void>((done) => sftp.close(handle, done)).catch(() => {})
  }
}

type Chunk = { name: string; identity: string; bytes: Buffer; start: number }

async function readChunk(sftp: Sftp, handle: Buffer, { name, identity, bytes, start }: Chunk): Promise<void> {
  const end = Math.min(start + chunk_bytes, bytes.length)
  // A server may return fewer bytes than requested.
  for (let at = start; at < end; ) {
    const count = await answered<number>((done) => sftp.read(handle, bytes, at, end - at, at, done))
    if (count === 0) throw new UnusableFile(name, 'being_written', identity)
    at += count
  }
}

function answered<Result>(ask: (done: (error: Error | null | undefined, result: Result) => void) => void): Promise<Result> {
  return new Promise((resolve, reject) => ask((error, result) => (error ? reject(error) : resolve(result))))
}

async function removeParts(client: SftpClient, folder: string, name: string): Promise<void> {
  const left = (await client.list(folder)).filter((entry) => entry.name.startsWith(`.${name}.`) && entry.name.endsWith('.part'))
  for (const entry of left) await client.delete(posix.join(folder, entry.name), true)
}

/** Servers other than OpenSSH may not support fsync; then the file counts as stored when they say so. */
async function sync({ sftp }: SftpClient, path: string): Promise<void> {
  const handle = await answered<Buffer>((done) => sftp.open(path, 'r+', done))
  try {
    await answered<void>((done) => sftp.ext_openssh_fsync(handle, done))
  } catch (error) {
    if (!/not supported|does not support/i.test((error as Error).message)) throw error
  } finally {
    await new Promise<void>((resolve) => sftp.close(handle, () => resolve()))
  }
}

async function listFiles(client: SftpClient, folder: string): Promise<string[]> {
  const files = (await client.list(folder)).filter(({ type, name }) => type === '-' && !name.startsWith('.'))
  return files.sort((one, other) => one.modifyTime - other.modifyTime || (one.name < other.name ? -1 : 1)).map(({ name }) => name)
}

type Moving = { from: string; folder: string; name: string }

/** The plain rename fails if the name is taken, perhaps by another file that is put away at the same time. Then the next number is tried. */
async function putAway(client: SftpClient, { from, folder, name }: Moving): Promise<void> {
  const taken = new Set((await client.list(folder)).map((entry) => entry.name))
  for (let number = 1; ; number++) {
    const free = awayName(name, number)
    if (taken.has(free)) continue
    if ((await client.exists(from)) === false) return
    const to = posix.join(folder, free)
    try {
      await client.rename(from, to)
      return
    } catch (error) {
      if ((await client.exists(to)) === false && (await client.exists(from)) !== false) throw error
    }
  }
}
