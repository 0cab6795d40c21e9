// Records which functions each test file calls. Stored below node_modules, out of git's sight, and recorded again for changed test files.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Called } from './mutation.child.ts'
import { Runner, sideBySide } from './mutation.run.ts'
import { nameOfFunction, read, root, type Source } from './mutation.source.ts'

/** `touched`: the called functions, by file. */
export type Covered = { file: string; hash: string; ms: number; passed: boolean; touched: Record<string, string[]> }

const longest_ms = 600_000

export class Coverage {
  readonly #kept: string
  readonly #known = new Map<string, Covered>()
  readonly #sources = new Map<string, Source | undefined>()

  constructor(kept: string) {
    this.#kept = kept
    if (!existsSync(kept)) return
    for (const line of readFileSync(kept, 'utf8').split('\n')) {
      if (line === '') continue
      const covered: Covered = JSON.parse(line)
      this.#known.set(covered.file, covered)
    }
  }

  get all(): Covered[] {
    return [...this.#known.values()]
  }

  /** Runs the test files without a record. */
  async learn(files: readonly string[], atOnce: number, stop: AbortSignal, tell: (file: string) => void): Promise<void> {
    for (const file of this.#known.keys()) if (!existsSync(join(root, file))) this.#known.delete(file)
    const unknown = files.filter((file) => this.#known.get(file)?.hash !== this.#hashOf(file))
    await sideBySide(atOnce, unknown, stop, async (file) => {
      const runner = new Runner({ coverage: true })
      try {
        const { ms, failed, broken, called } = await runner.run(file, longest_ms)
        const passed = failed === undefined && broken === undefined
        this.#keep({ file, hash: this.#hashOf(file), ms, passed, touched: this.#touched(called) })
      } finally {
        await runner.close()
      }
      tell(file)
    })
  }

  #hashOf(file: string): string {
    return createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex')
  }

  #keep(covered: Covered): void {
    this.#known.set(covered.file, covered)
    mkdirSync(dirname(this.#kept), { recursive: true })
    appendFileSync(this.#kept, `${JSON.stringify(covered)}\n`)
  }

  #touched(called: Called): Record<string, string[]> {
    const touched: Record<string, string[]> = {}
    for (const [path, starts] of Object.entries(called)) {
      const file = relative(root, path)
      const source = this.#sourceOf(file)
      if (source === undefined) continue
      // The engine's start of a function may come after a keyword such as async.
      const functions = starts.flatMap((place) => source.functions.findLast(({ start }) => start <= place) ?? [])
      touched[file] = [...new Set(functions.map((each) => nameOfFunction(source, each)))]
    }
    return touched
  }

  /** Undefined for files that are not mutated. */
  #sourceOf(file: string): Source | undefined {
    if (!this.#sources.has(file)) this.#sources.set(file, isOfProduct(file) ? read(file) : undefined)
    return this.#sources.get(file)
  }
}

export const isOfProduct = (file: string): boolean =>
  file.endsWith('.ts') && !file.startsWith('.') && !/\.(test|testing|standin|design)\.ts$|\/(testing|guards)\/|\.made\./.test(file)
