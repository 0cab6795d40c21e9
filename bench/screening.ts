// Measures name screening: the index against plain comparison, on invented names.
//   npm run bench:screening
//   npm run bench:screening -- --names 30000 --queries 10000 --rounds 20
// There are two plain comparisons, which go through all listed names one by one, without skipping any; the names were parsed
// beforehand. One calls `explain` for each name, the usual way to compare two names with the product's scorer: it weighs the words,
// scores, corrects and explains. The bound is for this one. The other calls only `scoreNames`, the core of the scorer, with words
// that were weighted beforehand.
// All three take turns, and ratios compare the thread's CPU time, which other work on the machine hardly affects. The 99th percentile
// is wall-clock time, because CPU time is too coarse for one query; its bound is for an otherwise idle machine.
// All three must return the same answers.
import { parseArgs } from 'node:util'
import { Index } from '../server/src/screening/screening.index.ts'
import { readName } from '../server/src/screening/screening.names.ts'
import { currentFormula, explain, type Query, scoreNames, type Weighted, weighted } from '../server/src/screening/screening.score.ts'
import { entryOf } from '../server/src/screening/screening.testing.ts'
import { inventCompany, inventPerson } from '../server/src/testing/testing.names.ts'
import { variants } from '../server/src/testing/testing.probes.ts'
import { SeededRandom } from '../server/src/values/seeded-random.ts'
import { median } from './figures.ts'
import { keepResult, machine } from './results.ts'

const { values } = parseArgs({
  options: {
    names: { type: 'string', default: '30000' },
    queries: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '20' },
  },
})
const sizes = { names: Number(values.names), queries: Number(values.queries), rounds: Number(values.rounds) }

/** The bounds, for 30,000 names. */
const bounds = { ratio: 1000, p99_ms: 2 }
const threshold = 0.85

const random = new SeededRandom(16)
const invent = () => (random.chance(0.7) ? inventPerson(random) : inventCompany(random))
const names = new Set<string>()
while (names.size < sizes.names) names.add(invent())
const entries = Array.from(names, (name, at) => entryOf({ id: String(at) }, name))

/** Half are strangers, a quarter are listed, a quarter are listed with a typo in every word. */
function query(): string {
  if (random.chance(0.5)) return invent()
  const listed = random.pick(entries).names[0]?.name ?? ''
  return random.chance(0.5) ? listed : variants['a typo in every word'](listed, random)
}
const queries = (count: number) => Array.from({ length: count }, query)

function cpu_us(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

function memory_mb(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

/** Needs --expose-gc. */
const collectGarbage = () => globalThis.gc?.()

collectGarbage()
const [before_mb, before_us] = [memory_mb(), cpu_us()]
const index = new Index(entries)
const build_ms = (cpu_us() - before_us) / 1000
collectGarbage()
const index_mb = memory_mb() - before_mb

function sideOf(name: string): Query {
  const words = readName(name).words.map((word) => ({ word, df: index.df(word) }))
  return { name, words, kind: 'unknown', birth_dates: [], countries: [], identifiers: [], claimed: null }
}

function weightedName(name: string): Weighted {
  return weighted(sideOf(name).words, index.names, currentFormula)
}

/** The scores of all hits, best first. */
type Screen = (name: string) => number[]

const hitsAmong = (scores: readonly number[]) => scores.filter((score) => score >= threshold).sort((a, b) => b - a)

const sides = Array.from(names, (name) => ({ ...sideOf(name), weak: false }))
const weightedNames = Array.from(names, weightedName)

const ways = {
  index: (name) => index.search({ name, threshold }).hits.map(({ score }) => score),
  explained: (name) => {
    const query = sideOf(name)
    return hitsAmong(sides.map((listed) => explain({ names: index.names, query, listed }).score))
  },
  scored: (name) => {
    const query = weightedName(name)
    return hitsAmong(weightedNames.map((listed) => scoreNames(query, listed).best))
  },
} as const satisfies Record<string, Screen>

/** Total CPU time, and wall-clock time of each query. */
type Measured = { cpu_us: number; times_us: number[] }

function measure(screen: Screen, names: readonly string[], measured: Measured): void {
  const start = cpu_us()
  for (const name of names) {
    const start = performance.now()
    screen(name)
    measured.times_us.push((performance.now() - start) * 1000)
  }
  measured.cpu_us += cpu_us() - start
}

const nothing = (): Measured => ({ cpu_us: 0, times_us: [] })
// Warm-up.
measure(ways.index, queries(sizes.queries), nothing())
measure(ways.explained, queries(2), nothing())
measure(ways.scored, queries(2), nothing())

const measured = { index: nothing(), explained: nothing(), scored: nothing() }
let different = 0
for (let round = 0; round < sizes.rounds; round++) {
  const asked = queries(Math.ceil(sizes.queries / sizes.rounds))
  const [first = ''] = asked
  measure(ways.index, asked, measured.index)
  measure(ways.explained, [first], measured.explained)
  measure(ways.scored, [first], measured.scored)
  // The index returns the ten best.
  const answers = [ways.index, ways.explained, ways.scored].map((screen) => screen(first).slice(0, 10).join())
  if (new Set(answers).size > 1) different++
}

function figuresOf({ cpu_us, times_us }: Measured) {
  const sorted = times_us.toSorted((a, b) => a - b)
  const p99_us = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  return { queries: sorted.length, cpu_us: cpu_us / sorted.length, median_us: median(sorted), p99_us }
}

const figures = { index: figuresOf(measured.index), explained: figuresOf(measured.explained), scored: figuresOf(measured.scored) }
const ratios = { explained: figures.explained.cpu_us / figures.index.cpu_us, scored: figures.scored.cpu_us / figures.index.cpu_us }
const p99_ms = figures.index.p99_us / 1000

console.log(machine)
console.log(`${index.names} names: index built in ${build_ms.toFixed(0)} ms, ${index_mb.toFixed(1)} MB`)
const labels = { index: 'index', explained: 'every name, explained', scored: 'every name, scored only' } as const
for (const way of ['index', 'explained', 'scored'] as const) {
  const { queries, cpu_us, median_us, p99_us } = figures[way]
  const time = `time ${median_us.toFixed(0)} µs median, ${p99_us.toFixed(0)} µs p99`
  console.log(`${`${labels[way]}:`.padEnd(24)} CPU ${cpu_us.toFixed(1)} µs a query; ${time} (${queries} queries)`)
}
console.log(`the index is ${ratios.explained.toFixed(0)} × as fast as explaining every name (bound at 30,000 names: ${bounds.ratio})`)
console.log(`             ${ratios.scored.toFixed(0)} × as fast as only scoring every name`)
console.log(`             p99 ${p99_ms.toFixed(2)} ms (bound on a quiet machine: ${bounds.p99_ms})`)
console.log(different === 0 ? 'the answers are equal' : `${different} of ${sizes.rounds} answers are different`)
await keepResult('screening.json', `${JSON.stringify({ machine, sizes, build_ms, index_mb, figures, ratios }, undefined, 2)}\n`)
if (ratios.explained < bounds.ratio || p99_ms >= bounds.p99_ms || different > 0) process.exitCode = 1
