// For tests and measurements: the plain way to screen a name, and invented names.
import type { Entry } from './screening.entries.ts'
import type { Answer, Hit, Index, Question } from './screening.index.ts'
import { readings, readName } from './screening.names.ts'
import { explain, knownOf } from './screening.score.ts'

/** Compares a name with every name of the list, one by one. The index must find the same. */
export function compareWithAll(index: Index, { name, details = {}, kinds, threshold }: Question): Answer {
  const counted = (all: readonly string[]) => all.map((word) => ({ word, df: index.df(word) }))
  const queries = readings(name).map((words) => ({ words: counted(words) }))
  const known = { name, ...knownOf(details) }
  const hits: Hit[] = []
  for (const entry of index.entries) {
    if (kinds !== undefined && !kinds.includes(entry.kind)) continue
    let best: Hit | undefined
    for (const { name, weak } of entry.names) {
      const { kind, birth_dates, countries, identifiers } = entry
      const listed = { name, weak, words: counted(readName(name).words), kind, birth_dates, countries, identifiers }
      if (listed.words.length === 0) continue
      for (const query of queries) {
        const explanation = explain({ names: index.names, query: { ...known, ...query }, listed })
        if (best === undefined || explanation.score > best.score) best = { entry, score: explanation.score, explanation }
      }
    }
    if (best !== undefined && best.score >= threshold) hits.push(best)
  }
  return { reading: readName(name).reading, hits: hits.sort((a, b) => b.score - a.score) }
}

/** An entry for which only the fields that matter to a test are given. */
export function entryOf(entry: Partial<Entry> & { id: string }, ...names: readonly string[]): Entry {
  const listed = names.map((name) => ({ name, weak: false }))
  return { kind: 'unknown', topics: [], names: listed, birth_dates: [], countries: [], identifiers: [], ...entry }
}
