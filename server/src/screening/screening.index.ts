// Finds the listed names that a name may mean, without comparing it with each of them, and without missing any: what is skipped provably stays
// below the threshold.
//   1. For each word of the query, all words of the list that make a pair with it are found by their letters.
//   2. Names are taken from the postings of these words, the rarest words first. Names that only the more common words have are left out if
//      these alone cannot reach the threshold.
//   3. Names that are similar when they are written together are found by their letters.
// Names that may reach the threshold are scored. Their words are not compared again: all pairs are known from the first step.
import { comparableIdentifier, type Details, type Entry, type ListedName } from './screening.entries.ts'
import { TextsByLetters } from './screening.letters.ts'
import { type Reading, readName } from './screening.names.ts'
import { type Expanded, Pairs, type Similar } from './screening.pairs.ts'
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
  scoreJoined,
  scorePairs,
  type Weighted,
  weightOf,
} from './screening.score.ts'
import { type Beginning, beginnings, leastMatches, leastMatchesJoined, leastSimilarity, similarity } from './screening.similarity.ts'

export type Question = { name: string; details?: Details; threshold: number; limit?: number }

export type Hit = { entry: Entry; score: number; explanation: Explanation }

/** The best hits first, at most one for each entry. If the reading is `none`, only identifiers were compared. */
export type Answer = { reading: Reading; hits: readonly Hit[] }

export const defaultLimit = 10

/** A listed name that could be read. */
type Name = { entry: number; listed: ListedName; words: readonly string[] }

/** A name that was scored. */
type Found = { name: number; score: number }

/** Words whose pairs are remembered. Names share words, first names above all. */
const mostRemembered = 20_000

/** By lengths and beginning, for texts shorter than this: the fewest letters in common. */
const tabulated = 64

/** One column for each beginning. */
type Table = readonly Uint8Array[]

