// An exchange over SFTP, with the same folders as on a disk. The server is known by its host key: nobody else gets a file.
import { hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type SftpClient from 'ssh2-sftp-client'
import { plainName } from './rails.exchange.folder.ts'
import { DifferentFile, type FileExchange, FileTooLarge, type OutgoingFile } from './rails.exchange.ts'

export type SftpOptions = { user: string; host: string; port: number; path: string; keyFile: string; hostKey: string; timeout_ms?: number }

const folders = ['in', 'out', 'taken', 'failed'] as const

export function sftpExchange(options: SftpOptions): FileExchange {
  const connection = new Connection(options)
  const at = (folder: (typeof folders)[number], name = '') => posix.join(options.path, folder, name)
  return {
    // Names are checked before anything is asked of the server.
    async send(file) {
      plainName(file.name)
      await connection.use((client) => send(client, at('out'), file))
    },
    list: () => connection.use((client) => listFiles(client, at('in'))),
    async read(name, limit) {
      const path = at('in', plainName(name))
      return connection.use(async (client) => {
        if ((await client.stat(path)).size > limit) throw new FileTooLarge(name, limit)
        const bytes = await client.get(path)
        // It may have grown since it was measured.
        if (bytes.length > limit) throw new FileTooLarge(name, limit)
        return bytes
      })
    },
    async putAway(name, where) {
      const from = at('in', plainName(name))
      await connection.use(async (client) => {
        if ((await client.exists(from)) === false) return
        await client.rename(from, await freeName(client, at(where), name))
      })
    },
    close: () => connection.close(),
  }
}

/** One connection at a time, made when it is needed and again after it was lost. */
class Connection {
  readonly #options: SftpOptions
  #client: Promise<SftpClient> | undefined

  constructor(options: SftpOptions) {
    this.#options = options
  }

  async use<Result>(work: (client: SftpClient) => Promise<Result>): Promise<Result> {
    this.#client ??= this.#connect()
    const client = this.#client
    try {
      return await work(await client)
    } catch (error) {
      // What is wrong with a file is no fault of the connection.
      if (!(error instanceof DifferentFile) && !(error instanceof FileTooLarge)) await this.#drop(client)
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#client !== undefined) await this.#drop(this.#client)
  }

  async #drop(client: Promise<SftpClient>): Promise<void> {
    if (this.#client === client) this.#client = undefined
    await client.then(
      (open) => open.end().catch(() => {}),
      () => {},
    )
  }

  async #connect(): Promise<SftpClient> {
    const { host, port, user: username, path, keyFile, hostKey, timeout_ms = 20_000 } = this.#options
    const lost = () => {
      this.#client = undefined
    }
    // Loaded when it is needed: most banks do not.
    const { default: Client } = await import('ssh2-sftp-client')
    const client = new Client('vostro', { error: lost, end: lost, close: lost })
    try {
      await client.connect({
        ...{ host, port, username, privateKey: await readFile(keyFile) },
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

/** As ssh-keygen shows it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`
}

/**
 * The protocol has no link. The file is uploaded under another name, brought to the disk, and renamed; the plain rename fails if the name is taken,
 * unlike the one of POSIX, which would overwrite what may have been read.
 */
async function send(client: SftpClient, folder: string, { name, bytes, sha256 }: OutgoingFile): Promise<void> {
  const final = posix.join(folder, name)
  if (await isThere(client, final, { name, bytes, sha256 })) return removeParts(client, folder, name)
  const part = posix.join(folder, `.${name}.${randomBytes(6).toString('hex')}.part`)
  await client.put(Buffer.from(bytes), part, { writeStreamOptions: { flags: 'wx', mode: 0o644 } })
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
  const { size } = await client.stat(path)
  if (size !== bytes.length || hash('sha256', await client.get(path)) !== sha256) throw new DifferentFile(name)
  return true
}

async function removeParts(client: SftpClient, folder: string, name: string): Promise<void> {
  const left = (await client.list(folder)).filter((entry) => entry.name.startsWith(`.${name}.`) && entry.name.endsWith('.part'))
  for (const entry of left) await client.delete(posix.join(folder, entry.name), true)
}

/** Servers other than OpenSSH may not know how to bring a file to the disk; then it is there when they say that they have it. */
async function sync({ sftp }: SftpClient, path: string): Promise<void> {
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, 'r+', (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  try {
    await new Promise<void>((resolve, reject) => sftp.ext_openssh_fsync(handle, (error) => (error ? reject(error) : resolve())))
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

/** A name that is taken gets a number: nothing that was read is overwritten. */
async function freeName(client: SftpClient, folder: string, name: string): Promise<string> {
  const taken = new Set((await client.list(folder)).map((entry) => entry.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}.${number}`
  return posix.join(folder, free)
}
