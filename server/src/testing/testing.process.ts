// The real service as a separate process, for tests that start, stop and kill it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
export const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const running: ServiceProcess[] = []

/** The flags and environment of `npm start`, here or in another checkout, because they are part of what users run. */
export function startCommand(checkout = root): { flags: string[]; environment: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ')
  const settings = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=') as [string, string])
  return {
    // A path in a flag is relative to the checkout, but the process may run in another folder.
    flags: words.filter((word) => word.startsWith('--')).map((flag) => flag.replace('=./', `=${join(checkout, '/')}`)),
    environment: Object.fromEntries(
      settings.map(([name, value]) => [name, value.startsWith('node_modules/') ? join(checkout, value) : value]),
    ),
  }
}

export class ServiceProcess {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: string | null }>
  stdout = ''
  stderr = ''

  /** `checkout`: another checkout than this one. */
  constructor(settings: Record<string, string>, { checkout }: { checkout?: string } = {}) {
    const { flags, environment } = startCommand(checkout)
    const script = checkout === undefined ? main : join(checkout, 'server/src/main.ts')
    // Only these settings apply, not the environment of the test runner.
    const env = { ...environment, ...settings }
    this.child = spawn(process.execPath, [...flags, script], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.child.stdout?.on('data', (text) => {
      this.stdout += text
    })
    this.child.stderr?.on('data', (text) => {
      this.stderr += text
    })
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }))
    running.push(this)
  }

  /** Waits for the line that reports readiness, and returns the URL in it. */
  async ready(): Promise<string> {
    for (;;) {
      const [, url] = /^Vostro is ready on (http:\S+)$/m.exec(this.stdout) ?? []
      if (url !== undefined) return url
      if (this.child.stdout?.readableEnded) throw new Error(`It ended instead of being ready: ${this.stderr}`)
      await sleep(5)
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' | 'SIGHUP') {
    this.child.kill(signal)
    return this.ended
  }
}

export async function stopProcesses(): Promise<void> {
  for (const process of running.splice(0)) await process.stop('SIGTERM')
}

/** Repeats a request, as every client should, while the service says that it is too busy and has changed nothing. */
export async function fetchPatiently(url: string, request: RequestInit = {}): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, request)
    if (answer.status !== 503 || tries === 60) return answer
    const { code } = (await answer.clone().json()) as { code?: string }
    if (code !== 'unavailable') return answer
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  }
}
