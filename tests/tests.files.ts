// The test files, and the selection of a run.
import { globSync, statSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import type { Job } from './tests.pool.ts'
import type { Records } from './tests.records.ts'
import { alone, deep } from './tests.tiers.ts'

const patterns = ['{server,sdk,cli,console}/src/**/*.test.ts', '{trust,bench,tests}/**/*.test.ts']

const isNamed = (table: Readonly<Record<string, string>>, file: string): boolean =>
  Object.keys(table).some((pattern) => matchesGlob(file, pattern))

/** All test files, or only the fast ones. */
export function filesOf(root: string, isDeep: boolean): Job[] {
  return globSync(patterns, { cwd: root })
    .filter((file) => isDeep || !isNamed(deep, file))
    .sort()
    .map((name) => ({ name, ...(isNamed(alone, name) && { alone: true }) }))
}

/** The longest first, so that none starts last. Files that have never run are ordered by size. */
export function partOf(root: string, files: readonly Job[], { k, n }: { k: number; n: number }, records: Records): Job[] {
  const lengthOf = ({ name }: Job): number => records[name]?.ms ?? statSync(join(root, name)).size / 4
  const sorted = files.map((job) => ({ job, length: lengthOf(job) })).sort((a, b) => b.length - a.length)
  return sorted.filter((_, index) => index % n === k - 1).map(({ job }) => job)
}
