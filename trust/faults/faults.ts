// Breaks the service and its database on purpose, under load, and reports whether anything was lost.
//   npm run faults -- --help
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { closeEverything, type Experiment, type Outcome, runExperiment } from './experiment.ts'
import { experiments } from './faults.list.ts'
import { isSound, tableOf } from './table.ts'

const usage = `npm run faults -- [--only NAME]... [--seed N] [--minutes N]

  --only NAME   only experiments whose name starts with NAME; may be repeated
  --seed N      repeats the choices of an earlier run (default: a new seed, which is shown)
  --minutes N   total time (default 10); each repeats its fault as often as fits
  --help        this text

Exit code 1 if anything was lost, doubled or broken.

${experiments.map(({ name, about }) => `  ${name.padEnd(22)} ${about}`).join('\n')}
`

type Options = { chosen: Experiment[]; seed: number; minutes: number }

const flags = {
  only: { type: 'string', multiple: true },
  seed: { type: 'string' },
  minutes: { type: 'string', default: '10' },
  help: { type: 'boolean', default: false },
} as const

function parseFlags() {
  try {
    return parseArgs({ options: flags }).values
  } catch (error) {
    return (error as Error).message
  }
}

/** The run that the command line asks for, or the text to print instead. */
function readOptions(): Options | string {
  const values = parseFlags()
  if (typeof values === 'string') return `${values}\n\n${usage}`
  if (values.help) return usage
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
  const minutes = Number(values.minutes)
  if (!Number.isSafeInteger(seed) || !(minutes > 0)) return usage
  const unknown = values.only?.find((prefix) => !experiments.some(({ name }) => name.startsWith(prefix)))
  if (unknown !== undefined) return `There is no experiment whose name begins with ${unknown}.\n\n${usage}`
  const chosen = experiments.filter(({ name }) => values.only?.some((prefix) => name.startsWith(prefix)) ?? true)
  return { chosen, seed, minutes }
}

/** A progress bar in a terminal, otherwise a line for each experiment. */
function progressOf(count: number) {
  let drawn = ''
  return (done: number, text: string) => {
    const line = `${barOf({ done, of: count })} ${done} of ${count}  ${text}`
    if (process.stderr.isTTY) redraw(line)
    else if (line !== drawn) process.stderr.write(`${line}\n`)
    drawn = line
  }
}

async function runAll({ chosen, seed, minutes }: Options, outcomes: Outcome[]): Promise<void> {
  const show = progressOf(chosen.length)
  const end = performance.now() + minutes * 60_000
  for (const experiment of chosen) {
    // Time that one experiment did not use is shared by the others.
    const span_ms = Math.max(0, (end - performance.now()) / (chosen.length - outcomes.length))
    const say = (what: string) => show(outcomes.length, process.stderr.isTTY ? `${experiment.name}: ${what}` : experiment.name)
    outcomes.push(await runExperiment(experiment, { seed, span_ms, say }))
  }
  show(chosen.length, 'done')
  process.stderr.write('\n')
}

async function interrupted(outcomes: readonly Outcome[]): Promise<void> {
  process.stderr.write('\nstopping what was started\n')
  // The interrupted experiment is discarded; the finished ones count.
  const finished = [...outcomes]
  await closeEverything()
  if (finished.length > 0) console.log(tableOf(finished))
  process.exit(130)
}

const options = readOptions()
if (typeof options === 'string') {
  console.log(options)
  process.exit(process.argv.includes('--help') ? 0 : 2)
}
const outcomes: Outcome[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupted(outcomes))
console.log(`seed ${options.seed}`)
await runAll(options, outcomes)
console.log(tableOf(outcomes))
process.exitCode = isSound(outcomes) ? 0 : 1