function tableOf(least: (a: number, b: number, beginning: Beginning) => number): Table {
  return beginnings.map((beginning) =>
    Uint8Array.from({ length: tabulated * tabulated }, (_, at) => least(Math.floor(at / tabulated), at % tabulated, beginning)),
  )
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

  /** The words of name n are `#wordsOf[#firstWord[n]]` to `#wordsOf[#firstWord[n + 1] - 1]`. */
  readonly #wordsOf: Uint32Array
  readonly #firstWord: Uint32Array
  /** By name, the weight of all its words. */
  readonly #totals: Float64Array

  /** The names that contain word w are `#postings[#first[w]]` to `#postings[#first[w + 1] - 1]`, each as often as it contains it, those with
   * fewer words first. */
  readonly #postings: Uint32Array
  readonly #first: Uint32Array

  readonly #joinedByLetters: TextsByLetters
  readonly #byIdentifier: ReadonlyMap<string, readonly number[]>

  readonly #remembered = new Map<string, Similar>()
  /** The pairs of the current query. */
  readonly #pairs: Pairs
  /** The number of the query that last looked at a name, so that none is looked at twice. */
  readonly #lookedAt: Uint32Array
  #queries = 0

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

    this.#wordsOf = Uint32Array.from(ids.flat())
    this.#firstWord = startsOf(ids.map(({ length }) => length))
    this.#totals = Float64Array.from(this.#weightedNames, ({ weights }) => weights.reduce((total, weight) => total + weight, 0))

    this.#first = startsOf(countsOf(this.#words.length, this.#wordsOf))
    this.#postings = new Uint32Array(this.#wordsOf.length)
    const next = this.#first.slice()
    const byLength = [...ids.entries()].sort(([, a], [, b]) => a.length - b.length)
    for (const [name, words] of byLength)
      for (const word of words) {
        const at = next[word] as number
        this.#postings[at] = name
        next[word] = at + 1
      }
    this.#pairs = new Pairs(this.#weights)
    this.#lookedAt = new Uint32Array(names.length)
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
    /** The best name of each entry. */
    const best = new Map<number, Found>()
    const floor = threshold - largestRaise(side)
    for (const found of this.#namesLike(query, floor)) {
      const { entry } = this.#names[found.name] as Name
      const before = best.get(entry)
      if (before === undefined || found.score > before.score || (found.score === before.score && found.name < before.name))
        best.set(entry, found)
    }
    const scored = new Map<number, number>()
    for (const [number, found] of best) {
      const entry = this.entries[number] as Entry
      const score = corrected(found.score, correctionsFor(side, entry))
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

  /** All names whose score is at least the floor. */
  #namesLike(query: Weighted, floor: number): Found[] {
    const joined = this.#joinedLike(query.joined, floor)
    const expanded = query.words.map((word, i) => ({ similar: this.#similarTo(word), weight: query.weights[i] ?? 0 }))
    this.#pairs.begin(expanded)
    const found: Found[] = []
    for (const name of this.#candidates(expanded, floor, [...joined.keys()])) {
      const words = this.#wordsOf.subarray(this.#firstWord[name], this.#firstWord[name + 1])
      const score = scorePairs(query, this.#weightedNames[name] as Weighted, this.#pairs.of(words), joined.get(name) ?? null).best
      if (score >= floor - tolerance) found.push({ name, score })
    }
    this.#pairs.end()
    return found
  }

  /** The given names, and all others that may reach the floor. */
  #candidates(expanded: readonly Expanded[], floor: number, given: readonly number[]): number[] {
    if (++this.#queries === 2 ** 32) {
      this.#lookedAt.fill(0)
      this.#queries = 1
    }
    for (const name of given) this.#lookedAt[name] = this.#queries
    const candidates = [...given]
    const all = expanded.reduce((total, { weight }) => total + weight, 0)
    const inOrder = expanded.toSorted((a, b) => a.similar.postings - b.similar.postings)
    for (const [rank, { similar }] of inOrder.entries()) {
      // A name that is met here for the first time has pairs with this word and the following ones at most. If these cannot reach the floor, it
      // can still be a subset of the query, for which each of its words needs a pair, and which has two words or more.
      const rest = inOrder.slice(rank)
      const [ofQuery, ofListed] = rest.reduce(([a, b], { similar, weight }) => [a + weight, b + similar.largest], [0, 0])
      const mostWords = (ofQuery + ofListed) / (all + ofListed) >= floor - tolerance ? Number.POSITIVE_INFINITY : rest.length
      if (mostWords < 2) break
      this.#meet(similar, mostWords, mostWords === rest.length ? 2 : 0, all, floor, candidates)
    }
    return candidates
  }

  /** Looks at the names that contain one of these words. Busy: it takes numbers and goes through arrays by hand. */
  #meet({ words: similar }: Similar, mostWords: number, fewestWords: number, all: number, floor: number, candidates: number[]): void {
    const firstWord = this.#firstWord
    for (let at = 0; at < similar.length; at++) {
      const word = similar[at] as number
      const end = this.#first[word + 1] as number
      for (let posting = this.#first[word] as number; posting < end; posting++) {
        const name = this.#postings[posting] as number
        const start = firstWord[name] as number
        const words = (firstWord[name + 1] as number) - start
        if (words > mostWords) break
        if (words < fewestWords || this.#lookedAt[name] === this.#queries) continue
        this.#lookedAt[name] = this.#queries
        if (this.#mayReach(start, start + words, this.#totals[name] as number, all, floor)) candidates.push(name)
      }
    }
  }

  /** Whether a name with these words may reach the floor, if each of them had its best pair, even if others have the same. */
  #mayReach(start: number, end: number, total: number, all: number, floor: number): boolean {
    const { numbers, most, weights } = this.#pairs
    let got = 0
    let found = 0
    let missing = 0
    for (let at = start; at < end; at++) {
      const number = numbers[this.#wordsOf[at] as number] as number
      if (number === 0) missing++
      got += most[number] as number
      found += weights[number] as number
    }
    // A name that may have been found whole may be a subset.
    return missing === 0 || (got / (all + found)) * (1 - 0.35 * (1 - found / total)) >= floor - tolerance
  }

  /** The names that are similar when they are written together, with their score. */
  #joinedLike(joined: string, floor: number): Map<number, number> {
    const found = new Map<number, number>()
    if (joined === '' || joinedFactor < floor - tolerance) return found
    const length = joined.length
    const near = this.#joinedByLetters.near(joined, (other, beginning) =>
      length < tabulated && other < tabulated
        ? (fewestForJoined[beginning]?.[length * tabulated + other] as number)
        : joinedMatches(length, other, beginning),
    )
    for (const name of near) {
      const score = scoreJoined(joined, this.#weightedNames[name]?.joined ?? '')
      if (score !== null) found.set(name, score)
    }
    return found
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
        ? (fewestForWords[beginning]?.[length * tabulated + other] as number)
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

function countsOf(length: number, values: Iterable<number>): Uint32Array {
  const counts = new Uint32Array(length)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Where each of several lists begins that are stored one behind the other, and where the last ends. */
function startsOf(lengths: Iterable<number>): Uint32Array {
  const starts = [0]
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length)
  return Uint32Array.from(starts)
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
