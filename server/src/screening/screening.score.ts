// The score: how likely it is that a name means a listed one, from 0 to 1. Pure: everything that it depends on is in its inputs, which are
// part of the explanation, so a score can be computed again at any time.
import { comparableIdentifier, type Details, type EntryKind, type UnverifiedSource } from './screening.entries.ts'
import { isInitial, joinedSimilarity, pairSimilarity } from './screening.pairs.ts'
import { jaroWinkler, leastSimilarity, similarity } from './screening.similarity.ts'

/** Changes with the formula and with how names are read. Scores of different versions cannot be compared. */
export const algorithm = 'vostro-names-3'

/** What the versions of the formula differ in. Earlier ones are kept, so that their scores can be computed again. */
export type Formula = {
  /** How similar two words are. The index finds every pair of words that this may call similar. */
  similarity(first: string, second: string): number
  /** How similar names are that are written together and resemble each other by their letters. */
  joined(first: string, second: string): number
  /** Whether initials, nicknames and acronyms stand for names. */
  abbreviations: boolean
  /** What the share of words that contradict each other takes from a score: those that are left over on both sides. */
  contradiction: number
}

const letters: Formula = { similarity, joined: jaroWinkler, abbreviations: false, contradiction: 0 }

export const formulas = {
  'vostro-names-1': letters,
  'vostro-names-2': letters,
  [algorithm]: { similarity: pairSimilarity, joined: joinedSimilarity, abbreviations: true, contradiction: 0.5 },
} as const satisfies Record<string, Formula>

export const currentFormula: Formula = formulas[algorithm]

/** A word of a name, and how many listed names contain it. A word that none contains counts as contained in one. */
export type Word = { word: string; df: number }

export type Facts = { kind: EntryKind; birth_dates: readonly string[]; countries: readonly string[] }

/** One side of a comparison: the name as written, the words that were read in it, and what else is known. */
export type Side = Facts & { name: string; words: readonly Word[]; identifiers: readonly string[] }

/** Facts that the bank has verified about a party, and unverified ones. The contract calls the latter `claimed`. */
type Believed = Facts & { claimed: (Facts & { by: UnverifiedSource }) | null }

/** The name that is compared. Its own facts are verified. */
export type Query = Side & Believed

/** What is known besides the name, in the form that is compared and explained. */
export function knownOf({ identifiers = [], unverified, ...verified }: Details): Omit<Query, 'name' | 'words'> {
  return { ...factsOf(verified), identifiers, claimed: unverified === undefined ? null : { by: unverified.by, ...factsOf(unverified) } }
}

function factsOf({ kind = 'unknown', birth_date, countries = [] }: Details): Facts {
  return { kind, birth_dates: birth_date === undefined ? [] : [birth_date], countries }
}

/** `names`: how many names the list has. `weak` is recorded for readers of the explanation and does not change the score. */
export type Inputs = { names: number; query: Query; listed: Side & { weak: boolean } }

export type Pair = { query: string; listed: string; similarity: number; query_weight: number; listed_weight: number }

export type Way = 'name' | 'subset' | 'joined' | 'acronym' | 'identifier'

export type Reason = 'birth_year_differs' | 'birth_date_equal' | 'country_differs' | 'country_common' | 'kind_differs'

const corrections: Readonly<Record<Reason, number>> = {
  birth_year_differs: -0.1,
  birth_date_equal: 0.03,
  country_differs: -0.05,
  country_common: 0.02,
  kind_differs: -0.05,
}

/** `from`: the source of the fact behind the correction. */
export type Correction = { reason: Reason; change: number; from: 'verified' | UnverifiedSource }

export type Explanation = {
  algorithm: string
  inputs: Inputs
  weights: { query: readonly number[]; listed: readonly number[] }
  pairs: readonly Pair[]
  /** Null if the method does not apply. */
  ways: { name: number; subset: number | null; joined: number | null; acronym: number | null; identifier: string | null }
  won: Way
  corrections: readonly Correction[]
  score: number
}

const leastWeight = 0.3

/** Between 0.3 for a word that all names contain and 1 for a word that a single name contains. */
export function weightOf(df: number, names: number): number {
  return leastWeight + ((1 - leastWeight) * Math.log(1 + names / df)) / Math.log(1 + names)
}

/** The same, but an initial says little, however rare it is. */
export function weightIn({ abbreviations }: Formula, { word, df }: Word, names: number): number {
  return abbreviations && isInitial(word) ? leastWeight : weightOf(df, names)
}

