// Whether a name means the holder of an account. The holder's name is told to whoever almost knows it, and must not be told to whoever guesses.
import { holderWords, wordSimilarity } from '../screening/screening.ts'

export type Comparison = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNREADABLE'

/** Words at least as similar as this count as the same word with a slip in it. */
const leastSimilarity = 0.85

/**
 * MATCH: the same words in any order; case, marks, titles and legal forms do not count. CLOSE_MATCH: the same words with slips, as initials, or
 * written together or apart; or some of the words, if these are two at least.
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
  // A single word of several, such as a family name alone, is a guess.
  if (shorter.length < 2 && longer.length > 1) return false
  const left = [...longer]
  let spelledOut = 0
  // Words that are spelled out choose first: an initial could take the word of another.
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
