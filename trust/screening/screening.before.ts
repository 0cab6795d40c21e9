// The rule of vostro-names-1, which the service does not use any more. It is kept here to say what the present one finds more, and raises more: it
// took everything that was said of a party for verified, and found distant words of a long name only if at most two others stood among them.
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import type { Hit, Index } from '../../server/src/screening/screening.index.ts'
import { readings, readName } from '../../server/src/screening/screening.names.ts'
import type { Party } from '../../server/src/screening/screening.ts'

const mostHits = 1_000
const manyWords = 5
const mostAmong = 2
const loweredBy = 0.85

/** The entries that a party resembled, each with its best hit. */
export function hitsBefore(index: Index, { name, details = {} }: Party, threshold: number): Map<Entry, Hit> {
  const best = new Map<Entry, Hit>()
  if (name === null) return best
  const question = { details: believed(details), threshold, limit: mostHits }
  const names = [name, ...(readName(name).words.length < manyWords ? [] : partsOf(index, name, question))]
  for (const one of names)
    for (const hit of index.search({ ...question, name: one }).hits)
      if (hit.score > (best.get(hit.entry)?.score ?? 0)) best.set(hit.entry, hit)
  return best
}

function believed({ unverified, identifiers, ...verified }: NonNullable<Party['details']>): NonNullable<Party['details']> {
  const { by: _, ...said } = unverified ?? { by: null }
  const countries = [...(verified.countries ?? []), ...(unverified?.countries ?? [])]
  return { ...said, ...verified, countries, ...(identifiers && { identifiers }) }
}

function partsOf(index: Index, name: string, question: { details: NonNullable<Party['details']>; threshold: number; limit: number }) {
  const { hits } = index.search({ ...question, name, threshold: question.threshold * loweredBy })
  return new Set(hits.flatMap((hit) => (hit.explanation.won === 'identifier' ? name : (spanOf(name, hit) ?? []))))
}

/** The shortest part that has all words that matched. */
function spanOf(name: string, { explanation: { pairs } }: Hit): string | undefined {
  const matched = new Set(pairs.map(({ query }) => query))
  const parts = name.split(/\s+/).filter(Boolean)
  const words = parts.map((part) => readings(part).flat())
  let shortest: string[] | undefined
  for (const start of parts.keys()) {
    const missing = new Set(matched)
    for (let end = start; end < parts.length && end < start + matched.size + mostAmong; end++) {
      for (const word of words[end] ?? []) missing.delete(word)
      if (missing.size > 0) continue
      const span = parts.slice(start, end + 1)
      if (shortest === undefined || span.length < shortest.length) shortest = span
      break
    }
  }
  return shortest?.join(' ')
}
