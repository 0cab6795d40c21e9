// Whether a name matches the holder of an account. A payer who almost knows the holder's name is told it; a payer who guesses must not be.
import { holderWords, wordSimilarity } from '../screening/screening.ts'

export type Comparison = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNREADABLE'

/** Words that are at least this similar count as the same word with a typo. */
const leastSimilarity = 0.85

/** A word of a name in every way to write it: without marks, and with two letters in place of one of `digraphs`. */
type Word = readonly [plain: string, ...others: string[]]

/** Letters that are also written as two: Müller is Mueller where there is no ü. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', æ: 'ae', å: 'aa', ö: 'oe', ø: 'oe', œ: 'oe', ü: 'ue' }

/**
 * MATCH: the same words in any order, ignoring case, accents, titles and legal forms; ä is a, and also ae. CLOSE_MATCH: the same words with
 * typos, as initials, or written together or apart; or some of the words, if at least two.
 */
export function compareNames(given: string, registered: string): Comparison {
  const [one, other] = [wordsOf(given), wordsOf(registered)]
  if (one === undefined || other === undefined) return given === registered ? 'MATCH' : 'UNREADABLE'
  if (areSame(one, other)) return 'MATCH'
  return isSame(together(one), together(other)) || haveWordsInCommon(one, other) ? 'CLOSE_MATCH' : 'NO_MATCH'
}

/** Undefined if a word cannot be read. */
function wordsOf(name: string): readonly Word[] | undefined {
  const plain = holderWords(name)
  const lower = name.normalize('NFC').toLowerCase()
  const spelled = lower.replace(/[äæåöøœü]/g, (letter) => digraphs[letter] ?? letter)
  const others = spelled === lower ? undefined : holderWords(spelled)
  return plain?.map((word, at): Word => {
    const other = others?.length === plain.length ? others[at] : undefined
    return other === undefined || other === word ? [word] : [word, other]
  })
}

const isSame = (one: Word, other: Word): boolean => one.some((way) => other.includes(way))

/** Whether both have the same words in any order. */
function areSame(one: readonly Word[], other: readonly Word[]): boolean {
  // Words that can be written in one way only are assigned first, because another could take their place.
  const byWays = (words: readonly Word[]) => words.toSorted((a, b) => a.length - b.length)
  const left = byWays(other)
  const areThere = byWays(one).every((word) => {
    const at = left.findIndex((candidate) => isSame(word, candidate))
    return at >= 0 && left.splice(at, 1).length === 1
  })
  return areThere && left.length === 0
}

/** A name without spaces, in both ways to write it. */
const together = (words: readonly Word[]): Word => [words.map(([plain]) => plain).join(''), words.map((ways) => ways.at(-1)).join('')]

/** Whether every word of the shorter name is in the longer one, and at least one of them is spelled out in both. */
function haveWordsInCommon(one: readonly Word[], other: readonly Word[]): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  // One word of several, such as a family name alone, is a guess.
  if (shorter.length < 2 && longer.length > 1) return false
  const left = [...longer]
  let spelledOut = 0
  // Spelled-out words are assigned first, because an initial could take the word of another.
  for (const word of shorter.toSorted(([a], [b]) => b.length - a.length)) {
    const at = mostSimilar(word, left)
    if (at === undefined) return false
    if (word[0].length > 1 && (left[at]?.[0].length ?? 0) > 1) spelledOut++
    left.splice(at, 1)
  }
  return spelledOut > 0
}

function mostSimilar(word: Word, words: readonly Word[]): number | undefined {
  let [best, found]: [number, number | undefined] = [leastSimilarity, undefined]
  for (const [at, candidate] of words.entries()) {
    const likeness = likenessOf(word, candidate)
    if (likeness > best || (likeness === best && found === undefined)) [best, found] = [likeness, at]
  }
  return found
}

function likenessOf(word: Word, candidate: Word): number {
  const isInitial = (word[0].length === 1 || candidate[0].length === 1) && word[0][0] === candidate[0][0]
  if (isInitial) return leastSimilarity
  return Math.max(...word.flatMap((way) => candidate.map((other) => wordSimilarity(way, other))))
}
