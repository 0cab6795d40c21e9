// Finds the listed names that a name may mean, without comparing it with each of them and without missing any: what is skipped provably
// stays below the threshold.
//   1. For each word of the query, its letters find all words of the list that form a pair with it.
//   2. Names are taken from the postings of these words, the rarest words first. Names that contain only the more common words are skipped
// if those alone cannot reach the threshold.
//   3. Letters also find the names that are similar when they are written together, and an exact look-up those that are acronyms.
// Only names that may reach the threshold are scored.
import { comparableIdentifier, type Details, type Entry, type EntryKind, type ListedName } from './screening.entries.ts'
import { type Fewest, type Marks, TextsByLetters } from './screening.letters.ts'
import { type Reading, readings, readName } from './screening.names.ts'
import { nicknamesOf } from './screening.nicknames.ts'
import { initialSimilarity, isInitial, nicknameSimilarity } from './screening.pairs.ts'
import {
  areLengthsClose,
  corrected,
  correctionsFor,
  currentFormula,
  type Explanation,
  explainScore,
  type Formula,
  joinedFactor,
  knownOf,
  largestRaise,
  leastJoined,
  type NameScore,
  type Query,
  scoreNames,
  type Weighted,
  type Word,
  weighted,
  weightIn,
} from './screening.score.ts'
import { jaroWinkler, leastMatches, leastMatchesJoined, leastSimilarity, similarityOfCodes } from './screening.similarity.ts'

/** `kinds`: finds only entries of these kinds. */
export type Question = { name: string; details?: Details; kinds?: readonly EntryKind[]; threshold: number; limit?: number }

export type Hit = { entry: Entry; score: number; explanation: Explanation }

/** The best hits first, at most one for each entry. If the reading is `none`, only identifiers were compared. */
export type Answer = { reading: Reading; hits: readonly Hit[] }

export const defaultLimit = 10

/** A readable listed name. */
type Name = { entry: number; listed: ListedName; words: readonly string[] }

/** A scored name. */
type Found = { name: number; score: NameScore }

/**
 * Words of the list that form a pair with a word of the query: their similarity, the number of names that contain them, and their largest
 * weight.
 */
type Similar = {
  words: readonly number[]
  similarities: readonly number[]
  postings: number
  largest: number
  /** Marks the words that occur beside them in names, if that is cached. */
  beside?: Marks
}

/** A word of the query. An initial alone finds no name. */
type Expanded = { similar: Similar; weight: number; isInitial: boolean }

/** The weight of a word that only one name contains. */
const largestWeight = 1

/**
 * Results about words that this many names contain are cached. There are few such words, and most queries have one: first names, trades.
 */
const manyNames = 10

const fewestJoined: Fewest = (a, b, beginning) =>
  areLengthsClose(a, b) ? leastMatchesJoined(a, b, beginning, leastJoined) : Math.max(a, b) + 1

/** Keeps rounding from ruling out a name. */
const tolerance = 1e-9

/** The positions of the fields of a record. They are not one object, because V8 then compiled the busiest functions again and again. */
const atName = 0
const atLookedAt = 1
const atWeight = 2
const atCount = 3
const atWords = 4

/** Records store weights as whole numbers, rounded down, which never rules out a name. */
const weightUnit = 2 ** 20

export class Index {
  readonly #formula: Formula
  readonly entries: readonly Entry[]
  /** Names that cannot be read at all. Only identifiers find them. */
  readonly unreadable: number

  readonly #names: readonly Name[]
  readonly #words: readonly string[]
  readonly #ids: ReadonlyMap<string, number>
  readonly #df: Uint32Array
  readonly #weights: Float64Array
  readonly #wordsByLetters: TextsByLetters
  readonly #weightedNames: readonly Weighted[]

  /** The character codes of all words. Those of word w are `#codes[#firstCode[w]]` to `#codes[#firstCode[w + 1] - 1]`. */
  readonly #codes: Uint8Array
  readonly #firstCode: Int32Array

  /**
   * The fields of each name, side by side because they are used together: its number, the query that last looked at it, its weight, the
   * number of its words, and these words. Names whose rarest words are similar are close to each other.
   */
  readonly #records: Int32Array
  /**
   * The records of names that contain word w: `#postings[#first[w]]` to `#postings[#first[w + 1] - 1]`, each as often as the name contains
   * the word, those with fewer words first.
   */
  readonly #postings: Int32Array
  readonly #first: Int32Array

  /**
   * The places in `#wordsByLetters` of the words that occur beside word w in names: `#beside[#firstBeside[w]]` to `#beside[#firstBeside[w +
   * 1] - 1]`.
   */
  readonly #beside: Int32Array
  readonly #firstBeside: Int32Array

