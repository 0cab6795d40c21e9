// One of the two versions as users run it: in its own process, with its own durable database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isAlive, stopPostmaster } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { servicePorts } from '../../server/src/testing/testing.ports.ts'
import { startCommand } from '../../server/src/testing/testing.process.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { callsTo, postmasterOf, type Setup } from '../setup.ts'
import type { Checkout } from './against.checkout.ts'
import { CannotCompare } from './against.options.ts'

/** A start that takes longer has failed. */
const hopeless_ms = 300_000

export type RunningService = Pick<Setup, 'port' | 'watched' | 'call' | 'registerVenture'> & {
  adminKey: string
  /** Waits for an operation on the service; errors name the version. */
  within<Result>(what: string, act: Promise<Result>): Promise<Result>
}

/** Starts a version, and registers how to stop it in `stops` before anything can fail. `settings`: added to the common ones. */
export async function startService(
  { root, title }: Pick<Checkout, 'root' | 'title'>,
  stops: AsyncDisposableStack,
  signal: AbortSignal,
  settings: Record<string, string> = {},
): Promise<RunningService> {
  const dataDir = makeDataFolder('against')
  stops.defer(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort(servicePorts)
  const adminKey = makeKey('admin')
  const { flags, environment } = startCommand(root)
  // Both start with an empty cache; a warm cache for only one would distort the result.
  if (environment['NODE_COMPILE_CACHE'] !== undefined) environment['NODE_COMPILE_CACHE'] = join(dataDir, 'compiled')
  // A version may bring its own Node, found as npm finds it.
  const own = join(root, 'node_modules/.bin/node')
  const service = spawn(existsSync(own) ? own : process.execPath, [...flags, join(root, 'server/src/main.ts')], {
    // Only these settings apply: neither the caller's environment nor a .env file.
    cwd: dataDir,
    // The request log, which not every version has, is measured by bench:requests.
    env: { ...environment, PORT: String(port), DATA_DIR: dataDir, ADMIN_API_KEY: adminKey, REQUEST_LOG: 'off', ...settings },
    // The log is written to /dev/null: same cost as in production, but nothing is kept.
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C reaches the whole process group, and a second signal would end the service without its database.
    detached: true,
  })
  let said = ''
  service.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-10_000)
  })
  const ended = once(service, 'close').catch((error: Error) => {
    said = error.message
  })
  let hasEnded = false
  ended.then(() => {
    hasEnded = true
  })
  stops.defer(async () => {
    service.kill('SIGTERM')
    await ended
    // A crashed service leaves its database running.
    const postmaster = await postmasterOf(dataDir).catch(() => undefined)
    if (postmaster !== undefined && isAlive(postmaster)) await stopPostmaster({ pid: postmaster, port: 0 })
  })

  const within = async <Result>(what: string, act: Promise<Result>): Promise<Result> => {
    try {
      return await act
    } catch (error) {
      signal.throwIfAborted()
      // A lost connection is noticed before the exit that caused it.
      if (!hasEnded) await Promise.race([ended, sleep(500)])
      const reason = hasEnded ? `the service ended: ${said.trim() || 'it said nothing'}` : (error as Error).message
      throw new CannotCompare(`${what} failed with ${title}: ${reason}`)
    }
  }

  const untilReady = async () => {
    for (const deadline = Date.now() + hopeless_ms; ; await sleep(50, undefined, { signal })) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined)
      if (answer?.ok) return
      if (hasEnded) throw new Error('it ended')
      if (Date.now() > deadline) throw new Error(`it was not ready after ${hopeless_ms / 1000} s`)
    }
  }
  await within('Starting the service', untilReady())
  const watched = { service: service.pid ?? 0, postmaster: await within('Finding the database', postmasterOf(dataDir)) }
  return { port, adminKey, watched, ...callsTo(port, adminKey, signal), within }
}
