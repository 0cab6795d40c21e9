// A checkout builds its console after it has started, in a separate process, so that nobody waits for it.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Logger } from '../platform/log.ts'
import { consoleFolder } from './desk.files.ts'

/** Whether the sources, a writable folder and the build tools are present. An image has only the result of a build. */
export function canBuild(folder = consoleFolder): boolean {
  try {
    const builder = join(folder, 'build.ts')
    accessSync(builder, constants.R_OK)
    accessSync(folder, constants.W_OK)
    createRequire(builder).resolve('vite')
    return true
  } catch {
    return false
  }
}

/** Builds what has changed since the last build. The process ends when it is done, or when the service stops. */
export function buildConsole(log: Logger, folder = consoleFolder): { stop(): void; ended: Promise<void> } {
  const child = spawn(process.execPath, [join(folder, 'build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  let isStopped = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      log.warn({ err: error }, 'the console could not be built')
      resolve()
    })
    child.once('close', (code) => {
      if (code === 0) log.debug(said.trim())
      else if (!isStopped) log.warn({ said }, 'the console could not be built: npm run build -w console shows why')
      resolve()
    })
  })
  const stop = () => {
    isStopped = true
    child.kill('SIGKILL')
  }
  return { stop, ended }
}
