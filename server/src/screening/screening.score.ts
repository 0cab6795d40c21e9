// The score: how likely it is that a name means a listed one, from 0 to 1. Pure: everything that it depends on is in its inputs, which are
// part of the explanation, so a score can be computed again at any time.
import { comparableIdentifier, type Details, type EntryKind, type UnverifiedSource } from './screening.entries.ts'
import { jaroWinkler, leastSimilarity, similarity } from './screening.similarity.ts'

/** Changes with the formula and with how names are read. Scores of different versions cannot be compared. */
export const algorithm = 'vostro-names-2'

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

export type Way = 'name' | 'subset' | 'joined' | 'identifier'

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
  ways: { name: number; subset: number | null; joined: number | null; identifier: string | null }
  won: Way
  corrections: readonly Correction[]
  score: number
}

/** Between 0.3 for a word that all names contain and 1 for a word that a single name contains. */
export function weightOf(df: number, names: number): number {
  return 0.3 + (0.7 * Math.log(1 + names / df)) / Math.log(1 + names)
}

/** The most that facts besides the name can raise the score. */
export function largestRaise({ birth_dates, countries, claimed }: Believed): number {
  const isKnown = (verified: readonly string[], said: readonly string[] = []) => verified.length + said.length > 0
  return (
    (isKnown(birth_dates, claimed?.birth_dates) ? corrections.birth_date_equal : 0) +
    (isKnown(countries, claimed?.countries) ? corrections.country_common : 0)
  )
}

/** Words with their weights. */
export type Weighted = { words: readonly string[]; weights: readonly number[]; joined: string }

/** Indexes of words: in the query, and in the listed name. */
type Matched = { i: number; j: number; similarity: number }

/** The three ways to compare names. The best of them counts. */
export type NameScore = { name: number; subset: number | null; joined: number | null; matched: readonly Matched[]; best: number }

/** Below this, names written together do not count as similar. */
export const leastJoined = 0.93

/** The score of names written together is multiplied by this factor. */
export const joinedFactor = 0.98

export function scoreNames(query: Weighted, listed: Weighted): NameScore {
  const matched = matchWords(query.words, listed.words)
  const all = { query: sum(query.weights), listed: sum(listed.weights) }
  let [got, gotListed, foundQuery, foundListed] = [0, 0, 0, 0]
  for (const { i, j, similarity } of matched) {
    const [ofQuery, ofListed] = [query.weights[i] ?? 0, listed.weights[j] ?? 0]
    got += similarity * (ofQuery + ofListed)
    gotListed += similarity * ofListed
    foundQuery += ofQuery
    foundListed += ofListed
  }
  const name = matched.length === 0 ? 0 : (got / (all.query + foundListed)) * (1 - 0.35 * (1 - foundListed / all.listed))
  const isWhole = listed.words.length >= 2 && matched.length === listed.words.length
  const subset = isWhole ? (gotListed / all.listed) * (1 - 0.15 * (1 - foundQuery / all.query)) : null
  const joined = scoreJoined(query.joined, listed.joined)
  return { name, subset, joined, matched, best: Math.max(name, subset ?? 0, joined ?? 0) }
}

/** The most similar words first, each word at most once. Among equally similar ones, the earlier come first. */
function matchWords(query: readonly string[], listed: readonly string[]): Matched[] {
  const pairs: Matched[] = []
  for (let i = 0; i < query.length; i++)
    for (let j = 0; j < listed.length; j++) {
      const found = similarity(query[i] as string, listed[j] as string)
      if (found >= leastSimilarity) pairs.push({ i, j, similarity: found })
    }
  if (pairs.length < 2) return pairs
  pairs.sort((a, b) => b.similarity - a.similarity || a.i - b.i || a.j - b.j)
  const matched: Matched[] = []
  for (const pair of pairs) if (!matched.some(({ i, j }) => i === pair.i || j === pair.j)) matched.push(pair)
  return matched
}

function scoreJoined(query: string, listed: string): number | null {
  if (!areLengthsClose(query.length, listed.length)) return null
  const found = jaroWinkler(query, listed)
  return found >= leastJoined ? joinedFactor * found : null
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

function weighted(words: readonly Word[], names: number): Weighted {
  const texts = words.map(({ word }) => word)
  return { words: texts, weights: words.map(({ df }) => weightOf(df, names)), joined: texts.join('') }
}

export function explain(inputs: Inputs): Explanation {
  const query = weighted(inputs.query.words, inputs.names)
  const listed = weighted(inputs.listed.words, inputs.names)
  return explainScore(inputs, query, listed, scoreNames(query, listed))
}

/** The same for names that have already been weighted and compared. */
export function explainScore(
  inputs: Inputs,
  query: Weighted,
  listed: Weighted,
  { name, subset, joined, matched, best }: NameScore,
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
    ways: { name, subset, joined, identifier },
    won: identifier !== null ? 'identifier' : best === name ? 'name' : best === subset ? 'subset' : 'joined',
    corrections: identifier === null ? found : [],
    score: identifier === null ? corrected(best, found) : 1,
  }
}

/** The previous version treated every stated fact as verified, and its explanations do not distinguish the two. */
const before = 'vostro-names-1'

/** Computes a score again from its explanation. */
export function recompute({ algorithm: version, inputs }: Explanation): number {
  if (version === before) return explain({ ...inputs, query: { ...inputs.query, claimed: null } }).score
  if (version !== algorithm) throw new RangeError(`scores of ${version} cannot be computed by ${algorithm}`)
  return explain(inputs).score
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
