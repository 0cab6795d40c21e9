// Plants deliberate bugs in the product, one at a time, and reports for each whether its test catches it. See --help.
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import { sideBySide } from '../mutation/mutation.run.ts'
import type { Bug } from './planted.bug.ts'
import { bugs } from './planted.bugs.ts'
import { faultWithout, tryBug, type Verdict } from './planted.run.ts'

const help = `Plants deliberate bugs, one at a time, and runs the test that is said to catch each.

  npm run planted                                  all ${bugs.length} bugs
  npm run planted -- --only hold --only refund     those whose names begin so
  npm run planted -- --list                        what there is

Exits with 1 if a bug is not caught, or if a test that catches one fails without it.`

/** For a machine with two processors. */
const atOnce = 2

/** An interrupt leaves no database behind. */
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

function progress(of: number): (doing: string) => void {
  let done = 0
  return (doing) => {
    done++
    if (process.stderr.isTTY) redraw(`${barOf({ done, of })} ${done} of ${of}  ${doing}`)
    else console.error(`${done} of ${of}  ${doing}`)
    if (done === of && process.stderr.isTTY) process.stderr.write('\n')
  }
}

const nameOf = ({ caughtBy, test }: Pick<Bug, 'caughtBy' | 'test'>): string => (test === undefined ? caughtBy : `${caughtBy}: ${test}`)

/** The tests must pass without a bug, otherwise their failure proves nothing. Returns those that fail. */
async function findFailing(tests: readonly Bug[], tell: (doing: string) => void): Promise<string[]> {
  const failing: string[] = []
  await sideBySide(atOnce, tests, stop.signal, async (catching) => {
    const fault = await faultWithout(catching)
    if (fault !== undefined) failing.push(`${nameOf(catching)} (${fault.split('\n', 1)[0]})`)
    tell(`without a bug: ${catching.caughtBy}`)
  })
  return failing
}

async function tryAll(chosen: readonly Bug[], tell: (doing: string) => void): Promise<Map<Bug, Verdict>> {
  const verdicts = new Map<Bug, Verdict>()
  await sideBySide(atOnce, chosen, stop.signal, async (bug) => {
    const verdict = await tryBug(bug)
    verdicts.set(bug, verdict)
    // The table comes only at the end.
    tell(verdict.caught ? bug.name : `${bug.name}: NOT CAUGHT`)
  })
  return verdicts
}

function tableOf(chosen: readonly Bug[], verdicts: ReadonlyMap<Bug, Verdict>): string {
  const width = Math.max(...chosen.map(({ name }) => name.length))
  const lines = chosen.map((bug) => {
    const { caught = false, why = '', seconds = 0 } = verdicts.get(bug) ?? {}
    return `${bug.name.padEnd(width)}  ${seconds.toFixed(1).padStart(5)}  ${caught ? nameOf(bug) : `NOT CAUGHT: ${why}`}`
  })
  return [`${'bug'.padEnd(width)}  ${'s'.padStart(5)}  caught by`, ...lines].join('\n')
}

async function main(chosen: readonly Bug[]): Promise<number> {
  const start = performance.now()
  const tests = [...new Map(chosen.map((bug) => [nameOf(bug), bug])).values()]
  const tell = progress(chosen.length + tests.length)
  await globalSetup()
  try {
    const failing = await findFailing(tests, tell)
    const verdicts = await tryAll(chosen, tell)
    if (stop.signal.aborted) return 130
    console.log(tableOf(chosen, verdicts))
    for (const test of failing) console.log(`fails without any bug: ${test}`)
    const caught = [...verdicts.values()].filter((verdict) => verdict.caught).length
    console.log(`\n${caught} of ${chosen.length} bugs caught in ${((performance.now() - start) / 1000).toFixed(0)} s.`)
    return caught === chosen.length && failing.length === 0 ? 0 : 1
  } finally {
    await globalTeardown()
  }
}

type Asked = { only?: string[]; list?: boolean; help?: boolean }

function readOptions(): Asked | undefined {
  try {
    const options = { only: { type: 'string', multiple: true }, list: { type: 'boolean' }, help: { type: 'boolean' } } as const
    return parseArgs({ options }).values
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

async function begin(): Promise<number> {
  const asked = readOptions()
  if (asked === undefined) return 2
  if (asked.help) {
    console.log(help)
    return 0
  }
  const { only = [''] } = asked
  const chosen = bugs.filter(({ name }) => only.some((beginning) => name.startsWith(beginning)))
  if (asked.list) {
    for (const { name, about } of chosen) console.log(`${name}: ${about}`)
    return 0
  }
  if (chosen.length > 0) return main(chosen)
  console.error('There is no such bug: npm run planted -- --list')
  return 2
}

process.exitCode = await begin()
