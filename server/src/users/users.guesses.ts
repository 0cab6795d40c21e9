// Whether a password is easy to guess for an attacker who knows what people choose: common passwords, also with capitals and with digits in
// place of letters, years, neighbouring keys, and repetitions. The cheapest way to split the password into such parts counts.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A password that takes at least this many guesses is accepted, as a decimal logarithm: a hundred million. */
const enough = 8

/** Also as decimal logarithms of guesses. Characters that belong to no known kind of part cost this much each. */
const cost = { character: 1, capitals: 0.3, substitutes: 0.5, year: 2, repetition: 0.5, run: 1 }

/** What people choose at a bank, and famous words. */
const ownWords = ['vostro', 'vostrobank', 'banking', 'passwort', 'motdepasse', 'contrasena', 'wachtwoord', 'correcthorsebatterystaple']
const longestWord = Math.max(...ownWords.map(({ length }) => length))

/** The rank of each common password, the most common first. NOTICE says where the list comes from. */
function loadRanks(): Map<string, number> {
  const list = gunzipSync(readFileSync(new URL('../../passwords/common.txt.gz', import.meta.url))).toString()
  return new Map([...list.trimEnd().split('\n'), ...ownWords].map((word, at) => [word, ownWords.includes(word) ? 1 : at + 1]))
}

/** Loaded with the first new password, because most instances see none. */
let loaded: Map<string, number> | undefined

const keyboards = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1234567890',
  '!@#$%^&*()',
]
const keys = new Set(keyboards.flatMap((row) => [...row].slice(1).flatMap((key, at) => [`${row[at]}${key}`, `${key}${row[at]}`])))

const letters: Readonly<Record<string, string>> = {
  '4': 'a',
  '@': 'a',
  '8': 'b',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
}

/** `stroke`: the letter that 1, ! and | stand for. */
function inLetters(text: string, stroke: 'i' | 'l'): string {
  return [...text].map((character) => ('1!|'.includes(character) ? stroke : (letters[character] ?? character))).join('')
}

/** `known`: what an attacker knows about the person, in lower case. */
export function isGuessable(password: string, known: readonly string[]): boolean {
  loaded ??= loadRanks()
  const ranks = loaded
  const text = password.toLowerCase()
  const spellings = [text, inLetters(text, 'i'), inLetters(text, 'l')]
  /** The cost of guessing the characters before each position. */
  const least = [0, ...Array<number>(text.length).fill(Number.POSITIVE_INFINITY)]
  for (let from = 0; from < text.length; from++) {
    // Further characters never make it cheaper.
    if (Math.min(...least.slice(from)) >= enough) return false
    const before = least[from] ?? 0
    const reach = (to: number, more: number) => {
      least[to] = Math.min(least[to] ?? 0, before + more)
    }
    reach(from + 1, cost.character)
    for (let to = from + 3; to <= Math.min(text.length, from + longestWord); to++) {
      const capitals = password.slice(from, to) === text.slice(from, to) ? 0 : cost.capitals
      for (const [at, spelling] of spellings.entries()) {
        const word = spelling.slice(from, to)
        const rank = known.includes(word) ? 1 : ranks.get(word)
        if (rank !== undefined) reach(to, Math.log10(rank) + capitals + (at === 0 ? 0 : cost.substitutes))
      }
    }
    if (/^(19|20)\d\d/.test(text.slice(from, from + 4))) reach(from + 4, cost.year)
    for (let to = from + 3; to <= endOfRun(text, from); to++) reach(to, cost.run + Math.log10(to - from))
    for (let to = from + 2; to <= text.length && isRepetition(text, from, to); to++) reach(to, cost.repetition)
  }
  return (least[text.length] ?? 0) < enough
}

/** The end of a run of characters, each of which is the neighbour of the one before, on a keyboard or in the alphabet, or equal to it. */
function endOfRun(text: string, from: number): number {
  let end = from + 1
  while (end < text.length && (Math.abs(text.charCodeAt(end) - text.charCodeAt(end - 1)) <= 1 || keys.has(text.slice(end - 1, end + 1))))
    end++
  return end
}

/** Whether the same characters also occur earlier. */
function isRepetition(text: string, from: number, to: number): boolean {
  return text.slice(0, from).includes(text.slice(from, to))
}
