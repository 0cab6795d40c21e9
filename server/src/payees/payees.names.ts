// Whether a name matches the holder of an account. A payer who almost knows the holder's name is told it; a payer who guesses must not be.
import { holderWords, wordSimilarity } from '../screening/screening.ts'

export type Comparison = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNREADABLE'

/** Words that are at least this similar count as the same word with a typo. */
const leastSimilarity = 0.85

/**
 * MATCH: the same words in any order, ignoring case, accents, titles and legal forms. CLOSE_MATCH: the same words with typos, as initials,
 * or written together or apart; or some of the words, if at least two.
 */
export function compareNames(given: string, registered: string): Comparison {
  const [one, other] = [holderWords(given), holderWords(registered)]
  if (one === undefined || other === undefined) return given === registered ? 'MATCH' : 'UNREADABLE'
  if (one.toSorted().join(' ') === other.toSorted().join(' ')) return 'MATCH'
  return one.join('') === other.join('') || haveWordsInCommon(one, other) ? 'CLOSE_MATCH' : 'NO_MATCH'
}

/** Whether every word of the shorter name is in the longer one, and at least one of them is spelled out in both. */
function haveWordsInCommon(one: readonly string[], other: readonly string[]): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  // One word of several, such as a family name alone, is a guess.
  if (shorter.length < 2 && longer.length > 1) return false
  const left = [...longer]
  let spelledOut = 0
  // Spelled-out words are assigned first, because an initial could take the word of another.
  for (const word of shorter.toSorted((a, b) => b.length - a.length)) {
    const at = mostSimilar(word, left)
    if (at === undefined) return false
    if (word.length > 1 && (left[at]?.length ?? 0) > 1) spelledOut++
    left.splice(at, 1)
  }
  return spelledOut > 0
}

function mostSimilar(word: string, words: readonly string[]): number | undefined {
  let [best, found]: [number, number | undefined] = [leastSimilarity, undefined]
  for (const [at, candidate] of words.entries()) {
    const isInitial = (word.length === 1 || candidate.length === 1) && word[0] === candidate[0]
    const likeness = isInitial ? leastSimilarity : wordSimilarity(word, candidate)
    if (likeness > best || (likeness === best && found === undefined)) [best, found] = [likeness, at]
  }
  return found
}
