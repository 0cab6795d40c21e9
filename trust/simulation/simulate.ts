// Runs the simulation of transfers over many seeds and prints a summary: first in memory, then scripts that one worker and two workers play on a
// database. A failure names its seed, which replays it exactly.
//   npm run simulate -- --seeds 200 --steps 300
//   npm run simulate -- --seed 17
//   npm run simulate -- --only memory
//   npm run simulate -- --only workers
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { SimulationFailure, simulate, Tally } from './simulation.ts'
import { withBank } from './workers/simulation.bank.ts'
import { compareWorkers, Difference } from './workers/simulation.workers.ts'

const parts = ['memory', 'workers'] as const

type Plan = { first: number; seeds: number; steps: number; parts: readonly (typeof parts)[number][] }

const defaults = { seeds: 200, steps: 300 }

const usage = `npm run simulate -- [--seeds N] [--seed N] [--steps N] [--only ${parts.join('|')}]

  --seeds N   number of seeds (default ${defaults.seeds})
  --seed N    the first; alone: only this one
  --steps N   steps of each in memory (default ${defaults.steps})
  --only      one part alone
  --help      this text`

function planOf(args: string[]): Plan | 'help' {
  const word = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { seeds: word, seed: word, steps: word, only: word, help: { type: 'boolean' } } })
  if (values.help) return 'help'
  const number = (name: 'seeds' | 'seed' | 'steps', otherwise: number) => {
    const value = Number(values[name] ?? otherwise)
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be a whole number above zero`)
    return value
  }
  const chosen = parts.filter((part) => values.only === undefined || part === values.only)
  if (chosen.length === 0) throw new RangeError(`--only must be ${parts.join(' or ')}`)
  // A named seed is replayed alone.
  return {
    first: number('seed', 1),
    seeds: number('seeds', values.seed === undefined ? defaults.seeds : 1),
    steps: number('steps', defaults.steps),
    parts: chosen,
  }
}

function run({ first, seeds, steps }: Plan): Tally {
  const tally = new Tally()
  for (let done = 0; done < seeds; done++) {
    showProgress(done, seeds)
    simulate({ seed: first + done, steps, tally })
  }
  showProgress(seeds, seeds)
  return tally
}

function showProgress(done: number, seeds: number): void {
  const end = done === seeds ? '\n' : ''
  if (process.stderr.isTTY) redraw(`${barOf({ done, of: seeds })} ${done} of ${seeds} seeds${end}`)
  else if (done > 0 && Math.floor((done * 10) / seeds) > Math.floor(((done - 1) * 10) / seeds)) console.error(`${done} of ${seeds} seeds`)
}

function tableOf(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${name.padEnd(52)} ${String(count).padStart(8)}`)
}

function reportOf({ outcomes, seen }: Tally): string {
  return [
    'commands and outcomes',
    ...tableOf(outcomes),
    '',
    'transfers created, completed by flow, ended, processed',
    ...tableOf(seen),
  ].join('\n')
}

function simulateInMemory(plan: Plan): boolean {
  const start = performance.now()
  try {
    const tally = run(plan)
    console.log(reportOf(tally))
    const missing = plan.seeds >= defaults.seeds && plan.steps >= defaults.steps ? tally.missing() : []
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    if (missing.length > 0) console.log(`\nNever seen: ${missing.join(', ')}.`)
    else console.log(`\n${plan.seeds} seeds of ${plan.steps} steps in ${seconds} s: model and service agree, and no transfer is stuck.`)
    return missing.length === 0
  } catch (error) {
    if (!(error instanceof SimulationFailure)) throw error
    printFailure(error, plan)
    return false
  }
}

async function simulateWorkers({ first, seeds }: Plan): Promise<boolean> {
  const start = performance.now()
  try {
    const seen = await withBank((bank) => compareWorkers({ bank, first, seeds, onProgress: (done) => showProgress(done, seeds) }))
    console.log(['', 'seen by the workers', ...tableOf(seen)].join('\n'))
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`\n${seeds} scripts in ${seconds} s: the model, one worker and two workers come to the same result.`)
    return true
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    console.error(`\n${error.message}\n\nreplay: npm run simulate -- --only workers --seed ${error.seed}`)
    return false
  }
}

async function main(plan: Plan): Promise<number> {
  const isSound = {
    memory: () => simulateInMemory(plan),
    workers: () => simulateWorkers(plan),
  }
  for (const part of plan.parts) if (!(await isSound[part]())) return 1
  return 0
}

function printFailure({ seed, step, command, message, cause }: SimulationFailure, { steps }: Plan): void {
  console.error(
    `\n${message}\n\ncommand of step ${step}:\n  ${command}\n\nreplay: npm run simulate -- --only memory --seed ${seed} --steps ${steps}`,
  )
  // An exception of the deciding code itself is a bug, so its stack is printed.
  if (cause instanceof Error && cause.name !== 'Broken') console.error(cause.stack)
}

function planFromCommandLine(): Plan | 'help' | undefined {
  try {
    return planOf(process.argv.slice(2))
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

if (import.meta.main) {
  const plan = planFromCommandLine()
  if (plan === 'help') console.log(usage)
  else process.exitCode = plan === undefined ? 2 : await main(plan)
}
