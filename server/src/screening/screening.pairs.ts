// When two words of names may stand for each other: they are spelt alike, one is the initial of the other, or both are forms of one first name.
import { nicknamesOf } from './screening.nicknames.ts'
import { jaroWinkler, leastSimilarity, similarity, soundOf } from './screening.similarity.ts'

/** How similar an initial is to a name that begins with it, and a nickname to its name. */
export const initialSimilarity = 0.8
export const nicknameSimilarity = 0.93

export const isInitial = (word: string): boolean => /^[a-z]$/.test(word)

/** Letters within which one typing error is usual. */
const lettersPerError = 4
const penaltyOfError = 0.1

export function pairSimilarity(first: string, second: string): number {
  if (first === second) return 1
  if (isInitial(first) || isInitial(second)) return first[0] === second[0] ? initialSimilarity : 0
  const alike = similarity(first, second)
  if (alike < nicknameSimilarity && nicknamesOf(first).has(second)) return nicknameSimilarity
  if (alike < leastSimilarity) return alike
  const allowed = Math.floor(Math.max(first.length, second.length) / lettersPerError)
  return alike * (1 - penaltyOfError * Math.max(0, errorsBetween(first, second) - allowed))
}

/** Long names that begin alike have many letters in common, so errors count more than in a word. */
export function joinedSimilarity(first: string, second: string): number {
  const length = Math.max(first.length, second.length)
  return Math.min(jaroWinkler(first, second), 1 - errorsBetween(first, second) / length)
}

/** Errors in longer texts are not counted. */
const longest = 256

/** The costs of three rows: the one before the last, the last, and the current one. */
const rows = [new Float64Array(longest), new Float64Array(longest), new Float64Array(longest)] as const

/**
 * How many typing errors lie between two words: letters that are wrong, missing, added, or swapped with their neighbour. A letter of the same sound
 * or a doubled one is half an error.
 */
export function errorsBetween(first: string, second: string): number {
  if (first.length >= longest || second.length >= longest) return 0
  let [before, last, row]: readonly Float64Array[] = rows
  for (let j = 0; j <= second.length; j++) last[j] = j
  for (let i = 1; i <= first.length; i++) {
    const letter = first.charCodeAt(i - 1)
    row[0] = i
    const removed = letter === first.charCodeAt(i - 2) ? 0.5 : 1
    for (let j = 1; j <= second.length; j++) {
      const other = second.charCodeAt(j - 1)
      const added = other === second.charCodeAt(j - 2) ? 0.5 : 1
      const changed = letter === other ? 0 : soundOf(letter) === soundOf(other) ? 0.5 : 1
      let cost = Math.min((last[j] as number) + removed, (row[j - 1] as number) + added, (last[j - 1] as number) + changed)
      if (i > 1 && j > 1 && letter === second.charCodeAt(j - 2) && first.charCodeAt(i - 2) === other)
        cost = Math.min(cost, (before[j - 2] as number) + 1)
      row[j] = cost
    }
    ;[before, last, row] = [last, row, before]
  }
  return last[second.length] as number
}
