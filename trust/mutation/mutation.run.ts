// Starts processes that run test files, with or without a change in the product, and collects the results.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromLane, Outcome } from '../../tests/tests.lane.reporter.ts'
import type { Called } from './mutation.child.ts'
import { type Change, seamOf } from './mutation.seam.ts'
import { root } from './mutation.source.ts'

/** The result of a test file. `broken`: why it did not end normally. */
export type Ended = {
  file: string
  ms: number
  /** The first test that failed. */
  failed: Outcome | undefined
  /** Whether an assertion failed, in a test or in a hook. */
  asserted: boolean
  passed: number
  hung: boolean
  broken: string | undefined
  called: Called
}

type Options = { change?: Change; coverage?: boolean; names?: readonly string[] }

const own = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Runs test files one after another in one process, which must be closed. */
export class Runner {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #heard: (message: FromLane | { called: Called }) => void = () => {}
  #end: (broken: string) => void = () => {}
  #output = ''

  constructor({ change, coverage = false, names = [] }: Options) {
    const patterns = names.length === 0 ? [] : ['end of ', ...names.map((name) => `${RegExp.escape(name)}$`)]
    // biome-ignore lint/style/noProcessEnv: the tests find their database there, and must not think that they are part of the surrounding run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    this.#child = fork(own('mutation.child.ts'), coverage ? ['--coverage'] : [], {
      cwd: root,
      // In the temporary folder of the run, because compiled code of a mutant must not be cached.
      env: { ...env, NODE_COMPILE_CACHE: join(tmpdir(), 'compiled') },
      execArgv: [
        '--conditions=@vostro/source',
        '--no-warnings',
        `--test-reporter=${own('../../tests/tests.lane.reporter.ts')}`,
        ...patterns.map((pattern) => `--test-name-pattern=^${pattern}`),
        ...(change === undefined ? [] : [`--import=${seamOf({ ...change, path: join(root, change.path) })}`]),
      ],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-20_000)
      })
    this.#child.on('message', (message: FromLane | { called: Called }) => this.#heard(message))
    this.#child.on('error', () => {})
    this.#exited = once(this.#child, 'exit').then(
      ([code, signal]) => this.#end(`its process ended with ${signal ?? `the code ${code}`}`),
      () => this.#end('its process did not start'),
    )
  }

  get isUsable(): boolean {
    return this.#child.connected && this.#child.exitCode === null
  }

  async run(file: string, timeout_ms: number): Promise<Ended> {
    const ended: Ended = { file, ms: 0, failed: undefined, asserted: false, passed: 0, hung: false, broken: undefined, called: {} }
    const start = performance.now()
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    this.#output = ''
    this.#end = resolve
    this.#heard = (message) => {
      if ('called' in message) ended.called = message.called
      else if ('ended' in message) resolve(undefined)
      else if (message.outcome.error !== undefined) {
        ended.failed ??= message.outcome
        ended.asserted ||= message.outcome.error.includes('ERR_ASSERTION')
      } else if (message.outcome.skipped === undefined && !message.outcome.isSuite) ended.passed++
    }
    const timer = setTimeout(() => {
      ended.hung = true
      resolve(`it did not end within ${Math.round(timeout_ms / 1000)} s`)
      this.#child.kill('SIGKILL')
    }, timeout_ms)
    if (this.isUsable) this.#child.send({ path: join(root, file), name: file })
    else resolve('its process has ended')
    ended.broken = await promise
    clearTimeout(timer)
    if (ended.broken !== undefined) ended.broken += lastWords(this.#output)
    ended.ms = Math.round(performance.now() - start)
    return ended
  }

  /** Handles that a mutant has left open must not keep the process alive. */
  async close(patience_ms = 5_000): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    const late = setTimeout(() => this.#child.kill('SIGKILL'), patience_ms)
    await this.#exited
    clearTimeout(late)
  }
}

function lastWords(output: string): string {
  const said = output.split('\n').find((line) => /error|exception/i.test(line))
  return said === undefined ? '' : `: ${said.trim()}`
}

/** Runs a limited number at a time, until all are done or `stop` is aborted. */
export async function sideBySide<Item>(atOnce: number, items: Iterable<Item>, stop: AbortSignal, act: (item: Item) => Promise<void>) {
  const rest = [...items]
  const work = async () => {
    for (let item = rest.shift(); item !== undefined && !stop.aborted; item = rest.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
