// Reports the outcome of each test, and the end of each file, to the parent of a lane.
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { aheadBy_s } from '../server/src/platform/clock.ts'

/** `nesting`: 0 for the file itself, which fails if it cannot be loaded or one of its hooks fails. */
export type Outcome = {
  name: string
  nesting: number
  isSuite: boolean
  ms: number
  skipped: string | undefined
  error: string | undefined
}

/**
 * `cpu_ms`: the CPU time of the process for this file, without PostgreSQL and other processes. `clockMoved`: the clock of the process is
 * permanently ahead, which the next file would not expect.
 */
export type FromLane = { outcome: Outcome } | { ended: string; cpu_ms: number; rss_mb: number; clockMoved: boolean }

const prefix = 'end of '

/** The name of the last test. */
export const endOf = (file: string): string => `${prefix}${file}`

// biome-ignore lint/style/noDefaultExport: Node.js expects reporters as default exports.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let before = process.cpuUsage()
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, nesting, details } = data
      if (nesting === 0 && name.startsWith(prefix)) {
        const { user, system } = process.cpuUsage(before)
        before = process.cpuUsage()
        send({
          ended: name.slice(prefix.length),
          cpu_ms: Math.round((user + system) / 1000),
          rss_mb: Math.round(process.memoryUsage.rss() / 1e6),
          clockMoved: aheadBy_s() > 0,
        })
        continue
      }
      const { skip } = data
      const skipped = skip === undefined || skip === false ? undefined : skip === true ? '' : skip
      const error = type === 'test:fail' ? errorOf(data.details.error) : undefined
      send({ outcome: { name, nesting, isSuite: details.type === 'suite', ms: details.duration_ms, skipped, error } })
    }
  }
  yield ''
}

function send(message: FromLane): void {
  // The parent closes the channel when it needs nothing more.
  if (process.connected) process.send?.(message)
}

/** Nested failures have been reported already. */
function errorOf(error: Error & { failureType?: string }): string | undefined {
  if (error.failureType === 'subtestsFailed') return undefined
  return inspect(error.cause ?? error, { depth: 5, maxStringLength: 10_000 })
}
