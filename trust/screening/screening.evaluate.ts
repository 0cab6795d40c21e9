// Recall and false alarms of the score, at several thresholds.
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import { Index } from '../../server/src/screening/screening.index.ts'
import { readName } from '../../server/src/screening/screening.names.ts'
import { entryOf } from '../../server/src/screening/screening.testing.ts'
import { commonWords, inventCompany, inventPerson } from '../../server/src/testing/testing.names.ts'
import { type VariantName, variants } from '../../server/src/testing/testing.probes.ts'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'

export const thresholds = [0.8, 0.85, 0.88, 0.9, 0.92, 0.95, 0.97] as const

/** The constants of the formula may be tuned on one part only. */
export const parts = ['tuning', 'held-out'] as const
export type Part = (typeof parts)[number]

const seeds: Readonly<Record<Part, number>> = { tuning: 1, 'held-out': 2 }

/** `shares`: for each threshold, the share of probes that found their entry, or of strangers that hit any. */
export type Line = { about: VariantName | 'unrelated people' | 'unrelated companies'; probes: number; shares: readonly number[] }

export type Sizes = { names: number; probes: number; strangers: number }

/** Those of the table in docs/screening.md. */
export const usualSizes: Sizes = { names: 30_000, probes: 2000, strangers: 5000 }

/** Each text belongs to one part. */
export function partOf(text: string): Part {
  let hash = 0
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0
  return (hash >>> 4) % 2 === 0 ? 'tuning' : 'held-out'
}

/** Invents names until one belongs to the part with all its words, except for those that many names share. So no name of a family or a company
 * occurs in both parts. */
function inventFor(part: Part, random: SeededRandom, invent: (random: SeededRandom) => string): string {
  const isForeign = (word: string) => !commonWords.has(word) && partOf(word) !== part
  let name = invent(random)
  while (readName(name).words.some(isForeign)) name = invent(random)
  return name
}

/** A list of invented names. Each part has another. */
export function inventList(part: Part, size: number): Entry[] {
  const random = new SeededRandom(seeds[part])
  const names = new Set<string>()
  while (names.size < size) names.add(inventFor(part, random, random.chance(0.7) ? inventPerson : inventCompany))
  return Array.from(names, (name, at) => entryOf({ id: String(at) }, name))
}

/** Of a list that is given, each part probes every other entry, and no name that the other part has, too. */
export function probesOf(entries: readonly Entry[], part: Part): { id: string; name: string }[] {
  const listed = entries.map(({ id, names }) => names.filter(({ weak }) => !weak).map(({ name }) => ({ id, name })))
  const [own, others] = [parts.indexOf(part), 1 - parts.indexOf(part)].map((rest) => listed.filter((_, at) => at % 2 === rest).flat())
  const known = new Set(others?.map(({ name }) => keyOf(name)))
  return (own ?? []).filter(({ name }) => !known.has(keyOf(name)))
}

export function evaluate(part: Part, { names, probes, strangers }: Sizes, given?: readonly Entry[]): Line[] {
  const entries = given ?? inventList(part, names)
  const index = new Index(entries)
  const random = new SeededRandom(seeds[part] + 100)
  // One short word says too little to be found again with a typo in it.
  const isProbed = (name: string) => readName(name).words.length >= 2 && readName(name).words.join('').length >= 8
  const own = given === undefined ? entries.flatMap(({ id, names }) => names.map(({ name }) => ({ id, name }))) : probesOf(given, part)
  const listed = own.filter(({ name }) => isProbed(name))
  const chosen = Array.from({ length: probes }, () => random.pick(listed))
  const lines: Line[] = []
  for (const [about, change] of Object.entries(variants) as [VariantName, (typeof variants)[VariantName]][]) {
    const scores = chosen.flatMap(({ id, name }) => {
      const changed = change(name, random)
      if (changed === undefined) return []
      const { hits } = index.search({ name: changed, threshold: thresholds[0], limit: entries.length })
      return [hits.find(({ entry }) => entry.id === id)?.score ?? 0]
    })
    lines.push({ about, probes: scores.length, shares: sharesOf(scores) })
  }
  const known = new Set(entries.flatMap(({ names }) => names.map(({ name }) => keyOf(name))))
  for (const [about, invent] of [
    ['unrelated people', inventPerson],
    ['unrelated companies', inventCompany],
  ] as const) {
    // A person with a listed name is not a false alarm.
    const strange = Array.from({ length: strangers }, () => inventFor(part, random, invent)).filter((name) => !known.has(keyOf(name)))
    const scores = strange.map((name) => index.search({ name, threshold: thresholds[0], limit: 1 }).hits[0]?.score ?? 0)
    lines.push({ about, probes: scores.length, shares: sharesOf(scores) })
  }
  return lines
}

function keyOf(name: string): string {
  return [...readName(name).words].sort().join(' ')
}

function sharesOf(scores: readonly number[]): number[] {
  return thresholds.map((threshold) => scores.filter((score) => score >= threshold).length / scores.length)
}

/** A table in Markdown. */
export function tableOf(lines: readonly Line[]): string {
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return [
    cells(['Probe', 'Names', ...thresholds.map((threshold) => threshold.toFixed(2))]),
    cells(['---', '---:', ...thresholds.map(() => '---:')]),
    ...lines.map(({ about, probes, shares }) => cells([about, String(probes), ...shares.map(percent)])),
  ].join('\n')
}
