// Chooses the mutants to try, and the tests to run for each.
import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'
import { type Covered, isOfProduct } from './mutation.coverage.ts'
import { isParseable, type Mutant, mutantsOf } from './mutation.mutants.ts'
import { read, root } from './mutation.source.ts'

/** Folders of server/src in which a fault would cost money or let the wrong people in. */
export const mutatedFolders = [
  'transfers/deciding',
  'transfers/life',
  'ledger',
  'accounts',
  'users',
  'screening',
  'iso20022',
  'rails',
  'reconciliation',
] as const

export type Sampled = Mutant & { folder: string }

/** The same number from each folder, if it has as many. For the same sources, the same seed gives the same sample. */
export function sample(folders: readonly string[], size: number, seed: number): Sampled[] {
  let left = size
  const all = folders.map((folder) => ({ folder, mutants: shuffled(mutantsIn(folder), seed) }))
  const fewestFirst = all.sort((a, b) => a.mutants.length - b.mutants.length)
  const taken = fewestFirst.map(({ folder, mutants }, index) => {
    const some = takeParseable(mutants, Math.floor(left / (folders.length - index)))
    left -= some.length
    return some.map((mutant) => ({ ...mutant, folder }))
  })
  // Alternates between the folders, so that an interrupted run has covered all of them.
  const longest = Math.max(0, ...taken.map((some) => some.length))
  return Array.from({ length: longest }, (_, index) => taken.flatMap((some) => some.slice(index, index + 1))).flat()
}

export function mutantsIn(folder: string): Mutant[] {
  const place = folder.startsWith('trust/') ? folder : `server/src/${folder}`
  const files = globSync(`${place}/**/*.ts`, { cwd: root }).filter(isOfProduct).sort()
  if (files.length === 0) throw new RangeError(`there is nothing to change in ${folder}`)
  return files.flatMap((path) => mutantsOf(read(path)))
}

function takeParseable(mutants: readonly Mutant[], most: number): Mutant[] {
  const taken: Mutant[] = []
  for (const mutant of mutants) {
    if (taken.length >= most) break
    if (mutant.was !== mutant.replace && isParseable(read(mutant.path), mutant)) taken.push(mutant)
  }
  return taken
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = new SeededRandom(seed)
  const mixed = [...items]
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = random.below(index + 1)
    const [a, b] = [mixed[index] as Item, mixed[other] as Item]
    mixed[index] = b
    mixed[other] = a
  }
  return mixed
}

/** Test files that call the changed code; the most relevant and fastest come first. */
export function testsOf({ path, calledAs }: Pick<Mutant, 'path' | 'calledAs'>, covered: readonly Covered[], most: number): Covered[] {
  const passing = covered.filter(({ passed }) => passed)
  // A constant is not called; its users are mostly in the same file.
  const calling = passing.filter(({ touched }) =>
    calledAs === undefined ? touched[path] !== undefined : touched[path]?.includes(calledAs),
  )
  const near =
    calling.length > 0 ? calling : passing.filter(({ touched }) => Object.keys(touched).some((file) => dirname(file) === dirname(path)))
  return near.sort((a, b) => costOf(a, path) - costOf(b, path)).slice(0, most)
}

/** A test that calls much of the file is probably about it. Few calls mean little: almost every test registers the routes of the service. */
function costOf({ file, ms, touched }: Covered, path: string): number {
  if (file === path.replace(/\.ts$/, '.test.ts')) return 0
  const [here, there] = [dirname(path), dirname(file)]
  const begin = basename(path).split('.').slice(0, 2).join('.')
  const nearness = here !== there ? 1 : basename(file).startsWith(begin) ? 8 : 4
  return ms / nearness / (touched[path]?.length ?? 1) ** 2
}
