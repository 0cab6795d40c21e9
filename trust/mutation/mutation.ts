// Tries mutants: runs the tests that call the changed code, and stops at the first failure.
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
  /** The maximum number of test files to run for each mutant. */
  tests: number
  atOnce: number
  results: Results
  stop: AbortSignal
  tell: (mutant: Sampled, result: Result) => void
}

/** A mutant may make a test wait forever. A slow test on a busy machine must not be mistaken for that. */
const patienceOf = ({ ms }: Covered): number => 60_000 + 6 * ms

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')

export async function tryMutants(mutants: readonly Sampled[], options: Options): Promise<void> {
  const { covered, tests, atOnce, results, stop, tell } = options
  await sideBySide(atOnce, mutants, stop, async (mutant) => {
    const before = results.find(mutant.id)
    const asked = testsOf(mutant, covered, tests).filter(({ file }) => before?.tried[file] !== hashOf(file))
    if (before !== undefined && (before.state !== 'survived' || asked.length === 0)) return tell(mutant, before)
    const result = await tryTests(mutant, asked, before, stop)
    if (result === undefined) return
    results.keep(result)
    tell(mutant, result)
  })
  await checkTypes(mutants, options)
}

/** Compiles the survivors, one after another, in one copy of the sources. */
async function checkTypes(mutants: readonly Sampled[], { results, stop, tell }: Options): Promise<void> {
  const unchecked = mutants.filter(({ id }) => results.find(id)?.state === 'survived' && results.find(id)?.compiles !== true)
  if (unchecked.length === 0 || stop.aborted) return
  const types = await TypeCheck.open(unchecked.map(({ path }) => path))
  try {
    for (const mutant of unchecked) {
      const before = results.find(mutant.id)
      if (before === undefined || stop.aborted) continue
      const error = await types.errorOf(mutant)
      const result: Result = error === undefined ? { ...before, compiles: true } : { ...before, state: 'types', by: error }
      results.keep(result)
      tell(mutant, result)
    }
  } finally {
    await types.close()
  }
}

async function endsInTime(test: Covered): Promise<boolean> {
  const runner = new Runner({})
  try {
    const { hung } = await runner.run(test.file, patienceOf(test))
    return !hung
  } finally {
    await runner.close()
  }
}

/** Undefined if it was interrupted, or if a test did not end and would not end without the mutant either. */
async function tryTests(
  mutant: Sampled,
  asked: readonly Covered[],
  before: Result | undefined,
  stop: AbortSignal,
): Promise<Result | undefined> {
  const start = performance.now()
  const tried = { ...before?.tried }
  const make = (state: Result['state'], by: string): Result => {
    const compiles = before?.compiles && { compiles: before.compiles }
    return { id: mutant.id, state, by, tried, ms: Math.round(performance.now() - start), ...compiles }
  }
  const runner = new Runner({ change: mutant })
  try {
    for (const test of asked) {
      if (stop.aborted) return undefined
      const { failed, broken, hung } = await runner.run(test.file, patienceOf(test))
      if (failed !== undefined) return make('killed', `${test.file}: ${failed.name}`)
      // The machine may be too busy for the test, with or without the mutant. Then there is no result.
      if (hung && !(await endsInTime(test))) return undefined
      if (broken !== undefined) return make('killed', `${test.file}: ${broken}`)
      tried[test.file] = hashOf(test.file)
    }
    return make('survived', '')
  } finally {
    await runner.close()
  }
}
