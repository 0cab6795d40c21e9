// Prevents two Vostro processes from using the same data folder.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'

/** A listening socket serves as the lock, because the kernel closes it however the process ends. `dataDir` must be a real path. */
export async function lockFolder(dataDir: string, platform: string = process.platform): Promise<{ release(): Promise<void> }> {
  const hash = createHash('sha256').update(dataDir).digest('hex')
  // Linux's abstract sockets leave no file behind. Elsewhere a file is needed, with a name short enough for a socket (104 bytes).
  const path = platform === 'linux' ? `\0vostro-${hash}` : join(tmpdir(), `vostro-${hash.slice(0, 24)}.sock`)
  if (platform !== 'linux' && !(await isAnswered(path))) rmSync(path, { force: true })
  const server = await listenPatiently(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartupError(`The data folder ${dataDir} is in use by another Vostro: stop it, or set DATA_DIR to another folder.`)
    throw new StartupError(`The data folder ${dataDir} could not be locked: ${error.message}.`)
  })
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** The socket of a process that was just killed may stay open for a moment. */
async function listenPatiently(path: string): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await listen(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === 20) throw error
      await sleep(50)
    }
  }
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen({ path, exclusive: true }, () => resolve(server.unref()))
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
