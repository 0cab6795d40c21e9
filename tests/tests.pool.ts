// Runs test files in lanes (tests.lane.ts) and commands beside them, a few at a time.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FromLane, Outcome } from './tests.lane.reporter.ts'

/** A test file, or a command such as lint. `alone`: the file gets its own process. */
export type Job = { name: string; alone?: boolean; command?: readonly string[] }

/**
 * `cpu_ms`: the CPU time of a test file's process. `before`: the files that this process ran before. `output`: what was printed during the run. `failure`: why it failed apart from its tests.
 */
export type Result = {
  name: string
  ms: number
  cpu_ms?: number
  before?: readonly string[]
  outcomes: Outcome[]
  output: string
  failure: string | undefined
}

export const hasFailed = ({ outcomes, failure }: Result): boolean =>
  failure !== undefined || outcomes.some(({ error }) => error !== undefined)

type Options = {
  cwd: string
  lanes: number
  /** Lanes start when this exists. Commands do not wait. */
  ready: Promise<void>
  timeout_ms: number
  /** How long an idle lane may take to exit. */
  ending_ms: number
  onResult(result: Result): void
}

/** A lane that uses more memory is replaced. */
const mostRss_mb = 1_500

/**
 * A test belongs to the file in whose asynchronous context it is registered. If the top level of a file has awaited a promise that another file
 * created and the process keeps, that is the other file, which has ended.
 */
const noTest = 'it ran no test of its own: does it await, before its tests, something that another file has made?'

const laneArguments = [
  // Most of what a test allocates is garbage at once.
  '--max-semi-space-size=32',
  '--conditions=@vostro/source',
  '--no-warnings',
  `--test-reporter=${fileURLToPath(new URL('tests.lane.reporter.ts', import.meta.url))}`,
]

export async function runJobs(jobs: readonly Job[], options: Options, stop?: AbortSignal): Promise<void> {
  const waiting = [...jobs]
  const take = (): Job | undefined => (stop?.aborted ? undefined : waiting.shift())
  await Promise.all(Array.from({ length: options.lanes }, () => work(take, options, stop)))
}

async function work(take: () => Job | undefined, options: Options, stop: AbortSignal | undefined): Promise<void> {
  let lane: Lane | undefined
  for (let job = take(); job !== undefined; job = take()) {
    if (job.command !== undefined) {
      options.onResult(await runCommand(job.name, job.command, options, stop))
      continue
    }
    await options.ready
    const own = job.alone === true || lane === undefined ? new Lane(options, stop) : lane
    const result = await own.run(job.name)
    if (job.alone !== true && own.clockMoved)
      result.failure ??= 'it has moved the clock of its process: give it a row under `alone` in tests.tiers.ts'
    if (job.alone !== true) lane = own.isUsable ? own : undefined
    if (own !== lane) await own.close(result)
    options.onResult(result)
  }
  if (lane === undefined) return
  const files = lane.files.join(', ')
  const result: Result = { name: `the end of a process that ran ${files}`, ms: 0, outcomes: [], output: '', failure: undefined }
  await lane.close(result)
  if (hasFailed(result)) options.onResult(result)
}

class Lane {
  readonly #child: ChildProcess
  readonly #options: Options
  readonly #exited: Promise<unknown[]>
  readonly files: string[] = []
  #current: { result: Result; end: (failure?: string) => void } | undefined
  #rss_mb = 0
  clockMoved = false
  /** A process in which a test has failed ends with the code 1. */
  #hasFailed = false

  constructor(options: Options, stop: AbortSignal | undefined) {
    this.#options = options
    this.#child = fork(new URL('tests.lane.ts', import.meta.url), {
      cwd: options.cwd,
      execArgv: laneArguments,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      ...(stop !== undefined && { signal: stop }),
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (this.#current !== undefined) this.#current.result.output += text
      })
    this.#child.on('message', (message: FromLane) => this.#hear(message))
    this.#child.on('error', () => {})
    this.#child.on('exit', (code, signal) => this.#current?.end(`its process ended with ${signal ?? `the code ${code}`}`))
    this.#exited = once(this.#child, 'exit').catch(() => [null, 'error'])
  }

  get isUsable(): boolean {
    return this.#child.connected && !this.#child.killed && !this.clockMoved && this.#rss_mb < mostRss_mb
  }

  async run(file: string): Promise<Result> {
    const result: Result = { name: file, ms: 0, before: [...this.files], outcomes: [], output: '', failure: undefined }
    this.files.push(file)
    const start_ms = performance.now()
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    this.#current = { result, end: resolve }
    const timer = setTimeout(() => {
      resolve(`it did not end within ${this.#options.timeout_ms / 1000} s`)
      this.#child.kill('SIGKILL')
    }, this.#options.timeout_ms)
    if (this.#child.connected) this.#child.send(file)
    result.failure = await promise
    if (result.outcomes.every(({ nesting }) => nesting === 0)) result.failure ??= noTest
    clearTimeout(timer)
    this.#current = undefined
    result.ms = performance.now() - start_ms
    return result
  }

  #hear(message: FromLane): void {
    if ('outcome' in message) {
      this.#current?.result.outcomes.push(message.outcome)
      this.#hasFailed ||= message.outcome.error !== undefined
    } else if ('ended' in message) {
      if (this.#current !== undefined) this.#current.result.cpu_ms = message.cpu_ms
      this.#rss_mb = message.rss_mb
      this.clockMoved = message.clockMoved
      this.#current?.end()
    }
  }

  /** A file that has left something open keeps the process from ending, which is a failure of `result`. */
  async close(result: Result): Promise<void> {
    this.#current = { result, end: () => {} }
    if (this.#child.connected) this.#child.disconnect()
    const late = setTimeout(() => {
      result.failure ??= `something is still open: the process did not end within ${this.#options.ending_ms / 1000} s`
      this.#child.kill('SIGKILL')
    }, this.#options.ending_ms)
    const [code] = await this.#exited
    clearTimeout(late)
    if (code !== 0 && !this.#hasFailed) result.failure ??= `its process ended with the code ${code}`
  }
}

async function runCommand(name: string, [program = '', ...args]: readonly string[], { cwd }: Options, stop?: AbortSignal): Promise<Result> {
  const start_ms = performance.now()
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...(stop !== undefined && { signal: stop }) })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close').catch((error: Error) => [error.message])
  return {
    name,
    ms: performance.now() - start_ms,
    outcomes: [],
    output,
    failure: code === 0 ? undefined : `it ended with the code ${code}`,
  }
}