/** The most that facts besides the name can raise the score. */
export function largestRaise({ birth_dates, countries, claimed }: Believed): number {
  const isKnown = (verified: readonly string[], said: readonly string[] = []) => verified.length + said.length > 0
  return (
    (isKnown(birth_dates, claimed?.birth_dates) ? corrections.birth_date_equal : 0) +
    (isKnown(countries, claimed?.countries) ? corrections.country_common : 0)
  )
}

/** Words with their weights. `acronym`: what may stand for the words, empty if they are too few; null for a person, who has none. */
export type Weighted = { words: readonly string[]; weights: readonly number[]; joined: string; acronym: string | null }

/** The first letters of at least three words; empty if they are fewer. */
export function acronymOf(words: readonly string[]): string {
  return words.length < 3 ? '' : words.map((word) => word[0]).join('')
}

/** Indexes of words: in the query, and in the listed name. */
type Matched = { i: number; j: number; similarity: number }

/** The ways to compare names. The best of them counts. */
export type NameScore = {
  name: number
  subset: number | null
  joined: number | null
  acronym: number | null
  matched: readonly Matched[]
  best: number
}

/** Below the first, by their letters alone, names written together do not count as similar, nor below the second. */
export const leastJoined = 0.93
const leastJoinedSimilarity = 0.9

/** The score of names written together is multiplied by this factor. */
export const joinedFactor = 0.98

/** What a name scores that is the acronym of the other. Many names have the same three letters, few the same four. */
const acronymScore = (acronym: string): number => (acronym.length < 4 ? 0.8 : 0.9)

export function scoreNames(query: Weighted, listed: Weighted, formula = currentFormula): NameScore {
  const matched = matchWords(query.words, listed.words, formula)
  const all = { query: sum(query.weights), listed: sum(listed.weights) }
  let [got, gotListed, foundQuery, foundListed] = [0, 0, 0, 0]
  for (const { i, j, similarity } of matched) {
    const [ofQuery, ofListed] = [query.weights[i] ?? 0, listed.weights[j] ?? 0]
    got += similarity * (ofQuery + ofListed)
    gotListed += similarity * ofListed
    foundQuery += ofQuery
    foundListed += ofListed
  }
  const [leftQuery, leftListed] = [1 - foundQuery / all.query, 1 - foundListed / all.listed]
  const contradiction = 1 - formula.contradiction * Math.min(leftQuery, leftListed)
  const name = matched.length === 0 ? 0 : (got / (all.query + foundListed)) * (1 - 0.35 * leftListed) * contradiction
  const isWhole = listed.words.length >= 2 && matched.length === listed.words.length
  const subset = isWhole ? (gotListed / all.listed) * (1 - 0.15 * leftQuery) : null
  const joined = scoreJoined(query.joined, listed.joined, formula)
  const acronym = formula.abbreviations ? scoreAcronym(query, listed) : null
  return { name, subset, joined, acronym, matched, best: Math.max(name, subset ?? 0, joined ?? 0, acronym ?? 0) }
}

/** The most similar words first, each word at most once. Among equally similar ones, the earlier come first. */
function matchWords(query: readonly string[], listed: readonly string[], { similarity, abbreviations }: Formula): Matched[] {
  const pairs: Matched[] = []
  for (let i = 0; i < query.length; i++)
    for (let j = 0; j < listed.length; j++) {
      const found = similarity(query[i] as string, listed[j] as string)
      if (found >= leastSimilarity) pairs.push({ i, j, similarity: found })
    }
  // Initials alone are nobody's name.
  if (abbreviations && pairs.every(({ i, j }) => isInitial(query[i] as string) || isInitial(listed[j] as string))) return []
  if (pairs.length < 2) return pairs
  pairs.sort((a, b) => b.similarity - a.similarity || a.i - b.i || a.j - b.j)
  const matched: Matched[] = []
  for (const pair of pairs) if (!matched.some(({ i, j }) => i === pair.i || j === pair.j)) matched.push(pair)
  return matched
}

function scoreAcronym(query: Weighted, listed: Weighted): number | null {
  if (listed.acronym === null) return null
  const [short, long] = query.words.length === 1 ? [query, listed] : [listed, query]
  return short.words.length === 1 && short.joined === long.acronym ? acronymScore(short.joined) : null
}

function scoreJoined(query: string, listed: string, formula: Formula): number | null {
  if (!areLengthsClose(query.length, listed.length) || jaroWinkler(query, listed) < leastJoined) return null
  const found = formula.joined(query, listed)
  return found >= leastJoinedSimilarity ? joinedFactor * found : null
}

