// npm test and npm run test:deep: lint, types and test files, a few at a time. See --help.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../server/src/platform/progress.ts'
import { globalSetup, globalTeardown } from '../server/src/testing/testing.setup.ts'
import { filesOf, partOf } from './tests.files.ts'
import { type Job, type Result, runJobs } from './tests.pool.ts'
import { keepRecords, type Records, readRecords, sourcesOf } from './tests.records.ts'
import { describeFailure, describeResult, summaryOf } from './tests.report.ts'

const usage = `npm test -- [options], npm run test:deep -- [options]

npm test runs lint, types and the test files that do not take long. npm run test:deep runs every test file.

  --part K/N     the Kth of N parts, which take about the same time
  --resume       leaves out what has passed since the sources last changed
  --only TEXT    files with this text in their path; may be given several times
  --lanes N      how many run at the same time; by default two more than there are processors, at most 4
  --times        says how long each file took when it was last run, and runs nothing
  --help         this text

Exit code 0 if everything passed, 1 if something failed, 2 if the options are wrong.`

const root = fileURLToPath(new URL('..', import.meta.url))
const timeout_ms = 900_000
const ending_ms = 20_000

type Wanted = { deep: boolean; part: { k: number; n: number }; resume: boolean; only: string[]; lanes: number; times: boolean }

class UsageError extends Error {}

function readOptions(): Wanted | undefined {
  const { values } = parseArgs({
    options: {
      deep: { type: 'boolean', default: false },
      part: { type: 'string', default: '1/1' },
      resume: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      lanes: { type: 'string', default: String(Math.min(4, availableParallelism() + 2)) },
      times: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const [k = 0, n = 0] = /^\d+\/\d+$/.test(values.part) ? values.part.split('/').map(Number) : []
  if (k < 1 || n < k) throw new UsageError(`--part takes a part such as 2/3, not ${values.part}`)
  const lanes = Number(values.lanes)
  if (!Number.isInteger(lanes) || lanes < 1) throw new UsageError(`--lanes takes a whole number from 1 on, not ${values.lanes}`)
  return { deep: values.deep, part: { k, n }, resume: values.resume, only: values.only, lanes, times: values.times }
}

function jobsOf({ deep, part, resume, only }: Wanted, records: Records, sources: string | undefined): { jobs: Job[]; leftOut: number } {
  const commands: Job[] = ['lint', 'types'].map((name) => ({ name, command: ['npm', 'run', '-s', name] }))
  const files = filesOf(root, deep).filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)))
  if (files.length === 0) throw new UsageError(`no test file has ${only.join(' or ')} in its path`)
  const all = only.length === 0 && part.k === 1 ? [...commands, ...partOf(root, files, part, records)] : partOf(root, files, part, records)
  const hasPassed = ({ name }: Job) => resume && sources !== undefined && records[name]?.passed === sources
  const jobs = all.filter((job) => !hasPassed(job))
  return { jobs, leftOut: all.length - jobs.length }
}

async function run(wanted: Wanted): Promise<boolean> {
  const sources = sourcesOf(root)
  const records = readRecords(root)
  const { jobs, leftOut } = jobsOf(wanted, records, sources)
  if (leftOut > 0) console.log(`${leftOut} have passed since the sources last changed, and are left out.`)
  const results: Result[] = []
  const isTerminal = process.stderr.isTTY === true
  const start_ms = performance.now()
  const show = () => {
    if (isTerminal) redraw(`${barOf({ done: results.length, of: jobs.length })} ${results.length} of ${jobs.length}`)
  }
  const onResult = (result: Result) => {
    results.push(result)
    if (isTerminal) redraw('')
    console.log(describeResult(result))
    for (const line of describeFailure(result)) console.log(line)
    keepRecords(root, records, result, sources)
    show()
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  show()
  const needsBank = jobs.some(({ command }) => command === undefined)
  const ready = needsBank ? globalSetup() : Promise.resolve()
  try {
    await runJobs(jobs, { cwd: root, lanes: wanted.lanes, ready, timeout_ms, ending_ms, onResult }, stop.signal)
  } finally {
    await ready.then(globalTeardown, () => {})
  }
  if (isTerminal) redraw('')
  const { text, isFine } = summaryOf(results, performance.now() - start_ms)
  console.log(text)
  if (stop.signal.aborted) console.log(`Stopped. ${jobs.length - results.length} were not run; --resume goes on.`)
  return isFine && !stop.signal.aborted
}

try {
  const wanted = readOptions()
  if (wanted === undefined) console.log(usage)
  else if (wanted.times) for (const line of timesOf(readRecords(root))) console.log(line)
  else process.exitCode = (await run(wanted)) ? 0 : 1
} catch (error) {
  const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
  console.error(isUsage ? `${(error as Error).message}\n\n${usage}` : error)
  process.exitCode = 2
}

function timesOf(records: Records): string[] {
  const slowest = Object.entries(records).sort(([, a], [, b]) => b.ms - a.ms)
  const seconds = (ms: number | undefined) => (ms === undefined ? '' : (ms / 1000).toFixed(1)).padStart(7)
  return [
    `${'s'.padStart(7)} ${'CPU s'.padStart(7)}`,
    ...slowest.map(([name, { ms, cpu_ms }]) => `${seconds(ms)} ${seconds(cpu_ms)}  ${name}`),
  ]
}
