// Finds the listed names that a name may mean, without comparing it with each of them, and without missing any: what is skipped provably stays
// below the threshold.
//   1. For each word of the query, all words of the list that make a pair with it are found by their letters.
//   2. Names are collected from the postings of these words, the rarest words first. Names that only the more common words find are left out
//      if these alone cannot reach the threshold.
//   3. Names that are similar when they are written together are found by their letters.
// Only names that may reach the threshold are scored.
import { comparableIdentifier, type Details, type Entry, type ListedName } from './screening.entries.ts'
import { TextsByLetters } from './screening.letters.ts'
import { type Reading, readName } from './screening.names.ts'
import {
  areLengthsClose,
  corrected,
  correctionsFor,
  type Explanation,
  explain,
  joinedFactor,
  largestRaise,
  leastJoined,
  type Side,
  scoreNames,
  type Weighted,
  weightOf,
} from './screening.score.ts'
import { type Beginning, leastMatches, leastMatchesJoined, leastSimilarity, similarity } from './screening.similarity.ts'

export type Question = { name: string; details?: Details; threshold: number; limit?: number }

export type Hit = { entry: Entry; score: number; explanation: Explanation }

/** The best hits first, at most one for each entry. If the reading is `none`, only identifiers were compared. */
export type Answer = { reading: Reading; hits: readonly Hit[] }

export const defaultLimit = 10

/** A listed name that could be read. */
type Name = { entry: number; listed: ListedName; words: readonly string[] }

/** All words of the list that make a pair with a word of the query: how similar they are, in how many names they stand, the largest weight. */
type Similar = { words: Uint32Array; similarities: Float64Array; postings: number; largest: number }

/** Words whose pairs are remembered. Names share words, first names above all. */
const mostRemembered = 20_000

/** By lengths and beginning, for texts shorter than this: the fewest letters in common. */
const tabulated = 64

type Table = Readonly<Record<Beginning, Uint8Array>>

function tableOf(least: (a: number, b: number, beginning: Beginning) => number): Table {
  const column = (beginning: Beginning) =>
    Uint8Array.from({ length: tabulated * tabulated }, (_, at) => least(Math.floor(at / tabulated), at % tabulated, beginning))
  return { letters: column('letters'), letter: column('letter'), sound: column('sound'), nothing: column('nothing') }
}

const fewestForWords = tableOf(leastMatches)

const joinedMatches = (a: number, b: number, beginning: Beginning): number =>
  areLengthsClose(a, b) ? leastMatchesJoined(a, b, beginning, leastJoined) : Math.max(a, b) + 1

const fewestForJoined = tableOf(joinedMatches)

/** So that rounding never rules out a name. */
const tolerance = 1e-9

export class Index {
  readonly entries: readonly Entry[]
  /** Names that cannot be read at all. They are found by identifiers only. */
  readonly unreadable: number

  readonly #names: readonly Name[]
  readonly #words: readonly string[]
  readonly #ids: ReadonlyMap<string, number>
  readonly #df: Uint32Array
  readonly #weights: Float64Array
  readonly #wordsByLetters: TextsByLetters
  readonly #weightedNames: readonly Weighted[]

  /** The names that contain word w are `#postings[#first[w]]` to `#postings[#first[w + 1] - 1]`, each as often as it contains it. */
  readonly #postings: Uint32Array
  readonly #first: Uint32Array

  readonly #joinedByLetters: TextsByLetters
  readonly #byIdentifier: ReadonlyMap<string, readonly number[]>

  readonly #remembered = new Map<string, Similar>()
  /** Four numbers for each name, side by side because they are used together: upper bounds of two sums in the formula, namely of what its
   * words got and of the weights of those that were found, both zero between queries; the weight of all its words; how many it has. */
  readonly #sums: Float64Array
  readonly #touched: Uint32Array

