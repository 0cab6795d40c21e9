// Findings as a table, grouped by problem and then by page, because one mistake shows on many pages.
import type { Finding } from './console.look.ts'

export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ page, state }) => page.length + state.length + 1))
  return [...Map.groupBy(findings, ({ what }) => what)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([what, places]) =>
      [
        `✖ ${what}`,
        ...places.map(({ page, state, where }) => `    ${`${page} ${state}`.padEnd(width)}  ${where.join(', ')}`.trimEnd()),
      ].join('\n'),
    )
    .join('\n')
}
