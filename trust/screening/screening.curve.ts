// The curve of docs/screening.md: the share of disguises that each rule finds, and its false alarms among payees, by threshold.
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import type { Party } from '../../server/src/screening/screening.ts'
import { type Disguise, disguisesOf, ruleNames } from './screening.disguises.ts'
import { thresholds } from './screening.evaluate.ts'
import { demoPayees, ordinaryPayees } from './screening.payees.ts'
import { type Rule, rulesFor } from './screening.rules.ts'

export type CurveSizes = { disguises: number; payees: number }

/** Those of the tables in docs/screening.md. */
export const usualCurve: CurveSizes = { disguises: 10_000, payees: 100_000 }

/** For each threshold how many, by the rule before and by the present one. */
type Counts = { about: string; probes: number; before: number[]; now: number[] }

export type Curve = { disguises: Counts[]; payees: Counts[] }

/** `onProgress`: how many names of all have been compared. */
export async function drawCurve(
  entries: readonly Entry[],
  sizes: CurveSizes,
  onProgress: (progress: { done: number; of: number }) => void = () => {},
): Promise<Curve> {
  const rules = rulesFor(entries)
  const disguises = disguisesOf(entries, sizes.disguises)
  const innocent = { 'ordinary payees': ordinaryPayees(sizes.payees), 'names of the demo bank': demoPayees() }
  const of = disguises.length + Object.values(innocent).reduce((total, { length }) => total + length, 0)
  let done = 0
  const advance = (by: number) => {
    done += by
    onProgress({ done, of })
  }
  const curve: Curve = { disguises: [], payees: [] }
  for (const rule of ruleNames) {
    const made = disguises.filter((disguise) => disguise.rule === rule)
    const countOf = (by: Rule) => countFound(by, made)
    curve.disguises.push({ about: rule, probes: made.length, before: await countOf(rules.before), now: await countOf(rules.now) })
    advance(made.length)
  }
  curve.disguises.push(sumOf('all', curve.disguises))
  for (const [about, parties] of Object.entries(innocent)) {
    const counted = { about, probes: parties.length, before: thresholds.map(() => 0), now: thresholds.map(() => 0) }
    for (let from = 0; from < parties.length; from += perStep) {
      const some = parties.slice(from, from + perStep)
      for (const which of ['before', 'now'] as const)
        for (const [at, count] of (await countRaised(rules[which], some)).entries()) counted[which][at] = (counted[which][at] ?? 0) + count
      advance(some.length)
    }
    curve.payees.push(counted)
  }
  return curve
}

const perStep = 1_000

async function countFound(rule: Rule, disguises: readonly Disguise[]): Promise<number[]> {
  const parties = disguises.map(({ party }) => party)
  const counts: number[] = []
  for (const threshold of thresholds) {
    const found = await rule.find(parties, threshold)
    counts.push(disguises.filter(({ entry }, at) => found[at]?.has(entry.id)).length)
  }
  return counts
}

/** A name that is no hit at a threshold is none at a higher one. */
async function countRaised(rule: Rule, parties: readonly Party[]): Promise<number[]> {
  let raised = parties
  const counts: number[] = []
  for (const threshold of thresholds) {
    const found = await rule.find(raised, threshold)
    raised = raised.filter((_, at) => (found[at]?.size ?? 0) > 0)
    counts.push(raised.length)
  }
  return counts
}

function sumOf(about: string, all: readonly Counts[]): Counts {
  const total = (which: 'before' | 'now') => thresholds.map((_, at) => all.reduce((sum, counts) => sum + (counts[which][at] ?? 0), 0))
  return { about, probes: all.reduce((sum, { probes }) => sum + probes, 0), before: total('before'), now: total('now') }
}

/** Two tables in Markdown. Where both rules are equal, one figure stands for both. */
export function curveTables({ disguises, payees }: Curve): string {
  const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`
  const share = (count: number, { probes }: Counts) => percent(count, probes)
  return [table('Disguise', disguises, share), table('Nobody who is listed', payees, (count) => String(count))].join('\n\n')
}

function table(title: string, all: readonly Counts[], show: (count: number, of: Counts) => string): string {
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`
  const both = (counts: Counts) =>
    thresholds.map((_, at) => {
      const [before, now] = [show(counts.before[at] ?? 0, counts), show(counts.now[at] ?? 0, counts)]
      return before === now ? now : `${before} → ${now}`
    })
  return [
    cells([title, 'Names', ...thresholds.map((threshold) => threshold.toFixed(2))]),
    cells(['---', '---:', ...thresholds.map(() => '---:')]),
    ...all.map((counts) => cells([counts.about, String(counts.probes), ...both(counts)])),
  ].join('\n')
}