/** Within ten per cent. */
export function areLengthsClose(a: number, b: number): boolean {
  return Math.min(a, b) / Math.max(a, b) >= 0.9
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** `kind`: of the listed name; a person has no acronym. */
export function weighted(words: readonly Word[], names: number, formula: Formula, kind: EntryKind = 'unknown'): Weighted {
  const texts = words.map(({ word }) => word)
  const acronym = kind === 'person' ? null : acronymOf(texts)
  return { words: texts, weights: words.map((word) => weightIn(formula, word, names)), joined: texts.join(''), acronym }
}

export function explain(inputs: Inputs, version: keyof typeof formulas = algorithm): Explanation {
  const formula = formulas[version]
  const query = weighted(inputs.query.words, inputs.names, formula)
  const listed = weighted(inputs.listed.words, inputs.names, formula, inputs.listed.kind)
  return { ...explainScore(inputs, query, listed, scoreNames(query, listed, formula)), algorithm: version }
}

/** The same for names that have already been weighted and compared. */
export function explainScore(
  inputs: Inputs,
  query: Weighted,
  listed: Weighted,
  { name, subset, joined, acronym, matched, best }: NameScore,
): Explanation {
  const identifier = commonIdentifier(inputs)
  const found = correctionsFor(inputs.query, inputs.listed)
  return {
    algorithm,
    inputs,
    weights: { query: query.weights, listed: listed.weights },
    pairs: matched.map(({ i, j, similarity }) => ({
      query: query.words[i] ?? '',
      listed: listed.words[j] ?? '',
      similarity,
      query_weight: query.weights[i] ?? 0,
      listed_weight: listed.weights[j] ?? 0,
    })),
    ways: { name, subset, joined, acronym, identifier },
    won: identifier !== null ? 'identifier' : best === name ? 'name' : best === subset ? 'subset' : best === joined ? 'joined' : 'acronym',
    corrections: identifier === null ? found : [],
    score: identifier === null ? corrected(best, found) : 1,
  }
}

/** The first version treated every stated fact as verified, and its explanations do not distinguish the two. */
const first = 'vostro-names-1'

/** Computes a score again from its explanation. */
export function recompute({ algorithm: version, inputs }: Explanation): number {
  if (!(version in formulas)) throw new RangeError(`scores of ${version} cannot be computed by ${algorithm}`)
  const known = version === first ? { ...inputs, query: { ...inputs.query, claimed: null } } : inputs
  return explain(known, version as keyof typeof formulas).score
}

export function corrected(best: number, found: readonly Correction[]): number {
  return Math.min(1, Math.max(0, best + found.reduce((total, { change }) => total + change, 0)))
}

/** An equal document number outweighs everything else: a name may be spelt differently, and a date mistyped. */
function commonIdentifier({ query, listed }: Inputs): string | null {
  const known = new Set(listed.identifiers.map(comparableIdentifier))
  return query.identifiers.find((identifier) => isComparable(identifier) && known.has(comparableIdentifier(identifier))) ?? null
}

function isComparable(identifier: string): boolean {
  return comparableIdentifier(identifier) !== undefined
}

/**
 * Facts that are unknown on either side change nothing, and only verified facts lower the score, because anyone can pretend to be another person.
 */
export function correctionsFor(query: Believed, listed: Facts): Correction[] {
  const found: Correction[] = []
  const correct = (reason: Reason, from: Correction['from']) => found.push({ reason, change: corrections[reason], from })
  const born = whoSays(query, ({ birth_dates }) => birth_dates.some((date) => isWhole(date) && listed.birth_dates.includes(date)))
  if (born !== undefined) correct('birth_date_equal', born)
  else if (isBornInAnotherYear(query, listed)) correct('birth_year_differs', 'verified')
  const related = whoSays(query, ({ countries }) => countries.some((country) => listed.countries.includes(country)))
  if (related !== undefined) correct('country_common', related)
  else if (query.countries.length > 0 && listed.countries.length > 0) correct('country_differs', 'verified')
  if (query.kind !== 'unknown' && listed.kind !== 'unknown' && query.kind !== listed.kind) correct('kind_differs', 'verified')
  return found
}

/** The source whose facts satisfy the condition; undefined if there is none. */
function whoSays(query: Believed, isSo: (facts: Facts) => boolean): Correction['from'] | undefined {
  if (isSo(query)) return 'verified'
  return query.claimed !== null && isSo(query.claimed) ? query.claimed.by : undefined
}

const isWhole = (date: string): boolean => date.length === 10

function isBornInAnotherYear({ birth_dates }: Facts, listed: Facts): boolean {
  if (birth_dates.length === 0 || listed.birth_dates.length === 0) return false
  return birth_dates.every((date) => listed.birth_dates.every((other) => yearsBetween(date, other) > 1))
}

function yearsBetween(date: string, other: string): number {
  return Math.abs(Number(date.slice(0, 4)) - Number(other.slice(0, 4)))
}
