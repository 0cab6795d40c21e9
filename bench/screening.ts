// Measures the screening of names: the index against comparing every name, on invented names. CPU time is that of the thread, so that a busy
// machine changes the figures little.
//   npm run bench:screening
//   npm run bench:screening -- --names 30000 --queries 5000 --plain 20
import { parseArgs } from 'node:util'
import { Index } from '../server/src/screening/screening.index.ts'
import { readName } from '../server/src/screening/screening.names.ts'
import { explain, type Side } from '../server/src/screening/screening.score.ts'
import { entryOf } from '../server/src/screening/screening.testing.ts'
import { inventCompany, inventPerson } from '../server/src/testing/testing.names.ts'
import { variants } from '../server/src/testing/testing.probes.ts'
import { SeededRandom } from '../server/src/testing/testing.random.ts'
import { median } from './figures.ts'
import { keepResult, machine } from './results.ts'

const { values } = parseArgs({
  options: {
    names: { type: 'string', default: '30000' },
    queries: { type: 'string', default: '5000' },
    plain: { type: 'string', default: '20' },
  },
})
const sizes = { names: Number(values.names), queries: Number(values.queries), plain: Number(values.plain) }

/** The issue asks for this ratio at 30,000 names. */
const bound = 1000
const threshold = 0.85

const random = new SeededRandom(16)
const invent = () => (random.chance(0.7) ? inventPerson(random) : inventCompany(random))
const names = new Set<string>()
while (names.size < sizes.names) names.add(invent())
const entries = Array.from(names, (name, at) => entryOf({ id: String(at) }, name))

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

/** Half are strangers, a quarter are listed, a quarter are listed with a typo in every word. */
function query(): string {
  if (random.chance(0.5)) return invent()
  const listed = random.pick(entries).names[0]?.name ?? ''
  return random.chance(0.5) ? listed : variants['a typo in every word'](listed, random)
}

/** CPU time on average. Its clock is too coarse for one query, so the median and the 99th percentile are times on the wall. */
function measure(act: (name: string) => void, queries: readonly string[]): { cpu_us: number; median_us: number; p99_us: number } {
  const start = cpu_us()
  const all = queries.map((name) => {
    const start = performance.now()
    act(name)
    return (performance.now() - start) * 1000
  })
  const used = cpu_us() - start
  const sorted = all.toSorted((a, b) => a - b)
  return { cpu_us: used / queries.length, median_us: median(all), p99_us: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN }
}

const side = (name: string): Side => ({
  name,
  words: readName(name).words.map((word) => ({ word, df: index.df(word) })),
  kind: 'unknown',
  birth_dates: [],
  countries: [],
  identifiers: [],
})
const listed = [...names].map((name) => ({ ...side(name), weak: false }))
const compareAll = (name: string) => {
  const query = side(name)
  let hits = 0
  for (const each of listed) if (explain({ names: index.names, query, listed: each }).score >= threshold) hits++
  return hits
}

const queries = (count: number) => Array.from({ length: count }, query)
const ask = (name: string) => index.search({ name, threshold })
// Compiles the hot code.
measure(ask, queries(sizes.queries))
measure(compareAll, queries(2))
const indexed = measure(ask, queries(sizes.queries))
const plain = measure(compareAll, queries(sizes.plain))
const ratio = plain.cpu_us / indexed.cpu_us

console.log(machine)
console.log(`${index.names} names: index built in ${build_ms.toFixed(0)} ms, ${index_mb.toFixed(1)} MB`)
const figures = ({ cpu_us, median_us, p99_us }: typeof indexed) =>
  `CPU ${cpu_us.toFixed(0)} µs a query; time ${median_us.toFixed(0)} µs median, ${p99_us.toFixed(0)} µs p99`
console.log(`index:       ${figures(indexed)} (${sizes.queries} queries)`)
console.log(`every name:  ${figures(plain)} (${sizes.plain} queries)`)
console.log(`the index is ${ratio.toFixed(0)} × as fast (bound at 30,000 names: ${bound})`)
await keepResult('screening.json', `${JSON.stringify({ machine, sizes, build_ms, index_mb, indexed, plain, ratio }, undefined, 2)}\n`)
if (ratio < bound) process.exitCode = 1
