// Pairs of names of which people have said whether they mean the same, such as those of nomenklatura's name bench. The second names are the list,
// and the first ones are compared with it.
import { firstPolicy } from '../../server/src/policies/policies.ts'
import { readCsv, rowsOf } from '../../server/src/screening/lists/screening.csv.ts'
import { refuserOf } from '../../server/src/screening/lists/screening.refusal.ts'
import type { EntryKind } from '../../server/src/screening/screening.entries.ts'
import { algorithm } from '../../server/src/screening/screening.score.ts'
import { entryOf } from '../../server/src/screening/screening.testing.ts'
import type { Party } from '../../server/src/screening/screening.ts'
import { type Part, partOf, parts, thresholds } from './screening.evaluate.ts'
import { previous, type Rule, rulesFor } from './screening.rules.ts'

export type NamePair = { kind: EntryKind; name: string; listed: string; isSame: boolean }

const kinds: Readonly<Record<string, EntryKind>> = {
  Person: 'person',
  Company: 'organisation',
  Organization: 'organisation',
  Vessel: 'vessel',
}

/** Throws a sentence with the line if the file is not as expected. */
export function readPairs(text: string, file: string): NamePair[] {
  const refuseAt = refuserOf(file)
  const rows = rowsOf(readCsv(text, refuseAt), ['schema', 'name1', 'name2', 'is_match'], refuseAt)
  if (rows.length === 0) return refuseAt(undefined, 'the file contains no pairs')
  return rows.map(({ line, get }): NamePair => {
    const [name, listed, answer] = [get('name1'), get('name2'), get('is_match')]
    if (name === '' || listed === '') return refuseAt(line, 'a pair needs two names')
    if (answer !== 'true' && answer !== 'false') return refuseAt(line, `is_match must be true or false, not ${answer}`)
    return { kind: kinds[get('schema')] ?? 'unknown', name, listed, isSame: answer === 'true' }
  })
}

/** At each threshold, how many pairs of the same and of different ones are hits. */
type Raised = { same: number; different: number }[]

/** `about`: all pairs, or those whose listed name belongs to one part. Constants may be tuned on one part only. */
type Group = { about: 'all' | Part; same: number; different: number; before: Raised; now: Raised }

export type EvaluatedPairs = readonly Group[]

/** The curve is drawn at steps of a hundredth; the table shows some of them. */
const steps = Array.from({ length: 50 }, (_, at) => (50 + at) / 100)

export async function evaluatePairs(pairs: readonly NamePair[]): Promise<EvaluatedPairs> {
  const idOf = ({ kind, listed }: NamePair) => `${kind} ${listed}`
  const entries = new Map(pairs.map((pair) => [idOf(pair), entryOf({ id: idOf(pair), kind: pair.kind }, pair.listed)]))
  const parties = pairs.map(
    ({ kind, name }): Party => ({ party: 'creditor', ref: null, name, details: { unverified: { by: 'venture', kind } } }),
  )
  const hitsBy = async (rule: Rule): Promise<ReadonlySet<NamePair>[]> => {
    const hits: ReadonlySet<NamePair>[] = []
    for (const threshold of steps) {
      const found = await rule.find(parties, threshold)
      hits.push(new Set(pairs.filter((pair, at) => found[at]?.has(idOf(pair)))))
    }
    return hits
  }
  const rules = rulesFor([...entries.values()])
  const [before, now] = [await hitsBy(rules.before), await hitsBy(rules.now)]
  return (['all', ...parts] as const).map((about): Group => {
    const members = about === 'all' ? pairs : pairs.filter(({ listed }) => partOf(listed) === about)
    const counted = (hits: readonly ReadonlySet<NamePair>[]): Raised =>
      hits.map((hit) => {
        const raised = members.filter((pair) => hit.has(pair))
        const same = raised.filter(({ isSame }) => isSame).length
        return { same, different: raised.length - same }
      })
    const same = members.filter(({ isSame }) => isSame).length
    return { about, same, different: members.length - same, before: counted(before), now: counted(now) }
  })
}

/** The harmonic mean of precision and recall. */
function f1({ same }: Group, raised: Raised[number] | undefined): number {
  return raised === undefined ? 0 : (2 * raised.same) / (same + raised.same + raised.different)
}

const defaultThreshold = Number(firstPolicy.screen_threshold)

/** A table in Markdown, with sentences about the best threshold and the default one. */
export function pairsReport(groups: EvaluatedPairs): string {
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`
  const shown = thresholds.map((threshold) => steps.indexOf(threshold))
  const change = (before: string, now: string) => (before === now ? now : `${before} → ${now}`)
  const rowOf = (about: string, number: number, of: (at: number) => [before: string, now: string]) =>
    cells([about, String(number), ...shown.map((at) => change(...of(at)))])
  const counts = (group: Group, which: 'same' | 'different') => (at: number) =>
    [String(group.before[at]?.[which]), String(group.now[at]?.[which])] as [string, string]
  const quality = (group: Group) => (at: number) =>
    [f1(group, group.before[at]).toFixed(3), f1(group, group.now[at]).toFixed(3)] as [string, string]
  const bestOf = (group: Group, rule: 'before' | 'now') => {
    const scores = group[rule].map((raised) => f1(group, raised))
    const at = scores.indexOf(Math.max(...scores))
    return `${scores[at]?.toFixed(3)} at ${steps[at]?.toFixed(2)}`
  }
  const atDefault = steps.indexOf(defaultThreshold)
  const names = { all: 'all pairs', tuning: 'the tuning half', 'held-out': 'the held-out half' }
  return [
    cells(['Pairs', 'Number', ...thresholds.map((threshold) => threshold.toFixed(2))]),
    cells(['---', '---:', ...thresholds.map(() => '---:')]),
    ...groups.flatMap((group) =>
      group.about === 'all'
        ? [
            rowOf('the same, found', group.same, counts(group, 'same')),
            rowOf('different, raised', group.different, counts(group, 'different')),
          ]
        : [],
    ),
    ...groups.map((group) => rowOf(`F1 of ${names[group.about]}`, group.same + group.different, quality(group))),
    '',
    ...groups.map(
      (group) =>
        `F1 of ${names[group.about]}: ${previous} best ${bestOf(group, 'before')}, ${f1(group, group.before[atDefault]).toFixed(3)} at ${defaultThreshold}; ` +
        `${algorithm} best ${bestOf(group, 'now')}, ${f1(group, group.now[atDefault]).toFixed(3)} at ${defaultThreshold}.`,
    ),
  ].join('\n')
}
