// What a run prints.
import { hasFailed, type Result } from './tests.pool.ts'

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const testsIn = ({ outcomes }: Result) => outcomes.filter(({ isSuite, nesting, error }) => (!isSuite && nesting > 0) || error !== undefined)

export function describeResult(result: Result): string {
  const { length } = testsIn(result)
  const skipped = result.outcomes.filter(({ skipped }) => skipped !== undefined).length
  const counts = length === 0 ? '' : `  ${length} tests${skipped === 0 ? '' : `, ${skipped} skipped`}`
  return `${hasFailed(result) ? '✖' : '✔'} ${result.name}${counts}  ${secondsOf(result.ms)}`
}

export function describeFailure(result: Result): string[] {
  if (!hasFailed(result)) return []
  const failed = result.outcomes.filter(({ error }) => error !== undefined)
  return [
    ...(result.failure === undefined ? [] : [`  ${result.failure}`]),
    ...failed.flatMap(({ name, error = '' }) => [`  ✖ ${name}`, ...error.split('\n').map((line) => `    ${line}`)]),
    ...(result.before === undefined || result.before.length === 0 ? [] : [`  Its process ran before: ${result.before.join(', ')}`]),
    ...(result.output === ''
      ? []
      : [
          '  It printed:',
          ...result.output
            .trimEnd()
            .split('\n')
            .slice(-200)
            .map((line) => `    ${line}`),
        ]),
  ]
}

/** Counts by folder, the reasons of what was skipped, and what failed. */
export function summaryOf(results: readonly Result[], ms: number): { text: string; isFine: boolean } {
  const failed = results.filter(hasFailed)
  const all = results.flatMap(testsIn)
  const skipped = all.flatMap(({ skipped }) => (skipped === undefined ? [] : [skipped]))
  const folders = Map.groupBy(
    results.filter(({ name }) => name.endsWith('.ts')),
    ({ name }) =>
      name
        .split('/')
        .slice(0, name.startsWith('server/') ? 3 : 2)
        .join('/'),
  )
  const rows = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, some]) => {
      const tests = some.flatMap(testsIn)
      const count = (is: boolean[]) => String(is.filter(Boolean).length)
      return [
        folder,
        String(tests.length),
        count(tests.map(({ error }) => error !== undefined)),
        count(tests.map((test) => test.skipped !== undefined)),
        (some.reduce((sum, result) => sum + result.ms, 0) / 1000).toFixed(1),
      ]
    })
  const reasons = [...Map.groupBy(skipped, (reason) => reason)].map(
    ([reason, some]) => `  ${some.length} skipped: ${reason || 'no reason given'}`,
  )
  const failures = failed.flatMap(({ name, outcomes, failure }) => [
    ...(failure === undefined ? [] : [`✖ ${name}: ${failure}`]),
    ...outcomes.flatMap((outcome) => (outcome.error === undefined ? [] : [`✖ ${outcome.name} (${name})`])),
  ])
  const errors = all.filter(({ error }) => error !== undefined).length
  const lines = [
    '',
    ...tableOf([['', 'tests', 'failed', 'skipped', 'seconds'], ...rows]),
    '',
    ...reasons,
    `ℹ tests ${all.length}`,
    `ℹ pass ${all.length - errors - skipped.length}`,
    `ℹ fail ${Math.max(errors, failures.length)}`,
    `ℹ skipped ${skipped.length}`,
    `ℹ ${secondsOf(ms)}`,
    ...(failures.length === 0 ? [] : ['', '✖ failing tests:', ...failures]),
  ]
  return { text: lines.join('\n'), isFine: failed.length === 0 }
}

function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  )
}
