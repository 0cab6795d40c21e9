// Loses, restarts and replaces the primary of two PostgreSQL servers, or of a cluster that Patroni manages, under a running service, and
// reports whether a failover lost anything acknowledged.
//   npm run standby -- --help
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { closeEverything, runExperiment } from '../faults/experiment.ts'
import { isSound } from '../faults/table.ts'
import { findPrograms } from './patroni/patroni.programs.ts'
import { patroniScenarios } from './patroni/patroni.scenarios.ts'
import { debian, newestInstalled, programs } from './standby.binaries.ts'
import { type Scenario, scenarios } from './standby.scenarios.ts'
import { type StandbyOutcome, tableOf } from './standby.table.ts'

const listOf = (all: readonly Scenario[]) => all.map(({ name, about }) => `  ${name.padEnd(26)} ${about}`).join('\n')

const usage = `npm run standby -- [--patroni] [--postgres FOLDER | --embedded] [--only NAME]... [--orders N] [--seconds N] [--seed N]

  --patroni           on a cluster of etcd, three nodes with Patroni, and HAProxy; skipped where a program of them is missing
  --postgres FOLDER   the folder with initdb and postgres (default: the newest below ${debian}, or else the embedded PostgreSQL)
  --embedded          the embedded PostgreSQL, which lacks what Patroni needs
  --only NAME         only scenarios whose name starts with NAME; may be repeated
  --orders N          orders sent while the standby is away (default 3)
  --seconds N         how long each scenario under load repeats its failure, at least once (default 30)
  --seed N            repeats the choices of an earlier run (default: a new seed, which is shown)
  --help              this text

Exit code 1 if anything was lost, doubled or broken.

On two servers:

${listOf(scenarios({ orders: 1 }))}

With --patroni:

${listOf(patroniScenarios({ orders: 1, programs: { etcd: '', patroni: '', haproxy: '', binaries: '' } }))}
`

const flags = {
  patroni: { type: 'boolean', default: false },
  postgres: { type: 'string' },
  embedded: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  orders: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '30' },
  seed: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

type Flags = ReturnType<typeof parseFlags>

function parseFlags() {
  return parseArgs({ options: flags }).values
}

function stop(text: string, code: number): never {
  console.log(text)
  process.exit(code)
}

/** The folder with the programs to use; undefined for the embedded ones. */
function binariesOf({ postgres, embedded }: Pick<Flags, 'postgres' | 'embedded'>): string | undefined {
  if (embedded) return undefined
  if (postgres === undefined) return newestInstalled()
  const missing = programs.filter((program) => !existsSync(join(postgres, program)))
  if (missing.length > 0)
    stop(`${postgres} does not contain ${missing.join(' and ')}: on Debian, install the package postgresql, or use --embedded.`, 2)
  return postgres
}

function chosenScenarios({ patroni, ...given }: Flags, orders: number): Scenario[] {
  const binaries = binariesOf(given)
  if (patroni) {
    const found = findPrograms(binaries)
    if (typeof found === 'string') stop(found, 0)
    return patroniScenarios({ programs: found, orders })
  }
  if (binaries === undefined && !given.embedded)
    console.log(`There is no PostgreSQL 15 or newer below ${debian}: the embedded one is used.`)
  return scenarios({ orders, ...(binaries === undefined ? {} : { binaries }) })
}

function readFlags(): Flags {
  try {
    return parseFlags()
  } catch (error) {
    return stop(`${(error as Error).message}\n\n${usage}`, 2)
  }
}

const given = readFlags()
if (given.help) stop(usage, 0)
const [orders, seconds, seed] = [given.orders, given.seconds, given.seed ?? Math.floor(Math.random() * 1_000_000)].map(Number) as [
  number,
  number,
  number,
]
if (![orders, seed].every((number) => Number.isSafeInteger(number)) || orders < 1 || !(seconds >= 0)) stop(usage, 2)
if (given.patroni && given.embedded)
  stop('The embedded PostgreSQL lacks pg_basebackup and pg_rewind, which Patroni needs: omit --embedded.', 2)
const all = chosenScenarios(given, orders)
const unknown = given.only?.find((prefix) => !all.some(({ name }) => name.startsWith(prefix)))
if (unknown !== undefined) stop(`There is no scenario whose name begins with ${unknown}.\n\n${usage}`, 2)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeEverything().finally(() => process.exit(130)))
}
console.log(`seed ${seed}`)
const outcomes: StandbyOutcome[] = []
const chosen = all.filter(({ name }) => given.only?.some((prefix) => name.startsWith(prefix)) ?? true)
for (const [index, scenario] of chosen.entries()) {
  process.stderr.write(`${index + 1} of ${chosen.length}  ${scenario.name}: ${scenario.about}\n`)
  const outcome = await runExperiment(scenario, { seed, span_ms: seconds * 1000 })
  outcomes.push({ ...outcome, experiment: scenario })
}
console.log(tableOf(outcomes))
process.exitCode = isSound(outcomes) ? 0 : 1
