// The final table and the verdict.
import { median } from '../../bench/figures.ts'
import type { Outcome } from './experiment.ts'
import { promise_ms } from './load/caller.ts'
import { counted } from './results.ts'

const columns = [
  'experiment',
  'faults',
  'done',
  'refused',
  'unknown',
  '= done',
  '= not',
  'lost',
  'doubled',
  'broken',
  'ready',
  'worst',
  'slowest',
]

export function tableOf(outcomes: readonly Outcome[]): string {
  return [...aligned([columns, ...outcomes.map(rowOf)]), '', legend, ...outcomes.flatMap(remarksOn), '', verdictOn(outcomes)].join('\n')
}

const legend = `done: acknowledged; refused: answered with a no, or not sent; unknown: no answer, or one that says so, and how it was resolved;
ready: seconds until ready after a fault, median and worst; slowest: seconds of the slowest answer; !: longer than it should be`

/** The lines of a table. The first column is text, the others are figures. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
}

function rowOf({ experiment, results, skipped }: Outcome): string[] {
  if (skipped !== undefined) return [experiment.name, 'skipped']
  const { faults, acknowledged, refused, unknown, foundDone, foundNotDone, lost, doubled, broken } = results
  const counts = [faults, acknowledged, refused, unknown, foundDone, foundNotDone, lost.length, doubled.length, broken.length]
  return [
    experiment.name,
    ...counts.map((count) => count.toLocaleString('en')),
    ...readinessOf({ experiment, results }),
    `${seconds(results.slowestAnswer_ms)}${results.slowestAnswer_ms > promise_ms ? '!' : ''}`,
  ]
}

function readinessOf({ experiment, results }: Pick<Outcome, 'experiment' | 'results'>): string[] {
  if (results.ready_ms.length === 0) return ['', '']
  const worst = Math.max(...results.ready_ms)
  const mark = experiment.readyWithin_ms !== undefined && worst > experiment.readyWithin_ms ? '!' : ''
  return [seconds(median(results.ready_ms)), `${seconds(worst)}${mark}`]
}

const seconds = (ms: number) => (ms / 1000).toFixed(2)

function remarksOn({ experiment, results, skipped }: Outcome): string[] {
  const { lost, doubled, broken, late, notes } = results
  const findings = Object.entries({ lost, doubled, broken }).flatMap(([kind, found]) =>
    counted(found)
      .slice(0, 10)
      .map((finding) => `! ${kind}: ${finding}`),
  )
  const remarks = [
    ...(skipped === undefined ? [] : [`  skipped: ${skipped}`]),
    ...findings,
    ...counted(late).map((answer) => `  later than ${promise_ms / 1000} s: ${answer}`),
    ...notes.map((note) => `  ${note}`),
  ]
  return remarks.length === 0 ? [] : ['', experiment.name, ...remarks.map((remark) => `  ${remark}`)]
}

export function isSound(outcomes: readonly Outcome[]): boolean {
  return outcomes.every(({ results }) => results.isSound)
}

function verdictOn(outcomes: readonly Outcome[]): string {
  const made = outcomes.filter(({ skipped }) => skipped === undefined)
  const sum = (count: (outcome: Outcome) => number) => made.reduce((total, outcome) => total + count(outcome), 0).toLocaleString('en')
  const late = made.filter(({ experiment: { readyWithin_ms: bound }, results }) =>
    results.ready_ms.some((ms) => bound !== undefined && ms > bound),
  )
  const slow = made.filter(({ results }) => results.late.length > 0)
  const skipped = outcomes.length - made.length
  return [
    `${made.length} experiments with ${sum(({ results }) => results.faults)} faults: ${sum(({ results }) => results.acknowledged)} operations acknowledged,`,
    `${sum(({ results }) => results.lost.length)} lost, ${sum(({ results }) => results.doubled.length)} doubled, ${sum(({ results }) => results.broken.length)} broken;`,
    late.length === 0 ? 'always ready in time' : `ready later than it should be after ${namesOf(late)}`,
    slow.length === 0 ? 'and always answered in time.' : `and answers later than they should be in ${namesOf(slow)}.`,
    ...(skipped === 0 ? [] : [`${skipped} skipped.`]),
  ].join(' ')
}

const namesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ experiment }) => experiment.name).join(', ')
