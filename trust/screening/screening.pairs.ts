// Pairs of names of which people have said whether they mean the same, such as those of nomenklatura's name bench. The second names are the list,
// and the first ones are compared with it.
import { readCsv, rowsOf } from '../../server/src/screening/lists/screening.csv.ts'
import { refuserOf } from '../../server/src/screening/lists/screening.refusal.ts'
import type { EntryKind } from '../../server/src/screening/screening.entries.ts'
import { entryOf } from '../../server/src/screening/screening.testing.ts'
import type { Party } from '../../server/src/screening/screening.ts'
import { thresholds } from './screening.evaluate.ts'
import { type Rule, rulesFor } from './screening.rules.ts'

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

export type EvaluatedPairs = { same: number; different: number; before: Raised; now: Raised }

export async function evaluatePairs(pairs: readonly NamePair[]): Promise<EvaluatedPairs> {
  const idOf = ({ kind, listed }: NamePair) => `${kind} ${listed}`
  const entries = new Map(pairs.map((pair) => [idOf(pair), entryOf({ id: idOf(pair), kind: pair.kind }, pair.listed)]))
  const parties = pairs.map(
    ({ kind, name }): Party => ({ party: 'creditor', ref: null, name, details: { unverified: { by: 'venture', kind } } }),
  )
  const raisedBy = async (rule: Rule): Promise<Raised> => {
    const raised: Raised = []
    for (const threshold of thresholds) {
      const found = await rule.find(parties, threshold)
      const hits = pairs.filter((pair, at) => found[at]?.has(idOf(pair)))
      const same = hits.filter(({ isSame }) => isSame).length
      raised.push({ same, different: hits.length - same })
    }
    return raised
  }
  const same = pairs.filter(({ isSame }) => isSame).length
  const { before, now } = rulesFor([...entries.values()])
  return { same, different: pairs.length - same, before: await raisedBy(before), now: await raisedBy(now) }
}

/** A table in Markdown, with a sentence about the default threshold. */
export function pairsReport({ same, different, before, now }: EvaluatedPairs): string {
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`
  const figures = (which: keyof Raised[number]) =>
    thresholds.map((_, at) => {
      const [then, since] = [before[at]?.[which], now[at]?.[which]]
      return then === since ? String(since) : `${then} → ${since}`
    })
  const at = thresholds.indexOf(0.85)
  const both = (which: keyof Raised[number]) => `${before[at]?.[which]} by vostro-names-1 and ${now[at]?.[which]} by vostro-names-2`
  return [
    cells(['Pairs', 'Number', ...thresholds.map((threshold) => threshold.toFixed(2))]),
    cells(['---', '---:', ...thresholds.map(() => '---:')]),
    cells(['the same, found', String(same), ...figures('same')]),
    cells(['different, raised', String(different), ...figures('different')]),
    '',
    `At 0.85, of ${same} pairs of the same ${both('same')} are found; of ${different} pairs of different ones ${both('different')} are raised.`,
  ].join('\n')
}
