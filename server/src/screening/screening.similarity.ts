// How similar two words are, from 0 to 1, and the maximum similarity of words of given lengths.

/** Below this, two words do not count as a pair. */
export const leastSimilarity = 0.8

/** First letters in the same group sound alike. */
const soundGroups = ['aeiouy', 'bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r', 'hw'] as const
/** By character code. Each digit is its own group, after the groups of letters. */
const groups = new Uint8Array(128).map((_, code) => {
  const group = soundGroups.findIndex((letters) => letters.includes(String.fromCharCode(code)))
  return group < 0 ? code + soundGroups.length : group
})

/** The group that a letter's sound belongs to. */
export function soundOf(code: number): number {
  return groups[code] ?? 0
}

/**
 * The positions of the first text's letters, as bits by character code. Kept for the next comparison, which often has the same first text.
 */
const places = new Int32Array(128)
let placed = ''

function place(text: string): void {
  if (text === placed) return
  for (let at = 0; at < placed.length; at++) places[placed.charCodeAt(at)] = 0
  for (let at = 0; at < text.length; at++) places[text.charCodeAt(at)] = (places[text.charCodeAt(at)] as number) | (1 << at)
  placed = text
}

/** The number of bits in a number. */
const longestInBits = 32

/** The character codes of the second text. */
const codesOfSecond = new Uint8Array(1024)

/**
 * The Jaro similarity, with Winkler's bonus for up to four equal letters at the beginning. Texts consist of the letters a to z and digits.
 * Each letter of the second text, from the left, is matched with the first free one within reach.
 */
export function jaroWinkler(first: string, second: string): number {
  if (first === second) return 1
  if (first === '' || second === '') return 0
  if (first.length > longestInBits || second.length > codesOfSecond.length) {
    const { matches, displaced } = matchByPlaces(first, second)
    let prefix = 0
    while (prefix < 4 && first[prefix] === second[prefix]) prefix++
    return winkler(jaro(matches, first.length, second.length, displaced), prefix)
  }
  for (let at = 0; at < second.length; at++) codesOfSecond[at] = second.charCodeAt(at)
  return jaroWinklerByBits(first, codesOfSecond, 0, second.length)
}

/** The matched letters of the second text, in order, and one more. */
const matchedCodes = new Uint8Array(longestInBits + 1)

/** 1 or 0, without a branch, which the processor could not predict. */
function isNotZero(bits: number): number {
  return (bits | -bits) >>> 31
}

/** The first text has at most as many letters as a number has bits. The codes of the second are `codes[start]` to `codes[end - 1]`. */
function jaroWinklerByBits(first: string, codes: Uint8Array, start: number, end: number): number {
  place(first)
  const length = first.length
  const reach = reachOf(length, end - start)
  // The letters within reach of the first letter, then of the next, and so on.
  let window = reach < longestInBits - 1 ? ~(-1 << (reach + 1)) : -1
  let taken = 0
  let matches = 0
  for (let at = start; at < end; at++) {
    const code = codes[at] as number
    const free = (places[code] as number) & window & ~taken
    taken |= free & -free
    matchedCodes[matches] = code
    matches += isNotZero(free)
    window = (window << 1) | (at - start < reach ? 1 : 0)
  }
  let displaced = 0
  for (let at = 0, rest = taken; at < matches; at++, rest &= rest - 1)
    displaced += 1 - isNotZero((places[matchedCodes[at] as number] as number) & rest & -rest)
  let prefix = 0
  while (prefix < 4 && start + prefix < end && ((places[codes[start + prefix] as number] as number) & (1 << prefix)) !== 0) prefix++
  return winkler(jaro(matches, length, end - start, displaced), prefix)
}

/** Matched letters, and how many of them are in a different order. */
type Matches = { matches: number; displaced: number }

function reachOf(a: number, b: number): number {
  return Math.max(0, (Math.max(a, b) >> 1) - 1)
}

/** The same for longer texts. */
export function matchByPlaces(first: string, second: string): Matches {
  const reach = reachOf(first.length, second.length)
  const isTaken = new Uint8Array(first.length)
  const matched: string[] = []
  for (let j = 0; j < second.length; j++)
    for (let i = Math.max(0, j - reach); i <= Math.min(first.length - 1, j + reach); i++) {
      if (isTaken[i] === 1 || first[i] !== second[j]) continue
      isTaken[i] = 1
      matched.push(second[j] ?? '')
      break
    }
  const inFirst = [...first].filter((_, i) => isTaken[i] === 1)
  return { matches: matched.length, displaced: matched.filter((letter, at) => letter !== inFirst[at]).length }
}

function jaro(matches: number, a: number, b: number, displaced: number): number {
  return matches === 0 ? 0 : (matches / a + matches / b + (matches - displaced / 2) / matches) / 3
}

function winkler(similarity: number, prefix: number): number {
  return similarity > 0.7 ? similarity + prefix * 0.1 * (1 - similarity) : similarity
}

/** The similarity of two words, reduced if their lengths differ, and if their first sounds do. */
export function similarity(first: string, second: string): number {
  return reduced(jaroWinkler(first, second), first.length, second.length, soundOf(first.charCodeAt(0)) === soundOf(second.charCodeAt(0)))
}

/** The same, with the character codes of the second word in `codes[start]` to `codes[end - 1]`. */
export function similarityOfCodes(first: string, codes: Uint8Array, start: number, end: number): number {
  if (first.length > longestInBits) return similarity(first, String.fromCharCode(...codes.subarray(start, end)))
  const soundsAlike = soundOf(first.charCodeAt(0)) === soundOf(codes[start] as number)
  return reduced(jaroWinklerByBits(first, codes, start, end), first.length, end - start, soundsAlike)
}

function reduced(similarity: number, a: number, b: number, soundsAlike: boolean): number {
  const ratio = Math.min(a, b) / Math.max(a, b)
  return similarity * (ratio < 0.9 ? 1 - 0.3 * (1 - ratio) : 1) * (soundsAlike ? 1 : 0.9)
}

/**
 * How two words begin: with different sounds (0), with different letters of the same sound (1), or with one, two, three, or at least four
 * equal letters (2 to 5).
 */
export const beginnings = [0, 1, 2, 3, 4, 5] as const
export type Beginning = (typeof beginnings)[number]

/**
 * The minimum number of letters that words of these lengths must have in common to be a pair; more than the shorter word has if they never
 * are.
 */
export function leastMatches(a: number, b: number, beginning: Beginning): number {
  return fewestMatches(a, b, beginning, (best) => reduced(best, a, b, beginning > 0) >= leastSimilarity - tolerance)
}

/** The same for names written together, whose similarity must be at least `least`. */
export function leastMatchesJoined(a: number, b: number, beginning: Beginning, least: number): number {
  return fewestMatches(a, b, beginning, (best) => best >= least - tolerance)
}

/** Keeps rounding from ruling out a pair. */
const tolerance = 1e-9

function fewestMatches(a: number, b: number, beginning: Beginning, isEnough: (best: number) => boolean): number {
  const shorter = Math.min(a, b)
  for (let matches = 1; matches <= shorter; matches++) {
    if (isEnough(winkler(jaro(matches, a, b, 0), Math.min(matches, Math.max(0, beginning - 1))))) return matches
  }
  return shorter + 1
}