  readonly #joinedByLetters: TextsByLetters
  readonly #byIdentifier: ReadonlyMap<string, readonly number[]>
  /** Names that are not of persons, by their acronyms, and those of one word by the whole word. */
  readonly #byAcronym: ReadonlyMap<string, readonly number[]>

  /** By word, for words that many names contain. */
  readonly #remembered = new Map<string, Similar>()
  /** For the current query. */
  readonly #marks: Marks
  /** By word, the most that its pairs can add to the sum of the formula. Zero without pairs, and between queries. */
  readonly #most: Float64Array
  #queries = 0

  constructor(entries: readonly Entry[], formula = currentFormula) {
    this.#formula = formula
    this.entries = entries
    const names = entries.flatMap(namesOf)
    this.#names = names
    this.unreadable = entries.flatMap((entry) => entry.names).filter(({ name }) => readName(name).words.length === 0).length

    // Sorted, so that data about similar words is close together in memory.
    this.#words = [...new Set(names.flatMap(({ words }) => words))].sort()
    this.#ids = new Map(this.#words.map((word, id) => [word, id]))
    this.#wordsByLetters = new TextsByLetters(this.#words, leastMatches)
    this.#marks = this.#wordsByLetters.noMarks()
    this.#joinedByLetters = new TextsByLetters(
      names.map(({ words }) => words.join('')),
      fewestJoined,
    )
    this.#byIdentifier = identifiersOf(entries)

