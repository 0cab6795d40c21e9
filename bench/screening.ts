// Measures the screening of names: the index against the plain comparison, on invented names.
//   npm run bench:screening
//   npm run bench:screening -- --names 30000 --queries 10000 --rounds 20
// The plain comparison scores every listed name with `scoreNames`, the scorer of the product, one after the other. The listed names have been read
// and weighted in advance; nothing else is prepared, looked up or skipped. Both answer the same question, and the answers must be equal.
// They take turns, and the ratio compares the CPU time of the thread, so other work on the machine changes it little. The 99th percentile is time
// on the wall, because the clock of the CPU time is too coarse for one query: its bound is meant for a machine that is otherwise quiet.
import { parseArgs } from 'node:util'
import { Index } from '../server/src/screening/screening.index.ts'
import { readName } from '../server/src/screening/screening.names.ts'
import { scoreNames, type Weighted, weightOf } from '../server/src/screening/screening.score.ts'
import { entryOf } from '../server/src/screening/screening.testing.ts'
import { inventCompany, inventPerson } from '../server/src/testing/testing.names.ts'
import { variants } from '../server/src/testing/testing.probes.ts'
import { SeededRandom } from '../server/src/testing/testing.random.ts'
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

/** The issue asks for these at 30,000 names. */
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

function weighted(name: string): Weighted {
  const { words } = readName(name)
  return { words, weights: words.map((word) => weightOf(index.df(word), index.names)), joined: words.join('') }
}

/** The scores of all hits, the best first. */
type Screen = (name: string) => number[]

const byIndex: Screen = (name) => index.search({ name, threshold }).hits.map(({ score }) => score)

const listed = entries.map(({ names }) => weighted(names[0]?.name ?? ''))
const oneByOne: Screen = (name) => {
  const query = weighted(name)
  const scores: number[] = []
  for (const each of listed) {
    const { best } = scoreNames(query, each)
    if (best >= threshold) scores.push(best)
  }
  return scores.sort((a, b) => b - a)
}

/** All CPU time, and the time of each query on the wall. */
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
// Compiles the hot code.
measure(byIndex, queries(sizes.queries), nothing())
measure(oneByOne, queries(2), nothing())

const [indexed, plain] = [nothing(), nothing()]
let different = 0
for (let round = 0; round < sizes.rounds; round++) {
  const asked = queries(Math.ceil(sizes.queries / sizes.rounds))
  const [first = ''] = asked
  measure(byIndex, asked, indexed)
  measure(oneByOne, [first], plain)
  // The index answers with the ten best.
  const [some, all] = [byIndex(first), oneByOne(first)]
  if (some.join() !== all.slice(0, 10).join()) different++
}

function figuresOf({ cpu_us, times_us }: Measured) {
  const sorted = times_us.toSorted((a, b) => a - b)
  const p99_us = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  return { queries: sorted.length, cpu_us: cpu_us / sorted.length, median_us: median(sorted), p99_us }
}

const figures = { index: figuresOf(indexed), 'every name': figuresOf(plain) }
const ratio = figures['every name'].cpu_us / figures.index.cpu_us
const p99_ms = figures.index.p99_us / 1000

console.log(machine)
console.log(`${index.names} names: index built in ${build_ms.toFixed(0)} ms, ${index_mb.toFixed(1)} MB`)
for (const [about, { queries, cpu_us, median_us, p99_us }] of Object.entries(figures))
  console.log(
    `${`${about}:`.padEnd(12)} CPU ${cpu_us.toFixed(1)} µs a query; time ${median_us.toFixed(0)} µs median, ${p99_us.toFixed(0)} µs p99 (${queries} queries)`,
  )
console.log(`the index is ${ratio.toFixed(0)} × as fast (bound at 30,000 names: ${bounds.ratio}), p99 ${p99_ms.toFixed(2)} ms (bound: ${bounds.p99_ms})`)
console.log(different === 0 ? 'the answers are equal' : `${different} of ${sizes.rounds} answers are different`)
await keepResult('screening.json', `${JSON.stringify({ machine, sizes, build_ms, index_mb, figures, ratio }, undefined, 2)}\n`)
if (ratio < bounds.ratio || p99_ms >= bounds.p99_ms || different > 0) process.exitCode = 1
