// The final table, and the display of a mutant.
import { explanationOf } from './mutation.explained.ts'
import type { Result } from './mutation.results.ts'
import type { Sampled } from './mutation.sample.ts'

export type Tried = readonly { mutant: Sampled; result: Result | undefined }[]

type Counts = { mutants: number; tests: number; types: number; explained: number; survived: number; left: number }

function countsOf(tried: Tried): Counts {
  const count = (matches: (each: Tried[number]) => boolean) => tried.filter(matches).length
  const isExplained = ({ mutant }: Tried[number]) => explanationOf(mutant) !== undefined
  const hasSurvived = ({ result }: Tried[number]) => result?.state === 'survived'
  return {
    mutants: tried.length,
    tests: count(({ result }) => result?.state === 'killed'),
    types: count(({ result }) => result?.state === 'types'),
    explained: count((each) => hasSurvived(each) && isExplained(each)),
    survived: count((each) => hasSurvived(each) && !isExplained(each)),
    left: count(({ result }) => result === undefined),
  }
}

/** The share of killed mutants among those that were tried and can be killed. */
function scoreOf({ tests, types, survived }: Counts): string {
  const all = tests + types + survived
  return all === 0 ? '' : `${((100 * (tests + types)) / all).toFixed(0)} %`
}

export function tableOf(tried: Tried): string {
  const folders = [...new Set(tried.map(({ mutant }) => mutant.folder))].sort()
  const rows = folders.map((folder) => rowOf(folder, countsOf(tried.filter(({ mutant }) => mutant.folder === folder))))
  const head = ['folder', 'mutants', 'by tests', 'by types', 'explained', 'survived', 'left', 'score']
  const lines = [head, ...rows, rowOf('all', countsOf(tried))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))
  return lines.map((line) => line.map(pad).join('  ')).join('\n')
}

const rowOf = (name: string, counts: Counts): string[] => {
  const { mutants, tests, types, explained, survived, left } = counts
  return [name, ...[mutants, tests, types, explained, survived, left].map(String), scoreOf(counts)]
}

export function diffOf({ id, path, line, within, operator, was, replace }: Sampled): string {
  const marked = (sign: string, text: string) => text.split('\n').map((each) => `  ${sign} ${each.trim()}`)
  return [`${path}:${line}  ${within}  (${operator}, ${id})`, ...marked('-', was), ...marked('+', replace)].join('\n')
}

export function survivorsOf(tried: Tried): string {
  const shown = tried.flatMap(({ mutant, result }) => {
    if (result?.state !== 'survived') return []
    const why = explanationOf(mutant)
    const asked = Object.keys(result.tried).length
    return [`${diffOf(mutant)}\n  ${why === undefined ? `survived ${asked} test ${asked === 1 ? 'file' : 'files'}` : `explained: ${why}`}`]
  })
  return shown.join('\n\n')
}
