// Tries mutants: runs the tests that call what is changed, and stops at the first that fails.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Covered } from './mutation.coverage.ts'
import type { Result, Results } from './mutation.results.ts'
import { Runner, sideBySide } from './mutation.run.ts'
import { type Sampled, testsOf } from './mutation.sample.ts'
import { root } from './mutation.source.ts'
import { TypeCheck } from './mutation.types.ts'

export type Options = {
  covered: readonly Covered[]
  /** So many test files at most are asked about each mutant. */
  tests: number
  atOnce: number
  results: Results
  stop: AbortSignal
  tell: (mutant: Sampled, result: Result) => void
}

/** A mutant may make a test wait for what never happens. */
const patienceOf = ({ ms }: Covered): number => 20_000 + 4 * ms

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')

export async function tryMutants(mutants: readonly Sampled[], options: Options): Promise<void> {
  const { covered, tests, atOnce, results, stop, tell } = options
  let types: Promise<TypeCheck> | undefined
  let checked: Promise<unknown> = Promise.resolve()
  // One after the other, in one copy of the sources.
  const errorOf = (mutant: Sampled): Promise<string | undefined> => {
    types ??= TypeCheck.open()
    const error = Promise.all([types, checked]).then(([check]) => check.errorOf(mutant))
    checked = error.catch(() => {})
    return error
  }
  try {
    await sideBySide(atOnce, mutants, stop, async (mutant) => {
      const before = results.find(mutant.id)
      if (before !== undefined && before.state !== 'survived') return tell(mutant, before)
      const asked = testsOf(mutant, covered, tests).filter(({ file }) => before?.tried[file] !== hashOf(file))
      if (before !== undefined && asked.length === 0) return tell(mutant, before)
      const result = await tryTests(mutant, asked, before?.tried ?? {}, stop)
      if (result === undefined) return
      const error = result.state === 'survived' && before === undefined ? await errorOf(mutant) : undefined
      const final: Result = error === undefined ? result : { ...result, state: 'types', by: error }
      results.keep(final)
      tell(mutant, final)
    })
  } finally {
    await types?.then((check) => check.close())
  }
}

/** Undefined if it was interrupted. */
async function tryTests(
  mutant: Sampled,
  asked: readonly Covered[],
  before: Record<string, string>,
  stop: AbortSignal,
): Promise<Result | undefined> {
  const start = performance.now()
  const tried = { ...before }
  const make = (state: Result['state'], by: string): Result => ({
    id: mutant.id,
    state,
    by,
    tried,
    ms: Math.round(performance.now() - start),
  })
  const runner = new Runner({ change: mutant })
  try {
    for (const test of asked) {
      if (stop.aborted) return undefined
      const { failed, broken } = await runner.run(test.file, patienceOf(test))
      if (failed !== undefined) return make('killed', `${test.file}: ${failed.name}`)
      if (broken !== undefined) return make('killed', `${test.file}: ${broken}`)
      tried[test.file] = hashOf(test.file)
    }
    return make('survived', '')
  } finally {
    await runner.close()
  }
}