    const ids = names.map(({ words }) => words.map((word) => this.#ids.get(word) ?? 0))
    this.#df = countsOf(
      this.#words.length,
      ids.flatMap((words) => [...new Set(words)]),
    )
    this.#weights = Float64Array.from(this.#df, (df, id) => weightIn(formula, { word: this.#words[id] ?? '', df }, names.length))
    this.#weightedNames = names.map((name) => this.#weightedName(name))
    this.#byAcronym = formula.abbreviations ? acronymsOf(this.#weightedNames) : new Map()

    this.#codes = new TextEncoder().encode(this.#words.join(''))
    this.#firstCode = startsOf(this.#words.map(({ length }) => length))

    this.#first = startsOf(countsOf(this.#words.length, ids.flat()))
    const records = [...ids.entries()].map(([name, words]) => ({
      name,
      words,
      weight: this.#totalWeight(words),
      rarest: this.#rarest(words),
    }))
    records.sort((a, b) => a.rarest - b.rarest)
    const places = startsOf(records.map(({ words }) => words.length + atWords))
    this.#records = new Int32Array(places.at(-1) ?? 0)
    const placed = records.map((record, at) => ({ ...record, place: places[at] as number }))
    for (const { name, words, weight, place } of placed)
      this.#records.set([name, 0, Math.floor(weight * weightUnit), words.length, ...words], place)
    this.#postings = new Int32Array(this.#first.at(-1) ?? 0)
    const next = this.#first.slice()
    for (const { words, place } of placed.sort((a, b) => a.words.length - b.words.length))
      for (const word of words) {
        const at = next[word] as number
        this.#postings[at] = place
        next[word] = at + 1
      }
    this.#most = new Float64Array(this.#words.length)

    const beside = this.#words.map((): number[] => [])
    for (const words of ids)
      for (const [at, word] of words.entries())
        beside[word]?.push(...words.toSpliced(at, 1).map((other) => this.#wordsByLetters.placeOf(other)))
    this.#beside = Int32Array.from(beside.flat())
    this.#firstBeside = startsOf(beside.map(({ length }) => length))
  }

  #totalWeight(words: readonly number[]): number {
    return words.reduce((total, word) => total + (this.#weights[word] as number), 0)
  }

  #rarest(words: readonly number[]): number {
    return words.reduce((rarest, word) => ((this.#df[word] as number) < (this.#df[rarest] as number) ? word : rarest))
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

  search(question: Question): Answer {
    const read = readName(question.name)
    const answers = readings(question.name, read).map((words) => this.#searchWords(words, question))
    return { reading: read.reading, hits: answers.length === 1 ? (answers[0] ?? []) : bestOf(answers, question.limit ?? defaultLimit) }
  }

  #searchWords(words: readonly string[], { name, details = {}, kinds, threshold, limit = defaultLimit }: Question): Hit[] {
    const side = this.#sideOf(name, words, details)
    const query = this.#weighted(words)
    /** The best name of each entry. */
    const best = new Map<number, Found>()
    const floor = threshold - largestRaise(side)
    for (const name of this.#candidates(query, floor)) {
      const score = scoreNames(query, this.#weightedNames[name] as Weighted, this.#formula)
      if (score.best < floor - tolerance) continue
      const { entry } = this.#names[name] as Name
      const before = best.get(entry)
      if (before === undefined || score.best > before.score.best || (score.best === before.score.best && name < before.name))
        best.set(entry, { name, score })
    }
    const scored: [entry: number, score: number][] = []
    const identified = this.#withIdentifierOf(side)
    for (const [number, { score }] of best) {
      const final = corrected(score.best, correctionsFor(side, this.entries[number] as Entry))
      if (final >= threshold && !identified.has(number)) scored.push([number, final])
    }
    for (const number of identified) scored.push([number, 1])
    const wanted = kinds === undefined ? scored : scored.filter(([number]) => kinds.includes(this.entries[number]?.kind ?? 'unknown'))
    const hits = wanted.sort(([a, first], [b, second]) => second - first || a - b).slice(0, limit)
    return hits.map(([number]) => this.#hit(number, side, query, best.get(number)))
  }

  /** If an entry was found not by a name but by an identifier, its best name is explained. */
  #hit(number: number, side: Query, query: Weighted, found: Found | undefined): Hit {
    const entry = this.entries[number] as Entry
    const { listed, words } = found === undefined ? this.#bestNameOf(entry, number, query) : (this.#names[found.name] as Name)
    const weighted = found === undefined ? this.#weightedName({ entry: number, words }) : (this.#weightedNames[found.name] as Weighted)
    const { kind, birth_dates, countries, identifiers } = entry
    const known = { ...listed, words: this.#counted(words), kind, birth_dates, countries, identifiers }
    const inputs = { names: this.names, query: side, listed: known }
    const explanation = explainScore(inputs, query, weighted, found?.score ?? scoreNames(query, weighted, this.#formula))
    return { entry, score: explanation.score, explanation }
  }

  #bestNameOf(entry: Entry, number: number, query: Weighted): Pick<Name, 'listed' | 'words'> {
    const scoreOf = (name: Name) => scoreNames(query, this.#weightedName(name), this.#formula).best
    const scored = namesOf(entry, number).map((name) => ({ name, score: scoreOf(name) }))
    const [best] = scored.sort((a, b) => b.score - a.score)
    return best?.name ?? { listed: entry.names[0] ?? { name: '', weak: false }, words: [] }
  }

  #counted(words: readonly string[]): Word[] {
    return words.map((word) => ({ word, df: this.df(word) }))
  }

  #sideOf(name: string, words: readonly string[], details: Details): Query {
    return { name, words: this.#counted(words), ...knownOf(details) }
  }

  #weighted(words: readonly string[], kind?: EntryKind): Weighted {
    return weighted(this.#counted(words), this.names, this.#formula, kind)
  }

  #weightedName({ entry, words }: Pick<Name, 'entry' | 'words'>): Weighted {
    return this.#weighted(words, this.entries[entry]?.kind)
  }

  #withIdentifierOf({ identifiers }: Query): Set<number> {
    return new Set(identifiers.flatMap((identifier) => this.#byIdentifier.get(comparableIdentifier(identifier) ?? '') ?? []))
  }

  /** All names whose score is at least the floor, and some others, a few of them twice. */
  #candidates(query: Weighted, floor: number): number[] {
    const candidates = [...this.#joinedLike(query.joined, floor), ...this.#acronymsLike(query)]
    const all = query.weights.reduce((total, weight) => total + weight, 0)
    const expanded = this.#expand(query, all, floor)
    this.#begin(expanded)
    expanded.sort((a, b) => Number(a.isInitial) - Number(b.isInitial) || a.similar.postings - b.similar.postings)
    // A name that is first met at this word can only have pairs with this word and the following ones. If these cannot reach the floor, the
    // name can still be a subset of the query, which needs a pair for each of its words, and at least two words.
    let ofQuery = all
    let ofListed = expanded.reduce((total, { similar }) => total + similar.largest, 0)
    let rest = expanded.length
    for (const { similar, weight, isInitial } of expanded) {
      if (isInitial) break
      const mostWords = (ofQuery + ofListed) / (all + ofListed) >= floor - tolerance ? Number.POSITIVE_INFINITY : rest
      const fewestWords = mostWords === rest ? 2 : 0
      if (mostWords < fewestWords) break
      this.#collect(similar.words, fewestWords, mostWords, all, floor, candidates)
      ofQuery -= weight
      ofListed -= similar.largest
      rest--
    }
    this.#end(expanded)
    return candidates
  }

  /**
   * Finds the pairs of each word. For one word that is not cached, there is a cheaper way: if it alone cannot reach the floor, a name needs
   * a pair with another word as well, so this word is compared only with words that occur beside those in names.
   */
  #expand({ words, weights }: Weighted, all: number, floor: number): Expanded[] {
    let last = -1
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as string
      const alone = ((weights[i] as number) + largestWeight) / (all + largestWeight)
      if (alone >= floor - tolerance || this.df(word) >= manyNames) continue
      // Of several, the shortest, because more words are similar to it.
      if (last < 0 || word.length < (words[last] as string).length) last = i
    }
    const expanded: Expanded[] = []
    const add = (i: number, similar: Similar) =>
      expanded.push({ similar, weight: weights[i] as number, isInitial: this.#isInitial(words[i] as string) })
    for (let i = 0; i < words.length; i++) if (i !== last) add(i, this.#similarTo(words[i] as string))
    if (last >= 0) add(last, this.#pairsOf(words[last] as string, this.#besides(expanded)))
    return expanded
  }

  /** Marks the words that occur beside pairs of these words. */
  #besides(expanded: readonly Expanded[]): Marks {
    const known = expanded[0]?.similar.beside
    if (expanded.length === 1 && known !== undefined) return known
    this.#marks.fill(0)
    for (const { similar } of expanded) this.#markBeside(similar, this.#marks)
    return this.#marks
  }

  #markBeside(similar: Similar, marks: Marks): void {
    if (similar.beside !== undefined) {
      for (let at = 0; at < marks.length; at++) marks[at] = (marks[at] as number) | (similar.beside[at] as number)
      return
    }
    for (const word of similar.words) {
      const end = this.#firstBeside[word + 1] as number
      for (let at = this.#firstBeside[word] as number; at < end; at++) {
        const place = this.#beside[at] as number
        marks[place >> 5] = (marks[place >> 5] as number) | (1 << (place & 31))
      }
    }
  }

  #isInitial(word: string): boolean {
    return this.#formula.abbreviations && isInitial(word)
  }

  /** All words of the list that form a pair with this one. */
  #similarTo(word: string): Similar {
    if (this.df(word) < manyNames && !this.#isInitial(word)) return this.#pairsOf(word)
    const known = this.#remembered.get(word)
    if (known !== undefined) return known
    const similar = this.#pairsOf(word)
    const beside = this.#wordsByLetters.noMarks()
    this.#markBeside(similar, beside)
    similar.beside = beside
    this.#remembered.set(word, similar)
    return similar
  }

  #begin(expanded: readonly Expanded[]): void {
    if (++this.#queries === 2 ** 31) this.#forgetQueries()
    for (const { similar, weight } of expanded) {
      const { words, similarities } = similar
      for (let at = 0; at < words.length; at++) {
        const word = words[at] as number
        const most = (similarities[at] as number) * (weight + (this.#weights[word] as number))
        if (most > (this.#most[word] as number)) this.#most[word] = most
      }
    }
  }

  /** Resets the query numbers in the records, which have limited room for them. */
  #forgetQueries(): void {
    const records = this.#records
    for (let record = 0; record < records.length; record += atWords + (records[record + atCount] as number))
      records[record + atLookedAt] = 0
    this.#queries = 1
  }

  #end(expanded: readonly Expanded[]): void {
    for (const { similar } of expanded) for (const word of similar.words) this.#most[word] = 0
  }

  /** Of the names that contain one of these words, those that may reach the floor. A busy function, so it avoids objects. */
  #collect(words: readonly number[], fewest: number, most: number, all: number, floor: number, candidates: number[]): void {
    const records = this.#records
    for (const word of words) {
      const end = this.#first[word + 1] as number
      for (let posting = this.#first[word] as number; posting < end; posting++) {
        const record = this.#postings[posting] as number
        const count = records[record + atCount] as number
        if (count > most) break
        if (count < fewest || records[record + atLookedAt] === this.#queries) continue
        records[record + atLookedAt] = this.#queries
        if (this.#mayReach(record, count, all, floor)) candidates.push(records[record + atName] as number)
      }
    }
  }

  /** Whether a name may reach the floor, assuming that each of its words gets its best pair, even if another word has the same pair. */
  #mayReach(record: number, count: number, all: number, floor: number): boolean {
    const records = this.#records
    let got = 0
    let found = 0
    let isWhole = true
    for (let at = record + atWords; at < record + atWords + count; at++) {
      const word = records[at] as number
      const most = this.#most[word] as number
      if (most === 0) {
        isWhole = false
        continue
      }
      got += most
      found += this.#weights[word] as number
    }
    // A name that may have been found completely may be a subset.
    if (isWhole) return true
    const missing = Math.max(0, 1 - (found * weightUnit) / (records[record + atWeight] as number))
    return (got / (all + found)) * (1 - 0.35 * missing) >= floor - tolerance
  }

  /** The names that are similar when they are written together. */
  #joinedLike(joined: string, floor: number): number[] {
    if (joined === '' || joinedFactor < floor - tolerance) return []
    const near = this.#joinedByLetters.near(joined)
    return near.filter((name) => jaroWinkler(joined, (this.#weightedNames[name] as Weighted).joined) >= leastJoined)
  }

  /** The names that stand for the query, or for which it stands, by their first letters. */
  #acronymsLike({ words, joined, acronym }: Weighted): readonly number[] {
    return this.#byAcronym.get(words.length === 1 ? joined : wholeWord(acronym ?? '')) ?? []
  }

  /** The words of the list, or only the marked ones and a few others, that form a pair with this one. */
  #pairsOf(word: string, marks?: Marks): Similar {
    const found = this.#isInitial(word) ? this.#beginningWith(word, marks) : this.#spelledLike(word, marks)
    let postings = 0
    let largest = 0
    for (const id of found.keys()) {
      postings += this.#df[id] as number
      largest = Math.max(largest, this.#weights[id] as number)
    }
    return { words: [...found.keys()], similarities: [...found.values()], postings, largest }
  }

  /** The words that form a pair with this one, with the most that their similarity may be. */
  #spelledLike(word: string, marks: Marks | undefined): Map<number, number> {
    const found = new Map<number, number>()
    for (const id of this.#wordsByLetters.near(word, marks)) {
      const similarity = similarityOfCodes(word, this.#codes, this.#firstCode[id] as number, this.#firstCode[id + 1] as number)
      if (similarity >= leastSimilarity) found.set(id, similarity)
    }
    if (!this.#formula.abbreviations) return found
    const add = (other: string, similarity: number) => {
      const id = this.#ids.get(other)
      if (id !== undefined) found.set(id, Math.max(similarity, found.get(id) ?? 0))
    }
    for (const nickname of nicknamesOf(word)) add(nickname, nicknameSimilarity)
    add(word.charAt(0), initialSimilarity)
    return found
  }

  /** The words are sorted, so those with the same first letter are together. */
  #beginningWith(initial: string, marks: Marks | undefined): Map<number, number> {
    const found = new Map<number, number>()
    for (let id = this.#firstFrom(initial); id < this.#words.length; id++) {
      const word = this.#words[id] as string
      if (!word.startsWith(initial)) break
      const place = this.#wordsByLetters.placeOf(id)
      const isMarked = marks === undefined || ((marks[place >> 5] as number) & (1 << (place & 31))) !== 0
      if (isMarked) found.set(id, word === initial ? 1 : initialSimilarity)
    }
    return found
  }

  /** The first word that is not before the text. */
  #firstFrom(text: string): number {
    let [low, high] = [0, this.#words.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#words[middle] as string) < text) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The best hit of each entry. Among equal ones, the hit of the earlier reading. */
function bestOf(answers: readonly (readonly Hit[])[], limit: number): Hit[] {
  const best = new Map<Entry, Hit>()
  for (const hit of answers.flat()) if (hit.score > (best.get(hit.entry)?.score ?? -1)) best.set(hit.entry, hit)
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit)
}

function countsOf(length: number, values: Iterable<number>): Uint32Array {
  const counts = new Uint32Array(length)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Where each of several consecutively stored lists begins, and where the last one ends. */
function startsOf(lengths: Iterable<number>): Int32Array {
  const starts = [0]
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length)
  return Int32Array.from(starts)
}

/** The readable names of an entry. Two names that differ only in what is left out are one. */
function namesOf(entry: Entry, number: number): Name[] {
  const names = new Map<string, Name>()
  for (const listed of entry.names) {
    const { words } = readName(listed.name)
    const key = words.join(' ')
    if (words.length > 0 && !names.has(key)) names.set(key, { entry: number, listed, words })
  }
  return [...names.values()]
}

/** Distinguishes a name of one word from the acronym of a longer one. */
const wholeWord = (word: string): string => `=${word}`

function acronymsOf(names: readonly Weighted[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [number, { words, joined, acronym }] of names.entries()) {
    if (acronym === null || words.length === 2) continue
    const key = words.length === 1 ? wholeWord(joined) : acronym
    const numbers = found.get(key)
    if (numbers === undefined) found.set(key, [number])
    else numbers.push(number)
  }
  return found
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
