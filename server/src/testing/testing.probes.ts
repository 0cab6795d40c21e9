// Probes: names as they might arrive, derived from a listed name by one kind of change.
import { readName } from '../screening/screening.names.ts'
import type { SeededRandom } from '../values/seeded-random.ts'

/** The changed name; undefined if the change is impossible for this name. */
export type Variant = (name: string, random: SeededRandom) => string | undefined

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** One letter replaced, omitted, added, or swapped with the next. */
function mistype(word: string, random: SeededRandom): string {
  const at = random.below(word.length)
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const letter = random.pick(letters)
  const swapped = `${before}${after[0] ?? ''}${word[at]}${after.slice(1)}`
  return random.pick([before + letter + after, before + after, before + letter + word.slice(at), swapped])
}

/** Spellings of the same sounds in different systems of transliteration. */
const spellings: readonly (readonly [string, string])[] = [
  ['kh', 'h'],
  ['sh', 'sch'],
  ['zh', 'j'],
  ['ch', 'tsch'],
  ['y', 'i'],
  ['ou', 'u'],
  ['oo', 'u'],
  ['ei', 'ey'],
  ['ai', 'ay'],
  ['ks', 'x'],
  ['ph', 'f'],
  ['q', 'k'],
  ['ck', 'k'],
  ['w', 'v'],
  ['ts', 'c'],
  ['ev', 'iev'],
  ['ss', 's'],
  ['mm', 'm'],
  ['ll', 'l'],
]

const wordsOf = (name: string) => [...readName(name).words]

export const variants = {
  exact: (name) => name,
  reordered: (name) => (wordsOf(name).length > 1 ? wordsOf(name).reverse().join(' ') : undefined),
  joined: (name) => (wordsOf(name).length > 1 ? wordsOf(name).join('') : undefined),
  'one typo': (name, random) => {
    const words = wordsOf(name)
    const longest = Math.max(...words.map(({ length }) => length))
    const at = words.findIndex(({ length }) => length === longest)
    return words.map((word, place) => (place === at ? mistype(word, random) : word)).join(' ')
  },
  'a typo in every word': (name, random) =>
    wordsOf(name)
      .map((word) => (word.length > 3 ? mistype(word, random) : word))
      .join(' '),
  'a dropped word': (name, random) => {
    const words = wordsOf(name)
    return words.length < 3 ? undefined : words.toSpliced(random.below(words.length), 1).join(' ')
  },
  'an extra word': (name, random) => `${name} ${random.pick(['Maria', 'International', 'Junior', 'Group', 'Alexander'])}`,
  initials: (name) => {
    const [first, ...rest] = wordsOf(name)
    return first === undefined || rest.length === 0 || first.length === 1 ? undefined : [first[0], ...rest].join(' ')
  },
  transliteration: (name, random) => {
    const text = wordsOf(name).join(' ')
    const both = spellings.flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
    const possible = both.filter(([from]) => text.includes(from))
    if (possible.length === 0) return undefined
    const [from, to] = random.pick(possible)
    return text.replace(from, to)
  },
} as const satisfies Record<string, Variant>

export type VariantName = keyof typeof variants
