// Puts load on the service and tells what came back.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type LoadSpec = {
  port: number
  connections: number
  seconds: number
  method: 'GET' | 'POST' | 'PUT'
  /** Taken in turn. */
  paths: string[]
  keys: string[]
  /** Taken in turn; `{n}` becomes a text that is different in each request. */
  bodies?: string[]
  /** Each path is asked for once, and the load ends when all have been. */
  once?: boolean
  /** After each answer, in turn: what is sent to `<path>/<id of the answer>` by PUT. The whole is then what is counted. */
  moves?: string[]
}

export type LoadResult = { perSecond: number; p50_ms: number; p99_ms: number; statuses: Record<string, number> }

export function load(spec: LoadSpec, signal?: AbortSignal): Promise<LoadResult> {
  const worker = fork(fileURLToPath(new URL('load.worker.ts', import.meta.url)), signal === undefined ? {} : { signal })
  return new Promise((resolve, reject) => {
    worker.on('message', (result: LoadResult | { failure: string }) => {
      if ('failure' in result) reject(new Error(`the load generator failed: ${result.failure}`))
      else resolve(result)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the load generator ended before it had a result')))
    worker.send(spec)
  })
}

/** A figure of a run in which anything but the expected status came back would mean nothing. */
export function requireStatus({ statuses }: LoadResult, expected: string): void {
  const others = Object.keys(statuses).filter((status) => status !== expected)
  if (others.length > 0) throw new Error(`expected only ${expected}, got ${JSON.stringify(statuses)}`)
}
