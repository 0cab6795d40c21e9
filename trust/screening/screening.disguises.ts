// Disguises: how a listed person might be written to slip through, made from the names of a list by ten rules. The same seed gives the same disguises.
import type { Entry, EntryKind } from '../../server/src/screening/screening.entries.ts'
import { readName } from '../../server/src/screening/screening.names.ts'
import type { Party } from '../../server/src/screening/screening.ts'
import { variants } from '../../server/src/testing/testing.probes.ts'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'

/** `entry`: who is meant. */
export type Disguise = { rule: Rule; entry: Entry; party: Party }

type Written = { name: string; kind?: EntryKind; countries?: readonly string[] }

/** Undefined if the rule cannot change this name. */
type Make = (name: string, entry: Entry, random: SeededRandom) => Written | undefined

const wordsOf = (name: string): string[] => [...readName(name).words]

const named = (name: string | undefined): Written | undefined => (name === undefined ? undefined : { name })

/** Common titles and the like, which do not identify anyone. */
const others = 'edward james william henry george louise maria anna victor hugo emil carl'.split(' ')

function doubled(word: string, random: SeededRandom): string {
  const at = random.below(word.length)
  return `${word.slice(0, at)}${word[at]}${word.slice(at)}`
}

function farApart(words: readonly string[], random: SeededRandom): string | undefined {
  const [first, last] = [words[0], words.at(-1)]
  if (words.length !== 2 || first === undefined || last === undefined) return undefined
  const among = Array.from({ length: random.integer(3, 8) }, () => random.pick(others))
  return [variants['one typo'](first, random), ...among, variants['one typo'](last, random)].join(' ')
}

/** Each kind of payee is called the other one. */
const otherKind: Partial<Record<EntryKind, EntryKind>> = { person: 'organisation', organisation: 'person' }

/** Where none of the listed ones lives. */
const farAway = ['NZ', 'UY', 'IS']

const rules = {
  'swapped order': (name) => (wordsOf(name).length < 2 ? undefined : named([...wordsOf(name).slice(1), wordsOf(name)[0]].join(' '))),
  initials: (name) => named(variants.initials(name)),
  'doubled letters': (name, _, random) =>
    named(
      wordsOf(name)
        .map((word) => doubled(word, random))
        .join(' '),
    ),
  transliteration: (name, _, random) => named(variants.transliteration(name, random)),
  'a dropped middle word': (name) => (wordsOf(name).length < 3 ? undefined : named(wordsOf(name).toSpliced(1, 1).join(' '))),
  'far-apart words': (name, _, random) => named(farApart(wordsOf(name), random)),
  'merged words': (name) => named(variants.joined(name)),
  typos: (name, _, random) => named(variants['a typo in every word'](name, random)),
  'a false kind': (name, { kind }, random) => {
    const false_ = otherKind[kind]
    return false_ && { name: variants['a typo in every word'](name, random), kind: false_ }
  },
  'a false country': (name, { countries }, random) =>
    countries.length === 0 ? undefined : { name: variants['a typo in every word'](name, random), countries: [random.pick(farAway)] },
} as const satisfies Record<string, Make>

export type Rule = keyof typeof rules
export const ruleNames = Object.keys(rules) as Rule[]

/** Ships and aircraft receive no payments. */
const isPayee = ({ kind }: Entry): boolean => kind === 'person' || kind === 'organisation'

/** As many by each rule, of entries and names that are picked at random. The kind is said truly, and the country not at all, unless a rule says otherwise. */
export function disguisesOf(entries: readonly Entry[], count: number, seed = 41): Disguise[] {
  const random = new SeededRandom(seed)
  const payees = entries.filter(isPayee)
  // One short word says too little to be found again.
  const isLongEnough = (name: string) => wordsOf(name).length >= 2 && wordsOf(name).join('').length >= 8
  const pairs = payees.flatMap((entry) => entry.names.map(({ name }) => ({ entry, name }))).filter(({ name }) => isLongEnough(name))
  return ruleNames.flatMap((rule) => {
    const make: Make = rules[rule]
    const possible = pairs.filter(({ entry, name }) => make(name, entry, new SeededRandom(seed)) !== undefined)
    return Array.from({ length: Math.ceil(count / ruleNames.length) }, (): Disguise => {
      const { entry, name } = random.pick(possible)
      const { name: written, kind = entry.kind, countries = [] } = make(name, entry, random) ?? { name }
      return {
        rule,
        entry,
        party: { party: 'creditor', ref: null, name: written, details: { unverified: { by: 'venture', kind, countries } } },
      }
    })
  })
}
