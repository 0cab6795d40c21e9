// Plants deliberate bugs in the product, one at a time, and shows for each whether its tests catch it.
//   npm run planted
//   npm run planted -- --only hold --only refund     bugs whose names begin so
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import type { Bug } from './planted.bug.ts'
import { bugs } from './planted.bugs.ts'
import { byFile, runTests, tryBug, type Verdict } from './planted.run.ts'

const help = `Plants deliberate bugs, one at a time, and runs the tests that are said to catch each.

  npm run planted                                  all ${bugs.length} bugs
  npm run planted -- --only hold --only refund     those whose names begin so
  npm run planted -- --list                        what there is

Exits with 1 if a bug is not caught, or if a test that catches one fails without it.`

/** For a machine with two processors. */
const atOnce = 2

/** An interrupt leaves no database behind. */
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

async function sideBySide<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items]
  const work = async () => {
    for (let item = rest.shift(); item !== undefined && !stop.signal.aborted; item = rest.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

function progress(of: number): (doing: string) => void {
  let done = 0
  return (doing) => {
    done++
    if (process.stderr.isTTY) redraw(`${barOf({ done, of })} ${done} of ${of}  ${doing}`)
    else console.error(`${done} of ${of}  ${doing}`)
    if (done === of && process.stderr.isTTY) process.stderr.write('\n')
  }
}

/** The tests must pass without a bug, or their failure would mean nothing. Returns those that do not. */
async function findFailing(chosen: readonly Bug[], tell: (doing: string) => void): Promise<string[]> {
  const failing: string[] = []
  await sideBySide([...byFile(chosen.flatMap(({ caughtBy }) => caughtBy))], async ([file, names]) => {
    for (const { name, passed, message } of await runTests(file, names)) if (!passed) failing.push(`${file}: ${name} (${message})`)
    tell(`without a bug: ${file}`)
  })
  return failing
}

async function tryAll(chosen: readonly Bug[], tell: (doing: string) => void): Promise<Map<Bug, Verdict>> {
  const verdicts = new Map<Bug, Verdict>()
  await sideBySide(chosen, async (bug) => {
    const verdict = await tryBug(bug)
    verdicts.set(bug, verdict)
    // Said at once: all bugs take most of an hour, and the table comes at the end.
    tell(verdict.caught ? bug.name : `${bug.name}: NOT CAUGHT`)
  })
  return verdicts
}

function tableOf(chosen: readonly Bug[], verdicts: ReadonlyMap<Bug, Verdict>): string {
  const width = Math.max(...chosen.map(({ name }) => name.length))
  const lines = chosen.flatMap((bug) => {
    const { caught = false, why = '', seconds = 0 } = verdicts.get(bug) ?? {}
    const tests = bug.caughtBy.map(({ file, name }) => `${file}: ${name}`)
    const [first = '', ...rest] = caught ? tests : [`NOT CAUGHT: ${why}`]
    const indent = ' '.repeat(width + 2)
    return [
      `${bug.name.padEnd(width)}  ${seconds.toFixed(1).padStart(5)}  ${first}`,
      ...rest.map((line) => `${indent}${' '.repeat(7)}${line}`),
    ]
  })
  return [`${'bug'.padEnd(width)}  ${'s'.padStart(5)}  caught by`, ...lines].join('\n')
}

async function main(chosen: readonly Bug[]): Promise<number> {
  const start = performance.now()
  const tell = progress(chosen.length + byFile(chosen.flatMap(({ caughtBy }) => caughtBy)).size)
  await globalSetup()
  try {
    const failing = await findFailing(chosen, tell)
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

function read(): Asked | undefined {
  try {
    const options = { only: { type: 'string', multiple: true }, list: { type: 'boolean' }, help: { type: 'boolean' } } as const
    return parseArgs({ options }).values
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

async function begin(): Promise<number> {
  const asked = read()
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
