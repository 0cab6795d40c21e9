// Runs the test file of a bug in its own process, with or without the bug in the product.

import { type Ended, Runner } from '../mutation/mutation.run.ts'
import type { Change } from '../mutation/mutation.seam.ts'
import type { Bug } from './planted.bug.ts'
import { isOfConsole, withConsole } from './planted.console.ts'
import { changeOf } from './planted.place.ts'

/** Detects hangs: on an idle machine, none of these tests takes a minute. */
const longest_ms = 300_000
/** A test that is expected to hang is given less time. */
const longestToHang_ms = 120_000

export type Verdict = { caught: boolean; why: string; seconds: number }

export type Catching = Pick<Bug, 'caughtBy' | 'test' | 'hangs'>

/** Undefined if the test passes without the bug. Otherwise, failing with the bug proves nothing. */
export async function faultWithout(catching: Catching): Promise<string | undefined> {
  const ended = await runCatching(catching, undefined, longest_ms)
  return ended.broken ?? ended.failed?.error ?? (ended.passed === 0 ? 'there is no such test' : undefined)
}

export function tryBug(bug: Bug): Promise<Verdict> {
  return tryChange(changeOf(bug), bug)
}

/** A bug is caught if its test fails by an assertion, or hangs as declared. A file that cannot be loaded proves nothing. */
export async function tryChange(
  change: Change,
  catching: Catching,
  timeout_ms = catching.hangs ? longestToHang_ms : longest_ms,
): Promise<Verdict> {
  const start = performance.now()
  // The console's own tests run its source; all others use the built console in a browser.
  const isBuilt = isOfConsole(change.path) && !isOfConsole(catching.caughtBy)
  const run = (planted: Change) => runCatching(catching, planted, timeout_ms)
  const ended = isBuilt ? await withConsole(change, run) : await run(change)
  const why = whyNotCaught(ended, catching.hangs === true)
  return { caught: why === undefined, why: why ?? '', seconds: (performance.now() - start) / 1000 }
}

async function runCatching({ caughtBy, test }: Catching, change: Change | undefined, timeout_ms: number): Promise<Ended> {
  const runner = new Runner({ ...(change !== undefined && { change }), ...(test !== undefined && { names: [test] }) })
  try {
    return await runner.run(caughtBy, timeout_ms)
  } finally {
    await runner.close()
  }
}

function whyNotCaught({ failed, asserted, hung, broken, passed }: Ended, hangs: boolean): string | undefined {
  if (asserted) return undefined
  if (hung && hangs) return undefined
  if (failed !== undefined) return `failed, but not by an assertion: ${failed.name}: ${failed.error?.split('\n', 1)[0]}`
  if (broken !== undefined) return `failed, but not by an assertion: ${broken}`
  return passed === 0 ? 'no test has run' : 'passes with the bug'
}
