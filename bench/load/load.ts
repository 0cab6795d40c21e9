// Runs a load on the service and returns the figures.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type LoadSpec = {
  port: number
  connections: number
  seconds: number
  method: 'GET' | 'POST' | 'PUT'
  /** The keys, used in rotation. */
  paths: string[]
  keys: string[]
  /** Sent instead of a key. */
  headers?: Record<string, string>
  /** Used in rotation; `{n}` becomes unique text in each request. */
  bodies?: string[]
  /** Each path is requested once, and the load ends after the last one. */
  once?: boolean
  /** Sent by PUT to `<path>/<id of the response>` after each response, in turn. The whole sequence then counts as one operation. */
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

/** Figures with an unexpected status would be meaningless. */
export function requireStatus({ statuses }: LoadResult, expected: string): void {
  const others = Object.keys(statuses).filter((status) => status !== expected)
  if (others.length > 0) throw new Error(`expected only ${expected}, got ${JSON.stringify(statuses)}`)
}
