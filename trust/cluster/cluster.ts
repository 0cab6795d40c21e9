// Runs the service on a Citus cluster, a coordinator and two workers on loopback, and reports what does not hold.
//   npm run cluster -- --help
import { parseArgs } from 'node:util'
import { findCitus } from '../../server/src/testing/testing.cluster.ts'
import { closeEverything, type Outcome, runExperiment } from '../faults/experiment.ts'
import { isSound, tableOf } from '../faults/table.ts'
import { scenes } from './cluster.scenes.ts'

const usage = `CITUS_PG_CONFIG=/path/of/pg_config npm run cluster -- [--only NAME]... [--transactions N] [--kills N] [--seed N]

  --only NAME         only scenes whose name starts with NAME; may be repeated
  --transactions N    transactions for the followers (default 10000)
  --kills N           minimum number of times a worker is killed (default 5)
  --seed N            repeats the choices of an earlier run (default: a new seed, which is shown)
  --help              this text

Exit code 1 if anything was lost, doubled or broken. Where CITUS_PG_CONFIG names no PostgreSQL with Citus, nothing runs, and the exit code is 0.

${scenes({ binaries: '', transactions: 1, kills: 1 })
  .map(({ name, about }) => `  ${name.padEnd(16)} ${about}`)
  .join('\n')}
`

const flags = {
  only: { type: 'string', multiple: true },
  transactions: { type: 'string', default: '10000' },
  kills: { type: 'string', default: '5' },
  seed: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

function stop(text: string, code: number): never {
  console.log(text)
  process.exit(code)
}

function readFlags() {
  try {
    return parseArgs({ options: flags }).values
  } catch (error) {
    return stop(`${(error as Error).message}\n\n${usage}`, 2)
  }
}

const given = readFlags()
if (given.help) stop(usage, 0)
const numbers = [given.transactions, given.kills, given.seed ?? Math.floor(Math.random() * 1_000_000)].map(Number)
const [transactions = 0, kills = 0, seed = 0] = numbers
if (!numbers.every((number) => Number.isSafeInteger(number)) || transactions < 1 || kills < 1) stop(usage, 2)
const all = scenes({ binaries: '', transactions, kills })
const unknown = given.only?.find((prefix) => !all.some(({ name }) => name.startsWith(prefix)))
if (unknown !== undefined) stop(`There is no scene whose name begins with ${unknown}.\n\n${usage}`, 2)
const found = findCitus()
if ('missing' in found) stop(`Skipped. ${found.missing}`, 0)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeEverything().finally(() => process.exit(130)))
}
console.log(`seed ${seed}, PostgreSQL of ${found.binaries}`)
const outcomes: Outcome[] = []
for (const scene of scenes({ ...found, transactions, kills })) {
  if (given.only !== undefined && !given.only.some((prefix) => scene.name.startsWith(prefix))) continue
  process.stderr.write(`${scene.name}: ${scene.about}\n`)
  outcomes.push(await runExperiment(scene, { seed, span_ms: 0, say: (what) => process.stderr.write(`  ${what}\n`) }))
}
console.log(tableOf(outcomes))
process.exitCode = isSound(outcomes) ? 0 : 1
