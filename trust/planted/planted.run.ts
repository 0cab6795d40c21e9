// Runs named tests of one file in a process of their own, with or without a bug in the product, and returns the result of each.
import { execFile } from 'node:child_process'
import { type Bug, type Change, type NamedTest, pathOf } from './planted.bug.ts'
import { isOfConsole, withConsole } from './planted.console.ts'
import { type Ending, mark } from './planted.reporter.ts'

/** Against hangs: on an idle machine no test that is named here takes a minute. */
const longest_ms = 300_000
/** A test that is expected to hang is given less time: nobody wants to wait for what will not happen. */
const longestToHang_ms = 120_000

const own = (file: string) => new URL(file, import.meta.url).href

/** The tests need the database that a global setup has started and passed on. */
export async function runTests(file: string, names: readonly string[], change?: Change, timeout_ms = longest_ms): Promise<Ending[]> {
  const flags = [
    '--conditions=@vostro/source',
    `--test-reporter=${own('planted.reporter.ts')}`,
    '--test-reporter-destination=stdout',
    ...names.map((name) => `--test-name-pattern=^${RegExp.escape(name)}$`),
    ...(change === undefined ? [] : [`--import=${seamOf(change)}`]),
  ]
  const { output, hung } = await outputOf([...flags, pathOf(file)], timeout_ms)
  const endings = output.split('\n').flatMap((line) => (line.startsWith(mark) ? [JSON.parse(line.slice(mark.length)) as Ending] : []))
  return names.map(
    (name) => endings.find((ending) => ending.name === name) ?? { name, passed: false, asserted: false, hung, message: unheard(output) },
  )
}

function seamOf({ file, find, replace }: Change): string {
  const seam = new URL('planted.seam.ts', import.meta.url)
  seam.searchParams.set('change', JSON.stringify({ file, find, replace }))
  return seam.href
}

function unheard(output: string): string {
  const said = output.split('\n').find((line) => /error|exception/i.test(line)) ?? ''
  return `it did not run to its end: ${said.trim()}`
}

function outputOf(args: readonly string[], timeout: number): Promise<{ output: string; hung: boolean }> {
  // biome-ignore lint/style/noProcessEnv: the tests find their database there; they must not take themselves for a part of the run around them, nor keep code with a bug in it.
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: __, ...env } = process.env
  return new Promise((resolve) => {
    // The exit code says less than the result lines.
    execFile(process.execPath, args, { env, timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ output: `${stdout}\n${stderr}`, hung: error?.killed === true && error.signal === 'SIGKILL' }),
    )
  })
}

export type Verdict = { caught: boolean; why: string; seconds: number }

type Tried = Change & Pick<Bug, 'caughtBy' | 'hangs'>

/** A bug is caught when each of its named tests fails by an assertion, or hangs as it is said to: a file that cannot be loaded shows nothing. */
export async function tryBug(bug: Tried, timeout_ms = bug.hangs ? longestToHang_ms : longest_ms): Promise<Verdict> {
  const start = performance.now()
  // The console's own tests run its source; all others see it in a browser, built.
  const isBuilt = isOfConsole(bug) && !bug.caughtBy.every(isOfConsole)
  const faults = isBuilt ? await withConsole(bug, (served) => faultsOf(bug, served, timeout_ms)) : await faultsOf(bug, bug, timeout_ms)
  return { caught: faults.length === 0, why: faults.join('; '), seconds: (performance.now() - start) / 1000 }
}

async function faultsOf({ caughtBy, hangs }: Tried, change: Change, timeout_ms: number): Promise<string[]> {
  const faults: string[] = []
  for (const [file, names] of byFile(caughtBy)) {
    for (const { name, passed, asserted, hung, message } of await runTests(file, names, change, timeout_ms)) {
      if (hangs && hung) continue
      if (passed) faults.push(`passes with the bug: ${name}`)
      else if (!asserted) faults.push(`failed by something else than an assertion: ${name} (${message})`)
    }
  }
  return faults
}

export function byFile(tests: readonly NamedTest[]): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const { file, name } of tests) {
    const names = files.get(file) ?? []
    if (!names.includes(name)) names.push(name)
    files.set(file, names)
  }
  return files
}
