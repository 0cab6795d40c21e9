// Whether a text names an entry of a watch list. A question to a venture must not: the venture would learn whom its client resembles.
import type { Reader } from '../platform/database/database.ts'
import type { Entry } from './screening.entries.ts'
import { readings, readName } from './screening.names.ts'
import type { Explanation } from './screening.score.ts'
import { selectEntryNames, selectHitsOf } from './screening.sql.ts'

/** A joined name this short is too likely to be part of other words. */
const leastJoined = 8

/**
 * Whether a text contains a name, however both are written: all words of the name in any order, or the letters of the name in a row, such as
 * V.i.k.t.o.r or ViktorBlock.
 */
export function mentions(text: string, name: string): boolean {
  return readings(text.replace(/['’]s\b/gu, '')).some((words) => {
    const known = new Set(words)
    const all = words.join('')
    return readings(name).some((wanted) => {
      const joined = wanted.join('')
      return wanted.length > 0 && (wanted.every((word) => known.has(word)) || (joined.length >= leastJoined && all.includes(joined)))
    })
  })
}

/** A name in a script that cannot be read is compared as it is written. */
const isWritten = (text: string, name: string): boolean =>
  readName(name).reading !== 'whole' && text.normalize('NFKC').toLowerCase().includes(name.normalize('NFKC').toLowerCase())

/** Whether a text names an entry of a hit of one of these resources, under any of the names of the entry. */
export async function namesListed(reader: Reader, about: readonly { venture_id: string; id: string }[], text: string): Promise<boolean> {
  const hits = (await Promise.all(about.map(({ venture_id, id }) => reader.rows(selectHitsOf(venture_id, id))))).flat()
  const compared = hits.flatMap(({ explanation }) => (explanation as Explanation | null)?.inputs.listed.name ?? [])
  // The entries of old versions are deleted after a while; the names that were compared stay.
  const listed = await Promise.all(
    hits.flatMap(({ version_id, entry_id }) =>
      version_id === null || entry_id === null ? [] : [reader.first(selectEntryNames(version_id, entry_id))],
    ),
  )
  const names = new Set([
    ...compared,
    ...listed.flatMap((entry: Pick<Entry, 'names'> | undefined) => entry?.names.map(({ name }) => name) ?? []),
  ])
  return [...names].some((name) => mentions(text, name) || isWritten(text, name))
}
