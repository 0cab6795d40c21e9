// Results of the mutants that were tried. Stored below node_modules, out of git's sight.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** `types`: the mutant does not compile, which `npm test` also notices. */
export type State = 'killed' | 'types' | 'survived'

/** `by`: the test that noticed it. `tried`: the hashes of the test files that did not. `compiles`: it was checked that the mutant compiles. */
export type Result = { id: string; state: State; by: string; tried: Record<string, string>; ms: number; compiles?: true }

export class Results {
  readonly #kept: string
  readonly #known = new Map<string, Result>()

  constructor(kept: string, resume: boolean) {
    this.#kept = kept
    if (!resume) rmSync(kept, { force: true })
    if (!existsSync(kept)) return
    for (const line of readFileSync(kept, 'utf8').split('\n')) {
      if (line === '') continue
      const result: Result = JSON.parse(line)
      this.#known.set(result.id, result)
    }
  }

  find(id: string): Result | undefined {
    return this.#known.get(id)
  }

  keep(result: Result): void {
    this.#known.set(result.id, result)
    mkdirSync(dirname(this.#kept), { recursive: true })
    appendFileSync(this.#kept, `${JSON.stringify(result)}\n`)
  }
}