  constructor(entries: readonly Entry[]) {
    this.entries = entries
    const names = entries.flatMap(namesOf)
    this.#names = names
    this.unreadable = entries.flatMap((entry) => entry.names).filter(({ name }) => readName(name).words.length === 0).length

    this.#words = [...new Set(names.flatMap(({ words }) => words))]
    this.#ids = new Map(this.#words.map((word, id) => [word, id]))
    this.#wordsByLetters = new TextsByLetters(this.#words)
    this.#joinedByLetters = new TextsByLetters(names.map(({ words }) => words.join('')))
    this.#byIdentifier = identifiersOf(entries)

    const ids = names.map(({ words }) => words.map((word) => this.#ids.get(word) ?? 0))
    this.#df = countsOf(
      this.#words.length,
      ids.flatMap((words) => [...new Set(words)]),
    )
    this.#weights = Float64Array.from(this.#df, (df) => weightOf(df, names.length))
    this.#weightedNames = names.map(({ words }) => this.#weighted(words))

    const occurrences = countsOf(this.#words.length, ids.flat())
    this.#first = new Uint32Array(this.#words.length + 1)
    for (const [word, times] of occurrences.entries()) this.#first[word + 1] = (this.#first[word] ?? 0) + times
    this.#postings = new Uint32Array(this.#first.at(-1) ?? 0)
    const next = this.#first.slice()
    for (const [name, words] of ids.entries())
      for (const word of words) {
        const at = next[word] ?? 0
        this.#postings[at] = name
        next[word] = at + 1
      }
    this.#touched = new Uint32Array(names.length)
    this.#sums = new Float64Array(names.length * 4)
    for (const [name, { weights }] of this.#weightedNames.entries()) {
      this.#sums[name * 4 + 2] = weights.reduce((total, weight) => total + weight, 0)
      this.#sums[name * 4 + 3] = weights.length
    }
  }

  /** How many names are compared. */
  get names(): number {
    return this.#names.length
  }

  /** How many names contain the word. A word that none contains counts as contained in one. */
  df(word: string): number {
    const id = this.#ids.get(word)
    return id === undefined ? 1 : (this.#df[id] ?? 1)
  }

  search({ name, details = {}, threshold, limit = defaultLimit }: Question): Answer {
    const { words, reading } = readName(name)
    const side = this.#sideOf(name, words, details)
    const query = this.#weighted(words)
    /** The best name of each entry, and its score. */
    const best = new Map<number, { name: number; best: number }>()
    const floor = threshold - largestRaise(side)
    for (const name of this.#candidates(query, floor)) {
      const score = scoreNames(query, this.#weightedNames[name] as Weighted).best
      if (score < floor - tolerance) continue
      const { entry } = this.#names[name] as Name
      const before = best.get(entry)
      if (before === undefined || score > before.best || (score === before.best && name < before.name))
        best.set(entry, { name, best: score })
    }
    const scored = new Map<number, number>()
    for (const [number, found] of best) {
      const entry = this.entries[number] as Entry
      const score = corrected(found.best, correctionsFor(side, entry))
      if (score >= threshold) scored.set(number, score)
    }
    for (const number of this.#withIdentifierOf(side)) scored.set(number, 1)
    const hits = [...scored].sort(([a, first], [b, second]) => second - first || a - b).slice(0, limit)
    return { reading, hits: hits.map(([number]) => this.#hit(number, side, best.get(number)?.name)) }
  }

  /** Without a name, the entry was found by an identifier: its best name is explained. */
  #hit(number: number, query: Side, name: number | undefined): Hit {
    const entry = this.entries[number] as Entry
    const candidates = name === undefined ? namesOf(entry, number) : [this.#names[name] as Name]
    const [first = { entry: number, listed: entry.names[0] ?? { name: '', weak: false }, words: [] }, ...others] = candidates
    const explained = [first, ...others].map(({ listed, words }) => {
      const { kind, birth_dates, countries, identifiers } = entry
      const counted = words.map((word) => ({ word, df: this.df(word) }))
      return explain({
        names: this.names,
        query,
        listed: { name: listed.name, weak: listed.weak, words: counted, kind, birth_dates, countries, identifiers },
      })
    })
    const bestWay = ({ ways }: Explanation) => Math.max(ways.name, ways.subset ?? 0, ways.joined ?? 0)
    const explanation = explained.reduce((best, other) => (bestWay(other) > bestWay(best) ? other : best))
    return { entry, score: explanation.score, explanation }
  }

  #sideOf(name: string, words: readonly string[], { kind = 'unknown', birth_date, countries = [], identifiers = [] }: Details): Side {
    const counted = words.map((word) => ({ word, df: this.df(word) }))
    return { name, words: counted, kind, birth_dates: birth_date === undefined ? [] : [birth_date], countries, identifiers }
  }

  #weightOf(word: string): number {
    const id = this.#ids.get(word)
    return id === undefined ? weightOf(1, this.names) : (this.#weights[id] ?? 0)
  }

  #weighted(words: readonly string[]): Weighted {
    return { words, weights: words.map((word) => this.#weightOf(word)), joined: words.join('') }
  }

  #withIdentifierOf({ identifiers }: Side): number[] {
    return identifiers.flatMap((identifier) => this.#byIdentifier.get(comparableIdentifier(identifier) ?? '') ?? [])
  }

  /** All names whose score is at least the floor, and some others, a few of them twice. */
  #candidates(query: Weighted, floor: number): number[] {
    const candidates = this.#joinedLike(query.joined, floor)
    const sums = this.#sums
    const all = query.weights.reduce((total, weight) => total + weight, 0)
    const expanded = query.words.map((word, i) => ({ similar: this.#similarTo(word), weight: query.weights[i] ?? 0 }))
    expanded.sort((a, b) => a.similar.postings - b.similar.postings)
    let touched = 0
    for (const [rank, { similar, weight }] of expanded.entries()) {
      // A name that is begun here has pairs with this word and the following ones at most. If these cannot reach the floor, it can still be
      // a subset of the query, for which each of its words needs a pair, and which has two words or more.
      const rest = expanded.slice(rank)
      const [ofQuery, ofListed] = rest.reduce(([a, b], { similar, weight }) => [a + weight, b + similar.largest], [0, 0])
      const mostWords = (ofQuery + ofListed) / (all + ofListed) >= floor - tolerance ? Number.POSITIVE_INFINITY : rest.length
      const fewestWords = mostWords === rest.length ? 2 : 0
      for (let at = 0; at < similar.words.length; at++) {
        const word = similar.words[at] as number
        const ofListed = this.#weights[word] as number
        const got = (similar.similarities[at] as number) * (weight + ofListed)
        const end = this.#first[word + 1] as number
        for (let posting = this.#first[word] as number; posting < end; posting++) {
          const place = (this.#postings[posting] as number) * 4
          if (sums[place] === 0) {
            const words = sums[place + 3] as number
            if (words > mostWords || words < fewestWords) continue
            this.#touched[touched++] = place
          }
          sums[place] = (sums[place] as number) + got
          sums[place + 1] = (sums[place + 1] as number) + ofListed
        }
      }
    }
    for (let at = 0; at < touched; at++) {
      const place = this.#touched[at] as number
      const got = sums[place] as number
      const found = sums[place + 1] as number
      sums[place] = 0
      sums[place + 1] = 0
      // Words that were found twice raise both sums, and with them the bound. A name that may have been found whole may be a subset.
      const missing = Math.max(0, 1 - found / (sums[place + 2] as number))
      if (missing <= tolerance || (got / (all + found)) * (1 - 0.35 * missing) >= floor - tolerance) candidates.push(place / 4)
    }
    return candidates
  }

  #joinedLike(joined: string, floor: number): number[] {
    if (joined === '' || joinedFactor < floor - tolerance) return []
    const length = joined.length
    return this.#joinedByLetters.near(joined, (other, beginning) =>
      length < tabulated && other < tabulated
        ? (fewestForJoined[beginning][length * tabulated + other] as number)
        : joinedMatches(length, other, beginning),
    )
  }

  #similarTo(word: string): Similar {
    const known = this.#remembered.get(word)
    if (known !== undefined) return known
    const words: number[] = []
    const similarities: number[] = []
    let [postings, largest] = [0, 0]
    const length = word.length
    const near = this.#wordsByLetters.near(word, (other, beginning) =>
      length < tabulated && other < tabulated
        ? (fewestForWords[beginning][length * tabulated + other] as number)
        : leastMatches(length, other, beginning),
    )
    for (const id of near) {
      const found = similarity(word, this.#words[id] as string)
      if (found < leastSimilarity) continue
      words.push(id)
      similarities.push(found)
      postings += this.#df[id] as number
      largest = Math.max(largest, this.#weights[id] as number)
    }
    const similar = { words: Uint32Array.from(words), similarities: Float64Array.from(similarities), postings, largest }
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear()
    this.#remembered.set(word, similar)
    return similar
  }
}

function countsOf(length: number, values: readonly number[]): Uint32Array {
  const counts = new Uint32Array(length)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The names of an entry that can be read. Two that differ only in what is left out are one. */
function namesOf(entry: Entry, number: number): Name[] {
  const names = new Map<string, Name>()
  for (const listed of entry.names) {
    const { words } = readName(listed.name)
    const key = words.join(' ')
    if (words.length > 0 && !names.has(key)) names.set(key, { entry: number, listed, words })
  }
  return [...names.values()]
}

function identifiersOf(entries: readonly Entry[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [number, { identifiers }] of entries.entries())
    for (const identifier of identifiers) {
      const bare = comparableIdentifier(identifier)
      if (bare === undefined) continue
      const numbers = found.get(bare)
      if (numbers === undefined) found.set(bare, [number])
      else if (!numbers.includes(number)) numbers.push(number)
    }
  return found
}
